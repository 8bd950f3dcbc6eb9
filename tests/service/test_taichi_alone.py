"""Computer players of Tai Chi Chuan among themselves, and what `audit` says of the words in their records."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.service.conftest import Say


@pytest.fixture
def recorded(say: Say, tmp_path: Path) -> Path:
    """The record of a game with duels by own clocks."""
    said = say(
        *("play", "taichi", "--auto", "--seed", "5eed", "--seats", "4", "--option", "duel=own_clock"),
        *("--record", str(tmp_path)),
    )
    assert said[0] == 0, said
    return tmp_path / "taichi-1.json"


def _moves(path: Path) -> list[Any]:
    moves: list[Any] = json.loads(path.read_bytes())["sets"][0]["moves"]
    return moves


def _edited(path: Path, change: dict[str, str], **extra: Any) -> str:
    document = json.loads(path.read_bytes())
    played = document["sets"][0]
    played["moves"] = [change.get(move, move) for move in played["moves"]]
    played["extra"] |= extra
    path.with_name("edited.json").write_text(json.dumps(document))
    return str(path.with_name("edited.json"))


def test_answers_by_own_clocks_take_plausible_times_that_differ(recorded: Path) -> None:
    """A duel of equal times would always be the active player's: nobody would ever be beaten."""
    duels: list[list[tuple[int, float]]] = [[]]
    for move in _moves(recorded):
        read = re.fullmatch(r"(\d) word [a-z]+ (\d+\.\d)", move)
        if read is not None:
            duels[-1].append((int(read[1]), float(read[2])))
        elif duels[-1]:
            duels.append([])
    answers = [answer for duel in duels for answer in duel]
    assert len(answers) > 5
    assert all(4 <= seconds <= 30 for _, seconds in answers)
    assert len({seconds for _, seconds in answers}) > len(answers) / 2
    assert all(duel == sorted(duel, key=lambda answer: answer[1]) for duel in duels)


def test_a_record_is_judged_by_the_dictionary(say: Say, recorded: Path) -> None:
    assert say("audit", str(recorded))[0] == 0
    said = next(move for move in _moves(recorded) if re.fullmatch(r"\d word [a-z]+", move))
    nonsense = f"{said}qq"
    code, _, err = say("audit", _edited(recorded, {said: nonsense}))
    assert code == 1
    assert "is not in the dictionary. (TC-40)" in err
    assert nonsense.rpartition(" ")[2].upper() in err


def test_words_of_a_dictionary_that_is_not_there_are_not_judged_and_that_is_said(say: Say, recorded: Path) -> None:
    said = next(move for move in _moves(recorded) if re.fullmatch(r"\d word [a-z]+", move))
    code, out, _ = say("audit", _edited(recorded, {said: f"{said}qq"}, words="en-99"))
    assert code == 0
    assert "does not have the dictionary en-99" in out
