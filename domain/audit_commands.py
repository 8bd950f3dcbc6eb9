"""The command that must have caused a commit, read back from its events: what an audit decides again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from domain import options, table
from domain.commands import (
    Act,
    AddComputer,
    Answer,
    AwayUntil,
    Close,
    Command,
    CutDeck,
    Expire,
    Fresh,
    Join,
    Kick,
    Leave,
    Move,
    Open,
    Pause,
    Penalty,
    Propose,
    RemoveComputer,
    Replace,
    Resume,
    Return,
    SetOptions,
    SetStandIn,
    Start,
    Void,
)
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
    Resumed,
    Returned,
    SeatTaken,
    SeedRevealed,
    StandInSet,
    Started,
    Unseated,
    VacationEnded,
)
from domain.game import PLAIN, Brought, Decided
from domain.games import GAMES
from domain.rejected import Rejected
from domain.table import Table


class Commit(msgspec.Struct, frozen=True):
    """What a stream holds of one command: when (milliseconds UTC), who, and the events it caused."""

    time: int
    actor: str
    events: tuple[Any, ...]


class Unexplained(Exception):
    """Events that no command causes."""


class StillHidden(Exception):
    """A choice that was never told: whether it might be made cannot be judged."""


def command_of(state: Table | None, commit: Commit, known: Mapping[bytes, bytes]) -> Command:
    """The command that must have caused a commit; raises Unexplained."""
    fresh = quiet = None
    kept: tuple[Decided, ...] = ()
    for event in commit.events:
        if type(event) is Opened or (type(event) is Dealt and event.sealed):
            fresh = Fresh(event.commitment, event.sealed)
        if type(event) is Dealt:
            kept = event.kept
        if type(event) is Asked:
            new = 0 if state is None else state.asked
            quiet = next((decision.quiet for decision in event.open if decision.id > new), None)
    act, seat, brought = _act(state, commit, known)
    return Command(
        "",
        commit.actor,
        commit.time,
        "",
        act,
        seat=seat,
        fresh=fresh,
        quiet=quiet,
        verdict=brought.verdict,
        order=brought.order,
        salt=brought.salt,
        hidden=brought.hidden,
        kept=kept,
        admin=bool(commit.events) and type(commit.events[0]) is AdminActed,
    )


def _act(state: Table | None, commit: Commit, known: Mapping[bytes, bytes]) -> tuple[Act, int | None, Brought]:
    """What was asked for, from what it caused; the seat, for those who own several; what a move brought."""
    move = None if state is None else _move(state, commit.events, known)
    if move is not None:
        seat, made, brought = move
        return Move(made), seat, brought
    return *_act_of_the_table(state, commit), PLAIN


def _act_of_the_table(state: Table | None, commit: Commit) -> tuple[Act, int | None]:
    events = commit.events
    outages = tuple(event.stop for event in events if type(event) is OutageNoted)
    first = next((event for event in events if type(event) is not OutageNoted), None)
    if isinstance(first, Opened):
        return Open(first.game, _stored(GAMES.get(first.game), first.options), seated=len(events) > 1), None
    if state is None:
        raise Unexplained
    match first:
        case Expired(decision=number):
            return Expire(number, outages), None
        case _ if outages:
            raise Unexplained
        case Returned() | Present() | VacationEnded() | OnVacation():
            until = next((event.until for event in events if type(event) is OnVacation), None)
            return Return() if until is None else AwayUntil(until), None
        case AdminActed(act="penalty", reason=reason, what=what):
            return Penalty(_read(state, what), reason), None
        case AdminActed(act=name, reason=reason):
            return _act_of_an_admin(name, reason, events[1:]), None
        case Paused(why=why):
            return Pause(why), None
        case Resumed():
            return Resume(), None
        case StandInSet(on=on):
            return SetStandIn(on), None
        case Joined(owner=owner):
            if owner.startswith("computer:"):
                return AddComputer(owner.removeprefix("computer:")), None
            return Join(), None
        case Unseated(seat=seat):
            return (Leave() if table.seat_of(state, commit.actor) == seat else RemoveComputer()), None
        case OptionsSet(options=values):
            return SetOptions(_stored(state.rules, values)), None
        case DeckCut(seat=seat, number=number):
            return CutDeck(number), seat
        case Started(how=how, dealer=dealer):
            return Start(dealer if how == "host" else None), None
        case Left(seat=seat):
            return Leave(), seat
        case Proposed(what=what, seat=wanted):
            return Propose(what, wanted), None
        case Agreed(seat=seat):
            return Answer(True), seat
        case Declined(seat=seat):
            return Answer(False), seat
        case ProposalOff(why="withdrawn"):
            return Answer(False), None
        case SeedRevealed() | Over() if type(events[-1]) is Over:
            return Close(), None
        case _:
            raise Unexplained


def _act_of_an_admin(name: str, reason: str, caused: tuple[Any, ...]) -> Act:
    match name, caused:
        case "pause", (Paused(), *_):
            return Pause(reason)
        case "resume", (Resumed(), *_):
            return Resume(reason)
        case "stand_in", (StandInSet(on=on), *_):
            return SetStandIn(on, reason)
        case "kick", (Kicked(seat=seat) | Unseated(seat=seat), *_):
            return Kick(seat, reason)
        case "replace", (SeatTaken(seat=seat, owner=owner), *_) | (
            VacationEnded(),
            SeatTaken(seat=seat, owner=owner),
            *_,
        ):
            return Replace(seat, owner, reason)
        case "void", _:
            return Void(reason)
        case "close", _:
            return Close(reason)
        case _:
            raise Unexplained


def _read(state: Table, notation: str) -> Any:
    try:
        return state.rules.read(notation)
    except Rejected:
        raise Unexplained from None


def _stored(rules: Any, values: dict[str, Any]) -> Any:
    if rules is None:
        return None  # `decide` refuses a game that is not there
    return options.stored(rules.options, values)


def _move(state: Table, events: tuple[Any, ...], known: Mapping[bytes, bytes]) -> tuple[int, Any, Brought] | None:
    """The move that a seat's owner made; None where the commit is something else."""
    kinds = state.rules.events
    at = 0
    while at < len(events) and isinstance(events[at], Returned | Present | VacationEnded):
        at += 1
    while at < len(events) and type(events[at]) in kinds and _move_of(state, events, at, known) is None:
        at += 1  # what followed from being back, or is settled before the move counts
    if at < len(events) and type(events[at]) in kinds:
        return _move_of(state, events, at, known)
    if events and type(events[0]) in kinds:
        raise Unexplained
    return None


