"""A line of the bench's table: what was measured, beside its peer or limit of the same run."""

from __future__ import annotations

import msgspec


class Row(msgspec.Struct, frozen=True):
    """One figure. `ratio` is ours over the peer's; None where one of the two is missing, and then `met` is None too.

    `peer` names who or what the figure is compared with (or says why it is missing), `goal` is the goal in words.
    """

    what: str
    ours: float | None
    unit: str
    peer: str
    peer_figure: float | None
    ratio: float | None
    goal: str
    met: bool | None


def at_least(goal: float | None, what: str, ours: float | None, unit: str, peer: str, peer_figure: float | None) -> Row:
    """A row where more is better: ours shall be at least `goal` times the peer's (None: shown, not judged)."""
    ratio = ours / peer_figure if ours is not None and peer_figure else None
    met = ratio >= goal if ratio is not None and goal is not None else None
    return Row(what, ours, unit, peer, peer_figure, ratio, "" if goal is None else f">= {goal:g} times", met)


def at_most(limit: float, what: str, ours: float | None, unit: str) -> Row:
    """A row where less is better: ours shall be at most `limit`, in `unit`."""
    ratio = ours / limit if ours is not None else None
    met = ours <= limit if ours is not None else None
    return Row(what, ours, unit, "limit", limit, ratio, f"<= {limit:g} {unit}", met)


def at_most_times(goal: float | None, what: str, ours: float, unit: str, peer: str, peer_figure: float) -> Row:
    """A row where less is better: ours shall be at most `goal` times the peer's (None: shown, not judged)."""
    ratio = ours / peer_figure
    met = None if goal is None else ratio <= goal
    return Row(what, ours, unit, peer, peer_figure, ratio, "" if goal is None else f"<= {goal:g} times", met)
