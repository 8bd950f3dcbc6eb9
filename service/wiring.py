"""Puts the parts together: store, key, engine and directory of one deployment, from the settings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from eventstore.open import open_store
from eventstore.redis_store import RedisStore
from eventstore.store import StoreDown, StoreUnfit
from service.clock import Clock, SystemClock
from service.directory import Directory
from service.engine import Engine, SeedSource
from service.keeper import RETRY_SECONDS
from service.sealing import Sealer, key_file, sealer
from service.settings import Settings


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
    store = await _open(settings, clock, waiting)
    try:
        directory = Directory(store)
        key = await _key(settings, directory)
        yield Service(settings, store, Engine(store, key, clock, seeds), directory, clock)
    finally:
        await store.close()


async def _open(settings: Settings, clock: Clock, waiting: Callable[[str], None] | None) -> RedisStore:
    said = False
    while True:
        try:
            return await open_store(settings.redis_url, settings.data, now=clock.now)
        except StoreDown as down:
            if waiting is None:
                raise
            if not said:
                waiting(str(down))
                said = True
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
