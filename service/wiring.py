"""Puts the parts together: store, key, engine and directory of one deployment, from the settings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import structlog
from redis.asyncio import Redis

from eventstore.open import open_store
from eventstore.redis_store import RedisStore
from eventstore.store import StoreDown, StoreUnfit
from eventstore.torn_load import mend_after_load
from service.clock import Clock, SystemClock
from service.directory import Directory
from service.engine import Engine, SeedSource
from service.keeper import RETRY_SECONDS
from service.overruled import Overruled
from service.sealing import Sealer, key_file, sealer
from service.settings import Settings

T = TypeVar("T")

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Service:
    """One process's hold on a deployment."""

    settings: Settings
    store: RedisStore
    engine: Engine
    directory: Directory
    clock: Clock


@asynccontextmanager
async def open_service(
    settings: Settings,
    *,
    clock: Clock | None = None,
    seeds: SeedSource | None = None,
    waiting: Callable[[str], None] | None = None,
) -> AsyncIterator[Service]:
    """The deployment that the settings name, closed at the end.

    `waiting` is called once with the fault when the store is down, which is then waited for; without it StoreDown is
    raised. Raises StoreUnfit (also for a store that was sealed with another key), BadSetting.
    """
    clock = clock or SystemClock()
    patience = _Patience(waiting)
    store = await patience.have(
        lambda: open_store(settings.redis_url, settings.data, now=clock.now, durability=settings.durability)
    )
    try:
        for client in store.servers.every() if settings.redis_url else ():
            await patience.have(partial(mend, client))
        directory = Directory(store)
        key = await patience.have(lambda: _key(settings, directory))
        yield Service(settings, store, Engine(store, key, clock, seeds, kept=Overruled(directory)), directory, clock)
    finally:
        await store.close()


async def mend(client: Redis) -> None:
    """Mends a server that may forget what is appended after a torn load, and says so; to be asked after each outage."""
    if (warning := await mend_after_load(client)) is not None:
        log.warning(warning)


class _Patience:
    """Waits for a store that is down, and says so once; with nobody to say it to, raises StoreDown."""

    def __init__(self, waiting: Callable[[str], None] | None) -> None:
        self._waiting = waiting
        self._said = False

    async def have(self, work: Callable[[], Awaitable[T]]) -> T:
        while True:
            try:
                return await work()
            except StoreDown as down:
                if self._waiting is None:
                    raise
                if not self._said:
                    self._waiting(str(down))
                    self._said = True
                await asyncio.sleep(RETRY_SECONDS)


async def _key(settings: Settings, directory: Directory) -> Sealer:
    """The sealing key. Seeds sealed under another one could not be opened: better said now than in mid-game."""
    known = await directory.get("service", "key")
    if known is not None and not settings.tabletalk_key and not key_file(settings).exists():
        raise StoreUnfit(f"the sealing key is gone: put {key_file(settings)} back (or set TABLETALK_KEY)")
    try:
        found = sealer(settings)
    except OSError as error:
        raise StoreUnfit(f"the data folder {settings.data} cannot be used: {error.strerror}") from None
    if await directory.first("service", "key", found.check) != found.check:
        raise StoreUnfit(
            "the store was sealed with another key: give the data folder (or TABLETALK_KEY) that belongs to it"
        )
    return found
