"""TC-1, TC-2, TC-31, TC-37: the cards."""

from __future__ import annotations

from collections import Counter

import pytest

from domain.games.taichi.deck import COMMONEST, LETTERS_OF, PACKS, by_symbol, card_of, commonest, name, names, symbol
from domain.rejected import Rejected

both_languages = pytest.mark.parametrize("language", list(PACKS))


def _cards(told: str) -> tuple[int, ...]:
    return tuple(map(card_of, told.split()))


@both_languages
def test_there_are_45_cards_15_of_each_symbol_and_every_letter(language: str) -> None:
    pack = PACKS[language]
    assert len(pack) == 45
    assert Counter(map(symbol, pack)) == {0: 15, 1: 15, 2: 15}
    assert sum(len(LETTERS_OF[card]) == 2 for card in pack) == 6
    assert {letter for card in pack for letter in LETTERS_OF[card]} == set("abcdefghijklmnopqrstuvwxyz")


def test_the_english_deck_is_the_one_of_the_rules() -> None:
    rows = {mark: Counter(LETTERS_OF[card] for card in PACKS["en"] if symbol(card) == mark) for mark in range(3)}
    assert rows[0] == Counter(["i", "o", "t", "r", "s", "n", "l", "e", "e", "a", "c", "d", "u", "wx", "gh"])
    assert rows[1] == Counter(["i", "o", "t", "r", "s", "n", "l", "e", "a", "a", "p", "m", "u", "bf", "qz"])
    assert rows[2] == Counter(["i", "o", "t", "r", "s", "n", "l", "e", "a", "c", "d", "p", "m", "kv", "jy"])


def test_the_french_deck_is_made_of_the_letters_of_french_words() -> None:
    singles = Counter(LETTERS_OF[card] for card in PACKS["fr"] if len(LETTERS_OF[card]) == 1)
    assert singles == Counter(e=5, i=4, r=4, a=3, t=3, n=3, o=3, u=2, l=2, s=2, c=2, m=2, p=2, d=2)


@both_languages
def test_the_letters_by_frequency_are_all_of_them_once(language: str) -> None:
    assert sorted(COMMONEST[language]) == sorted("abcdefghijklmnopqrstuvwxyz")


def test_a_card_reads_back_from_its_notation() -> None:
    for pack in PACKS.values():
        assert tuple(map(card_of, names(pack))) == pack
    assert name(card_of("W/X:P")) == "W/X:P"


@pytest.mark.parametrize("text", ["", "S", "S:Q", "s:P", "X/W:P", "S:P "])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(Rejected, match="not_a_card"):
        card_of(text)


@pytest.mark.parametrize(
    ("cards", "taken"),
    [
        ("S:P T:Y A:L A:Y", 2),  # two A
        ("S:P T:Y E:L", 2),  # e comes before s and t
        ("T:P S:Y", 0),  # t before s
        ("B/F:Y S:P G/H:P", 1),  # s before h, g, b, f
        ("S:P W/X:P S:L", 0),  # the card that was turned first
        ("G/H:P B/F:Y", 0),  # h before g, b, f
        ("W/X:P K/V:L J/Y:L", 2),  # y before v, w, k, x, j
    ],
)
def test_the_commonest_letter_is_that_on_most_cards_then_that_in_most_words(cards: str, taken: int) -> None:
    assert commonest(_cards(cards), "en") == taken


def test_the_order_of_letters_is_that_of_the_language() -> None:
    assert commonest(_cards("U:P L:Y"), "en") == 1
    assert commonest(_cards("U:P L:Y"), "fr") == 0


@pytest.mark.parametrize(
    ("cards", "order"),
    [
        ("S:P T:Y A:L A:Y R:Y C:L", "T:Y A:Y R:Y | A:L C:L | S:P"),
        ("S:L T:Y A:P", "A:P | T:Y | S:L"),  # parasol, yin yang, lotus on a tie
        ("S:L", "S:L | |"),
    ],
)
def test_symbols_come_by_the_number_of_their_cards(cards: str, order: str) -> None:
    assert [names(row) for row in by_symbol(_cards(cards))] == [row.split() for row in order.split("|")]
