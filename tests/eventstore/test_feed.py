from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from redis.asyncio.client import Pipeline

from eventstore.feed import Follower, before, tail, view_key
from eventstore.redis_store import RedisStore
from eventstore.store import Pointer, StoreDown
from tests.eventstore.drafts import append


class Crash(Exception):
    pass


class Count:
    """How many commits each table has, which doubles when a commit is applied twice; crashes when told to."""

    name = "count"

    def __init__(self, store: RedisStore, version: int = 1) -> None:
        self.version = version
        self._store = store
        self.seen: list[tuple[str, int]] = []
        self.crash_at: tuple[str, int] | None = None

    async def apply(self, write: Pipeline, partition: int, pointers: Sequence[Pointer]) -> None:
        for pointer in pointers:
            assert self._store.partition_of(pointer.table) == partition
            self.seen.append((pointer.table, pointer.version))
            if self.crash_at == self.seen[-1]:
                raise Crash
            write.hincrby(self._key(pointer.table), pointer.table, 1)

    async def of(self, table: str) -> int:
        return int(await self._store.servers.ask_one("HGET", self._key(table), table) or 0)

    def _key(self, table: str) -> str:
        return view_key(self._store, self, self._store.partition_of(table), "commits")


async def test_a_projection_gets_every_commit_in_its_tables_order(store: RedisStore) -> None:
    tables = [f"home{number}-1" for number in range(10)]
    await asyncio.gather(*(append(store, table, commits=5) for table in tables))
    count = Count(store)
    assert await Follower(store, count).catch_up() == 50
    for table in tables:
        assert [version for name, version in count.seen if name == table] == [1, 2, 3, 4, 5]
        assert await count.of(table) == 5


async def test_a_follower_goes_on_where_the_last_one_stopped(store: RedisStore) -> None:
    await append(store, commits=3)
    count = Count(store)
    await Follower(store, count).catch_up()
    await append(store, commits=2)
    assert await Follower(store, count).catch_up() == 2
    assert await Follower(store, count).catch_up() == 0
    assert await count.of("home-1") == 5


async def test_what_was_applied_before_a_crash_is_neither_lost_nor_doubled(store: RedisStore) -> None:
    await append(store, commits=5)
    count = Count(store)
    count.crash_at = ("home-1", 4)
    with pytest.raises(Crash):
        await Follower(store, count).catch_up()
    assert await count.of("home-1") == 0  # nothing of a transaction that was not carried out
    count.crash_at = None
    assert await Follower(store, count).catch_up() == 5
    assert await count.of("home-1") == 5


class Cut(Count):
    """Loses its connection once, between looking and writing."""

    cut = True

    async def apply(self, write: Pipeline, partition: int, pointers: Sequence[Pointer]) -> None:
        if self.cut:
            self.cut = False
            assert write.connection is not None
            await write.connection.disconnect()
        await super().apply(write, partition, pointers)


async def test_a_connection_lost_while_it_applies_is_no_fault(store: RedisStore) -> None:
    await append(store, commits=5)
    count = Cut(store)
    await Follower(store, count).catch_up()
    assert not count.cut
    assert await count.of("home-1") == 5


