"""The table: one game being played by its seats, lobby to end. Its state, `evolve`, and what each seat may see of it.

Everything here applies to any game; what a move means is the game's affair (`domain.game`). What may happen is decided
in `domain.decide`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

import msgspec

from domain import clock, options, shuffle
from domain.clock import Stop
from domain.events import (
    Agreed,
    Asked,
    Dealt,
    Decision,
    DeckCut,
    Declined,
    Expired,
    Joined,
    Left,
    Opened,
    OptionsSet,
    OutageNoted,
    Over,
    Present,
    ProposalOff,
    Proposed,
    Returned,
    RowWritten,
    SeatTaken,
    SeedRevealed,
    Started,
    Unseated,
)
from domain.game import Game, SetEnded, Setup
from domain.games import GAMES
from domain.shuffle import NO_MOVES, Seeded
from domain.veiled import Veiled


class Seat(msgspec.Struct, frozen=True):
    """A seat: its owner (`person:<id>`, `computer:<level>`), expiries in a row, whether the owner has left."""

    owner: str
    expiries: int = 0
    left: bool = False
    cut: bool = False

    @property
    def computer(self) -> bool:
        """Whether a computer player owns it."""
        return self.owner.startswith("computer:")


class Row(msgspec.Struct, frozen=True, array_like=True):
    """A row of the score sheet: set index, a value a seat (None: empty), kind `score`, `penalty` or `negated`."""

    set: int
    values: tuple[int | None, ...]
    kind: str


class Proposal(msgspec.Struct, frozen=True):
    """What somebody proposed and who has agreed so far."""

    what: str
    by: str
    seat: int | None
    agreed: tuple[int, ...] = ()


class Table(Veiled, frozen=True):
    """A table's state after a number of commits. `seed` and `next_seed` are None for whoever has no key."""

    _shown: ClassVar[tuple[str, ...]] = ("id", "phase")

    id: str
    rules: Game
    options: Any
    host: str
    commitment: bytes
    phase: str = "lobby"  # lobby, playing, over
    host_left: bool = False  # the host gave his seat in the lobby up
    seats: tuple[Seat, ...] = ()
    digest: bytes = NO_MOVES
    seed: bytes | None = None
    next_commitment: bytes = b""
    next_seed: bytes | None = None
    deals: int = 0  # dealt under the current seed
    sets: int = 0  # sets begun, void ones too
    scored: int = 0  # sets that were not void: one seed each
    unscored: int = 0  # sets in a row without scores
    best: int = 0  # the highest total there has been
    since_best: int = 0  # sets with scores since then
    dealer: int = -1
    set: Any = None
    decisions: tuple[Decision, ...] = ()
    asked: int = 0  # the last decision's id
    rows: tuple[Row, ...] = ()
    totals: tuple[int, ...] = ()
    stops: tuple[Stop, ...] = ()
    proposal: Proposal | None = None
    last_set: tuple[str, tuple[int | None, ...] | None] | None = None
    """The last set that ended: its outcome and scores."""
    ended: str | None = None
    winners: tuple[int, ...] = ()


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
    if line is None:
        return _replace(state, set=rules.evolve(state.set, event, source))
    return _replace(state, set=rules.evolve(state.set, event, source), digest=shuffle.digest_of(state.digest, line))


def _asked(state: Table, event: Asked) -> Table:
    opened = event.open
    last = state.asked
    for decision in opened:
        last = max(last, decision.id)
    if not state.stops:
        return _replace(state, decisions=opened, asked=last)
    first = min((decision.start for decision in opened), default=None)
    stops = tuple(stop for stop in state.stops if first is not None and stop.end > first)
    return _replace(state, decisions=opened, asked=last, stops=stops)


def _dealt(state: Table, event: Dealt) -> Table:
    setup = Setup(state.options, len(state.seats), event.dealer, event.deal, event.playing, state.totals)
    source = None if state.seed is None else Seeded(state.seed, state.digest)
    changes: dict[str, Any] = {}
    if event.commitment:
        changes = {"next_commitment": event.commitment, "next_seed": None}
    return _replace(
        state,
        set=state.rules.start(setup, source),
        dealer=event.dealer,
        deals=event.deal,
        sets=state.sets + 1,
        decisions=(),
        **changes,
    )


def _row(state: Table, event: RowWritten) -> Table:
    totals = tuple(total + (value or 0) for total, value in zip(state.totals, event.values, strict=True))
    best = max(totals)
    return _replace(
        state,
        rows=(*state.rows, Row(event.set, event.values, event.kind)),
        totals=totals,
        best=max(best, state.best),
        since_best=0 if best > state.best else state.since_best,
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
        scored=state.scored + (not event.void),
        unscored=0 if scores else state.unscored + 1,
        since_best=state.since_best + scores,
        decisions=(),
    )


def _unseated(state: Table, event: Unseated) -> Table:
    seats = state.seats
    host_left = state.host_left or seats[event.seat].owner == state.host
    return _replace(state, seats=seats[: event.seat] + seats[event.seat + 1 :], host_left=host_left)


def _back(state: Table, seat: int) -> Table:
    """A seat's owner is there again; a proposal to take the seat over is off."""
    if state.proposal is not None and state.proposal.seat == seat:
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
    SeatTaken: lambda state, event: _replace(
        _seat(state, event.seat, owner=event.owner, left=False, expiries=0), proposal=None
    ),
    Over: lambda state, event: _replace(
        state, phase="over", ended=event.ended, winners=event.winners, decisions=(), proposal=None
    ),
}


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


def seat_of(state: Table, actor: str) -> int | None:
    """The seat that a person owns, or None."""
    for index, seat in enumerate(state.seats):
        if seat.owner == actor:
            return index
    return None


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
    """When the decision is due, milliseconds UTC; None for no clock."""
    return clock.deadline(decision.start, decision.seconds, state.stops, decision.quiet)


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
    waiting: tuple[int, ...]  # the seats that are to act
    due: int | None  # the earliest deadline, milliseconds UTC
    rows: tuple[Row, ...]
    totals: tuple[int, ...]
    tenths: bool
    proposal: Proposal | None
    last_set: tuple[str, tuple[int | None, ...] | None] | None
    ended: str | None
    winners: tuple[int, ...]
    set: Any  # the game's observation, None in the lobby


def observe(state: Table, seat: int | None) -> View:
    """The view of a seat, or of a spectator (None): an allow-list of fields."""
    asks = state.rules.to_act(state.set) if state.set is not None and state.phase == "playing" else ()
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
        waiting=tuple(sorted({asked for ask in asks for asked in ask.seats})),
        due=min(dues, default=None),
        rows=state.rows,
        totals=state.totals,
        tenths=state.rules.tenths(state.options),
        proposal=state.proposal,
        last_set=state.last_set,
        ended=state.ended,
        winners=state.winners,
        set=None if state.set is None else state.rules.observe(state.set, seat),
    )
