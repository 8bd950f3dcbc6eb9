"""Which tables are being played, and when each wants the clock next: an index, rebuilt from the feeds."""

from __future__ import annotations

from redis.asyncio.client import Pipeline

from domain import table
from domain.table import Table
from eventstore.feed import view_key
from eventstore.record import Commit
from eventstore.redis_store import RedisStore
from eventstore.store import Pointer
from eventstore.wire import value
from service.engine import Engine, Unreadable

_NO_CLOCK = "+inf"


class Deadlines:
    """A sorted set a partition: each table being played, by its earliest deadline (ms UTC; +inf without a clock)."""

    name = "deadlines"
    version = 1

    def __init__(self, store: RedisStore, engine: Engine) -> None:
        self._store = store
        self._engine = engine

    async def apply(self, write: Pipeline, pointer: Pointer, commit: Commit) -> None:
        """Follows the table's latest state (at least this commit's), so applying again changes nothing."""
        key = view_key(self._store, self, self._store.partition_of(pointer.table), "due")
        try:
            held = await self._engine.held(pointer.table, pointer.version)
        except Unreadable:
            write.zrem(key, pointer.table)  # its reader is told; no clock runs on what cannot be read
            return
        if held.state is None or held.state.phase != "playing":
            write.zrem(key, pointer.table)
        else:
            due = earliest(held.state)
            write.zadd(key, {pointer.table: _NO_CLOCK if due is None else due})

    async def playing(self) -> dict[str, int | None]:
        """The tables being played, with their deadlines."""
        found: dict[str, int | None] = {}
        keys = [view_key(self._store, self, partition, "due") for partition in range(self._store.partitions)]
        for reply in await self._store.servers.ask([("ZRANGE", key, 0, -1, "WITHSCORES") for key in keys]):
            entries = iter(value(reply))
            for name, score in zip(entries, entries, strict=True):
                found[str(name, "ascii")] = None if score == b"inf" else int(score)
        return found


def earliest(state: Table) -> int | None:
    """The table's earliest deadline, ms UTC, or None when no clock runs."""
    dues = [due for decision in state.decisions if (due := table.deadline(state, decision)) is not None]
    return min(dues, default=None)
