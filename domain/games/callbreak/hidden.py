"""Hidden calls (CB-56): whether a dealer whose call was too low to play called less than his cards are worth."""

from __future__ import annotations

from domain import cards
from domain.game import Rejected, SetEnded
from domain.games.callbreak import worth
from domain.games.callbreak.events import (
    CallJudged,
    DealerChecked,
    Event,
    Voted,
    VoteOpened,
)
from domain.games.callbreak.moves import Vote
from domain.games.callbreak.state import SEATS, Set

LOW = SetEnded("low_calls", void=True)
MARGIN = 2  # tricks that honest caution may call less

Facts = tuple[Event | SetEnded, ...]


def check(state: Set, hand: int, call: int, auto: bool) -> Facts:
    """What follows from the dealer's call that made the four too few: his cards are opened and judged (CB-22, CB-56). A
    call that the clock made is no offence."""
    opened = DealerChecked(state.dealer, cards.cards(hand))
    test = state.options.hidden_call_test
    if test == "off" or auto:
        return (opened, LOW)
    if test == "vote":
        found = judge(state, hand, call, "vote")
        honest = _honest(state, found.worth)
        if call < honest and sum(state.calls) + honest >= state.options.min_total_calls:
            return (opened, VoteOpened(state.dealer, found.worth))
        return (opened, LOW)
    return (opened, judge(state, hand, call, test), LOW)


def judge(state: Set, hand: int, call: int, test: str) -> CallJudged:
    """The verdict on a dealer's call, with what was counted; `sum(state.calls)` is what the others called. A vote's
    verdict comes with the votes."""
    if test == "certain":
        counts: worth.Counted = tuple(("trump", card) for card in worth.sure_trumps(hand, state.trump))
    else:
        counts = worth.counted(hand, state.trump)
    number = worth.worth_of(counts)
    honest = _honest(state, number)
    margin = MARGIN if test == "estimate" else 1
    reaches = sum(state.calls) + honest >= state.options.min_total_calls
    guilty = test != "vote" and call <= honest - margin and reaches
    return CallJudged(state.dealer, test, call, number, counts, guilty)


def _honest(state: Set, number: int) -> int:
    """The most that a dealer could have called for so many tricks."""
    return min(number, state.options.max_call)


def voters(state: Set) -> tuple[int, ...]:
    """The seats that have not voted on the dealer yet."""
    voted = {seat for seat, _ in state.votes or ()}
    return tuple(seat for seat in range(SEATS) if seat != state.dealer and seat not in voted)


def vote(state: Set, seat: int, move: Vote, auto: bool) -> Facts:
    """A vote on the dealer; the first that is not guilty acquits him, all three together convict."""
    if state.votes is None or seat not in voters(state):
        raise Rejected("no_vote", clause="CB-56")
    voted = Voted(seat, move.guilty, auto)
    if move.guilty and len(voters(state)) > 1:
        return (voted,)
    ((_, opened),) = state.opened
    call = state.calls[state.dealer]
    counts = worth.counted(cards.mask(opened), state.trump)
    judged = CallJudged(state.dealer, "vote", call, worth.worth_of(counts), counts, move.guilty)
    return (voted, judged, LOW)
