"""The rules of Call Break, clause by clause: what is legal, what a move causes, what a set scores, when a game ends."""

from __future__ import annotations

from collections.abc import Sequence

from domain import cards
from domain.cards import BIT, SUIT_MASK
from domain.game import PLAIN, Ask, Brought, Deal, FirstDealer, Rejected, SetEnded, Standing, Verdict
from domain.games.callbreak import hidden, judging
from domain.games.callbreak.events import (
    Called,
    CardPlayed,
    Confirmed,
    DealVoided,
    Event,
    TrickTaken,
    TrumpShown,
)
from domain.games.callbreak.lawful import ABOVE, legal_hand
from domain.games.callbreak.moves import CALLS, CONFIRM, PLAYS, VOTES, Accuse, Call, Confirm, Move, PlayCard, Vote
from domain.games.callbreak.options import Options
from domain.games.callbreak.state import (
    NEXT,
    SEATS,
    Set,
    beats,
    phase,
)
from domain.games.callbreak.worth import certain_tricks, estimate
from domain.shuffle import Source

__all__ = ["ABOVE", "certain_tricks", "estimate", "legal_hand"]

CONFIRM_SECONDS = 60  # to object to the result (CB-55)

_ACES = cards.RANK_MASK["A"]


def trick_winner(trick: Sequence[tuple[int, int]], trump: int) -> int:
    """Who takes a trick of (seat, card) in the order played (CB-37)."""
    winner, top = trick[0]
    for seat, card in trick[1:]:
        if beats(card, top, trump):
            winner, top = seat, card
    return winner


def redeal_reasons(hands: Sequence[int], dealer: int, trump: int, options: Options) -> tuple[tuple[int, str], ...]:
    """Why the deal may not be played (CB-15), (seat, reason) from `next(dealer)`; empty when it may."""
    court = sum(cards.RANK_MASK[rank] for rank in options.court_ranks)
    found = []
    for offset in range(1, SEATS + 1):
        seat = (dealer + offset) % SEATS
        hand = hands[seat]
        tests = (
            ("four_aces", hand & _ACES == _ACES),
            ("no_trump", not hand & SUIT_MASK[trump]),
            ("no_court", not hand & court),
        )
        found += [(seat, reason) for reason, holds in tests if holds and reason in options.redeal]
    return tuple(found)


def opening(state: Set) -> tuple[Event | SetEnded, ...]:
    """What follows from the deal: the trump card shown (CB-12), or a hand that forbids the set (CB-15)."""
    assert state.hands is not None, "only whoever holds the seed can say what follows from a deal"
    facts: list[Event | SetEnded] = []
    if state.options.trump_mode == "last_card":
        facts.append(TrumpShown(state.dealer, state.shown))
    reasons = redeal_reasons(state.hands, state.dealer, state.trump, state.options)
    if reasons:
        seats = dict.fromkeys(seat for seat, _ in reasons)
        facts.append(DealVoided(reasons, tuple((seat, cards.cards(state.hands[seat])) for seat in seats)))
        facts.append(SetEnded("redeal", void=True))
    return tuple(facts)


def to_act(state: Set) -> tuple[Ask, ...]:
    """The one seat whose turn it is (CB-20, CB-30), with the turn's clock (CB-60); or those who vote on the dealer
    (CB-56) or have not confirmed the result yet (CB-55)."""
    if state.turn < 0:
        return _to_judge(state)
    return (Ask(str(state.moves), (state.turn,), state.options.turn_seconds or None),)


def _to_judge(state: Set) -> tuple[Ask, ...]:
    match phase(state):
        case "vote":
            return (Ask("vote", hidden.voters(state), state.options.turn_seconds or None, counts=False),)
        case "result":
            seats = tuple(seat for seat in range(SEATS) if seat not in (state.confirmed or ()))
            return (Ask("result", seats, CONFIRM_SECONDS, counts=False),)
        case _:
            return ()


