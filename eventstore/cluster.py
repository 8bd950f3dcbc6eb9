"""A cluster's masters: commands go to the one that holds their key, by a map of slots that follows the cluster.

redis-py's own cluster client refuses scripts in pipelines and sends WAIT to other nodes than the writes, so the map is
ours: one client with plain connections a master. Source: the Redis Cluster specification (key slots, MOVED, ASK).
"""

from __future__ import annotations

import asyncio
import re
from binascii import crc_hqx
from collections import defaultdict
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import TypeVar

from redis.asyncio import Redis
from redis.exceptions import (
    AskError,
    AuthenticationError,
    BusyLoadingError,
    ClusterDownError,
    ConnectionError,
    MovedError,
    TryAgainError,
)

from eventstore import wire
from eventstore.faults import store_faults
from eventstore.servers import Servers
from eventstore.store import StoreDown, Unsettled
from eventstore.wire import Command, Part, Reply

SLOTS = 16384
_HOPS = 5  # redirections that a command may have
_LOOK = 0.1  # s between two looks at feeds that have nothing new
_PATIENCE = 2.0  # s that a server may take to tell its map before another one is asked
_TRY_AGAIN = 0.05  # s that keys which are on their way to another server are given
_ASKING: Command = ("ASKING",)
_TAG = re.compile(rb"\{([^}]+)\}")

T = TypeVar("T")
Node = tuple[str, int]
"""Host and port."""


