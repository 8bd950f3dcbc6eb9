"""Reads that are wanted at once share a round trip, and nobody pays for another's."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from fakeredis import FakeServer
from fakeredis.aioredis import FakeRedis

from eventstore.open import open_store
from eventstore.reading import GroupRead
from eventstore.redis_store import RedisStore
from eventstore.servers import One
from eventstore.store import StoreDown, StoreUnfit
from eventstore.wire import Command, Reply
from tests.eventstore.drafts import Clock, append


class Counted(One):
    """A server that says how many commands came with each round trip, and can be told to be out of reach."""

    def __init__(self) -> None:
        super().__init__(FakeRedis(server=FakeServer(), protocol=2))
        self.trips: list[int] = []
        self.down = False

    async def ask(self, commands: Sequence[Command], *, settled: bool = False) -> list[Reply]:
        """See `Servers.ask`."""
        self.trips.append(len(commands))
        if self.down:
            raise StoreDown("out of reach")
        return await super().ask(commands, settled=settled)


async def test_tables_that_are_wanted_at_once_share_a_round_trip(clock: Clock) -> None:
    servers = Counted()
    store = await RedisStore.open(servers, now=clock)
    made = {f"home-{number}": await append(store, f"home-{number}", commits=2) for number in range(3)}
    servers.trips.clear()
    read = await asyncio.gather(*(store.read(f"home-{number}") for number in range(300)))
    assert read == [*made.values(), *([] for _ in range(297))]
    assert servers.trips == [256, 44]
    assert await store.read("home-2") == made["home-2"]


async def test_a_caller_who_is_cancelled_disturbs_nobody(store: RedisStore) -> None:
    made = await append(store, "home-1", commits=3)
    tasks = [asyncio.create_task(store.read("home-1")) for _ in range(10)]
    await asyncio.sleep(0)
    for task in tasks[::2]:
        task.cancel()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert answers[1::2] == [made] * 5
    assert all(isinstance(answer, asyncio.CancelledError) for answer in answers[::2])
    assert await store.read("home-1") == made


async def test_the_error_of_one_read_is_its_own(store: RedisStore) -> None:
    made = await append(store, "home-1", commits=1)
    strange = store.key(store.partition_of("home-2"), "t", "home-2")
    await store.servers.ask_one("SET", strange, "text")
    sound, broken = await asyncio.gather(store.read("home-1"), store.read("home-2"), return_exceptions=True)
    assert sound == made
    assert isinstance(broken, StoreUnfit)


async def test_everybody_hears_of_a_store_that_is_down_and_the_next_read_tries_again() -> None:
    servers = Counted()
    reads = GroupRead(servers)
    servers.down = True
    answers = await asyncio.gather(*(reads.run("k", ("GET", "k")) for _ in range(3)), return_exceptions=True)
    assert [str(answer) for answer in answers] == ["out of reach"] * 3
    assert len({id(answer) for answer in answers}) == 3
    servers.down = False
    assert await reads.run("k", ("GET", "k")) is None


async def test_what_is_being_read_when_the_store_closes_is_read(folder: Path, clock: Clock) -> None:
    async with await open_store("", folder, now=clock) as store:
        made = await append(store, "home-1", commits=2)
        reading = asyncio.create_task(store.read("home-1"))
        await asyncio.sleep(0)
    assert await reading == made
