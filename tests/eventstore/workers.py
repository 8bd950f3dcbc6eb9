"""Workers that share a store under leases, and the clocks they go by: a test moves both by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Iterable, Sequence

from redis.asyncio import Redis

from eventstore.leases import Leases, Share
from eventstore.redis_store import RedisStore
from eventstore.servers import One, key_of
from eventstore.store import StoreDown
from eventstore.wire import Command, Part, Reply, value
from tests.eventstore.drafts import Clock

SECONDS = 180
"""What leases are for. Time goes on by hand here, but the servers count too, and a beat has a third of this to be
answered: so long that no stall of the machine makes anything run out."""


class Time:
    """A monotonic clock in seconds; who sleeps by it sleeps until the next `turn`."""

    def __init__(self) -> None:
        self.now = 1000.0
        self._woken = asyncio.Event()
        self._asleep = asyncio.Event()

    def __call__(self) -> float:
        return self.now

    async def sleep(self, _seconds: float) -> None:
        self._asleep.set()
        await self._woken.wait()

    async def turn(self) -> None:
        """Wakes who sleeps; returns when it sleeps again."""
        await self._asleep.wait()
        self.wake()
        await self._asleep.wait()

    def wake(self) -> None:
        """Wakes who sleeps."""
        self._asleep.clear()
        self._woken.set()
        self._woken = asyncio.Event()


class Worker:
    """One of several processes: its own view of the store, its leases and its clock."""

    def __init__(self, store: RedisStore, share: Share, name: str) -> None:
        self.store = store
        self.time = Time()
        self.leases = Leases(store, name, share=share, seconds=SECONDS, clock=self.time, sleep=self.time.sleep)
        store.epoch_of = self.leases.epoch_of


async def worker(store: RedisStore, share: Share = "fair", name: str = "worker") -> Worker:
    """A worker on the same keys and servers; it beats when it is told to."""
    prefix = store.key(0).partition(":")[0]
    return Worker(await RedisStore.open(store.servers, now=Clock(), prefix=prefix), share, name)


async def expire(store: RedisStore, numbers: Iterable[int] = range(64), *, workers: bool = False) -> None:
    """Makes the server forget leases, as it does when they run out, and (`workers`) who lives."""
    keys = [store.key(number, "lease") for number in numbers]
    for reply in await store.servers.ask([("DEL", key) for key in [*keys, *[store.key(0, "workers")] * workers]]):
        value(reply)


async def epoch_in(store: RedisStore, number: int) -> int:
    """The partition's epoch that the append script compares with; 0 when it never had one."""
    return int(await store.servers.ask_one("GET", store.key(number, "epoch")) or 0)


async def milliseconds(store: RedisStore) -> int:
    """The server's clock."""
    seconds, microseconds = await store.servers.ask_one("EVAL", "return redis.call('TIME')", 1, store.key(0))
    return int(seconds) * 1000 + int(microseconds) // 1000


class TwoServers(One):
    """Keys as if those of odd partitions were on a server of their own; each can be down, both can be slow."""

    def __init__(self, client: Redis) -> None:
        super().__init__(client)
        self.down: set[Hashable] = set()
        self.meanwhile: Callable[[], None] = lambda: None  # runs while an answer is on its way

    async def ask(self, commands: Sequence[Command], *, settled: bool = False) -> list[Reply]:
        if self.down & {self.place(key_of(command).decode()) for command in commands}:
            raise StoreDown("a cable is out")
        replies = await super().ask(commands, settled=settled)
        self.meanwhile()
        return replies

    async def ask_one(self, *command: Part) -> Reply:
        [reply] = await self.ask([command])
        return value(reply)

    def place(self, key: str) -> Hashable:
        return "odd" if int(key[key.index("{") + 1 : key.index("}")]) % 2 else "even"
