"""SN-10 to SN-16, SN-23, SN-40 to SN-44: one action, then drawing; the empty stock; the end of a round."""

from __future__ import annotations

import pytest

from domain.cards import card_of
from domain.game import SetEnded
from domain.games.snitch import rules
from domain.games.snitch.state import Discarded, SetLaid, TopTaken, evolve
from tests.domain.snitch.positions import LOOSE, ended, listed, moved, public, refused, round_of, row

OTHER, THIRD = "4S 8H JD", "3C 6C TD"
ACES = {0: ["AS AH"], 1: ["7S 7H", "KC KD"]}


def test_sn_90_the_sources_example_with_the_hand_as_printed() -> None:
    state = round_of("7D KS 2S", OTHER, THIRD, stacks=ACES)
    assert listed(state) == {
        *("discard 7D", "discard KS", "discard 2S", "set 7D 2S", "set KS 2S", "take 2S"),
        *("challenge 1 KS", "challenge 1 2S"),
    }


def test_sn_90_the_sources_example_with_the_nine_it_means() -> None:
    assert listed(round_of("9D KS 2S", OTHER, THIRD, stacks=ACES)) == {
        *("discard 9D", "discard KS", "discard 2S", "set 9D 2S", "set KS 2S", "take 9D", "take 2S"),
        *("challenge 1 KS", "challenge 1 2S"),
    }


def test_sn_10_a_discard_is_open_and_one_card_is_drawn() -> None:
    state, facts = moved(round_of("9D KS 2S", OTHER, THIRD), "discard KS")
    assert facts == (Discarded(0, card_of("KS"), 1),)
    assert state.discards == row("9S KS")
    assert state.hands is not None
    assert set(state.hands[0]) == set(row("9D 2S 5C"))
    assert (state.left, state.turn, state.turns) == (6, 1, 11)


def test_sn_11_a_set_of_the_hand_lies_on_the_own_stack_and_two_are_drawn() -> None:
    state, facts = moved(round_of("9D KS 2S", OTHER, THIRD, stacks=ACES), "set 9D 2S")
    assert facts == (SetLaid(0, (card_of("9D"), card_of("2S")), 2),)
    assert state.stacks[0] == (row("AS AH"), row("9D 2S"))
    assert state.hands is not None
    assert set(state.hands[0]) == set(row("KS 5C 5D"))
    assert state.discards == row("9S")


def test_sn_11_cards_that_are_no_set_cannot_be_laid() -> None:
    state = round_of("2S X1 KS", OTHER, THIRD)
    assert (refused(state, "set 2S X1").code, refused(state, "set 2S X1").clause) == ("not_a_pair", "SN-11")
    assert refused(state, "set 5H 6H").code == "not_a_pair"
    assert refused(state, "set KH KD").code == "not_your_card"
    assert refused(state, "set KS KH").code == "not_your_card"


def test_sn_6_the_same_card_twice_is_a_set_for_whoever_holds_both() -> None:
    assert listed(round_of("KS KS 5H", OTHER, THIRD)) == {"discard KS", "discard 5H", "set KS KS"}
    assert listed(round_of("5H KS KS", OTHER, THIRD)) == {"discard KS", "discard 5H", "set KS KS"}
    assert refused(round_of("KS KH 5H", OTHER, THIRD), "set KS KS").code == "held_once"
    state, _ = moved(round_of("KS KS KH", OTHER, THIRD), "set KS KS")
    assert state.hands is not None
    assert card_of("KH") in state.hands[0]
    assert card_of("KS") not in state.hands[0]


@pytest.mark.parametrize("hand", ["KS KS KH", "KH KS KS", "KC KH KS", "2S KH KH"])
def test_sn_6_equal_cards_give_each_move_once(hand: str) -> None:
    found = rules.legal(round_of(hand, OTHER, THIRD, stacks={1: ["KC KD"]}, pile="KD"), 0)
    assert len(set(found)) == len(found)


def test_sn_13_a_set_with_the_top_discard() -> None:
    state, facts = moved(round_of("9D KS 3S", OTHER, THIRD, pile="4C 9H"), "take 9D")
    assert facts == (TopTaken(0, card_of("9D"), (card_of("9H"), card_of("9D")), 1),)
    assert state.stacks[0] == (row("9H 9D"),)
    assert state.discards == row("4C")
    assert refused(round_of("9D KS 3S", OTHER, THIRD, pile="4C 9H"), "take KS").code == "not_a_pair"
    assert refused(round_of("9D KS 3S", OTHER, THIRD, pile="4C 9H"), "take 9C").code == "not_your_card"


def test_sn_13_a_wild_discard_goes_with_a_natural_card_only() -> None:
    state = round_of("9D KS 2S", OTHER, THIRD, pile="4C X4")
    assert {move for move in listed(state) if move.startswith("take")} == {"take 9D", "take KS"}
    after, _ = moved(state, "take 9D")
    assert after.stacks[0] == (row("9D X4"),)
    assert refused(state, "take 2S").clause == "SN-13"


