from __future__ import annotations

import re

import pytest

from tests.reports.page import PAGE, REPORT, ROOT, Line, docstring, faults, lines

TEXT = PAGE.read_text(encoding="utf-8")
THIS = "tests/reports/test_the_page.py"


@pytest.mark.parametrize("line", list(lines(TEXT)), ids=lambda line: line.reports[0])
def test_each_line_of_the_page_is_held_by_tests_that_name_its_reports_or_says_why_not(line: Line) -> None:
    assert faults(line, docstring) == []


def test_every_report_that_a_test_names_is_on_the_page() -> None:
    here = {report for line in lines(TEXT) for report in line.reports}
    files = [path for path in sorted((ROOT / "tests").rglob("test_*.py")) if path.name != "test_the_page.py"]
    named = {report for path in files for report in REPORT.findall(path.read_text(encoding="utf-8"))}
    assert len(named) > 100
    assert named - here == set()


def test_a_table_has_a_head_and_no_line_comes_twice() -> None:
    rows = [row for row in TEXT.splitlines() if row.startswith("| ") and not row.startswith("| Reported")]
    assert len(set(rows)) == len(rows) == len(list(lines(TEXT)))
    assert len(re.findall(r"^## ", TEXT, re.MULTILINE)) == TEXT.count("| Reported |")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (Line((), (f"{THIS}::test_x",), ""), "no report"),
        (Line(("a/b#1",), (), ""), "neither a test nor a reason"),
        (Line(("a/b#1",), ("gone",), ""), "there is no such test"),
        (Line(("a/b#1",), ("another",), ""), "names none of"),
        (Line(("a/b#1", "a/b#2"), ("first",), ""), "a/b#2: no test names it"),
        (Line(("a/b#11",), ("first",), ""), "names none of"),
    ],
)
def test_a_line_that_nothing_holds_is_found(line: Line, said: str) -> None:
    there = {"first": "It works (a/b#1).", "another": "It works (x/a/b#1, c/d#1)."}
    assert any(said in fault for fault in faults(line, there.get))


def test_a_line_that_is_held_or_has_a_reason_is_right() -> None:
    assert faults(Line(("a/b#1", "c/d#2"), ("first", "second"), ""), {"first": "a/b#1", "second": "c/d#2"}.get) == []
    assert faults(Line(("a/b#1",), (), "there is no such thing here"), docstring) == []
    assert list(lines("| Reported | w | o | h |\n|---|---|---|---|\n| a/b#1 | It broke | – | Not tested: no |")) == [
        Line(("a/b#1",), (), "no")
    ]


@pytest.mark.parametrize("row", ["| a/b#1 | It broke | It works |", "| a/b#1 | It broke |  | `x` |"])
def test_a_line_of_another_shape_is_refused(row: str) -> None:
    with pytest.raises(ValueError, match="not four cells"):
        list(lines(row))
