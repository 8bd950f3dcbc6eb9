"""The bot in the test's own event loop, on a store in memory, against the Bot API server of our own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import TypeVar

import pytest
from fakeredis import FakeServer
from fakeredis.aioredis import FakeRedis
from telegram import Bot

from eventstore.redis_store import RedisStore
from eventstore.servers import One
from service.chat import serve
from service.chat.seated import ABSENT
from service.clock import SystemClock
from service.directory import Directory
from service.engine import Engine
from service.outage import Outage
from service.sandbox.people import Person
from service.sandbox.world import World
from service.sealing import Sealer
from service.settings import Settings
from service.wiring import Service

Value = TypeVar("Value")


class MovableClock(SystemClock):
    """The machine's clock, `ahead` milliseconds of it."""

    ahead = 0

    def now(self) -> int:
        return super().now() + self.ahead


class Running:
    """A bot that runs, and the world around it. What waits for the bot waits in a thread."""

    def __init__(self, world: World, service: Service, bot: Bot, clock: MovableClock) -> None:
        self.world = world
        self.clock = clock
        self.service = service
        self.bot = bot
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self, absent: float = ABSENT) -> None:
        me = await self.bot.get_me()
        self._stop.clear()
        self._task = asyncio.create_task(serve.run(self.service, self.bot, me, Outage(), self._stop, absent))

    async def stop(self) -> None:
        self._stop.set()
        if self._task is not None:
            await self._task
        self._task = None

    async def until(self, holds: Callable[[], Value | None], what: str = "") -> Value:
        return await asyncio.to_thread(self.world.wait_until, holds, 10.0, what)

    async def press(self, person: Person, *arguments: object) -> str:
        answer = await asyncio.to_thread(person.press, *arguments)  # type: ignore[arg-type]
        return answer.text


@pytest.fixture
async def running(bot_api: World) -> AsyncIterator[Running]:
    """A bot in the world `bot_api`."""
    clock = MovableClock()
    store = await RedisStore.open(One(FakeRedis(server=FakeServer(), protocol=2)), now=clock.now)
    engine = Engine(store, Sealer(bytes(range(32))), clock)
    settings = Settings(telegram_token=bot_api.token, telegram_api_url=bot_api.url)
    service = Service(settings, store, engine, Directory(store), clock)
    async with Bot(bot_api.token, base_url=f"{bot_api.url}/bot") as bot:
        made = Running(bot_api, service, bot, clock)
        await made.start()
        yield made
        await made.stop()
    await store.close()
