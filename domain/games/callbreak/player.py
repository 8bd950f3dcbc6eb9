"""Computer players of Call Break. They are handed an observation, so they cannot see more than a person does."""

from __future__ import annotations

from domain import cards
from domain.cards import SUIT_MASK
from domain.games.callbreak import rules
from domain.games.callbreak.moves import Call, Move, PlayCard, read
from domain.games.callbreak.state import beats
from domain.games.callbreak.view import Observation, plays


def player(level: str, seen: Observation) -> Move:
    """The move of the computer player (level `steady`) who sees `seen` and is to act."""
    assert level == "steady"
    assert seen.hand is not None
    assert seen.legal
    if seen.phase == "calls":
        return _call(seen)
    allowed = [move.card for move in map(read, seen.legal) if isinstance(move, PlayCard)]
    if len(allowed) == 1:
        return PlayCard(allowed[0])
    return PlayCard(_lead(seen, allowed) if not seen.trick else _follow(seen, allowed))


def _call(seen: Observation) -> Call:
    """By counting (CB-56's estimate); the dealer calls one more where the set would not be played without it."""
    options = seen.options
    number = rules.estimate(cards.mask(seen.hand or ()), seen.trump)
    if seen.called == 3:
        missing = options.min_total_calls - sum(seen.calls)
        if number < missing <= number + 1:
            number = missing
    return Call(min(max(number, options.min_call), options.max_call))


def _wants_more(seen: Observation) -> bool:
    assert seen.seat is not None
    return seen.won[seen.seat] < seen.calls[seen.seat]


def _unseen(seen: Observation) -> int:
    """The cards that others may still play, a mask."""
    gone = cards.mask(seen.hand or ())
    for _, card, _, _ in plays(seen):
        gone |= 1 << card
    return cards.mask(cards.PACK) & ~gone


def _lead(seen: Observation, allowed: list[int]) -> int:
    """While tricks are wanted a card that nothing of its suit beats, plain suits first; else a low plain card."""
    others = _unseen(seen)
    masters = [card for card in allowed if not others & rules.ABOVE[card]]
    if _wants_more(seen) and masters:
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
