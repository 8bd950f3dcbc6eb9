"""What follows from facts: a set that ended is settled, the next one is dealt, and decisions are opened."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from domain import table, voiding
from domain.clock import Stop
from domain.commands import Command
from domain.events import Asked, Dealt, Decision, Over, ResultAwaited, RowWritten, SeedRevealed
from domain.game import Adjustment, Ask, Deal, Gone, SetEnded, Standing, Verdict
from domain.rejected import Rejected
from domain.shuffle import Seeded
from domain.table import Table, has_say, seat_of, was_kicked


class SeedMissing(AssertionError):
    """Whoever decides does not hold the seed; `facts` is what could be said without it. Never seen where a key is."""

    def __init__(self, facts: tuple[Any, ...] = ()) -> None:
        super().__init__("only whoever holds the seed can decide")
        self.facts = facts


CLOSED = Verdict("closed", ())
_MOST_DEALS_IN_A_ROW = 100  # CB-16: never play a deal that the rules forbid
# A table at which nobody is present any more may have options under which it never ends. Where every second set is
# scored, sixty unscored ones in a row have a chance of 10^-18; and no option asks for more than a hundred sets, so two
# hundred scored ones in which no total rose above the best so far lead nowhere.
_MOST_UNSCORED = 60
_MOST_WITHOUT_PROGRESS = 200


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


# From set to set


def go_on(draft: Draft) -> None:
    """After facts of the game: settles a set that ended, deals on, and opens the decisions that follow."""
    if draft.set_ended:
        settle(draft)
        deal_on(draft)
    elif draft.state.pending is not None and not draft.state.rules.to_act(draft.state.set):
        conclude(draft)
    ask_on(draft)


def standing(state: Table, ended: SetEnded | None = None) -> Standing:
    """What the game may look at, after a set that `ended` or in the middle of one."""
    return Standing(
        state.options,
        "" if ended is None else ended.outcome,
        None if ended is None else ended.scores,
        state.totals,
        state.scored,
        tuple(seat.left for seat in state.seats),
        state.set,
        tuple(Adjustment(row.kind, row.values) for row in state.rows if row.kind != "score"),
        state.rows,
        state.sets - 1,
    )


def settle(draft: Draft) -> None:
    """After a set: its rows where there are scores, its seed unless it is void, the end of the game if it is over."""
    ended: SetEnded = draft.facts[-1]
    if ended.scores is not None:
        index = draft.state.sets - 1
        draft.add(RowWritten(index, ended.scores))
        for row in draft.state.rules.adjust(standing(draft.state, ended)):
            draft.add(RowWritten(index, row.values, row.kind))
    punish(draft, _of_this_set(draft), draft.state.sets - 1, draft.state.set)
    if not ended.void:
        reveal(draft)
    state = draft.state
    verdict = voiding.verdict(state.rules, standing(state, ended), state.unpunished)
    if verdict is not None and state.rules.contestable(state.set):
        draft.add(ResultAwaited(verdict.ended, verdict.winners))
    elif verdict is not None:
        end(draft, verdict)
    elif _never_ends(state):
        end(draft, CLOSED)


def _of_this_set(draft: Draft) -> list[Any]:
    """The facts of the set that has just ended."""
    ends = [at for at, fact in enumerate(draft.facts) if type(fact) is SetEnded]
    return draft.facts[ends[-2] + 1 if len(ends) > 1 else 0 : ends[-1]]


def punish(draft: Draft, facts: Iterable[Any], index: int, final: Any) -> None:
    """Writes the penalties that follow from facts of a set: its index, and its last state."""
    rules = draft.state.rules
    for fact in facts:
        if type(fact) in rules.events:
            now = msgspec.structs.replace(standing(draft.state), final=final, set=index)
            for row in rules.penal(now, fact):
                draft.add(RowWritten(index if row.set is None else row.set, row.values, row.kind))


def conclude(draft: Draft) -> None:
    """The result that was waiting is the game's end, unless nobody who is still there has won: then it goes on."""
    state = draft.state
    assert state.last_set is not None
    ended = SetEnded(*state.last_set)
    verdict = voiding.verdict(state.rules, standing(state, ended), state.unpunished)
    if verdict is None:
        deal_on(draft, ended)
        return
    if verdict != state.pending:
        draft.add(ResultAwaited(verdict.ended, verdict.winners))
    end(draft, verdict)


def _never_ends(state: Table) -> bool:
    if state.unscored < _MOST_UNSCORED and state.since_best < _MOST_WITHOUT_PROGRESS:
        return False
    return not any(has_say(state, seat) for seat in range(len(state.seats)))


def reveal(draft: Draft) -> None:
    """The seed is revealed; raises SeedMissing."""
    if draft.state.seed is None:
        raise SeedMissing(tuple(draft.facts))
    draft.add(SeedRevealed(draft.state.seed))


def end(draft: Draft, verdict: Verdict) -> None:
    """The game ends; the seed of a set in play, of void ones, or of a lobby is revealed with it. A result that was only
    waiting to be confirmed stays the result, whatever ends the game."""
    verdict = draft.state.pending or verdict
    if draft.state.deals or draft.state.phase == "lobby":
        reveal(draft)
    draft.add(Over(verdict.ended, verdict.winners))


def deal_on(draft: Draft, ended: SetEnded | None = None) -> None:
    """Deals until a set can be played: a deal that the rules forbid is followed by the next dealer's (CB-15). `ended`:
    how the set before ended, where it did not end just now. A result that waits is waited for."""
    voided = any(type(fact) is SetEnded and fact.outcome == voiding.OUTCOME for fact in draft.facts)
    for _ in range(_MOST_DEALS_IN_A_ROW):
        state = draft.state
        if state.phase == "over" or (state.pending is not None and ended is None):
            return
        _deal(draft, _next_deal(draft, ended))
        ended = None
        if draft.state.seed is None:
            raise SeedMissing(tuple(draft.facts))
        opening = draft.state.rules.opening(draft.state.set)
        draft.add(*opening)
        if voided and not draft.set_ended:
            draft.add(*voiding.absent(draft.state.rules, draft.state.set, _absent(draft.state)))
        if not draft.set_ended:
            return
        voided = False
        settle(draft)
    raise AssertionError("a hundred deals in a row that may not be played")


def _absent(state: Table) -> list[tuple[int, Gone]]:
    """The seats that the game takes for gone: their owners left, or the clock plays for them."""
    found: list[tuple[int, Gone]] = []
    for seat, held in enumerate(state.seats):
        if held.left:
            found.append((seat, "left"))
        elif table.away(state, seat) and not state.stand_in:
            found.append((seat, "away"))
    return found


def _next_deal(draft: Draft, ended: SetEnded | None) -> Deal:
    state = draft.state
    if state.set is None:
        return Deal(state.dealer)
    if ended is None:
        ended = next(fact for fact in reversed(draft.facts) if type(fact) is SetEnded)
    return state.rules.next_deal(standing(state, ended))


def _deal(draft: Draft, deal: Deal) -> None:
    state = draft.state
    playing = () if len(deal.playing) == len(state.seats) else deal.playing
    if state.deals:
        draft.add(Dealt(deal.dealer, state.deals + 1, playing=playing, kept=draft.command.kept))
        return
    fresh = draft.command.fresh
    assert fresh is not None, "a command that may start a set brings a fresh seed"
    draft.add(Dealt(deal.dealer, 1, fresh.commitment, fresh.sealed, playing, draft.command.kept))
