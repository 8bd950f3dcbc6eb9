from __future__ import annotations

import asyncio
from collections import Counter

import pytest
from fakeredis import FakeServer
from fakeredis.aioredis import FakeRedis
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from eventstore.leases import fair_shares
from eventstore.redis_store import RedisStore
from eventstore.servers import One
from eventstore.store import Appended, Fenced
from tests.eventstore.drafts import Clock, draft
from tests.eventstore.workers import SECONDS, Worker, epoch_in, expire, milliseconds, worker

ALL = frozenset(range(64))


async def beats(workers: list[Worker], rounds: int = 2) -> None:
    for _ in range(rounds):
        for each in workers:
            await each.leases.beat()


def held(workers: list[Worker]) -> list[int]:
    """Every partition that somebody holds, as often as somebody does."""
    return sorted(number for each in workers for number in each.leases.held)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
async def test_workers_that_come_one_by_one_have_fair_shares_after_two_beats(store: RedisStore, count: int) -> None:
    workers: list[Worker] = []
    for _ in range(count):
        workers.append(await worker(store))
        await workers[-1].leases.beat()
        await beats(workers)
        assert held(workers) == sorted(ALL)
    assert {len(each.leases.held) for each in workers} <= {64 // count, 64 // count + 1}


async def test_workers_that_come_together_never_hold_a_partition_twice(store: RedisStore) -> None:
    workers = [await worker(store) for _ in range(4)]
    for _ in range(2):
        await asyncio.gather(*(each.leases.beat() for each in workers))
        assert Counter(held(workers)).most_common(1)[0][1] == 1
    await beats(workers)
    assert [len(each.leases.held) for each in workers] == [16] * 4


async def test_what_is_handed_over_is_closed_to_the_old_owner_and_open_to_the_new_one(store: RedisStore) -> None:
    old, new = await worker(store), await worker(store)
    await old.leases.beat()
    before = old.leases.epochs
    await new.leases.beat()
    assert new.leases.held == frozenset()
    await old.leases.beat()
    await new.leases.beat()
    assert old.leases.epochs.items() <= before.items()
    assert new.leases.held == ALL - old.leases.held
    table = next(f"h{n}-1" for n in range(999) if new.leases.holds(store.partition_of(f"h{n}-1")))
    with pytest.raises(Fenced):
        await old.store.append(draft(table))
    assert isinstance(await new.store.append(draft(table)), Appended)


async def test_the_others_take_over_from_one_that_leaves_at_once(store: RedisStore) -> None:
    workers = [await worker(store) for _ in range(3)]
    await beats(workers)
    gone = workers.pop()
    await gone.leases.close()
    await beats(workers)
    assert held(workers) == sorted(ALL)


async def test_the_others_take_over_from_one_that_was_killed_when_its_leases_run_out(store: RedisStore) -> None:
    workers = [await worker(store) for _ in range(3)]
    await beats(workers)
    gone = workers.pop()
    await beats(workers)
    assert len(held(workers)) < 64
    await expire(store, gone.leases.held)
    await store.servers.ask_one("ZREM", store.key(0, "workers"), gone.leases.owner)
    await beats(workers)
    assert held(workers) == sorted(ALL)


async def test_a_worker_counts_as_living_as_long_as_its_leases_last(store: RedisStore) -> None:
    one, other = await worker(store), await worker(store)
    await one.leases.beat()
    until = float(await store.servers.ask_one("ZSCORE", store.key(0, "workers"), one.leases.owner))
    now = await milliseconds(store)
    assert now < until <= now + SECONDS * 1000
    await store.servers.ask_one("ZADD", store.key(0, "workers"), now, one.leases.owner)
    await other.leases.beat()
    assert await store.servers.ask_one("ZRANGE", store.key(0, "workers"), 0, -1) == [other.leases.owner.encode()]


async def test_two_of_one_name_are_two(store: RedisStore) -> None:
    one, other = await worker(store, name="host.17"), await worker(store, name="host.17")
    await one.leases.beat()
    await other.leases.beat()
    assert other.leases.held == frozenset()
    assert one.leases.owner.startswith("host.17.")


async def test_of_two_that_want_all_one_stands_by_until_the_other_is_gone(store: RedisStore) -> None:
    one, other = await worker(store, "all"), await worker(store, "all")
    await one.leases.start()
    await other.leases.start()
    assert (one.leases.held, other.leases.held) == (ALL, frozenset())
    waiting = asyncio.create_task(other.leases.wait_for_all())
    await one.time.turn()
    await other.time.turn()
    assert not waiting.done()
    await one.leases.close()
    await other.time.turn()
    await waiting
    assert other.leases.held == ALL
    await other.leases.close()


async def test_two_that_want_all_and_start_together_do_not_split_the_partitions(store: RedisStore) -> None:
    two = [await worker(store, "all"), await worker(store, "all")]
    await asyncio.gather(*(each.leases.beat() for each in two))
    assert sorted(len(each.leases.held) for each in two) == [0, 64]


async def test_who_loses_the_first_partition_gives_back_the_others(store: RedisStore) -> None:
    one, other = await worker(store, "all"), await worker(store, "all")
    await one.leases.beat()
    await expire(store, [0])
    await other.leases.beat()
    assert other.leases.held == {0}
    await one.leases.beat()
    assert one.leases.held == frozenset()
    await other.leases.beat()
    assert other.leases.held == ALL


@given(st.sets(st.text(), min_size=1, max_size=9), st.integers(1, 80), st.randoms())
def test_shares_differ_by_one_at_most_and_do_not_depend_on_who_reckons(names, partitions, chance) -> None:  # type: ignore[no-untyped-def]
    workers = list(names)
    shares = fair_shares(workers, partitions)
    counts = [shares.count(name) for name in workers]
    assert sum(counts) == partitions
    assert max(counts) - min(counts) <= 1
    chance.shuffle(workers)
    assert fair_shares(workers, partitions) == shares


def test_few_partitions_move_when_a_worker_comes() -> None:
    workers = [f"host.{number}" for number in range(5)]
    pairs = zip(fair_shares(workers[:4], 64), fair_shares(workers, 64), strict=True)
    assert 12 <= sum(before != after for before, after in pairs) <= 24


class Histories(RuleBasedStateMachine):
    """Three workers that beat, stop, close and are started anew, on a server where leases run out at any moment."""

    indices = st.integers(0, 2)

    @initialize(share=st.sampled_from(["all", "fair"]))
    def begin(self, share: str) -> None:
        self.loop = asyncio.Runner()
        self.share = share
        self.loop.run(self._begin())

    async def _begin(self) -> None:
        servers = One(FakeRedis(server=FakeServer(), protocol=2))
        self.store = await RedisStore.open(servers, now=Clock(), partitions=3)
        self.workers = [await self._worker() for _ in range(3)]

    async def _worker(self) -> Worker:
        return await worker(self.store, "all" if self.share == "all" else "fair")

    @rule(index=indices)
    def beat(self, index: int) -> None:
        self.loop.run(self.workers[index].leases.beat())

    @rule(index=indices, seconds=st.sampled_from([SECONDS / 4, SECONDS + 1]))
    def time_goes_on(self, index: int, seconds: float) -> None:
        self.workers[index].time.now += seconds

    @rule(number=st.integers(0, 2))
    def a_lease_runs_out(self, number: int) -> None:
        self.loop.run(expire(self.store, [number]))

    @rule(index=indices)
    def close_and_start_anew(self, index: int) -> None:
        self.loop.run(self.workers[index].leases.close())
        self.workers[index] = self.loop.run(self._worker())

    @rule(index=indices)
    def kill_and_start_anew(self, index: int) -> None:
        self.workers[index] = self.loop.run(self._worker())

    @invariant()
    def one_worker_at_most_has_the_current_epoch(self) -> None:
        if not hasattr(self, "store"):
            return
        for number in range(3):
            current = self.loop.run(epoch_in(self.store, number))
            epochs = [each.leases.epoch_of(number) for each in self.workers]
            assert epochs.count(current) <= 1 or current == 0
            assert max(epochs) <= current

    def teardown(self) -> None:
        if hasattr(self, "loop"):
            self.loop.run(self.store.close())
            self.loop.close()


Histories.TestCase.settings = settings(max_examples=30, stateful_step_count=30, deadline=None)
TestHistories = Histories.TestCase