def test_sn_13_an_empty_discard_pile_allows_nothing() -> None:
    state = round_of("9D KS 2S", OTHER, THIRD, pile="")
    assert not any(move.startswith("take") for move in listed(state))
    assert refused(state, "take 9D").code == "pile_empty"


def test_sn_15_discarding_is_always_possible_and_there_is_no_pass() -> None:
    for hand in ("2S X1 2H", LOOSE, "5H"):
        found = listed(round_of(hand, OTHER, THIRD, stock="", pile=""))
        assert {f"discard {card}" for card in hand.split()} <= found


def test_sn_16_one_action_a_turn() -> None:
    state, _ = moved(round_of("9D 9H 5S", OTHER, THIRD, stock="5H 5D 6C 6D"), "set 9H 9D")
    assert listed(state, 0) == set()
    assert refused(state, "set 5S 5H", 0).code == "not_your_turn"
    assert state.turn == 1


@pytest.mark.parametrize("move", ["defend 9D", "press 9D", "yield", "stop"])
def test_sn_22_without_a_challenge_there_is_nothing_to_answer(move: str) -> None:
    refusal = refused(round_of("9D KS 2S", OTHER, THIRD), move)
    assert (refusal.code, refusal.clause) == ("no_challenge", "SN-22")


def test_sn_23_a_short_stock_gives_what_it_has() -> None:
    state, facts = moved(round_of("9D 9H 5S", OTHER, THIRD, stock="5H"), "set 9H 9D")
    assert facts[0].drew == 1
    assert (state.left, state.counts[0]) == (0, 2)


def test_sn_40_from_the_moment_the_stock_is_empty_the_pile_is_closed() -> None:
    state = round_of("9D KS 2S", OTHER, THIRD, stock="", stacks=ACES)
    assert listed(state) == {
        *("discard 9D", "discard KS", "discard 2S", "set 9D 2S", "set KS 2S", "challenge 1 KS", "challenge 1 2S")
    }
    assert (refused(state, "take 9D").code, refused(state, "take 9D").clause) == ("pile_closed", "SN-40")
    last, _ = moved(round_of("9D KS 2S", "4S 8H JD", THIRD, stock="5H", pile="4C"), "discard KS")
    assert last.left == 0
    assert not any(move.startswith("take") for move in listed(last))


def test_sn_41_with_an_empty_stock_at_most_three_more_own_turns_each() -> None:
    state = round_of("9D KS 2S", OTHER, THIRD, stock="")
    turns = 0
    while state.turn >= 0:
        state, _ = moved(state, f"discard {min(listed(state)).split()[1]}")
        turns += 1
    assert turns == 9


def test_sn_42_players_without_cards_are_skipped() -> None:
    state, _ = moved(round_of("9D KS", "", "5H", "", stock=""), "discard 9D")
    assert state.turn == 2
    state, _ = moved(state, "discard 5H")
    assert state.turn == 0


def test_sn_43_the_last_player_with_cards_plays_on_alone() -> None:
    state, _ = moved(round_of("9D KS", "", "", stock=""), "discard 9D")
    assert (state.turn, state.turns) == (0, 11)
    _, facts = moved(state, "discard KS")
    assert ended(facts) == SetEnded("scored", (0, 0, 0))


def test_sn_43_the_last_player_steals_uncovered_sets_one_after_another() -> None:
    state = round_of("KS 7D", "", "", stock="", stacks={1: ["7S 7H", "KC KD"], 2: ["AS AH"]})
    state, _ = moved(state, "challenge 1 KS")
    assert state.stacks == ((row("KC KD KS"),), (row("7S 7H"),), (row("AS AH"),))
    state, facts = moved(state, "challenge 1 7D")
    assert ended(facts).scores == (45, 0, 30)
    assert rules.to_act(state) == ()


def test_sn_44_only_sets_score_and_the_round_ends_when_all_hands_are_empty() -> None:
    state, facts = moved(round_of("9D", "", "", stock="", stacks={1: ["7S 7H", "KC KD"], 2: ["AS AH"]}), "discard 9D")
    assert ended(facts) == SetEnded("scored", (0, 30, 30))
    assert state.discards == row("9S 9D")
    assert (state.turn, state.awaits) == (-1, -1)


def test_sn_4_only_the_active_player_moves() -> None:
    state = round_of("9D KS 2S", OTHER, THIRD)
    assert listed(state, 1) == listed(state, 2) == set()
    refusal = refused(state, "discard 4S", 1)
    assert (refusal.code, refusal.clause) == ("not_your_turn", "SN-4")
    assert refused(state, "discard 4S").code == "not_your_card"


def test_without_the_key_what_everybody_sees_follows_all_the_same() -> None:
    state = round_of("9D KS 2S", "9C KH 4C", THIRD, stacks=ACES)
    without = public(state)
    for move in ("set 9D 2S", "take 9C", "discard 6C"):
        before = state
        state, facts = moved(before, move)
        for fact in facts:
            without = evolve(without, fact)
        assert without == public(state)
    assert without.hands is None
