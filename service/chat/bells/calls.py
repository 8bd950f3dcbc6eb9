"""When somebody is to be called or reminded: functions of the table, of what he heard already, and of his habits.

A bell rings for whoever is asked and not here, once a question; when half of his time is gone, and when four fifths
are. None rings in the group's quiet hours (it waits for their end), in a pause, or on a vacation.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from domain import clock, table
from domain.clock import Quiet
from domain.events import Decision
from domain.table import Table, decision_of, on_vacation, stood_in
from service.chat.people.customs import Reminders

Ring = Literal["call", "half", "late"]
PARTS: dict[Ring, float] = {"call": 0.0, "half": 0.5, "late": 0.8}
"""Which part of the time is gone."""
RANK: dict[Ring, int] = {"call": 1, "half": 2, "late": 3}

GATHER = 3_000  # ms that a call in a group waits: by then the turn may have passed on
_APART = 1.5  # of the absence, between two calls of the same person
_SHORTEST = 60  # s of a question for which somebody who is not here is called
_LONG = 600  # s of a question of which somebody is reminded


class Notice(msgspec.Struct, frozen=True, omit_defaults=True):
    """What somebody was told of a question: the last ring's rank (0: nothing), when the last call was made (ms UTC),
    whether in private; of rings in the group whether one was a reminder, and the message that still stands there."""

    decision: int = 0
    rank: int = 0
    called: int = 0
    private: bool = False
    reminded: bool = False
    chat: int = 0
    message: int = 0


class Person(msgspec.Struct, frozen=True):
    """`private`: he can be written to; `absent`: from when on he counts as not here (ms UTC), after an absence of
    `absence` ms; `reminders`: his choice."""

    private: bool
    absent: int
    absence: int
    reminders: Reminders


class Bell(msgspec.Struct, frozen=True):
    """What is to ring, and when (ms UTC)."""

    at: int
    ring: Ring
    decision: int


def bell(state: Table, seat: int, person: Person, notice: Notice, quiet: Quiet | None, now: int) -> Bell | None:
    """The next bell for whoever owns the seat; one that is due has a time that is over. None: nothing is to ring."""
    decision = asking(state, seat)
    if decision is None:
        return None
    told = notice.rank if notice.decision == decision.id and (person.private or not notice.private) else 0
    found = [one for one in _bells(state, decision, person, notice) if RANK[one.ring] > told]
    if person.private is False and notice.decision == decision.id and notice.reminded:
        found = []  # in a group one reminder must do
    found = [_at(one, _later(state, seat, one.at, quiet, now)) for one in found]
    due = [one for one in found if one.at <= now]
    if due:
        return max(due, key=lambda one: RANK[one.ring])
    return min(found, key=lambda one: one.at, default=None)


def asking(state: Table, seat: int) -> Decision | None:
    """The question that waits for the owner of the seat himself."""
    held = state.seats[seat]
    if state.phase != "playing" or state.paused is not None or held.computer or held.left or stood_in(state, seat):
        return None
    return decision_of(state, seat)


def _bells(state: Table, decision: Decision, person: Person, notice: Notice) -> list[Bell]:
    found = []
    if decision.seconds is None or decision.seconds >= _SHORTEST:
        apart = notice.called + round(person.absence * _APART) if notice.called else 0
        gather = 0 if person.private else GATHER
        found.append(Bell(max(decision.start + gather, person.absent + 1, apart), "call", decision.id))
    if decision.seconds is not None and decision.seconds >= _LONG:
        wanted: tuple[Ring, ...] = ("half", "late")
        for ring in wanted:
            at = table.reached(state, decision, PARTS[ring])
            if at is not None and person.reminders in ("both", ring):
                found.append(Bell(at, ring, decision.id))
    return found


def _later(state: Table, seat: int, at: int, quiet: Quiet | None, now: int) -> int:
    """When it may ring that should at `at`: not before a vacation and the quiet hours are over."""
    moment = max(at, now)
    held = state.seats[seat]
    if on_vacation(state, seat, moment) and held.vacation is not None:
        moment = at = held.vacation.end
    awake = awake_from(moment, quiet)
    return at if awake == moment else awake


def awake_from(moment: int, quiet: Quiet | None) -> int:
    """The moment itself, or the end of the quiet hours that it lies in (ms UTC)."""
    at = clock.at(moment, 1, (), quiet, 0.001)  # a thousandth of a second later, unless the hours are quiet
    return moment if at is None or at <= moment + 1 else at - 1


def _at(one: Bell, at: int) -> Bell:
    return msgspec.structs.replace(one, at=at)
