"""Does something at each table that changed, a moment later, and again when it asked for that."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from eventstore.store import StoreDown
from service.clock import Clock
from service.engine import Unreadable

log = structlog.get_logger()

_STORE_PAUSE = 1_000  # ms
_LONGEST_SLEEP = 5.0  # s until it is looked again: a clock may be set


class Rounds:
    """Calls `look` with the name of each table that was touched; that gives when it wants to be called again (ms UTC,
    None: not before something happens there). A table that fails stops no other."""

    def __init__(self, clock: Clock, look: Callable[[str], Awaitable[int | None]], gather: int = 0) -> None:
        self._clock = clock
        self._look = look
        self._gather = gather  # ms that a table which changed waits for more to happen
        self._agenda: dict[str, int] = {}  # table -> when to look at it, ms UTC
        self._changed = asyncio.Event()

    def touch(self, name: str) -> None:
        """The table has changed, or may have."""
        self._plan(name, self._clock.now() + self._gather)

    async def run(self) -> None:
        """Keeps going until cancelled."""
        while True:
            self._changed.clear()
            now = self._clock.now()
            for name in sorted(name for name, when in self._agenda.items() if when <= now):
                del self._agenda[name]
                await self._one(name)
            await self._rest()

    async def _rest(self) -> None:
        """Sleeps until the next table's time, or until one is touched."""
        nearest = min(self._agenda.values(), default=None)
        seconds = _LONGEST_SLEEP if nearest is None else (nearest - self._clock.now()) / 1000
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        sleeping = asyncio.ensure_future(self._clock.sleep(min(seconds, _LONGEST_SLEEP)))
        changing = asyncio.ensure_future(self._changed.wait())
        try:
            await asyncio.wait((sleeping, changing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            changing.cancel()

    async def _one(self, name: str) -> None:
        try:
            when = await self._look(name)
        except StoreDown:
            when = self._clock.now() + _STORE_PAUSE
        except Unreadable as fault:
            log.error("table unreadable", table=name, fault=str(fault))
            return
        except Exception as fault:  # noqa: BLE001 - a fault at one table must not stop the others
            log.error("table not looked after", table=name, fault=type(fault).__name__)  # its text may tell of hands
            return
        if when is not None:
            self._plan(name, when)

    def _plan(self, name: str, when: int) -> None:
        self._agenda[name] = min(when, self._agenda.get(name, when))
        self._changed.set()
