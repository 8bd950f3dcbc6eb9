"""The limits that several processes share."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from limits import RateLimitItemPerMinute, RateLimitItemPerSecond
from telegram import Bot

from eventstore.open import open_store
from eventstore.redis_store import RedisStore
from service.chat.api.outbox import GROUP, Outbox
from service.chat.api.windows import SharedWindows
from service.clock import SystemClock
from service.sandbox.waiting import PATIENCE

CHAT = -5


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[RedisStore]:
    async with await open_store("", tmp_path, now=SystemClock().now) as found:
        yield found


async def test_what_one_process_sends_another_counts(store: RedisStore) -> None:
    first, second = (Outbox(Bot("1234567:" + "x" * 35), SystemClock(), SharedWindows(store)) for _ in range(2))
    for _ in range(GROUP.amount // 2):
        await first.room(CHAT)
        await second.room(CHAT)
    assert not await first.room_now(CHAT)
    assert not await second.room_now(CHAT)
    assert await second.room_now(CHAT - 1), "another group has a window of its own"


async def test_a_window_moves(store: RedisStore) -> None:
    windows, item = SharedWindows(store), RateLimitItemPerSecond(2)
    for name in map(str, itertools.count()):
        begun = time.monotonic()
        hits = [await windows.hit(item, name) for _ in range(3)]
        stats = await windows.get_window_stats(item, name)
        left = stats.reset_time - time.time()
        if time.monotonic() - begun < 1:  # else the machine stood still, and the window has moved already
            break
    assert hits == [True, True, False]
    assert stats.remaining == 0
    assert 0 < left <= 1
    async with asyncio.timeout(PATIENCE):
        while True:
            if await windows.hit(item, name):
                break
            await asyncio.sleep(0.02)
    assert (await windows.get_window_stats(item, name)).remaining <= 1


async def test_looking_takes_nothing(store: RedisStore) -> None:
    windows, item = SharedWindows(store), RateLimitItemPerMinute(3)
    for _ in range(5):
        assert (await windows.get_window_stats(item, "x")).remaining == 3
    assert await windows.hit(item, "x")
    assert (await windows.get_window_stats(item, "x")).remaining == 2
