"""What a command does to a table: `decide` gives the facts, or refuses with a code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain import options, table
from domain.commands import (
    AddComputer,
    Answer,
    Close,
    Command,
    CutDeck,
    Expire,
    Join,
    Leave,
    Move,
    NoteOutage,
    Open,
    Propose,
    RemoveComputer,
    Return,
    SetOptions,
    Start,
)
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
    Proposed,
    Returned,
    RowWritten,
    SeatTaken,
    SeedRevealed,
    Started,
    Unseated,
)
from domain.game import Ask, Rejected, SetEnded, Standing
from domain.games import GAMES
from domain.shuffle import Seeded
from domain.table import Table, away, seat_of


class SeedMissing(AssertionError):
    """Whoever decides does not hold the seed; `facts` is what could be said without it. Never seen where a key is."""

    def __init__(self, facts: tuple[Any, ...] = ()) -> None:
        super().__init__("only whoever holds the seed can decide")
        self.facts = facts


LEVELS = ("steady",)
CUTS = 52
_MOST_DEALS_IN_A_ROW = 100  # CB-16: never play a deal that the rules forbid


def legal(state: Table, seat: int) -> tuple[Any, ...]:
    """The moves of the game that the seat may make now."""
    if state.phase != "playing":
        return ()
    return state.rules.legal(state.set, seat)


def decide(state: Table | None, command: Command) -> tuple[Any, ...]:
    """The facts that the command causes, in order; Rejected when it may not be.

    Whoever decides must hold the seed (a table folded with the key).
    """
    act = command.act
    if type(act) is Move:
        return _move(_running(state), command, act)
    if type(act) is Open:
        return _open(state, command, act)
    if state is None:
        raise Rejected("no_such_table")
    return _DECIDERS[type(act)](state, command, act)


def _running(state: Table | None) -> Table:
    if state is None:
        raise Rejected("no_such_table")
    if state.phase != "playing":
        raise Rejected("table_over" if state.phase == "over" else "not_started")
    return state


def _in_lobby(state: Table) -> None:
    if state.phase != "lobby":
        raise Rejected("table_over" if state.phase == "over" else "already_started")


def _seated(state: Table, command: Command) -> int:
    """The seat that the command speaks for; Rejected `not_seated`."""
    seat = command.seat
    if seat is not None:
        if 0 <= seat < len(state.seats) and state.seats[seat].owner == command.actor:
            return seat
        raise Rejected("not_seated")
    seat = seat_of(state, command.actor)
    if seat is None:
        raise Rejected("not_seated")
    return seat


class _Draft:
    """Facts being gathered, with the state they lead to: what follows from a fact is decided on the state after it."""

    __slots__ = ("command", "facts", "state")

    def __init__(self, state: Table, command: Command) -> None:
        self.state = state
        self.command = command
        self.facts: list[Any] = []

    def add(self, *facts: Any) -> None:
        for fact in facts:
            self.state = table.evolve(self.state.id, self.state, fact)
            self.facts.append(fact)


# Moves


def _move(state: Table, command: Command, act: Move) -> tuple[Any, ...]:
    seat = _seated(state, command)
    if command.decision is not None:
        for decision in state.decisions:
            if decision.id == command.decision and seat in decision.seats:
                break
        else:
            raise Rejected("stale")
    rules = state.rules
    facts = rules.decide(state.set, seat, act.move, False)
    held = state.seats[seat]
    if held.left or held.expiries or type(facts[-1]) is SetEnded:
        draft = _Draft(state, command)
        _be_present(draft, seat)
        draft.add(*facts)
        _go_on(draft)
        return tuple(draft.facts)
    # The common case, without a draft of the whole table: the game's own next state says who is asked now.
    after = state.set
    for fact in facts:
        after = rules.evolve(after, fact, _source(state) if type(fact) in rules.shuffles else None)
    asked = _questions(state, rules.to_act(after), command)
    return facts if asked is None else (*facts, asked)


def _source(state: Table) -> Seeded:
    if state.seed is None:
        raise SeedMissing
    return Seeded(state.seed, state.digest)


def _be_present(draft: _Draft, seat: int) -> None:
    held = draft.state.seats[seat]
    if held.left:
        draft.add(Returned(seat))
    elif held.expiries:
        draft.add(Present(seat))


def _questions(state: Table, asks: tuple[Ask, ...], command: Command) -> Asked | None:
    """The decisions that are open once the game asks `asks`, or None when they are those already open.

    A seat that is away is asked apart, with no time at all: the clock answers for it at once (CB-61). Computer players
    have no clock. A question that stays open keeps its decision, however many seats have answered it.
    """
    kept = []
    number = state.asked
    fresh = False
    for key, seats, seconds in _wanted(state, asks):
        for decision in state.decisions:
            if decision.key == key and decision.seconds == seconds and set(seats) <= set(decision.seats):
                kept.append(decision)
                break
        else:
            number += 1
            fresh = True
            kept.append(Decision(number, key, seats, command.time, seconds, command.quiet))
    if not fresh and len(kept) == len(state.decisions):
        return None
    return Asked(tuple(kept))


def _wanted(state: Table, asks: tuple[Ask, ...]) -> list[tuple[str, tuple[int, ...], int | None]]:
    """The game's questions, each split by the time that its seats have: (key, seats, seconds)."""
    found: list[tuple[str, tuple[int, ...], int | None]] = []
    for ask in asks:
        if len(ask.seats) == 1:
            found.append((ask.key, ask.seats, _seconds(state, ask.seats[0], ask.seconds)))
            continue
        groups: dict[int | None, list[int]] = {}
        for seat in ask.seats:
            groups.setdefault(_seconds(state, seat, ask.seconds), []).append(seat)
        found += [(ask.key, tuple(seats), seconds) for seconds, seats in groups.items()]
    return found


