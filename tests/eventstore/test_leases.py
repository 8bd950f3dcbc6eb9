from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from fakeredis import FakeServer
from fakeredis.aioredis import FakeRedis

from eventstore.leases import Share
from eventstore.open import open_store
from eventstore.redis_store import RedisStore
from eventstore.store import Appended, Fenced, StoreDown, StoreUnfit
from tests.eventstore.drafts import Clock, append, draft
from tests.eventstore.processes import server_gone, server_of
from tests.eventstore.workers import SECONDS, TwoServers, Worker, epoch_in, expire, milliseconds, worker

HOME = "home-1"
ALL = frozenset(range(64))


@asynccontextmanager
async def two_servers(clock: Clock) -> AsyncIterator[tuple[TwoServers, Worker]]:
    """Servers that can be down or slow, and a worker that holds everything there."""
    servers = TwoServers(FakeRedis(server=FakeServer(), protocol=2))
    async with await RedisStore.open(servers, now=clock) as store:
        one = await worker(store)
        await one.leases.beat()
        yield servers, one


@pytest.mark.parametrize("share", ["all", "fair"])
async def test_a_lone_worker_takes_every_partition_and_keeps_its_epochs(store: RedisStore, share: Share) -> None:
    one = await worker(store, share)
    await one.leases.beat()
    epochs = one.leases.epochs
    assert epochs == {number: await epoch_in(store, number) for number in ALL}
    one.time.now += SECONDS * 2 / 3
    await one.leases.beat()
    one.time.now += SECONDS * 2 / 3
    assert one.leases.epochs == epochs
    assert isinstance(await one.store.append(draft()), Appended)


async def test_a_lease_runs_out_by_the_servers_clock_and_its_epoch_does_not(store: RedisStore) -> None:
    one = await worker(store)
    await one.leases.beat()
    left = await store.servers.ask([("PTTL", store.key(number, "lease")) for number in ALL])
    assert all(0 < milliseconds <= SECONDS * 1000 for milliseconds in left)
    assert set(await store.servers.ask([("PTTL", store.key(number, "epoch")) for number in ALL])) == {-1}


async def test_without_a_lease_nothing_is_written(store: RedisStore) -> None:
    one = await worker(store)
    with pytest.raises(Fenced):
        await one.store.append(draft())
    assert await store.read(HOME) == []


async def test_an_owner_that_was_stopped_and_does_not_know_it_is_fenced_by_the_script(store: RedisStore) -> None:
    number = store.partition_of(HOME)
    old, new = await worker(store), await worker(store)
    await old.leases.beat()
    [first] = await append(old.store)
    await expire(store, workers=True)  # while its own clock stands
    await new.leases.beat()
    [second] = await append(new.store)
    feed = await store.feed(["0-0"] * 64)
    assert old.leases.holds(number)
    for late in (draft(version=3, previous=second.hash), draft("home-2")):
        with pytest.raises(Fenced):
            await old.store.append(late)
    assert await store.read(HOME) == [first, second]
    assert await store.tables() == [HOME]
    assert await store.feed(["0-0"] * 64) == feed
    assert await store.commit_of("home-2", draft("home-2").command) is None


async def test_a_fenced_owner_that_beats_again_hands_over_and_goes_on_with_its_own_part(store: RedisStore) -> None:
    old, new = await worker(store), await worker(store)
    await old.leases.beat()
    await expire(store, workers=True)
    await new.leases.beat()
    await old.leases.beat()
    assert old.leases.held == frozenset()
    assert {old.leases.owner_of(number) for number in ALL} == {new.leases.owner}
    await new.leases.beat()
    await old.leases.beat()
    assert len(old.leases.held) == 32
    assert new.leases.held == ALL - old.leases.held


async def test_an_owner_stops_by_itself_when_it_could_not_renew_in_time(store: RedisStore) -> None:
    one = await worker(store)
    await one.leases.beat()
    one.time.now += SECONDS - 0.1
    assert isinstance(await one.store.append(draft()), Appended)
    one.time.now += 0.2
    assert one.leases.held == frozenset()
    with pytest.raises(Fenced):
        await one.store.append(draft("home-2"))
    assert await store.servers.ask_one("EXISTS", store.key(0, "lease")) == 1


async def test_the_time_of_a_lease_counts_from_before_it_was_asked_for(clock: Clock) -> None:
    async with two_servers(clock) as (servers, one):

        def slow() -> None:
            one.time.now += SECONDS / 3

        servers.meanwhile = slow
        await one.leases.beat()  # who lives: a third; then both servers at once: a third each
        one.time.now += SECONDS / 3 - 0.1
        assert one.leases.held == ALL
        one.time.now += 0.2
        assert one.leases.held == frozenset()


async def test_an_epoch_that_the_server_has_forgotten_is_not_given_out_again(store: RedisStore) -> None:
    old, new = await worker(store), await worker(store)
    await old.leases.beat()
    await store.servers.ask([("DEL", store.key(number, "epoch")) for number in ALL])  # as a failover may
    await expire(store, workers=True)
    while await milliseconds(store) <= max(old.leases.epochs.values()):
        pass  # an epoch is a time, and no master takes over within a millisecond
    await new.leases.beat()
    with pytest.raises(Fenced):
        await old.store.append(draft())
    assert isinstance(await new.store.append(draft()), Appended)


