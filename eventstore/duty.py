"""A duty that one process at a time has, such as to ask Telegram for updates: a lease on a name."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from math import ceil
from pathlib import Path

from eventstore.redis_store import RedisStore
from eventstore.store import StoreDown
from eventstore.wire import Reply

SECONDS = 6.0
_BEATS = 3  # renewals that the time of a lease has room for
_LEASE = (Path(__file__).parent / "lease.lua").read_bytes()


class Duty:
    """The duty `name`. At any time one process at most has it, as long as its clock runs: nothing may rest on that."""

    def __init__(
        self,
        store: RedisStore,
        name: str,
        owner: str,
        *,
        seconds: float = SECONDS,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`owner` is what others see; it is made unique. Others may have the duty `seconds` after our last beat."""
        self.owner = f"{owner}.{secrets.token_hex(4)}"
        self.other: str | None = None
        """Who had it at the last beat, if not we."""
        self._store = store
        self._keys = store.key(0, "duty", name), store.key(0, "epoch", name)
        self._seconds = seconds
        self._clock = clock
        self._sleep = sleep
        self._until = float("-inf")

    @property
    def ours(self) -> bool:
        """Whether we have it."""
        return self._clock() < self._until

    async def beat(self) -> bool:
        """Takes or renews it; says whether we have it. A store that is down leaves things as they are."""
        sent = self._clock()
        try:
            epoch, owner = await self._ask(ceil(self._seconds * 1000))
        except StoreDown:
            return self.ours
        self.other = None if epoch or not owner else owner.decode()
        self._until = sent + self._seconds if epoch else float("-inf")
        return self.ours

    async def wait(self) -> None:
        """Returns when we have it."""
        await self._beat_until(has=True)

    async def keep(self) -> None:
        """Renews it; returns when it is lost."""
        await self._beat_until(has=False)

    async def _beat_until(self, *, has: bool) -> None:
        while True:
            if await self.beat() is has:
                return
            await self._sleep(self._seconds / _BEATS)

    async def give_back(self) -> None:
        """Lets another have it at once."""
        self._until = float("-inf")
        with suppress(StoreDown):  # it runs out
            await self._ask(0)

    async def _ask(self, milliseconds: int) -> Reply:
        return await self._store.servers.ask_one("EVAL", _LEASE, 2, *self._keys, self.owner, milliseconds)
