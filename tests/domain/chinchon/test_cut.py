"""CH-24, CH-40 to CH-43, CH-73 to CH-75: who may cut, with what, and with what result."""

from __future__ import annotations

import pytest

from domain import cards
from domain.cards import card_of
from domain.game import SetEnded
from domain.games.chinchon import closing, melds, rules
from domain.games.chinchon.events import CutMade, HandsOpened
from domain.games.chinchon.melds import CHINCHON
from domain.games.chinchon.options import Options
from tests.domain.chinchon.positions import (
    COMPLETE,
    LOOSE,
    TWO_SETS,
    cut_by,
    hand,
    listed,
    moved,
    refused,
    round_of,
    row,
)

RUN = "2C 3C 4C 5C 6C 7C 8C"


def _cuts(held: str, **values: object) -> dict[str, int]:
    found = melds.cuts(hand(held), Options(**values))  # type: ignore[arg-type]
    return {cards.name(card): result for card, result in found.items()}


@pytest.mark.parametrize(
    ("held", "results"),
    [
        (f"{TWO_SETS} KD 2D", {"KD": 2, "2D": 10}),
        (f"{TWO_SETS} AD 2D", {"AD": 2, "2D": 10}),
        ("2H 3H 4H 5H 9S 9H 9D KC", {"KC": -10, "2H": 10, "5H": 10}),
        ("4H 5H 6H 7H 8H 9H KS 2D", {"KS": 2, "2D": 10}),
        ("3H 4H 5H 6H 9S 9H 9D 9C", {"3H": -10, "6H": -10, "9S": -10, "9H": -10, "9D": -10, "9C": -10}),
        ("5S 5H 5D 8S 8H 2C 3D 4H", {}),
        (f"{LOOSE} AC", {}),
    ],
)
def test_ch_40_two_melds_and_at_most_one_loose_card(held: str, results: dict[str, int]) -> None:
    assert _cuts(held) == results


def test_ch_40_one_meld_is_never_enough_however_small_the_rest() -> None:
    assert _cuts("2H 3H 4H 5H AS AD 3D 2C", meld_max=7, ace_value=1) == {}


def test_ch_40_under_the_threshold_the_loose_cards_together_must_be_small() -> None:
    held = "4H 5H 6H 7H 2S 3D 9C 9D"
    assert _cuts(held, cut_rule="threshold", cut_max=5) == {}
    assert _cuts("4H 5H 6H 7H 2S 3D 9C", cut_rule="threshold", cut_max=5) == {"9C": 5}
    five = _cuts("5H 6H 7H 8S 8D 8C 5S KD", cut_rule="threshold", cut_max=5)
    assert five == {"KD": 5}
    assert _cuts("5H 6H 7H 8S 8D 8C 5S KD", cut_rule="threshold", cut_max=4) == {}
    ace = "8H 8S 8D 8C 2S 2D TC AH"
    assert _cuts(ace, cut_rule="threshold", cut_max=5) == {}
    assert _cuts(ace, cut_rule="threshold", cut_max=5, ace_value=1) == {"TC": 5}


def test_ch_40_without_loose_cards_it_is_the_bonus_whatever_the_rule() -> None:
    for values in ({}, {"cut_rule": "threshold", "cut_max": 0}):
        assert _cuts(f"{COMPLETE} KC", **values)["KC"] == -10
        assert _cuts(f"{COMPLETE} KC", bonus_complete=-25, **values)["KC"] == -25


def test_ch_24_a_cut_is_made_after_drawing_in_place_of_the_discard() -> None:
    state = round_of(COMPLETE, LOOSE)
    assert refused(state, "cut 2H").code == "draw_first"
    state, _ = moved(state, "draw stock")
    assert {move for move in listed(state) if move.startswith("cut")} == {"cut 8C", "cut 2H", "cut 5H"}


def test_ch_24_it_may_be_the_first_turn_unless_the_option_forbids_it() -> None:
    state, _ = moved(round_of(COMPLETE, LOOSE, turns=0), "draw stock")
    assert "cut 8C" in listed(state)
    early, _ = moved(round_of(COMPLETE, LOOSE, turns=1, no_cut_first_lap=True), "draw stock")
    assert "cut 8C" not in listed(early)
    assert refused(early, "cut 8C").code == "no_cut_first_lap"
    second, _ = moved(round_of(COMPLETE, LOOSE, turns=2, no_cut_first_lap=True), "draw stock")
    assert "cut 8C" in listed(second)


