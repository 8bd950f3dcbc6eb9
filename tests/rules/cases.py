"""The worked cases of the rules: where they are read from, and what a game's judge of them looks like."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
TESTS = HERE.parent


@dataclass(frozen=True)
class Case:
    """One worked case of a game, and the file it stands in."""

    game: str
    file: Path
    data: Mapping[str, Any]

    @property
    def id(self) -> str:
        return str(self.data["id"])

    @property
    def question(self) -> str:
        """What is asked; a case with a `move` and no question asks for what the move does."""
        return str(self.data.get("question", "move"))

    @property
    def where(self) -> str:
        """For people who read the report: `callbreak-cb03 CB-33`, with the folder where it is not ours."""
        folder = "" if self.file.parent == HERE else f"{self.file.parent.name}/"
        return f"{folder}{self.game}-{self.id} {self.data.get('clause', '')}".strip()


@dataclass(frozen=True)
class Judge:
    """How one kind of question is answered by our rules.

    `answer` gets the case's `given` (where the case has a `move`, that too, under this key) and asserts that ours is
    its `expect`. `given` and `expect` are the keys that it understands: a case that has another asks for something that
    is not checked, so it fails.
    """

    answer: Callable[[Mapping[str, Any], Any], None]
    given: frozenset[str]
    expect: frozenset[str] = frozenset()


def folders() -> list[Path]:
    """Our own cases, then those of the folder that RULE_CASES names."""
    found = [HERE]
    more = os.environ.get("RULE_CASES")
    if more:
        folder = Path(more)
        assert folder.is_dir(), f"RULE_CASES is no folder: {more}"
        found.append(folder)
    return found


def cases(folder: Path) -> list[Case]:
    """Every case of a folder: one file a game, `<slug>.json`."""
    return [
        Case(file.stem, file, data)
        for file in sorted(folder.glob("*.json"))
        for data in json.loads(file.read_text("utf-8"))
    ]


def asked_of(case: Case) -> Mapping[str, Any]:
    """What a judge gets of the case."""
    move = {"move": case.data["move"]} if "move" in case.data else {}
    return {**case.data.get("given", {}), **move}


def unknown_keys(case: Case, judge: Judge) -> list[str]:
    """What the case mentions and the judge does not look at."""
    found = [f"given.{key}" for key in case.data.get("given", {}) if key not in judge.given]
    expect = case.data.get("expect")
    if isinstance(expect, Mapping):
        found += [f"expect.{key}" for key in expect if key not in judge.expect]
    if "move" in case.data and "move" not in judge.given:
        found.append("move")
    known = {"id", "clause", "title", "given", "question", "move", "expect", "note"}
    return found + [key for key in case.data if key not in known]


def named_after(case: Case) -> list[str]:
    """The tests, anywhere under tests/, that carry the case's id: `test_sn_c40_...`."""
    wanted = re.compile(rf"^\s*(?:async )?def (test_{re.sub(r'[^a-z0-9]', '_', case.id.lower())}_\w+)\(", re.MULTILINE)
    return [name for file in sorted(TESTS.rglob("test_*.py")) for name in wanted.findall(file.read_text("utf-8"))]
