"""The golden logs of Call Break: each way a game can end, and each outcome a set can have."""

from __future__ import annotations

import random
from collections.abc import Callable

from domain.commands import Answer, Close, Leave, Propose
from domain.game import SetEnded
from tests.domain.play import PERSONS, Sitting, started

ENDS = {"target", "max_sets", "vote", "too_few_players", "closed"}
OUTCOMES = {"scored", "redeal", "low_calls"}


def target() -> Sitting:
    """Ended at the target; with a leaver who comes back and moves of the clock."""
    sitting = started(word="golden target", persons=3, target="50", dealer=1)
    sitting.do(PERSONS[2], Leave())
    sitting.expire()
    return sitting.steady()


def max_sets() -> Sitting:
    """Ended at the cap, under the preset `app` (decimal scores), with a cut of the cards."""
    return started(word="golden cap", persons=2, preset="app", max_sets="1", cuts={0: 17, 1: 50}).steady()


def vote() -> Sitting:
    """Ended by a vote of all, in the middle of the second set."""
    sitting = started(word="golden vote", trump_mode="last_card")
    sitting.steady(lambda state: len(state.rows) == 1 and state.set.called == 4)
    sitting.do(PERSONS[0], Propose("end"))
    for person in PERSONS[1:4]:
        sitting.do(person, Answer(True))
    return sitting


def too_few_players() -> Sitting:
    """Ended because three of four have left."""
    sitting = started(word="golden leavers", dealer=0)
    for person in PERSONS[:3]:
        sitting.do(person, Leave())
    return sitting


def closed() -> Sitting:
    """Closed by the operator in the first set."""
    sitting = started(word="golden closed", persons=0)
    for _ in range(9):
        sitting.steady_move()
    sitting.do("operator", Close())
    return sitting


def redeal() -> Sitting:
    """A first deal that may not be played, then one set."""
    return _first(lambda sitting: sitting, "redeal")


def low_calls() -> Sitting:
    """A first set whose calls are too few, then one set."""

    def call(sitting: Sitting) -> Sitting:
        if sitting.state.sets == 1:
            sitting.moves("call 1", "call 2", "call 2", "call 1")
        return sitting

    return _first(call, "low_calls")


def _first(begin: Callable[[Sitting], Sitting], outcome: str) -> Sitting:
    """The first game, of those of numbered words, whose first set ended so."""
    for number in range(1000):
        sitting = begin(started(word=f"golden {outcome} {number}", persons=0, max_sets="1", tie="shared"))
        ends = [event.outcome for event in sitting.events if isinstance(event, SetEnded)]
        if ends == [outcome]:
            return sitting.random(random.Random(number))
    raise AssertionError(f"no {outcome} among a thousand games")


LOGS = (target, max_sets, vote, too_few_players, closed, redeal, low_calls)
