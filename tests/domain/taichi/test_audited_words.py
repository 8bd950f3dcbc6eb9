"""TC-40 to TC-43: a record's words are judged by its dictionary, and by what players decided against that."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain import record
from domain.audit import audit_record, unjudged
from domain.audit_history import Commit, audit_history
from domain.game import Decided, Lexicon, Ruling
from domain.games.taichi.deck import LETTERS_OF
from domain.games.taichi.events import WordRefused, WordSaid
from domain.games.taichi.moves import OPEN, READY, read
from tests.domain.play import Sitting, started
from tests.domain.taichi.lexicon import FEW


def _ours(name: str) -> Lexicon:
    if name != "en-1":
        raise LookupError(name)
    return FEW


def _table(letters: str, **more: Any) -> Sitting:
    """Four at a table whose first cards have just these letters; seat 0 begins."""
    for number in range(4000):
        sitting = started("taichi", f"words {number}", seats=4, dealer=3, **more)
        top = sitting.state.set.pile[: len(letters)]
        if [LETTERS_OF[card] for card in top] == [*letters]:
            return sitting
    raise AssertionError("no such deck")


def _lines(sitting: Sitting, *lines: str) -> None:
    for line in lines:
        seat, _, notation = line.partition(" ")
        sitting.move(read(notation), int(seat))


def _finished(sitting: Sitting) -> dict[str, Any]:
    """The clock plays the rest; what is recorded is as the rules and the dictionary say."""
    sitting.play(sitting.expire)
    found = record.record(sitting.events)
    assert audit_record(record.write(found), _ours) is None
    assert audit_history(_history(sitting), _ours) is None
    return found


def _history(sitting: Sitting) -> list[Commit]:
    return [Commit(one.time, one.actor, one.events) for one in sitting.commits]


def _with(found: dict[str, Any], before: str, after: str, **extra: Any) -> bytes:
    played = found["sets"][0]
    moves = [after if move == before else move for move in played["moves"]]
    assert moves != played["moves"] or extra
    return record.write({**found, "sets": [{**played, "moves": moves, "extra": {**played["extra"], **extra}}]})


def test_a_word_that_is_in_no_dictionary_is_found_in_a_record() -> None:
    sitting = _table("m")
    _lines(sitting, "0 turn", "0 word man", "0 stop")
    found = _finished(sitting)
    for word, code in {"mxyz": "not_in_dictionary", "mice": "plural"}.items():
        edited = _with(found, "0 word man", f"0 word {word}")
        finding = audit_record(edited, _ours)
        assert finding is not None
        assert (finding.code, finding.clause, finding.set, finding.move) == (code, "TC-40", 1, 2)
        assert audit_record(edited) is None  # nobody was asked
    assert audit_record(_with(found, "0 word man", "0 word mouse"), _ours) is None


def test_a_word_of_a_family_that_was_said_is_found_in_a_record() -> None:
    sitting = _table("ac")
    _lines(sitting, "0 turn", "0 word action", "0 turn", "0 word account", "0 stop")
    found = _finished(sitting)
    finding = audit_record(_with(found, "0 word account", "0 word actor"), _ours)
    assert finding is not None
    assert (finding.code, finding.clause, finding.move) == ("same_family", "TC-41", 4)
    assert audit_record(_with(found, "0 word account", "0 word across"), _ours) is None


def test_so_is_one_in_a_duel_by_own_clocks() -> None:
    sitting = _table("so", duel="own_clock")
    _lines(sitting, "0 turn", "0 word state", "0 stop", "1 challenge", "2 decline", "3 decline")
    sitting.move(READY, 0)
    sitting.move(READY, 1)
    sitting.move(OPEN, 1)
    sitting.time += 4200
    _lines(sitting, "1 word south", "0 pass")
    found = _finished(sitting)
    finding = audit_record(_with(found, "1 word south 4.2", "1 word soxx 4.2"), _ours)
    assert finding is not None
    assert finding.code == "not_in_dictionary"


def test_a_dictionary_that_is_not_there_judges_nothing_and_that_is_said() -> None:
    sitting = _table("m")
    _lines(sitting, "0 turn", "0 word man", "0 stop")
    found = _finished(sitting)
    other = _with(found, "0 word man", "0 word mxyz", words="en-7")
    assert audit_record(other, _ours) is None
    assert unjudged(record.read(other), _ours) == ("en-7",)
    assert unjudged(record.read(record.write(found)), _ours) == ()


@pytest.mark.parametrize("named", ["fr-1", "en", "en-", "en-x", 7, None, ["en-1"]])
def test_a_record_names_a_dictionary_of_its_language(named: Any) -> None:
    found = _finished(_table("m"))
    finding = audit_record(_with(found, "", "", words=named), _ours)
    assert finding is not None
    assert (finding.code, finding.clause) == ("wrong_extra", "TC-40")


def test_a_word_that_the_players_let_count_stands_in_the_record_as_such() -> None:
    sitting = _table("m")
    _lines(sitting, "0 turn", "0 word mice", "0 object", "1 agree", "2 agree", "3 agree", "0 stop")
    found = _finished(sitting)
    assert found["sets"][0]["extra"] == {"words": "en-1", "overruled": [["mice", "", True]]}
    assert found["sets"][0]["moves"][:3] == ["0 turn", "0 word mice", "0 stop"]
    without = msgspec.json.decode(record.write(found))
    del without["sets"][0]["extra"]["overruled"]
    finding = audit_record(record.write(without), _ours)
    assert finding is not None
    assert finding.code == "plural"


@pytest.mark.parametrize("told", [7, ["mice"], [["mice", ""]], [["mice", "", "yes"]], {"mice": True}])
def test_what_was_overruled_has_a_form(told: Any) -> None:
    found = _finished(_table("m"))
    finding = audit_record(_with(found, "", "", overruled=told), _ours)
    assert finding is not None
    assert (finding.code, finding.clause) == ("wrong_extra", "TC-43")


def test_the_next_table_of_the_home_knows_what_was_decided() -> None:
    """TC-43: overrides are kept per chat."""
    kept = (Decided("mice", "", True), Decided("man", "", False), Decided("map", "may", True))
    sitting = _table("ma", kept=kept)
    _lines(sitting, "0 turn")
    refused = sitting.move(read("word man"), 0)
    assert isinstance(refused[0], WordRefused)
    assert refused[0].reason == "overruled"
    said = sitting.move(read("word mice"), 0)
    assert isinstance(said[0], WordSaid)
    found = _finished(sitting)
    assert found["sets"][0]["extra"]["overruled"] == [["mice", "", True], ["man", "", False], ["map", "may", True]]


def test_a_table_decides_for_the_next_one_only_what_was_decided_there() -> None:
    sitting = _table("m", kept=(Decided("man", "", False),))
    _lines(sitting, "0 turn", "0 word mice", "0 object", "1 agree", "2 agree", "3 agree", "0 stop")
    assert sitting.state.rules.decided(sitting.state.set) == (Decided("mice", "", True),)


def test_a_verdict_that_is_not_the_dictionarys_is_found_in_a_history() -> None:
    """The service could refuse a good word, or take a bad one: every verdict is asked for again."""
    sitting = _table("m")
    sitting.lexicon = _Biased("man", Ruling("man", False, "not_in_dictionary"))
    _lines(sitting, "0 turn", "0 word man", "0 word mouse", "0 stop")
    sitting.play(sitting.expire)
    history = _history(sitting)
    assert audit_history(history) is None
    finding = audit_history(history, _ours)
    assert finding is not None
    assert finding.code == "wrong_events"


class _Biased:
    name = "en-1"

    def __init__(self, word: str, ruling: Ruling) -> None:
        self._word, self._ruling = word, ruling

    def rule(self, word: str) -> Ruling:
        return self._ruling if word == self._word else FEW.rule(word)

    def common(self, initial: str) -> Any:
        return FEW.common(initial)
