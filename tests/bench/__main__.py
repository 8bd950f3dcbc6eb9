"""`make bench`: runs every bench_*.py beside this file and prints its rows as one table.

`python -m tests.bench store memory` runs only those named: answers, memory, peer, rebuild, rules, scale, store. It
reports and does not judge: a missed goal is shown, and the exit status stays 0, because the figures depend on what else
the machine does.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import pathlib
import sys

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tests.bench.rows import Row


def main(names: list[str]) -> int:
    """Runs the named benches (all, when none is named) and prints the table; 2 for a name that does not exist."""
    known = sorted(path.stem.removeprefix("bench_") for path in pathlib.Path(__file__).parent.glob("bench_*.py"))
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.stderr.write(f"No such bench: {', '.join(unknown)}. There are: {', '.join(known)}.\n")
        return 2
    console = Console(width=None if sys.stdout.isatty() else 140)
    rows: list[Row] = []
    for name in names or known:
        with console.status(f"{name} ..."):
            rows += _run(name)
    console.print(_table(rows))
    return 0


def _run(name: str) -> list[Row]:
    rows = importlib.import_module(f"tests.bench.bench_{name}").run()
    return list(asyncio.run(rows) if inspect.iscoroutine(rows) else rows)


def _table(rows: list[Row]) -> Table:
    table = Table("what", "ours", "unit", "peer or limit", "its figure", "ratio", "goal", "met")
    for column in (1, 4, 5):
        table.columns[column].justify = "right"
    for row in rows:
        met = {True: "[green]yes", False: "[red]no", None: ""}[row.met]
        table.add_row(
            row.what,
            _figure(row.ours),
            row.unit,
            escape(row.peer),
            _figure(row.peer_figure),
            _figure(row.ratio),
            row.goal,
            met,
        )
    return table


def _figure(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.3g}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
