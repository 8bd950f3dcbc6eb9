"""Leases on partitions: which process writes where, so that several processes do not run into each other's appends."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from hashlib import blake2b
from math import ceil
from pathlib import Path
from typing import Literal, Self, assert_never

import msgspec

from eventstore.redis_store import RedisStore
from eventstore.store import StoreDown
from eventstore.wire import Command, Reply, value

SECONDS = 15.0
_BEATS = 3  # renewals that a lease's time has room for
_LEASE = (Path(__file__).parent / "lease.lua").read_bytes()
_WORKERS = (Path(__file__).parent / "lease_workers.lua").read_bytes()

Share = Literal["all", "fair"]


class _Lease(msgspec.Struct, frozen=True):
    epoch: int
    until: float  # s, our clock


class Leases:
    """The partitions that one process may write to, and their renewal, `start`ed and `close`d with the process.

    - At any time one process at most has a partition's current epoch. The append script writes nothing for any other
      (`Fenced`), however long a process was stopped and whatever its clock says.
    - A process stops writing by itself as soon as it may have lost a lease: `seconds` after it sent the last renewal
      that was answered, which is before the server lets another have it.
    - Nothing rests on that: appends check the table's version with a lease as without. If a cluster's failover forgets
      a lease, two processes get conflicts for a beat; what was acknowledged stays, once and in order.

    `share` says which partitions it wants. "all": every one; of several such processes one has them all (the one that
    has partition 0's lease) and the others stand by. "fair": its part; all workers that live and share so have equally
    many partitions, give or take one, and hand over what belongs to another some two beats after one comes or goes.
    """

    def __init__(
        self,
        store: RedisStore,
        owner: str,
        *,
        share: Share = "all",
        sole: bool = False,
        seconds: float = SECONDS,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`owner` is what others see (a host and a process, say). A lease lasts `seconds`.

        It is made unique, unless the caller knows that it is the `sole` process of that name: then it takes up the
        leases of the one before, which was killed perhaps, without waiting until they run out.
        """
        self.owner = owner if sole else f"{owner}.{secrets.token_hex(4)}"
        self.partitions = store.partitions
        self.fault: StoreDown | None = None
        """Why the last beat failed; None when it did not."""
        self._store = store
        self._share: Share = share
        self._seconds = seconds
        self._pace = seconds / _BEATS
        self._clock = clock
        self._sleep = sleep
        self._wanted: frozenset[int] = frozenset()
        self._leases: dict[int, _Lease] = {}
        self._owners: dict[int, str] = {}
        self._turn = asyncio.Lock()
        self._news = asyncio.Event()
        self._running: asyncio.Task[None] | None = None
        self._closed = False

    async def start(self) -> None:
        """From now on the store appends only where we hold the lease. Does the first beat; survives StoreDown."""
        self._store.epoch_of = self.epoch_of
        await self._attempt()
        self._running = asyncio.create_task(self.run())
        self._running.add_done_callback(lambda _: self._tell())

    async def run(self) -> None:
        """Beats for ever. A store that is down is a `fault`, after which the next beat tries again."""
        while True:
            await self._sleep(self._pace)
            await self._attempt()

    async def close(self) -> None:
        """Gives everything back at once, so that others need not wait until it runs out; may be called twice.

        The store stays closed to our appends (Fenced): what needs to be finished must be so before.
        """
        if self._closed:
            return
        self._closed = True
        async with self._turn:  # a beat that were cut off might take a lease after we have given it back
            if self._running is not None:
                self._running.cancel()
            self._wanted = frozenset()
            self._leases.clear()
            self._tell()
            with suppress(StoreDown):  # what cannot be given back runs out
                await self._in_time(self._leave())
        if self._running is not None:
            await asyncio.wait([self._running])
            if not self._running.cancelled():
                self._running.result()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def epochs(self) -> dict[int, int]:
        """The partitions we hold, with the epoch of each lease.

        Another epoch than before means that others may have written: what was read under an earlier one is read anew.
        """
        now = self._clock()
        return {number: lease.epoch for number, lease in self._leases.items() if now < lease.until}

    @property
    def held(self) -> frozenset[int]:
        """The partitions we hold."""
        return frozenset(self.epochs)

    def epoch_of(self, partition: int) -> int:
        """The epoch of our lease on the partition; 0 when we hold none."""
        lease = self._leases.get(partition)
        return lease.epoch if lease is not None and self._clock() < lease.until else 0

    def holds(self, partition: int) -> bool:
        """Whether we hold the partition."""
        return self.epoch_of(partition) != 0

    def owner_of(self, partition: int) -> str | None:
        """Who had the partition at the last beat, as the others see them; None when nobody had it."""
        return self._owners.get(partition)

    async def changed(self, known: Mapping[int, int]) -> dict[int, int]:
        """`epochs`, as soon as they differ from `known` (what the caller last acted on): no change can be missed.

        A lease that ran out is noticed at the next beat at the latest. Raises StoreUnfit when beating ended with it,
        StoreDown when the leases are closed and `known` is empty.
        """
        while (epochs := self.epochs) == known:
            if self._closed:
                raise StoreDown("the leases are given back")
            if self._running is not None and self._running.done():
                self._running.result()
            await self._news.wait()
        return epochs

    async def wait_for_all(self) -> None:
        """Returns when we hold every partition: for one that stands by until the other is gone. See `changed`."""
        epochs = self.epochs
        while len(epochs) < self._store.partitions:
            epochs = await self.changed(epochs)

    async def beat(self) -> None:
        """Renews what we hold, gives back what is not ours any more, takes what is ours and free: two round trips.

        Raises StoreDown when a part of that failed; the rest was done. Raises StoreUnfit.
        """
        async with self._turn:
            if not self._closed:
                await self._in_time(self._beat())

    async def _attempt(self) -> None:
        try:
            await self.beat()
        except StoreDown as down:
            self.fault = down
        else:
            self.fault = None
        finally:
            self._tell()

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def _in_time(self, work: Awaitable[None]) -> None:
        """A server that hangs must not cost the beats that would still come in time."""
        try:
            async with asyncio.timeout(self._pace):
                await work
        except TimeoutError:
            raise StoreDown("the store does not answer in time") from None

    async def _beat(self) -> None:
        fault: StoreDown | None = None
        try:
            self._wanted = await self._want()
        except StoreDown as down:  # we go on with what we wanted before, where the servers answer
            fault = down
        for number in self._leases.keys() - self._wanted:
            del self._leases[number]  # before it is given back, so that nothing of ours is on its way afterwards
        await self._ask_for_leases()
        if fault is not None:
            raise fault

    async def _want(self) -> frozenset[int]:
        every = range(self._store.partitions)
        match self._share:
            case "all":
                epoch, _ = value(await self._store.servers.ask_one(*self._lease(0, wanted=True)))
                return frozenset(every if epoch else ())
            case "fair":
                alive = [worker.decode() for worker in await self._store.servers.ask_one(*self._alive(self._seconds))]
                shares = fair_shares(alive, self._store.partitions)
                return frozenset(number for number in every if shares[number] == self.owner)
            case _:
                assert_never(self._share)

    async def _leave(self) -> None:
        await self._ask_for_leases()
        if self._share == "fair":
            await self._store.servers.ask_one(*self._alive(0))

    async def _ask_for_leases(self) -> None:
        """Asks each server for its own partitions: one that is down must not cost us those of the others."""
        groups: dict[Hashable, list[int]] = defaultdict(list)
        for number in range(self._store.partitions):
            groups[self._store.servers.place(self._store.key(number, "lease"))].append(number)
        outcomes = await asyncio.gather(*map(self._ask_one_server, groups.values()), return_exceptions=True)
        faults = [outcome for outcome in outcomes if outcome is not None]
        for fault in sorted(faults, key=lambda fault: isinstance(fault, StoreDown)):
            raise fault

    async def _ask_one_server(self, numbers: list[int]) -> None:
        sent = self._clock()
        commands = [self._lease(number, wanted=number in self._wanted) for number in numbers]
        for number, reply in zip(numbers, await self._store.servers.ask(commands), strict=True):
            self._heard(number, value(reply), sent)

    def _heard(self, number: int, reply: Reply, sent: float) -> None:
        epoch, owner = reply
        self._leases.pop(number, None)
        self._owners.pop(number, None)
        if epoch:
            self._leases[number] = _Lease(epoch, sent + self._seconds)
        if owner:
            self._owners[number] = owner.decode()

    def _lease(self, number: int, *, wanted: bool) -> Command:
        keys = self._store.key(number, "lease"), self._store.key(number, "epoch")
        return ("EVAL", _LEASE, 2, *keys, self.owner, _milliseconds(self._seconds) if wanted else 0)

    def _alive(self, seconds: float) -> Command:
        # In a partition only because every key must be in one.
        return ("EVAL", _WORKERS, 1, self._store.key(0, "workers"), self.owner, _milliseconds(seconds))


def fair_shares(workers: Iterable[str], partitions: int) -> list[str]:
    """The worker of each partition: equally many each, give or take one, and the same whoever computes it.

    Rendezvous hashing: a partition goes to the worker whose hash with it is highest among those that have room, so that
    few partitions move when a worker comes or goes.
    """
    alive = sorted(set(workers))
    least, larger = divmod(partitions, len(alive))  # so many workers have one more than the least
    room = dict.fromkeys(alive, least)
    shares = []
    for number in range(partitions):
        having_room = [worker for worker in alive if room[worker] > 0 or (room[worker] == 0 and larger > 0)]
        chosen = max(having_room, key=lambda worker: _weight(worker, number))
        if room[chosen] == 0:
            larger -= 1
        room[chosen] -= 1
        shares.append(chosen)
    return shares


def _weight(worker: str, number: int) -> bytes:
    return blake2b(f"{number} {worker}".encode(), digest_size=8).digest()


def _milliseconds(seconds: float) -> int:
    return ceil(seconds * 1000)  # never less than we count on
