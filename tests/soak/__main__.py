"""`make soak`: the proofs of docs/reliability.md at full length, one after another; some take minutes.

`python -m tests.soak crash torn` runs only those named; `--write` puts the figures into the document; `--seed` repeats
a run's choices. The exit status is 1 when a proof fails. Their short forms are among the tests.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from rich.console import Console

from tests.service import tampered
from tests.soak import crash, report, torn, two_writers
from tests.soak.report import Row

_SECONDS = 60.0  # of two_writers, without leases and with them
_STEPS = 10  # lines of progress a proof
_console = Console(highlight=False, width=None if sys.stdout.isatty() else 140)


async def _crash(folder: Path, seed: int) -> str:
    found = await crash.run(folder, crash.LONG, seed, _Progress("kills"))
    return _told("crash", found.rows())


async def _torn(folder: Path, _: int) -> str:
    written = await torn.written(folder / "written")
    places = range(written.size - torn.TAIL, written.size + 1)
    found = await torn.run(folder, places, written, progress=_Progress("bytes"))
    return _told("torn", found.rows())


async def _two_writers(_: Path, __: int) -> str:
    rows: list[Row] = []
    for found in await two_writers.run(_SECONDS):
        rows += [Row(f"{found.what}: processes, over the time", str(found.processes))]
        rows += [
            report.counted(f"{found.what}: attempts to append", found.attempts),
            report.counted(f"{found.what}: acknowledged", found.acknowledged),
            Row(f"{found.what}: conflicts", f"{found.conflicts:,} ({found.conflicts / found.attempts:.2%})"),
            report.counted(f"{found.what}: fenced", found.fenced),
            report.counted(f"{found.what}: tables that changed hands", found.changes),
            report.counted(f"{found.what}: acknowledged, and not there as it was", found.lost, fault=True),
            report.counted(f"{found.what}: commands carried out more than once", found.duplicates, fault=True),
            report.counted(f"{found.what}: faults of chains, feeds, command ids", len(found.troubles), fault=True),
        ]
    return _told("two_writers", rows)


async def _tampering(folder: Path, _: int) -> str:
    found = await asyncio.to_thread(tampered.looked_at, folder)
    exports = await asyncio.to_thread(tampered.exports_looked_at, folder)
    return tampered.table(found, exports)


Proof = Callable[[Path, int], Awaitable[str]]
PROOFS: dict[str, Proof] = {"tampering": _tampering, "crash": _crash, "torn": _torn, "two_writers": _two_writers}


class Failed(Exception):
    """A proof found what must not be; the text is its table."""


class _Progress:
    """A line now and then: how far a proof is."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._began = time.monotonic()
        self._said = -1

    def __call__(self, done: int, everything: int) -> None:
        if (step := done * _STEPS // everything) > self._said:
            self._said = step
            _console.print(f"  {done:,} of {everything:,} {self._what}, {time.monotonic() - self._began:.0f} s")


def _told(name: str, rows: Sequence[Row]) -> str:
    text = report.block(f"python -m tests.soak {name}", rows)
    if any(row.fault for row in rows):
        raise Failed(text)
    return text


async def _whole(proof: Proof, folder: Path, seed: int) -> str:
    return await proof(folder, seed)


def main(arguments: Sequence[str]) -> int:
    """Runs the proofs that are named (all, when none is); 1 when one of them fails."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of: {', '.join(PROOFS)}")
    parser.add_argument("--write", action="store_true", help="put the figures into docs/reliability.md")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32), help="of whom to kill, and when")
    given = parser.parse_args(arguments)
    if unknown := [name for name in given.names if name not in PROOFS]:
        parser.error(f"no such proof: {', '.join(unknown)}; there are: {', '.join(PROOFS)}")
    failed = False
    for name in given.names or PROOFS:
        _console.print(f"[bold]{name}[/] (seed {given.seed})")
        with tempfile.TemporaryDirectory(prefix="tabletalk-soak-") as folder:
            try:
                text = asyncio.run(_whole(PROOFS[name], Path(folder), given.seed))
            except Failed as found:
                failed = True
                _console.print(f"{found}\n\n[bold red]{name} failed[/]", markup=True)
                continue
        _console.print(f"{text}\n", markup=False)
        if given.write:
            report.write(name, text)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