def _move_of(
    state: Table, events: tuple[Any, ...], at: int, known: Mapping[bytes, bytes]
) -> tuple[int, Any, Brought] | None:
    rules, event = state.rules, events[at]
    try:
        if type(event) in rules.secrets:
            return _hidden_move(state, events, at, known)
        if rules.move_of is not None:
            return rules.move_of(event)
        untold = rules.untold_move(event)
        if untold is not None:
            return untold[0], rules.read(untold[1]), PLAIN
        line = rules.public_move(event)
    except IndexError:  # a seat or a number that no table has
        raise Unexplained from None
    if line is None:
        return None
    seat, _, notation = line.partition(" ")
    return int(seat), rules.read(notation), PLAIN


def _hidden_move(
    state: Table, events: tuple[Any, ...], at: int, known: Mapping[bytes, bytes]
) -> tuple[int, Any, Brought]:
    """The move of a choice that was hidden; raises StillHidden for one that was never told and caused nothing else."""
    rules, event = state.rules, events[at]
    assert rules.hidden_move is not None
    found = known.get(event.commitment)
    if found is not None:
        return rules.hidden_move(event, found)
    others = [
        other
        for other in (*events[:at], *events[at + 1 :])
        if type(other) not in (Returned, Present, VacationEnded, Asked)
    ]
    if all(type(other) in rules.events and rules.public_move(other) is None for other in others):
        raise StillHidden
    raise Unexplained
