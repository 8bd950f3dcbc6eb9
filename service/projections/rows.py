"""A projection that keeps rows of each table: functions of its latest public state, so building anew gives the same."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

import msgspec
from redis.asyncio.client import Pipeline

from domain import events, table
from domain.events import UnknownEvent
from domain.table import Table
from eventstore import chain
from eventstore.chain import BrokenChain
from eventstore.feed import view_key
from eventstore.record import NO_HEAD, Commit
from eventstore.redis_store import RedisStore
from eventstore.store import Pointer
from eventstore.wire import Command, value
from service.engine import Engine, Unreadable

_OF = "of"  # the hash that says under which keys a table has rows
_ROWS = "rows"
_FEW = 50  # tables that an engine may be asked for at a time; more are read together, past its memory


class Seen(msgspec.Struct, frozen=True):
    """A table as far as it can be read: `parked` when there is more that cannot be.

    `last`: the time of its last commit, readable or not (ms UTC, 0 without one).
    """

    state: Table | None
    parked: bool = False
    last: int = 0


Look = Callable[[Mapping[str, int]], Awaitable[Mapping[str, Seen]]]
"""Tables, each at least as far as its version."""


class Spec(msgspec.Struct, frozen=True):
    """What a projection keeps: for a table's id and state, rows by the key under which they are looked up.

    `rows` may hold only what everybody may see; its keys have no blanks. Another `version` is built beside the old one.
    """

    name: str
    version: int
    rows: Callable[[str, Seen], Mapping[str, bytes]]


class Rows:
    """A `Projection`. In each partition it has a hash for every key, a field a table."""

    def __init__(self, store: RedisStore, spec: Spec, look: Look) -> None:
        self.name = spec.name
        self.version = spec.version
        self._store = store
        self._rows = spec.rows
        self._look = look

    async def apply(self, write: Pipeline, partition: int, pointers: Sequence[Pointer]) -> None:
        """See `Projection.apply`. Follows each table's latest state, so applying again changes nothing."""
        latest = {pointer.table: pointer.version for pointer in pointers}
        streams = [self._store.key(partition, "t", name) for name in latest]
        ends: list[Command] = [("XREVRANGE", stream, "+", "-", "COUNT", 1) for stream in streams]
        had, *last = map(value, await self._store.servers.ask([("HMGET", self.key(partition, _OF), *latest), *ends]))
        found = await self._look(latest)
        for name, before, end in zip(latest, had, last, strict=True):
            time = int(end[0][1][5]) if end else 0
            rows = self._rows(name, msgspec.structs.replace(found[name], last=time))
            for command in self._commands(partition, name, rows, before):
                write.execute_command(*command)

    def building(self, name: str, seen: Seen) -> list[Command]:
        """The commands that write a table's rows where there are none yet."""
        return self._commands(self._store.partition_of(name), name, self._rows(name, seen), None)

    def _commands(self, partition: int, name: str, rows: Mapping[str, bytes], before: bytes | None) -> list[Command]:
        had = before.decode().split() if before else []
        commands: list[Command] = [("HDEL", self.key(partition, _ROWS, key), name) for key in had if key not in rows]
        commands += [("HSET", self.key(partition, _ROWS, key), name, row) for key, row in rows.items()]
        of = self.key(partition, _OF)
        keys = " ".join(sorted(rows))
        if rows and keys.encode() != before:
            commands.append(("HSET", of, name, keys))
        elif had and not rows:
            commands.append(("HDEL", of, name))
        return commands

    async def read(self, key: str, home: str | None = None) -> dict[str, bytes]:
        """The rows under `key`, by table: of a home's partition, or of all of them in one round trip."""
        store = self._store
        every = range(store.partitions) if home is None else [store.partition_of(f"{home}-1")]
        found: dict[str, bytes] = {}
        for reply in await store.servers.ask([("HGETALL", self.key(number, _ROWS, key)) for number in every]):
            fields = iter(value(reply))
            found.update((name.decode(), row) for name, row in zip(fields, fields, strict=True))
        return found

    async def keys(self, partition: int) -> list[bytes]:
        """Our keys in a partition: those that belong to a table."""
        of = self.key(partition, _OF)
        found: set[str] = set()
        for keys in await self._store.servers.ask_one("HVALS", of):
            found.update(keys.decode().split())
        return [of.encode(), *(self.key(partition, _ROWS, key).encode() for key in sorted(found))] if found else []

    def key(self, partition: int, *parts: str) -> str:
        """A key of ours."""
        return view_key(self._store, self, partition, *parts)


def through(engine: Engine) -> Look:
    """Looks at tables through an engine that has most of them in memory."""

    async def look(tables: Mapping[str, int]) -> Mapping[str, Seen]:
        if len(tables) > _FEW and isinstance(engine.store, RedisStore):
            return await from_store(engine.store)(tables)
        found: dict[str, Seen] = {}
        for name, at_least in tables.items():
            try:
                found[name] = Seen((await engine.held(name, at_least)).state)
            except Unreadable:
                found[name] = public(await engine.store.read(name))
        return found

    return look


def from_store(store: RedisStore) -> Look:
    """Looks at tables without a key."""

    async def look(tables: Mapping[str, int]) -> Mapping[str, Seen]:
        return {name: public(commits) for name, commits in (await store.read_many(tables)).items()}

    return look


def public(commits: Sequence[Commit]) -> Seen:
    """A table as everybody may see it, as far as its chain holds and its events are known to this release."""
    last = commits[-1].time if commits else 0
    try:
        chain.verify(commits)
    except BrokenChain:
        return Seen(_folded(_unbroken(commits)).state, parked=True, last=last)
    return msgspec.structs.replace(_folded(commits), last=last)


def _folded(commits: Iterable[Commit]) -> Seen:
    state: Table | None = None
    try:
        for commit in commits:
            state = table.fold(commit.table, state, events.decode(commit.events))
    except (UnknownEvent, ValueError, LookupError, TypeError, AttributeError, AssertionError):
        return Seen(state, parked=True)
    return Seen(state)


def _unbroken(commits: Sequence[Commit]) -> Iterable[Commit]:
    """The commits before the first that does not follow."""
    head = NO_HEAD
    for version, commit in enumerate(commits):
        try:
            head = chain.verify([commit], version=version, previous=head)
        except BrokenChain:
            return
        yield commit
