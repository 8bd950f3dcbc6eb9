"""CB-40 to CB-45: what a set scores and when the game is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from domain import table
from domain.events import Dealt, Over, RowWritten, SeedRevealed
from domain.game import SetEnded, Standing, Verdict
from domain.games.callbreak import CALLBREAK, rules
from domain.games.callbreak.options import Options
from tests.domain.callbreak import rulebook
from tests.domain.callbreak.positions import chosen
from tests.domain.play import Sitting, started
from tests.domain.play import chosen as texts


@pytest.mark.parametrize(
    ("call", "won", "score"),
    [(4, 4, 40), (4, 3, -40), (4, 6, 42), (13, 13, 130), (13, 12, -130), (1, 13, 22), (3, 0, -30)],
)
def test_cb_40_a_call_that_is_made_scores_ten_a_trick_and_one_for_each_over(call: int, won: int, score: int) -> None:
    assert rules.set_scores((call,), (won,)) == (score,)


def test_cb_40_every_call_and_every_number_of_tricks_scores_as_in_the_rule_text() -> None:
    for call in range(1, 14):
        for won in range(14):
            assert rules.set_scores((call,), (won,)) == (rulebook.score(call, won),)


def test_cb_40_decimal_scores_are_tenths_of_the_same_numbers() -> None:
    assert rules.tenths(chosen(scoring="decimal"))
    assert not rules.tenths(chosen())
    assert table.observe(started(scoring="decimal").state, None).tenths


def test_cb_41_every_player_scores_every_played_set() -> None:
    sitting = started(persons=0, max_sets="2", tie="shared").steady()
    ends = [event.scores for event in sitting.events if isinstance(event, SetEnded) and event.scores]
    rows = [event.values for event in sitting.events if isinstance(event, RowWritten)]
    assert rows == ends
    assert all(value is not None for row in rows for value in row)


def test_cb_42_after_a_scored_set_the_next_seat_deals() -> None:
    sitting = started(persons=0, max_sets="5", tie="shared", redeal="", min_total_calls="0", dealer=2).steady()
    assert [event.dealer for event in sitting.events if isinstance(event, Dealt)] == [2, 3, 0, 1, 2]


def test_a_set_that_is_scored_reveals_its_seed_and_the_next_set_has_another() -> None:
    sitting = started(persons=0, max_sets="2", tie="shared").steady(lambda state: bool(state.rows))
    happened = sitting.commits[-1].events
    kinds = [type(event) for event in happened]
    assert kinds.index(SetEnded) < kinds.index(RowWritten) < kinds.index(SeedRevealed) < kinds.index(Dealt)
    dealt = next(event for event in happened if isinstance(event, Dealt))
    assert dealt.deal == 1
    assert dealt.commitment


def _after(totals: Sequence[int], *, sets: int = 1, left: Sequence[int] = (), **values: Any) -> Verdict | None:
    gone = tuple(seat in left for seat in range(4))
    scores = (10, 10, 10, 10)  # what the last set was does not matter, as long as it was scored
    return rules.after_set(Standing(chosen(**values), "scored", scores, tuple(totals), sets, gone, None))


def test_a_set_that_was_not_scored_ends_no_game() -> None:
    standing = Standing(chosen(), "low_calls", None, (300, 0, 0, 0), 4, (False,) * 4, None)
    assert rules.after_set(standing) is None
    assert rules.after_set(msgspec.structs.replace(standing, scores=(10, 0, 0, 0))) == Verdict("target", (0,))


def test_cb_43_exactly_300_ends_the_game() -> None:
    assert _after([300, 140, 121, 61]) == Verdict("target", (0,))


def test_cb_43_299_does_not() -> None:
    assert _after([299, 140, 121, 61]) is None


def test_cb_43_with_target_cmp_gt_the_target_must_be_crossed() -> None:
    assert _after([300, 140, 121, 61], target_cmp="gt") is None
    assert _after([301, 140, 121, 61], target_cmp="gt") == Verdict("target", (0,))


def test_cb_4_the_target_is_an_option() -> None:
    assert _after([50, 49, 0, 0], target=50) == Verdict("target", (0,))
    assert _after([1999, 0, 0, 0], target=2000) is None


def test_cb_43_without_a_target_only_the_number_of_sets_ends_the_game() -> None:
    assert _after([5000, 0, 0, 0], target=0, max_sets=5, sets=4) is None
    assert _after([5000, 0, 0, 0], target=0, max_sets=5, sets=5) == Verdict("max_sets", (0,))


def test_cb_44_of_two_who_reach_the_target_together_the_higher_total_wins() -> None:
    assert _after([302, 306, 140, 60]) == Verdict("target", (1,))


def test_cb_44_a_tie_at_the_top_plays_on_unless_it_is_shared() -> None:
    assert _after([300, 300, 121, 61]) is None
    assert _after([300, 300, 121, 61], tie="shared") == Verdict("target", (0, 1))


def test_cb_44_a_tie_below_the_top_is_no_tie() -> None:
    assert _after([310, 300, 300, 61]) == Verdict("target", (0,))


def test_cb_44_after_a_tie_the_test_starts_from_scratch() -> None:
    assert _after([290, 280, 121, 61], sets=9) is None


def test_cb_45_at_the_cap_the_highest_total_wins_and_a_tie_is_shared() -> None:
    assert _after([20, 80, -10, 80], max_sets=3, sets=2) is None
    assert _after([20, 80, -10, 80], max_sets=3, sets=3) == Verdict("max_sets", (1, 3))
    assert _after([300, 300, 0, 0], max_sets=3, sets=3) == Verdict("max_sets", (0, 1))


def test_cb_45_void_sets_do_not_count_towards_the_cap() -> None:
    sitting = started(persons=0, max_sets="2", tie="shared")
    for _ in range(2):
        sitting.moves("call 1", "call 1", "call 1", "call 1")
    sitting.steady()
    outcomes = [event.outcome for event in sitting.events if isinstance(event, SetEnded)]
    assert outcomes.count("scored") == 2
    assert outcomes.count("low_calls") >= 2
    assert sitting.state.ended == "max_sets"


def test_cb_61_a_leaver_who_is_still_away_cannot_win() -> None:
    assert _after([310, 305, 0, 0], left=[0]) == Verdict("target", (1,))
    assert _after([310, 200, 0, 0], left=[0]) is None
    assert _after([310, 200, 0, 250], left=[0], max_sets=2, sets=2) == Verdict("max_sets", (3,))


def test_cb_40_a_decimal_target_is_in_whole_points() -> None:
    options = texts("callbreak", {"scoring": "decimal", "target": "50", "max_sets": "0"})
    scores, there = (10, 0, 0, 0), (False,) * 4
    assert rules.after_set(Standing(options, "scored", scores, (499, 0, 0, 0), 9, there, None)) is None
    reached = rules.after_set(Standing(options, "scored", scores, (500, 0, 0, 0), 9, there, None))
    assert reached == Verdict("target", (0,))


def test_cb_43_a_game_ends_after_the_set_in_which_the_target_is_reached() -> None:
    sitting = _to_the_end()
    assert sitting.state.ended == "target"
    (winner,) = sitting.state.winners
    assert sitting.state.totals[winner] >= 50
    assert sitting.state.totals[winner] == max(sitting.state.totals)
    before = [sum(row.values[seat] or 0 for row in sitting.state.rows[:-1]) for seat in range(4)]
    assert max(before) < 50 or before.count(max(before)) > 1
    last = sitting.commits[-1].events
    assert isinstance(last[-1], Over)
    assert isinstance(last[-2], SeedRevealed)


def _to_the_end() -> Sitting:
    return started(word="to the end", persons=0, target="50").steady()


def test_the_rules_of_the_table_are_those_of_callbreak_1() -> None:
    sitting = _to_the_end()
    assert sitting.events[0].ruleset == CALLBREAK.ruleset == "callbreak/1"
    assert isinstance(sitting.state.options, Options)
