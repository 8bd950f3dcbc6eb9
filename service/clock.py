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


class SystemClock:
    """The machine's clock."""

    def now(self) -> int:
        """Milliseconds UTC."""
        return time.time_ns() // 1_000_000

    async def sleep(self, seconds: float) -> None:
        """Waits really."""
        await asyncio.sleep(seconds)