def legal(state: Set, seat: int) -> tuple[Move, ...]:
    """The moves of the seat: calls in range, or the cards of `legal_hand`, of an honour table all that it holds; empty
    when it is not asked."""
    if seat != state.turn:
        if state.turn >= 0 or not any(seat in ask.seats for ask in to_act(state)):
            return ()
        return VOTES if state.votes is not None else (CONFIRM,)
    options = state.options
    if state.called < SEATS:
        return CALLS[options.min_call : options.max_call + 1]
    if state.hands is None:
        return ()
    hand = state.hands[seat]
    allowed = hand if options.enforcement == "honour" else _lawful(state, hand)
    found = []
    while allowed:
        low = allowed & -allowed
        found.append(PLAYS[low.bit_length() - 1])
        allowed ^= low
    return tuple(found)


def _lawful(state: Set, hand: int) -> int:
    trick = state.trick
    return legal_hand(hand, trick[0] if trick else -1, state.top, state.trump, state.options)


def decide(state: Set, seat: int, move: Move, brought: Brought = PLAIN) -> tuple[Event | SetEnded, ...]:
    """The facts that a move causes, or Rejected: `not_your_turn`, `call_out_of_range`, `not_held`, `must_follow`, ...,
    `bad_accusation`.

    The values of a refusal name the seat's own cards: they are for its owner alone.
    """
    kind = type(move)
    if kind is not PlayCard and kind is not Call:
        return _decide_judging(state, seat, move, brought.auto)
    if seat != state.turn:
        raise Rejected("not_your_turn", clause="CB-20" if state.called < SEATS else "CB-30")
    if type(move) is PlayCard:
        return _decide_play(state, seat, move.card, brought.auto)
    assert type(move) is Call
    return _decide_call(state, seat, move.number, brought.auto)


def _decide_judging(state: Set, seat: int, move: Move, auto: bool) -> tuple[Event | SetEnded, ...]:
    if type(move) is Accuse:
        return judging.accuse(state, seat, move)
    if type(move) is Vote:
        return hidden.vote(state, seat, move, auto)
    assert type(move) is Confirm
    if phase(state) != "result" or seat in (state.confirmed or ()):
        raise Rejected("nothing_to_confirm", clause="CB-55")
    return (Confirmed(seat, auto),)


def _decide_call(state: Set, seat: int, number: int, auto: bool) -> tuple[Event | SetEnded, ...]:
    options = state.options
    if state.called == SEATS:
        raise Rejected("calls_are_over", clause="CB-20")
    if not options.min_call <= number <= options.max_call:
        raise Rejected("call_out_of_range", clause="CB-21", low=options.min_call, high=options.max_call)
    called = Called(seat, number, auto)
    if state.called < SEATS - 1 or sum(state.calls) + number >= options.min_total_calls:
        return (called,)
    assert state.hands is not None
    return (called, *hidden.check(state, state.hands[seat], number, auto))  # CB-22


def _decide_play(state: Set, seat: int, card: int, auto: bool) -> tuple[Event | SetEnded, ...]:
    if state.called < SEATS:
        raise Rejected("calls_first", clause="CB-20")
    assert state.hands is not None, "only whoever holds the seed can judge a card"
    hand = state.hands[seat]
    bit = BIT[card]
    if not hand & bit:
        raise Rejected("not_held", clause="CB-30", card=cards.name(card))
    if state.options.enforcement == "honour":
        last = len(state.trick) == SEATS - 1
        facts = _take_trick(state, seat, card, auto) if last else (CardPlayed(seat, card, auto),)
        return judging.after_play(state, facts)
    trick = state.trick
    if trick:
        allowed = legal_hand(hand, trick[0], state.top, state.trump, state.options)
        if not allowed & bit:
            raise _illegal(state, hand, card, allowed)
        if len(trick) == SEATS - 1:
            return _take_trick(state, seat, card, auto)
    return (CardPlayed(seat, card, auto),)


