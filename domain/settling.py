"""What follows when a set ends: rows and penalties, the seed, the end of the game or the next deal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from domain import table, voiding
from domain.draft import Draft, SeedMissing, ask_on
from domain.events import Dealt, Over, ResultAwaited, RowWritten, SeedRevealed
from domain.game import Adjustment, Deal, Gone, SetEnded, Standing, Verdict
from domain.table import Table, has_say

CLOSED = Verdict("closed", ())
_MOST_DEALS_IN_A_ROW = 100  # CB-16: never play a deal that the rules forbid
# A table at which nobody is present any more may have options under which it never ends. Where every second set is
# scored, sixty unscored ones in a row have a chance of 10^-18; and no option asks for more than a hundred sets, so two
# hundred scored ones in which no total rose above the best so far lead nowhere.
_MOST_UNSCORED = 60
_MOST_WITHOUT_PROGRESS = 200


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
    waiting to be confirmed stays the result, whatever ends the game; but whoever has left meanwhile has not won."""
    state = draft.state
    if state.pending is not None and state.last_set is not None:
        ended = SetEnded(*state.last_set)
        verdict = voiding.verdict(state.rules, standing(state, ended), state.unpunished) or verdict
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
