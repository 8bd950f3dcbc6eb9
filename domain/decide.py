"""What a command does to a table: `decide` gives the facts, or refuses with a code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from domain import agreeing, authority, contesting, lobby, pausing, presence, table
from domain.commands import (
    AddComputer,
    Answer,
    AwayUntil,
    Close,
    Command,
    CutDeck,
    Expire,
    Join,
    Kick,
    Leave,
    Move,
    NoteOutage,
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
from domain.draft import Draft, SeedMissing, questions, running, seated
from domain.events import Expired, OutageNoted
from domain.game import BY_CLOCK, PLAIN, Brought, SetEnded
from domain.rejected import Rejected
from domain.settling import go_on
from domain.shuffle import Seeded, digest_of
from domain.table import STAND_IN, Table, away, on_vacation, stood_in

__all__ = ["SeedMissing", "decide", "legal"]


def legal(state: Table, seat: int) -> tuple[Any, ...]:
    """The moves of the game that the seat may make now; none while the table is paused."""
    if state.phase != "playing" or state.paused is not None:
        return ()
    return state.rules.legal(state.set, seat)


def decide(state: Table | None, command: Command) -> tuple[Any, ...]:
    """The facts that the command causes, in order; Rejected when it may not be.

    Whoever decides must hold the seed (a table folded with the key).
    """
    act = command.act
    if type(act) is Move:
        return _move(running(state), command, act)
    if type(act) is Open:
        return lobby.open_table(state, command, act)
    if state is None:
        raise Rejected("no_such_table")
    return _DECIDERS[type(act)](state, command, act)


# Moves


def _move(state: Table, command: Command, act: Move) -> tuple[Any, ...]:
    stands_in = command.actor == STAND_IN and command.seat is not None and _stood_in(state, command.seat)
    seat = command.seat if stands_in and command.seat is not None else seated(state, command)
    if state.paused is not None:
        raise Rejected("paused")
    accused = state.rules.accuses(act.move)
    if accused is not None:
        return contesting.accuse(state, command, seat, act.move, accused)
    if command.decision is not None:
        for decision in state.decisions:
            if decision.id == command.decision:
                break
        else:
            raise Rejected("stale")  # the second of two messages at once finds its question answered (CB-66)
        if seat not in decision.seats:
            raise Rejected("not_your_turn")
    rules = state.rules
    held = state.seats[seat]
    if not stands_in and (held.left or held.expiries or on_vacation(state, seat, command.time)):
        return _move_of_the_absent(state, command, seat, act.move)
    brought = _brought(state, command, seat, act.move) if rules.brings else PLAIN
    facts = rules.decide(state.set, seat, act.move, brought)
    settled = type(facts[-1]) is SetEnded or state.pending is not None
    if settled or (rules.shuffles and not rules.shuffles.isdisjoint(map(type, facts))):
        draft = Draft(state, command)
        draft.add(*facts)
        go_on(draft)
        return tuple(draft.facts)
    # The common case, without a draft of the whole table: the game's own next state says who is asked now.
    after = state.set
    for fact in facts:
        after = rules.evolve(after, fact, None)
    asked = questions(state, rules.to_act(after), command)
    return facts if asked is None else (*facts, asked)


def _stood_in(state: Table, seat: int) -> bool:
    return 0 <= seat < len(state.seats) and stood_in(state, seat)


def _move_of_the_absent(state: Table, command: Command, seat: int, move: Any) -> tuple[Any, ...]:
    """Whoever moves is there again; what that causes comes first."""
    draft = Draft(state, command)
    presence.be_present(draft, seat)
    _add_move(draft, seat, move)
    go_on(draft)
    return tuple(draft.facts)


def _add_move(draft: Draft, seat: int, move: Any, auto: bool = False) -> None:
    state = draft.state
    rules = state.rules
    plain = BY_CLOCK if auto else PLAIN
    brought = _brought(state, draft.command, seat, move, auto) if rules.brings else plain
    draft.add(*rules.decide(state.set, seat, move, brought))


def _brought(state: Table, command: Command, seat: int, move: Any, auto: bool = False) -> Brought:
    source = None if state.seed is None else _Ahead(state, seat, move, auto)
    if auto:  # what the command brings is not of this move
        return Brought(True, at=command.time, source=source)
    return Brought(False, command.verdict, command.time, command.order, command.salt, source, command.hidden)


class _Ahead:
    """The shuffles as they are after a move's own line, which few moves look at."""

    __slots__ = ("_line", "_state")

    def __init__(self, state: Table, seat: int, move: Any, auto: bool) -> None:
        self._state = state
        self._line = seat, move, auto

    def order(self, label: str, items: Sequence[int]) -> tuple[int, ...]:
        """`items` in the order that belongs to `label`."""
        state = self._state
        seat, move, auto = self._line
        line = f"{seat} {'auto ' if auto else ''}{state.rules.notation(move)}"
        assert state.seed is not None
        return Seeded(state.seed, digest_of(state.digest, line)).order(label, items)