def _seconds(state: Table, seat: int, seconds: int | None) -> int | None:
    held = state.seats[seat]
    if held.left or held.expiries >= state.rules.away_after:
        return 0
    return None if held.owner.startswith("computer:") else seconds


def _go_on(draft: _Draft) -> None:
    """After facts of the game: settles a set that ended, deals on, and opens the decisions that follow."""
    facts = draft.facts
    if facts and type(facts[-1]) is SetEnded:
        _settle(draft)
        _deal_on(draft)
    _ask(draft)


def _ask(draft: _Draft) -> None:
    state = draft.state
    if state.phase == "playing":
        asked = _questions(state, state.rules.to_act(state.set), draft.command)
        if asked is not None:
            draft.add(asked)


def _settle(draft: _Draft) -> None:
    """After a set: its row, its seed, and the end of the game if it is over (CB-41, CB-43)."""
    ended: SetEnded = draft.facts[-1]
    if ended.scores is None:
        return
    draft.add(RowWritten(draft.state.sets - 1, ended.scores))
    _reveal(draft)
    state = draft.state
    verdict = state.rules.after_set(
        Standing(
            state.options,
            ended.outcome,
            state.totals,
            state.scored,
            tuple(seat.left for seat in state.seats),
        )
    )
    if verdict is not None:
        draft.add(Over(verdict.ended, verdict.winners))


def _reveal(draft: _Draft) -> None:
    if draft.state.seed is None:
        raise SeedMissing(tuple(draft.facts))
    draft.add(SeedRevealed(draft.state.seed))


def _deal_on(draft: _Draft) -> None:
    """Deals until a set can be played: a deal that the rules forbid is followed by the next dealer's (CB-15)."""
    for _ in range(_MOST_DEALS_IN_A_ROW):
        state = draft.state
        if state.phase == "over":
            return
        dealer = state.dealer if state.set is None else state.rules.next_dealer(state.set)
        _deal(draft, dealer)
        if draft.state.seed is None:
            raise SeedMissing(tuple(draft.facts))
        opening = draft.state.rules.opening(draft.state.set)
        draft.add(*opening)
        if not opening or type(opening[-1]) is not SetEnded:
            return
        _settle(draft)
    raise AssertionError("a hundred deals in a row that may not be played")


def _deal(draft: _Draft, dealer: int) -> None:
    state = draft.state
    if state.deals:
        draft.add(Dealt(dealer, state.deals + 1))
        return
    fresh = draft.command.fresh
    assert fresh is not None, "a command that may start a set brings a fresh seed"
    draft.add(Dealt(dealer, 1, fresh.commitment, fresh.sealed))


# The lobby


def _open(state: Table | None, command: Command, act: Open) -> tuple[Any, ...]:
    if state is not None:
        raise Rejected("already_open")
    game = GAMES.get(act.game)
    if game is None:
        raise Rejected("no_such_game", name=act.game[:80], names=tuple(GAMES))
    game.check(act.options)
    assert command.fresh is not None, "a table opens with a seed"
    opened = Opened(
        game.slug,
        game.ruleset,
        options.differing(act.options),
        command.actor,
        command.fresh.commitment,
        command.fresh.sealed,
    )
    return (opened, Joined(command.actor)) if act.seated else (opened,)


