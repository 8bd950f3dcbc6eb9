"""`make month`: a month of play in three groups and without one, in a quarter of an hour; exit code 1 when anything was
wrong. `--write` puts the figures into docs/reliability.md; `--seed` repeats what people and chance do (not the deals).
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from service.sandbox.world import World
from tests.month import chat, virtual
from tests.month.bot import unhurried
from tests.month.month import Month, Report, rows, told
from tests.soak.report import block, write


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.month", description=__doc__)
    parser.add_argument("--days", type=float, default=30.0)
    parser.add_argument("--restarts", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="put the figures into docs/reliability.md")
    parser.add_argument("--transcript", type=Path, help="writes each chat as people saw it")
    given = parser.parse_args()
    world = World(flood=True)
    month: list[Month] = []

    def said(line: str) -> None:
        sys.stderr.write(f"{line}\n")

    async def play() -> Report:
        month.append(Month(world, days=given.days, restarts=given.restarts, seed=given.seed, progress=said))
        return await month[0].run()

    try:
        with unhurried():
            report = virtual.run(play)
    finally:
        if given.transcript is not None:
            given.transcript.write_text(chat.transcript(world), encoding="utf-8")
    sys.stdout.write(told(report) + "\n")
    if given.write:
        command = f"python -m tests.month --days {given.days:g} --restarts {given.restarts} --seed {given.seed}"
        write("month", block(command, rows(report, given.days, time.process_time())))
    return 1 if month[0].report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
