"""The peer of the store: our own `decide` and `fold` on an aggregate of the `eventsourcing` library, in memory.

The library stores, loads and applies; the rules are ours, so that the rest is compared. Each of our events is one of
its events, with a single field, the JSON that we store: the least that it can be given to carry. (A class of event for
each of ours, with its fields, makes no difference that could be measured.)
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import msgspec

from domain import events
from domain.commands import Command
from domain.decide import decide
from domain.table import Table, fold
from tests.bench import playing

_Decorator = Callable[[str], Callable[[Callable[..., None]], Callable[..., None]]]


class Peer(msgspec.Struct, frozen=True):
    """`new` saves a table with these events and gives its id; `move` loads it, decides what is asked of it, saves."""

    name: str
    caches: bool
    new: Callable[[str, Iterable[Any]], Any]
    move: Callable[[Any, Callable[[Table], Command]], None]


def peer(cached: int = 0) -> Peer:
    """An application of the library's; `cached`: how many tables its own cache may hold. Raises ModuleNotFoundError."""
    game_of = _game()
    application = importlib.import_module("eventsourcing.application").Application
    # Nothing of ours is ever changed in place, so its cache need not copy.
    caching = {"AGGREGATE_CACHE_MAXSIZE": str(cached), "DEEPCOPY_FROM_AGGREGATE_CACHE": "n"} if cached else {}
    app = application(env={"PERSISTENCE_MODULE": "eventsourcing.popo", **caching})

    def new(table: str, facts: Iterable[Any]) -> Any:
        game = game_of(table=table)
        for fact in facts:
            game.happened(fact=events.encode([fact]).decode())
        app.save(game)
        return game.id

    def move(id: Any, command: Callable[[Table], Command]) -> None:
        game = app.repository.get(id)
        for fact in decide(game.state, command(game.state)):
            game.happened(fact=events.encode([fact]).decode())
        app.save(game)

    return Peer(f"eventsourcing in memory{', its own cache on' if cached else ''}", bool(cached), new, move)


@cache
def _game() -> Any:
    library = importlib.import_module("eventsourcing.domain")
    aggregate: Any = library.Aggregate
    event: _Decorator = library.event

    class Game(aggregate):  # type: ignore[misc]
        @event("Begun")
        def __init__(self, table: str) -> None:
            self.table = table
            self.state: Table | None = None

        @event("Happened")
        def happened(self, fact: str) -> None:
            self.state = fold(self.table, self.state, events.decode(fact.encode()), playing.unseal)

    return Game
