"""CH-35, CH-50 to CH-53: what a cut scores, laying off, the end of the game, dropping out and entering again."""

from __future__ import annotations

from typing import Any

import pytest

from domain import record
from domain.audit import audit_record
from domain.events import Over, RowWritten
from domain.game import Adjustment, Verdict
from domain.games.chinchon import rules
from domain.games.chinchon.melds import Arrangement
from domain.games.chinchon.options import Options
from domain.games.chinchon.scores import noncutter
from tests.domain.chinchon.positions import COMPLETE, LOOSE, TWO_SETS, cut_by, hand, row, scored, standing
from tests.domain.play import Sitting, started

RUN = "2C 3C 4C 5C 6C 7C 8C"


# Points


def test_ch_50_the_cutter_gets_the_value_of_his_loose_card_or_minus_ten() -> None:
    assert scored(f"{TWO_SETS} 4C", LOOSE)[0] == 4
    assert scored(f"{TWO_SETS} AC", LOOSE)[0] == 10
    assert scored(COMPLETE, LOOSE)[0] == -10
    assert scored(COMPLETE, LOOSE, bonus_complete=-30)[0] == -30


def test_ch_50_the_others_get_the_sum_of_their_loose_cards() -> None:
    assert scored(f"{TWO_SETS} 4C", LOOSE, "7H 8H 9H 9S 9D KC KD") == (4, 50, 35)


def test_ch_50_a_complete_hand_that_did_not_cut_is_fined_20_and_a_chinchon_50() -> None:
    assert scored(f"{TWO_SETS} KC", COMPLETE, RUN) == (10, 20, 50)


def test_ch_50_the_fines_are_options() -> None:
    assert scored(f"{TWO_SETS} KC", COMPLETE, RUN, noncutter_complete=-10, noncutter_chinchon=-50) == (10, -10, -50)
    assert scored(f"{TWO_SETS} KC", COMPLETE, RUN, noncutter_complete=0, noncutter_chinchon=0) == (10, 0, 0)


def test_ch_50_they_hold_for_a_player_who_never_had_a_turn() -> None:
    assert scored(f"{TWO_SETS} KC", COMPLETE, turns=0) == (10, 20)


def test_ch_51_no_meld_is_broken_to_dodge_the_fine() -> None:
    assert noncutter(hand("2H 3H 4H 5H KS KH KD"), Arrangement(0, 0), Options()).points == 20


def test_a_seat_that_is_out_scores_nothing() -> None:
    assert scored(f"{TWO_SETS} KC", "", LOOSE) == (10, None, 50)


# Laying off


@pytest.mark.parametrize(
    ("cutter", "other", "points"),
    [
        ("4H 5H 6H 9S 9C 9D KD", "7H 2S 3D 5C JC QC AS", 40),
        ("4H 5H 6H 9S 9C 9D KD", "7H 8H 9H 3H 2H AH KC", 10),  # a meld of his own; 3 2 A go on at the low end
        ("4H 5H 6H 9S 9C 9D KD", "9H 7S 3D 2C TC QC AS", 42),
        ("4H 5H 6H 9S 9C 9D KD", "3H 2H AH KH QH 7C 8S", 15),  # Q K A, and 3 2 go on; A 2 3 would leave more
        ("4H 5H 6H 9S 9C 9D KD", "7H 3H 2S 5D TC QC AS", 37),
    ],
)
def test_ch_35_loose_cards_go_on_the_cutters_melds(cutter: str, other: str, points: int) -> None:
    assert scored(cutter, other, laying_off=True) == (10, points)


def test_ch_35_a_hand_emptied_by_laying_off_scores_nothing() -> None:
    state, ended = cut_by("4H 5H 6H 9S 9C 9D KD", "9H 4S 4C 4D KS KH KC", laying_off=True)
    assert ended.scores == (10, 0)
    assert state.opened is not None
    assert dict(state.opened.laid_off) == {1: row("9H")}