def _join(state: Table, command: Command, _: Join) -> tuple[Any, ...]:
    _in_lobby(state)
    if seat_of(state, command.actor) is not None:
        raise Rejected("already_seated")
    _room(state)
    return (Joined(command.actor),)


def _room(state: Table) -> None:
    most = state.rules.seats[1]
    if len(state.seats) >= most:
        raise Rejected("table_full", most=most)


def _may_arrange(state: Table, command: Command) -> None:
    """Lobby members arrange the lobby; an operator's table is arranged by its host."""
    if seat_of(state, command.actor) is None and command.actor != state.host:
        raise Rejected("not_seated")


def _add_computer(state: Table, command: Command, act: AddComputer) -> tuple[Any, ...]:
    _in_lobby(state)
    _may_arrange(state, command)
    if act.level not in LEVELS:
        raise Rejected("no_such_level", name=act.level[:80], names=LEVELS)
    _room(state)
    return (Joined(f"computer:{act.level}"),)


def _remove_computer(state: Table, command: Command, _: RemoveComputer) -> tuple[Any, ...]:
    _in_lobby(state)
    _may_arrange(state, command)
    seats = [index for index, seat in enumerate(state.seats) if seat.computer]
    if not seats:
        raise Rejected("no_computer")
    return (Unseated(seats[-1]),)


def _set_options(state: Table, command: Command, act: SetOptions) -> tuple[Any, ...]:
    _in_lobby(state)
    _may_arrange(state, command)
    state.rules.check(act.options)
    return (OptionsSet(options.differing(act.options)),)


def _cut_deck(state: Table, command: Command, act: CutDeck) -> tuple[Any, ...]:
    _in_lobby(state)
    seat = _seated(state, command)
    if not 0 <= act.number < CUTS:
        raise Rejected("cut_out_of_range", low=0, high=CUTS - 1)
    if state.seats[seat].cut:
        raise Rejected("already_cut")
    return (DeckCut(seat, act.number),)


def _start(state: Table, command: Command, act: Start) -> tuple[Any, ...]:
    _in_lobby(state)
    _may_arrange(state, command)
    fewest, most = state.rules.seats
    if not fewest <= len(state.seats) <= most:  # CB-1
        code = f"need_{fewest}_players" if fewest == most else "need_more_players"
        raise Rejected(code, fewest=fewest, most=most, seats=len(state.seats))
    if act.dealer is not None and not 0 <= act.dealer < len(state.seats):
        raise Rejected("no_such_seat", seats=len(state.seats))
    how, dealer = "host", act.dealer
    if dealer is None:
        how, dealer = "random", _source(state).order("dealer", range(len(state.seats)))[0]
    draft = _Draft(state, command)
    draft.add(Started(how, dealer))
    _deal_on(draft)
    _ask(draft)
    return tuple(draft.facts)


# Coming, going, closing


def _leave(state: Table, command: Command, _: Leave) -> tuple[Any, ...]:
    seat = _seated(state, command)
    if state.phase == "over":
        raise Rejected("table_over")
    draft = _Draft(state, command)
    if state.phase == "lobby":
        draft.add(Unseated(seat))
        if all(held.computer for held in draft.state.seats):
            _reveal(draft)
            draft.add(Over("closed", ()))
        return tuple(draft.facts)
    if state.seats[seat].left:
        raise Rejected("already_left")
    draft.add(Left(seat))
    if state.proposal is not None and _agreed_by_all(draft.state):
        _carry_out(draft)
    if draft.state.phase == "playing" and sum(not held.left for held in draft.state.seats) < 2:  # CB-62
        _end(draft, "too_few_players")
    _ask(draft)
    return tuple(draft.facts)


def _return(state: Table, command: Command, _: Return) -> tuple[Any, ...]:
    running = _running(state)
    seat = _seated(running, command)
    if not away(running, seat):
        raise Rejected("not_away")
    draft = _Draft(running, command)
    _be_present(draft, seat)
    _ask(draft)
    return tuple(draft.facts)


def _close(state: Table, command: Command, _: Close) -> tuple[Any, ...]:
    """A lobby may be closed by its members; a running game only by the operator or the chat, as everybody sees."""
    if state.phase == "over":
        raise Rejected("table_over")
    if command.actor not in ("operator", "chat", state.host) or (
        state.phase == "playing" and command.actor not in ("operator", "chat")
    ):
        raise Rejected("not_allowed")
    draft = _Draft(state, command)
    _end(draft, "closed")
    return tuple(draft.facts)


def _end(draft: _Draft, ended: str) -> None:
    """The game ends without a winner; the seed of a set in play is revealed with it."""
    _reveal(draft)
    draft.add(Over(ended, ()))


