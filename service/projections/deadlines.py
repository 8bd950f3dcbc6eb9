"""Which tables are being played, and when each wants the clock next: an index, rebuilt from the feeds."""

from __future__ import annotations

from collections.abc import Mapping

from domain import table
from domain.table import Table
from service.projections.rows import Rows, Seen, Spec

_ALL = "playing"


def _rows(name: str, seen: Seen) -> Mapping[str, bytes]:
    """A table that cannot be read has no clock: nothing may be written there."""
    if seen.state is None or seen.parked or seen.state.phase != "playing":
        return {}
    due = earliest(seen.state)
    return {_ALL: b"" if due is None else b"%d" % due}


DEADLINES = Spec("deadlines", 2, _rows)


async def playing(deadlines: Rows) -> dict[str, int | None]:
    """The tables being played, with their deadlines (ms UTC; None: no clock runs)."""
    return {name: int(due) if due else None for name, due in (await deadlines.read(_ALL)).items()}


def earliest(state: Table) -> int | None:
    """The table's earliest deadline, ms UTC, or None when no clock runs."""
    dues = [due for decision in state.decisions if (due := table.deadline(state, decision)) is not None]
    return min(dues, default=None)
