"""Two workers and a receiver in the test's own event loop, each with an engine of its own, on one store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

import pytest
from fakeredis import FakeServer
from fakeredis.aioredis import FakeRedis
from telegram import Bot

from eventstore.inbox import Inbox
from eventstore.redis_store import RedisStore
from eventstore.servers import One
from service.chat import serve
from service.chat.api.polling import Poller
from service.directory import Directory, opaque
from service.engine import Engine
from service.outage import Outage
from service.processes.routing import Router
from service.processes.web import Intake
from service.processes.worker import share
from service.sandbox.people import Group, Person
from service.sandbox.places import NotPossible, Place
from service.sandbox.state import Message
from service.sandbox.taps import Tap
from service.sandbox.waiting import PATIENCE
from service.sandbox.world import World
from service.sealing import Sealer
from service.settings import Settings
from service.wiring import Service
from tests.service.chat.conftest import MovableClock, patient
from tests.service.sandbox.client import client

Value = TypeVar("Value")


async def nothing(_: object) -> None:
    return


class Worker:
    """A worker with these partitions, that is started and stopped by the test."""

    def __init__(self, service: Service, bot: Bot, partitions: frozenset[int], owner: str) -> None:
        self.service = service
        self.partitions = partitions
        self._bot = bot
        self._owner = owner
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        store = self.service.store
        for number in self.partitions:
            await store.servers.ask_one("SET", store.key(number, "lease"), self._owner)
        me = await self._bot.get_me()
        part = share(self.service, self._bot, self.partitions, self._owner)
        self._stop.clear()
        self._task = asyncio.create_task(serve.run(self.service, self._bot, me, Outage(), self._stop, part=part))

    async def stop(self) -> None:
        self._stop.set()
        if self._task is not None:
            await self._task
        self._task = None


class Office:
    """A group, whose tables are `tables`' own, and `private`, the worker of all other partitions; what they receive."""

    def __init__(self, world: World, bot: Bot, services: list[Service]) -> None:
        self.world = world
        self.bot = bot
        self.people: list[Person] = []
        self._services = services
        self._stop = asyncio.Event()
        self._polling: asyncio.Task[None] | None = None
        self.inbox = Inbox(services[0].store)
        self.router = Router(services[0].store, services[0].directory, self.inbox)

    async def open(self, group: Group, people: list[Person]) -> None:
        first, second, third = self._services
        store, directory = first.store, first.directory
        taken = {store.partition_of(f"{await directory.home(f'chat:{person.id}')}-1") for person in people}
        home = next(one for one in iter(opaque, "") if store.partition_of(f"{one}-1") not in taken)
        await directory.put("homes", f"chat:{group.id}", home)
        await directory.put("homes:back", home, f"chat:{group.id}")
        number = store.partition_of(f"{home}-1")
        self.group, self.people, self.home = group, people, home
        self.tables = Worker(first, self.bot, frozenset([number]), "tables")
        self.private = Worker(second, self.bot, frozenset(range(first.store.partitions)) - {number}, "private")
        await self.tables.start()
        await self.private.start()
        intake = Intake(third, Outage())
        self._polling = asyncio.create_task(Poller(self.bot, intake.receive, nothing, nothing).run(self._stop))

    async def close(self) -> None:
        self._stop.set()
        if self._polling is not None:
            await self._polling
            await self.tables.stop()
            await self.private.stop()

    async def until(self, holds: Callable[[], Value | None], what: str = "") -> Value:
        return await asyncio.to_thread(self.world.wait_until, holds, PATIENCE, what)

    async def eventually(self, holds: Callable[[], Awaitable[bool]]) -> None:
        """Waits for something that only the store tells."""
        async with asyncio.timeout(PATIENCE):
            while True:
                if await holds():
                    return
                await asyncio.sleep(0.02)

    async def handled(self) -> bool:
        """Whether all that came is done."""
        return not await self.inbox.marks()

    async def press(self, person: Person, where: Message | Place, button: str) -> str:
        """What is answered to a press; a button that is not there just now (its message is edited, say) may come."""

        def tapped() -> Tap | None:
            with suppress(NotPossible):
                return person.tap(where, button)
            return None

        tap = await self.until(tapped, f"the button {button!r}")
        return (await asyncio.to_thread(tap.answered)).text


@pytest.fixture
async def office(bot_api: World) -> AsyncIterator[Office]:
    """Two workers and a receiver, for a group that the test opens."""
    server, clock = FakeServer(), MovableClock()
    settings = Settings(telegram_token=bot_api.token, telegram_api_url=bot_api.url)
    services = []
    for _ in range(3):
        store = await RedisStore.open(One(FakeRedis(server=server, protocol=2)), now=clock.now)
        engine = Engine(store, Sealer(bytes(range(32))), clock)
        services.append(Service(settings, store, engine, Directory(store), clock))
    async with client(bot_api) as bot:
        made = Office(bot_api, bot, services)
        with patient():
            yield made
            await made.close()
    for service in services:
        await service.store.close()
