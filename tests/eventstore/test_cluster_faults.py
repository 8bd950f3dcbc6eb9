"""What a cluster does that breaks no connection: a master steps down, hangs, gives its slots away half."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.client import Pipeline
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from eventstore.chain import verify
from eventstore.cluster import Cluster, Node, slot
from eventstore.feed import Follower
from eventstore.open import open_store
from eventstore.record import NO_HEAD
from eventstore.redis_store import RedisStore
from eventstore.store import Appended, Pointer, StoreDown, Unsettled
from tests.eventstore.cluster_nodes import Nodes, cluster_nodes, healthy, until
from tests.eventstore.drafts import Clock, append, draft
from tests.eventstore.test_feed import Count

PATIENT = 0.5  # s that a client of the test waits for an answer
T = TypeVar("T")


@pytest.fixture
async def nodes(tmp_path: Path) -> AsyncIterator[Nodes]:
    """A cluster of the test's own."""
    async with cluster_nodes(tmp_path) as found:
        yield found


@pytest.fixture
async def store(nodes: Nodes, clock: Clock) -> AsyncIterator[RedisStore]:
    """A store that acknowledges what a replica has, found by way of a replica."""
    replica = list(nodes.processes)[-1]
    url = f"redis://127.0.0.1:{replica}"
    async with await open_store(url, Path("unused"), now=clock, durability="replicated") as opened:
        yield opened


def port_of(store: RedisStore, table: str) -> int:
    client = store.servers.client(store.key(store.partition_of(table)))
    return int(client.connection_pool.connection_kwargs["port"])


def tables_of(store: RedisStore, port: int) -> list[str]:
    """Tables of several partitions that this master holds."""
    names = (f"home{number}-1" for number in range(60))
    return [name for name in names if port_of(store, name) == port]


async def test_a_master_that_steps_down_is_followed_without_an_error(nodes: Nodes, store: RedisStore) -> None:
    """But for one: a wait for a replica that fell into the change may have been in vain, and is begun again."""
    store.servers.settling = ("WAIT", 1, 1000)
    tables = [f"home{number}-1" for number in range(30)]
    stepped, master = asyncio.Event(), port_of(store, "home1-1")
    for port in nodes.processes:  # else the new master itself refuses for a moment, until its replicas have come
        await nodes.ask(port, "CONFIG", "SET", "min-replicas-to-write", 0)

    async def play(name: str) -> list[bytes]:
        made: list[bytes] = []
        end = None
        while end is None or len(made) < end:
            try:
                answer = await store.append(draft(name, len(made) + 1, made[-1] if made else NO_HEAD))
            except Unsettled:
                continue  # the same draft is given again
            assert isinstance(answer, Appended)
            made.append(answer.commit.hash)
            if stepped.is_set() and end is None:
                end = len(made) + 5
        return made

    playing = [asyncio.create_task(play(name)) for name in tables]
    await nodes.step_down(master)
    stepped.set()
    for name, made in zip(tables, await asyncio.gather(*playing), strict=True):
        assert [commit.hash for commit in await store.read(name)] == made
    assert port_of(store, "home1-1") != master


class Interrupted(Count):
    """Loses its master to a replica between looking and writing, once."""

    def __init__(self, store: RedisStore, nodes: Nodes, master: int) -> None:
        super().__init__(store)
        self._nodes = nodes
        self._master: int | None = master

    async def apply(self, write: Pipeline, partition: int, pointers: Sequence[Pointer]) -> None:
        if self._master is not None:
            master, self._master = self._master, None
            await self._nodes.step_down(master)
        await super().apply(write, partition, pointers)


async def test_a_transaction_whose_keys_have_moved_is_run_again_where_they_are(nodes: Nodes, store: RedisStore) -> None:
    await append(store, commits=5)
    count = Interrupted(store, nodes, port_of(store, "home-1"))
    await Follower(store, count).catch_up()
    assert await count.of("home-1") == 5
    assert await Follower(store, count).catch_up() == 0