# The clock


def _note_outage(state: Table, command: Command, act: NoteOutage) -> tuple[Any, ...]:
    playing = running(state)
    _only_clock(command)
    if not playing.decisions or act.stop.end <= act.stop.start or act.stop in playing.stops:
        raise Rejected("nothing_to_note")
    return (OutageNoted(act.stop),)


def _only_clock(command: Command) -> None:
    if command.actor != "clock":
        raise Rejected("not_allowed")


def _expire(state: Table, command: Command, act: Expire) -> tuple[Any, ...]:
    playing = running(state)
    _only_clock(command)
    decision = next((held for held in playing.decisions if held.id == act.decision), None)
    if decision is None:
        raise Rejected("stale")
    draft = Draft(playing, command)
    draft.add(*(OutageNoted(stop) for stop in act.outages if stop not in playing.stops))
    due = table.deadline(draft.state, decision)
    if due is None or command.time < due:
        if not draft.facts:
            raise Rejected("not_due")
        return tuple(draft.facts)
    seats = tuple(seat for seat in decision.seats if _is_asked(playing, seat, decision.key))
    ask = next(ask for ask in playing.rules.to_act(playing.set) if ask.key == decision.key)
    counts = ask.counts and not any(away(playing, seat) for seat in seats)
    draft.add(Expired(decision.id, seats, counts))
    away_now = [seat for seat in seats if away(draft.state, seat) and not away(playing, seat)]
    for seat in away_now:
        # To the game a seat that a computer player takes is there.
        if not draft.set_ended and not playing.stand_in:
            draft.add(*playing.rules.gone(draft.state.set, seat, "away"))
    for seat in seats:
        # A question may want several moves (a draw and a discard); an earlier seat's answer may have closed a window.
        while not draft.set_ended and _is_asked(draft.state, seat, decision.key):
            _add_move(draft, seat, draft.state.rules.timeout(draft.state.set, seat), auto=True)
    if away_now:
        agreeing.go_on_without(draft)
    else:
        go_on(draft)
    return tuple(draft.facts)


def _is_asked(state: Table, seat: int, key: str) -> bool:
    return any(seat in ask.seats and ask.key == key for ask in state.rules.to_act(state.set))


_DECIDERS: dict[type, Callable[[Table, Command, Any], tuple[Any, ...]]] = {
    Join: lobby.join,
    AddComputer: lobby.add_computer,
    RemoveComputer: lobby.remove_computer,
    SetOptions: lobby.set_options,
    CutDeck: lobby.cut_deck,
    Start: lobby.start,
    Leave: presence.leave,
    Return: presence.come_back,
    Expire: _expire,
    NoteOutage: _note_outage,
    Propose: agreeing.propose,
    Answer: agreeing.answer,
    Close: authority.close,
    Pause: pausing.pause,
    Resume: pausing.resume,
    AwayUntil: pausing.take_vacation,
    SetStandIn: authority.set_stand_in,
    Kick: authority.kick,
    Replace: authority.replace,
    Void: authority.void,
    Penalty: contesting.penalise,
}
