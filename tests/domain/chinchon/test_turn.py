"""CH-20 to CH-27: drawing, discarding, the stock that runs out, the round that goes on for too long."""

from __future__ import annotations

import pytest

from domain import cards
from domain.cards import card_of
from domain.game import SetEnded
from domain.games.chinchon import CHINCHON, rules
from domain.games.chinchon.events import Discarded, DrewPile, DrewStock, Reshuffled
from domain.games.chinchon.state import Set, evolve
from domain.shuffle import Given, Seeded
from tests.domain.chinchon.positions import COMPLETE, LOOSE, hand, listed, moved, refused, round_of, row
from tests.domain.play import started

OTHER = "3S 5D 7C 9H JS AH 2C"


def test_ch_20_a_turn_is_a_draw_and_a_discard_and_the_hand_has_seven_cards_between_turns() -> None:
    state = round_of(LOOSE, OTHER)
    state, drawn = moved(state, "draw stock")
    assert drawn == (DrewStock(0),)
    assert state.hands is not None
    assert state.hands[0] == hand(f"{LOOSE} 8C")
    assert state.turn == 0
    state, shed = moved(state, "discard KC")
    assert shed == (Discarded(0, card_of("KC")),)
    assert state.hands is not None
    assert state.hands[0].bit_count() == 7
    assert state.turn == 1
    assert state.pile == row("3D KC")


def test_ch_21_one_draws_from_the_stock_or_takes_the_top_of_the_pile() -> None:
    state = round_of(LOOSE, OTHER, pile="AC 3D")
    assert listed(state) == {"draw stock", "draw pile"}
    state, facts = moved(state, "draw pile")
    assert facts == (DrewPile(0, card_of("3D")),)
    assert state.pile == row("AC")
    assert state.hands is not None
    assert state.hands[0] == hand(f"{LOOSE} 3D")
    assert state.left == 5


def test_ch_21_drawing_is_compulsory_and_done_once() -> None:
    state = round_of(LOOSE, OTHER)
    assert refused(state, "discard KC").code == "draw_first"
    assert refused(state, "cut KC").code == "draw_first"
    state, _ = moved(state, "draw stock")
    assert refused(state, "draw stock").code == "already_drew"
    assert refused(state, "draw pile").code == "already_drew"
    assert refused(state, "discard AS").code == "not_your_card"


def test_ch_21_only_whoever_is_in_turn_may_move() -> None:
    state = round_of(LOOSE, OTHER)
    assert listed(state, 1) == set()
    refusal = refused(state, "draw stock", 1)
    assert (refusal.code, refusal.clause) == ("not_your_turn", "CH-21")


def test_ch_22_any_of_the_eight_cards_may_be_shed_the_one_taken_too() -> None:
    state, _ = moved(round_of(LOOSE, OTHER), "draw pile")
    assert listed(state) == {f"discard {card}" for card in [*LOOSE.split(), "3D"]}
    state, _ = moved(state, "discard 3D")
    assert state.pile == row("3D")


def test_ch_22_no_return_forbids_to_give_back_what_was_taken_from_the_pile() -> None:
    state, _ = moved(round_of(LOOSE, OTHER, no_return=True), "draw pile")
    assert listed(state) == {f"discard {card}" for card in LOOSE.split()}
    assert refused(state, "discard 3D").code == "no_return"
    state, _ = moved(round_of(LOOSE, OTHER, no_return=True), "draw stock")
    assert "discard 8C" in listed(state)


def test_ch_22_no_return_does_not_forbid_to_cut_with_the_card_for_that_is_no_pile() -> None:
    state, _ = moved(round_of(COMPLETE, OTHER, no_return=True), "draw pile")
    assert "cut 3D" in listed(state)
    assert "discard 3D" not in listed(state)


def test_ch_25_after_the_turn_of_the_last_card_the_whole_pile_becomes_the_stock() -> None:
    """What happens when the cards run out (IIC2233/Syllabus-2022-2#378)?"""
    state = round_of(LOOSE, OTHER, stock="8C", pile="AC 3D")
    state, _ = moved(state, "draw stock")
    order = row("3D AC KC")
    state, facts = moved(state, "discard KC", source=Given({"reshuffle:1": order}))
    assert facts == (Discarded(0, card_of("KC")), Reshuffled(3))
    assert state.stock == order
    assert state.left == 3
    assert state.pile == ()
    assert CHINCHON.reshuffles(state) == (order,)


def test_ch_25_keep_top_leaves_the_card_just_shed() -> None:
    state = round_of(LOOSE, OTHER, stock="8C", pile="AC 3D", reshuffle="keep_top")
    state, facts = moved(state, "draw stock", "discard KC", source=Given({"reshuffle:1": row("3D AC")}))
    assert facts[-1] == Reshuffled(2)
    assert state.pile == row("KC")
    assert state.stock == row("3D AC")
    assert CHINCHON.reshuffles(state) == (row("3D AC"),)


