"""Cards as people read them: `10♥`, a hand grouped by suits; with the letters of the packs in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from domain.game import Game
from domain.scene import Zone
from service.text import Texts

RANKS = frozenset("A23456789TJQK")
SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
SYMBOLS = {"P": "☂", "Y": "☯", "L": "❀"}  # parasol, yin yang, lotus
JOKERS = {f"X{number}": f"★{number}" for number in range(1, 5)}
_TOGETHER = re.compile(r"(?:[A2-9TJQK][SHDC]|X[1-4]){2,}")
GAP = "  "  # between the suits of a hand

LETTERS: dict[str, Mapping[str, str]] = {"fr": {"K": "R", "Q": "D", "J": "V"}}
"""What stands on a pack's court cards where it is not A K Q J, by language: a letter means one rank everywhere. (Packs
of French suits have A K Q J in Spanish, Hindi and Nepali, too.)"""
FACES = "".join(sorted({"A", *"23456789", "J", "Q", "K", *(one for more in LETTERS.values() for one in more.values())}))
"""Every character that a rank of one character is shown by, in whatever language."""


def suit(code: str) -> str:
    """The symbol of a suit's letter."""
    return SUITS.get(code, code)


def letters(texts: Texts) -> Mapping[str, str]:
    """The letters of court cards in the language of `texts`, by those of the notation, where they are not the same."""
    return LETTERS.get(texts.language.partition("_")[0], {})


def card(texts: Texts, notation: str) -> str:
    """`TH` as `10♥`, a joker (`X1`) as `★1`, a letter card (`W/X:L`) as `W/X❀`; anything else as it is."""
    printed, colon, symbol = notation.partition(":")
    if colon and symbol in SYMBOLS:
        return printed + SYMBOLS[symbol]
    rank, letter = notation[:-1], notation[-1:]
    if letter not in SUITS or rank not in RANKS:
        return JOKERS.get(notation, notation)
    return ("10" if rank == "T" else letters(texts).get(rank, rank)) + SUITS[letter]


def row(texts: Texts, notations: Iterable[str]) -> str:
    """Several cards, `A♠ 10♥`; such as are written together stay so, `4♥5♥6♥ 7♠7♦7♣`."""
    return " ".join(_together(texts, notation) for notation in notations)


def _together(texts: Texts, notation: str) -> str:
    if not _TOGETHER.fullmatch(notation):
        return card(texts, notation)
    return "".join(card(texts, notation[at : at + 2]) for at in range(0, len(notation), 2))


def hand(texts: Texts, zone: Zone) -> str:
    """The cards of a zone, a wider gap where its groups begin: `A♠ K♠ 7♠  Q♥`."""
    shown = [card(texts, placed.card) for placed in zone.cards]
    starts = set(zone.groups) - {0}
    return "".join((GAP if index in starts else " " if index else "") + text for index, text in enumerate(shown))


def move(texts: Texts, notation: str) -> str:
    """A move as people read it, its cards with their suits: `discard 5♥`; of a card that is played the card alone."""
    return row(texts, notation.removeprefix("play ").split())


def opened(texts: Texts, rules: Game, found: Sequence[int]) -> str:
    """Cards that were shown, given as numbers in ascending order: high ones first, `A♠ 10♠`."""
    return row(texts, (rules.card_name(number) for number in reversed(found)))