async def test_effects_and_checkpoint_are_one_transaction(
    embedded_store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await append(embedded_store, commits=5)
    count, execute = Count(embedded_store), Pipeline.execute

    async def lose_the_answer(self: Pipeline, raise_on_error: bool = True) -> list[object]:
        await execute(self, raise_on_error)
        raise Crash

    follower = Follower(embedded_store, count)
    with monkeypatch.context() as patch:
        patch.setattr(Pipeline, "execute", lose_the_answer)
        with pytest.raises(Crash):
            await follower.step()
    assert await count.of("home-1") == 5
    assert await follower.step() == 0  # it thinks that they are still to be applied, and finds that they are
    await append(embedded_store, commits=1)
    assert await follower.catch_up() == 1
    assert await Follower(embedded_store, count).catch_up() == 0
    assert await count.of("home-1") == 6


async def test_two_followers_of_one_projection_apply_each_commit_once(store: RedisStore) -> None:
    tables = [f"home{number}-1" for number in range(8)]
    await asyncio.gather(*(append(store, table, commits=6) for table in tables))
    count = Count(store)
    followers = [Follower(store, count) for _ in range(3)]
    await asyncio.gather(*(follower.step() for follower in followers))
    await asyncio.gather(*(follower.step() for follower in followers))
    assert [await count.of(table) for table in tables] == [6] * 8


class Slow(Count):
    """While it applies, another commit comes."""

    async def apply(self, write: Pipeline, partition: int, pointers: Sequence[Pointer]) -> None:
        await append(self._store, "home-1", commits=1)
        await super().apply(write, partition, pointers)


async def test_catching_up_ends_though_more_comes_all_the_time(store: RedisStore) -> None:
    await append(store, commits=5)
    slow = Slow(store)
    assert await Follower(store, slow).catch_up() == 5
    assert await slow.of("home-1") == 5
    assert await Follower(store, slow).catch_up() == 1


async def test_one_partition_can_be_caught_up_alone(store: RedisStore) -> None:
    await append(store, "home-1", commits=3)
    await append(store, "other-1", commits=2)
    assert store.partition_of("home-1") != store.partition_of("other-1")
    count = Count(store)
    follower = Follower(store, count)
    await follower.catch_up_in(store.partition_of("home-1"))
    assert (await count.of("home-1"), await count.of("other-1")) == (3, 0)
    assert await follower.catch_up() == 2
    assert (await count.of("home-1"), await count.of("other-1")) == (3, 2)


async def test_a_follower_may_begin_in_the_middle(store: RedisStore) -> None:
    await append(store, commits=3)
    count = Count(store)
    await Follower(store, count).stand(await store.feed_ends())
    await append(store, commits=2)
    assert await Follower(store, count).catch_up() == 2
    assert await Follower(store, count).places() == await store.feed_ends()


async def test_places_of_a_feed_are_compared_as_numbers() -> None:
    assert before("9-0", "10-0")
    assert before("10-9", "10-10")
    assert not before("10-0", "10-0")
    assert not before("10-0", "9-5")


async def test_a_store_that_comes_back_older_is_followed_from_where_it_stands(
    fake_store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await append(fake_store, commits=3)
    count = Count(fake_store)
    follower = Follower(fake_store, count)
    await follower.step()
    places = await follower.places()
    await append(fake_store, commits=2)
    await follower.step()

    async def down(*_: object, **__: object) -> dict[int, list[Pointer]]:
        raise StoreDown("gone")

    with monkeypatch.context() as patch:
        patch.setattr(fake_store, "feed", down)
        with pytest.raises(StoreDown):
            await follower.step()
    await Follower(fake_store, count).stand(places)  # its last transaction is lost, and the checkpoint with it
    assert await follower.step() == 2
    assert await follower.step() == 0


async def test_a_projection_that_was_forgotten_is_built_anew(store: RedisStore) -> None:
    await append(store, "home-1", commits=3)
    await append(store, "other-1", commits=2)
    count, newer = Count(store), Count(store, version=10)
    follower = Follower(store, count)
    await follower.catch_up()
    await Follower(store, newer).catch_up()
    await follower.forget()
    assert (await count.of("home-1"), await newer.of("home-1")) == (0, 3)
    assert await follower.catch_up() == 5
    assert (await count.of("home-1"), await count.of("other-1")) == (3, 2)


async def test_another_version_of_a_projection_starts_at_the_beginning(store: RedisStore) -> None:
    await append(store, commits=3)
    await Follower(store, Count(store)).catch_up()
    newer = Count(store, version=2)
    assert await Follower(store, newer).catch_up() == 3
    assert await newer.of("home-1") == 3


async def test_a_tail_from_now_on_gives_only_what_comes(store: RedisStore) -> None:
    await append(store, commits=2)
    news = await tail(store)
    coming = asyncio.ensure_future(anext(news))
    await append(store, commits=2)
    assert ((await coming).table, (await anext(news)).version) == ("home-1", 4)
    assert await news.news() == []


async def test_a_tail_from_the_start_gives_everything_once(store: RedisStore) -> None:
    await append(store, "home-1", commits=2)
    await append(store, "other-1", commits=1)
    news = await tail(store, "start")
    found = await news.news()
    assert sorted((pointer.table, pointer.version) for pointer in found) == [
        ("home-1", 1),
        ("home-1", 2),
        ("other-1", 1),
    ]
    assert await news.news() == []
    await append(store, "home-1")
    assert [(pointer.table, pointer.version) for pointer in await news.news(1000)] == [("home-1", 3)]
