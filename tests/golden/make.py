"""Writes the golden logs of Call Break: `python -m tests.golden.make`. Only for logs that are not there yet.

A golden log is a finished game as it was stored, and its record. What is written once stays for ever: the test folds it
with today's code. So this program adds missing files and never replaces one.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from domain import events, record
from domain.commands import Answer, Close, Leave, Propose
from domain.game import SetEnded
from domain.table import Table
from tests.domain.play import PERSONS, Sitting, started

FOLDER = Path(__file__).parent / "callbreak"


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


GAMES = (target, max_sets, vote, too_few_players, closed, redeal, low_calls)


def text(sitting: Sitting) -> str:
    """A golden log: a line a commit, [time, actor, stored events], and the record."""
    assert _over(sitting.state)
    lines = ",\n".join(
        f'    [{commit.time}, "{commit.actor}", {events.encode(commit.events).decode()}]' for commit in sitting.commits
    )
    kept = record.write(record.record(sitting.events)).decode().rstrip("\n").replace("\n", "\n  ")
    return f'{{\n  "commits": [\n{lines}\n  ],\n  "record": {kept}\n}}\n'


def _over(state: Table) -> bool:
    return state.phase == "over"


def main() -> None:
    """Adds the logs that are missing."""
    FOLDER.mkdir(exist_ok=True)
    for game in GAMES:
        path = FOLDER / f"{game.__name__}.json"
        if not path.exists():
            path.write_text(text(game()), "utf-8")


if __name__ == "__main__":
    main()
