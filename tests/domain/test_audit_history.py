"""A table's history that somebody edited, and one as it was."""

from __future__ import annotations

import functools
import random
from typing import Any

import msgspec
import pytest

from domain.audit import Finding
from domain.audit_history import Commit, audit_history
from domain.clock import Quiet, Stop
from domain.commands import (
    AddComputer,
    Answer,
    Close,
    CutDeck,
    Expire,
    Join,
    Leave,
    NoteOutage,
    Propose,
    RemoveComputer,
    Return,
    SetOptions,
    Start,
)
from domain.events import (
    Asked,
    Dealt,
    Expired,
    Joined,
    Opened,
    Over,
    Present,
    RowWritten,
    SeatTaken,
    SeedRevealed,
    Started,
)
from domain.game import Rejected, SetEnded
from domain.games.callbreak.events import (
    Called,
    CardPlayed,
    DealVoided,
    TrickTaken,
    TrumpShown,
)
from tests.domain.play import PERSONS, SEALED, Sitting, chosen, lobby, started


def _history(sitting: Sitting) -> list[Commit]:
    return [Commit(commit.time, commit.actor, commit.events) for commit in sitting.commits]


def _eventful(choice: int) -> Sitting:
    """A game with everything that can happen at a table, at random."""
    rng = random.Random(choice)
    sitting = lobby(word=f"eventful {choice}", persons=4, seats=4)
    ann, bob, *_ = PERSONS
    sitting.do(bob, Leave())
    sitting.do(ann, SetOptions(chosen("callbreak", _OPTIONS[choice % len(_OPTIONS)])))
    sitting.do(bob, Join())
    if choice % 2:
        sitting.do(PERSONS[3], Leave())
        sitting.do(ann, AddComputer())
        sitting.do(ann, RemoveComputer())
        sitting.do(ann, AddComputer())
    sitting.do(ann, CutDeck(rng.randrange(52)))
    sitting.do(ann, Start(None if choice % 3 else 2))
    while sitting.state.phase == "playing":
        sitting.quiet = rng.choice([None, Quiet(60, 420, "Europe/Madrid")])
        _something(sitting, rng)
    return sitting


_OPTIONS: list[dict[str, str]] = [
    {"max_sets": "2", "tie": "shared", "substitute": "true", "min_total_calls": "16"},
    {"max_sets": "2", "scoring": "decimal", "trump_mode": "last_card"},
    {"target": "50", "max_sets": "3", "must_trump": "never", "substitute": "true"},
]


def _something(sitting: Sitting, rng: random.Random) -> None:
    """A move most of the time, else whatever else somebody may do now."""
    person = rng.choice(PERSONS[:4])
    others: list[tuple[str, Any]] = [
        (person, Leave()),
        (person, Return()),
        (person, Propose("end")),
        (person, Answer(rng.random() < 0.3)),
        ("person:new", Propose("seat", rng.randrange(4))),
        ("clock", NoteOutage(Stop(sitting.time + 10, sitting.time + 5000))),
        ("clock", Expire(sitting.state.decisions[0].id, (Stop(sitting.time + 3, sitting.time + 9),))),
    ]
    sitting.time += rng.randrange(100_000)
    if rng.random() < 0.7:
        sitting.any_move(rng)
    elif rng.random() < 0.5 and any(decision.seconds is not None for decision in sitting.state.decisions):
        sitting.expire()
    else:
        try:
            sitting.do(*rng.choice(others))
        except Rejected:
            sitting.any_move(rng)


@pytest.mark.parametrize("choice", range(12))
def test_what_happened_at_a_table_is_what_the_rules_say(choice: int) -> None:
    sitting = _eventful(choice)
    assert audit_history(_history(sitting)) is None


@pytest.mark.parametrize("choice", range(3))
def test_a_running_table_is_judged_as_far_as_its_seeds_are_revealed(choice: int) -> None:
    history = _history(_eventful(choice))
    for end in range(1, len(history)):
        assert audit_history(history[:end]) is None


def test_an_empty_history_has_nothing_wrong() -> None:
    assert audit_history([]) is None


@functools.cache
def _table() -> Sitting:
    """A finished game of two persons and two computer players: a redeal, low calls, clock moves."""
    rng = random.Random(9)
    for word in map(str, range(300)):
        sitting = started(word=word, persons=2, max_sets="2", tie="shared", min_total_calls="15", dealer=0)
        while sitting.state.phase == "playing":
            if sitting.asked() == 0 and rng.random() < 0.2:
                sitting.expire()
            else:
                sitting.any_move(rng)
        outcomes = [event.outcome for event in sitting.events if isinstance(event, SetEnded)]
        if {"low_calls", "redeal"} <= set(outcomes):
            return sitting
    raise AssertionError("no such game among three hundred")


def _edited(kind: type[Any], which: int, changes: dict[str, Any]) -> tuple[Finding, int]:
    """The finding when the `which`-th event of a kind is changed, and the version it stands in."""
    history = _history(_table())
    seen = 0
    for index, commit in enumerate(history):
        for at, event in enumerate(commit.events):
            if type(event) is not kind:
                continue
            if seen == which:
                events = list(commit.events)
                events[at] = msgspec.structs.replace(event, **changes)
                assert events[at] != event
                history[index] = msgspec.structs.replace(commit, events=tuple(events))
                finding = audit_history(history)
                assert finding is not None, "the edit went unnoticed"
                return finding, index + 1
            seen += 1
    raise AssertionError(f"no {kind.__name__} number {which}")


