"""Time comes in through here, so that tests can bring their own."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """The time, and waiting for it."""

    def now(self) -> int:
        """Milliseconds UTC."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Returns once that time has passed on this clock."""
        ...


class HurriedClock:
    """A clock that jumps ahead of the machine's, for those who do not want to wait while computer players think."""

    def __init__(self) -> None:
        self._ahead = 0

    def now(self) -> int:
        """Milliseconds UTC."""
        return time.time_ns() // 1_000_000 + self._ahead

    async def sleep(self, seconds: float) -> None:
        """Jumps."""
        self.reach(self.now() + round(seconds * 1000))
        await asyncio.sleep(0)

    def reach(self, moment: int) -> None:
        """It is this moment now (ms UTC), or later."""
        self._ahead += max(0, moment - self.now())

    def rest(self) -> None:
        """It is what the machine's clock says: for a table that is about to be opened."""
        self._ahead = 0


class SystemClock:
    """The machine's clock."""

    def now(self) -> int:
        """Milliseconds UTC."""
        return time.time_ns() // 1_000_000

    async def sleep(self, seconds: float) -> None:
        """Waits really."""
        await asyncio.sleep(seconds)
