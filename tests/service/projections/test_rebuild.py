from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from random import Random

import pytest
from fakeredis import FakeRedis as SyncRedis
from fakeredis import FakeServer
from fakeredis.aioredis import FakeRedis
from redis.asyncio.client import Pipeline
from redis.exceptions import ConnectionError

import service.projections.bulk
import service.projections.rebuild
from eventstore.feed import Follower
from eventstore.open import open_store
from eventstore.redis_store import RedisStore
from eventstore.servers import One
from service.projections.bulk import Source, build_shared
from service.projections.deadlines import DEADLINES
from service.projections.rebuild import NotRebuilt, Rebuilt, rebuild
from service.projections.registry import PROJECTIONS
from service.projections.rows import Rows, Spec, from_store, through
from service.projections.standings import STANDINGS
from service.projections.tables import TABLES_BY_HOME
from tests.service.projections.deployments import at_random, contents, followed, left_over, some_tables
from tests.service.tables import FakeClock, World, new_world

ALL = list(PROJECTIONS)


@pytest.fixture
async def world() -> World:
    return await new_world()


@pytest.fixture
async def embedded(tmp_path: Path) -> AsyncIterator[World]:
    """A deployment on an embedded server of its own."""
    clock = FakeClock()
    async with await open_store("", tmp_path, now=clock.now, partitions=8) as store:
        yield World(store, clock, None)


async def test_a_rebuilt_projection_is_the_live_one_byte_for_byte(world: World) -> None:
    await some_tables(world)
    await followed(world)
    before = await contents(world.store)
    heard: list[tuple[int, int]] = []
    part, rebuilt = await rebuild(world.store, ALL, progress=lambda done, everything: heard.append((done, everything)))
    assert (part.tables, part.parked, heard) == (6, (), [(6, 6)])
    assert part.commits == sum([len(await world.store.read(name)) for name in await world.store.tables()])
    keys = {name: sum(f":{name}:".encode() in key for key in before) for name in ALL}
    assert rebuilt == [Rebuilt(name, keys[name], 0) for name in ALL]
    assert await contents(world.store) == before
    assert await left_over(world.store) == []
    # The live followers go on where the rebuilt ones stand.
    await world.first_legal_move("ann-2")
    for spec in PROJECTIONS.values():
        assert await Follower(world.store, Rows(world.store, spec, through(world.engine))).catch_up() == 1


@pytest.mark.parametrize("seed", range(int(os.environ.get("REBUILD_PLAYS", "6"))))
async def test_after_random_play_followed_now_and_then_the_rebuilt_ones_are_equal(seed: int) -> None:
    chance = Random(seed)
    world = await new_world(lambda table, number: Random(f"{seed} {table} {number}").randbytes(32))
    for _ in range(6):
        await at_random(world, chance, chance.randint(1, 60))
        if chance.random() < 0.5:
            world.engine = world.another_engine()
        if chance.random() < 0.7:
            await followed(world)
    _, rebuilt = await rebuild(world.store, ALL)
    assert {one.differed for one in rebuilt} <= {0, None}
    made = await contents(world.store)
    await followed(world)
    assert await contents(world.store) == made
    phases = {(await world.state(name)).phase for name in await world.store.tables()}
    assert len(phases) > 1


async def test_a_rebuild_puts_right_what_was_damaged(world: World) -> None:
    await some_tables(world)
    rows = (await followed(world))[TABLES_BY_HOME.name]
    before = await contents(world.store)
    number = world.store.partition_of("ann-1")
    await world.store.servers.ask_one("HSET", rows.key(number, "rows", "ann"), "ann-2", "nonsense")
    await world.store.servers.ask_one("HSET", rows.key(number, "rows", "stray"), "x", "y")
    _, [found] = await rebuild(world.store, [TABLES_BY_HOME.name])
    assert found == Rebuilt(TABLES_BY_HOME.name, found.keys, 2)
    assert await contents(world.store) == before


