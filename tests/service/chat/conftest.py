"""The bot in the test's own event loop, on a store in memory, against the Bot API server of our own."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from typing import TypeVar

import msgspec
import pytest
from fakeredis import FakeServer
from fakeredis.aioredis import FakeRedis
from limits import RateLimitItem, WindowStats
from telegram import Bot

from eventstore.redis_store import RedisStore
from eventstore.servers import One
from service.chat import serve
from service.chat.api import queues
from service.chat.api.polling import Poller
from service.chat.api.windows import Windows
from service.chat.board.seated import ABSENT
from service.chat.part import Part
from service.chat.reception import Reception
from service.clock import SystemClock
from service.directory import Directory
from service.engine import Engine
from service.outage import Outage
from service.sandbox.people import Person
from service.sandbox.waiting import PATIENCE
from service.sandbox.world import World, wall_clock
from service.sealing import Sealer
from service.settings import BadSetting, Settings
from service.web import app
from service.web.posted import Posted
from service.web.webhook import Webhook
from service.wiring import Service
from tests.service.sandbox.client import client

Value = TypeVar("Value")
BEGINNING = 1_796_205_600_000
"""Wed 2 Dec 2026, 10:00 UTC: when every test begins, so that none begins just before midnight, or in another month."""


class MovableClock(SystemClock):
    """Goes on from `BEGINNING` as fast as the machine's, `SPEED` times as fast; `ahead` milliseconds of that."""

    SPEED = 1

    def __init__(self) -> None:
        self.ahead = 0
        self._begun = time.monotonic_ns()
        self._still: int | None = None

    def now(self) -> int:
        return BEGINNING + self.ahead + (self._gone() if self._still is None else self._still)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self.SPEED)

    @contextmanager
    def standing(self) -> Iterator[None]:
        """It stands still meanwhile, however long the machine takes."""
        self._still = self._gone()
        try:
            yield
        finally:
            self.ahead -= self._gone() - self._still
            self._still = None

    def _gone(self) -> int:
        return (time.monotonic_ns() - self._begun) * self.SPEED // 1_000_000


class Roomy:
    """Windows that are never full: for games that are played faster than people play."""

    async def hit(self, item: RateLimitItem, *identifiers: str) -> bool:
        return True

    async def get_window_stats(self, item: RateLimitItem, *identifiers: str) -> WindowStats:
        return WindowStats(time.time(), item.amount)


@contextmanager
def loop_standing() -> Iterator[None]:
    """For whoever waits in the event loop no time passes meanwhile: what is due in a moment is not due yet."""
    loop = asyncio.get_running_loop()
    at = loop.time()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "time", lambda: at)
        yield


def skip(seconds: float) -> None:
    """For whoever waits in the event loop so much time has passed: for good, the loop is of one test alone."""
    loop = asyncio.get_running_loop()
    time_of = loop.time
    loop.time = lambda: time_of() + seconds  # type: ignore[method-assign]


@contextmanager
def patient() -> Iterator[None]:
    """A machine that stands still for some seconds makes no press late, and cuts off nothing at the end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(queues, "_PRESS_PATIENCE", PATIENCE)
        patch.setattr(queues, "_FINISH", PATIENCE)
        patch.setattr(serve, "_LEAVE_SECONDS", PATIENCE)
        yield


class Running:
    """A bot that runs, and the world around it. What waits for the bot waits in a thread."""

    def __init__(
        self,
        world: World,
        service: Service,
        bot: Bot,
        clock: MovableClock,
        webhook: Webhook | None = None,
        windows: Windows | None = None,
    ) -> None:
        self.windows = windows
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
        source = self._polling if self.webhook is None else partial(self._posted, self.webhook)
        part = Part(source, windows=self.windows)
        run = serve.run(self.service, self.bot, me, Outage(), self._stop, absent, part)
        self._task = asyncio.create_task(run)

    def _polling(self, reception: Reception) -> Poller:
        return Poller(self.bot, reception.handle, reception.late, reception.confirmed)

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


async def hooked(settings: Settings, stack: AsyncExitStack) -> tuple[Settings, Webhook]:
    """A webhook that answers until the stack ends, on a port that nobody took since it was found free."""
    for _ in range(20):
        port = free_port()
        url, secret = f"http://127.0.0.1:{port}/hook", "sixteen-or-more-of-them"
        made = msgspec.structs.replace(settings, port=str(port), webhook_url=url, webhook_secret=secret)
        webhook = Webhook(made)
        try:
            await stack.enter_async_context(app.serving(made, webhook.routes()))
        except BadSetting:
            continue
        return made, webhook
    raise AssertionError("every port is taken")


@asynccontextmanager
async def serving(
    world: World,
    *,
    by_webhook: bool = False,
    clock: MovableClock | None = None,
    windows: Windows | None = None,
) -> AsyncIterator[Running]:
    """A bot that runs in the world; it polls unless it is to be served `by_webhook`. It has a clock and windows of its
    own unless it is given others."""
    clock = clock or MovableClock()
    store = await RedisStore.open(One(FakeRedis(server=FakeServer(), protocol=2)), now=clock.now)
    engine = Engine(store, Sealer(bytes(range(32))), clock)
    settings, webhook = Settings(telegram_token=world.token, telegram_api_url=world.url), None
    if world.clock is wall_clock:
        world.query_lifetime_ms = round(PATIENCE * 1000)  # a busy machine makes no press too old to be answered
    async with AsyncExitStack() as stack:
        stack.enter_context(patient())
        bot = await stack.enter_async_context(client(world))
        if by_webhook:
            settings, webhook = await hooked(settings, stack)
        service = Service(settings, store, engine, Directory(store), clock)
        made = Running(world, service, bot, clock, webhook, windows)
        await made.start()
        yield made
        await made.stop()
    await store.close()


@pytest.fixture
async def running(bot_api: World) -> AsyncIterator[Running]:
    """A bot in the world `bot_api`."""
    async with serving(bot_api) as made:
        yield made
