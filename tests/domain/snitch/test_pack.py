"""SN-2, SN-11, SN-12, SN-50: the cards, which make a set, which join one, and what they are worth."""

from __future__ import annotations

from collections import Counter

import pytest

from domain import cards
from domain.cards import card_of
from domain.game import Setup
from domain.games.snitch import SNITCH, pack
from domain.games.snitch.options import Options
from tests.domain.snitch.positions import row


def test_sn_2_two_packs_and_four_jokers() -> None:
    found = Counter(SNITCH.packs(Setup(Options(), 3, 0, 1))["deal:1"])
    assert sum(found.values()) == 108
    assert {found[card] for card in cards.PACK} == {2}
    assert [found[card_of(name)] for name in ("X1", "X2", "X3", "X4")] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("ranks", "count", "each"), [("3456789", 56, 5), ("TJQK", 32, 10), ("A", 8, 15), ("2", 8, 20), ("X", 4, 50)]
)
def test_sn_2_what_each_rank_is_worth_and_how_many_there_are(ranks: str, count: int, each: int) -> None:
    found = [card for card in pack.PACK if cards.name(card)[0] in ranks]
    assert len(found) == count
    assert {pack.POINTS[card] for card in found} == {each}


def test_sn_2_exactly_twos_and_jokers_are_wild() -> None:
    wild = [card for card in pack.PACK if pack.RANK[card] == pack.WILD]
    assert len(wild) == 12
    assert {cards.name(card)[0] for card in wild} == {"2", "X"}


def test_sn_11_a_pair_is_of_a_rank_or_has_one_wild_card() -> None:
    for one in cards.NAMES:
        for other in cards.NAMES:
            wild = sum(name[0] in "2X" for name in (one, other))
            due = wild == 1 or (wild == 0 and one[0] == other[0])
            assert pack.is_pair(card_of(one), card_of(other)) == due, (one, other)


@pytest.mark.parametrize("pair", ["9D 2S", "AS X1", "2S 9D", "X1 AS"])
def test_sn_11_a_set_is_written_with_its_natural_card_first(pair: str) -> None:
    first, _ = pack.in_order(*row(pair))
    assert pack.RANK[first] != pack.WILD


def test_sn_6_suits_order_a_set_as_it_is_written_and_mean_nothing_else() -> None:
    assert pack.in_order(*row("5C 5H")) == pack.in_order(*row("5H 5C")) == row("5H 5C")


def test_sn_12_a_card_joins_a_set_of_its_rank_and_a_wild_one_joins_any() -> None:
    kings = row("KS 2H KD X1")
    assert [name for name in cards.NAMES if pack.joins(card_of(name), kings)] == [
        *("2S", "KS", "2H", "KH", "2D", "KD", "2C", "KC", "X1", "X2", "X3", "X4")
    ]


def test_sn_50_the_sources_examples() -> None:
    assert sum(pack.points(row(laid)) for laid in ("9S 9H", "TS 2H", "AS X1")) == 10 + 30 + 65
    assert pack.points(row("KC KD KS 2S X2")) == 100


def test_sn_72_the_order_in_which_the_clock_throws_cards_away() -> None:
    order = sorted(range(pack.SIZE), key=pack.THROW.__getitem__)
    names = [cards.name(card) for card in order]
    assert names[:6] == ["3S", "3H", "3D", "3C", "4S", "4H"]
    assert [pack.POINTS[card] for card in order] == sorted(pack.POINTS)
    assert names[28] == "TS"
    assert names[-9:] == ["AC", "2S", "2H", "2D", "2C", "X1", "X2", "X3", "X4"]
