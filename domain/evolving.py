"""How a table's state follows from what happened: `evolve`, for one event, and `fold`, for a history."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from domain import options, sheet, shuffle
from domain.clock import Stop
from domain.events import (
    AdminActed,
    Agreed,
    Asked,
    Dealt,
    DeckCut,
    Declined,
    Expired,
    Joined,
    Kicked,
    Left,
    OnVacation,
    Opened,
    OptionsSet,
    OutageNoted,
    Over,
    Paused,
    Present,
    ProposalOff,
    Proposed,
    ResultAwaited,
    Resumed,
    Returned,
    RowWritten,
    SeatTaken,
    SeedRevealed,
    SetUndone,
    StandInSet,
    Started,
    Unseated,
    VacationEnded,
)
from domain.game import SetEnded, Setup, Verdict
from domain.games import GAMES
from domain.shuffle import Seeded
from domain.state import Proposal, Row, Seat, Table

_replace = msgspec.structs.replace
Unseal = Callable[[bytes, bytes], bytes | None]
"""Opens a sealed seed or choice: (commitment, sealed) to the bytes, or None for whoever has no key."""


def no_key(commitment: bytes, sealed: bytes) -> bytes | None:
    """The Unseal of whoever has no key."""
    return None


def fold(table: str, state: Table | None, events: Iterable[Any], unseal: Unseal = no_key) -> Table | None:
    """The state after `events`, which follow on `state`; sealed seeds and choices are opened as they come."""
    for event in events:
        state = evolve(table, state, event)
        kind = type(event)
        if kind is Opened or (kind is Dealt and event.sealed):
            state = with_seed(state, event.commitment, unseal(event.commitment, event.sealed))
        elif kind in state.rules.secrets:
            state = _unveiled(state, event, unseal(event.commitment, event.sealed))
    return state


def _unveiled(state: Table, event: Any, found: bytes | None) -> Table:
    """The state of somebody who knows the hidden choice of an event; raises ValueError when it is another one."""
    if found is None:
        return state
    if hashlib.sha256(found).digest() != event.commitment:
        raise ValueError("the hidden choice does not fit its commitment")
    return _replace(state, set=state.rules.unveil(state.set, event, found))


def with_seed(state: Table, commitment: bytes, seed: bytes | None) -> Table:
    """The state of somebody who holds the seed of `commitment`. Raises ValueError when it is another seed."""
    if seed is None:
        return state
    if shuffle.commitment(seed) != commitment:
        raise ValueError("the seed does not fit its commitment")
    if commitment == state.next_commitment:
        return _replace(state, next_seed=seed)
    return _replace(state, seed=seed)


def evolve(table: str, state: Table | None, event: Any) -> Table:
    """The state after one event. Applies what happened, asks no rule, never refuses."""
    if type(event) is Opened:
        rules = GAMES[event.game]
        return Table(table, rules, options.stored(rules.options, event.options), event.host, event.commitment)
    assert state is not None, "a table begins with table.opened"
    handler = _HANDLERS.get(type(event))
    if handler is not None:
        return handler(state, event)
    rules = state.rules
    source = None
    if state.seed is not None and type(event) in rules.shuffles:
        source = Seeded(state.seed, state.digest)
    line = rules.public_move(event)
    if rules.late and type(event) in rules.late:
        state = _replace(state, questioned=state.questioned + 1)
    if state.contested is not None:
        if type(event) in rules.late:
            digest = state.digest if line is None else shuffle.digest_of(state.digest, line)
            return _replace(state, contested=rules.evolve(state.contested, event, source), digest=digest)
        if type(event) in rules.closing:
            state = _replace(state, contested=None, contested_set=-1)
    if line is None:
        return _replace(state, set=rules.evolve(state.set, event, source))
    return _replace(state, set=rules.evolve(state.set, event, source), digest=shuffle.digest_of(state.digest, line))


def _asked(state: Table, event: Asked) -> Table:
    opened = event.open
    last = state.asked
    for decision in opened:
        last = max(last, decision.id)
    if event.held or state.held:
        state = _held(state, event)
    if not state.stops:
        return _replace(state, decisions=opened, asked=last)
    first = min((decision.start for decision in (*opened, *event.held)), default=None)
    stops = tuple(stop for stop in state.stops if first is not None and stop.end > first)
    return _replace(state, decisions=opened, asked=last, stops=stops)


def _held(state: Table, event: Asked) -> Table:
    """What is interrupted from now on, or goes on again."""
    since = state.held_since if state.held else min((decision.start for decision in event.open), default=0)
    stops = state.stops if event.stop is None else (*state.stops, event.stop)
    return _replace(state, held=event.held, held_since=since if event.held else 0, stops=stops)


def _dealt(state: Table, event: Dealt) -> Table:
    setup = Setup(state.options, len(state.seats), event.dealer, event.deal, event.playing, state.totals, event.kept)
    source = None if state.seed is None else Seeded(state.seed, state.digest)
    changes: dict[str, Any] = {}
    if event.commitment:
        changes = {"next_commitment": event.commitment, "next_seed": None}
    if state.set is not None and state.rules.contestable(state.set):
        changes |= {"contested": state.set, "contested_set": state.sets - 1}
    return _replace(
        state,
        set=state.rules.start(setup, source),
        dealer=event.dealer,
        deals=event.deal,
        sets=state.sets + 1,
        decisions=(),
        held=(),
        pending=None,
        **changes,
    )


def _row(state: Table, event: RowWritten) -> Table:
    rows = sheet.written(state.rows, Row(event.set, event.values, event.kind))
    unpunished = state.unpunished
    if event.kind in sheet.PENAL:
        totals = sheet.totals(rows, len(state.seats))
        unpunished = unpunished or state.totals
    else:
        totals = tuple(total + (value or 0) for total, value in zip(state.totals, event.values, strict=True))
    best = max(totals)
    return _replace(
        state,
        rows=rows,
        totals=totals,
        unpunished=unpunished,
        best=max(best, state.best),
        since_best=0 if best > state.best else state.since_best,
    )


def _undone(state: Table, event: SetUndone) -> Table:
    """The set's scores are out of the sheet, and what hung on it is off."""
    rows = sheet.undone(state.rows, event.set)
    changes: dict[str, Any] = {}
    if state.contested is None:
        changes = {"last_set": (event.outcome, None), "decisions": ()}
    return _replace(
        state,
        rows=rows,
        totals=sheet.totals(rows, len(state.seats)),
        scored=state.scored - 1,
        contested=None,
        contested_set=-1,
        pending=None,
        unpunished=(),
        **changes,
    )


