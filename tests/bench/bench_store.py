"""Durable moves and appends of one process beside bare group-committed scripts of the same sizes, in the same run."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

import msgspec

from eventstore.chain import verify
from eventstore.open import open_store
from eventstore.record import NO_HEAD
from eventstore.redis_store import RedisStore
from eventstore.store import Appended
from service.clock import SystemClock
from service.engine import Engine
from tests.bench import bare, playing
from tests.bench.rows import Row, at_least, at_most, at_most_times

_PIPELINES = "redis.asyncio, pipelines of bare scripts"
_WIRE = "bare scripts through our own wire"
_ALONE = "redis.asyncio, bare EVALSHA one at a time"


class Sizes(msgspec.Struct, frozen=True):
    """How much is measured. Rounds take turns, so that a noisy minute meets all sides."""

    tables: tuple[int, ...] = (64, 256)
    moves: int = 7_680  # of all tables together, in each round
    rounds: int = 6
    alone: int = 1_500  # moves at the one table
    commits: int = 100  # of the table that nobody holds
    reads: int = 200


_FULL = Sizes()


def run(sizes: Sizes = _FULL) -> list[Row]:
    """The rows, measured on an embedded server in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        return asyncio.run(_run(Path(folder), sizes))


async def _run(data: Path, sizes: Sizes) -> list[Row]:
    async with await open_store("", data, now=SystemClock().now) as store:
        rows = await _alone(store, sizes.alone)
        for tables in sizes.tables:
            rows += await _together(store, tables, sizes.moves // tables, sizes.rounds)
        return rows + await _cold_table(store, sizes.commits, sizes.reads)


async def _alone(store: RedisStore, moves: int) -> list[Row]:
    """One table, one at a time: a bare script, an append and a whole move in turn, until there are enough of each."""
    engine, client = playing.new_engine(store), store.servers.every()[0]
    plain, appended, played = playing.new_tables(3)
    await playing.start(engine, played)
    batches = bare.scripts(store, [plain], moves)
    head = NO_HEAD
    times: tuple[list[float], ...] = ([], [], [])
    for version, [script] in enumerate(batches, 1):
        start = time.perf_counter()
        assert await bare.one(client, script) == 1
        times[0].append(time.perf_counter() - start)
        draft = playing.draft(appended, version, head)
        start = time.perf_counter()
        answer = await store.append(draft)
        times[1].append(time.perf_counter() - start)
        assert isinstance(answer, Appended)
        head = answer.commit.hash
        start = time.perf_counter()
        await playing.move(engine, played)
        times[2].append(time.perf_counter() - start)
    alone, append, move = (statistics.median(found) * 1e6 for found in times)
    return [
        at_most_times(2, "durable move, 1 table, p50", move, "µs", _ALONE, alone),
        at_most_times(2, "durable append alone, 1 table, p50", append, "µs", _ALONE, alone),
    ]


async def _together(store: RedisStore, tables: int, moves: int, rounds: int) -> list[Row]:
    """Tables that all play at once, each its moves one after another."""
    engine, playing_tables = playing.new_engine(store), playing.new_tables(tables)
    await asyncio.gather(*(playing.start(engine, table) for table in playing_tables))
    figures: dict[str, list[float]] = {}
    for _ in range(rounds):
        for what, figure in (
            ("pipelines", await bare.per_second(store, playing.new_tables(tables), moves, bare.by_pipeline)),
            ("moves", await _moves(engine, playing_tables, moves)),
            ("wire", await bare.per_second(store, playing.new_tables(tables), moves, bare.by_wire)),
            ("appends", await _appends(store, playing.new_tables(tables), moves)),
        ):
            figures.setdefault(what, []).append(figure)
    median = {what: statistics.median(found) for what, found in figures.items()}
    move, append = f"durable moves, {tables} tables", f"durable appends alone, {tables} tables"
    return [
        at_least(0.6, move, median["moves"], "moves/s", _PIPELINES, median["pipelines"]),
        at_least(None, move, median["moves"], "moves/s", _WIRE, median["wire"]),
        at_least(None, append, median["appends"], "appends/s", _PIPELINES, median["pipelines"]),
        at_least(None, append, median["appends"], "appends/s", _WIRE, median["wire"]),
    ]


async def _moves(engine: Engine, tables: list[str], moves: int) -> float:
    """Real moves a second: legal, decide, chain, append, fold."""

    async def play(table: str) -> None:
        for _ in range(moves):
            await playing.move(engine, table)

    start = time.perf_counter()
    await asyncio.gather(*map(play, tables))
    return len(tables) * moves / (time.perf_counter() - start)


async def _appends(store: RedisStore, tables: list[str], moves: int) -> float:
    """Appends a second: chain, group commit, answer."""

    async def play(table: str) -> None:
        head = NO_HEAD
        for version in range(1, moves + 1):
            answer = await store.append(playing.draft(table, version, head))
            assert isinstance(answer, Appended)
            head = answer.commit.hash

    start = time.perf_counter()
    await asyncio.gather(*map(play, tables))
    return len(tables) * moves / (time.perf_counter() - start)


async def _cold_table(store: RedisStore, commits: int, reads: int) -> list[Row]:
    """Median milliseconds for a table that nobody holds: read and chain checked; and folded to its state besides."""
    [table] = playing.new_tables(1)
    engine = playing.new_engine(store)
    await playing.start(engine, table)
    await playing.play_to(engine, table, commits)
    read, folded = [], []
    for _ in range(reads):
        start = time.perf_counter()
        verify(await store.read(table))
        read.append(time.perf_counter() - start)
        start = time.perf_counter()
        assert (await playing.new_engine(store).held(table)).version == commits
        folded.append(time.perf_counter() - start)
    return [
        at_most(1.5, f"cold table of {commits} commits: read, verify, fold", statistics.median(folded) * 1000, "ms"),
        at_most(1.5, f"the same, read and verify only ({commits} commits)", statistics.median(read) * 1000, "ms"),
    ]
