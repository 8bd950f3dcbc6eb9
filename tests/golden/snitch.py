"""The golden logs of Snitch: each way a game can end, and each outcome a set can have."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from domain.commands import Answer, Close, Leave, Propose, Return
from domain.games.snitch import SNITCH
from domain.games.snitch.state import Pressed, SeatGone, Stopped, TopTaken, Yielded
from domain.table import Table, away
from tests.domain.play import PERSONS, Sitting, started

ENDS = {"rounds", "target", "last_left", "vote", "closed"}
OUTCOMES = {"scored", "abandoned"}


def rounds() -> Sitting:
    """Ended by the only round, of four computer players who fight for sets, with cuts of the cards before it."""
    sitting = started("snitch", "golden rounds", persons=2, seats=4, cuts={0: 17, 1: 50})
    sitting.play(lambda: _fight(sitting))
    assert _has(sitting, Pressed)
    assert _has(sitting, TopTaken)
    return sitting


def target() -> Sitting:
    """Ended by points, by the preset, with open points and three seats."""
    return started(
        "snitch", "golden target", preset="first_to_1000", open_points="true", seats=3, target="600"
    ).steady()


def by_the_clock() -> Sitting:
    """Two rounds in which one of five is late with turns and with answers until he is away, and another comes too late
    to go on with his challenge."""
    sitting = started("snitch", "golden clock", seats=5, rounds="2", turn_seconds="3600", defend_seconds="600")

    def step() -> Any:
        state = sitting.state.set
        late = sitting.asked() == 1 and sitting.state.sets == 1 and (state.target == 1 or state.turns > 40)
        stops = state.awaits == state.turn and state.target >= 0
        return sitting.expire() if late or stops else _fight(sitting)

    sitting.play(step)
    assert any(type(event) is Yielded and event.auto for event in sitting.events)
    assert any(type(event) is Stopped and event.auto for event in sitting.events)
    return sitting


def leavers() -> Sitting:
    """Ended by rounds, of which one lost a defender, who was dealt in again, and another a challenger, who was not."""
    sitting = started("snitch", "golden leavers", seats=4, rounds="3")
    for side in ("target", "turn"):
        sets = sitting.state.sets
        _until(sitting, lambda state: state.set.target >= 0)
        seat = getattr(sitting.state.set, side)
        sitting.do(PERSONS[seat], Leave())
        if side == "target":
            sitting.do(PERSONS[seat], Return())
        _until(sitting, lambda state, sets=sets: state.sets > sets)  # type: ignore[misc]
    assert sum(type(event) is SeatGone for event in sitting.events) == 2
    return sitting.steady()


def abandoned() -> Sitting:
    """A round that all have left, two of them to come back; then one that counts."""
    sitting = started("snitch", "golden abandoned", seats=3)
    for _ in range(6):
        sitting.any_move(random.Random(1))
    for person in PERSONS[:2]:
        sitting.do(person, Leave())
        sitting.do(person, Return())
    sitting.do(PERSONS[2], Leave())
    return sitting.steady()


def last_left() -> Sitting:
    """Ended because one is left, in the second round."""
    sitting = started("snitch", "golden last", seats=3, rounds="4")
    sitting.do(PERSONS[2], Leave())
    sitting.steady(lambda state: state.sets == 2)
    sitting.do(PERSONS[0], Leave())
    return sitting


def vote() -> Sitting:
    """Ended by a vote of all, in the second of three rounds, one of the three away."""
    sitting = started("snitch", "golden vote", seats=3, rounds="3")
    sitting.play(lambda: sitting.expire() if sitting.asked() == 2 else _fight(sitting), lambda state: state.sets == 2)
    assert away(sitting.state, 2)
    sitting.do(PERSONS[1], Propose("end"))
    sitting.do(PERSONS[0], Answer(True))
    return sitting


def closed() -> Sitting:
    """Closed by the operator in the middle of a challenge, eight seats at the table."""
    sitting = started("snitch", "golden closed", seats=8, persons=1)
    _until(sitting, lambda state: state.set.target >= 0)
    sitting.do("operator", Close())
    return sitting


def _has(sitting: Sitting, kind: type) -> bool:
    return any(type(event) is kind for event in sitting.events)


def _fight(sitting: Sitting) -> Any:
    """A move that fights for sets, where there is one; else the sensible one."""
    state = sitting.state
    seat = sitting.asked()
    kinds = ("challenge", "defend", "press")
    fights = [move for move in map(SNITCH.notation, SNITCH.legal(state.set, seat)) if move.split()[0] in kinds]
    return sitting.move(SNITCH.read(fights[0]), seat) if fights else sitting.steady_move()


def _until(sitting: Sitting, until: Callable[[Table], bool]) -> None:
    sitting.play(lambda: _fight(sitting), until)


LOGS = (rounds, target, by_the_clock, leavers, abandoned, last_left, vote, closed)
