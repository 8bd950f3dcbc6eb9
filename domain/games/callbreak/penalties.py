"""What cheating costs (CB-52 to CB-55): the rows that follow from a conviction or a false accusation."""

from __future__ import annotations

from typing import Any

from domain.game import Adjustment, Standing
from domain.games.callbreak.events import CallJudged, Convicted, FoundFalse
from domain.games.callbreak.state import SEATS, Set

FALSE = 10  # points for a false accusation with `minus10`; as tenths they are one point of the decimal count


def penal(standing: Standing, event: Any) -> tuple[Adjustment, ...]:
    """The rows that follow from one event of a set."""
    match event:
        case Convicted(seat=seat) | CallJudged(seat=seat, guilty=True):
            return _penalty(standing, seat, standing.options.penalty)
        case FoundFalse(seat=seat):
            return _false(standing, event)
        case _:
            return ()


def _false(standing: Standing, event: FoundFalse) -> tuple[Adjustment, ...]:
    """`mirror`: what the accused would have suffered, once a set as he (CB-54)."""
    seat = event.seat
    match standing.options.false_accusation:
        case "minus10":
            return (Adjustment("penalty", _alone(seat, -FALSE)),)
        case "mirror" if _first(standing.final, event):
            return _penalty(standing, seat, standing.options.penalty)
        case _:
            return ()


def _first(final: Set, event: FoundFalse) -> bool:
    """Whether it is the first false accusation of the seat in the set."""
    false = [one for one in final.accusations if one.false and one.seat == event.seat]
    return (false[0].accused, false[0].trick) == (event.accused, event.trick)


def _penalty(standing: Standing, seat: int, kind: str) -> tuple[Adjustment, ...]:
    """The best row so far made negative (CB-52); where there is none that is positive, or with `fail_call`, the set as
    a failed call of his alone (CB-53)."""
    if kind == "redeal_only":
        return ()
    best = _best(standing, seat) if kind == "negate_best" else None
    if best is not None:
        index, value = best
        return (Adjustment("negated", _alone(seat, -value), index),)
    return (Adjustment("penalty", _alone(seat, -10 * standing.final.calls[seat])),)


def _best(standing: Standing, seat: int) -> tuple[int, int] | None:
    """The largest positive score of the seat before this set, the earliest of equal ones: its set and value."""
    found: tuple[int, int] | None = None
    for row in standing.rows:
        value = row.values[seat]
        if row.kind != "score" or row.set >= standing.set or value is None or value <= 0:
            continue
        if found is None or value > found[1]:
            found = (row.set, value)
    return found


def _alone(seat: int, value: int) -> tuple[int | None, ...]:
    return tuple(value if index == seat else None for index in range(SEATS))
