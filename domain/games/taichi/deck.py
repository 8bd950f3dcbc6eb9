"""The cards of Tai Chi Chuan: one or two letters and a symbol, as small integers, with their notation both ways.

The English deck is that of TC-2. The French one is made by the same method from the letters of French headwords
(docs/decisions/0012-words-french.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from domain.rejected import malformed

LETTERS = "abcdefghijklmnopqrstuvwxyz"
SYMBOLS = "PYL"
"""Parasol, yin yang, lotus: in this order where symbols tie (TC-37)."""
_DOUBLES = ("wx", "gh", "bf", "qz", "kv", "jy", "bh", "qy", "jk", "gz", "fv")
_SINGLES = len(LETTERS) * len(SYMBOLS)
HIDDEN = -1
"""A card that whoever holds this state cannot know."""

LETTERS_OF: tuple[str, ...] = tuple(letters for letters in (*LETTERS, *_DOUBLES) for _ in SYMBOLS)
"""The letters of each card: one, or two of which a word uses either (TC-24)."""
NAMES: tuple[str, ...] = tuple(
    f"{'/'.join(letters.upper())}:{symbol}" for letters in (*LETTERS, *_DOUBLES) for symbol in SYMBOLS
)
_BY_NAME = {name: card for card, name in enumerate(NAMES)}


def name(card: int) -> str:
    """The notation of a card: `S:P`, `W/X:L`."""
    return NAMES[card]


def names(cards: Iterable[int]) -> list[str]:
    """The notation of some cards, in their order."""
    return [NAMES[card] for card in cards]


def card_of(notation: str) -> int:
    """The card of an exact notation; Rejected `not_a_card` for anything else."""
    card = _BY_NAME.get(notation)
    if card is None:
        raise malformed("not_a_card", text=notation[:40])
    return card


def symbol(card: int) -> int:
    """A card's symbol, an index in SYMBOLS."""
    return card % len(SYMBOLS)


def _pack(parasol: str, yin_yang: str, lotus: str) -> tuple[int, ...]:
    rows = zip((parasol, yin_yang, lotus), SYMBOLS, strict=True)
    return tuple(sorted(card_of(f"{letters}:{mark}") for row, mark in rows for letters in row.split()))


PACKS: dict[str, tuple[int, ...]] = {
    "en": _pack(
        "I O T R S N L E E A C D U W/X G/H",
        "I O T R S N L E A A P M U B/F Q/Z",
        "I O T R S N L E A C D P M K/V J/Y",
    ),
    "fr": _pack(
        "E E I R A T N O U L C M D B/H W/X",
        "E E I R A T N O U L S C P Q/Y J/K",
        "E I I R R A T N O S M P D G/Z F/V",
    ),
}
"""The 45 cards of each language, ascending; equal cards are interchangeable (TC-2)."""

COMMONEST: dict[str, str] = {
    "en": "eairtnolscudpmyhgbfvwkxzqj",
    "fr": "eiratnoulscmpdgbhfvqxyjkzw",
}
"""The letters by the share of headwords that contain them, the commonest first (TC-31)."""


def commonest(cards: Sequence[int], language: str) -> int:
    """The index of the card that holds the letter on most of the cards (TC-31).

    A double card counts for both its letters; of equal letters the one that more headwords contain, then the card
    that was turned first.
    """
    held = [LETTERS_OF[card] for card in cards]
    order = COMMONEST[language]
    best = max(order, key=lambda letter: (sum(letter in letters for letters in held), -order.index(letter)))
    return next(index for index, letters in enumerate(held) if best in letters)


def by_symbol(cards: Sequence[int]) -> list[tuple[int, ...]]:
    """The cards of each symbol, in the order turned: the most common symbol first, on a tie P, Y, L (TC-37)."""
    found = [tuple(card for card in cards if symbol(card) == mark) for mark in range(len(SYMBOLS))]
    return sorted(found, key=len, reverse=True)
