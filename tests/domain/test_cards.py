"""Cards: numbers, masks and notation, and how forgiving input is."""

from __future__ import annotations

import pytest

from domain import cards
from domain.cards import card_of, mask, read_card
from domain.game import Rejected

EVERYTHING = mask(range(52))


def test_a_card_is_its_suit_and_rank() -> None:
    assert [cards.name(card) for card in (0, 12, 13, 25, 51, 52, 55)] == ["2S", "AS", "2H", "AH", "AC", "X1", "X4"]
    for card in range(52):
        assert cards.name(card) == cards.RANKS[cards.rank(card)] + cards.SUITS[cards.suit(card)]
        assert card_of(cards.name(card)) == card


def test_hands_are_masks_in_ascending_order() -> None:
    assert cards.cards(mask([51, 3, 17])) == (3, 17, 51)
    assert cards.cards(0) == ()
    assert cards.names(mask([12, 0])) == ["2S", "AS"]


@pytest.mark.parametrize("text", ["", "QX", "qs", "10H", "Q", "S", "QSS", " QS", "X5", "1S", "♠Q"])
def test_exact_notation_is_exact(text: str) -> None:
    with pytest.raises(Rejected, match="not_a_card") as refusal:
        card_of(text)
    assert refusal.value.kind == "malformed"


@pytest.mark.parametrize(
    "text",
    [
        "QS",
        "qs",
        " q s ",
        "Q♠",
        "♠Q",
        "q♠\ufe0f",
        "Q♤",
        "queen of spades",
        "Queen Spades",
        "QUEEN-OF-SPADE",
        "q_s",
        "Qs",
    ],
)
def test_a_person_may_write_a_card_in_many_ways(text: str) -> None:
    assert read_card(text, 0) == card_of("QS")


@pytest.mark.parametrize(
    ("text", "card"),
    [("10h", "TH"), ("10♥", "TH"), ("♥10", "TH"), ("ten of hearts", "TH"), ("two clubs", "2C"), ("jack♦", "JD")],
)
def test_ten_has_three_names(text: str, card: str) -> None:
    assert read_card(text, EVERYTHING) == card_of(card)


def test_a_rank_alone_means_the_one_card_of_that_rank_in_hand() -> None:
    assert read_card("queen", mask([card_of("QD"), card_of("KD")])) == card_of("QD")
    assert read_card("10", mask([card_of("TC")])) == card_of("TC")


def test_a_rank_alone_is_ambiguous_with_two_of_them_and_lists_both() -> None:
    with pytest.raises(Rejected, match="which_card") as refusal:
        read_card("q", mask([card_of("QD"), card_of("QS"), card_of("2S")]))
    assert refusal.value.kind == "ambiguous"
    assert refusal.value.values == {"candidates": ["QS", "QD"]}


def test_a_rank_alone_that_is_not_held_is_no_card() -> None:
    with pytest.raises(Rejected, match="not_a_card"):
        read_card("queen", mask([card_of("KD")]))


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "of",
        "spades",
        "S",
        "11S",
        "1S",
        "0H",
        "Q♠♠",
        "К♠",
        "АS",
        "😀",
        "Q\x00S",
        "QS QH",
        "x" * 10_000,
    ],
)
def test_what_is_no_card_is_refused_and_not_repeated_at_length(text: str) -> None:
    with pytest.raises(Rejected, match="not_a_card") as refusal:
        read_card(text, EVERYTHING)
    assert refusal.value.kind == "malformed"
    assert len(refusal.value.values["text"]) <= 40
