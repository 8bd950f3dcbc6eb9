"""Writes the golden logs of every game: `python -m tests.golden.make`. Only the logs that are not there yet.

A golden log is a finished game as it was stored, and its record. What is written once stays for ever: the test folds it
with today's code. So this program adds missing files and never replaces one. Each game has a module here, which plays
the games and says what they must cover; a log is named after the function that plays it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from domain import events, record
from domain.games import GAMES
from tests.domain.play import Sitting

HERE = Path(__file__).parent


def of_game(slug: str) -> ModuleType:
    """The module of a game: LOGS (functions that give a finished Sitting each), ENDS, OUTCOMES."""
    return importlib.import_module(f"tests.golden.{slug}")


def text(sitting: Sitting) -> str:
    """A golden log: a line a commit, [time, actor, stored events], and the record."""
    assert sitting.state.phase == "over"
    lines = ",\n".join(
        f'    [{commit.time}, "{commit.actor}", {events.encode(commit.events).decode()}]' for commit in sitting.commits
    )
    kept = record.write(record.record(sitting.events)).decode().rstrip("\n").replace("\n", "\n  ")
    return f'{{\n  "commits": [\n{lines}\n  ],\n  "record": {kept}\n}}\n'


def main() -> None:
    """Adds the logs that are missing."""
    for slug in GAMES:
        logs: tuple[Callable[[], Sitting], ...] = of_game(slug).LOGS
        folder = HERE / slug
        folder.mkdir(exist_ok=True)
        for log in logs:
            path = folder / f"{log.__name__}.json"
            if not path.exists():
                path.write_text(text(log()), "utf-8")


if __name__ == "__main__":
    main()
