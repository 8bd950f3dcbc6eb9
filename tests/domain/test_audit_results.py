"""Records with edited outcomes, scores, sheets or ends: each is refused with the set and the clause."""

from __future__ import annotations

from typing import Any

import pytest

from domain.commands import Close
from tests.domain.edited_records import Edit, a_record, audit, edited, index_of, where
from tests.domain.play import started


def test_cb_40_a_score_off_by_one() -> None:
    for seat in range(4):
        found = a_record()
        found["sets"][0]["scores"][seat] += 1
        finding = audit(found)
        assert finding is not None
        assert (finding.code, *where(finding)) == ("wrong_scores", 1, len(found["sets"][0]["moves"]), "CB-40")


@pytest.mark.parametrize("scores", [None, [], [10, 20], [None] * 4, [0] * 5])
def test_cb_40_scores_of_another_shape(scores: Any) -> None:
    finding = edited(lambda found: found["sets"][0].update(scores=scores))
    assert (finding.code, finding.set, finding.clause) == ("wrong_scores", 1, "CB-40")


def test_cb_41_scores_of_a_void_set() -> None:
    found = a_record()
    index = index_of("low_calls", found)
    found["sets"][index]["scores"] = [10, 10, 10, 10]
    finding = audit(found)
    assert finding is not None
    assert (finding.code, finding.set) == ("wrong_scores", index + 1)


@pytest.mark.parametrize("outcome", ["low_calls", "void_cheating", "void_admin", "chinchon", ""])
def test_a_wrong_outcome(outcome: str) -> None:
    finding = edited(lambda found: found["sets"][0].update(outcome=outcome))
    assert (finding.code, finding.set, finding.clause) == ("wrong_outcome", 1, "CB-30")


def test_cb_41_a_row_off_by_one() -> None:
    for seat in range(4):
        found = a_record()
        found["rows"][seat][1][1] += 1
        finding = audit(found)
        assert finding is not None
        index = found["rows"][seat][1][0]
        assert finding.code == "wrong_rows"
        assert where(finding) == (index + 1, len(found["sets"][index]["moves"]), "CB-41")


@pytest.mark.parametrize(
    "edit",
    [
        lambda found: found["rows"].pop(),
        lambda found: found["rows"][0].pop(),
        lambda found: found["rows"][0].append([0, 10, "score"]),
        lambda found: found["rows"][2].reverse(),
        lambda found: found["rows"][0][0].__setitem__(2, "penalty"),
        lambda found: found["rows"][0][0].__setitem__(0, 99),
        lambda found: found["rows"][0].append([10**15, 10, "score"]),
    ],
)
def test_cb_41_rows_that_are_not_those_of_the_sets(edit: Edit) -> None:
    finding = edited(edit)
    assert (finding.code, finding.clause) == ("wrong_rows", "CB-41")


@pytest.mark.parametrize("totals", [[], [0, 0, 0, 0], [1.5] * 4])
def test_cb_6_totals_that_are_not_the_sums(totals: list[Any]) -> None:
    finding = edited(lambda found: found.update(totals=totals))
    assert (finding.code, finding.clause) == ("wrong_totals", "CB-6")
    assert finding.set == len(a_record()["sets"])


@pytest.mark.parametrize("winners", [[], [0, 1, 2, 3], [7], [-1]])
def test_cb_44_wrong_winners(winners: list[int]) -> None:
    finding = edited(lambda found: found.update(winners=winners))
    assert (finding.code, finding.clause) == ("wrong_winners", "CB-44")


@pytest.mark.parametrize("ended", [None, "target", "vote", "closed", "too_few_players", "chinchon"])
def test_a_wrong_end(ended: str | None) -> None:
    finding = edited(lambda found: found.update(ended=ended))
    assert (finding.code, finding.clause) == ("wrong_end", "CB-45")
    assert finding.set == len(a_record()["sets"])


def test_cb_45_a_game_that_goes_on_after_its_end() -> None:
    found = a_record()
    found["options"]["max_sets"] = 1
    finding = audit(found)
    assert finding is not None
    assert (finding.code, *where(finding)) == ("game_is_over", 2, 0, "CB-45")


def test_cb_43_a_game_that_goes_on_after_the_target() -> None:
    found = a_record(started(word="on", persons=0, target="100").steady())
    found["options"]["target"] = 50
    finding = audit(found)
    assert finding is not None
    assert finding.code in {"game_is_over", "wrong_end"}
    assert finding.clause == "CB-43"


def test_cb_43_a_game_that_ended_before_the_target() -> None:
    found = a_record(started(word="on", persons=0, target="100").steady())
    found["options"]["target"] = 2000
    finding = audit(found)
    assert finding is not None
    assert (finding.code, finding.clause) == ("game_goes_on", "CB-43")


@pytest.mark.parametrize("ended", ["last_left", "points", "rounds", "x" * 10_000])
def test_an_end_that_this_game_does_not_know(ended: str) -> None:
    sitting = started(redeal="")
    sitting.do("operator", Close())
    finding = edited(lambda found: found.update(ended=ended), a_record(sitting))
    assert finding.code == "game_goes_on"
    assert len(str(finding.values)) < 1000


def test_winners_of_a_game_without_a_verdict() -> None:
    sitting = started(redeal="")
    sitting.do("operator", Close())
    finding = edited(lambda found: found.update(winners=[0]), a_record(sitting))
    assert (finding.code, finding.clause) == ("wrong_winners", "CB-44")


def test_a_set_left_out() -> None:
    for index in range(len(a_record()["sets"])):
        found = a_record()
        del found["sets"][index]
        finding = audit(found)
        assert finding is not None
        assert finding.clause is not None
