"""Reads, verifies and folds many tables, and writes their rows: in this process, or shared out among several."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import msgspec

from domain.veiled import Veiled
from eventstore.open import open_store
from eventstore.redis_store import RedisStore
from eventstore.wire import Command, value
from service import logs
from service.clock import SystemClock
from service.projections.rows import Rows, Spec, from_store, public

_BATCH = 32  # tables at a time: their commits fit into the processor's caches
_SHARE = 512  # tables that a process gets at a time
ALONE = 2 * _SHARE  # tables up to which one process does it all


class Part(msgspec.Struct, frozen=True):
    """What was read: tables, their commits, and the tables that this release cannot read to the end."""

    tables: int
    commits: int
    parked: tuple[str, ...]


class Source(Veiled, frozen=True):
    """Where further processes find the store (see `open_store`)."""

    url: str
    data: str


MakeSpecs = Callable[[], Sequence[Spec]]
"""What is built: a function, for a projection's own cannot be sent to another process."""


async def build(store: RedisStore, specs: Sequence[Spec], tables: Sequence[str]) -> AsyncIterator[Part]:
    """Writes the rows of these tables, where there are none yet; gives what was read, bit by bit."""
    look = from_store(store)
    every = [Rows(store, spec, look) for spec in specs]
    for start in range(0, len(tables), _BATCH):
        commits, parked = 0, []
        commands: list[Command] = []
        some = tables[start : start + _BATCH]
        for name, found in (await store.read_many(some)).items():
            seen = public(found)
            commits += len(found)
            if seen.parked:
                parked.append(name)
            for rows in every:
                commands += rows.building(name, seen)
        if commands:
            for reply in await store.servers.ask(commands):
                value(reply)
        yield Part(len(some), commits, tuple(parked))


async def build_shared(
    store: RedisStore, source: Source, make: MakeSpecs, tables: Sequence[str], processes: int
) -> AsyncIterator[Part]:
    """As `build`, by further processes. Raises BrokenProcessPool when one of them is killed."""
    shares = [tables[start : start + _SHARE] for start in range(0, len(tables), _SHARE)]
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), _prepare) as pool:
        work = [loop.run_in_executor(pool, partial(_there, source, store.prefix, make, share)) for share in shares]
        try:
            for finished in asyncio.as_completed(work):
                yield await finished
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _prepare() -> None:
    """A process that works and says nothing. Ctrl-C is for the one that began; nothing here makes cyclic garbage."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logs.quiet()
    gc.disable()
    threading.Thread(target=_end_with_the_first, daemon=True).start()


def _end_with_the_first() -> None:
    """One that was killed cannot tell its helpers to stop, and they would wait for work for ever."""
    first = multiprocessing.parent_process()
    assert first is not None, "only a further process prepares itself"
    first.join()
    os._exit(1)


def _there(source: Source, prefix: str, make: MakeSpecs, tables: Sequence[str]) -> Part:
    """A share, in a process of its own. It attaches to the server that the first process keeps."""

    async def share() -> Part:
        async with await open_store(source.url, Path(source.data), now=SystemClock().now, prefix=prefix) as store:
            return together([part async for part in build(store, make(), tables)])

    return asyncio.run(share())


def together(parts: Sequence[Part]) -> Part:
    """All parts as one."""
    return Part(
        sum(part.tables for part in parts),
        sum(part.commits for part in parts),
        tuple(sorted(name for part in parts for name in part.parked)),
    )
