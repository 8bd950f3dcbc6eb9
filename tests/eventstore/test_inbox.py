from __future__ import annotations

import asyncio

from eventstore.inbox import Inbox, from_the_beginning
from eventstore.redis_store import RedisStore
from tests.eventstore.workers import worker


async def test_what_was_put_in_comes_out_in_order_and_stays_until_it_is_done(store: RedisStore) -> None:
    one = await worker(store, "fair")
    await one.leases.beat()
    inbox = Inbox(store)
    for number, body in ((3, b"first"), (3, b"second"), (4, b"other")):
        assert await inbox.put(number, body)
    found = await inbox.news(from_the_beginning([3, 4]), 0)
    assert [parcel.body for parcel in found if parcel.partition == 3] == [b"first", b"second"]
    assert [parcel.body for parcel in found if parcel.partition == 4] == [b"other"]
    assert await inbox.done(found[0], one.leases.owner)
    assert found[0] not in await inbox.news(from_the_beginning([3, 4]), 0), "whoever begins anew does not get it"
    assert sum((await inbox.sizes()).values()) == 2


async def test_what_has_a_mark_is_put_in_once_even_when_it_is_done(store: RedisStore) -> None:
    one = await worker(store, "fair")
    await one.leases.beat()
    inbox = Inbox(store)
    assert await inbox.put(3, b"update", "17")
    assert not await inbox.put(3, b"update", "17")
    assert await inbox.marks() == {"17"}
    [parcel] = await inbox.news(from_the_beginning([3]), 0)
    assert await inbox.done(parcel, one.leases.owner)
    assert not await inbox.put(3, b"update", "17"), "Telegram sends again what it was not told to be done"
    assert await inbox.news(from_the_beginning([3]), 0) == []
    assert await inbox.marks() == set()


async def test_whoever_lost_the_partition_takes_nothing_out(store: RedisStore) -> None:
    one = await worker(store, "fair")
    await one.leases.beat()
    inbox = Inbox(store)
    await inbox.put(3, b"update", "17")
    [parcel] = await inbox.news(from_the_beginning([3]), 0)
    assert not await inbox.done(parcel, "another")
    assert await inbox.news(from_the_beginning([3]), 0) == [parcel]
    await one.leases.close()
    assert not await inbox.done(parcel, one.leases.owner)
    assert await inbox.news(from_the_beginning([3]), 0) == [parcel]


async def test_news_wait_for_what_comes(embedded_store: RedisStore) -> None:
    inbox = Inbox(embedded_store)
    waiting = asyncio.create_task(inbox.news(from_the_beginning(range(64)), 30_000))
    await asyncio.sleep(0.05)
    await inbox.put(9, b"late")
    assert [parcel.body for parcel in await waiting] == [b"late"]