@pytest.mark.parametrize("part", ["of", "rows"])
async def test_keys_of_another_type_in_the_place_of_a_live_one_are_put_right(world: World, part: str) -> None:
    await some_tables(world)
    rows = (await followed(world))[DEADLINES.name]
    before = await contents(world.store)
    key = rows.key(world.store.partition_of("ann-1"), *{"of": ["of"], "rows": ["rows", "playing"]}[part])
    await world.store.servers.ask_one("DEL", key)
    await world.store.servers.ask_one("SET", key, "somebody else's")
    await world.first_legal_move("ann-2")
    _, [found] = await rebuild(world.store, [DEADLINES.name])
    assert found.differed == 1
    rebuilt = await contents(world.store)
    assert rebuilt.keys() == before.keys()
    assert {one.differed for one in (await rebuild(world.store, [DEADLINES.name]))[1]} == {0}


async def test_a_projection_that_never_was_is_built_by_a_rebuild(world: World) -> None:
    await some_tables(world)
    _, rebuilt = await rebuild(world.store, ALL)
    assert {one.differed for one in rebuilt} == {None}
    made = await contents(world.store)
    await followed(world)
    assert await contents(world.store) == made


async def test_an_empty_deployment_is_rebuilt_too(world: World) -> None:
    part, rebuilt = await rebuild(world.store, ALL)
    assert (part.tables, part.commits) == (0, 0)
    assert rebuilt == [Rebuilt(name, 0, None) for name in ALL]