def _revealed(state: Table, event: SeedRevealed) -> Table:
    return _replace(
        state, commitment=state.next_commitment, seed=state.next_seed, next_commitment=b"", next_seed=None, deals=0
    )


def _expired(state: Table, event: Expired) -> Table:
    if not event.counts:
        return state
    for seat in event.seats:
        state = _seat(state, seat, expiries=state.seats[seat].expiries + 1)
    return state


def _resumed(state: Table, event: Resumed) -> Table:
    stop = Stop(state.paused_at, event.end)
    return _replace(state, paused=None, paused_at=0, paused_why="", stops=(*state.stops, stop))


def _on_vacation(state: Table, event: OnVacation) -> Table:
    held = state.seats[event.seat]
    taken, spent = held.vacations, held.spent
    if held.vacation is not None:
        taken = (*taken, _cut_at(held.vacation, event.start))
    first = min((decision.start for decision in (*state.decisions, *state.held)), default=event.start)
    spent += sum(one.end - one.start for one in taken if one.end <= first)
    taken = tuple(one for one in taken if one.end > first)
    return _seat(state, event.seat, vacation=Stop(event.start, event.until), vacations=taken, spent=spent)


def _vacation_ended(state: Table, event: VacationEnded) -> Table:
    vacation = state.seats[event.seat].vacation
    assert vacation is not None
    return _seat(state, event.seat, vacation=_cut_at(vacation, event.end))


def _cut_at(stop: Stop, end: int) -> Stop:
    return stop if stop.end <= end else Stop(stop.start, max(stop.start, end))


def _taken(state: Table, event: SeatTaken) -> Table:
    """A new owner has a vacation's budget of his own; what he finds open keeps the time it had."""
    held = state.seats[event.seat]
    taken = held.vacations if held.vacation is None else (*held.vacations, held.vacation)
    spent = -sum(one.end - one.start for one in taken)
    seats = list(state.seats)
    seats[event.seat] = Seat(event.owner, cut=held.cut, vacations=taken, spent=spent)
    return _replace(state, seats=tuple(seats), proposal=None)


