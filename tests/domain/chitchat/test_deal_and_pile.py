"""CC-1 to CC-5, CC-51 and CC-52: the cards, the deal, the pile that runs out."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import msgspec
import pytest

from domain import cards, table
from domain.commands import Move
from domain.decide import decide
from domain.game import SetEnded, Setup
from domain.games.chitchat import CHITCHAT, rules
from domain.games.chitchat.options import Options
from domain.games.chitchat.pack import KINGS, PACK, VALUE
from domain.games.chitchat.state import Drew, Reshuffled, Set, Turned, evolve, start
from domain.shuffle import NO_MOVES, Given, Seeded
from tests.domain.chitchat.positions import Reversed, after, at, facts_of, hand
from tests.domain.play import PERSONS, started

NAMES = [cards.name(card) for card in PACK]


def _dealt(dealer: int, pack: tuple[int, ...] = PACK, kings: tuple[int, ...] = KINGS) -> Set:
    return start(Setup(Options(), 2, dealer, 1), Given({"deal:1": pack, "pets:1": kings}))


def test_cc_1_the_pack_has_ace_to_six_of_three_suits_twice() -> None:
    assert Counter(NAMES) == {rank + suit: 2 for rank in "A23456" for suit in "SHD"}
    assert [VALUE[cards.card_of(rank + "H")] for rank in "A23456"] == [1, 2, 3, 4, 5, 6]


def test_cc_2_there_is_a_king_a_topic() -> None:
    assert [cards.name(king) for king in KINGS] == ["KS", "KH", "KD"]


def test_cc_3_two_seats_play_and_the_non_dealer_begins() -> None:
    assert CHITCHAT.seats == (2, 2)
    assert [_dealt(dealer).turn for dealer in (0, 1)] == [1, 0]


def test_cc_3_the_first_dealer_is_drawn() -> None:
    found = {rules.first_dealer(Options(), 2, Seeded(bytes([number]), NO_MOVES)).seat for number in range(20)}
    assert found == {0, 1}


@pytest.mark.parametrize("dealer", [0, 1])
def test_cc_4_six_cards_each_one_at_a_time_from_the_non_dealer(dealer: int) -> None:
    pack = PACK[::-1]
    state = _dealt(dealer, pack)
    assert state.hands is not None
    assert state.hands[1 - dealer] == tuple(sorted(pack[0:12:2]))
    assert state.hands[dealer] == tuple(sorted(pack[1:12:2]))
    assert state.pile == pack[12:]


def test_cc_4_the_kings_go_to_the_seats_in_order_and_the_third_aside() -> None:
    kings = (KINGS[2], KINGS[0], KINGS[1])
    assert _dealt(0, kings=kings).pets == kings
    assert set(CHITCHAT.packs(Setup(Options(), 2, 0, 3))) == {"deal:3", "pets:3"}


def test_cc_5_the_top_card_is_turned_and_23_stay_in_the_pile() -> None:
    state = _dealt(0)
    assert rules.opening(state) == (Turned(PACK[12]),)
    begun = evolve(state, Turned(PACK[12]))
    assert ([laid.card for laid in begun.seq], begun.seq[0].step) == ([PACK[12]], None)
    assert (begun.pile, begun.piled) == (PACK[13:], 23)


def test_cc_51_a_pile_that_a_draw_empties_is_made_anew_of_the_discards_at_once() -> None:
    state = at("5S AH1", "2D 3D 6D", pile="4H", discards="2S 3S")
    assert facts_of(state, "change 2D 3D")[1:] == (Reshuffled(4),)
    made = after(state, "change 2D 3D")
    assert (made.discards, made.piled, made.counts[0]) == ((), 4, 2)
    assert sorted(made.pile or ()) == sorted(hand("2S 3S 5S AH"))
    assert made.stocks == (made.pile,)


def test_cc_51_sequence_and_points_are_not_shuffled_in() -> None:
    state = at("5S AH1", "2D 6S", pile="4H", discards="2S", points=("6H", "6D"))
    made = after(state, "talk 2D")
    assert made.pile == hand("2S")
    assert len(made.seq) == 3
    assert made.points == (hand("6H"), hand("6D"))


def test_cc_51_the_shuffles_of_a_set_are_numbered_from_one_and_order_the_discards_ascending() -> None:
    asked: list[tuple[str, tuple[int, ...]]] = []

    class Noting:
        def order(self, label: str, items: Sequence[int]) -> tuple[int, ...]:
            asked.append((label, tuple(items)))
            return tuple(items)

    state = at("5S", "2D 6S", discards="3S 2S 2S", pile="")
    state = evolve(state, Reshuffled(3), Noting())
    state = evolve(evolve(state, Drew(0), None), Reshuffled(0), Noting())
    assert asked == [("reshuffle:1", hand("2S 2S 3S")), ("reshuffle:2", ())]


def test_cc_52_without_discards_the_pile_stays_empty_until_the_next_draw() -> None:
    state = at("5S", "2D 6S", pile="4H")
    assert len(facts_of(state, "talk 2D")) == 1
    emptied = after(state, "talk 2D")
    assert (emptied.piled, emptied.reshuffles) == (0, 0)
    changed = at("5S 2D0", "3H 4H 5D", turn=1, pile="")
    facts = facts_of(changed, "change 3H 4H")
    assert (facts[0].draws, facts[1:]) == (False, (Reshuffled(2), Drew(1)))
    made = after(changed, "change 3H 4H")
    assert (made.piled, made.counts[1]) == (1, 2)


def test_cc_52_a_new_pile_of_one_card_is_empty_again_after_the_draw() -> None:
    state = after(at("5S", "2D 3D 6S", pile=""), "change 2D 3D")
    assert (state.piled, state.discards, state.counts[0], state.reshuffles) == (0, (), 2, 1)


def test_cc_52_a_draw_that_finds_no_card_anywhere_takes_none() -> None:
    state = at("5S", "2D 3H 6S", pile="")
    (fact,) = facts_of(state, "talk 2D")
    assert not fact.draws
    assert after(state, "talk 2D").counts[0] == 2


def test_a_set_that_ends_in_the_turn_of_a_reshuffle_shows_the_card_that_was_drawn_from_the_new_pile() -> None:
    state = at("2S 3S0^ AH1", "2D 3D 4D", "6H", pile="")
    facts = facts_of(state, "change 4D 2D")
    assert facts[1:3] == (Reshuffled(3), Drew(0))
    assert dict(facts[3].hands)[0] == tuple(sorted((*hand("3D"), Reversed().order("", hand("2S 3S AH"))[0])))
    assert facts[4] == SetEnded("lag", (1, 0))


@pytest.mark.parametrize("word", [str(number) for number in range(10)])
def test_no_card_is_ever_lost(word: str) -> None:
    """In random games, which shuffle anew now and then, all 36 are somewhere after every move."""
    sitting = started("chitchat", f"lost {word}")
    rng = random.Random(word)
    while sitting.state.phase == "playing":
        state: Set = sitting.state.set
        assert state.hands is not None
        assert state.pile is not None
        everything = [
            *state.hands[0],
            *state.hands[1],
            *state.pile,
            *state.discards,
            *(laid.card for laid in state.seq),
        ]
        everything += [card for made in state.points for card in made]
        assert sorted(everything) == list(PACK)
        assert (len(state.pile), *map(len, state.hands)) == (state.piled, *state.counts)
        sitting.any_move(rng)


def test_games_do_reshuffle() -> None:
    sittings = [started("chitchat", f"reshuffle {number}", persons=0).steady() for number in range(5)]
    assert any(type(event) is Reshuffled for sitting in sittings for event in sitting.events)


def test_at_a_table_the_hands_shown_are_those_after_the_last_draw_also_from_a_new_pile() -> None:
    state = at("2S 3S0^ AH1", "2D 3D 4D", "6H", pile="")
    for seed in range(8):
        sitting = started("chitchat", f"last draw {seed}")
        there = msgspec.structs.replace(sitting.state, set=state, decisions=())
        command = sitting.command(PERSONS[0], Move(CHITCHAT.read("change 4D 2D")), 0)
        after_it = table.fold(sitting.name, there, decide(there, command), sitting.unseal)
        assert after_it is not None
        assert after_it.ended == "lag"
        assert after_it.set.reshuffles == 1
        assert after_it.set.opened == tuple(enumerate(after_it.set.hands))


def test_without_the_seed_sizes_are_known_and_cards_are_not() -> None:
    sitting = started("chitchat", "public")
    state = CHITCHAT.start(Setup(Options(), 2, sitting.state.dealer, 1), None)
    sitting.random(random.Random(3))
    for event in sitting.events:
        if type(event) in CHITCHAT.events:
            state = evolve(state, event, None)
    final: Set = sitting.state.set
    assert (state.counts, state.piled, state.seq, state.points) == (final.counts, final.piled, final.seq, final.points)
    assert state.pile is None
    assert state.opened == final.opened
