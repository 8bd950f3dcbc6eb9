"""The limits of a process that sends alone."""

from __future__ import annotations

import asyncio
import time

import pytest
from limits import RateLimitItemPerMinute

from service.chat.api.windows import OwnWindows

ITEM = RateLimitItemPerMinute(2)


async def test_a_window_moves_with_the_loops_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    windows, loop = OwnWindows(), asyncio.get_running_loop()
    begun, wall_clock, ahead = loop.time(), time.time(), 0.0
    monkeypatch.setattr(loop, "time", lambda: begun + ahead)
    monkeypatch.setattr(time, "time", lambda: wall_clock)
    assert await windows.hit(ITEM, "x")
    ahead = 30.0
    assert await windows.hit(ITEM, "x")
    assert not await windows.hit(ITEM, "x")
    stats = await windows.get_window_stats(ITEM, "x")
    assert stats.remaining == 0
    assert stats.reset_time - time.time() == pytest.approx(30.0)
    ahead = 61.0
    assert (await windows.get_window_stats(ITEM, "x")).remaining == 1
    assert await windows.hit(ITEM, "x")
    assert not await windows.hit(ITEM, "x")


async def test_each_name_has_a_window_of_its_own_and_looking_takes_nothing() -> None:
    windows = OwnWindows()
    for _ in range(5):
        assert (await windows.get_window_stats(ITEM, "x")).remaining == 2
    assert await windows.hit(ITEM, "x")
    assert (await windows.get_window_stats(ITEM, "y")).remaining == 2
