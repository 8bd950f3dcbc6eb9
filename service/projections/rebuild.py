"""Builds projections anew beside the live ones, while the bot runs, and puts them in their place.

Nobody sees a half-built one: its rows go to keys of their own, it follows the feed until it stands where the live one
stands, and then both are compared and exchanged in one transaction a partition. A rebuild that was killed leaves keys
that the next one clears away.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import msgspec
from redis.exceptions import WatchError

from eventstore.feed import START, Follower, view_key, view_keys
from eventstore.open import open_store
from eventstore.redis_store import RedisStore
from eventstore.wire import Command, value
from service.clock import SystemClock
from service.projections.registry import PROJECTIONS
from service.projections.rows import Rows, from_store, public

_BATCH = 256  # tables at a time
_ALONE = 4 * _BATCH  # tables up to which one process does it all
_BESIDE = ".new"


class Part(msgspec.Struct, frozen=True):
    """What was read: tables, their commits, and the tables that this release cannot read to the end."""

    tables: int
    commits: int
    parked: tuple[str, ...]


class Rebuilt(msgspec.Struct, frozen=True):
    """A projection that was exchanged: its keys, and how many of them differed from the live one's.

    `differed` None: there was no live one.
    """

    name: str
    keys: int
    differed: int | None


class Source(msgspec.Struct, frozen=True):
    """Where further processes find the store (see `open_store`)."""

    url: str
    data: str


async def rebuild(
    store: RedisStore,
    names: Sequence[str],
    source: Source | None = None,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
    processes: int | None = None,
) -> tuple[Part, list[Rebuilt]]:
    """Rebuilds the projections of these names; `progress` hears of tables done, and of how many.

    With a `source`, many tables are shared out among `processes` (one a core). Raises StoreDown, StoreUnfit.
    """
    beside = _beside(store, names)
    for rows in beside:
        await Follower(store, rows).forget()
    ends = await store.feed_ends()  # before anything is read: what comes later is followed
    tables = await store.tables()
    parts: list[Part] = []
    done = 0
    async for part in _parts(store, beside, names, tables, source, processes or os.cpu_count() or 1):
        parts.append(part)
        done += part.tables
        progress(done, len(tables))
    rebuilt = []
    for name, rows in zip(names, beside, strict=True):
        follower = Follower(store, rows)
        await follower.stand(ends)
        rebuilt.append(await _exchange(store, name, rows, follower))
    parked = tuple(name for part in parts for name in part.parked)
    return Part(len(tables), sum(part.commits for part in parts), parked), rebuilt


def _beside(store: RedisStore, names: Sequence[str]) -> list[Rows]:
    look = from_store(store)
    specs = [msgspec.structs.replace(PROJECTIONS[name], name=name + _BESIDE) for name in names]
    return [Rows(store, spec, look) for spec in specs]


async def _parts(
    store: RedisStore,
    beside: list[Rows],
    names: Sequence[str],
    tables: list[str],
    source: Source | None,
    processes: int,
) -> AsyncIterator[Part]:
    if source is None or processes < 2 or len(tables) <= _ALONE:
        for start in range(0, len(tables), _BATCH):
            yield await build(store, beside, tables[start : start + _BATCH])
        return
    shares = [tables[start : start + _ALONE] for start in range(0, len(tables), _ALONE)]
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        work = [loop.run_in_executor(pool, _build_there, source, store.prefix, tuple(names), share) for share in shares]
        try:
            for finished in asyncio.as_completed(work):
                yield await finished
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _build_there(source: Source, prefix: str, names: Sequence[str], tables: Sequence[str]) -> Part:
    """A share of the work, in a process of its own, which attaches to the server that the first one keeps."""

    async def there() -> Part:
        async with await open_store(source.url, Path(source.data), now=SystemClock().now, prefix=prefix) as store:
            beside = _beside(store, names)
            parts = [
                await build(store, beside, tables[start : start + _BATCH]) for start in range(0, len(tables), _BATCH)
            ]
        parked = tuple(name for part in parts for name in part.parked)
        return Part(len(tables), sum(part.commits for part in parts), parked)

    return asyncio.run(there())


async def build(store: RedisStore, beside: Sequence[Rows], tables: Sequence[str]) -> Part:
    """Reads, verifies and folds these tables, and writes their rows."""
    commits, parked = 0, []
    commands: list[Command] = []
    for name, found in (await store.read_many(tables)).items():
        seen = public(found)
        commits += len(found)
        if seen.parked:
            parked.append(name)
        for rows in beside:
            commands += rows.building(name, seen)
    if commands:
        for reply in await store.servers.ask(commands):
            value(reply)
    return Part(len(tables), commits, tuple(parked))


async def _exchange(store: RedisStore, name: str, beside: Rows, follower: Follower) -> Rebuilt:
    """Brings both to the same place, partition by partition, compares them, and puts the new one in place."""
    live = Rows(store, PROJECTIONS[name], from_store(store))
    following = Follower(store, live)
    compare = any(place != START for place in await following.places())
    if compare:
        await following.catch_up()  # where a bot runs it has done so already
    strays = await view_keys(store, live)
    keys = differed = 0
    for partition in range(store.partitions):
        while True:
            await follower.catch_up()
            if compare:
                await following.catch_up()
            found = await store.servers.harmless(
                partial(_swap, store, live, beside, following, follower, partition, strays[partition], compare)
            )
            if found is not None:
                break
        keys, differed = keys + found[0], differed + found[1]
    return Rebuilt(name, keys, differed if compare else None)


async def _swap(
    store: RedisStore,
    live: Rows,
    beside: Rows,
    following: Follower,
    follower: Follower,
    partition: int,
    strays: Sequence[bytes],
    compare: bool,
) -> tuple[int, int] | None:
    """How many keys the partition has, and how many differed; None when the live one has gone on meanwhile."""
    was, now = view_key(store, live, partition).encode(), view_key(store, beside, partition).encode()
    here, there = following.key(partition), follower.key(partition)
    client = store.servers.client(here)
    try:
        async with client.pipeline(transaction=True) as write:
            await write.watch(here, there)
            places = [place or START.encode() for place in await write.mget(here, there)]
            if compare and places[0] != places[1]:
                return None
            old, new = {*strays, *await live.keys(partition)}, await beside.keys(partition)
            targets = {key: was + key.removeprefix(now) for key in new}
            differed = 0
            for target in {*old, *targets.values()}:
                source = now + target.removeprefix(was)
                differed += await write.hgetall(target) != await write.hgetall(source)
            write.multi()  # type: ignore[no-untyped-call]
            if old:
                write.delete(*old)
            for source, target in targets.items():
                write.rename(source, target)
            write.set(here, places[1])
            write.delete(there)
            await write.execute()
    except WatchError:
        return None
    return len(targets), differed
