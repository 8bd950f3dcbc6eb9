"""What a cluster does to a store: slots that move, masters that die, replicas that lag."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import pytest

from eventstore.chain import verify
from eventstore.cluster import slot
from eventstore.feed import Follower, tail
from eventstore.open import open_store
from eventstore.record import NO_HEAD
from eventstore.redis_store import RedisStore
from eventstore.store import Appended, Conflict, Fenced, StoreDown
from tests.eventstore.cluster_nodes import Nodes, cluster_nodes, healthy, until
from tests.eventstore.drafts import Clock, append, draft
from tests.eventstore.test_feed import Count
from tests.patience import PATIENCE


@pytest.fixture
async def nodes(tmp_path: Path) -> AsyncIterator[Nodes]:
    """A cluster of the test's own."""
    async with cluster_nodes(tmp_path) as found:
        yield found


@asynccontextmanager
async def opened(nodes: Nodes, durability: str = "replicated") -> AsyncIterator[RedisStore]:
    async with await open_store(nodes.url, Path("unused"), now=Clock(), durability=durability) as store:  # type: ignore[arg-type]
        yield store


def port_of(store: RedisStore, table: str) -> int:
    """The port of the master that holds the table."""
    key = store.key(store.partition_of(table), "t", table)
    return int(store.servers.client(key).connection_pool.connection_kwargs["port"])


async def tables_by_master(store: RedisStore) -> dict[int, list[str]]:
    """Forty tables by the port of their master."""
    found: dict[int, list[str]] = {}
    for number in range(40):
        found.setdefault(port_of(store, f"home{number}-1"), []).append(f"home{number}-1")
    return found


def test_slots_are_those_of_the_specification() -> None:
    # CLUSTER KEYSLOT of Redis 7.2 and Valkey 9.1 give these.
    assert [slot(key) for key in (b"foo", b"{user1000}.following", b"tt:{0}:feed", b"123456789")] == [
        12182,
        3443,
        slot(b"0"),
        0x31C3,
    ]


async def patiently(store: RedisStore, table: str, commits: int) -> None:
    """Appends until the table has so many, however often its keys are on their way just then."""
    while True:
        with suppress(StoreDown):
            await append(store, table, commits - len(await store.read(table)))
            return
        await asyncio.sleep(0.01)


async def test_a_slot_that_moves_while_tables_are_played_loses_nothing(nodes: Nodes) -> None:
    async with opened(nodes) as store:
        tables = await tables_by_master(store)
        source, target = sorted(tables)[:2]
        moving = tables[source][0]
        for some in tables.values():
            for name in some:
                await append(store, name)
        number = store.partition_of(moving)
        place = slot(store.key(number).encode())
        ids = {port: (await nodes.ask(port, "CLUSTER", "MYID")).decode() for port in (source, target)}
        await nodes.ask(target, "CLUSTER", "SETSLOT", place, "IMPORTING", ids[source])
        await nodes.ask(source, "CLUSTER", "SETSLOT", place, "MIGRATING", ids[target])
        playing = asyncio.create_task(patiently(store, moving, 201))
        others = asyncio.create_task(patiently(store, tables[source][1], 51))
        while keys := await nodes.ask(source, "CLUSTER", "GETKEYSINSLOT", place, 3):
            # Half of the keys are there and half here for a while: TRYAGAIN, ASK.
            for key in keys:
                await nodes.ask(source, "MIGRATE", "127.0.0.1", target, key.decode(), 0, 60_000)
            await asyncio.sleep(0.01)
        for port in (target, source):
            await nodes.ask(port, "CLUSTER", "SETSLOT", place, "NODE", ids[target])
        await playing
        await others
        commits = await store.read(moving)
        assert len(commits) == 201
        verify(commits)
        assert port_of(store, moving) == target
        count = Count(store)
        await Follower(store, count).catch_up()
        assert await count.of(moving) == 201


async def test_a_master_that_dies_costs_a_pause_and_nothing_that_was_acknowledged(nodes: Nodes) -> None:
    async with opened(nodes) as store:
        tables = await tables_by_master(store)
        acknowledged: dict[str, list[bytes]] = {}
        stop = asyncio.Event()

        async def play(name: str) -> None:
            made = acknowledged.setdefault(name, [])
            while not stop.is_set():
                wanted = draft(name, len(made) + 1, made[-1] if made else NO_HEAD)
                try:
                    answer = await store.append(wanted)
                except StoreDown:
                    await asyncio.sleep(0.02)  # the same draft is given again
                    continue
                assert isinstance(answer, Appended), answer
                made.append(answer.commit.hash)

        dead = min(tables)
        players = [asyncio.create_task(play(name)) for some in tables.values() for name in some]

        async def enough(ports: list[int], more: int) -> bool:
            return all(len(acknowledged.get(name, ())) >= more for port in ports for name in tables[port])

        await until(partial(enough, sorted(tables), 20))
        nodes.kill(dead)
        at_the_kill = {name: len(acknowledged[name]) for name in tables[dead]}
        alive = [port for port in tables if port != dead]
        others = max(len(acknowledged[name]) for port in alive for name in tables[port])
        await until(partial(enough, alive, others + 20))  # the others go on meanwhile
        await until(partial(enough, [dead], max(at_the_kill.values()) + 20))
        stop.set()
        await asyncio.gather(*players)
        for name, hashes in acknowledged.items():
            commits = await store.read(name)
            verify(commits)
            assert [commit.hash for commit in commits] == hashes
        assert port_of(store, tables[dead][0]) != dead
        count = Count(store)
        await Follower(store, count).catch_up()
        assert [await count.of(name) for name in acknowledged] == [len(hashes) for hashes in acknowledged.values()]