async def test_what_the_live_one_has_not_seen_yet_is_no_difference(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its follower may be behind when the two are compared: those tables are left out, the others are not."""
    await some_tables(world)
    rows = (await followed(world))[TABLES_BY_HOME.name]
    await world.first_legal_move("ann-2")
    catch_up = Follower.catch_up

    async def behind(self: Follower) -> int:
        return 0 if self.key(0).endswith(f":{TABLES_BY_HOME.name}:1") else await catch_up(self)

    monkeypatch.setattr(Follower, "catch_up", behind)
    _, [found] = await rebuild(world.store, [TABLES_BY_HOME.name])
    assert found.differed == 0
    await world.first_legal_move("ann-2")
    await world.store.servers.ask_one(
        "HSET", rows.key(world.store.partition_of("ann-1"), "rows", "ann"), "ann-1", "nonsense"
    )
    _, [found] = await rebuild(world.store, [TABLES_BY_HOME.name])
    assert found.differed == 1


class Killed(Exception):
    pass


def kill(done: int, everything: int) -> None:
    raise Killed


async def test_a_rebuild_that_was_killed_harms_nothing(world: World) -> None:
    await some_tables(world)
    await followed(world)
    with pytest.raises(Killed):
        await rebuild(world.store, ALL, progress=kill)
    assert await left_over(world.store)
    await world.first_legal_move("cat-1")
    await followed(world)
    before = await contents(world.store)
    _, rebuilt = await rebuild(world.store, ALL)
    assert {one.differed for one in rebuilt} == {0}
    assert await contents(world.store) == before
    assert await left_over(world.store) == []


async def test_a_rebuild_clears_only_after_those_of_its_own_projections(world: World) -> None:
    await some_tables(world)
    with pytest.raises(Killed):
        await rebuild(world.store, [STANDINGS.name], progress=kill)
    left = await left_over(world.store)
    await rebuild(world.store, [DEADLINES.name])
    assert sorted(await left_over(world.store)) == sorted(left)
    assert left


async def test_a_rebuild_that_another_one_overtakes_exchanges_nothing() -> None:
    clock, server = FakeClock(), FakeServer()
    store = await RedisStore.open(One(FakeRedis(server=server, protocol=2)), now=clock.now)
    world = World(store, clock, None)
    await some_tables(world)
    await followed(world)
    before = await contents(store)

    def another_clears(done: int, everything: int) -> None:
        keys = SyncRedis(server=server)
        found = list(keys.scan_iter(match="*.new-*", count=1000))
        assert found
        keys.delete(*found)

    with pytest.raises(NotRebuilt) as ended:
        await rebuild(store, ALL, progress=another_clears)
    assert ended.value.code == "overtaken"
    assert await contents(store) == before
    _, rebuilt = await rebuild(store, ALL)
    assert {one.differed for one in rebuilt} == {0}


async def test_rebuilds_at_the_same_time_leave_a_whole_projection(embedded: World) -> None:
    await some_tables(embedded)
    await followed(embedded)
    before = await contents(embedded.store)
    ended = await asyncio.gather(*(rebuild(embedded.store, ALL) for _ in range(3)), return_exceptions=True)
    assert any(not isinstance(one, BaseException) for one in ended)
    assert all(isinstance(one, NotRebuilt) for one in ended if isinstance(one, BaseException))
    assert await contents(embedded.store) == before


async def test_an_exchange_whose_answer_is_lost_is_not_made_twice(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await some_tables(world)
    await followed(world)
    before = await contents(world.store)
    execute, lost = Pipeline.execute, 0

    async def lose_some(self: Pipeline, raise_on_error: bool = True) -> list[object]:
        nonlocal lost
        exchanges = any("RENAME" in command[0] for command in self.command_stack)
        answer = await execute(self, raise_on_error)
        if exchanges and (lost := lost + 1) % 2:
            raise ConnectionError("lost")
        return answer

    monkeypatch.setattr(Pipeline, "execute", lose_some)
    _, rebuilt = await rebuild(world.store, ALL)
    assert lost > 4
    assert {one.differed for one in rebuilt} == {0}
    assert sum(one.keys for one in rebuilt) == len(before)
    assert await contents(world.store) == before


async def test_rebuilds_keep_up_with_a_bot_that_plays(embedded: World) -> None:
    world = embedded
    await some_tables(world)
    await world.started("eve-1")
    live = [Rows(world.store, spec, through(world.engine)) for spec in PROJECTIONS.values()]
    followers = [asyncio.create_task(Follower(world.store, rows).follow()) for rows in live]
    stop = asyncio.Event()

    async def moves(name: str) -> int:
        made = 0
        while not stop.is_set() and (await world.state(name)).phase == "playing":
            await world.first_legal_move(name)
            made += 1
        return made

    players = [asyncio.create_task(moves(name)) for name in ("ann-2", "cat-1", "eve-1")]
    try:
        for _ in range(2):
            _, rebuilt = await rebuild(world.store, ALL)
            assert {one.differed for one in rebuilt} <= {0, None}
    finally:
        stop.set()
        made = await asyncio.gather(*players)
        for follower in followers:
            follower.cancel()
        await asyncio.gather(*followers, return_exceptions=True)
    assert sum(made) > 30
    await followed(world)
    after = await contents(world.store)
    _, again = await rebuild(world.store, ALL)
    assert {one.differed for one in again} == {0}
    assert await contents(world.store) == after


async def test_further_processes_build_the_same(
    embedded: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service.projections.rebuild, "ALONE", 0)
    monkeypatch.setattr(service.projections.bulk, "_SHARE", 2)
    await some_tables(embedded)
    await followed(embedded)
    before = await contents(embedded.store)
    heard: list[int] = []
    source = Source(url="", data=str(tmp_path))
    part, rebuilt = await rebuild(embedded.store, ALL, source, lambda done, everything: heard.append(done), processes=2)
    assert (part.tables, heard) == (6, [2, 4, 6])
    assert part.commits == sum(map(len, (await embedded.store.read_many(await embedded.store.tables())).values()))
    assert {one.differed for one in rebuilt} == {0}
    assert await contents(embedded.store) == before


def killed() -> Sequence[Spec]:
    os._exit(9)


async def test_a_process_that_is_killed_is_noticed(embedded: World, tmp_path: Path) -> None:
    source = Source(url="", data=str(tmp_path))
    with pytest.raises(BrokenProcessPool):
        await anext(build_shared(embedded.store, source, killed, ["ann-1"], 1))


def test_where_the_store_is_does_not_show() -> None:
    password = secrets.token_hex(8)
    assert password not in repr(Source(url=f"redis://:{password}@host", data=""))


async def test_a_rebuild_needs_no_key(world: World) -> None:
    await some_tables(world)
    look = from_store(world.store)
    commits = {name: len(found) for name, found in (await world.store.read_many(await world.store.tables())).items()}
    public = await look(commits)
    known = await through(world.engine)(commits)
    for name in commits:
        for spec in PROJECTIONS.values():
            assert spec.rows(name, public[name]) == spec.rows(
                name, type(known[name])(known[name].state, last=public[name].last)
            )
