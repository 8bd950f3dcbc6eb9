"""Load, decide, save at tables of 25 events, per second of the client's own CPU, beside the `eventsourcing` library.

Both play Call Break by the same rules at the same tables. Ours chains its commits and has them durable in the embedded
server, a process of its own whose CPU is not counted; the library keeps its events in this process, and nothing more.
Cold: nobody holds the table, its commits are read, verified, decoded and folded. Cached: the engine holds it.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from domain import events
from eventstore.open import open_store
from eventstore.redis_store import RedisStore
from service.clock import SystemClock
from service.engine import Engine
from tests.bench import eventsourced, playing
from tests.bench.eventsourced import Peer
from tests.bench.rows import Row, at_least

COMMITS = 13  # that hold 25 events: lobby, deal, four calls, four cards and the trick
EVENTS = 25
_MISSING = "eventsourcing not installed: pip install -e .[bench]"


class Sizes(msgspec.Struct, frozen=True):
    """How much is measured: tables in a round, how many of them play at once, rounds."""

    tables: int = 512
    at_once: int = 64
    rounds: int = 7


_FULL = Sizes()


def run(sizes: Sizes = _FULL) -> list[Row]:
    """The rows, measured on an embedded server in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        return asyncio.run(_run(Path(folder), sizes))


async def _run(data: Path, sizes: Sizes) -> list[Row]:
    peers = _peers(sizes.tables)
    figures: dict[str, list[float]] = {}
    async with await open_store("", data, now=SystemClock().now) as store:
        for _ in range(sizes.rounds):
            tables = playing.new_tables(sizes.tables)
            facts = await _prepare(store, tables, sizes.at_once)
            for name, peer in peers.items():
                figures.setdefault(name, []).append(_library(peer, facts))
            half = len(tables) // 2
            for how, at_once, some in (("", sizes.at_once, tables[:half]), (", one at a time", 1, tables[half:])):
                engine = playing.new_engine(store)
                for kind in ("cold", "cached"):  # the second move finds the table in memory
                    figures.setdefault(kind + how, []).append(await _ours(engine, some, at_once))
    median = {what: statistics.median(found) for what, found in figures.items()}
    plain, caching = peers or (_MISSING, _MISSING)
    what = f"load-decide-save at {EVENTS} events"
    together = f"{sizes.at_once} tables at once"
    return [
        at_least(goal, f"{what}, {said}", median[kind], "moves/CPU s", peer, median.get(peer))
        for kind, goal, said, peer in (
            ("cold", 4.0, f"cold, {together}", plain),
            ("cold, one at a time", None, "cold, one at a time", plain),
            ("cached", 10.0, f"cached, {together}", plain),
            ("cached, one at a time", None, "cached, one at a time", plain),
            ("cached", None, f"cached, {together}", caching),
        )
    ]


def _peers(tables: int) -> dict[str, Peer]:
    try:
        return {peer.name: peer for peer in (eventsourced.peer(), eventsourced.peer(tables))}
    except ModuleNotFoundError:
        return {}


async def _prepare(store: RedisStore, tables: list[str], at_once: int) -> dict[str, list[Any]]:
    """Plays each table to 25 events, and gives them."""
    engine = playing.new_engine(store)

    async def prepare(table: str) -> None:
        await playing.start(engine, table)
        await playing.play_to(engine, table, COMMITS)

    await playing.each(tables, at_once, prepare)
    facts = {
        table: [fact for commit in commits for fact in events.decode(commit.events)]
        for table, commits in (await store.read_many(tables)).items()
    }
    if {len(found) for found in facts.values()} != {EVENTS}:
        raise AssertionError("these commits hold another number of events")
    return facts


async def _ours(engine: Engine, tables: Sequence[str], at_once: int) -> float:
    """A move at each of the tables, by so many tasks: moves a second of this process's CPU."""
    with playing.settled():
        start = time.process_time()
        await playing.each(tables, at_once, lambda table: playing.move(engine, table))
        return len(tables) / (time.process_time() - start)


def _library(peer: Peer, facts: dict[str, list[Any]]) -> float:
    """The same by the library, on copies of the same tables; its cache, if it has one, has seen them before."""
    ids = [peer.new(table, found) for table, found in facts.items()]
    if peer.caches:
        for id in ids:
            peer.move(id, playing.chosen)
    with playing.settled():
        start = time.process_time()
        for id in ids:
            peer.move(id, playing.chosen)
        return len(ids) / (time.process_time() - start)
