"""The limit: append scripts when the client does nothing else, their arguments made beforehand."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence

from redis.asyncio import Redis

from eventstore.append import Append, evalsha
from eventstore.chain import link
from eventstore.record import NO_HEAD
from eventstore.redis_store import RedisStore
from eventstore.wire import Command, Reply, ask
from tests.bench import playing

Send = Callable[[Redis, Sequence[Command]], Awaitable[list[Reply]]]


def scripts(store: RedisStore, tables: Sequence[str], moves: int) -> list[list[Command]]:
    """A batch for each of so many moves: in it the append script, with a move's usual sizes, for each of the tables."""
    now = time.time_ns() // 1_000_000
    heads = dict.fromkeys(tables, NO_HEAD)
    made = []
    for version in range(1, moves + 1):
        batch = []
        for table in tables:
            one = playing.draft(table, version, heads[table], now)
            heads[table] = hash = link(table, version, one.previous, now, one.actor, one.command, one.events)
            batch.append(evalsha(Append(store.key(store.partition_of(table)), now, one, hash)))
        made.append(batch)
    return made


async def per_second(store: RedisStore, tables: Sequence[str], moves: int, send: Send) -> float:
    """Scripts a second, a batch of one for each table after another."""
    prepared = scripts(store, tables, moves)
    client = store.servers.every()[0]
    start = time.perf_counter()
    for batch in prepared:
        if set(await send(client, batch)) != {1}:
            raise AssertionError("a bare script failed")
    return len(tables) * moves / (time.perf_counter() - start)


async def by_pipeline(client: Redis, batch: Sequence[Command]) -> list[Reply]:
    """By the ordinary client's pipeline."""
    async with client.pipeline(transaction=False) as pipe:
        for _, sha, keys, *arguments in batch:
            pipe.evalsha(sha, keys, *arguments)  # type: ignore[arg-type]
        return await pipe.execute()


async def by_wire(client: Redis, batch: Sequence[Command]) -> list[Reply]:
    """By the exchange that the store itself uses."""
    return await ask(client, batch)


async def one(client: Redis, command: Command) -> Reply:
    """One script by the ordinary client."""
    _, sha, keys, *arguments = command
    return await client.evalsha(sha, keys, *arguments)  # type: ignore[arg-type]
