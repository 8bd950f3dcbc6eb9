"""Durable moves and appends beside bare group-committed scripts, and what a table that nobody holds costs to open."""

from __future__ import annotations

import asyncio
import secrets
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from hashlib import sha1
from pathlib import Path

import eventstore.append
from domain import options
from domain.commands import Act, Join, Move, Open, Start
from domain.decide import legal
from domain.games.callbreak import CALLBREAK
from eventstore.chain import link, verify
from eventstore.open import open_store
from eventstore.record import NO_HEAD, Draft
from eventstore.redis_store import RedisStore
from eventstore.store import Appended
from eventstore.wire import Command, Reply, ask
from service.clock import SystemClock
from service.engine import Done, Engine
from service.sealing import Sealer
from tests.bench.rows import Row, at_least, at_most

TABLES = 256
MOVES = 30  # a table, in each round
ROUNDS = 4  # taken in turns, so that a noisy minute meets both sides
EVENTS = b'[{"type":"callbreak.played","seat":2,"card":"QS"},{"type":"table.asked","seat":3}]'
COMMITS = 100
READS = 200
KEYS = 8  # of the append script

Send = Callable[[RedisStore, list[Command]], Awaitable[list[Reply]]]


def run() -> list[Row]:
    """The rows, measured on an embedded server in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        return asyncio.run(_run(Path(folder)))


async def _run(data: Path) -> list[Row]:
    async with await open_store("", data, now=SystemClock().now) as store:
        figures: dict[str, list[float]] = {}
        for number in range(ROUNDS):
            for what, figure in (
                ("pipelines", await _bare(store, _by_pipeline)),
                ("wire", await _bare(store, _by_wire)),
                ("appends", await _appends(store)),
                ("moves", await _moves(store, number)),
            ):
                figures.setdefault(what, []).append(figure)
        median = {what: statistics.median(found) for what, found in figures.items()}
        client, ours = "redis.asyncio pipelines of bare scripts", "bare scripts through our own wire"
        moves, appends = f"durable move, {TABLES} busy tables", f"durable append alone, {TABLES} tables"
        read, folded = await _cold_table(store)
        return [
            at_least(0.6, moves, median["moves"], "moves/s", client, median["pipelines"]),
            at_least(None, moves, median["moves"], "moves/s", ours, median["wire"]),
            at_least(None, appends, median["appends"], "appends/s", client, median["pipelines"]),
            at_least(None, appends, median["appends"], "appends/s", ours, median["wire"]),
            at_most(1.5, f"cold table of {COMMITS} commits: read, verify, fold", folded, "ms"),
            at_most(1.5, f"the same, read and verify only ({COMMITS} commits)", read, "ms"),
        ]


async def _moves(store: RedisStore, number: int) -> float:
    """Real moves a second: legal, decide, chain, append, fold, at tables that all play at once."""
    engine = Engine(store, Sealer(bytes(32)), SystemClock())
    tables = [await _started(engine, f"{secrets.token_hex(8)}-{number}") for _ in range(TABLES)]

    async def play(table: str) -> None:
        for move in range(MOVES):
            await _move(engine, table, f"tg:7000000001:{900_000_000 + move}:{table}")

    start = time.perf_counter()
    await asyncio.gather(*map(play, tables))
    return TABLES * MOVES / (time.perf_counter() - start)


async def _started(engine: Engine, table: str) -> str:
    people = [f"person:{secrets.token_hex(8)}" for _ in range(4)]
    acts: list[tuple[str, Act]] = [(people[0], Open("callbreak", options.read(CALLBREAK, {"redeal": ""})))]
    acts += [(person, Join()) for person in people[1:]]
    acts += [(people[0], Start())]
    for place, (actor, act) in enumerate(acts):
        assert isinstance(await engine.submit(table, actor, act, f"set up {place}"), Done)
    return table


async def _move(engine: Engine, table: str, command: str) -> None:
    state = (await engine.held(table)).state
    assert state is not None
    decision = state.decisions[0]
    seat = decision.seats[0]
    choice = legal(state, seat)[-1]
    done = await engine.submit(table, state.seats[seat].owner, Move(choice), command, decision=decision.id)
    assert isinstance(done, Done)


async def _appends(store: RedisStore) -> float:
    """Moves a second through the store, every table playing one after another."""

    async def play(table: str) -> None:
        head = NO_HEAD
        for version in range(1, MOVES + 1):
            draft = _draft(table, version, head, EVENTS)
            match await store.append(draft):
                case Appended(commit):
                    head = commit.hash
                case other:
                    raise AssertionError(other)

    tables = [f"{secrets.token_hex(8)}-1" for _ in range(TABLES)]
    start = time.perf_counter()
    await asyncio.gather(*map(play, tables))
    return TABLES * MOVES / (time.perf_counter() - start)


async def _bare(store: RedisStore, send: Send) -> float:
    """Scripts a second when the client does nothing else: the same script and sizes, arguments made beforehand."""
    source = Path(eventstore.append.__file__).with_name("append.lua").read_bytes()
    sha = sha1(source, usedforsecurity=False).hexdigest()
    await store.servers.every()[0].script_load(source)
    tables = [f"{secrets.token_hex(8)}-1" for _ in range(TABLES)]
    heads = dict.fromkeys(tables, NO_HEAD)
    batches: list[list[Command]] = []
    for version in range(1, MOVES + 1):
        batch: list[Command] = []
        for table in tables:
            draft = _draft(table, version, heads[table], EVENTS)
            hash = link(table, version, draft.previous, draft.time, draft.actor, draft.command, EVENTS)
            heads[table] = hash
            partition = store.partition_of(table)
            keys = (store.key(partition, "t", table), store.key(partition, "feed"), store.key(partition, "tables"))
            days = tuple(store.key(partition, "cmd", str(day)) for day in eventstore.append.days(draft.time))
            fields = (draft.previous, hash, EVENTS, draft.time, draft.actor, draft.command, 432_000, 101)
            batch.append((sha, KEYS, *keys, *days, table, version, *fields))
        batches.append(batch)
    start = time.perf_counter()
    for batch in batches:
        if set(await send(store, batch)) != {1}:
            raise AssertionError("a bare script failed")
    return TABLES * MOVES / (time.perf_counter() - start)


async def _by_pipeline(store: RedisStore, batch: list[Command]) -> list[Reply]:
    async with store.servers.every()[0].pipeline(transaction=False) as pipe:
        for sha, _, *arguments in batch:
            pipe.evalsha(str(sha), KEYS, *arguments)
        return await pipe.execute()


async def _by_wire(store: RedisStore, batch: list[Command]) -> list[Reply]:
    return await ask(store.servers.every()[0], [("EVALSHA", *arguments) for arguments in batch])


async def _cold_table(store: RedisStore) -> tuple[float, float]:
    """Median milliseconds for a table that nobody holds: read and chain checked; and folded to its state besides."""
    key, clock = Sealer(bytes(32)), SystemClock()
    engine = Engine(store, key, clock)
    table = await _started(engine, f"{secrets.token_hex(8)}-1")
    while (await engine.held(table)).version < COMMITS:
        await _move(engine, table, secrets.token_hex(8))
    read, folded = [], []
    for _ in range(READS):
        start = time.perf_counter()
        verify(await store.read(table))
        read.append(time.perf_counter() - start)
        start = time.perf_counter()
        assert (await Engine(store, key, clock).held(table)).version == COMMITS
        folded.append(time.perf_counter() - start)
    return statistics.median(read) * 1000, statistics.median(folded) * 1000


def _draft(table: str, version: int, previous: bytes, events: bytes) -> Draft:
    return Draft(
        table=table,
        version=version,
        previous=previous,
        time=time.time_ns() // 1_000_000,
        actor="person:5f1c0a9be2d34477",
        command=f"tg:7000000001:{900_000_000 + version}:{table}",
        events=events,
    )
