"""Following the feeds: projections with a checkpoint stored with what they build, and a tail for what is in memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from functools import partial
from typing import Literal, Protocol, Self

from redis.asyncio.client import Pipeline
from redis.exceptions import WatchError

from eventstore.faults import store_faults
from eventstore.redis_store import RedisStore
from eventstore.store import Pointer, StoreDown
from eventstore.wire import Command, value

START = "0-0"
_NEVER = "18446744073709551615-0"  # after every place
_COUNT = 500  # commits of a partition in one transaction
_BLOCK = 60_000  # ms


class Projection(Protocol):
    """Something built from commits. Its keys come from `view_key`, so that it can be built anew."""

    name: str  # snake_case
    version: int  # another version starts from the beginning, beside the old one

    async def apply(self, write: Pipeline, partition: int, pointers: Sequence[Pointer]) -> None:
        """Queues on `write` what these commits change, on keys of their partition only; called in the feed's order.

        `write` is one transaction with the checkpoint, so each commit has its effect exactly once. Its commands must be
        such that they cannot fail: a transaction does not roll back. Called again when a transaction got lost. What the
        projection stored before may be read: nobody else can have changed it when the transaction goes through.
        """
        ...


def view_key(store: RedisStore, projection: Projection, partition: int, *parts: str) -> str:
    """A key that the projection may write in `partition`."""
    return store.key(partition, "view", projection.name, str(projection.version), *parts)


async def view_keys(store: RedisStore, projection: Projection) -> dict[int, list[bytes]]:
    """All keys that the projection has, by partition."""
    return await find_keys(store, "view", projection.name, str(projection.version), "*")


async def find_keys(store: RedisStore, *parts: str) -> dict[int, list[bytes]]:
    """The keys of these parts that there are, by partition; the parts may hold the server's wildcards."""
    found: dict[int, set[bytes]] = {number: set() for number in range(store.partitions)}
    pattern = store.key(0, *parts).replace("{0}", "{*}", 1)
    with store_faults():
        for client in store.servers.every():
            async for key in client.scan_iter(match=pattern, count=1000):
                number = key[key.index(b"{") + 1 : key.index(b"}")]
                if number.isdigit() and int(number) in found:  # else it is somebody else's
                    found[int(number)].add(key)  # a scan may give a key twice
    return {number: sorted(keys) for number, keys in found.items()}


def before(place: str, other: str) -> bool:
    """Whether a place of a feed comes before another one of the same feed."""
    return [*map(int, place.split("-"))] < [*map(int, other.split("-"))]


