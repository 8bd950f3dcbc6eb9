"""Plans that Call Break knows for the next card: the lowest of the suit led, whichever it is or only one of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from domain import cards
from domain.games.callbreak.moves import PLAYS, PlayCard
from domain.games.callbreak.view import Observation, lawful


def lowest(seen: Observation, suit: int | None = None) -> PlayCard | None:
    """The lowest card that may be played of the suit led (only of `suit`, where one is named); None where the observer
    leads himself, cannot follow, or another suit is led."""
    if not seen.trick:
        return None
    led = cards.suit(seen.trick[0])
    if suit is not None and led != suit:
        return None
    following = [card for card in cards.cards(lawful(seen)) if cards.suit(card) == led] if seen.legal else []
    return PLAYS[min(following)] if following else None


PLANS: dict[str, Callable[[Observation], PlayCard | None]] = {
    "low": lowest,
    **{f"low_{letter}": partial(lowest, suit=number) for number, letter in enumerate(cards.SUITS)},
}
"""By word: `low` follows any suit, `low_H` only hearts."""