async def test_an_owner_whose_lease_ran_out_unseen_has_another_epoch_afterwards(store: RedisStore) -> None:
    one = await worker(store)
    await one.leases.beat()
    before = one.leases.epochs
    await expire(store, [7])
    await one.leases.beat()
    assert one.leases.held == ALL
    assert {number for number, epoch in one.leases.epochs.items() if epoch != before[number]} == {7}


async def test_a_take_whose_answer_is_lost_is_made_once(clock: Clock) -> None:
    async with two_servers(clock) as (servers, one):

        def cut() -> None:
            raise StoreDown("the answer was cut off")

        await expire(one.store)
        servers.meanwhile = cut
        with pytest.raises(StoreDown, match="cut off"):
            await one.leases.beat()
        servers.meanwhile = lambda: None
        taken = {number: await epoch_in(one.store, number) for number in ALL}
        assert taken != one.leases.epochs
        await one.leases.beat()
        assert one.leases.epochs == taken
        assert isinstance(await one.store.append(draft()), Appended)


async def test_leases_outlive_a_server_that_is_killed(folder: Path, clock: Clock) -> None:
    async with await open_store("", folder, now=clock) as store:
        one, other = await worker(store), await worker(store)
        await one.leases.beat()
        epochs = one.leases.epochs
        os.kill(await server_of(store), signal.SIGKILL)
        await one.leases.beat()
        assert one.leases.epochs == epochs
        await expire(store, workers=True)
        os.kill(await server_of(store), signal.SIGKILL)
        await other.leases.beat()
        assert all(epoch > epochs[number] for number, epoch in other.leases.epochs.items())
        assert other.leases.held == ALL
        with pytest.raises(Fenced):
            await one.store.append(draft())
    await server_gone(folder)


async def test_a_server_that_is_down_costs_no_lease_on_another(clock: Clock) -> None:
    async with two_servers(clock) as (servers, one):
        for down, kept in (("odd", 0), ("even", 1)):  # the even one has the list of who lives
            servers.down = {down}
            for _ in range(4):
                one.time.now += SECONDS / 3
                with pytest.raises(StoreDown, match="cable"):
                    await one.leases.beat()
            assert one.leases.held == {number for number in ALL if number % 2 == kept}
            servers.down = set()
            await one.leases.beat()
            assert one.leases.held == ALL


async def test_what_is_closed_is_free_for_others_at_once(store: RedisStore) -> None:
    old, new = await worker(store), await worker(store)
    async with old.leases:
        await append(old.store)
    await old.leases.close()
    await old.leases.beat()  # one that was waiting for its turn
    assert old.leases.held == frozenset()
    await new.leases.beat()
    assert new.leases.held == ALL
    await append(new.store)
    with pytest.raises(Fenced):
        await old.store.append(draft("home-2"))
    with pytest.raises(StoreDown, match="given back"):
        await old.leases.changed({})


async def test_what_is_handed_over_is_not_written_to_even_when_no_server_answers(clock: Clock) -> None:
    async with two_servers(clock) as (servers, one):
        other = await worker(one.store)
        await other.leases.beat()

        def cut() -> None:
            servers.down = {"odd", "even"}  # after the answer that says who lives

        servers.meanwhile = cut
        with pytest.raises(StoreDown, match="cable"):
            await one.leases.beat()
        assert len(one.leases.held) == 32
        assert await one.store.servers.client("").exists(*(one.store.key(number, "lease") for number in ALL)) == 64


async def test_closing_while_the_store_is_down_ends_in_peace(clock: Clock) -> None:
    async with two_servers(clock) as (servers, one):
        await one.leases.start()
        servers.down = {"odd", "even"}
        await one.leases.close()
        assert one.leases.held == frozenset()


async def test_a_store_that_was_down_is_taken_up_again(clock: Clock) -> None:
    async with two_servers(clock) as (servers, one), one.leases:
        epochs = one.leases.epochs
        changed = asyncio.create_task(one.leases.changed(epochs))
        servers.down = {"odd", "even"}
        await one.time.turn()
        assert "cable" in str(one.leases.fault)
        assert not changed.done()
        one.time.now += SECONDS + 1
        await one.time.turn()
        assert await changed == {}
        everything = asyncio.create_task(one.leases.wait_for_all())
        servers.down = set()
        await one.time.turn()
        await everything
        assert str(one.leases.fault) == "None"
        assert one.leases.epochs == epochs  # nobody else had them


async def test_foreign_keys_in_the_place_of_a_lease_end_the_beats_and_are_said(store: RedisStore) -> None:
    one = await worker(store)
    await one.leases.start()
    await expire(store, [9])
    await store.servers.ask_one("RPUSH", store.key(9, "lease"), "x")
    waiting = asyncio.create_task(one.leases.changed(one.leases.epochs))
    turn = asyncio.create_task(one.time.turn())
    with pytest.raises(StoreUnfit, match="not a store's"):
        await waiting
    turn.cancel()
    with pytest.raises(StoreUnfit, match="not a store's"):
        await one.leases.close()
    assert await store.servers.ask_one("LRANGE", store.key(9, "lease"), 0, -1) == [b"x"]
