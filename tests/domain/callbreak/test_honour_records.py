"""Records of tables of honour that somebody edited: a hidden offence and a wrong penalty are found."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from domain import record
from domain.audit import audit_record
from domain.finding import Finding
from tests.domain.callbreak.test_accusations import accuse, honour, revoke
from tests.domain.play import Sitting

Edit = Callable[[dict[str, Any]], object]


def _game(audit: str) -> Sitting:
    """Three scored sets and a void one between them, in which the dealer's right-hand neighbour's best row turned."""
    for number in range(200):
        sitting = honour(
            f"edited {audit} {number}", audit=audit, false_accusation="minus10", max_sets="3", tie="shared"
        )
        sitting.steady(lambda state: state.sets == 2)
        seat, trick = revoke(sitting)
        best = sitting.state.rows[0].values[seat] or 0
        if best <= 0 or sitting.state.sets != 2:
            continue
        if audit == "accuse":
            accuse(sitting, (seat + 1) % 4, seat, trick)
        return sitting.steady()
    raise AssertionError("no cheater with a positive row")


def _document(audit: str) -> dict[str, Any]:
    found = record.record(_game(audit).events)
    assert [played["outcome"] for played in found["sets"]] == ["scored", "void_cheating", "scored", "scored"]
    assert audit_record(record.write(found)) is None
    return found


DOCUMENTS = {audit: _document(audit) for audit in ("accuse", "auto")}


def _edited(audit: str, edit: Edit) -> Finding | None:
    found = copy.deepcopy(DOCUMENTS[audit])
    edit(found)
    assert found != DOCUMENTS[audit]
    return audit_record(record.write(found))


def _conviction(found: dict[str, Any]) -> dict[str, Any]:
    entry: dict[str, Any] = next(entry for entry in found["sets"][1]["moves"] if isinstance(entry, dict))
    return entry


def _negated(found: dict[str, Any]) -> list[Any]:
    cell: list[Any] = next(cell for column in found["rows"] for cell in column if cell[2] == "negated")
    return cell


def _unpunished(found: dict[str, Any]) -> None:
    """The penalty is taken out, and the sum is made right again."""
    for seat, column in enumerate(found["rows"]):
        for cell in column:
            if cell[2] == "negated":
                cell[1], cell[2] = -cell[1], "score"
                found["totals"][seat] += 2 * cell[1]


def _hushed_up(found: dict[str, Any]) -> None:
    """As if nobody had noticed: the conviction is gone."""
    found["sets"][1]["moves"].remove(_conviction(found))


def _as_if_scored(found: dict[str, Any]) -> None:
    _hushed_up(found)
    found["sets"][1].update(outcome="scored", scores=[10, 10, 10, 10])


BOTH: tuple[tuple[Edit, str], ...] = (
    (_hushed_up, "event_missing"),
    (_as_if_scored, "event_missing"),
    (lambda found: _conviction(found).update(proof=[13, 3]), "event_missing"),
    (lambda found: _conviction(found).update(convicted=(_conviction(found)["convicted"] + 1) % 4), "event_missing"),
    (lambda found: found["sets"][1]["moves"].append({"convicted": 0, "proof": [1, 0]}), "unknown_event"),
    (lambda found: found["sets"][2]["moves"].insert(9, {"convicted": 0, "proof": [1, 0]}), "unknown_event"),
    (lambda found: found["sets"][1].update(outcome="void_admin"), "wrong_outcome"),
    (lambda found: found["sets"][1].update(scores=[0, 0, 0, 0]), "wrong_scores"),
    (_unpunished, "wrong_rows"),
    (lambda found: _negated(found).__setitem__(1, _negated(found)[1] + 1), "wrong_rows"),
    (lambda found: _negated(found).__setitem__(2, "penalty"), "wrong_rows"),
)


@pytest.mark.parametrize("audit", ["accuse", "auto"])
@pytest.mark.parametrize(("edit", "code"), BOTH)
def test_a_record_in_which_an_offence_or_a_penalty_was_edited_is_found(audit: str, edit: Edit, code: str) -> None:
    finding = _edited(audit, edit)
    assert finding is not None, "the edit went unnoticed"
    assert finding.code == code
    assert finding.clause or code == "unknown_event"


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (lambda found: found["sets"][0]["moves"].append("0 accuse 1 5"), "wrong_rows"),  # a false one costs ten points
        (lambda found: found["sets"][1]["moves"].append("0 accuse 1 1"), "move_after_end"),
        (lambda found: found["sets"][2]["moves"].insert(30, "0 confirm"), "nothing_to_confirm"),
        (lambda found: found["sets"][3]["moves"].append("0 confirm"), "nothing_to_confirm"),  # for the second time
        (lambda found: found["sets"][2]["moves"].append("0 confirm"), "game_goes_on"),
        (lambda found: found["sets"][0]["moves"].append("0 accuse 0 5"), "bad_accusation"),
        (lambda found: found["sets"][0]["moves"].append("0 accuse 1 14"), "bad_accusation"),
    ],
)
def test_an_accusation_or_a_confirmation_that_was_put_in_is_found(edit: Edit, code: str) -> None:
    finding = _edited("accuse", edit)
    assert finding is not None, "the edit went unnoticed"
    assert finding.code == code