class Cluster(Servers):
    """The masters of a Redis Cluster. Made by `open`."""

    def __init__(self, connect: Callable[[Node], Redis], seeds: Sequence[Node]) -> None:
        """`connect` makes a client for a node; `seeds` are asked for the map of slots first."""
        self._connect = connect
        self._clients: dict[Node, Redis] = {}
        self._given = list(seeds)
        self._seeds = list(seeds)  # and whatever else was seen
        self._silent: set[Node] = set()  # asked last
        self._owners: list[Node] = []  # by slot
        self._masters: list[Node] = []
        self._mapping: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        self.settling: Command | None = None

    @classmethod
    async def open(cls, connect: Callable[[Node], Redis], seeds: Sequence[Node]) -> Cluster:
        """The cluster that one of the seeds belongs to. Raises StoreDown when none answers or slots have no owner."""
        found = cls(connect, seeds)
        try:
            await found.refresh()
        except BaseException:
            await found.close()
            raise
        return found

    async def refresh(self) -> None:
        """Asks for the map of slots anew; whoever wants that at the same time shares one round. Raises StoreDown."""
        await asyncio.shield(self._refreshing())

    def _refreshing(self) -> asyncio.Task[None]:
        if self._mapping is None or self._mapping.done():
            self._mapping = asyncio.create_task(self._refresh())
            self._mapping.add_done_callback(_heed)
        return self._mapping

    async def _refresh(self) -> None:
        fault: StoreDown | None = None
        nodes = dict.fromkeys([*self._masters, *self._seeds])
        for node in sorted(nodes, key=self._silent.__contains__):
            try:
                async with asyncio.timeout(_PATIENCE):
                    reply = await wire.ask_one(self._client(node), "CLUSTER", "SLOTS")
            except (StoreDown, TimeoutError) as error:
                fault = error if isinstance(error, StoreDown) else StoreDown("the store does not answer in time")
                self._silent.add(node)
                continue
            self._silent.discard(node)
            owners: list[Node | None] = [None] * SLOTS
            seen: list[Node] = []
            for first, last, *found in reply:
                addresses = [_node(one, node) for one in found]
                owners[first : last + 1] = [addresses[0]] * (last - first + 1)
                seen += addresses
            self._seeds = list(dict.fromkeys([*self._given, *seen]))
            known = [owner for owner in owners if owner is not None]
            if len(known) < SLOTS:
                fault = StoreDown("the store is part of a cluster that is down: some slots have no server")
                continue
            self._owners, self._masters = known, sorted(set(known))
            return
        raise fault or StoreDown("the store's cluster cannot be reached")

    def _client(self, node: Node) -> Redis:
        client = self._clients.get(node)
        if client is None:
            client = self._clients[node] = self._connect(node)
        return client

    async def ask(self, commands: Sequence[Command], *, settled: bool = False) -> list[Reply]:
        """See `Servers.ask`. What a cluster sends elsewhere again and again keeps that as its error."""
        replies: list[Reply] = [None] * len(commands)
        slots = [slot(wire.key_of(command)) for command in commands]
        left = list(range(len(commands)))
        asking: dict[int, Node] = {}  # commands that their slot's owner sends elsewhere, just this once
        down: dict[Node, StoreDown] = {}
        for _ in range(_HOPS):
            groups: dict[tuple[Node, bool], list[int]] = defaultdict(list)
            for place in left:
                groups[asking.get(place) or self._owners[slots[place]], place in asking].append(place)
            asked = [
                self._send(node, [commands[place] for place in at], ask, settled) for (node, ask), at in groups.items()
            ]
            answers = await asyncio.gather(*asked, return_exceptions=True)
            left, asking, down, pause = [], {}, {}, 0.0
            for (node, _), places, answer in zip(groups, groups.values(), answers, strict=True):
                if isinstance(answer, StoreDown) and not isinstance(answer, Unsettled):
                    down[node] = answer
                    left += places
                    continue
                if isinstance(answer, BaseException):
                    raise answer
                for place, reply in zip(places, answer, strict=True):
                    replies[place] = reply
                    match reply:
                        case MovedError():  # an AskError too, to the client
                            self._owners[slots[place]] = (reply.host or node[0], reply.port)
                            self._refreshing()  # other slots may have moved too; nobody needs to wait for that
                        case AskError() if settled:
                            # Never obeyed: a script names several keys, and is told TRYAGAIN there; what settling
                            # writes would stand there before the slot has come, and stop it from coming.
                            pause = _TRY_AGAIN
                        case AskError():
                            asking[place] = (reply.host or node[0], reply.port)
                        case TryAgainError():
                            pause = _TRY_AGAIN
                        case _:
                            continue
                    left.append(place)
            if not left:
                break
            if pause:
                await asyncio.sleep(pause)
            if down:
                self._silent.update(down)
                await self.refresh()
                for place in left:
                    if place not in asking and (fault := down.get(self._owners[slots[place]])) is not None:
                        raise fault
        for fault in down.values():
            raise fault
        self._heard(commands)
        return replies

    def _heard(self, commands: Sequence[Command]) -> None:
        if any(command[0] in ("EVALSHA", "EVAL") for command in commands):
            self._news.set()

    async def _send(self, node: Node, commands: Sequence[Command], asking: bool, settled: bool) -> list[Reply]:
        client = self._client(node)
        if asking:
            replies = await wire.ask(client, [part for command in commands for part in (_ASKING, command)])
            return replies[1::2]
        if settled and self.settling is not None:
            return await wire.ask_settled(client, commands, self.settling)
        return await wire.ask(client, commands)

    async def ask_one(self, *command: Part) -> Reply:
        """See `Servers.ask_one`."""
        [reply] = await self.ask([command])
        return wire.value(reply)

    async def read_streams(
        self, after: Sequence[tuple[bytes, str]], *, count: int, block_ms: int
    ) -> list[tuple[bytes, list[Reply]]]:
        """See `Servers.read_streams`. Streams of several slots cannot be waited for together: they are looked at
        again and again, at once after an append of our own.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + block_ms / 1000
        commands: list[Command] = [("XREAD", "COUNT", count, "STREAMS", key, id) for key, id in after]
        while True:
            self._news.clear()
            replies = [wire.value(reply) for reply in await self.ask(commands)]
            found = [(key, entries) for reply in replies if reply for key, entries in reply]
            left = until - loop.time()
            if found or left <= 0:
                return found
            try:
                async with asyncio.timeout(min(_LOOK, left)):
                    await self._news.wait()
            except TimeoutError:
                pass

    async def harmless(self, operation: Callable[[], Awaitable[T]]) -> T:
        """See `Servers.harmless`; also repeated with a new map when the keys have moved."""
        with store_faults():
            for _ in range(_HOPS - 1):
                try:
                    return await operation()
                except (BusyLoadingError, AuthenticationError):
                    raise
                except (AskError, TryAgainError, ClusterDownError, ConnectionError, StoreDown):
                    await asyncio.sleep(_TRY_AGAIN)
                    await self.refresh()
            return await operation()

    def client(self, key: str) -> Redis:
        """See `Servers.client`."""
        return self._client(self._owners[slot(key.encode())])

    def every(self) -> list[Redis]:
        """See `Servers.every`."""
        return [self._client(node) for node in sorted(set(self._owners))]

    def place(self, key: str) -> Hashable:
        """See `Servers.place`."""
        return self._owners[slot(key.encode())]

    async def close(self) -> None:
        """See `Servers.close`."""
        if self._mapping is not None:
            self._mapping.cancel()
        for client in self._clients.values():
            await client.aclose()
            await client.connection_pool.disconnect()


def slot(key: bytes) -> int:
    """The slot of a key: CRC-16 (XMODEM) of its hash tag, or of the whole key when it has none."""
    tag = _TAG.search(key)
    return crc_hqx(tag[1] if tag else key, 0) % SLOTS


def _heed(refreshing: asyncio.Task[None]) -> None:
    """Takes note of a failure that nobody waits for: whoever needs the map asks again, and hears of the next one."""
    if not refreshing.cancelled():
        refreshing.exception()


def _node(found: Sequence[Reply], asked: Node) -> Node:
    """A node of CLUSTER SLOTS; one that does not know its own address is where we asked."""
    host = found[0].decode() if found[0] else ""
    return (host or asked[0], int(found[1]))
