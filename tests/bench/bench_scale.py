"""What a move costs when the store holds 100,000 tables, beside 1,000: two embedded servers, in turns.

Rounds take turns, first one then the other, and the next time the other way round; medians of the rounds. In each store
the same number of tables is played on, so that they grow alike. A round begins with an engine that holds none of them.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import msgspec

from eventstore.append import Append, evalsha
from eventstore.chain import link
from eventstore.open import open_store
from eventstore.record import NO_HEAD, Commit, Draft
from eventstore.redis_store import RedisStore
from eventstore.wire import Command
from service.clock import SystemClock
from tests.bench import playing
from tests.bench.rows import Row, at_most_times

_BATCH = 2_000  # commits a round trip, while the stores are filled


class Sizes(msgspec.Struct, frozen=True):
    """How much is measured: tables in each store, how many of them are played, and how much in a round."""

    few: int = 1_000
    many: int = 100_000
    a_round: int = 256  # tables
    moves: int = 8  # at each of them
    rounds: int = 14


_FULL = Sizes()


class Cost(msgspec.Struct, frozen=True):
    """Of a move, in µs: on the wall's clock, and of CPU, the client's and the server's together."""

    wall: float
    cpu: float


def run(sizes: Sizes = _FULL) -> list[Row]:
    """The rows, measured on two embedded servers in temporary folders."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        return asyncio.run(_run(Path(folder), sizes))


async def _run(data: Path, sizes: Sizes) -> list[Row]:
    now = SystemClock().now
    async with (
        await open_store("", data / "few", now=now) as few,
        await open_store("", data / "many", now=now) as many,
    ):
        played = {
            store: (await _fill(store, tables))[: sizes.few] for store, tables in ((few, sizes.few), (many, sizes.many))
        }
        costs: dict[RedisStore, list[Cost]] = {few: [], many: []}
        for number in range(sizes.rounds):
            for store in (few, many) if number % 2 else (many, few):
                await _quiet(store)
                costs[store].append(await _round(store, played[store], sizes))
    return [
        at_most_times(
            1.1,
            f"a move with {sizes.many:,} tables in the store, {text}",
            statistics.median(getattr(cost, kind) for cost in costs[many]),
            "µs",
            f"with {sizes.few:,} tables",
            statistics.median(getattr(cost, kind) for cost in costs[few]),
        )
        for kind, text in (("wall", "by the clock"), ("cpu", "CPU of client and server"))
    ]


async def _fill(store: RedisStore, tables: int) -> list[str]:
    """Started tables, by the append script: the five commits of a real one, chained anew. Gives their ids."""
    [pattern] = playing.new_tables(1)
    await playing.start(playing.new_engine(store), pattern)
    commits = await store.read(pattern)
    names = playing.new_tables(tables)
    commands = _commands(store, names, commits)
    while batch := list(islice(commands, _BATCH)):
        if set(await store.servers.ask(batch)) != {1}:
            raise AssertionError("a commit was not appended")
    return names


def _commands(store: RedisStore, names: Sequence[str], commits: Sequence[Commit]) -> Iterator[Command]:
    now = SystemClock().now()
    for table in names:
        head = NO_HEAD
        for one in commits:
            made = (one.time, one.actor, playing.update(table), one.events)
            hash = link(table, one.version, head, *made)
            draft = Draft(
                table=table,
                version=one.version,
                previous=head,
                time=one.time,
                actor=one.actor,
                command=made[2],
                events=one.events,
            )
            yield evalsha(Append(store.key(store.partition_of(table)), now, draft, hash))
            head = hash


async def _round(store: RedisStore, tables: Sequence[str], sizes: Sizes) -> Cost:
    """Moves at some of the tables, all of which play at once."""
    engine = playing.new_engine(store)
    some = random.sample(tables, min(sizes.a_round, len(tables)))

    async def play(table: str) -> None:
        for _ in range(sizes.moves):
            await playing.move(engine, table)

    with playing.settled():
        server = await _server_seconds(store)
        client, start = time.process_time(), time.perf_counter()
        await asyncio.gather(*map(play, some))
        wall, cpu = time.perf_counter() - start, time.process_time() - client
    cpu += await _server_seconds(store) - server
    moves = len(some) * sizes.moves
    return Cost(wall / moves * 1e6, cpu / moves * 1e6)


async def _server_seconds(store: RedisStore) -> float:
    """Seconds of CPU that the server's main thread has used."""
    facts = await store.servers.every()[0].info("cpu")
    return float(facts["used_cpu_user_main_thread"]) + float(facts["used_cpu_sys_main_thread"])


async def _quiet(store: RedisStore) -> None:
    """Waits for the end of a rewrite of the append-only file, which the larger store has to do more often."""
    while (await store.servers.every()[0].info("persistence"))["aof_rewrite_in_progress"]:  # noqa: ASYNC110 - no event
        await asyncio.sleep(0.2)
