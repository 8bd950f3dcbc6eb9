"""The bot, and the Bot API server beside it in the same process: killed and started again as often as one likes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import httpx
from fakeredis import FakeServer
from fakeredis.aioredis import FakeRedis
from telegram import Bot

from eventstore import feed, redis_store
from eventstore.redis_store import RedisStore
from eventstore.servers import One
from eventstore.store import Appended
from service import keeper
from service.chat import serve
from service.chat.api import polling, wire
from service.chat.api.connecting import introduce
from service.chat.board import rounds
from service.clock import SystemClock
from service.directory import Directory
from service.engine import Engine
from service.outage import Outage
from service.sandbox.server import application
from service.sandbox.world import World
from service.sealing import Sealer
from service.settings import Settings
from service.wiring import Service
from tests.month.witness import Witness

_BEAT = 120.0  # s; a beat every five seconds of a month would be most of the work
_POLL = 50  # s, the longest that a poll may take (Bot API, getUpdates)


@contextmanager
def unhurried() -> Iterator[None]:
    """Programs look only every two minutes whether there is something to do of which nobody told them."""
    patience: list[tuple[ModuleType, str, float]] = [
        (keeper, "BEAT_SECONDS", _BEAT),
        (keeper, "_GAP_SECONDS", 3 * _BEAT),
        (keeper, "_BLOCK_MS", int(_BEAT * 1000)),
        (polling, "POLL_SECONDS", _POLL),
        (rounds, "_LONGEST_SLEEP", _BEAT),
        (redis_store, "_BLOCK", int(_BEAT * 1000)),
        (feed, "_BLOCK", int(_BEAT * 1000)),
    ]
    before = [(module, name, getattr(module, name)) for module, name, _value in patience]
    for module, name, value in patience:
        setattr(module, name, value)
    try:
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)


class RunningBot:
    """A bot that runs, or does not; what it stores outlives it. `witness` sees each of its commits."""

    def __init__(self, world: World) -> None:
        self.world, self.starts = world, 0
        self.kills: list[int] = []  # when, by the world's clock
        self.sealer = Sealer(bytes(range(32)))
        self.witness = Witness(self.sealer, lambda: len(world.sights))
        self.directory: Directory
        self.service: Service
        self.store: RedisStore
        self.opening = asyncio.Lock()  # held by whoever opens a table: it is the next that is new
        self._redis = FakeServer()
        self._application = application({world.token: world})
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Returns when the bot runs."""
        world, clock = self.world, SystemClock()
        world.url = "http://127.0.0.1"
        self.store = store = await RedisStore.open(
            One(FakeRedis(server=self._redis, protocol=2)), partitions=4, now=clock.now
        )
        self._watch(store)
        self.directory = Directory(store)
        settings = Settings(telegram_token=world.token, telegram_api_url=world.url)
        self.service = Service(settings, store, Engine(store, self.sealer, clock), self.directory, clock)
        self._bot = Bot(
            world.token,
            base_url=f"{world.url}/bot",
            request=wire.Request(httpx_kwargs={"transport": httpx.ASGITransport(self._application)}),
            get_updates_request=wire.Updates(httpx_kwargs={"transport": httpx.ASGITransport(self._application)}),
        )
        me = await introduce(self._bot, asyncio.Event(), told=self.starts == 0)
        assert me is not None, "nobody stops it"
        self.starts += 1
        self._task = asyncio.create_task(serve.run(self.service, self._bot, me, Outage(), asyncio.Event()))

    @property
    def runs(self) -> bool:
        """Whether it runs now."""
        return self._task is not None

    async def kill(self) -> None:
        """Ends it where it stands. Raises what it ended with, had it ended by itself."""
        assert self._task is not None
        self.kills.append(self.world.clock())
        self._task.cancel()
        ended = self._task.done()
        try:
            await self._task
        except asyncio.CancelledError:
            self._task = None
        if ended:
            raise AssertionError("the bot had ended by itself")
        await self._bot.shutdown()

    def _watch(self, store: RedisStore) -> None:
        append = store.append

        async def watched(draft: Any) -> Any:
            answer = await append(draft)
            if isinstance(answer, Appended):
                self.witness.saw(answer.commit)
            return answer

        store.append = watched  # type: ignore[method-assign]
