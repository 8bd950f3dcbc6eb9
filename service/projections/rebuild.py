"""Builds projections anew beside the live ones, while the bot runs, and puts them in their place.

Nobody sees a half-built one: its rows go to keys of their own, it follows the feed until it is no older than the live
one, and then both are compared and exchanged in one transaction a partition. A rebuild that was killed leaves keys that
the next one clears away; one that another has overtaken notices, and exchanges nothing more.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from functools import partial

import msgspec
from redis.exceptions import ResponseError, WatchError

from eventstore.feed import START, Follower, before, find_keys, view_key, view_keys
from eventstore.redis_store import RedisStore
from eventstore.store import StoreUnfit
from eventstore.wire import Command, Reply, value
from service.projections.bulk import ALONE, Part, Source, build, build_shared, together
from service.projections.registry import PROJECTIONS
from service.projections.rows import Rows, Spec, from_store

_BESIDE = ".new-"
_MARK = "mark"  # the part of the key that says: nobody has cleared this rebuild's keys away
_BEGUN, _DONE = b"begun", b"done"


class NotRebuilt(Exception):
    """The rebuild ended early: `overtaken` by another one, or a process that helped was `killed`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Rebuilt(msgspec.Struct, frozen=True):
    """A projection that was exchanged: its keys, and how many of them differed from the live one's.

    `differed` None: there was no live one.
    """

    name: str
    keys: int
    differed: int | None


async def rebuild(
    store: RedisStore,
    names: Sequence[str],
    source: Source | None = None,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
    processes: int | None = None,
) -> tuple[Part, list[Rebuilt]]:
    """Rebuilds the projections of these names; `progress` hears of tables done, and of how many.

    With a `source`, many tables are shared out among `processes` (one a core).
    Raises NotRebuilt, StoreDown, StoreUnfit.
    """
    token = secrets.token_hex(4)
    beside = [Rows(store, spec, from_store(store)) for spec in specs_beside(names, token)]
    await _clear(store, names)
    await _mark(store, beside)
    ends = await store.feed_ends()  # before anything is read: what comes later is followed
    tables = await store.tables()
    processes = processes or os.cpu_count() or 1
    if source is None or processes < 2 or len(tables) <= ALONE:
        work = build(store, specs_beside(names, token), tables)
    else:
        work = build_shared(store, source, partial(specs_beside, tuple(names), token), tables, processes)
    parts: list[Part] = []
    done = 0
    try:
        async for part in work:
            parts.append(part)
            progress(done := done + part.tables, len(tables))
    except BrokenProcessPool:
        raise NotRebuilt("killed") from None
    exchanges = [_Exchange(store, name, rows).run(ends) for name, rows in zip(names, beside, strict=True)]
    rebuilt: list[Rebuilt] = []
    for one in await asyncio.gather(*exchanges, return_exceptions=True):
        if isinstance(one, BaseException):
            raise one
        rebuilt.append(one)
    return together(parts), rebuilt


def specs_beside(names: Sequence[str], token: str) -> list[Spec]:
    """The projections of these names, under names where nobody looks."""
    return [msgspec.structs.replace(PROJECTIONS[name], name=f"{name}{_BESIDE}{token}") for name in names]


async def _clear(store: RedisStore, names: Sequence[str]) -> None:
    """Deletes what earlier rebuilds of these projections have left."""
    left: list[Command] = []
    for kind in ("at", "view"):
        for keys in (await find_keys(store, kind, f"*{_BESIDE}*")).values():
            left += [("UNLINK", key) for key in keys if _name(key) in names]
    if left:
        for reply in await store.servers.ask(left):
            value(reply)


def _name(key: bytes) -> str:
    """The projection that a key of a rebuild is for."""
    return key[: key.index(_BESIDE.encode())].rpartition(b":")[2].decode()


async def _mark(store: RedisStore, beside: Sequence[Rows]) -> None:
    marks = [rows.key(number, _MARK) for rows in beside for number in range(store.partitions)]
    for reply in await store.servers.ask([("SET", mark, _BEGUN) for mark in marks]):
        value(reply)


