"""The bot in the test's own event loop, on a store in memory, against the Bot API server of our own."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import TypeVar

import msgspec
import pytest
from fakeredis import FakeServer
from fakeredis.aioredis import FakeRedis
from telegram import Bot

from eventstore.redis_store import RedisStore
from eventstore.servers import One
from service.chat import serve
from service.chat.part import Part
from service.chat.reception import Reception
from service.chat.seated import ABSENT
from service.clock import SystemClock
from service.directory import Directory
from service.engine import Engine
from service.outage import Outage
from service.sandbox.people import Person
from service.sandbox.waiting import PATIENCE
from service.sandbox.world import World
from service.sealing import Sealer
from service.settings import Settings
from service.web import app
from service.web.posted import Posted
from service.web.webhook import Webhook
from service.wiring import Service

Value = TypeVar("Value")


class MovableClock(SystemClock):
    """The machine's clock, `ahead` milliseconds of it."""

    ahead = 0

    def now(self) -> int:
        return super().now() + self.ahead


class Running:
    """A bot that runs, and the world around it. What waits for the bot waits in a thread."""

    def __init__(
        self, world: World, service: Service, bot: Bot, clock: MovableClock, webhook: Webhook | None = None
    ) -> None:
        self.world = world
        self.clock = clock
        self.service = service
        self.bot = bot
        self.webhook = webhook
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self, absent: float = ABSENT) -> None:
        me = await self.bot.get_me()
        self._stop.clear()
        part = None if self.webhook is None else Part(partial(self._posted, self.webhook))
        run = serve.run(self.service, self.bot, me, Outage(), self._stop, absent, part)
        self._task = asyncio.create_task(run)

    def _posted(self, webhook: Webhook, reception: Reception) -> Posted:
        return Posted(webhook, self.bot, reception.handle, reception.late, reception.confirmed, self.clock.now)

    async def stop(self) -> None:
        self._stop.set()
        if self._task is not None:
            await self._task
        self._task = None

    async def until(self, holds: Callable[[], Value | None], what: str = "") -> Value:
        return await asyncio.to_thread(self.world.wait_until, holds, PATIENCE, what)

    async def eventually(self, holds: Callable[[], Awaitable[bool]]) -> None:
        """Waits for something that only the store tells."""
        async with asyncio.timeout(PATIENCE):
            while not await holds():  # noqa: ASYNC110 - the store rings no bell in a test
                await asyncio.sleep(0.05)

    async def press(self, person: Person, *arguments: object) -> str:
        answer = await asyncio.to_thread(person.press, *arguments)  # type: ignore[arg-type]
        return answer.text


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@asynccontextmanager
async def serving(world: World, *, by_webhook: bool = False) -> AsyncIterator[Running]:
    """A bot that runs in the world; it polls unless it is to be served `by_webhook`."""
    clock = MovableClock()
    store = await RedisStore.open(One(FakeRedis(server=FakeServer(), protocol=2)), now=clock.now)
    engine = Engine(store, Sealer(bytes(range(32))), clock)
    settings = Settings(telegram_token=world.token, telegram_api_url=world.url)
    webhook = None
    if by_webhook:
        port = free_port()
        url, secret = f"http://127.0.0.1:{port}/hook", "sixteen-or-more-of-them"
        settings = msgspec.structs.replace(settings, port=str(port), webhook_url=url, webhook_secret=secret)
        webhook = Webhook(settings)
    service = Service(settings, store, engine, Directory(store), clock)
    routes = () if webhook is None else webhook.routes()
    async with Bot(world.token, base_url=f"{world.url}/bot") as bot, app.serving(settings, routes):
        made = Running(world, service, bot, clock, webhook)
        await made.start()
        yield made
        await made.stop()
    await store.close()


@pytest.fixture
async def running(bot_api: World) -> AsyncIterator[Running]:
    """A bot in the world `bot_api`."""
    async with serving(bot_api) as made:
        yield made
