"""Games at random in which everything happens that may happen at a table: for the tests of any game."""

from __future__ import annotations

import random
from typing import Any

from domain import table
from domain.audit_history import Commit
from domain.clock import Quiet, Stop
from domain.commands import (
    Act,
    Answer,
    AwayUntil,
    Close,
    Expire,
    Kick,
    Leave,
    Move,
    NoteOutage,
    Pause,
    Propose,
    Replace,
    Resume,
    Return,
    SetStandIn,
    Void,
)
from domain.decide import legal
from domain.game import Rejected
from domain.games import GAMES
from domain.table import STAND_IN, decision_of, stood_in
from tests.domain.play import PERSONS, SHORT, Sitting, started

REASON = "ab" * 32
_DAY = 86_400_000
_PROPOSALS = ("end", "pause", "pause", "stand_in_on", "stand_in_off", "kick", "seat")
_LONG = 1200  # steps, after which the table is closed


def eventful(game: str, choice: int, often: float = 0.25) -> Sitting:
    """A finished game; `often`: the share of steps that are no moves."""
    rng = random.Random(f"{game} {choice}")
    fewest, most = GAMES[game].seats
    seats = rng.randint(fewest, most)
    persons = rng.randint(min(2, seats), seats)
    sitting = started(game, f"eventful {choice}", persons=persons, seats=seats, **SHORT.get(game, {}))
    for _ in range(_LONG):
        if sitting.state.phase == "over":
            break
        step(sitting, rng, often)
    else:
        sitting.do(PERSONS[7], Close(REASON), admin=True)
    return sitting


def step(sitting: Sitting, rng: random.Random, often: float) -> None:
    """A move of whoever is to make one, a clock that runs out, or something else that somebody may do now."""
    sitting.quiet = rng.choice([None, Quiet(60, 420, "Europe/Madrid")])
    sitting.time += rng.randrange(100_000)
    if rng.random() < often:
        actor, act, admin = _anything(sitting, rng)
        try:
            sitting.do(actor, act, admin=admin)
        except Rejected:
            assert table.fold(sitting.name, None, sitting.events, sitting.unseal) == sitting.state
    elif sitting.state.paused is not None:
        sitting.do("clock" if sitting.state.paused == "clock" else "operator", Resume())
    elif rng.random() < 0.1 and any(table.deadline(sitting.state, one) for one in sitting.state.decisions):
        sitting.expire()
    else:
        _moved(sitting, rng)


def _moved(sitting: Sitting, rng: random.Random) -> None:
    state = sitting.state
    asked = [seat for seat in range(len(state.seats)) if decision_of(state, seat) is not None]
    seat = rng.choice(asked)
    if stood_in(state, seat) and rng.random() < 0.8:
        sitting.do(STAND_IN, Move(state.rules.player("steady", state.rules.observe(state.set, seat))), seat)
        return
    if state.seats[seat].kicked:
        due = [table.deadline(state, one) for one in state.decisions if seat in one.seats]
        assert due != [None] or stood_in(state, seat), "nobody plays the seat"
        sitting.expire() if any(due) else None
        return
    moves = [move for move in legal(state, seat) if move not in state.rules.gives_up]
    sitting.move(rng.choice(moves), seat)


def _anything(sitting: Sitting, rng: random.Random) -> tuple[str, Act, bool]:
    state = sitting.state
    person = rng.choice(PERSONS)
    seat = rng.randrange(-1, len(state.seats) + 1)
    reason = rng.choice(["", REASON])
    time = sitting.time
    others: list[tuple[str, Act, bool]] = [
        (person, Leave(), False),
        *[(person, Return(), False)] * 3,
        *[(person, Propose(rng.choice(_PROPOSALS), seat), False)] * 2,
        *[(person, Answer(rng.random() < 0.8), False)] * 4,
        *[(person, AwayUntil(time + rng.randrange(-1, 5 * _DAY)), False)] * 2,
        (person, Resume(), False),
        ("clock", NoteOutage(Stop(time - 10, time + 5000)), False),
        ("clock", Expire(state.asked, (Stop(time - 3, time + 9),)), False),
        ("clock", Pause(reason), False),
        ("clock", Resume(), False),
        (person, Pause(reason), rng.random() < 0.7),
        (person, Resume(reason), rng.random() < 0.7),
        (person, SetStandIn(rng.random() < 0.7, reason), rng.random() < 0.7),
        (person, Void(reason), rng.random() < 0.3),
        (person, Replace(seat, rng.choice(PERSONS), reason), rng.random() < 0.5),
        (person, Kick(seat, reason), rng.random() < 0.2),
    ]
    return rng.choice(others)


def history(sitting: Sitting) -> list[Commit]:
    """The commits as an audit reads them."""
    return [Commit(commit.time, commit.actor, commit.events) for commit in sitting.commits]


def happened(sittings: list[Sitting]) -> set[type[Any]]:
    """The kinds of events that there were."""
    return {type(event) for sitting in sittings for event in sitting.events}
