"""Which cards of a hand may be played (CB-31 to CB-36)."""

from __future__ import annotations

from domain.cards import SUIT_MASK
from domain.games.callbreak.options import Options

# The cards of the same suit above a card, as a mask.
ABOVE: tuple[int, ...] = tuple(SUIT_MASK[card // 13] & ~((1 << (card + 1)) - 1) for card in range(52))


def legal_hand(hand: int, led: int, top: int, trump: int, options: Options) -> int:
    """The cards of `hand` that may be played (CB-31 to CB-36), a mask: never empty while a card is held.

    `led` is the first card of the trick (-1: leading), `top` the card now winning it, `trump` a suit.
    """
    if led < 0:
        return hand  # CB-31
    follow = hand & SUIT_MASK[led // 13]
    if follow:  # CB-32
        if options.must_beat and top // 13 == led // 13:  # CB-33; under a trump nothing of the suit led wins (CB-34)
            higher = follow & ABOVE[top]
            if higher:
                return higher
        return follow
    trumps = hand & SUIT_MASK[trump]
    must_trump = options.must_trump
    if not trumps or must_trump == "never":
        return hand
    winning = trumps & ABOVE[top] if top // 13 == trump else trumps
    if must_trump == "if_beats":
        if not winning:
            return hand
        return winning if options.must_beat else trumps
    if winning and options.must_beat:  # CB-33
        return winning
    return trumps  # CB-35: undertrumping is compulsory