async def test_a_slot_that_is_half_way_keeps_only_its_own_tables_waiting(nodes: Nodes, store: RedisStore) -> None:
    source, target = sorted(await nodes.masters())[:2]
    moving, *others = tables_of(store, source)
    number = store.partition_of(moving)
    others = [name for name in others if store.partition_of(name) != number]
    [first] = await append(store, moving)
    place = slot(store.key(number).encode())
    ids = {port: (await nodes.ask(port, "CLUSTER", "MYID")).decode() for port in (source, target)}
    await nodes.ask(target, "CLUSTER", "SETSLOT", place, "IMPORTING", ids[source])
    await nodes.ask(source, "CLUSTER", "SETSLOT", place, "MIGRATING", ids[target])

    # What is not here is asked for there.
    assert await store.servers.ask_one("SET", store.key(number, "new"), 1) == b"OK"
    assert await store.servers.ask_one("GET", store.key(number, "new")) == b"1"
    assert await nodes.ask(source, "CLUSTER", "COUNTKEYSINSLOT", place) > 0

    stream = store.key(number, "t", moving)
    await nodes.ask(source, "MIGRATE", "127.0.0.1", target, stream, 0, 60_000)
    assert await store.read(moving) == [first]
    drafts = [draft(moving, 2, first.hash), *map(draft, others)]
    refused, *answers = await asyncio.gather(*map(store.append, drafts), return_exceptions=True)
    assert isinstance(refused, StoreDown)
    assert "is moving these keys to another server" in str(refused)
    assert len(answers) > 3
    assert all(isinstance(answer, Appended) for answer in answers)

    while keys := await nodes.ask(source, "CLUSTER", "GETKEYSINSLOT", place, 10):
        for key in keys:
            await nodes.ask(source, "MIGRATE", "127.0.0.1", target, key.decode(), 0, 60_000)
    for port in (target, source):
        await nodes.ask(port, "CLUSTER", "SETSLOT", place, "NODE", ids[target])
    answer = await store.append(drafts[0])
    assert isinstance(answer, Appended)
    assert await store.read(moving) == [first, answer.commit]
    assert port_of(store, moving) == target


async def test_a_part_of_a_flush_that_has_moved_is_waited_for_where_it_is(nodes: Nodes, store: RedisStore) -> None:
    """The map is older than the cluster: the first of a flush is elsewhere by now, the rest is not."""
    source, target = sorted(await nodes.masters())[:2]
    moved, *others = tables_of(store, source)
    others = [name for name in others if store.partition_of(name) != store.partition_of(moved)]
    place = slot(store.key(store.partition_of(moved)).encode())
    taking = (await nodes.ask(target, "CLUSTER", "MYID")).decode()
    for port in (target, source):
        await nodes.ask(port, "CLUSTER", "SETSLOT", place, "NODE", taking)
    answers = await asyncio.gather(*map(store.append, map(draft, [moved, *others])))
    assert all(isinstance(answer, Appended) for answer in answers)
    assert (port_of(store, moved), port_of(store, others[0])) == (target, source)
    for port, name in ((target, moved), (source, others[0])):  # each had a write of its own to wait behind
        assert await nodes.ask(port, "EXISTS", store.key(store.partition_of(name), "wait")) == 1


async def patiently(wanted: Callable[[], Awaitable[T]]) -> T:
    """What an impatient client wants, as soon as it gets it."""
    found: list[T] = []

    async def got() -> bool:
        found.append(await wanted())
        return True

    await until(got)
    return found[0]


async def test_a_master_that_hangs_is_left_for_the_one_that_takes_over(nodes: Nodes, clock: Clock) -> None:
    """Its connections stand and say nothing; awake again, it acknowledges nothing that it alone has."""

    def reach(node: Node) -> Redis:
        options: dict[str, Any] = {
            "protocol": 2,
            "retry": Retry(NoBackoff(), 0),
            "retry_on_timeout": False,
            "socket_timeout": PATIENT,
        }
        return Redis(connection_pool=BlockingConnectionPool(host=node[0], port=node[1], **options))

    servers = await patiently(lambda: Cluster.open(reach, [("127.0.0.1", port) for port in nodes.processes]))
    servers.settling = ("WAIT", 1, 200)
    async with await patiently(lambda: RedisStore.open(servers, now=clock)) as store:
        made: list[bytes] = []
        master = port_of(store, "home-1")

        async def appended() -> bool:
            answer = await store.append(draft(version=len(made) + 1, previous=made[-1] if made else NO_HEAD))
            assert isinstance(answer, Appended)
            made.append(answer.commit.hash)
            return True

        for _ in range(3):
            await until(appended)
        nodes.watch([master])
        os.kill(nodes.processes[master].pid, signal.SIGSTOP)
        await until(appended)
        assert port_of(store, "home-1") != master
        os.kill(nodes.processes[master].pid, signal.SIGCONT)
        await until(partial(healthy, nodes))
        for _ in range(5):
            await until(appended)
        commits = await patiently(lambda: store.read("home-1"))
        verify(commits)
        assert [commit.hash for commit in commits] == made