def _illegal(state: Set, hand: int, card: int, allowed: int) -> Rejected:
    led = state.trick[0] // 13
    if hand & SUIT_MASK[led]:
        code, clause = ("must_beat", "CB-33") if card // 13 == led else ("must_follow", "CB-32")
    else:
        code, clause = ("must_beat", "CB-33") if card // 13 == state.trump else ("must_trump", "CB-32")
    return Rejected(code, clause=clause, cards=cards.names(allowed), led=cards.SUITS[led], top=cards.name(state.top))


def _take_trick(state: Set, seat: int, card: int, auto: bool) -> tuple[Event | SetEnded, ...]:
    winner = seat if beats(card, state.top, state.trump) else state.winner
    number = len(state.tricks) + 1
    taken = TrickTaken(winner, number)
    if number < 13:
        return (CardPlayed(seat, card, auto), taken)
    won = tuple(count + (index == winner) for index, count in enumerate(state.won))
    return (CardPlayed(seat, card, auto), taken, SetEnded("scored", set_scores(state.calls, won)))


def set_scores(calls: Sequence[int], won: Sequence[int]) -> tuple[int, ...]:
    """The scores of a played set (CB-40): 10X and 1 for each trick over the call, or -10X.

    The same integers are the tenths of `scoring=decimal` (X and 0.1 a trick over, or -X).
    """
    return tuple(
        10 * call + (took - call) if took >= call else -10 * call for call, took in zip(calls, won, strict=True)
    )


def tenths(options: Options) -> bool:
    """Whether scores are tenths (`scoring=decimal`)."""
    return options.scoring == "decimal"


def after_set(standing: Standing) -> Verdict | None:
    """Whether the game is over after a scored set (CB-43 to CB-45); a leaver who is still away cannot win (CB-61)."""
    if standing.scores is None:
        return None
    options: Options = standing.options
    present = [seat for seat in range(SEATS) if not standing.left[seat]]
    goal = options.target * (10 if tenths(options) else 1)
    if options.target:
        there = [
            s
            for s in present
            if standing.totals[s] > goal or (standing.totals[s] == goal and options.target_cmp == "ge")
        ]
        winners = _best(standing.totals, there)
        if len(winners) == 1 or (winners and options.tie == "shared"):  # CB-44
            return Verdict("target", winners)
    if options.max_sets and standing.scored_sets >= options.max_sets:  # CB-45
        return Verdict("max_sets", _best(standing.totals, present))
    return None


def _best(totals: Sequence[int], seats: Sequence[int]) -> tuple[int, ...]:
    best = max((totals[seat] for seat in seats), default=None)
    return tuple(seat for seat in seats if totals[seat] == best)


def timeout(state: Set, seat: int) -> Move:
    """What the clock does for an absent seat (CB-60): a call by the estimate, or the cheapest card that is legal, at a
    table of honour too. Silence is no vote against the dealer (CB-56), and no objection to the result."""
    if state.turn < 0:
        return VOTES[1] if state.votes is not None else CONFIRM
    assert state.hands is not None
    options = state.options
    if state.called < SEATS:
        return Call(min(max(estimate(state.hands[seat], state.trump), options.min_call), options.max_call))
    return PlayCard(cheapest(cards.cards(_lawful(state, state.hands[seat])), state.trump))


def cheapest(allowed: Sequence[int], trump: int) -> int:
    """The smallest of some cards by (is trump, rank, suit in order S H D C) (CB-60)."""
    return min(allowed, key=lambda card: (card // 13 == trump, card % 13, card // 13))


def too_few(standing: Standing) -> Verdict | None:
    """Whether fewer than two owners have not left (CB-62); a computer player's seat counts as staying."""
    return Verdict("too_few_players", ()) if standing.left.count(False) < 2 else None


def first_dealer(options: Options, seats: int, source: Source) -> FirstDealer:
    """The first of the seats in the order that the seed gives them (CB-5)."""
    return FirstDealer("random", source.order("dealer", range(seats))[0])


def next_dealer(dealer: int) -> int:
    """Who deals next, after scored and void sets alike (CB-15, CB-42)."""
    return NEXT[dealer]


def next_deal(standing: Standing) -> Deal:
    """The deal after a set, to all four."""
    return Deal(next_dealer(standing.final.dealer))