def test_ch_25_nothing_is_shuffled_when_that_turn_ends_with_a_cut() -> None:
    state, _ = moved(round_of(COMPLETE, OTHER, stock="8C"), "draw stock")
    _, facts = moved(state, "cut 8C")
    assert not any(isinstance(fact, Reshuffled) for fact in facts)


def test_ch_25_without_the_seed_the_counts_still_follow() -> None:
    state = round_of(LOOSE, OTHER, stock="8C", pile="AC 3D")
    public = Set(state.options, 2, 1, (0, 1), 0, 1, (0, 0), pile=state.pile)
    for fact in (DrewStock(0), Discarded(0, card_of("KC")), Reshuffled(3)):
        public = evolve(public, fact)
    assert (public.left, public.pile, public.stock, public.reshuffles) == (3, (), None, 1)


def test_ch_26_after_a_reshuffle_only_the_stock_is_there() -> None:
    state = round_of(LOOSE, OTHER, pile="")
    assert listed(state) == {"draw stock"}
    assert refused(state, "draw pile").code == "pile_empty"
    state, _ = moved(state, "draw stock", "discard KC")
    assert listed(state) == {"draw stock", "draw pile"}


@pytest.mark.parametrize(("seats", "most"), [(2, 10), (3, 10)])
def test_ch_27_a_round_is_dead_after_its_most_turns(seats: int, most: int) -> None:
    """An empty deck locks the turn for ever (byucs340ta/Fall2018#77)."""
    hands = [LOOSE, OTHER, "4C 6S 8D TH QS AD 3H"][:seats]
    state = round_of(*hands, turns=most * seats - 1, max_turns=most)
    state, facts = moved(state, "draw stock", "discard KC")
    assert facts == (Discarded(0, card_of("KC")), SetEnded("dead"))
    assert rules.to_act(state) == ()
    assert rules.legal(state, 1) == ()


def test_ch_27_one_turn_before_it_goes_on_and_a_cut_in_the_last_turn_counts() -> None:
    before, facts = moved(round_of(LOOSE, OTHER, turns=18, max_turns=10), "draw stock", "discard KC")
    assert len(facts) == 1
    assert before.turn == 1
    _, last = moved(round_of(COMPLETE, OTHER, turns=19, max_turns=10), "draw stock", "cut 8C")
    assert last[-1] == SetEnded("cut", (-10, 46))


def test_ch_27_a_set_that_dies_is_not_reshuffled() -> None:
    state = round_of(LOOSE, OTHER, stock="8C", turns=19, max_turns=10)
    _, facts = moved(state, "draw stock", "discard KC")
    assert facts[1:] == (SetEnded("dead"),)


def test_ch_27_no_scores_and_the_next_player_deals_after_a_dead_round() -> None:
    sitting = started("chinchon", "dead", seats=2, max_turns="10")
    sitting.play(lambda: sitting.move(rules.timeout(sitting.state.set, sitting.asked())), lambda state: state.sets == 2)
    dealers = [event.dealer for event in sitting.events if type(event).__name__ == "Dealt"]
    assert dealers[1] == (dealers[0] + 1) % 2
    assert sitting.state.rows == ()
    assert sitting.state.last_set == ("dead", None)


def test_ch_27_without_a_limit_a_round_goes_on() -> None:
    _, facts = moved(round_of(LOOSE, OTHER, turns=100_000, max_turns=0), "draw stock", "discard KC")
    assert len(facts) == 1


def test_ch_72_the_stock_is_never_empty_when_somebody_is_to_draw() -> None:
    """An empty deck locks the turn for ever (byucs340ta/Fall2018#77)."""
    sitting = started("chinchon", "never empty", seats=4, deck="40", reshuffle="keep_top", max_turns="60")
    seen = 0
    while sitting.state.sets == 1 and sitting.state.phase == "playing":
        state = sitting.state.set
        assert state.drew or state.left > 0
        held = sum(map(int.bit_count, state.hands or ()))
        assert held + state.left + len(state.pile) == 40
        seen = max(seen, state.reshuffles)
        sitting.move(rules.timeout(state, sitting.asked()))
    assert seen >= 2


def test_a_reshuffle_follows_from_the_seed_and_the_moves() -> None:
    state = round_of(LOOSE, OTHER, stock="8C", pile="AC 3D 5C 6D")
    one, _ = moved(state, "draw stock", "discard KC", source=Seeded(b"one", bytes(32)))
    again, _ = moved(state, "draw stock", "discard KC", source=Seeded(b"one", bytes(32)))
    other, _ = moved(state, "draw stock", "discard KC", source=Seeded(b"two", bytes(32)))
    assert one.stock == again.stock
    assert one.stock != other.stock
    assert one.stock is not None
    assert sorted(one.stock) == sorted(row("AC 3D 5C 6D KC"))
    assert cards.mask(one.stock) == cards.mask(other.stock or ())
