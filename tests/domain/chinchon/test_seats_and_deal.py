"""CH-10 to CH-15: seats, the pack, the first dealer, the deal, who begins, who deals next."""

from __future__ import annotations

import pytest

from domain import cards
from domain.cards import card_of
from domain.commands import AddComputer, Start
from domain.events import Dealt, Started
from domain.game import FirstDealer, Rejected, Setup
from domain.games.chinchon import CHINCHON, melds, rules
from domain.games.chinchon.events import TurnedUp
from domain.games.chinchon.options import Options
from domain.games.chinchon.state import start
from domain.shuffle import Given, Seeded
from tests.domain.chinchon.positions import row, standing
from tests.domain.play import lobby, started


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ch_10_two_to_four_can_play(seats: int) -> None:
    assert started("chinchon", seats=seats, persons=1).state.phase == "playing"


def test_ch_10_one_cannot_play_and_a_fifth_finds_no_seat() -> None:
    alone = lobby("chinchon", seats=1)
    with pytest.raises(Rejected, match="need_more_players"):
        alone.do(alone.state.host, Start())
    full = lobby("chinchon", seats=4, persons=1)
    with pytest.raises(Rejected, match="table_full"):
        full.do(full.state.host, AddComputer())


@pytest.mark.parametrize(
    ("options", "number", "absent"),
    [
        (Options(), 52, ""),
        (Options(deck="48"), 48, "TS TH TD TC"),
        (Options(deck="40"), 40, "8S 9H TD TC"),
        (Options(jokers=2), 54, ""),
        (Options(deck="40", jokers=1), 41, "X2"),
    ],
)
def test_ch_11_the_pack_is_that_of_the_options(options: Options, number: int, absent: str) -> None:
    pack = melds.pack(options)
    assert len(set(pack)) == number
    assert not set(row(absent)) & set(pack)
    assert ("X1" in map(cards.name, pack)) == (options.jokers > 0)


def _first(draws: str, seats: int, options: Options | None = None) -> FirstDealer:
    chosen = options or Options()
    drawn = row(draws)
    rest = tuple(card for card in melds.pack(chosen) if card not in drawn)
    return CHINCHON.first_dealer(chosen, seats, Given({"dealer": (*drawn, *rest)}))


def test_ch_12_the_first_to_draw_a_seven_deals() -> None:
    assert _first("KH 2C JD 9S 7D 7S", 3) == FirstDealer("seven", 1, row("KH 2C JD 9S 7D"))
    assert _first("7H", 2) == FirstDealer("seven", 0, row("7H"))
    assert _first("X1 7H", 4, Options(jokers=2)).seat == 1


def test_ch_12_or_any_seat_where_the_option_says_so() -> None:
    given = Given({"dealer": (2, 0, 1)})
    assert CHINCHON.first_dealer(Options(first_dealer="random"), 3, given) == FirstDealer("random", 2)


def test_ch_12_the_draws_are_recorded_and_nobody_names_the_dealer() -> None:
    sitting = started("chinchon", seats=3)
    begun = next(event for event in sitting.events if isinstance(event, Started))
    assert begun.how == "seven"
    assert cards.name(begun.draws[-1])[0] == "7"
    assert not any(cards.name(card)[0] == "7" for card in begun.draws[:-1])
    assert begun.dealer == (len(begun.draws) - 1) % 3
    named = lobby("chinchon", seats=3)
    with pytest.raises(Rejected, match="dealer_is_drawn"):
        named.do(named.state.host, Start(1))


@pytest.mark.parametrize(("seats", "stock"), [(2, 37), (3, 30), (4, 23)])
def test_ch_13_seven_cards_each_one_at_a_time_then_one_is_turned_up(seats: int, stock: int) -> None:
    deck = cards.PACK
    state = start(Setup(Options(), seats, 0, 1), Given({"deal:1": deck}))
    assert state.hands is not None
    assert state.hands[1] == cards.mask(deck[0 : 7 * seats : seats])
    assert state.hands[0] == cards.mask(deck[seats - 1 : 7 * seats : seats])
    assert state.pile == (deck[7 * seats],)
    assert state.stock == deck[7 * seats + 1 :]
    assert state.left == stock
    assert rules.opening(state) == (TurnedUp(deck[7 * seats]),)


def test_ch_13_only_the_seats_that_are_in_are_dealt_cards() -> None:
    deck = cards.PACK
    state = start(Setup(Options(), 4, 3, 1, (1, 3)), Given({"deal:1": deck}))
    assert state.hands == (0, cards.mask(deck[0:14:2]), 0, cards.mask(deck[1:14:2]))
    assert state.turn == 1


def test_ch_13_without_the_seed_the_counts_and_the_card_turned_up_are_known() -> None:
    sitting = started("chinchon", seats=2)
    state = sitting.state.set
    dealt = next(event for event in sitting.events if isinstance(event, Dealt))
    public = start(Setup(state.options, 2, dealt.dealer, 1), None)
    assert public.hands is None
    assert public.stock is None
    assert public.left == 37
    shown = next(event for event in sitting.events if isinstance(event, TurnedUp))
    assert CHINCHON.evolve(public, shown, None).pile == state.pile == (shown.card,)


@pytest.mark.parametrize(("dealer", "first"), [(0, 1), (1, 2), (2, 0)])
def test_ch_14_the_player_at_the_dealers_left_begins_and_it_goes_clockwise(dealer: int, first: int) -> None:
    state = start(Setup(Options(), 3, dealer, 1), Seeded(b"seed", bytes(32)))
    assert state.turn == first
    order = []
    for _ in range(4):
        order.append(state.turn)
        for line in ("draw stock", ""):
            card = cards.cards(state.hands[state.turn])[0] if state.hands else 0
            move = CHINCHON.read(line or f"discard {cards.name(card)}")
            for fact in rules.decide(state, state.turn, move):
                state = CHINCHON.evolve(state, fact, None)
    assert order == [first, (first + 1) % 3, (first + 2) % 3, first]


def test_ch_15_the_next_player_deals_the_next_round() -> None:
    assert rules.next_deal(standing([10, 20, 30], dealer=2)).dealer == 0
    dead = standing([10, 20, 30], dealer=1, outcome="dead", scores=None, cutter=-1)
    assert rules.next_deal(dead).dealer == 2


def test_ch_15_who_has_dropped_out_does_not_deal() -> None:
    deal = rules.next_deal(standing([10, 120, 30], dealer=0, end_mode="elimination"))
    assert (deal.dealer, deal.playing) == (2, (0, 2))
    later = rules.next_deal(standing([10, 120, 30], dealer=2, out=[1], end_mode="elimination"))
    assert (later.dealer, later.playing) == (0, (0, 2))


def test_the_pack_of_a_record_is_dealt_in_its_order() -> None:
    assert card_of("AS") in CHINCHON.packs(Setup(Options(), 2, 0, 3))["deal:3"]
