"""What people type, and the exact notation."""

from __future__ import annotations

import pytest

from domain.games.taichi.moves import Move, Word, fold, notation, parse, read
from domain.games.taichi.view import observe
from domain.rejected import Rejected
from tests.domain.taichi.turns import Turns


def _turns() -> Turns:
    turns = Turns("S:P T:P O:L", 4)
    turns.do("0 turn")
    return turns


def _read(turns: Turns, seat: int, text: str) -> Move:
    return parse(text, observe(turns.state, seat))


@pytest.mark.parametrize(
    "text",
    [
        *("turn", "no_word", "stop", "challenge", "decline", "ready", "open", "pass", "object", "agree", "disagree"),
        *("word satellite", "word a", "word satellite 12.4", "word satellite 0.0"),
    ],
)
def test_a_move_reads_back_from_its_notation(text: str) -> None:
    assert notation(read(text)) == text


@pytest.mark.parametrize(
    "text",
    ["", "word", "word ", "word Site", "word été", "word a-b", "word site 1", "word site 01.5", "Turn", "turn ", "go"],
)
def test_what_is_no_exact_notation_is_refused(text: str) -> None:
    with pytest.raises(Rejected, match="not_a_move"):
        read(text)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("word sun", "word sun"),
        ("  WORD   Sun ", "word sun"),
        ("Sun", "word sun"),
        ("sûn", "word sun"),
        ("no word", "no_word"),
        ("No-Word", "no_word"),
        ("stop", "word stop"),  # to stop is not possible now, and it is a word
        ("ready", "word ready"),
        ("object", "word object"),
        ("word object", "word object"),
        ("turn a card", "turn"),
    ],
)
def test_where_a_word_is_wanted_a_bare_one_is_a_word(text: str, meant: str) -> None:
    assert notation(_read(_turns(), 0, text)) == meant


def test_where_no_word_is_wanted_a_bare_one_is_none() -> None:
    turns = _turns()
    turns.do("0 word sun")
    assert notation(_read(turns, 0, "Stop")) == "stop"
    with pytest.raises(Rejected, match="not_a_move"):
        _read(turns, 0, "salt")
    assert _read(turns, 0, "word salt") == Word("salt")  # it is refused for another reason


def test_to_pass_in_a_rescue_round_is_the_move() -> None:
    turns = _turns()
    turns.do("0 no_word")
    assert notation(_read(turns, 1, "pass")) == "pass"
    assert _read(turns, 1, "word pass") == Word("pass")


def test_object_is_the_move_where_it_can_be_made() -> None:
    turns = _turns()
    turns.do("0 word southerners")
    assert notation(_read(turns, 0, "object")) == "object"


@pytest.mark.parametrize(
    ("text", "letters"),
    [("Café", "cafe"), ("NAÏVE", "naive"), ("œuvre", "oeuvre"), ("Straße", "strasse"), (" sun ", "sun")],
)
def test_case_and_accents_do_not_count(text: str, letters: str) -> None:
    assert fold(text) == letters


@pytest.mark.parametrize("text", ["", "don't", "a b", "x2", "ДА", "-", "a" * 41])
def test_anything_but_letters_is_no_word(text: str) -> None:
    assert fold(text) is None


def test_a_word_of_other_signs_is_refused_as_such() -> None:
    with pytest.raises(Rejected, match="not_letters"):
        _read(_turns(), 0, "word don't")
