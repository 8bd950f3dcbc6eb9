"""Moving windows of what was sent: of one process, or shared by all that send for a bot."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from pathlib import Path
from typing import Protocol

from limits import RateLimitItem, WindowStats

from eventstore.redis_store import RedisStore
from eventstore.wire import Reply

_COUNT = (Path(__file__).parent / "window.lua").read_bytes()


class Windows(Protocol):
    """A window for each limit and name: what `limits` has for one process."""

    async def hit(self, item: RateLimitItem, *identifiers: str) -> bool:
        """Counts one more, if there is room."""
        ...

    async def get_window_stats(self, item: RateLimitItem, *identifiers: str) -> WindowStats:
        """How many more there may be, and when (s, the wall clock) the oldest no longer counts."""
        ...


class OwnWindows:
    """Windows of this process alone, by its loop's clock, which nobody sets."""

    def __init__(self) -> None:
        self._times: dict[str, deque[float]] = {}

    async def hit(self, item: RateLimitItem, *identifiers: str) -> bool:
        """See `Windows.hit`."""
        times, now = self._window(item, identifiers)
        if len(times) >= item.amount:
            return False
        times.append(now)
        self._times[item.key_for(*identifiers)] = times
        return True

    async def get_window_stats(self, item: RateLimitItem, *identifiers: str) -> WindowStats:
        """See `Windows.get_window_stats`."""
        times, now = self._window(item, identifiers)
        left = times[0] + item.get_expiry() - now if times else 0.0
        return WindowStats(time.time() + left, item.amount - len(times))

    def _window(self, item: RateLimitItem, identifiers: tuple[str, ...]) -> tuple[deque[float], float]:
        """What counts now, and the time; a window in which nothing counts is not kept."""
        key, now = item.key_for(*identifiers), asyncio.get_running_loop().time()
        times = self._times.get(key)
        if times is None:
            return deque(), now
        while times and times[0] <= now - item.get_expiry():
            times.popleft()
        if not times:
            del self._times[key]
        return times, now


class SharedWindows:
    """Windows in the store, by its clock. All in one partition, and each gone as soon as it is empty."""

    def __init__(self, store: RedisStore) -> None:
        self._store = store

    async def hit(self, item: RateLimitItem, *identifiers: str) -> bool:
        """See `Windows.hit`. Raises StoreDown: without the store nobody knows what the others send."""
        room, _, _ = await self._count(item, identifiers, take=True)
        return bool(room)

    async def get_window_stats(self, item: RateLimitItem, *identifiers: str) -> WindowStats:
        """See `Windows.get_window_stats`. Raises StoreDown."""
        _, remaining, milliseconds = await self._count(item, identifiers, take=False)
        return WindowStats(time.time() + milliseconds / 1000, remaining)

    async def _count(self, item: RateLimitItem, identifiers: tuple[str, ...], *, take: bool) -> Reply:
        key = self._store.key(0, "sent", str(item.get_expiry()), *identifiers)
        command = ("EVAL", _COUNT, 1, key, item.amount, item.get_expiry() * 1000, int(take))
        return await self._store.servers.ask_one(*command)