def test_ch_35_a_run_grows_at_both_ends_beyond_any_length() -> None:
    """A second card cannot be laid off at the same end of a run (ichabod801/t_games#366)."""
    assert scored("5H 6H 7H 9S 9C 9D KD", "4H 3H 8H TH QS QC QD", laying_off=True) == (10, 10)
    assert scored("5H 6H 7H 9S 9C 9D KD", "4H 3H 8H 9H QS QC QD", laying_off=True) == (10, 0)


def test_ch_35_not_when_nothing_of_the_cutters_is_loose_and_not_by_default() -> None:
    assert scored("4H 5H 6H 7H 9S 9C 9D", "8H 2S 3D 5C JC QC AS", laying_off=True) == (-10, 48)
    assert scored("4H 5H 6H 9S 9C 9D KD", "7H 2S 3D 5C JC QC AS") == (10, 47)


def test_ch_35_the_fines_look_at_the_hand_before_laying_off() -> None:
    assert scored("4H 5H 6H 9S 9C 9D KD", COMPLETE.replace("9", "T"), laying_off=True) == (10, 20)


def test_ch_35_of_two_places_for_a_card_the_one_that_saves_more_is_taken() -> None:
    # 5C on the fives would leave 6C; on the run both go.
    assert scored("2C 3C 4C 5S 5H 5D KD", "5C 6C 7S 8D TH QS AH", laying_off=True) == (10, 45)


def test_ch_35_the_arrangement_that_costs_least_after_laying_off_counts() -> None:
    # As 7 8 9 of hearts the hand leaves 9S 9D; as nines it leaves 7H 8H, which go on the cutter's 4 5 6.
    assert scored("4H 5H 6H 2S 2C 2D KD", "7H 8H 9H 9S 9D TC KC", laying_off=True) == (10, 20)


def test_ch_35_a_joker_may_be_laid_off_where_none_is_yet() -> None:
    values: dict[str, Any] = {"laying_off": True, "jokers": 2}
    assert scored("4H 5H 6H 9S 9C 9D KD", "X1 2S 4D 6C 8H TS QH", **values) == (10, 32)  # the joker as 7H, then 8H
    assert scored("4H X2 6H 9S 9C 9D KD", "X1 2S 4D 6C 8H TS QH", **values) == (10, 40)
    assert scored("4H X2 6H 9S 9C 9D KD", "7H 2S 4D 6C 8S TS QH", **values) == (10, 40)


# The end of the game


@pytest.mark.parametrize(
    ("totals", "cutter", "winners"),
    [
        ([105, 40], 0, (1,)),
        ([100, 58], 0, (1,)),
        ([105, 105], 0, (0,)),
        ([105, 105], 1, (1,)),
        ([107, 105], 0, (1,)),
        ([26, 69, 100], 1, (0,)),
        ([26, 26, 100], 2, (0, 1)),
        ([26, 26, 100], 1, (1,)),
        ([-10, 130], 1, (0,)),
    ],
)
def test_ch_52_and_53_at_the_target_the_lowest_total_wins(
    totals: list[int], cutter: int, winners: tuple[int, ...]
) -> None:
    assert rules.after_set(standing(totals, cutter=cutter)) == Verdict("target", winners)


def test_ch_52_below_the_target_the_game_goes_on() -> None:
    assert rules.after_set(standing([99, -40, 12])) is None
    assert rules.after_set(standing([49, 50], target=50)) == Verdict("target", (0,))


def test_ch_43_after_a_chinchon_the_cutter_has_won_whatever_the_totals() -> None:
    after = standing([99, 3], outcome="chinchon", scores=None, cutter=0)
    assert rules.after_set(after) == Verdict("chinchon", (0,))
    assert rules.losers(after, (0,)) == (1,)


def test_a_chinchon_that_scores_ends_no_game() -> None:
    assert rules.after_set(standing([50, 3], outcome="chinchon", scores=[-25, 40], chinchon_pays="-25")) is None


def test_losers_are_those_at_the_target_who_have_not_won() -> None:
    assert rules.losers(standing([105, 105], cutter=0), (0,)) == (1,)
    assert rules.losers(standing([100, 130, 20]), (2,)) == (0, 1)
    assert rules.losers(standing([10, 20]), ()) == ()
    assert rules.losers(standing([10, 20], outcome="dead", scores=None, cutter=-1), ()) == ()


