"""Cards as people read them: `10♥`, a hand grouped by suits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from domain.game import Game
from domain.scene import Zone

RANKS = frozenset("A23456789TJQK")
SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
SYMBOLS = {"P": "☂", "Y": "☯", "L": "❀"}  # parasol, yin yang, lotus
JOKERS = {f"X{number}": f"★{number}" for number in range(1, 5)}
_TOGETHER = re.compile(r"(?:[A2-9TJQK][SHDC]|X[1-4]){2,}")
GAP = "  "  # between the suits of a hand


def suit(code: str) -> str:
    """The symbol of a suit's letter."""
    return SUITS.get(code, code)


def card(notation: str) -> str:
    """`TH` as `10♥`, a joker (`X1`) as `★1`, a letter card (`W/X:L`) as `W/X❀`; anything else as it is."""
    letters, colon, symbol = notation.partition(":")
    if colon and symbol in SYMBOLS:
        return letters + SYMBOLS[symbol]
    rank, letter = notation[:-1], notation[-1:]
    if letter not in SUITS or rank not in RANKS:
        return JOKERS.get(notation, notation)
    return ("10" if rank == "T" else rank) + SUITS[letter]


def row(notations: Iterable[str]) -> str:
    """Several cards, `A♠ 10♥`; such as are written together stay so, `4♥5♥6♥ 7♠7♦7♣`."""
    return " ".join(_together(notation) for notation in notations)


def _together(notation: str) -> str:
    if not _TOGETHER.fullmatch(notation):
        return card(notation)
    return "".join(card(notation[at : at + 2]) for at in range(0, len(notation), 2))


def hand(zone: Zone) -> str:
    """The cards of a zone, a wider gap where its groups begin: `A♠ K♠ 7♠  Q♥`."""
    shown = [card(placed.card) for placed in zone.cards]
    starts = set(zone.groups) - {0}
    return "".join((GAP if index in starts else " " if index else "") + text for index, text in enumerate(shown))


def move(notation: str) -> str:
    """A move as people read it, its cards with their suits: `discard 5♥`; of a card that is played the card alone."""
    return row(notation.removeprefix("play ").split())


def opened(rules: Game, found: Sequence[int]) -> str:
    """Cards that were shown, given as numbers in ascending order: high ones first, `A♠ 10♠`."""
    return row(rules.card_name(number) for number in reversed(found))
