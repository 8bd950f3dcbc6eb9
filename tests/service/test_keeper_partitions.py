"""Several keepers with a part of the tables each: whose clocks stood still, and who follows what."""

from __future__ import annotations

import asyncio

import pytest

from domain.clock import Stop
from service.keeper import BEAT_SECONDS, Keeper
from service.projections.deadlines import DEADLINES, playing
from service.projections.rows import Rows, through
from tests.patience import PATIENCE
from tests.service.tables import World, new_world, steady_seeds

TABLE = "home-1"
MINUTE = 60_000


@pytest.fixture
async def world() -> World:
    return await new_world(steady_seeds)


def keeper(world: World, *partitions: int) -> Keeper:
    """One that looks after these partitions; without any, after all of them, alone."""
    return Keeper(
        *(world.store, world.engine, world.directory, world.clock, "serve"),
        partitions=frozenset(partitions) if partitions else None,
    )


async def test_a_partition_was_unattended_since_its_own_keeper_was_last_alive(world: World) -> None:
    """A deploy during a game consumes nobody's clock (woogles-io/liwords#302)."""
    begun = world.clock.now()
    await keeper(world, 1).beat()
    await keeper(world, 2).beat()
    world.clock.pass_time(MINUTE)
    await keeper(world, 2).beat()
    now = world.clock.now()
    assert await keeper(world, 2).outage() is None
    assert await keeper(world, 1).outage() == Stop(begun, now)
    assert await keeper(world, 1, 2).outage() == Stop(begun, now), "who takes it over grants the time to all of his"
    assert await keeper(world).outage() is None, "somebody was there"


async def test_one_process_and_several_know_of_each_others_times(world: World) -> None:
    assert await keeper(world, 1).outage() is None, "the very first start"
    await keeper(world, 1).beat()
    world.clock.pass_time(MINUTE)
    await keeper(world).beat()
    assert await keeper(world, 1).outage() is None, "one process looked after all"
    stopped = world.clock.now()
    world.clock.pass_time(MINUTE)
    assert await keeper(world, 1, 2).outage() == Stop(stopped, world.clock.now())
    assert await keeper(world).outage() == Stop(stopped, world.clock.now())


async def test_a_handover_within_a_beat_is_no_outage(world: World) -> None:
    await keeper(world, 1).beat()
    world.clock.pass_time(int(BEAT_SECONDS * 1000))
    assert await keeper(world, 1).outage() is None


async def test_a_keeper_follows_the_feeds_of_its_partitions_alone(world: World) -> None:
    await world.started(TABLE)
    number = world.store.partition_of(TABLE)
    deadlines = Rows(world.store, DEADLINES, through(world.engine))
    await keeper(world, (number + 1) % world.store.partitions).start()
    assert await playing(deadlines) == {}
    heard = asyncio.Event()

    def hear(name: str) -> None:
        if name == "home-2":
            heard.set()

    mine = keeper(world, number)
    await mine.start()
    assert set(await playing(deadlines)) == {TABLE}
    running = asyncio.create_task(mine.run(hear))
    await world.started("home-2")
    async with asyncio.timeout(PATIENCE):
        await heard.wait()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