class _Exchange:
    """Puts the rows that were built beside a live projection into its place."""

    def __init__(self, store: RedisStore, name: str, beside: Rows) -> None:
        self._store = store
        self._name = name
        self._beside = beside
        self._live = Rows(store, PROJECTIONS[name], from_store(store))
        self._follower = Follower(store, beside)
        self._following = Follower(store, self._live)
        self._compare = False
        self._keys = 0  # of the partition exchanged last

    async def run(self, ends: Sequence[str]) -> Rebuilt:
        """Exchanges all partitions, one at a time; the new rows stand at `ends` of the feeds, or later."""
        store = self._store
        await self._follower.stand(ends)
        await self._follower.catch_up()
        self._compare = any(place != START for place in await self._following.places())
        if self._compare:
            await self._bring_up()
        strays = await view_keys(store, self._live)
        keys = differed = 0
        for number in range(store.partitions):
            if self._compare:
                differed += await self._differing(number, strays[number])
            swap = partial(self._swap, number, strays[number])
            while not await store.servers.harmless(swap):
                await self._follower.catch_up_in(number)
            keys += self._keys
        for reply in await store.servers.ask([("DEL", self._mark(number)) for number in range(store.partitions)]):
            value(reply)
        return Rebuilt(self._name, keys, differed if self._compare else None)

    async def _bring_up(self) -> None:
        """Lets the live one catch up, which where a bot runs it has done: what it has not seen cannot be compared."""
        try:
            await self._following.catch_up()
        except StoreUnfit:
            # Somebody else's keys are in its way: the comparison finds them, and the exchange puts them right.
            return

    def _mark(self, number: int) -> str:
        return self._beside.key(number, _MARK)

    async def _differing(self, number: int, strays: Sequence[bytes]) -> int:
        """How many of the live one's keys do not hold what the new ones hold, whoever follows and writes meanwhile.

        Tables with commits that one of both may not have seen are left out.
        """
        ask = self._store.servers.ask_one
        live, new = map(_place, await ask("MGET", self._following.key(number), self._follower.key(number)))
        was, now = self._prefixes(number)
        keys = {*strays, *await _keys(self._live, number)}
        keys.update(was + key.removeprefix(now) for key in await self._beside.keys(number))
        pairs: list[Command] = []
        for key in keys:
            pairs += [("HGETALL", key), ("HGETALL", now + key.removeprefix(was))]
        held = await self._store.servers.ask(pairs)
        pending = await self._after(number, new if before(new, live) else live)
        fields = [_fields(reply, pending) for reply in held]
        return sum(one != other for one, other in zip(fields[::2], fields[1::2], strict=True))

    async def _swap(self, number: int, strays: Sequence[bytes]) -> bool:
        """Exchanges a partition; False when the new rows are too old for that, or one of both moved on meanwhile.

        Between the watching and the exchange lies as little as possible: under load the live one moves on all the time.
        """
        here, there, mark = self._following.key(number), self._follower.key(number), self._mark(number)
        try:
            async with self._store.servers.client(here).pipeline(transaction=True) as write:
                await write.watch(here, there, mark)
                (stands, stood, marked), old, keys = await asyncio.gather(
                    self._store.servers.ask_one("MGET", here, there, mark),
                    _keys(self._live, number),
                    self._beside.keys(number),
                )
                if marked == _DONE:
                    return True  # by our last transaction, whose answer was lost
                if marked is None or stood is None:
                    raise NotRebuilt("overtaken")
                live, new = _place(stands), _place(stood)
                if before(new, live) and await self._after(number, new):
                    return False
                self._keys = len(keys)
                write.multi()  # type: ignore[no-untyped-call]
                if old or strays:
                    write.unlink(*{*old, *strays})
                was, now = self._prefixes(number)
                for key in keys:
                    write.rename(key, was + key.removeprefix(now))
                write.set(here, new)
                write.delete(there)
                write.set(mark, _DONE)
                await write.execute()
        except WatchError:
            return False
        return True

    def _prefixes(self, number: int) -> tuple[bytes, bytes]:
        """What the live one's keys begin with, and the new ones."""
        return view_key(self._store, self._live, number).encode(), view_key(self._store, self._beside, number).encode()

    async def _after(self, number: int, place: str) -> set[bytes]:
        """The tables with commits after a place of the feed: whoever stands there may have seen them or not."""
        entries = await self._store.servers.ask_one("XRANGE", self._store.key(number, "feed"), f"({place}", "+")
        return {fields[1] for _, fields in entries}


def _place(checkpoint: bytes | None) -> str:
    return START if checkpoint is None else checkpoint.decode()


async def _keys(rows: Rows, number: int) -> list[bytes]:
    """The keys that rows say they have; none when that cannot be asked, for they are somebody else's."""
    try:
        return await rows.keys(number)
    except StoreUnfit:
        return []


def _fields(reply: Reply, apart_from: set[bytes]) -> dict[bytes, bytes] | None:
    """What a hash holds; None for a key that is no hash."""
    if isinstance(reply, ResponseError):
        return None
    fields = iter(reply)
    return {name: held for name, held in zip(fields, fields, strict=True) if name not in apart_from}
