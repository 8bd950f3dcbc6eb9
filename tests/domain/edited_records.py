"""A game with much in it, as a record that tests edit: what the audit then finds."""

from __future__ import annotations

import copy
import functools
import json
import random
from collections.abc import Callable
from typing import Any

from domain import record
from domain.audit import Finding, audit_record
from domain.commands import Leave
from domain.game import SetEnded
from tests.domain.play import PERSONS, Sitting, started

Edit = Callable[[dict[str, Any]], None]


@functools.cache
def eventful() -> Sitting:
    """A game with a redeal, low calls, scored sets, clock moves, somebody who leaves and comes back."""
    rng = random.Random(4)
    for word in map(str, range(100)):
        sitting = started(word=word, max_sets="3", tie="shared", min_total_calls="18", dealer=0)
        sitting.do(PERSONS[1], Leave())
        while sitting.state.phase == "playing":
            if sitting.asked() == 1 and rng.random() < 0.8 and sitting.state.seats[1].left:
                sitting.expire()
            else:
                sitting.any_move(rng)
        ends = [event.outcome for event in sitting.events if isinstance(event, SetEnded)]
        if {"low_calls", "redeal"} <= set(ends) and ends[0] == "scored" and ends[-1] == "scored":
            return sitting
    raise AssertionError("no such game among a hundred")


def a_record(sitting: Sitting | None = None) -> dict[str, Any]:
    return copy.deepcopy(record.record((sitting or eventful()).events))


def index_of(outcome: str, found: dict[str, Any]) -> int:
    """The index of the first set with an outcome."""
    return next(index for index, one in enumerate(found["sets"]) if one["outcome"] == outcome)


def audit(found: dict[str, Any]) -> Finding | None:
    return audit_record(json.dumps(found).encode())


def edited(edit: Edit, found: dict[str, Any] | None = None) -> Finding:
    found = a_record() if found is None else found
    edit(found)
    finding = audit(found)
    assert finding is not None, "the edit went unnoticed"
    return finding


def where(finding: Finding) -> tuple[int | None, int | None, str | None]:
    return finding.set, finding.move, finding.clause
