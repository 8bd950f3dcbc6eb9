"""Looks a whole store over: every chain, every pointer of the feeds, every command id, and keys that nobody knows.

Appends go on meanwhile. Each is one transaction, so what was read first must be found in what is read next, and a check
asks for no more than that: pointers and ids, then the list of tables, then commits, then the pointers that came since.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import Literal

import msgspec

from eventstore import chain
from eventstore.append import KEPT_DAYS, days
from eventstore.chain import BrokenChain
from eventstore.faults import store_faults
from eventstore.ids import field
from eventstore.record import Commit
from eventstore.redis_store import RedisStore
from eventstore.store import StoreUnfit
from eventstore.wire import Reply, value

_PAGE = 1000  # pointers a round trip
_TABLES = 64  # a round trip
_DAY = 86_400_000  # ms

Kind = Literal[
    "broken_chain",
    "commit_missing",
    "foreign_entry",
    "no_commits",
    "no_pointer",
    "pointer_without_commit",
    "pointer_twice",
    "pointers_disordered",
    "foreign_pointer",
    "not_listed",
    "id_missing",
    "id_of_another",
]


class Trouble(msgspec.Struct, frozen=True):
    """A kind of fault of one table: the first version that has it (0: the table as a whole), and how many have."""

    kind: Kind
    table: str
    version: int = 0
    count: int = 1


class Checked(msgspec.Struct, frozen=True):
    """What a check looked at, and what it found."""

    tables: int
    commits: int
    troubles: tuple[Trouble, ...]


async def check_tables(
    store: RedisStore,
    now: int,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> Checked:
    """Checks every table of the store at `now` (ms UTC, the store's clock); writes nothing.

    `progress` is called with the number of tables that are done and that there are. One partition's pointers
    and command ids are held in memory at a time. Raises StoreDown, StoreUnfit.
    """
    sizes = await store.servers.ask([("SCARD", store.key(number, "tables")) for number in range(store.partitions)])
    everything = sum(value(size) for size in sizes)
    tables, commits, troubles = 0, 0, list[Trouble]()
    for number in range(store.partitions):
        part = _Partition(store, number, now)
        await part.check(partial(_advance, progress, tables, everything))
        tables += part.tables
        commits += part.commits
        troubles += part.troubles
    return Checked(tables, commits, tuple(dict.fromkeys([*troubles, *await _strays(store)])))


def _advance(progress: Callable[[int, int], None], before: int, everything: int, done: int) -> None:
    progress(before + done, max(everything, before + done))


class _Partition:
    """The check of one partition."""

    def __init__(self, store: RedisStore, number: int, now: int) -> None:
        self.store = store
        self.number = number
        self.now = now
        self.tables = 0
        self.commits = 0
        self.troubles: list[Trouble] = []

    async def check(self, done: Callable[[int], None]) -> None:
        pointers, end = await self._pointers("0-0")
        names = await self._names()
        for table in pointers:
            if table not in names:
                self.troubles.append(Trouble("not_listed", table))
        found: dict[str, set[int]] = {}  # table -> its versions
        ordered = sorted(names | set(pointers))
        for start in range(0, len(ordered), _TABLES):
            some = ordered[start : start + _TABLES]
            ids = await self._ids(some)
            for table, commits in (await self._read(some)).items():
                found[table] = {commit.version for commit in commits}
                self._verify(table, commits)
                await self._compare_ids(table, commits, ids[table])
            self.tables += len(some)
            done(self.tables)
        newer, _ = await self._pointers(end)
        for table, versions in found.items():
            self._compare(table, versions, pointers.get(table, []), newer.get(table, []))

    async def _pointers(self, after: str) -> tuple[dict[str, list[int]], str]:
        """The versions that the feed points to after a place, by table and in order, and the place of the last one."""
        found: dict[str, list[int]] = {}
        while True:
            reply = await self.store.servers.ask_one(
                "XREAD", "COUNT", _PAGE, "STREAMS", self.store.key(self.number, "feed"), after
            )
            if not reply:
                return found, after
            for id, fields in reply[0][1]:
                after = id.decode()
                try:
                    entry = dict(zip(fields[::2], fields[1::2], strict=True))
                    found.setdefault(entry[b"t"].decode(), []).append(int(entry[b"v"]))
                except (KeyError, ValueError):
                    self.troubles.append(Trouble("foreign_pointer", f"{self.store.key(self.number, 'feed')} {after}"))

    async def _names(self) -> set[str]:
        reply = await self.store.servers.ask_one("SMEMBERS", self.store.key(self.number, "tables"))
        return {name.decode(errors="replace") for name in reply}

    async def _ids(self, tables: list[str]) -> dict[str, dict[bytes, int]]:
        """The version that each of the tables' command ids is remembered with."""
        keys = [
            (table, self.store.key(self.number, "cmd", str(day), table)) for table in tables for day in days(self.now)
        ]
        found: dict[str, dict[bytes, int]] = {table: {} for table in tables}
        replies = await self.store.servers.ask([("HGETALL", key) for _, key in keys])
        for (table, _), reply in zip(keys, replies, strict=True):
            found[table].update(_versions(value(reply)))
        return found

    async def _read(self, tables: list[str]) -> dict[str, list[Commit]]:
        """The commits of some tables; of those that hold something else only a trouble."""
        try:
            return await self.store.read_many(tables)
        except (ValueError, TypeError, AttributeError, StoreUnfit):
            if len(tables) > 1:
                return {name: commits for table in tables for name, commits in (await self._read([table])).items()}
            self.troubles.append(Trouble("foreign_entry", tables[0]))
            return {}

    def _verify(self, table: str, commits: list[Commit]) -> None:
        self.commits += len(commits)
        if not commits:
            self.troubles.append(Trouble("no_commits", table))
            return
        try:
            chain.verify(commits)
        except BrokenChain as broken:
            gap = next((place for place, commit in enumerate(commits, 1) if commit.version != place), None)
            if gap is not None and commits[gap - 1].version == broken.version:
                self.troubles.append(Trouble("commit_missing", table, gap))
            else:
                self.troubles.append(Trouble("broken_chain", table, broken.version))

    async def _compare_ids(self, table: str, commits: list[Commit], ids: dict[bytes, int]) -> None:
        """Commits of the days that are kept have their id; those that came since the ids were read are asked for."""
        first = (self.now // _DAY - KEPT_DAYS) * _DAY
        made = {field(commit.command): commit for commit in commits}
        missing = [
            commit.version
            for known_by, commit in made.items()
            if commit.time >= first
            and known_by not in ids
            and await self.store.commit_of(table, commit.command) is None
        ]
        self._add("id_missing", table, missing)
        wrong = [
            version for known_by, version in ids.items() if known_by not in made or made[known_by].version != version
        ]
        self._add("id_of_another", table, sorted(wrong))

    def _compare(self, table: str, commits: Iterable[int], before: list[int], since: list[int]) -> None:
        pointed = Counter([*before, *since])
        have = set(commits)
        self._add("no_pointer", table, sorted(have - set(pointed)))
        self._add("pointer_without_commit", table, sorted(set(before) - have) if have else [])
        self._add("pointer_twice", table, sorted(version for version, times in pointed.items() if times > 1))
        order = [*before, *since]
        if set(pointed.values()) == {1} and order != sorted(order):
            self.troubles.append(Trouble("pointers_disordered", table))

    def _add(self, kind: Kind, table: str, versions: list[int]) -> None:
        if versions:
            self.troubles.append(Trouble(kind, table, versions[0], len(versions)))


def _versions(fields: list[Reply]) -> dict[bytes, int]:
    """The command ids among a hash's fields and values; refusals are nobody's business here."""
    return {known_by: int(kept) for known_by, kept in zip(fields[::2], fields[1::2], strict=True) if kept.isdigit()}


async def _strays(store: RedisStore) -> list[Trouble]:
    """Streams and command ids of tables that their partition does not list, where nothing looks for them."""
    found: list[Trouble] = []
    for text in await _keys(store, "t", "*"):
        table = text.partition("}:t:")[2]
        if not await _listed(store, table) or text != store.key(store.partition_of(table), "t", table):
            found.append(Trouble("not_listed", table))
    for text in await _keys(store, "cmd", "*"):
        day, _, table = text.partition("}:cmd:")[2].partition(":")
        if Trouble("not_listed", table) in found:
            continue
        if not await _listed(store, table) or text != store.key(store.partition_of(table), "cmd", day, table):
            versions = _versions(await store.servers.ask_one("HGETALL", text))
            if versions:  # a command that finds no table is refused, and remembered
                found.append(Trouble("id_of_another", table, min(versions.values()), len(versions)))
    return found


async def _keys(store: RedisStore, *parts: str) -> list[str]:
    """The keys of all partitions that match, sorted."""
    pattern = store.key(0, *parts).replace("{0}", "{*}", 1)
    with store_faults():
        keys: set[bytes] = {
            key for client in store.servers.every() async for key in client.scan_iter(match=pattern, count=1000)
        }
    return sorted(key.decode(errors="replace") for key in keys)


async def _listed(store: RedisStore, table: str) -> bool:
    key = store.key(store.partition_of(table), "tables")
    return bool(await store.servers.ask_one("SISMEMBER", key, table))