def _propose(state: Table, command: Command, act: Propose) -> tuple[Any, ...]:
    running = _running(state)
    if running.proposal is not None:
        raise Rejected("proposal_open")
    draft = _Draft(running, command)
    if act.what == "end":
        seat = _seated(running, command)
        draft.add(Proposed("end", command.actor), Agreed(seat))
    elif act.what == "seat":
        if not getattr(running.options, "substitute", False):
            raise Rejected("no_substitutes", clause="CB-61")
        if seat_of(running, command.actor) is not None:
            raise Rejected("already_seated")
        if act.seat is None or not 0 <= act.seat < len(running.seats):
            raise Rejected("no_such_seat", seats=len(running.seats))
        if running.seats[act.seat].computer or not away(running, act.seat):
            raise Rejected("seat_not_free", clause="CB-61")
        draft.add(Proposed("seat", command.actor, act.seat))
    else:
        raise Rejected("no_such_proposal")
    if _agreed_by_all(draft.state):
        _carry_out(draft)
        _ask(draft)
    return tuple(draft.facts)


def _answer(state: Table, command: Command, act: Answer) -> tuple[Any, ...]:
    running = _running(state)
    proposal = running.proposal
    if proposal is None:
        raise Rejected("no_proposal")
    seat = _seated(running, command)
    if seat == proposal.seat or running.seats[seat].left:
        raise Rejected("not_asked")
    if seat in proposal.agreed:
        raise Rejected("already_agreed")
    if not act.agree:
        return (Declined(seat),)
    draft = _Draft(running, command)
    draft.add(Agreed(seat))
    if _agreed_by_all(draft.state):
        _carry_out(draft)
        _ask(draft)
    return tuple(draft.facts)


def _agreed_by_all(state: Table) -> bool:
    """Whether everybody who has a say agrees: persons who have not left, but for the seat in question."""
    proposal = state.proposal
    assert proposal is not None
    asked = [
        index
        for index, seat in enumerate(state.seats)
        if not seat.computer and not seat.left and index != proposal.seat
    ]
    return all(index in proposal.agreed for index in asked)


def _carry_out(draft: _Draft) -> None:
    proposal = draft.state.proposal
    assert proposal is not None
    if proposal.what == "end":  # CB-45
        _end(draft, "vote")
    else:
        assert proposal.seat is not None
        draft.add(SeatTaken(proposal.seat, proposal.by))


# The clock


def _note_outage(state: Table, command: Command, act: NoteOutage) -> tuple[Any, ...]:
    running = _running(state)
    _only_clock(command)
    if not running.decisions or act.stop.end <= act.stop.start or act.stop in running.stops:
        raise Rejected("nothing_to_note")
    return (OutageNoted(act.stop),)


def _only_clock(command: Command) -> None:
    if command.actor != "clock":
        raise Rejected("not_allowed")


def _expire(state: Table, command: Command, act: Expire) -> tuple[Any, ...]:
    running = _running(state)
    _only_clock(command)
    decision = next((held for held in running.decisions if held.id == act.decision), None)
    if decision is None:
        raise Rejected("stale")
    draft = _Draft(running, command)
    draft.add(*(OutageNoted(stop) for stop in act.outages if stop not in running.stops))
    due = table.deadline(draft.state, decision)
    if due is None or command.time < due:
        if not draft.facts:
            raise Rejected("not_due")
        return tuple(draft.facts)
    waiting = {seat for ask in running.rules.to_act(running.set) for seat in ask.seats if ask.key == decision.key}
    seats = tuple(seat for seat in decision.seats if seat in waiting)
    draft.add(Expired(decision.id, seats, decision.seconds != 0))
    for seat in seats:
        rules = draft.state.rules
        if not any(seat in ask.seats and ask.key == decision.key for ask in rules.to_act(draft.state.set)):
            continue  # an earlier seat's answer closed the window
        draft.add(*rules.decide(draft.state.set, seat, rules.timeout(draft.state.set, seat), True))
        if type(draft.facts[-1]) is SetEnded:
            break
    _go_on(draft)
    return tuple(draft.facts)


_DECIDERS: dict[type, Callable[[Table, Command, Any], tuple[Any, ...]]] = {
    Join: _join,
    AddComputer: _add_computer,
    RemoveComputer: _remove_computer,
    SetOptions: _set_options,
    CutDeck: _cut_deck,
    Start: _start,
    Leave: _leave,
    Return: _return,
    Expire: _expire,
    NoteOutage: _note_outage,
    Propose: _propose,
    Answer: _answer,
    Close: _close,
}
