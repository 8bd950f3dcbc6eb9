"""Prints the tests that failed in pytest's last run; exit code 1 when that is none, or more than `--most`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

_LAST_FAILED = Path(".pytest_cache/v/cache/lastfailed")


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, required=True)
    most = parser.parse_args().most
    failed = sorted(json.loads(_LAST_FAILED.read_text())) if _LAST_FAILED.exists() else []
    print("\n".join(failed))  # noqa: T201 - its output
    if 0 < len(failed) <= most:
        return 0
    sys.stderr.write(f"CI: no second run: {len(failed)} tests failed, and at least one and at most {most} get one.\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
