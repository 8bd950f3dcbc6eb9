"""What a table takes in the server's memory: MEMORY USAGE of every key that tables have, all of them together.

Streams, feeds, command ids, the sets of tables: everything that an append writes, with the commits of real games and
the command ids of the chat. Half of the tables are played by four people, half by one with three computer players.
Projections and the directory (names, chats) are not in it.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from pathlib import Path

import msgspec

from eventstore.open import open_store
from eventstore.redis_store import RedisStore
from service.clock import SystemClock
from tests.bench import playing
from tests.bench.rows import Row, at_most

_TEN = 10  # commits
_AT_ONCE = 256
_PAGE = 500  # keys a round trip


class Sizes(msgspec.Struct, frozen=True):
    """How much is measured: tables; how many of them are played on, by how many moves at most."""

    tables: int = 2_000
    played_on: int = 300
    further: int = 280  # five sets


_FULL = Sizes()


def run(sizes: Sizes = _FULL) -> list[Row]:
    """The rows, measured on an embedded server in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        return asyncio.run(_run(Path(folder), sizes))


async def _run(data: Path, sizes: Sizes) -> list[Row]:
    async with await open_store("", data, now=SystemClock().now) as store:
        tables = playing.new_tables(sizes.tables)
        engine = playing.new_engine(store)

        async def begin(place: int) -> None:
            await playing.start(engine, tables[place], people=4 if place % 2 else 1)
            await playing.play_to(engine, tables[place], _TEN)

        await playing.each(range(len(tables)), _AT_ONCE, begin)
        ten = await used(store)
        # Games are somewhere between their beginning and their end, each at another place.
        dice = random.Random(2)
        further = {table: dice.randint(1, sizes.further) for table in tables[: sizes.played_on]}
        await playing.each(further, _AT_ONCE, lambda table: playing.play_to(engine, table, _TEN + further[table]))
        later = await used(store)
        a_move = (later - ten) / sum(further.values())
        neighbours = await _neighbours(store, min(sizes.tables, 100))
    return [
        at_most(3_500, f"memory of a table of {_TEN} commits, all its keys", ten / sizes.tables, "B"),
        at_most(300, f"memory of a further move, all keys, games of {_TEN} to {_TEN + sizes.further}", a_move, "B"),
        Row("the stream alone, mean over tables of 5 to 20 commits", neighbours, "B", "", None, None, "", None),
    ]


async def used(store: RedisStore) -> int:
    """Bytes of all keys of the partitions: of every partition's own keys and of every table's."""
    [client] = store.servers.every()
    pattern = store.key(0, "*").replace("{0}", "{*}", 1)
    keys = [key async for key in client.scan_iter(match=pattern, count=1000)]
    bytes_used = 0
    for page in playing.batches(keys, _PAGE):
        replies = await store.servers.ask([("MEMORY", "USAGE", key, "SAMPLES", 0) for key in page])
        bytes_used += sum(replies)
    return bytes_used


async def _neighbours(store: RedisStore, tables: int) -> float:
    """A stream's memory grows by steps: how much it is around ten commits, whatever step ten falls on."""
    engine = playing.new_engine(store)
    measured: list[int] = []

    async def play(table: str) -> None:
        await playing.start(engine, table)
        for version in range(5, 21):
            await playing.play_to(engine, table, version)
            measured.append(await store.servers.ask_one("MEMORY", "USAGE", stream(table), "SAMPLES", 0))

    def stream(table: str) -> str:
        return store.key(store.partition_of(table), "t", table)

    await playing.each(playing.new_tables(tables), _AT_ONCE, play)
    return sum(measured) / len(measured)
