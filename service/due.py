"""When the keeper acts at a table: computer players move, the clock fires, and both leave time to object first."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from domain import clock, table
from domain.events import Decision
from domain.table import Table, decision_of, has_say, stood_in

OBJECTING_SECONDS = 60
"""For how long neither a computer player nor the clock closes the time in which the set before may be questioned."""


class Waiting(NamedTuple):
    """A computer player that is asked: its seat, the decision, when it answers (ms UTC; 0: at once), and how long it
    takes, which decides who is quicker even where nobody waits for them; `ready`: when that is over."""

    seat: int
    decision: int
    due: int
    takes: int
    ready: int


def computers_to_act(state: Table | None) -> list[Waiting]:
    """The computer players that are asked, those that answer first before the others; the seats of absent owners for
    whom one stands in are theirs too. Nobody moves in a pause."""
    if state is None or state.phase != "playing" or state.paused is not None:
        return []
    found = []
    people = state.rules.pace is not None and any(has_say(state, seat) for seat in range(len(state.seats)))
    for index, seat in enumerate(state.seats):
        if (seat.computer or stood_in(state, index)) and (decision := decision_of(state, index)) is not None:
            takes = _takes(state, index, decision.id)
            due = decision.start + takes if takes and people else 0
            due = max(due, _objected_until(state, decision))
            found.append(Waiting(index, decision.id, due, takes, decision.start + takes))
    return sorted(found, key=lambda one: (one.due, one.takes, one.seat))


def fires(state: Table, decision: Decision) -> int | None:
    """When the clock answers a decision, ms UTC; None: no clock runs."""
    due = table.deadline(state, decision)
    return None if due is None else max(due, _objected_until(state, decision))


def first_to_fire(state: Table) -> int | None:
    """When the clock next answers a decision of the table, ms UTC; None: no clock runs."""
    return min((due for decision in state.decisions if (due := fires(state, decision)) is not None), default=None)


def _objected_until(state: Table, decision: Decision) -> int:
    """Until when nobody but a person answers, for the answer ends the time to object; 0 where nobody could object."""
    if state.contested is None or not _somebody_may_object(state):
        return 0
    return clock.at(decision.start, OBJECTING_SECONDS, state.stops) or 0


def _somebody_may_object(state: Table) -> bool:
    """Whether a person is there who is not the only one: nobody accuses himself, or a computer player."""
    people = sum(not seat.computer for seat in state.seats)
    return people > 1 and any(has_say(state, seat) for seat in range(len(state.seats)))


def _takes(state: Table, seat: int, decision: int) -> int:
    """Milliseconds that a computer player takes for an answer: the same whoever asks."""
    rules = state.rules
    if rules.pace is None:
        return 0
    least, most = rules.pace(rules.observe(state.set, seat))
    drawn = hashlib.sha256(f"{state.id} {decision} {seat}".encode()).digest()
    return least + int.from_bytes(drawn[:4], "big") % (most - least + 1)
