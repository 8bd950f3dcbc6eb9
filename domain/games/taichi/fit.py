"""Whether a word fits the open cards (TC-21 to TC-24), and if not, what is wrong with it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from domain.games.taichi.deck import LETTERS_OF
from domain.rejected import Rejected


def fits(word: str, cards: Sequence[int]) -> bool:
    """Whether the word begins with the first card's letter and holds the letters of all cards, each once a card."""
    return any(word.startswith(choice[0]) and not any(_missing(word, choice)) for choice in _choices(cards))


def check(word: str, cards: Sequence[int]) -> None:
    """Refuses a word that does not fit: `wrong_initial`, `letter_missing`, `letter_short` (it is there, too seldom)."""
    if fits(word, cards):
        return
    initials = LETTERS_OF[cards[0]]
    if word[:1] not in tuple(initials):
        raise Rejected("wrong_initial", clause="TC-21", word=word, letters=_shown(initials))
    choices = (choice for choice in _choices(cards) if word.startswith(choice[0]))
    nearest = min(choices, key=lambda choice: len(list(_missing(word, choice))))
    letter = next(_missing(word, nearest))
    card = next(LETTERS_OF[card] for card, chosen in zip(cards, nearest, strict=True) if chosen == letter)
    if letter not in word:
        raise Rejected("letter_missing", clause="TC-22", word=word, letters=_shown(card))
    needed = nearest.count(letter)
    raise Rejected("letter_short", clause="TC-23", word=word, letters=_shown(letter), times=needed)


def _choices(cards: Sequence[int]) -> Iterator[tuple[str, ...]]:
    """Every way to choose a letter of each card (TC-24)."""
    return itertools.product(*(LETTERS_OF[card] for card in cards))


def _missing(word: str, choice: tuple[str, ...]) -> Iterator[str]:
    """The letters that the word does not hold as often as the cards want (TC-23), in the order turned."""
    return (letter for letter in dict.fromkeys(choice) if word.count(letter) < choice.count(letter))


def _shown(letters: str) -> str:
    return "/".join(letters.upper())