def _settled(state: Table, *what: str) -> Table:
    """What was proposed has happened: there is nothing to agree to any more."""
    settled = state.proposal is not None and state.proposal.what in what
    return _replace(state, proposal=None) if settled else state


def _kicked(state: Table, event: Kicked) -> Table:
    """Whatever is proposed about the seat is off, and so is what its owner proposed."""
    proposal = state.proposal
    if proposal is not None and (proposal.seat == event.seat or proposal.by == state.seats[event.seat].owner):
        state = _replace(state, proposal=None)
    return _seat(state, event.seat, left=True, kicked=True)


def _cut(state: Table, event: DeckCut) -> Table:
    line = f"{event.seat} cut_deck {event.number}"
    return _replace(_seat(state, event.seat, cut=True), digest=shuffle.digest_of(state.digest, line))


def _agreed(state: Table, event: Agreed) -> Table:
    assert state.proposal is not None
    return _replace(state, proposal=_replace(state.proposal, agreed=(*state.proposal.agreed, event.seat)))


def _set_ended(state: Table, event: SetEnded) -> Table:
    scores = event.scores is not None
    return _replace(
        state,
        last_set=(event.outcome, event.scores),
        unpunished=(),
        scored=state.scored + (not event.void),
        unscored=0 if scores else state.unscored + 1,
        since_best=state.since_best + scores,
        decisions=(),
        held=(),
    )


def _unseated(state: Table, event: Unseated) -> Table:
    seats = state.seats
    host_left = state.host_left or seats[event.seat].owner == state.host
    return _replace(state, seats=seats[: event.seat] + seats[event.seat + 1 :], host_left=host_left)


def _back(state: Table, seat: int) -> Table:
    """A seat's owner is there again; a proposal to take the seat over is off."""
    if state.proposal is not None and state.proposal.what == "seat" and state.proposal.seat == seat:
        state = _replace(state, proposal=None)
    return _seat(state, seat, left=False, expiries=0)


def _seat(state: Table, seat: int, **changes: Any) -> Table:
    seats = list(state.seats)
    seats[seat] = _replace(seats[seat], **changes)
    return _replace(state, seats=tuple(seats))


_HANDLERS: dict[type, Callable[[Table, Any], Table]] = {
    Asked: _asked,
    Dealt: _dealt,
    RowWritten: _row,
    SeedRevealed: _revealed,
    Expired: _expired,
    SetEnded: _set_ended,
    DeckCut: _cut,
    Agreed: _agreed,
    Joined: lambda state, event: _replace(state, seats=(*state.seats, Seat(event.owner))),
    Unseated: _unseated,
    OptionsSet: lambda state, event: _replace(state, options=options.stored(state.rules.options, event.options)),
    Started: lambda state, event: _replace(state, phase="playing", dealer=event.dealer, totals=(0,) * len(state.seats)),
    Present: lambda state, event: _back(state, event.seat),
    Left: lambda state, event: _seat(state, event.seat, left=True),
    Returned: lambda state, event: _back(state, event.seat),
    OutageNoted: lambda state, event: _replace(state, stops=(*state.stops, event.stop)),
    Proposed: lambda state, event: _replace(state, proposal=Proposal(event.what, event.by, event.seat)),
    Declined: lambda state, event: _replace(state, proposal=None),
    ProposalOff: lambda state, event: _replace(state, proposal=None),
    SeatTaken: _taken,
    AdminActed: lambda state, event: state,
    Paused: lambda state, event: _replace(
        _settled(state, "pause"), paused=event.by, paused_at=event.start, paused_why=event.why
    ),
    Resumed: _resumed,
    OnVacation: _on_vacation,
    VacationEnded: _vacation_ended,
    StandInSet: lambda state, event: _replace(_settled(state, "stand_in_on", "stand_in_off"), stand_in=event.on),
    Kicked: _kicked,
    ResultAwaited: lambda state, event: _replace(
        state, pending=Verdict(event.ended, event.winners), set=state.rules.confirming(state.set)
    ),
    SetUndone: _undone,
    Over: lambda state, event: _replace(
        state,
        phase="over",
        ended=event.ended,
        winners=event.winners,
        decisions=(),
        held=(),
        proposal=None,
        paused=None,
        pending=None,
    ),
}
