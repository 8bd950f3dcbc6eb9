from __future__ import annotations

import asyncio

import pytest

from eventstore.duty import Duty
from eventstore.redis_store import RedisStore
from tests.eventstore.workers import Time
from tests.patience import PATIENCE

SECONDS = 0.3
LONG = 10 * PATIENCE


async def test_one_has_a_duty_and_another_gets_it_when_it_is_given_back(store: RedisStore) -> None:
    first, second = Duty(store, "poller", "a"), Duty(store, "poller", "a")
    assert await first.beat()
    assert not await second.beat()
    assert second.other == first.owner
    await first.give_back()
    assert not first.ours
    assert await second.beat()
    assert not await first.beat()


async def test_duties_of_other_names_are_other_duties(store: RedisStore) -> None:
    assert await Duty(store, "poller", "a").beat()
    assert await Duty(store, "sweeper", "b").beat()


async def test_a_duty_of_somebody_who_was_killed_is_free_after_its_time(embedded_store: RedisStore) -> None:
    first, second = (Duty(embedded_store, "poller", name, seconds=SECONDS) for name in "ab")
    await first.wait()
    async with asyncio.timeout(PATIENCE):
        await second.wait()
    assert not first.ours, "it knew that by itself, without asking"


async def test_whoever_keeps_a_duty_hears_that_he_lost_it(embedded_store: RedisStore) -> None:
    time = Time()
    first = Duty(embedded_store, "poller", "a", seconds=LONG, clock=time, sleep=time.sleep)
    second = Duty(embedded_store, "poller", "b", seconds=LONG)
    assert await first.beat()
    keeping = asyncio.create_task(first.keep())
    for _ in range(6):
        await time.turn()
        time.now += LONG / 3
        assert first.ours, "it was renewed"
        assert not await second.beat()
    await first.give_back()
    assert await second.beat()
    time.wake()
    async with asyncio.timeout(PATIENCE):
        await keeping
    assert first.other == second.owner


@pytest.mark.parametrize("seconds", [6.0])
async def test_the_duty_is_ours_no_longer_than_the_server_says(store: RedisStore, seconds: float) -> None:
    now = 100.0
    duty = Duty(store, "poller", "a", seconds=seconds, clock=lambda: now)
    assert await duty.beat()
    now += seconds
    assert not duty.ours
