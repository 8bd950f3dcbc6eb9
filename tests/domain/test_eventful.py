"""Everything that may happen at a table happens, in every game, and the history of it is judged; edits are found.

`EVENTFUL_GAMES=100` plays so many of each game; a failure names the number of the game, which is its seed.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain import events, record, table
from domain.audit import audit_record
from domain.audit_history import Commit, audit_history
from domain.commands import Answer, AwayUntil, Close, Kick, Pause, Propose, Replace, Resume, Return, SetStandIn, Void
from domain.decide import legal
from domain.events import (
    AdminActed,
    Asked,
    Kicked,
    OnVacation,
    Paused,
    Resumed,
    SeatTaken,
    StandInSet,
    VacationEnded,
)
from domain.game import Rejected, SetEnded
from domain.games import GAMES
from tests.domain.eventful import REASON, eventful, happened, history, step
from tests.domain.play import PERSONS, Sitting, started

COUNT = int(os.environ.get("EVENTFUL_GAMES", "4"))
ANN, BOB, CAT, DAN = PERSONS[:4]
HAL = PERSONS[7]


@pytest.mark.parametrize("choice", range(COUNT))
@pytest.mark.parametrize("game", GAMES)
def test_whatever_happens_at_a_table_is_what_the_rules_say_and_is_read_back_as_it_was(game: str, choice: int) -> None:
    sitting = eventful(game, choice)
    assert audit_history(history(sitting)) is None
    assert audit_record(record.write(record.record(sitting.events))) is None
    state = None
    for commit in sitting.commits:
        stored = events.decode(events.encode(commit.events))
        assert stored == commit.events
        state = table.fold(sitting.name, state, stored, sitting.unseal)
    assert state == sitting.state


def test_such_games_have_all_of_it() -> None:
    assert {AdminActed, Paused, Resumed, OnVacation, VacationEnded, StandInSet, Kicked, SeatTaken} <= happened(
        [eventful("callbreak", choice) for choice in range(12)]
    )


@pytest.mark.parametrize("game", GAMES)
def test_what_is_legal_is_what_is_taken_in_a_pause_and_out_of_it(game: str) -> None:
    rng = random.Random(game)
    sitting = started(game, "pauses", persons=2, seats=max(2, GAMES[game].seats[0]))
    paused = 0
    for _ in range(60):
        if sitting.state.phase == "over":
            break
        for seat in range(len(sitting.state.seats)):
            moves = legal(sitting.state, seat)
            running = sitting.state.rules.legal(sitting.state.set, seat)
            assert moves == (() if sitting.state.paused else running)
            if sitting.state.paused and running:
                paused += 1
                with pytest.raises(Rejected, match="paused"):
                    sitting.move(running[0], seat)
            elif moves:
                sitting.copy().move(moves[0], seat)
        if rng.random() < 0.2 and sitting.state.paused is None:
            sitting.do("clock", Pause())
        else:
            step(sitting, rng, 0)
    assert paused


def _acted() -> Sitting:
    """A table at which each act was done once, and then some."""
    sitting = started(word="acted", persons=4, dealer=0)
    sitting.do(ANN, Pause(REASON), admin=True)  # version 6
    sitting.time += 1000
    sitting.do(HAL, Resume(), admin=True)
    sitting.do("clock", Pause(REASON))
    sitting.time += 1000
    sitting.do("clock", Resume())
    sitting.do(ANN, Propose("pause"))  # 10
    for person in (BOB, CAT, DAN):
        sitting.do(person, Answer(True))
    sitting.time += 1000
    sitting.do(BOB, Resume())
    sitting.do(BOB, AwayUntil(sitting.time + 10_000))  # 15
    sitting.time += 1000
    sitting.do(BOB, Return())
    sitting.do(HAL, SetStandIn(True, REASON), admin=True)
    sitting.do(HAL, Kick(2, REASON), admin=True)
    sitting.do(HAL, Replace(2, PERSONS[5]), admin=True)
    sitting.do(HAL, Void(), admin=True)  # 20
    sitting.do("operator", Close())
    assert audit_history(history(sitting)) is None
    return sitting


def _changed(kind: type[Any], **changes: Any) -> Callable[[list[Any]], list[Any]]:
    def edit(found: list[Any]) -> list[Any]:
        return [msgspec.structs.replace(event, **changes) if type(event) is kind else event for event in found]

    return edit


def _without(kind: type[Any]) -> Callable[[list[Any]], list[Any]]:
    return lambda found: [event for event in found if type(event) is not kind]


EDITS: list[tuple[str, int, Any]] = [
    ("an administrator's pause by nobody in particular", 6, _without(AdminActed)),
    ("a pause by agreement to which nobody agreed", 6, lambda _: [Paused("agreement", 1_000_000)]),
    ("a pause at another time", 6, _changed(Paused, start=5)),
    ("a pause by the clock that a person made", 8, ANN),
    ("a resuming by a player of what an administrator paused", 7, _without(AdminActed)),
    ("a resuming by a player of what the clock paused", 9, ANN),
    ("a pause that lasted longer", 7, _changed(Resumed, end=99_000_000)),
    ("another act than follows", 6, _changed(AdminActed, act="void")),
    ("an act of a name that is none", 6, _changed(AdminActed, act="pardon")),
    ("a reason that is no hash", 6, _changed(AdminActed, reason="because")),
    ("a vacation that began earlier", 15, _changed(OnVacation, start=5)),
    ("a vacation of another seat", 15, _changed(OnVacation, seat=0)),
    ("a vacation without end", 15, _changed(OnVacation, until=10**15)),
    ("a vacation that ended earlier", 16, _changed(VacationEnded, end=5)),
    ("a vacation that somebody else ended", 16, CAT),
    ("a stand-in by nobody in particular", 17, _without(AdminActed)),
    ("a stand-in that was not set", 17, _changed(StandInSet, on=False)),
    ("a kick by nobody in particular", 18, _without(AdminActed)),
    ("a kick of another seat", 18, _changed(Kicked, seat=9)),
    ("a seat taken by nobody in particular", 19, _without(AdminActed)),
    ("a seat taken by one who has a seat", 19, _changed(SeatTaken, owner=ANN)),
    ("a seat taken by no person", 19, _changed(SeatTaken, owner="computer:steady")),
    ("a void set by nobody in particular", 20, _without(AdminActed)),
    ("a void set with another outcome", 20, _changed(SetEnded, outcome="redeal")),
    ("a void set that counts", 20, _changed(SetEnded, void=False)),
    ("a void set after which nobody is asked", 20, _without(Asked)),
    ("an agreement of the last that paused nothing", 13, _without(Paused)),
]


@pytest.mark.parametrize(("version", "edit"), [edit[1:] for edit in EDITS], ids=[edit[0] for edit in EDITS])
def test_an_act_that_was_edited_is_found_in_its_commit(version: int, edit: Any) -> None:
    found = history(_acted())
    at = version - 1
    commit = found[at]
    if isinstance(edit, str):
        found[at] = Commit(commit.time, edit, commit.events)
    else:
        found[at] = Commit(commit.time, commit.actor, tuple(edit(list(commit.events))))
    assert found[at] != commit
    finding = audit_history(found)
    assert finding is not None, "the edit went unnoticed"
    assert finding.version == version


def test_a_history_in_which_a_stop_is_made_of_no_pause_is_found() -> None:
    found = history(_acted())
    found.insert(9, Commit(found[9].time, "clock", (Resumed(found[9].time),)))
    finding = audit_history(found)
    assert finding is not None
    assert finding.code == "not_paused"
