"""CH-30 to CH-34: what a meld is, the ace, the chinchón, and the best arrangement of a hand."""

from __future__ import annotations

import pytest

from domain import cards
from domain.games.chinchon import melds
from domain.games.chinchon.options import Options
from tests.domain.chinchon.positions import hand, row

SOURCE = Options()


@pytest.mark.parametrize("some", ["KS KC KH", "6D 6H 6C 6S", "4H 5H 6H 7H", "TS JS QS", "AS 2S 3S", "QD KD AD"])
def test_ch_30_and_31_the_melds_of_the_source(some: str) -> None:
    assert melds.is_meld(hand(some), SOURCE)


@pytest.mark.parametrize(
    "some", ["KS KC", "4H 5H", "4H 5H 6S", "4H 5H 7H", "KS KC QH", "3H 4H 5H 6H 7H", "KD AD 2D", ""]
)
def test_ch_30_and_31_what_is_no_meld(some: str) -> None:
    assert not melds.is_meld(hand(some), SOURCE)


def test_ch_30_meld_max_allows_longer_runs_but_no_larger_sets() -> None:
    assert melds.is_meld(hand("3H 4H 5H 6H 7H"), Options(meld_max=5))
    assert not melds.is_meld(hand("3H 4H 5H 6H 7H 8H"), Options(meld_max=5))
    assert melds.is_meld(hand("3H 4H 5H 6H 7H 8H 9H"), Options(meld_max=7))
    assert not melds.is_meld(hand("6D 6H 6C 6S X1"), Options(meld_max=7, jokers=1))


def test_ch_30_in_a_short_pack_the_neighbours_are_those_that_are_there() -> None:
    assert melds.is_meld(hand("6H 7H JH"), Options(deck="40"))
    assert melds.is_meld(hand("8H 9H JH"), Options(deck="48"))
    assert not melds.is_meld(hand("9H JH QH"), SOURCE)
    assert melds.is_meld(hand("QH KH AH"), Options(deck="40"))


def test_ch_31_the_ace_is_low_alone_where_the_option_says_so() -> None:
    assert not melds.is_meld(hand("QD KD AD"), Options(ace="low"))
    assert melds.is_meld(hand("AD 2D 3D"), Options(ace="low"))
    assert melds.is_meld(hand("AD AH AS"), Options(ace="low"))


@pytest.mark.parametrize(
    ("some", "meld"),
    [
        ("5H X1 7H", True),
        ("5H 6H X2", True),
        ("QH KH X1", True),
        ("8S 8H 8D X1", True),
        ("8S 8H X1", True),
        ("5H X1 X2", False),
        ("5H X1 8H", False),
        ("5H X1 7S", False),
        ("5H X1", False),
    ],
)
def test_a_joker_stands_for_one_card_of_a_meld(some: str, meld: bool) -> None:
    assert melds.is_meld(hand(some), Options(jokers=2)) == meld


@pytest.mark.parametrize("suit", "SHDC")
@pytest.mark.parametrize("low", range(8))
def test_ch_33_seven_in_a_row_of_a_suit_are_a_chinchon(suit: str, low: int) -> None:
    """A run with the ace low was not recognised, and the log was gone (pokerth/pokerth#369)."""
    ranks = "A23456789TJQKA"[low : low + 7]
    assert melds.is_chinchon(hand(" ".join(rank + suit for rank in ranks)), SOURCE)


@pytest.mark.parametrize(
    "some",
    [
        "TH JH QH KH AH 2H 3H",
        "AS 2S 3S X1 5S 6S 7S",
        "2H 3H 4H 5H 6H 7H 8S",
        "2H 3H 4H 5H 6H 7H",
        "2H 3H 4H 5H 6H 7H 9H",
    ],
)
def test_ch_33_not_round_the_corner_nor_with_a_joker(some: str) -> None:
    assert not melds.is_chinchon(hand(some), Options(jokers=2))


def test_ch_33_under_ace_low_and_in_short_packs() -> None:
    assert not melds.is_chinchon(hand("8H 9H TH JH QH KH AH"), Options(ace="low"))
    assert melds.is_chinchon(hand("4H 5H 6H 7H JH QH KH"), Options(deck="40"))
    assert melds.is_chinchon(hand("5H 6H 7H JH QH KH AH"), Options(deck="40"))


@pytest.mark.parametrize(
    ("held", "points"),
    [
        ("2S 3D 4C 5H 6S 8D 9C", 37),
        ("TS JD QC KH AS 2D 4C", 56),
        ("3H 4H 5H 6H 7H 7S 7D", 0),
        ("7H 8H 9H 9S 9D KC KD", 35),
        ("3H 4H 5H 3S 3D TC TD", 26),
        ("AH 2H 3H KH QH AS AD", 25),
        ("4H 5H 6H 7H 8H 9H 9S", 9),
        ("3H 4H 5H 6H 7H 9S JD", 22),
        ("2H 3H 4H 5H 6H 7H 8H", 0),
    ],
)
def test_ch_34_the_arrangement_with_the_fewest_points_counts(held: str, points: int) -> None:
    laid = melds.arrangement(hand(held), SOURCE)
    assert laid.points == points
    assert laid.points == sum(melds.value(card, SOURCE) for card in cards.cards(laid.loose))
    assert laid.complete == (points == 0)


def test_ch_34_the_value_of_the_ace_and_of_a_joker_are_options() -> None:
    assert melds.arrangement(hand("AS 3D 5C"), SOURCE).points == 18
    assert melds.arrangement(hand("AS 3D 5C"), Options(ace_value=1)).points == 9
    assert melds.arrangement(hand("X1 3D 5C"), Options(jokers=2)).points == 33
    assert melds.arrangement(hand("X1 3D 5C"), Options(jokers=2, joker_value=50)).points == 58


def test_ch_34_of_equal_points_the_one_with_fewer_loose_cards_counts() -> None:
    options = Options(ace_value=1, jokers=1, joker_value=1)
    laid = melds.arrangement(hand("2S 2H 2D 2C AS AH AD"), options)
    assert laid.complete


def test_ch_32_two_melds_may_touch() -> None:
    laid = melds.arrangement(hand("4H 5H 6H 7H 8H 9H KS"), SOURCE)
    assert len(laid.melds) == 2
    assert laid.loose == hand("KS")


def test_a_hand_of_eight_is_laid_out_too() -> None:
    assert melds.arrangement(hand("2H 3H 4H 5H 9S 9H 9D 9C"), SOURCE).complete


@pytest.mark.parametrize(
    ("meld", "shown"),
    [
        ("3S AS 2S", "AS 2S 3S"),
        ("QD AD KD", "QD KD AD"),
        ("7H 5H X1", "5H X1 7H"),
        ("6H 5H X2", "X2 5H 6H"),
        ("KH QH X1", "X1 QH KH"),
        ("8D 8S X1 8C", "8S 8D 8C X1"),
    ],
)
def test_a_meld_is_laid_down_in_order_with_the_joker_where_it_stands(meld: str, shown: str) -> None:
    order = melds.in_order(hand(meld), Options(jokers=2, ace="both"))
    assert order == row(shown)
