"""`tabletalk words`: verdicts with their reasons, families, and exit codes that a script can use."""

from __future__ import annotations

import io

import pytest

from service.text import language, wording
from service.words import lists
from tests.service.conftest import Say


def test_each_verdict_is_a_line_with_its_reason(say: Say) -> None:
    code, out, err = say("words", "check", "--language", "en", "building", "hands", "mice", "Paris")
    assert out.splitlines() == [
        "building: valid",
        "hands: refused, plural or verb form of hand",
        "mice: refused, plural of mouse",
        "paris: refused, a proper noun",
    ]
    assert (code, err) == (1, "")


def test_the_exit_code_is_0_if_all_are_valid(say: Say) -> None:
    assert say("words", "check", "south", "satellite")[0] == 0


def test_a_dash_reads_the_words_from_the_standard_input(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("south\nriden site\n"))
    code, out, _ = say("words", "check", "zoo", "-")
    assert out.splitlines() == ["zoo: valid", "south: valid", "riden: refused, not in the dictionary", "site: valid"]
    assert code == 1


def test_french_is_shown_with_its_accents(say: Say) -> None:
    code, out, _ = say("words", "check", "--language", "fr", "ete", "chevaux")
    assert out.splitlines() == ["été: valid", "chevaux: refused, plural of cheval"]
    assert code == 1


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("south", "southern"), 0, ["south, southern: one family"]),
        (("state", "station"), 1, ["state, station: no common family"]),
        (("run", "ran"), 1, ["ran: refused, form of the verb run", "run, ran: one family"]),
        (("run", "riden"), 1, ["riden: refused, not in the dictionary"]),
    ],
)
def test_whether_two_words_are_one_family(say: Say, words: tuple[str, str], code: int, said: list[str]) -> None:
    assert say("words", "family", *words) == (code, "\n".join(said) + "\n", "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["words", "check"], "which words?"),
        (["words", "check", "--language", "tlh", "x"], "there is no dictionary for “tlh”: there are en, fr"),
        (["words", "family", "one"], "SECOND"),
    ],
)
def test_a_wrong_command_line_is_one_line_and_code_2(say: Say, arguments: list[str], words: str) -> None:
    code, out, err = say(*arguments)
    assert (code, out) == (2, "")
    assert words in err


def test_what_somebody_types_cannot_move_the_cursor(say: Say) -> None:
    out = say("words", "check", "\x1b[2Jx\u202ey")[1]
    assert out == "[2Jxy: refused, a word has letters, and nothing else\n"


def test_every_reason_of_a_dictionary_has_words() -> None:
    of_the_judge = {"not_in_dictionary", "too_short", "not_letters"}
    assert set(wording.REASONS) == {*lists.REASONS.values(), *of_the_judge}
    assert all(language("en").gettext(text) for text in wording.REASONS.values())
