"""What an audit finds is said in one line: where, what, which clause."""

from __future__ import annotations

import pytest

from domain.audit import Finding, audit_record
from domain.record import write
from service.text import findings as texts
from service.text import language, refusals
from tests.domain.edited_records import a_record
from tests.service.text import codes

TEXTS = language("en")


def test_every_code_that_an_audit_reports_has_a_sentence() -> None:
    assert {"wrong_dealer", "card_twice", "wrong_events"} <= codes.findings()
    assert [code for code in codes.findings() if not (texts.sentence_of(code) or refusals.sentence_of(code))] == []


def test_a_finding_names_set_move_and_clause() -> None:
    values = {"text": "2 play QS", "cards": ["4H"], "led": "H", "top": "TH"}
    found = Finding("must_follow", 3, 17, "CB-32", values)
    assert texts.finding(TEXTS, found) == "set 3, move 17: “2 play QS”: the seat had to follow suit: 4♥ (CB-32)"


def test_a_finding_about_a_deal_says_so() -> None:
    found = Finding("card_twice", 2, 0, "CB-3", {"card": "TH"})
    assert texts.finding(TEXTS, found) == "set 2, deal: 10♥ is in the pack more than once (CB-3)"


def test_a_finding_in_a_history_names_the_commit() -> None:
    assert texts.finding(TEXTS, Finding("no_command_causes_this", version=4)).startswith("version 4: ")


def test_a_finding_with_values_that_nobody_foresaw_is_still_said() -> None:
    assert texts.finding(TEXTS, Finding("wrong_dealer", 1, 0)) == "set 1, deal: wrong_dealer"
    assert texts.finding(TEXTS, Finding("from_the_future", 1, 2, "CB-1")) == "set 1, move 2: from_the_future (CB-1)"


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("winners", [0, 1, 2, 3], "the winners should be"),
        ("totals", [1, 2, 3, 4], "the totals should be"),
        ("format", "other/2", "unknown format “other/2”"),
        ("seats", 5, "wrong number of seats: 4 can play"),
        ("rows", [], "the score sheet is wrong; it should have 4 columns"),
        ("sets", [], "the score sheet is wrong; it should have no more rows for seat 0"),
        ("rows", [[[0, 1, "score"]]] * 4, " (score) for seat 0 in set "),
        ("options", {**a_record()["options"], "target": 10}, "target"),
    ],
)
def test_an_edited_record_is_answered_in_words(key: str, value: object, words: str) -> None:
    found = audit_record(write({**a_record(), key: value}))
    assert found is not None
    assert words in texts.finding(TEXTS, found)


@pytest.mark.parametrize("winners", [[10**15] * 10_000, [1e308] * 10_000])
def test_what_a_record_says_is_not_repeated_at_any_length(winners: list[int]) -> None:
    found = audit_record(write({**a_record(), "winners": winners}))
    assert found is not None
    assert len(texts.finding(TEXTS, found)) < 2000


def test_a_broken_record_is_answered_in_one_line() -> None:
    found = audit_record(b"\xff\x00{" * 100)
    assert found is not None
    line = texts.finding(TEXTS, found)
    assert line.startswith("this is not a record: ")
    assert "\n" not in line
