"""An engine on a store of its own, a clock that only tests move, and a table ready to play."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Mapping

from fakeredis import FakeServer
from fakeredis.aioredis import FakeRedis

from domain import options
from domain.commands import Act, AddComputer, Join, Move, Open, Start
from domain.decide import legal
from domain.games import GAMES
from domain.table import Table
from eventstore.redis_store import RedisStore
from eventstore.servers import One
from service.directory import Directory
from service.engine import Done, Engine, Outcome
from service.keeper import Keeper
from service.sealing import Sealer

CALLBREAK = GAMES["callbreak"]
PEOPLE = ("person:ann", "person:bob", "person:cat", "person:dan")
DAY = 86_400_000
_TURNS = 200  # of the event loop, in which a heartbeat is through many times over


class FakeClock:
    """A clock that stands still until `pass_time`; whoever sleeps on it wakes then."""

    def __init__(self, now: int = 1_796_000_000_000) -> None:
        self._now = now
        self._moved = asyncio.Event()

    def now(self) -> int:
        return self._now

    async def sleep(self, seconds: float) -> None:
        until = self._now + int(seconds * 1000)
        while self._now < until:
            await self._moved.wait()

    def pass_time(self, milliseconds: int) -> None:
        self._now += milliseconds
        self._moved.set()
        self._moved = asyncio.Event()


async def done_for_now() -> None:
    """Lets whoever is at work in this event loop come to where he waits: as far as a machine gets that never stalls."""
    await asyncio.sleep(0.01)
    for _ in range(_TURNS):
        await asyncio.sleep(0)


class World:
    """A deployment on fakeredis. `restart` is what a new process would hold: nothing but the store and the key."""

    def __init__(self, store: RedisStore, clock: FakeClock, seeds: Callable[[str, int], bytes] | None) -> None:
        self.store = store
        self.clock = clock
        self.sealer = Sealer(bytes(range(32)))
        self.directory = Directory(store)
        self._seeds = seeds
        self._ids = itertools.count(1)
        self.engine = self.another_engine()

    def another_engine(self) -> Engine:
        return Engine(self.store, self.sealer, self.clock, self._seeds)

    def keeper(self) -> Keeper:
        return Keeper(self.store, self.engine, self.directory, self.clock, "serve")

    async def do(self, name: str, actor: str, act: Act, command: str | None = None) -> Outcome:
        return await self.engine.submit(name, actor, act, command or f"test:{next(self._ids)}")

    async def state(self, name: str) -> Table:
        state = (await self.engine.held(name)).state
        assert state is not None
        return state

    async def started(self, name: str, given: Mapping[str, str] | None = None, people: int = 4) -> Table:
        """A table with `people` persons and computer players, started."""
        await self.do(name, PEOPLE[0], Open("callbreak", options.read(CALLBREAK, given or {})))
        for person in PEOPLE[1:people]:
            await self.do(name, person, Join())
        for _ in range(4 - people):
            await self.do(name, PEOPLE[0], AddComputer())
        assert isinstance(await self.do(name, PEOPLE[0], Start()), Done)
        return await self.state(name)

    async def first_legal_move(self, name: str) -> Outcome:
        """The seat that is asked makes the first of its legal moves."""
        state = await self.state(name)
        seat = state.decisions[0].seats[0]
        return await self.do(name, state.seats[seat].owner, Move(legal(state, seat)[0]))


async def new_world(seeds: Callable[[str, int], bytes] | None = None) -> World:
    clock = FakeClock()
    store = await RedisStore.open(One(FakeRedis(server=FakeServer(), protocol=2)), now=clock.now)
    return World(store, clock, seeds)


def steady_seeds(table: str, number: int) -> bytes:
    """Seeds that are the same in every run and every table."""
    return bytes([number]) * 32
