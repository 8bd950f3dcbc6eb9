"""The servers that hold a store's keys, behind one face: a single Redis or Valkey, or the masters of a cluster."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Protocol, TypeVar

from redis.asyncio import Redis

from eventstore import wire
from eventstore.wire import Command, Part, Reply
from eventstore.wire import key_of as key_of

T = TypeVar("T")


class Servers(Protocol):
    """Sends each command to the server that holds its key. All keys of a partition are on one server."""

    settling: Command | None
    """WAIT, for a store that acknowledges only what a replica has."""

    async def ask(self, commands: Sequence[Command], *, settled: bool = False) -> list[Reply]:
        """The replies to `commands`, which must be harmless to repeat, in one round trip a server. See `wire.ask`.

        `settled`: returns only when a replica has it all, if that was asked of the store; raises Unsettled otherwise.
        """
        ...

    async def ask_one(self, *command: Part) -> Reply:
        """The reply to one command; its error is raised. See `wire.ask_one`."""
        ...

    async def read_streams(
        self, after: Sequence[tuple[bytes, str]], *, count: int, block_ms: int
    ) -> list[tuple[bytes, list[Reply]]]:
        """What each stream holds after an id, at most `count` entries each; only streams that have some.

        Waits up to `block_ms` (0: not at all) for the first one.
        """
        ...

    async def harmless(self, operation: Callable[[], Awaitable[T]]) -> T:
        """See `wire.harmless`; `operation` must ask for its client anew each time it runs."""
        ...

    def client(self, key: str) -> Redis:
        """The client of the server that holds `key`, for a transaction on keys that share its hash tag."""
        ...

    def every(self) -> list[Redis]:
        """A client for each server that takes writes."""
        ...

    def place(self, key: str) -> Hashable:
        """What is equal for keys on the same server: their appends can share a flush."""
        ...

    async def close(self) -> None:
        """Lets go of all connections."""
        ...


class One(Servers):
    """A single server."""

    def __init__(self, client: Redis) -> None:
        """The client must not decode replies."""
        self._client = client
        self.settling: Command | None = None

    async def ask(self, commands: Sequence[Command], *, settled: bool = False) -> list[Reply]:
        """See `Servers.ask`."""
        if settled and self.settling is not None:
            return await wire.ask_settled(self._client, commands, self.settling)
        return await wire.ask(self._client, commands)

    async def ask_one(self, *command: Part) -> Reply:
        """See `Servers.ask_one`."""
        return await wire.ask_one(self._client, *command)

    async def read_streams(
        self, after: Sequence[tuple[bytes, str]], *, count: int, block_ms: int
    ) -> list[tuple[bytes, list[Reply]]]:
        """See `Servers.read_streams`."""
        block = ("BLOCK", block_ms) if block_ms else ()
        keys, ids = zip(*after, strict=True)
        found = await self.ask_one("XREAD", "COUNT", count, *block, "STREAMS", *keys, *ids)
        return [(key, entries) for key, entries in found or ()]

    async def harmless(self, operation: Callable[[], Awaitable[T]]) -> T:
        """See `Servers.harmless`."""
        return await wire.harmless(operation)

    def client(self, key: str) -> Redis:
        """See `Servers.client`."""
        return self._client

    def every(self) -> list[Redis]:
        """See `Servers.every`."""
        return [self._client]

    def place(self, key: str) -> Hashable:
        """See `Servers.place`."""
        return None

    async def close(self) -> None:
        """See `Servers.close`."""
        await self._client.aclose()
        await self._client.connection_pool.disconnect()
