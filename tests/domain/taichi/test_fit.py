"""TC-21 to TC-24: which words fit the open cards, and what is said of one that does not."""

from __future__ import annotations

import itertools
import random

import pytest

from domain.games.taichi import fit
from domain.games.taichi.deck import LETTERS_OF, PACKS, card_of
from domain.rejected import Rejected
from tests.domain.taichi.lexicon import WORDS


def _cards(told: str) -> tuple[int, ...]:
    return tuple(map(card_of, told.split()))


@pytest.mark.parametrize(
    ("word", "cards"),
    [
        ("south", "S:P"),
        ("site", "S:P T:Y"),
        ("satellite", "S:P T:Y A:L"),
        ("satisfactory", "S:P T:Y A:L A:Y"),
        ("satisfactory", "S:P T:Y S:L"),
        ("man", "M:Y"),
        ("mixer", "M:Y W/X:P"),
        ("meltdown", "M:Y W/X:P N:L"),
        ("window", "W/X:P W:P"),  # the two of them for two cards
        ("xerox", "W/X:P R:Y"),
        ("window", "W/X:P N:Y"),  # either letter of the first card begins the word
    ],
)
def test_these_words_fit(word: str, cards: str) -> None:
    assert fit.fits(word, _cards(cards))
    fit.check(word, _cards(cards))


@pytest.mark.parametrize(
    ("word", "cards", "code", "clause", "letters"),
    [
        ("riden", "M:Y W/X:P N:L", "wrong_initial", "TC-21", "M"),
        ("sun", "W/X:P", "wrong_initial", "TC-21", "W/X"),
        ("man", "M:Y W/X:P", "letter_missing", "TC-22", "W/X"),
        ("sun", "S:P T:Y", "letter_missing", "TC-22", "T"),
        ("stare", "S:P T:Y S:L", "letter_short", "TC-23", "S"),
        ("win", "W/X:P W:Y", "letter_short", "TC-23", "W"),
        ("sugar", "S:P A:Y A:L", "letter_short", "TC-23", "A"),
    ],
)
def test_what_is_wrong_is_named(word: str, cards: str, code: str, clause: str, letters: str) -> None:
    assert not fit.fits(word, _cards(cards))
    with pytest.raises(Rejected) as refusal:
        fit.check(word, _cards(cards))
    assert (refusal.value.code, refusal.value.clause) == (code, clause)
    assert refusal.value.values["letters"] == letters


def _fits_plainly(word: str, cards: tuple[int, ...]) -> bool:
    """TC-24 as written down: for some choice of letters, the initial is right and each is there often enough."""
    for choice in itertools.product(*(LETTERS_OF[card] for card in cards)):
        if word[0] == choice[0] and all(word.count(letter) >= choice.count(letter) for letter in set(choice)):
            return True
    return False


def test_fitting_is_what_the_rule_says_for_random_cards_and_words() -> None:
    rng = random.Random(5)
    fitting = 0
    for _ in range(3000):
        cards = tuple(rng.sample(PACKS[rng.choice(("en", "fr"))], rng.randint(1, 4)))
        word = rng.choice(WORDS)
        expected = _fits_plainly(word, cards)
        fitting += expected
        assert fit.fits(word, cards) == expected
        if expected:
            fit.check(word, cards)
        else:
            with pytest.raises(Rejected):
                fit.check(word, cards)
    assert fitting > 20
