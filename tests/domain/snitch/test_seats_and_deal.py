"""SN-1, SN-3, SN-4: seats, the deal, who begins, who deals next."""

from __future__ import annotations

import pytest

from domain.cards import card_of
from domain.commands import AddComputer, Start
from domain.events import Started
from domain.game import Deal, Rejected, Setup
from domain.games.snitch import SNITCH, rules
from domain.games.snitch.options import Options
from domain.games.snitch.pack import PACK
from domain.games.snitch.state import HAND, TurnedUp, evolve, start
from domain.shuffle import Given
from tests.domain.play import lobby, started
from tests.domain.snitch.positions import listed, standing

DECK = tuple(reversed(PACK))


@pytest.mark.parametrize("seats", range(3, 9))
def test_sn_3_three_cards_each_one_turned_the_rest_is_the_stock(seats: int) -> None:
    state = start(Setup(Options(), seats, seats - 1, 1), Given({"deal:1": DECK}))
    assert state.hands is not None
    assert state.stock is not None
    for seat in range(seats):
        assert state.hands[seat] == tuple(sorted(DECK[seat + seats * turn] for turn in range(HAND)))
    assert state.discards == (DECK[3 * seats],)
    assert state.stock == DECK[3 * seats + 1 :]
    assert state.left == 108 - 3 * seats - 1
    assert rules.opening(state) == (TurnedUp(DECK[3 * seats]),)


def test_sn_3_a_wild_card_that_is_turned_stays() -> None:
    deck = (*(card for card in PACK if card != card_of("X1")), card_of("X1"))
    turned = (*deck[:9], card_of("X1"), *deck[9:-1])
    state = start(Setup(Options(), 3, 2, 1), Given({"deal:1": turned}))
    assert state.discards == (card_of("X1"),)
    assert "discard" in {move.split()[0] for move in listed(state)}


def test_sn_3_without_the_seed_counts_are_known_and_no_card_but_the_turned_one() -> None:
    state = start(Setup(Options(), 4, 0, 1), None)
    assert (state.hands, state.stock, state.discards) == (None, None, ())
    assert state.counts == (3, 3, 3, 3)
    assert evolve(state, TurnedUp(5)).discards == (5,)
    assert rules.legal(state, 1) == ()


@pytest.mark.parametrize(("dealer", "first"), [(0, 1), (1, 2), (3, 0)])
def test_sn_4_left_of_the_dealer_begins_and_gets_the_first_card(dealer: int, first: int) -> None:
    state = start(Setup(Options(), 4, dealer, 1), Given({"deal:1": DECK}))
    assert (state.turn, state.awaits) == (first, first)
    assert state.hands is not None
    assert DECK[0] in state.hands[first]


def test_sn_4_who_is_not_dealt_in_has_no_cards_and_no_turn() -> None:
    state = start(Setup(Options(), 4, 1, 1, playing=(0, 1, 3)), Given({"deal:1": DECK}))
    assert state.counts == (3, 3, 0, 3)
    assert state.turn == 3
    assert state.hands is not None
    assert state.hands[2] == ()


def test_sn_4_the_first_dealer_is_drawn_and_not_named() -> None:
    with pytest.raises(Rejected, match="dealer_is_drawn"):
        lobby("snitch", seats=3).do("person:ann", Start(1))
    dealers = set()
    for number in range(40):
        begun = next(event for event in started("snitch", str(number), seats=4).events if isinstance(event, Started))
        assert begun.how == "random"
        dealers.add(begun.dealer)
    assert dealers == {0, 1, 2, 3}


def test_sn_4_the_deal_moves_left_each_round() -> None:
    assert rules.next_deal(standing(0, 0, 0, dealer=1)) == Deal(2, (0, 1, 2))
    assert rules.next_deal(standing(0, 0, 0, dealer=2)) == Deal(0, (0, 1, 2))
    assert rules.next_deal(standing(0, 0, 0, 0, dealer=1, left=[2])) == Deal(3, (0, 1, 3))


def test_sn_1_three_to_eight_players() -> None:
    two = lobby("snitch", seats=2)
    with pytest.raises(Rejected, match="need_more_players"):
        two.do("person:ann", Start())
    eight = lobby("snitch", seats=8)
    with pytest.raises(Rejected, match="table_full"):
        eight.do("person:ann", AddComputer())
    eight.do("person:ann", Start())
    assert SNITCH.seats == (3, 8)
    assert eight.state.phase == "playing"