@pytest.mark.parametrize(
    ("kind", "which", "changes"),
    [
        (Called, 1, {"seat": 3}),
        (Called, 1, {"auto": True}),
        (Called, 1, {"seat": 77}),
        (Called, 1, {"call": 99}),
        (CardPlayed, 5, {"card": 0}),
        (CardPlayed, 5, {"seat": 9}),
        (CardPlayed, 5, {"card": 55}),
        (CardPlayed, 5, {"card": -1}),
        (TrickTaken, 3, {"seat": 9}),
        (TrickTaken, 3, {"trick": 9}),
        (SetEnded, 0, {"outcome": "void_admin"}),
        (RowWritten, 0, {"values": (10, 10, 10, 11)}),
        (RowWritten, 0, {"set": 7}),
        (RowWritten, 0, {"kind": "penalty"}),
        (Dealt, 0, {"dealer": 3}),
        (Dealt, 1, {"dealer": 0}),
        (Dealt, 1, {"deal": 9}),
        (DealVoided, 0, {"reasons": ((0, "four_aces"),)}),
        (DealVoided, 0, {"hands": ()}),
        (Started, 0, {"dealer": 1}),
        (Started, 0, {"how": "random"}),
        (Asked, 2, {"open": ()}),
        (Expired, 0, {"counts": False}),
        (Expired, 0, {"seats": (0, 1)}),
        (Expired, 0, {"decision": 999}),
        (Over, 0, {"winners": ()}),
        (Over, 0, {"ended": "target"}),
        (Joined, 1, {"owner": "person:zed"}),
        (Opened, 0, {"ruleset": "callbreak/7"}),
        (Opened, 0, {"options": {"hidden_call_test": "perhaps"}}),
    ],
)
def test_an_event_that_was_changed_is_found_in_its_commit(kind: type, which: int, changes: dict[str, Any]) -> None:
    finding, version = _edited(kind, which, changes)
    assert finding.version == version
    assert finding.code
    if finding.set is not None:
        assert finding.move is not None
        assert str(finding.clause).startswith("CB-")


def test_another_legal_call_is_found_where_something_hangs_on_it() -> None:
    finding, version = _edited(Called, 1, {"call": 12})
    assert finding.version is not None
    assert finding.version > version


def test_cb_11_a_seed_that_is_not_the_promised_one() -> None:
    finding, version = _edited(SeedRevealed, 0, {"seed": b"x" * 32})
    assert (finding.code, finding.clause, finding.version) == ("seed_does_not_fit", "CB-11", version)


def test_cb_11_a_promise_that_was_changed_afterwards() -> None:
    finding, _ = _edited(Opened, 0, {"commitment": b"x" * 32})
    assert (finding.code, finding.clause) == ("seed_does_not_fit", "CB-11")


def test_a_commit_left_out_or_told_twice() -> None:
    whole = _history(_table())
    for index in range(1, len(whole) - 1, 5):
        assert audit_history(whole[:index] + whole[index + 1 :]) is not None
        assert audit_history(whole[: index + 1] + whole[index:]) is not None


def test_a_commit_after_the_end() -> None:
    whole = _history(_table())
    finding = audit_history([*whole, whole[-2]])
    assert finding is not None
    assert (finding.code, finding.version) == ("table_over", len(whole) + 1)


def test_a_move_of_somebody_elses_seat() -> None:
    whole = _history(_table())
    index = next(i for i, commit in enumerate(whole) if type(commit.events[0]) is CardPlayed)
    whole[index] = msgspec.structs.replace(whole[index], actor="person:zed")
    finding = audit_history(whole)
    assert finding is not None
    assert (finding.code, finding.version) == ("not_seated", index + 1)
    assert finding.clause == "CB-30"


def test_a_clock_that_ran_out_too_early() -> None:
    whole = _history(_table())
    index = next(i for i, commit in enumerate(whole) if type(commit.events[0]) is Expired)
    whole[index] = msgspec.structs.replace(whole[index], time=whole[index].time - 1)
    finding = audit_history(whole)
    assert finding is not None
    assert (finding.code, finding.version) == ("not_due", index + 1)


@pytest.mark.parametrize(
    "events",
    [
        (),
        (TrickTaken(0, 1),),
        (TrumpShown(0, 3),),
        (SetEnded("scored", (1, 2, 3, 4)),),
        (RowWritten(0, (1, 2, 3, 4)),),
        (Present(0), TrickTaken(0, 1)),
        (Dealt(0, 1, b"c", SEALED),),
        (SeatTaken(0, "person:zed"),),
    ],
)
def test_events_that_no_command_causes(events: tuple[Any, ...]) -> None:
    whole = _history(_table())
    at = next(i for i, commit in enumerate(whole) if type(commit.events[0]) is CardPlayed)
    for index in (0, 2, at):
        finding = audit_history([*whole[:index], Commit(5, "person:ann", events), *whole[index:]])
        assert finding is not None
        assert finding.version == index + 1


def test_a_closed_table_and_a_lobby_that_never_started_are_in_order() -> None:
    sitting = started(trump_mode="last_card")
    sitting.steady_move()
    sitting.do("operator", Close())
    assert audit_history(_history(sitting)) is None
    assert audit_history(_history(lobby())) is None
    closed = lobby()
    closed.do(PERSONS[0], Close())
    assert audit_history(_history(closed)) is None