# Dropping out


def test_ch_52_in_an_elimination_who_reaches_the_target_is_out_and_the_rest_play_on() -> None:
    after = standing([110, 40, 60], dealer=2, end_mode="elimination")
    assert rules.after_set(after) is None
    assert rules.losers(after, ()) == (0,)
    assert rules.next_deal(after).playing == (1, 2)


def test_ch_52_the_last_one_wins_and_of_those_who_drop_out_together_the_lowest() -> None:
    assert rules.after_set(standing([110, 40, 160], end_mode="elimination")) == Verdict("last_left", (1,))
    together = standing([110, 105, 130], end_mode="elimination", out=[2], cutter=0)
    assert rules.after_set(together) == Verdict("last_left", (1,))
    level = standing([105, 105, 130], end_mode="elimination", out=[2], cutter=0)
    assert rules.after_set(level) == Verdict("last_left", (0,))


@pytest.mark.parametrize(
    ("rebuy", "totals", "values"),
    [
        ("highest", [110, 40, 60], (-50, None, None)),
        ("second", [110, 40, 60], (-70, None, None)),
        ("highest", [110, 40, 120], (-70, None, -80)),
        ("second", [110, 40, 120], (-70, None, -80)),
    ],
)
def test_ch_52_who_drops_out_may_enter_again_at_a_total_of_the_others(
    rebuy: str, totals: list[int], values: tuple[int | None, ...]
) -> None:
    after = standing(totals, end_mode="elimination", rebuy=rebuy)
    assert rules.adjust(after) == (Adjustment("rebuy", values),)


def test_ch_52_nobody_enters_a_second_time_nor_when_nobody_is_below_the_target_nor_when_he_is_gone() -> None:
    again = [Adjustment("rebuy", (-30, None, None))]
    values: dict[str, Any] = {"end_mode": "elimination", "rebuy": "highest"}
    assert rules.adjust(standing([110, 40, 60], adjusted=again, **values)) == ()
    assert rules.adjust(standing([110, 140, 160], **values)) == ()
    assert rules.adjust(standing([110, 40, 60], gone=[0], **values)) == ()
    assert rules.adjust(standing([110, 40, 60], end_mode="elimination")) == ()
    other = [Adjustment("penalty", (-30, None, None))]
    assert rules.adjust(standing([110, 40, 60], adjusted=other, **values)) != ()


def _with_rebuys(rebuy: str) -> Sitting:
    sitting = started("chinchon", f"rebuy {rebuy}", persons=0, end_mode="elimination", rebuy=rebuy, target="40")
    return sitting.steady()


@pytest.mark.parametrize("rebuy", ["highest", "second"])
def test_ch_52_entering_again_is_a_row_of_its_own_once_a_seat_and_the_totals_are_the_sums(rebuy: str) -> None:
    sitting = _with_rebuys(rebuy)
    rows = [event for event in sitting.events if isinstance(event, RowWritten)]
    bought = [seat for row in rows if row.kind == "rebuy" for seat, value in enumerate(row.values) if value is not None]
    assert bought
    assert len(set(bought)) == len(bought)
    sums = tuple(sum(row.values[seat] or 0 for row in rows) for seat in range(4))
    assert sitting.state.totals == sums
    over = sitting.events[-1]
    assert isinstance(over, Over)
    assert over.ended == "last_left"


def test_a_record_with_rebuys_is_audited_and_another_entry_is_found() -> None:
    kept = record.record(_with_rebuys("highest").events)
    assert audit_record(record.write(kept)) is None
    cell = next(cell for column in kept["rows"] for cell in column if cell[2] != "score")
    assert cell[2] == "penalty"  # a record knows no other name for it
    cell[1] -= 1
    finding = audit_record(record.write(kept))
    assert finding is not None
    assert finding.code == "wrong_rows"
    assert finding.clause == "CH-52"