async def test_a_rewind_is_seen_by_whoever_knows_better(nodes: Nodes) -> None:
    """With local durability a replica that lags takes over: what it never had is gone, and its user is told."""
    async with opened(nodes, "local") as store:
        table = "home-1"
        await append(store, table, commits=3)
        master = port_of(store, table)
        await nodes.ask(master, "CONFIG", "SET", "min-replicas-to-write", 0)  # which would refuse what comes now
        for port in (await nodes.masters())[master]:
            await until(partial(in_step, nodes, master, port))
            await nodes.ask(port, "CONFIG", "SET", "masterauth", "wrong")  # so that it finds no way back
            await nodes.ask(port, "CLIENT", "KILL", "TYPE", "master")
        known = await append(store, table, commits=2)  # acknowledged, and on this master only
        nodes.kill(master)
        await until(partial(goes_on, store, table))
        nodes.be_calm()
        answer = await store.append(draft(table, 6, known[-1].hash))
        assert isinstance(answer, Conflict)
        assert answer.tail == ()
        assert answer.version == 3
        assert len(await store.read(table)) == 3


async def in_step(nodes: Nodes, master: int, replica: int) -> bool:
    """Whether the replica has what its master has."""
    here, there = [(await nodes.ask(port, "INFO", "replication")).decode() for port in (master, replica)]
    return _offset(here, "\nmaster_repl_offset:") == _offset(there, "\nslave_repl_offset:")


def _offset(facts: str, name: str) -> int:
    return int(facts.partition(name)[2].split()[0])


async def goes_on(store: RedisStore, table: str) -> bool:
    """Whether the table's master takes writes again."""
    number = store.partition_of(table)
    await store.servers.ask_one("SET", store.key(number, "trial"), 1)
    return True


async def test_a_commit_that_no_replica_has_is_not_acknowledged(nodes: Nodes) -> None:
    async with opened(nodes) as store:
        table = "home-1"
        await append(store, table)
        store.servers.settling = ("WAIT", 1, 50)
        master = port_of(store, table)
        replicas = (await nodes.masters())[master]
        for port in replicas:
            os.kill(nodes.processes[port].pid, signal.SIGSTOP)
        first = (await store.read(table))[-1]
        with pytest.raises(StoreDown, match="no replica"):
            await store.append(draft(table, 2, first.hash))
        with pytest.raises(StoreDown, match="no replica"):
            await store.append(draft(table, 2, first.hash))  # it is in, and still on one server only
        for port in replicas:
            os.kill(nodes.processes[port].pid, signal.SIGCONT)
        store.servers.settling = ("WAIT", 1, int(PATIENCE * 1000))
        await until(partial(healthy, nodes))
        assert isinstance(await store.append(draft(table, 2, first.hash)), Appended)
        assert len(await store.read(table)) == 2


async def test_a_fenced_owner_writes_nothing_after_a_failover(nodes: Nodes) -> None:
    async with opened(nodes) as old, opened(nodes) as new:
        table = "home-1"
        [first] = await append(old, table)
        number = old.partition_of(table)
        key = old.key(number, "epoch")
        await old.servers.ask([("SET", key, 7)], settled=True)
        old.epoch_of = {number: 7}.__getitem__
        assert isinstance(await old.append(draft(table, 2, first.hash)), Appended)
        nodes.kill(port_of(old, table))
        await until(partial(goes_on, new, table))
        nodes.be_calm()
        await new.servers.ask([("SET", key, 8)], settled=True)
        head = (await new.read(table))[-1].hash

        async def fenced() -> bool:
            with pytest.raises(Fenced):
                await old.append(draft(table, 3, head))
            return True

        for _ in range(3):
            await until(fenced)  # where the table is now, the old one has to find out first
        assert len(await new.read(table)) == 2
        assert sum(len(found) for found in (await new.feed(["0-0"] * new.partitions)).values()) == 2


async def test_whoever_waits_at_the_feed_hears_of_what_another_process_appends(nodes: Nodes) -> None:
    async with opened(nodes) as one, opened(nodes) as other:
        news = await tail(one)
        waiting = asyncio.create_task(news.news(60_000))
        await append(other, "home-1")
        assert [(pointer.table, pointer.version) for pointer in await waiting] == [("home-1", 1)]
