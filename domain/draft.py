"""Facts being gathered by a command, who speaks for which seat, and the decisions that are open after them."""

from __future__ import annotations

from typing import Any

import msgspec

from domain import table
from domain.clock import Stop
from domain.commands import Command
from domain.events import Asked, Decision
from domain.game import Ask, SetEnded
from domain.rejected import Rejected
from domain.shuffle import Seeded
from domain.table import Table, seat_of, was_kicked


class SeedMissing(AssertionError):
    """Whoever decides does not hold the seed; `facts` is what could be said without it. Never seen where a key is."""

    def __init__(self, facts: tuple[Any, ...] = ()) -> None:
        super().__init__("only whoever holds the seed can decide")
        self.facts = facts


class Draft:
    """Facts being gathered, with the state they lead to: what follows from a fact is decided on the state after it."""

    __slots__ = ("command", "facts", "state")

    def __init__(self, state: Table, command: Command) -> None:
        self.state = state
        self.command = command
        self.facts: list[Any] = []

    def add(self, *facts: Any) -> None:
        """More facts, in order."""
        for fact in facts:
            self.state = table.evolve(self.state.id, self.state, fact)
            self.facts.append(fact)

    @property
    def set_ended(self) -> bool:
        """Whether the last fact is the end of a set, not settled yet."""
        return bool(self.facts) and type(self.facts[-1]) is SetEnded


def running(state: Table | None) -> Table:
    """The table of a game that is being played; Rejected `no_such_table`, `not_started`, `table_over`."""
    if state is None:
        raise Rejected("no_such_table")
    if state.phase != "playing":
        raise Rejected("table_over" if state.phase == "over" else "not_started")
    return state


def seated(state: Table, command: Command) -> int:
    """The seat that the command speaks for; Rejected `not_seated`, `kicked`."""
    seat = command.seat
    if seat is None:
        seat = seat_of(state, command.actor)
    elif not 0 <= seat < len(state.seats) or state.seats[seat].owner != command.actor or state.seats[seat].kicked:
        seat = None
    if seat is None:
        raise Rejected("kicked" if was_kicked(state, command.actor) else "not_seated")
    return seat


def source(state: Table) -> Seeded:
    """The shuffles of the table as it is; raises SeedMissing."""
    if state.seed is None:
        raise SeedMissing
    return Seeded(state.seed, state.digest)


# Decisions


def questions(state: Table, asks: tuple[Ask, ...], command: Command) -> Asked | None:
    """The decisions that are open once the game asks `asks`, or None when they are those already open.

    Seats that are away are asked apart, with the time that the game gives them, by default none: the clock answers for
    them at once (CB-61). Computer players have no clock. A question that stays open keeps its decision, however many
    seats have answered it; a seat whose time has become another one is asked anew, and no other seat with it. What is
    interrupted goes on with the time that was left (`Ask.interrupts`).
    """
    if any(ask.interrupts for ask in asks):
        asked = _questions(state, asks, command)
        interrupted = state.held or state.decisions
        return None if asked is None else Asked(asked.open, interrupted)
    if not state.held:
        return _questions(state, asks, command)
    before = msgspec.structs.replace(state, decisions=state.held, held=())
    asked = _questions(before, asks, command) or Asked(state.held)
    goes_on = not set(state.held).isdisjoint(asked.open)
    return Asked(asked.open, stop=Stop(state.held_since, command.time) if goes_on else None)


def _questions(state: Table, asks: tuple[Ask, ...], command: Command) -> Asked | None:
    if len(asks) != 1 or len(asks[0].seats) != 1:
        return _many_questions(state, asks, command)
    ask = asks[0]
    seat = ask.seats[0]
    seconds = _seconds(state, seat, ask)
    open_ones = state.decisions
    for decision in open_ones:
        if decision.key == ask.key and decision.seconds == seconds and seat in decision.seats:
            return None if len(open_ones) == 1 else Asked((decision,))
    return Asked((Decision(state.asked + 1, ask.key, ask.seats, command.time, seconds, command.quiet),))


def _many_questions(state: Table, asks: tuple[Ask, ...], command: Command) -> Asked | None:
    kept: dict[int, Decision] = {}
    number = state.asked
    for ask in asks:
        for seats, seconds in _by_time(state, ask):
            elsewhere = set(ask.seats) - set(seats)
            waiting = seats
            for decision in state.decisions:
                if decision.key != ask.key or decision.seconds != seconds or decision.id in kept:
                    continue
                if not set(decision.seats) & set(waiting):
                    continue
                waiting = tuple(seat for seat in waiting if seat not in decision.seats)
                asked = tuple(seat for seat in decision.seats if seat not in elsewhere)
                same = asked == decision.seats
                kept[decision.id] = (
                    decision
                    if same
                    else Decision(decision.id, decision.key, asked, decision.start, seconds, decision.quiet)
                )
            if waiting:
                number += 1
                kept[number] = Decision(number, ask.key, waiting, command.time, seconds, command.quiet)
    found = tuple(kept.values())
    return None if set(found) == set(state.decisions) else Asked(found)


def _by_time(state: Table, ask: Ask) -> list[tuple[tuple[int, ...], int | None]]:
    """The seats of a question by the time they have, those that are there before those that are away."""
    groups: dict[tuple[bool, int | None], list[int]] = {}
    for seat in ask.seats:
        groups.setdefault((table.away(state, seat), _seconds(state, seat, ask)), []).append(seat)
    ordered = sorted(groups.items(), key=lambda group: group[0][0])
    return [(tuple(seats), seconds) for (_, seconds), seats in ordered]


def _seconds(state: Table, seat: int, ask: Ask) -> int | None:
    held = state.seats[seat]
    if held.left or held.expiries >= state.rules.away_after:
        return None if state.stand_in and not held.owner.startswith("computer:") else ask.away_seconds
    return None if held.owner.startswith("computer:") else ask.seconds


def ask_on(draft: Draft) -> None:
    """Opens the decisions that the game asks for now."""
    state = draft.state
    if state.phase == "playing":
        asked = questions(state, state.rules.to_act(state.set), draft.command)
        if asked is not None:
            draft.add(asked)
