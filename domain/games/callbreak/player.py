"""Computer players of Call Break. They are handed an observation, so they cannot see more than a person does."""

from __future__ import annotations

from domain import cards
from domain.cards import RANK_MASK, SUIT_MASK
from domain.games.callbreak import offences, rules
from domain.games.callbreak.hidden import MARGIN
from domain.games.callbreak.moves import CONFIRM, VOTES, Call, Move, PlayCard
from domain.games.callbreak.state import beats
from domain.games.callbreak.view import Observation, lawful


def player(level: str, seen: Observation) -> Move:
    """The move of the computer player (level `steady`) who sees `seen` and is to act."""
    assert level == "steady"
    assert seen.hand is not None
    assert seen.legal
    if seen.phase == "calls":
        return _call(seen)
    if seen.phase == "vote":
        return VOTES[0] if _hid(seen) else VOTES[1]
    if seen.phase == "result":
        return CONFIRM
    allowed = list(cards.cards(lawful(seen)))
    if len(allowed) == 1:
        return PlayCard(allowed[0])
    return PlayCard(_lead(seen, allowed) if not seen.trick else _follow(seen, allowed))


def _hid(seen: Observation) -> bool:
    """Whether the dealer, whose cards lie open, called less than an honest player would out of caution (CB-56)."""
    ((dealer, opened),) = seen.opened
    worth_ = min(rules.estimate(cards.mask(opened), seen.trump), seen.options.max_call)
    return seen.calls[dealer] <= worth_ - MARGIN


def _call(seen: Observation) -> Call:
    """What the hand is worth. The dealer calls one more where the set would not be played without it (CB-22), and where
    that is not enough, no less than a dealer must who is not to be suspected of hiding (CB-56)."""
    options = seen.options
    hand = cards.mask(seen.hand or ())
    number = max(worth(hand, seen.trump) // 10, rules.certain_tricks(hand, seen.trump), options.min_call)
    missing = options.min_total_calls - sum(seen.calls)
    if seen.called == 3 and number < missing:
        number = missing if number + 1 == missing else max(number, rules.estimate(hand, seen.trump))
    return Call(min(number, options.max_call))


def worth(hand: int, trump: int) -> int:
    """What a hand (a mask) takes, in tenths of a trick, on the careful side: seven calls of eight are made by it.

    The weights are those of a linear fit to 6,000 random deals as `player` plays them, rounded: aces, kings with
    company, queens with two cards below; trumps by their number and honours, and by the short suits they can ruff.
    """
    length = (hand & SUIT_MASK[trump]).bit_count()
    tenths = 6 * length - 12
    short = 0
    for suit in range(4):
        held = hand & SUIT_MASK[suit]
        ace, king, queen, jack = (bool(held & RANK_MASK[rank]) for rank in "AKQJ")
        if suit == trump:
            tenths += 9 * ace + 7 * king + 4 * queen + 2 * jack
        else:
            count = held.bit_count()
            tenths += 10 * ace + 7 * (king and count >= 2) + 3 * (queen and count >= 3)
            short += max(0, 3 - count)
    return tenths + 3 * min(length, short)


def _wants_more(seen: Observation) -> bool:
    assert seen.seat is not None
    return seen.won[seen.seat] < seen.calls[seen.seat]


def _unseen(seen: Observation) -> int:
    """The cards that others may still play, a mask."""
    gone = cards.mask(seen.hand or ())
    for play in offences.plays(seen):
        gone |= 1 << play.card
    return cards.mask(cards.PACK) & ~gone


def _lead(seen: Observation, allowed: list[int]) -> int:
    """A card that nothing of its suit beats, plain suits first, also when the call is made: each trick more counts, and
    no other seat gets it. Else a low plain card."""
    others = _unseen(seen)
    masters = [card for card in allowed if not others & rules.ABOVE[card]]
    if masters:
        plain = [card for card in masters if card // 13 != seen.trump]
        return max(plain or masters, key=lambda card: (_length(others, card), card % 13, -card))
    return rules.cheapest(allowed, seen.trump)


def _follow(seen: Observation, allowed: list[int]) -> int:
    """Beat as cheaply as will do, last in hand with the lowest; throw the lowest when nothing is to be won."""
    winning = [card for card in allowed if beats(card, seen.top, seen.trump)]
    if not winning:
        return rules.cheapest(allowed, seen.trump)
    if len(seen.trick) == 3 or winning[0] // 13 == seen.trump:
        return rules.cheapest(winning, seen.trump)
    others = _unseen(seen)
    sure = [card for card in winning if not others & rules.ABOVE[card]]
    if _wants_more(seen) and sure:
        return rules.cheapest(sure, seen.trump)
    losing = [card for card in allowed if card not in winning]
    return rules.cheapest(losing or winning, seen.trump)


def _length(others: int, card: int) -> int:
    return (others & SUIT_MASK[card // 13]).bit_count()
