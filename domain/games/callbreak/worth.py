"""What a dealer's cards are worth (CB-56): the tricks that he cannot help winning, and those that he may count on."""

from __future__ import annotations

from domain import cards
from domain.cards import RANK_MASK, SUIT_MASK
from domain.games.callbreak.lawful import ABOVE

Counted = tuple[tuple[str, int], ...]
"""What was counted: (`ace` | `king` | `trump`, the card), (`ruffs`, how many tricks he can trump)."""


def sure_trumps(hand: int, trump: int) -> tuple[int, ...]:
    """The trumps of a hand that win a trick whatever anyone plays, G of CB-56 in number.

    Each trump, from the highest, is paired with the lowest unused higher trump that others hold; the unpaired ones win.
    """
    own = hand & SUIT_MASK[trump]
    others = SUIT_MASK[trump] & ~own
    found = []
    for card in reversed(cards.cards(own)):
        higher = others & ABOVE[card]
        if higher:
            others ^= higher & -higher
        else:
            found.append(card)
    return tuple(found)


def certain_tricks(hand: int, trump: int) -> int:
    """G of CB-56: the tricks that the trumps of a hand win whatever anyone plays."""
    return len(sure_trumps(hand, trump))


def counted(hand: int, trump: int) -> Counted:
    """The source's own counting: side aces, side kings not alone, and trumps that are sure or for ruffing, whichever
    are more."""
    found: list[tuple[str, int]] = []
    ruffs = 0
    for suit in range(4):
        if suit == trump:
            continue
        held = hand & SUIT_MASK[suit]
        found += [("ace", card) for card in cards.cards(held & RANK_MASK["A"])]
        if held.bit_count() >= 2:
            found += [("king", card) for card in cards.cards(held & RANK_MASK["K"])]
        ruffs += max(0, 3 - held.bit_count())
    ruffs = min(ruffs, (hand & SUIT_MASK[trump]).bit_count())
    sure = sure_trumps(hand, trump)
    if len(sure) >= ruffs:
        return (*found, *(("trump", card) for card in sure))
    return (*found, ("ruffs", ruffs))


def worth_of(counts: Counted) -> int:
    """The tricks of a counting, together."""
    return sum(value if what == "ruffs" else 1 for what, value in counts)


def estimate(hand: int, trump: int) -> int:
    """E of CB-56: the tricks of the source's own counting."""
    return worth_of(counted(hand, trump))
