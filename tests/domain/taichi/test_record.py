"""What stands in a record, and that records which tell a little less are judged as well."""

from __future__ import annotations

from typing import Any

from domain import record
from domain.audit import audit_record
from domain.commands import Leave, Return
from domain.game import Rejected
from domain.games.taichi.deck import LETTERS_OF
from domain.games.taichi.moves import CHALLENGE, OPEN, PASS, READY, STOP, TURN, Word
from tests.domain.play import PERSONS, Sitting, started
from tests.domain.taichi.lexicon import FEW


def _say(sitting: Sitting, seat: int) -> str:
    """A valid word by a seat that may say one."""
    rules = sitting.state.rules
    assert rules.speaker is not None
    move = rules.speaker("steady", rules.observe(sitting.state.set, seat), FEW)
    assert isinstance(move, Word)
    sitting.move(move, seat)
    return f"{seat} word {move.word}"


def _challenged(word: str = "a challenge", duel: str = "live") -> Sitting:
    """Seats 1 and 2 challenge seat 0 after one card."""
    sitting = started("taichi", word, seats=3, dealer=2, duel=duel)
    sitting.move(TURN)
    _say(sitting, 0)
    sitting.move(STOP)
    sitting.move(CHALLENGE, 1)
    sitting.move(CHALLENGE, 2)
    return sitting


def _finish(sitting: Sitting) -> dict[str, Any]:
    """The clock plays the rest; the record, which is as the rules say."""
    sitting.play(sitting.expire)
    found = record.record(sitting.events)
    assert audit_record(record.write(found)) is None
    return found


def _moves(found: dict[str, Any]) -> list[Any]:
    moves: list[Any] = found["sets"][0]["moves"]
    return moves


def _judged(found: dict[str, Any], moves: list[Any]) -> Any:
    return audit_record(record.write({**found, "sets": [{**found["sets"][0], "moves": moves}]}))


def test_the_dictionary_and_its_version_stand_in_the_record() -> None:
    found = _finish(started("taichi", "extra", seats=2, language="fr"))
    assert found["sets"][0]["extra"] == {"words": "fr-1"}
    other = {**found["sets"][0], "extra": {"words": "en-1"}}
    finding = audit_record(record.write({**found, "sets": [other]}))
    assert finding is not None
    assert (finding.code, finding.clause) == ("wrong_extra", "TC-40")


def test_the_answers_of_a_duel_stand_by_message_and_no_turn_stands_for_its_card() -> None:
    sitting = _challenged()
    for seat in (2, 0, 1):
        sitting.move(READY, seat)
    sitting.order = 20
    second = _say(sitting, 2)
    sitting.order = 10
    first = _answer(sitting, 1)
    sitting.move(PASS, 0)
    found = _finish(sitting)
    answers = [first, second, "0 pass"]
    assert _moves(found)[5:12] == ["2 ready", "0 ready", "1 ready", *answers, "1 auto turn"]


def _answer(sitting: Sitting, seat: int) -> str:
    """A valid word where another has answered already."""
    said = {word for _, word in sitting.state.rules.observe(sitting.state.set, seat).words}
    for letter in LETTERS_OF[sitting.state.set.open[0]]:
        for word in FEW.common(letter):
            if word not in said:
                try:
                    sitting.move(Word(word), seat)
                except Rejected:
                    continue
                return f"{seat} word {word}"
    raise AssertionError("no word for these cards")


def test_a_duel_in_which_nobody_answered_is_told_in_one_line_and_may_be_left_out() -> None:
    sitting = _challenged()
    for seat in (0, 1, 2):
        sitting.move(READY, seat)
    found = _finish(sitting)
    moves = _moves(found)
    at = moves.index("2 ready") + 1
    assert moves[at : at + 2] == ["0 auto pass", "1 auto turn"]
    assert _judged(found, [*moves[:at], *moves[at + 1 :]]) is None


def test_so_is_a_challenge_for_which_nobody_was_ready() -> None:
    sitting = _challenged()
    sitting.move(READY, 0)
    sitting.expire()
    assert sitting.state.set.turn == 1
    found = _finish(sitting)
    moves = _moves(found)
    at = moves.index("0 ready") + 1
    assert moves[at : at + 2] == ["0 auto pass", "1 auto turn"]
    assert _judged(found, [*moves[:at], *moves[at + 1 :]]) is None


def test_only_those_who_pressed_ready_stand_there_and_only_they_answer() -> None:
    sitting = _challenged()
    sitting.move(READY, 2)
    sitting.expire()
    answer = _say(sitting, 2)
    found = _finish(sitting)
    moves = _moves(found)
    assert moves[4:8] == ["2 challenge", "2 ready", answer, "1 auto turn"]
    strange = _judged(found, [*moves[:6], answer.replace("2", "1", 1), *moves[7:]])
    assert strange is not None
    assert strange.move == 7


def test_whoever_comes_or_goes_after_a_duel_does_so_after_it() -> None:
    """The answers are told when the duel is over, so what stands behind them happened later."""
    sitting = _challenged()
    sitting.move(READY, 2)
    sitting.expire()
    _say(sitting, 2)
    sitting.expire()
    assert sitting.state.set.phase == "card"
    sitting.do(PERSONS[2], Leave(), 2)
    sitting.do(PERSONS[2], Return(), 2)
    moves = _moves(_finish(sitting))
    assert {"left": 2} in moves


def test_a_challenger_who_leaves_stands_before_the_answers() -> None:
    sitting = _challenged()
    for seat in (0, 1, 2):
        sitting.move(READY, seat)
    answer = _say(sitting, 1)
    sitting.do(PERSONS[2], Leave(), 2)
    sitting.move(PASS, 0)
    moves = _moves(_finish(sitting))
    at = moves.index({"left": 2})
    assert moves[at : at + 3] == [{"left": 2}, answer, "0 pass"]


def test_seconds_stand_behind_the_words_of_own_clocks() -> None:
    sitting = _challenged("own", duel="own_clock")
    for seat in (0, 1, 2):
        sitting.move(READY, seat)
    sitting.move(OPEN, 1)
    sitting.time += 12_450
    answer = _say(sitting, 1)
    found = _finish(sitting)
    moves = _moves(found)
    assert f"{answer} 12.4" in moves
    assert not any(isinstance(move, str) and move.endswith(" open") for move in moves)
    at = moves.index(f"{answer} 12.4")
    finding = _judged(found, [*moves[:at], answer, *moves[at + 1 :]])
    assert finding is not None
    assert finding.code == "open_first"


def test_a_word_that_the_cards_do_not_allow_is_found() -> None:
    found = _finish(_challenged())
    moves = _moves(found)
    strange = "0 word aaa" if moves[1].startswith("0 word z") else "0 word zzz"
    finding = _judged(found, [moves[0], strange, *moves[2:]])
    assert finding is not None
    assert (finding.code, finding.move) == ("wrong_initial", 2)
