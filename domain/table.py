"""The table: one game being played by its seats, lobby to end. What may be asked of its state, and what each seat sees.

Everything here applies to any game; what a move means is the game's affair (`domain.game`). The state itself is in
`domain.state`, how it changes in `domain.evolving`, what may happen in `domain.decide`.
"""

from __future__ import annotations

from typing import Any

import msgspec

from domain import clock
from domain.events import Decision
from domain.evolving import Unseal, evolve, fold, no_key, with_seed
from domain.game import Ask, Verdict
from domain.state import STAND_IN, Proposal, Row, Seat, Table

__all__ = [
    "STAND_IN",
    "Proposal",
    "Row",
    "Seat",
    "Table",
    "Unseal",
    "View",
    "arranges",
    "away",
    "deadline",
    "decision_of",
    "evolve",
    "fold",
    "has_say",
    "no_key",
    "observe",
    "on_vacation",
    "reached",
    "seat_of",
    "stood_in",
    "was_kicked",
    "with_seed",
]


def away(state: Table, seat: int) -> bool:
    """Whether the clock plays the seat at once: its owner left, or let several decisions in a row expire (CB-61)."""
    held = state.seats[seat]
    return held.left or held.expiries >= state.rules.away_after


def has_say(state: Table, seat: int) -> bool:
    """Whether a person owns the seat and is there: who left or let the clock play for him has no say."""
    return not state.seats[seat].computer and not away(state, seat)


def arranges(state: Table, actor: str) -> bool:
    """Whether somebody arranges the lobby: whoever has a seat in it, and a host who never took one (an operator)."""
    return seat_of(state, actor) is not None or (actor == state.host and not state.host_left)


def stood_in(state: Table, seat: int) -> bool:
    """Whether a computer player plays the seat until its owner is back."""
    return state.stand_in and not state.seats[seat].computer and away(state, seat)


def on_vacation(state: Table, seat: int, time: int) -> bool:
    """Whether the seat's owner is on vacation then (milliseconds UTC)."""
    vacation = state.seats[seat].vacation
    return vacation is not None and vacation.start <= time < vacation.end


def seat_of(state: Table, actor: str) -> int | None:
    """The seat that a person owns, or None; one from which he was kicked shows him nothing any more."""
    for index, seat in enumerate(state.seats):
        if seat.owner == actor and not seat.kicked:
            return index
    return None


def was_kicked(state: Table, actor: str) -> bool:
    """Whether a person had to leave a seat that is nobody else's yet."""
    return any(held.kicked and held.owner == actor for held in state.seats)


def decision_of(state: Table, seat: int) -> Decision | None:
    """The open decision that asks the seat and that it has not answered, or None."""
    if not state.decisions:
        return None
    waiting = {asked for ask in state.rules.to_act(state.set) for asked in ask.seats}
    for decision in state.decisions:
        if seat in decision.seats and seat in waiting:
            return decision
    return None


def deadline(state: Table, decision: Decision) -> int | None:
    """When the decision is due, milliseconds UTC; None for no clock, and while the table is paused."""
    return reached(state, decision, 1)


def reached(state: Table, decision: Decision, part: float) -> int | None:
    """When this part (0 to 1) of the decision's time is used up, milliseconds UTC; None where no clock runs.

    A vacation stops the clock of whoever is asked alone, unless the clock plays for him anyway (he has left, or let too
    many decisions expire).
    """
    if state.paused is not None:
        return None
    stops = state.stops
    if len(decision.seats) == 1 and not away(state, decision.seats[0]):
        held = state.seats[decision.seats[0]]
        if held.vacation is not None:
            stops = (*stops, *held.vacations, held.vacation)
        elif held.vacations:
            stops = (*stops, *held.vacations)
    return clock.at(decision.start, decision.seconds, stops, decision.quiet, part)


class View(msgspec.Struct, frozen=True):
    """What one seat, or a spectator, may know of a table: public facts, and the game's observation of the set."""

    table: str
    game: str
    seat: int | None
    phase: str
    options: Any
    host: str
    seats: tuple[Seat, ...]
    away: tuple[bool, ...]
    commitment: str  # hex: what was promised before the deal
    sets: int
    dealer: int
    asked: tuple[Decision, ...]
    waiting: tuple[int, ...]  # the seats that are to act; none in a pause, though questions stay asked
    due: int | None  # the earliest deadline, milliseconds UTC
    rows: tuple[Row, ...]
    totals: tuple[int, ...]
    tenths: bool
    paused: str | None  # by whom: agreement, admin, clock
    stand_in: bool
    proposal: Proposal | None
    last_set: tuple[str, tuple[int | None, ...] | None] | None
    ended: str | None
    winners: tuple[int, ...]
    set: Any  # the game's observation, None in the lobby
    contested: Any = None  # what everybody knows of the set before, while its conduct may still be questioned
    contested_set: int = -1  # its index
    pending: Verdict | None = None  # the result that waits to be confirmed


def _in_order(state: Table, asks: tuple[Ask, ...]) -> tuple[int, ...]:
    """The seats that are asked, in the order in which the game asks them."""
    first = 0 if not asks or state.rules.asked_after is None else state.rules.asked_after(state.set)
    seats = {asked for ask in asks for asked in ask.seats}
    return tuple(sorted(seats, key=lambda seat: (seat - first) % len(state.seats)))


def observe(state: Table, seat: int | None) -> View:
    """The view of a seat, or of a spectator (None): an allow-list of fields."""
    moving = state.set is not None and state.phase == "playing" and state.paused is None
    asks = state.rules.to_act(state.set) if moving else ()
    dues = [due for decision in state.decisions if (due := deadline(state, decision)) is not None]
    return View(
        table=state.id,
        game=state.rules.slug,
        seat=seat,
        phase=state.phase,
        options=state.options,
        host=state.host,
        seats=state.seats,
        away=tuple(away(state, index) for index in range(len(state.seats))),
        commitment=state.commitment.hex(),
        sets=state.sets,
        dealer=state.dealer,
        asked=state.decisions,
        waiting=_in_order(state, asks),
        due=min(dues, default=None),
        rows=state.rows,
        totals=state.totals,
        tenths=state.rules.tenths(state.options),
        paused=state.paused,
        stand_in=state.stand_in,
        proposal=state.proposal,
        last_set=state.last_set,
        ended=state.ended,
        winners=state.winners,
        set=None if state.set is None else state.rules.observe(state.set, seat),
        contested=None if state.contested is None else state.rules.observe(state.contested, None),
        contested_set=state.contested_set,
        pending=state.pending,
    )
