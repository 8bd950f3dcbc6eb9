"""The real `tabletalk`, as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.patience import PROGRAM

_PROGRAM = [sys.executable, "-c", "from service.cli import main; main()"]
_OURS = (
    "REDIS_URL",
    "TELEGRAM_TOKEN",
    "TELEGRAM_API_URL",
    "TABLETALK_DATA",
    "TABLETALK_KEY",
    "DURABILITY",
    "PORT",
    "WEBHOOK_URL",
    "WEBHOOK_SECRET",
    "NO_COLOR",
    "FORCE_COLOR",
)


def environment(data: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _OURS}
    return {**kept, "TABLETALK_DATA": str(data), "PYTHONUNBUFFERED": "1", **more}


def run(data: Path, *arguments: str, typed: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end."""
    return subprocess.run(
        [*_PROGRAM, *arguments],
        input=typed,
        capture_output=True,
        text=True,
        timeout=PROGRAM,
        check=False,
        env=environment(data, **more),
    )


def start(data: Path, *arguments: str, **more: str) -> subprocess.Popen[str]:
    """Starts a command; its standard output and error come together."""
    return subprocess.Popen(
        [*_PROGRAM, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(data, **more),
        start_new_session=True,
    )


def read_until(process: subprocess.Popen[str], words: str) -> str:
    """Everything that the process prints up to the line that holds `words`."""
    assert process.stdout is not None
    found = ""
    for line in process.stdout:
        found += line
        if words in line:
            return found
    raise AssertionError(f"it ended without {words!r}:\n{found}")


def end(process: subprocess.Popen[str], number: int) -> str:
    """Sends a signal and gives what the process still prints until it ends; its input stays open until then."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.send_signal(number)
    process.wait(timeout=PROGRAM)
    rest = process.stdout.read()
    process.stdin.close()
    process.stdout.close()
    return rest
