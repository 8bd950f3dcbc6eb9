"""The event store on Redis or Valkey servers: streams, feeds and command ids under keys that a partition shares."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Iterable, Sequence
from itertools import islice
from typing import Any, Self

from eventstore.append import KEPT_DAYS, Append, GroupCommit, days
from eventstore.chain import link
from eventstore.ids import field, restored
from eventstore.reading import GroupRead
from eventstore.record import NO_HEAD, Commit, Draft
from eventstore.servers import Servers
from eventstore.store import (
    Already,
    Appended,
    Conflict,
    EventStore,
    Fenced,
    Pointer,
    RefusedBefore,
    StoreDown,
    StoreUnfit,
    partition,
)
from eventstore.wire import Command, Reply, value

FORMAT = 1
PARTITIONS = 64
_READ = 256  # tables a pipeline
_REFUSED = b"r"  # before a sealed refusal, where a command that was carried out has its version
_FENCED = "another process has taken over"
_BLOCK = 4_000  # ms; below the client's socket timeout, so that waiting is no fault


class RedisStore(EventStore):
    """See `EventStore`; beside it, what a projection needs: `servers` and `key`. Made by `open` or `open_store`."""

    def __init__(
        self,
        servers: Servers,
        now: Callable[[], int],
        *,
        prefix: str,
        deployment: str,
        partitions: int,
        closing: Callable[[], Awaitable[None]] | None,
    ) -> None:
        self.servers = servers
        self.prefix = prefix
        self.deployment = deployment
        self.partitions = partitions
        self._now = now
        self._closing = closing
        self._prefixes = [f"{prefix}:{{{number}}}:" for number in range(partitions)]
        self._feeds = [self.key(number, "feed").encode() for number in range(partitions)]
        self._feed_of = {key: number for number, key in enumerate(self._feeds)}
        self._appends = GroupCommit(servers)
        self._reads = GroupRead(servers)
        self._closed = False
        # The epoch of our lease on a partition, 0 where we hold none and may not write, None where we write without
        # (there only versions decide); itself None: we work without leases (see leases.py).
        self.epoch_of: Callable[[int], int | None] | None = None

    @classmethod
    async def open(
        cls,
        servers: Servers,
        *,
        now: Callable[[], int],
        partitions: int | None = None,
        prefix: str = "tt",
        restoring: str = "",
        closing: Callable[[], Awaitable[None]] | None = None,
    ) -> Self:
        """The store on `servers`; makes the deployment (64 partitions unless given) when there is none.

        `now` gives milliseconds UTC; `closing` is awaited at the end of `close`. A deployment into which a backup was
        not put back whole is opened only by whoever is `restoring` the same one.
        Raises StoreUnfit for a deployment of another format or number of partitions, StoreDown when out of reach.
        """
        key = f"{prefix}:meta"
        new = {"deployment": secrets.token_hex(8), "partitions": partitions or PARTITIONS, "format": FORMAT}

        async def make() -> dict[bytes, bytes]:
            async with servers.client(key).pipeline(transaction=True) as making:
                for name, setting in new.items():
                    making.hsetnx(key, name, str(setting))
                making.hgetall(key)
                made: dict[bytes, bytes] = (await making.execute())[-1]
                return made

        async def known() -> dict[Any, Any]:
            return await servers.client(key).hgetall(key)

        made: dict[bytes, bytes] = await servers.harmless(known)
        if not made.keys() >= {name.encode() for name in new}:
            made = await servers.harmless(make)  # a server that is full can be read all the same
        if made[b"format"] != b"%d" % FORMAT:
            raise StoreUnfit(f"the store has format {made[b'format'].decode()}, this program knows format {FORMAT}")
        if not made[b"partitions"].isdigit() or not int(made[b"partitions"]):
            raise StoreUnfit(f"something else has written to {key}: its number of partitions is none")
        count = int(made[b"partitions"])
        if partitions not in (None, count):
            raise StoreUnfit(f"the store belongs to another deployment: it has {count} partitions, not {partitions}")
        if (unfinished := made.get(b"restoring", b"").decode()) and unfinished != restoring:
            raise StoreUnfit("a restore into this store was not finished: run `tabletalk restore` with that file again")
        deployment = made[b"deployment"].decode()
        return cls(servers, now, prefix=prefix, deployment=deployment, partitions=count, closing=closing)

    def key(self, partition: int, *parts: str) -> str:
        """A key in `partition`: all of them share a hash tag, so that one transaction can span them."""
        return self._prefixes[partition] + ":".join(parts)

    def partition_of(self, table: str) -> int:
        """The partition that holds the table."""
        return partition(table, self.partitions)

    async def append(self, draft: Draft) -> Appended | Already | RefusedBefore | Conflict:
        """See `EventStore.append`. A draft that is in (because its answer was lost, say) is Appended when given again.

        StoreDown leaves open whether it is in; giving the same draft again is always harmless. Raises Fenced when we
        work with leases and another process has the partition's.
        """
        if self._closed:
            raise StoreDown("the store is closed")
        hash = link(draft.table, draft.version, draft.previous, draft.time, draft.actor, draft.command, draft.events)
        number = self.partition_of(draft.table)
        epoch = None if self.epoch_of is None else self.epoch_of(number)
        if epoch == 0:
            raise Fenced(_FENCED)
        match await self._appends.run(Append(self._prefixes[number], self._now(), draft, hash, epoch)):
            case 1:
                return Appended(_committed(draft, hash))
            case [2, version, known]:
                ours = version == draft.version and known == hash
                return Appended(_committed(draft, hash)) if ours else Already(version)
            case [3, version, entries]:
                return await self._conflict(draft, version, entries)
            case [4, sealed]:
                return RefusedBefore(sealed)
            case [5, _]:
                raise Fenced(_FENCED)
            case other:
                raise AssertionError(f"the append script answered {other!r}")

    async def _conflict(self, draft: Draft, version: int, entries: list[Reply]) -> Conflict:
        expected = draft.version - 1
        tail = [_commit(draft.table, entry) for entry in entries]
        previous = NO_HEAD
        if expected > 0 and tail:
            previous = tail.pop(0).hash
        if previous != draft.previous:
            return Conflict(version, ())  # another history: what comes after it would not follow
        if tail and tail[-1].version < version:
            tail += await self.read(draft.table, tail[-1].version)
        return Conflict(tail[-1].version if tail else version, tuple(tail))

    async def read(self, table: str, after: int = 0) -> list[Commit]:
        """See `EventStore.read`."""
        entries = await self._reads.run(self._stream(table), self._range(table, after))
        return [_commit(table, entry) for entry in entries]

    async def read_many(self, tables: Iterable[str]) -> dict[str, list[Commit]]:
        """Every commit of each of `tables`, by table; some hundred tables share a round trip."""
        found: dict[str, list[Commit]] = {}
        remaining = iter(tables)
        while some := list(islice(remaining, _READ)):
            replies = await self.servers.ask([self._range(table, 0) for table in some])
            for table, reply in zip(some, replies, strict=True):
                found[table] = [_commit(table, entry) for entry in value(reply)]
        return found

    async def commits(self, pointers: Sequence[Pointer]) -> list[Commit]:
        """The commit of each pointer, in order, in one round trip.

        Raises StoreUnfit when one is missing: somebody deleted a part of the history.
        """
        commands: list[Command] = []
        for pointer in pointers:
            id = f"{pointer.version}-0"
            commands.append(("XRANGE", self._stream(pointer.table), id, id))
        found = []
        for pointer, reply in zip(pointers, await self.servers.ask(commands), strict=True):
            entries = value(reply)
            if not entries:
                raise StoreUnfit(f"the store has lost version {pointer.version} of table {pointer.table}")
            found.append(_commit(pointer.table, entries[0]))
        return found

    async def commit_of(self, table: str, command: str) -> int | None:
        """See `EventStore.commit_of`."""
        known = await self._known(table, command)
        return None if known is None or known.startswith(_REFUSED) else int(known)

    async def refuse(self, table: str, command: str, sealed: bytes) -> None:
        """See `EventStore.refuse`."""
        if await self._known(table, command) is None:
            today, life = days(self._now())[0], (KEPT_DAYS + 2) * 86_400
            key = self.key(self.partition_of(table), "cmd", str(today), table)
            refused = _REFUSED + sealed
            for reply in await self.servers.ask([("HSETNX", key, field(command), refused), ("EXPIRE", key, life)]):
                value(reply)

    async def refusal(self, table: str, command: str) -> bytes | None:
        """See `EventStore.refusal`."""
        known = await self._known(table, command)
        return known.removeprefix(_REFUSED) if known is not None and known.startswith(_REFUSED) else None

    async def _known(self, table: str, command: str) -> bytes | None:
        """What is kept of a command id: the version it made, or its sealed refusal after `_REFUSED`."""
        number, known_by = self.partition_of(table), field(command)
        replies = await self.servers.ask(
            [("HGET", self.key(number, "cmd", str(day), table), known_by) for day in sorted(days(self._now()))]
        )
        return next((found for found in map(value, replies) if found is not None), None)

    async def feed(
        self, after: Sequence[str], *, block_ms: int | None = None, count: int = 1000
    ) -> dict[int, list[Pointer]]:
        """See `EventStore.feed`."""
        wait = max(block_ms or 0, 0)
        while True:
            turn = min(wait, _BLOCK)
            asked = list(zip(self._feeds, after, strict=True))
            found = await self.servers.read_streams(asked, count=count, block_ms=turn)
            wait -= turn
            if found or not wait:
                break
        pointers: dict[int, list[Pointer]] = {}
        for key, entries in found:
            pointers[self._feed_of[key]] = [
                Pointer(id.decode(), fields[1].decode(), int(fields[3])) for id, fields in entries
            ]
        return pointers

    async def feed_ends(self) -> list[str]:
        """The place of each partition's last pointer ("0-0" when it has none): `feed` gives what is new after it."""
        replies = await self.servers.ask([("XREVRANGE", feed, "+", "-", "COUNT", 1) for feed in self._feeds])
        return [entries[0][0].decode() if entries else "0-0" for entries in map(value, replies)]

    async def tables(self) -> list[str]:
        """See `EventStore.tables`."""
        replies = await self.servers.ask(
            [("SMEMBERS", self.key(number, "tables")) for number in range(self.partitions)]
        )
        return sorted(table.decode() for reply in replies for table in value(reply))

    async def close(self) -> None:
        """See `EventStore.close`. Appends under way are finished first; may be called twice."""
        if self._closed:
            return
        self._closed = True
        try:
            await self._appends.finish()
            await self._reads.finish()
            await self.servers.close()
        finally:
            if self._closing is not None:
                await self._closing()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _stream(self, table: str) -> str:
        return f"{self._prefixes[self.partition_of(table)]}t:{table}"

    def _range(self, table: str, after: int) -> Command:
        return ("XRANGE", self._stream(table), f"{after + 1}-0", "+")


def _commit(table: str, entry: Reply) -> Commit:
    id, (_, hash, _, events, _, time, _, actor, _, command) = entry
    return Commit(
        table=table,
        version=int(id[:-2]),
        time=int(time),
        actor=actor.decode(),
        command=restored(command.decode(), table),
        events=events,
        hash=hash,
    )


def _committed(draft: Draft, hash: bytes) -> Commit:
    return Commit(
        table=draft.table,
        version=draft.version,
        time=draft.time,
        actor=draft.actor,
        command=draft.command,
        events=draft.events,
        hash=hash,
    )
