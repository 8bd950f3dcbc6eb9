"""Every worked case of every game, ours and those of the folder that RULE_CASES names."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from domain.games import GAMES
from tests.rules import callbreak
from tests.rules.cases import HERE, Case, Judge, asked_of, cases, folders, named_after, unknown_keys


@dataclass(frozen=True)
class Bench:
    """A game's judges by question, why a case has to wait (empty: it has not), and the judges of a part of those."""

    judges: Mapping[str, Judge]
    waits: Callable[[Case], str]
    in_part: Mapping[str, Judge]


def _bench(game: str) -> Bench:
    """What the module that is called like the game says: JUDGES, and where some cases wait WAITS and IN_PART."""
    module = importlib.import_module(f"tests.rules.{game}")
    return Bench(module.JUDGES, getattr(module, "waits", lambda case: ""), getattr(module, "IN_PART", {}))


BENCHES: dict[str, Bench] = {game: _bench(game) for game in GAMES}
_ALL = [case for folder in folders() for case in cases(folder)]
_OURS = [case for case in _ALL if case.game in GAMES]
_OTHERS = sorted({case.file for case in _ALL if case.game not in GAMES})


def _waits(case: Case) -> bool:
    return bool(BENCHES[case.game].waits(case))


def check(case: Case) -> None:
    """Asserts what the case expects; a question that nobody can answer is a failure."""
    if case.question == "policy":
        assert named_after(case), f"{case.where}: no test is named after it"
        return
    judge = BENCHES[case.game].judges.get(case.question)
    if judge is None:
        pytest.fail(f"{case.where}: nobody can answer the question {case.question}")
    _answer(case, judge)


def _answer(case: Case, judge: Judge) -> None:
    left_out = unknown_keys(case, judge)
    assert not left_out, f"{case.where}: not looked at: {left_out}"
    judge.answer(asked_of(case), case.data["expect"])


@pytest.mark.parametrize("case", [case for case in _OURS if not _waits(case)], ids=lambda case: case.where)
def test_the_case_is_judged_as_it_expects(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("case", [case for case in _OURS if _waits(case)], ids=lambda case: case.where)
def test_what_can_be_answered_of_a_waiting_case(case: Case) -> None:
    bench = BENCHES[case.game]
    judge = bench.in_part.get(case.question)
    if judge is None:
        pytest.skip(f"{case.where} waits: {bench.waits(case)}")
    _answer(case, judge)


@pytest.mark.parametrize("file", _OTHERS, ids=lambda file: file.stem)
def test_cases_of_games_that_are_not_here_yet(file: Path) -> None:
    pytest.skip(f"{file.stem} is not in the registry")


@pytest.mark.parametrize("game", list(GAMES))
def test_every_game_has_worked_cases_and_judges(game: str) -> None:
    assert (HERE / f"{game}.json").is_file()
    assert BENCHES[game].judges


def test_no_question_of_call_break_waits() -> None:
    asked = {case.question for case in cases(HERE) if case.game == "callbreak"}
    assert {"audit", "penalty", "void_set", "hidden_call"} <= asked - {"policy"} <= set(callbreak.JUDGES)


def _case(**data: Any) -> Case:
    return Case("callbreak", HERE / "callbreak.json", {"id": "x1", "clause": "CB-33", "title": "made up", **data})


_HAND = {"hand": ["3C", "QC"], "trick": [[1, "JC"]], "trump": "S"}


@pytest.mark.parametrize(
    "case",
    [
        _case(question="who_smiles", given={}, expect=1),
        _case(question="legal_moves", given={**_HAND, "mood": "good"}, expect=["QC"]),
        _case(question="legal_moves", given=_HAND, expect=["QC"], weather="fine"),
        _case(question="call", given={"dealer": 0, "turn": 1, "seat": 1, "call": 3}, expect={"ok": True, "so": 1}),
        _case(question="legal_moves", given=_HAND, expect=["3C"]),
        _case(question="legal_moves", given=_HAND, expect=["3C", "QC"]),
        _case(question="legal_moves", given={**_HAND, "options": {"mustbeat": True}}, expect=["QC"]),
        _case(question="set_scores", given={"calls": [1, 1, 1, 1], "won": [1, 1, 1, 1]}, expect=[10, 10, 10, 11]),
        _case(question="policy", given={}, expect={"decision": "whatever"}),
        _case(question="call", given={"dealer": 0, "turn": 1, "seat": 1, "call": 0}, expect={"ok": True}),
        _case(question="call", given={"dealer": 0, "turn": 1, "seat": 1, "call": 3}, expect={"error": "stale"}),
    ],
    ids=lambda case: case.question,
)
def test_a_case_that_we_do_not_understand_or_do_not_meet_fails(case: Case) -> None:
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        check(case)


def test_the_cases_of_the_named_folder_run_beside_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULE_CASES", str(tmp_path))
    (tmp_path / "callbreak.json").write_text('[{"id": "y7", "question": "legal_moves", "given": {}, "expect": []}]')
    assert [case.id for folder in folders()[1:] for case in cases(folder)] == ["y7"]
    assert folders()[0] == HERE


def test_a_named_folder_that_is_not_there_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULE_CASES", str(tmp_path / "nowhere"))
    with pytest.raises(AssertionError, match="RULE_CASES"):
        folders()
