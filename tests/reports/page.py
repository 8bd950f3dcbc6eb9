"""The page of reports (docs/reports.md) as values, and what is wrong with it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reports.md"
NOT_TESTED = "Not tested: "
REPORT = re.compile(r"(?<![\w./-])[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+#[0-9]+")
_HEAD = ("| Reported |", "|---|")


@dataclass(frozen=True)
class Line:
    """One line of the page: the reports, the tests that hold it (`path::name`), else why there is none."""

    reports: tuple[str, ...]
    tests: tuple[str, ...]
    reason: str


def lines(text: str) -> Iterator[Line]:
    """Every line of the page's tables; a row of another shape is a ValueError."""
    for row in text.splitlines():
        if not row.startswith("|") or row.startswith(_HEAD):
            continue
        cells = [cell.strip() for cell in row.strip("|").split(" | ")]
        if len(cells) != 4 or not all(cells):
            raise ValueError(f"not four cells: {row}")
        held = cells[3]
        reason = held.removeprefix(NOT_TESTED) if held.startswith(NOT_TESTED) else ""
        tests = () if reason else tuple(re.findall(r"`([^`]+)`", held))
        yield Line(tuple(REPORT.findall(cells[0])), tests, reason)


def faults(line: Line, docstring: Callable[[str], str | None]) -> list[str]:
    """What is wrong with a line; `docstring` gives that of a test (`path::name`), None where there is no such test."""
    if not line.reports:
        return [f"no report: {line}"]
    if not line.tests:
        return [] if line.reason else [f"{line.reports[0]}: neither a test nor a reason"]
    found = [f"{test}: there is no such test" for test in line.tests if docstring(test) is None]
    named = {test: set(REPORT.findall(docstring(test) or "")) for test in line.tests}
    found += [f"{test}: names none of {line.reports}" for test in line.tests if not named[test] & set(line.reports)]
    found += [f"{report}: no test names it" for report in line.reports if report not in set().union(*named.values())]
    return found


def docstring(test: str) -> str | None:
    """The docstring of a test of ours, given as `path::name`: empty where it has none, None where it is not there."""
    path, _, name = test.partition("::")
    return _docstrings(path).get(name)


@cache
def _docstrings(path: str) -> dict[str, str]:
    if not (ROOT / path).is_file():
        return {}
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {node.name: ast.get_docstring(node) or "" for node in functions if node.name.startswith("test_")}