class Follower:
    """Keeps one projection up to date, in all partitions or in some. Several at once in one partition do no harm, but
    no good either: only one of them gets on."""

    def __init__(self, store: RedisStore, projection: Projection, partitions: Collection[int] | None = None) -> None:
        self._store = store
        self._partitions = range(store.partitions) if partitions is None else partitions
        self._projection = projection
        self._after: list[str] | None = None

    async def step(self, block_ms: int | None = None) -> int:
        """Applies what is new, at most some hundred commits a partition; gives how many.

        0 when it is up to date, or somebody else was faster. Waits up to `block_ms` for news. Raises StoreDown, after
        which the next step goes on where the store stands.
        """
        try:
            return await self._store.servers.harmless(lambda: self._step(block_ms))
        except StoreDown:
            self._after = None  # it may come back as an older one, and the checkpoint with it
            raise

    async def catch_up(self) -> int:
        """Steps until what there is now is applied (not what comes meanwhile); gives how many commits it applied."""
        applied, ends = 0, await self._store.feed_ends()
        while True:
            after = self._after = await self.places()
            if not any(before(after[number], ends[number]) for number in self._partitions):
                return applied
            applied += await self.step()

    async def catch_up_in(self, number: int) -> None:
        """As `catch_up`, in one partition alone."""
        end = (await self._store.feed_ends())[number]
        if self._after is None:
            self._after = await self.places()
        while before(self._after[number], end):
            after = [_NEVER] * self._store.partitions
            after[number] = self._after[number]
            for pointers in (await self._store.feed(after, count=_COUNT)).values():
                await self._store.servers.harmless(partial(self._apply, number, pointers))

    async def follow(self) -> None:
        """Steps for ever, waiting for news. Raises StoreDown; may be called again then."""
        while True:
            await self.step(_BLOCK)

    async def forget(self) -> None:
        """Deletes what the projection has built, with its checkpoints, so that the next step begins at the beginning.

        For when nobody else follows for it.
        """
        store, projection = self._store, self._projection
        with store_faults():
            for number, keys in (await view_keys(store, projection)).items():
                async with store.servers.client(self.key(number)).pipeline(transaction=True) as write:
                    write.delete(self.key(number), *keys)
                    await write.execute()
        self._after = None

    async def stand(self, places: Sequence[str]) -> None:
        """Notes that everything up to these places of the feeds is applied; for when nobody else follows for it."""
        commands: list[Command] = [("SET", self.key(number), place) for number, place in enumerate(places)]
        for reply in await self._store.servers.ask(commands):
            value(reply)
        self._after = list(places)

    async def places(self) -> list[str]:
        """Up to where everything is applied, by partition."""
        replies = await self._store.servers.ask([("GET", self.key(number)) for number in range(self._store.partitions)])
        return [place.decode() if place else START for place in map(value, replies)]

    async def _step(self, block_ms: int | None) -> int:
        if self._after is None:
            self._after = await self.places()
        after = [place if number in self._partitions else _NEVER for number, place in enumerate(self._after)]
        found = await self._store.feed(after, block_ms=block_ms, count=_COUNT)
        return sum([await self._apply(number, pointers) for number, pointers in found.items()])

    async def _apply(self, number: int, pointers: list[Pointer]) -> int:
        assert self._after is not None
        key, last = self.key(number), pointers[-1].id
        try:
            async with self._store.servers.client(key).pipeline(transaction=True) as write:
                await write.watch(key)
                stands = await self._checkpoint(number, write)
                if stands != self._after[number]:
                    # Our last transaction was lost only in its answer, or somebody else follows too.
                    self._after[number] = stands
                    return 0
                write.multi()  # type: ignore[no-untyped-call]
                await self._projection.apply(write, number, pointers)
                write.set(key, last)
                await write.execute()
        except WatchError:
            # Somebody else was faster, or the connection that watched was lost; the next step looks where it stands.
            return 0
        self._after[number] = last
        return len(pointers)

    async def _checkpoint(self, number: int, client: Pipeline | None = None) -> str:
        key = self.key(number)
        stands = await (client or self._store.servers.client(key)).get(key)
        return stands.decode() if isinstance(stands, bytes) else START

    def key(self, number: int) -> str:
        """The key of its checkpoint in a partition."""
        return self._store.key(number, "at", self._projection.name, str(self._projection.version))


class Tail:
    """The feeds' pointers as they come, in order within a partition; keeps its place in memory. Made by `tail`.

    StoreDown may be raised out of an `async for`; another one over the same tail goes on at the same place.
    """

    def __init__(self, store: RedisStore, after: list[str]) -> None:
        self._store = store
        self._after = after
        self._ready: deque[Pointer] = deque()

    async def news(self, block_ms: int | None = None) -> list[Pointer]:
        """The pointers that are new, waiting up to `block_ms` for some; empty when there are none."""
        await self._fetch(block_ms)
        found = list(self._ready)
        self._ready.clear()
        return found

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Pointer:
        while not self._ready:
            await self._fetch(_BLOCK)
        return self._ready.popleft()

    async def _fetch(self, block_ms: int | None) -> None:
        if not self._ready:
            for number, pointers in (await self._store.feed(self._after, block_ms=block_ms)).items():
                self._after[number] = pointers[-1].id
                self._ready.extend(pointers)


async def tail(
    store: RedisStore, start: Literal["now", "start"] = "now", partitions: Collection[int] | None = None
) -> Tail:
    """A tail of all partitions, or of some, that begins at the beginning, or at this moment: it misses nothing that is
    appended once this returns."""
    after = await store.feed_ends() if start == "now" else [START] * store.partitions
    if partitions is not None:
        after = [place if number in partitions else _NEVER for number, place in enumerate(after)]
    return Tail(store, after)
