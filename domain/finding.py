"""What an audit finds, and how it gets out of the depth of a game."""

from __future__ import annotations

from typing import Any

import msgspec


class Finding(msgspec.Struct, frozen=True):
    """The first thing that is wrong: a code with values, and where.

    `set` counts from 1; `move` too, over the entries of the set's `moves`: 0 is the deal, and what is said of the set
    as a whole (its outcome, its scores) belongs to its last move. None: not about a set. `version` is the commit, where
    a table's history was judged. `clause` names the rule.
    """

    code: str
    set: int | None = None
    move: int | None = None
    clause: str | None = None
    values: dict[str, Any] = {}
    version: int | None = None


class Wrong(Exception):
    """Carries the finding to whoever asked for the audit."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.code)
        self.finding = finding


def wrong(
    code: str, set_: int | None = None, move: int | None = None, clause: str | None = None, **values: Any
) -> Wrong:
    """The exception that says what is wrong, and where."""
    return Wrong(Finding(code, set_, move, clause, values))