def test_ch_40_other_cards_cannot_be_cut_with_and_only_the_owner_is_told() -> None:
    state, _ = moved(round_of(COMPLETE, LOOSE), "draw stock")
    refusal = refused(state, "cut 9S")
    assert (refusal.code, refusal.clause) == ("cannot_cut", "CH-40")
    assert refused(state, "cut AS").code == "not_your_card"


def test_ch_41_the_closing_card_is_set_aside_and_all_hands_are_opened_with_their_melds() -> None:
    state, ended = cut_by(COMPLETE, f"{TWO_SETS} KD")
    assert ended == SetEnded("cut", (-10, 10))
    assert state.closing == card_of("JC")
    assert card_of("JC") not in state.pile
    opened = state.opened
    assert isinstance(opened, HandsOpened)
    assert dict(opened.hands) == {0: cards.cards(hand(COMPLETE)), 1: cards.cards(hand(f"{TWO_SETS} KD"))}
    assert dict(opened.melds)[0] == (row("2H 3H 4H 5H"), row("9S 9H 9D"))
    assert rules.to_act(state) == ()


def test_ch_42_several_results_for_a_card_the_best_counts() -> None:
    assert _cuts("5S 5H 5D 5C 8S 8H 8C KD") == {"KD": -10, "5S": 10, "5H": 10, "5D": 10, "5C": 10}


def test_ch_42_two_melds_count_for_the_cutter_though_one_long_one_would_leave_less() -> None:
    kept = hand("AH 2H 3H 4H 5H 2S 2D")
    assert melds.arrangement(kept, Options(meld_max=7)).points == 4
    closing = melds.closing(kept, Options(meld_max=7))
    assert closing is not None
    assert closing[0] == 10


def test_ch_43_a_chinchon_wins_the_game_at_once_and_no_scores_are_written() -> None:
    state, ended = cut_by(RUN, LOOSE)
    assert ended == SetEnded("chinchon")
    assert state.cutter == 0


@pytest.mark.parametrize("pays", ["-25", "-50"])
def test_ch_43_or_it_ends_the_round_with_a_score(pays: str) -> None:
    _, ended = cut_by(RUN, LOOSE, chinchon_pays=pays)
    assert ended == SetEnded("chinchon", (int(pays), 50))


def test_ch_73_a_dealt_chinchon_waits_for_its_turn_and_sheds_what_is_drawn() -> None:
    state = round_of(RUN, LOOSE, turns=0, turn=1, dealer=0)
    assert listed(state, 0) == set()
    state, _ = moved(round_of(RUN, LOOSE, turns=0, stock="KD"), "draw stock")
    assert closing.cuts(state)[card_of("KD")] == CHINCHON


def test_ch_74_the_others_chinchon_does_not_matter() -> None:
    _, ended = cut_by(RUN, "AD 2D 3D 4D 5D 6D 7D")
    assert ended == SetEnded("chinchon")


def test_ch_75_with_eight_in_a_row_either_end_may_be_shed() -> None:
    results = _cuts("2H 3H 4H 5H 6H 7H 8H 9H")
    assert results["2H"] == results["9H"] == CHINCHON
    assert results["5H"] == -10


def test_ch_43_a_chinchon_is_one_under_any_rule_and_never_with_a_joker() -> None:
    assert _cuts(f"{RUN} KD", cut_rule="threshold", cut_max=0)["KD"] == CHINCHON
    assert _cuts("2C 3C 4C X1 6C 7C 8C KD", jokers=2, meld_max=7)["KD"] == -10


def test_a_cut_is_one_line_of_the_record_and_the_rest_follows() -> None:
    state, _ = moved(round_of(COMPLETE, LOOSE), "draw stock")
    facts = rules.decide(state, 0, rules.legal(state, 0)[-1])
    assert [type(fact) for fact in facts] == [CutMade, HandsOpened, SetEnded]
