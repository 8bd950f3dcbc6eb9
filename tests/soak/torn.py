"""Proof: however the append-only file is torn at its end, the store starts with every whole commit, and goes on."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from eventstore.check import check_tables
from eventstore.open import open_store
from eventstore.record import NO_HEAD, Commit, Draft
from eventstore.redis_store import RedisStore
from eventstore.store import Appended
from service.clock import SystemClock
from tests.eventstore.processes import server_gone, server_of
from tests.soak.crash import Progress
from tests.soak.playing import Players, new_engine, new_tables, play
from tests.soak.report import Row, counted

TAIL = 2048  # bytes at the end of the file that may be torn
_LIVELY = 20  # commits of a table before the end
_LOG = Path("store", "appendonlydir", "appendonly.aof.1.incr.aof")
_now = SystemClock().now


class Figures(msgspec.Struct, frozen=True):
    """What came of tearing the file at so many `places`. The last four are faults, all to be 0.

    `commits` before any was torn, of which `torn` were, at the worst place. `unlike`: places where a table was not what
    was whole before the tear. `troubles`: what checks of the stores found (chains, gaps, feeds, command ids).
    `forgotten`: places where a commit that came after it was not there after another restart. `unwritten`: places in
    the middle of a write after which the file was not written anew.
    """

    places: int
    tables: int
    commits: int
    torn: int
    seconds: float
    unlike: int
    troubles: int
    forgotten: int
    unwritten: int

    def rows(self) -> list[Row]:
        """The figures in words."""
        return [
            counted("bytes at which the file was torn", self.places),
            counted("tables", self.tables),
            counted("commits before", self.commits),
            counted("of these torn off at most", self.torn),
            counted("seconds", self.seconds),
            counted("tears after which a table was not what had been whole", self.unlike, fault=True),
            counted("faults of chains, feeds, command ids", self.troubles, fault=True),
            counted("tears after which a later commit was gone at the next start", self.forgotten, fault=True),
            counted("tears after which the file was not written anew", self.unwritten, fault=True),
        ]


class Written(msgspec.Struct, frozen=True):
    """A data folder whose server was killed: its commits, each with the file's size when it was acknowledged."""

    folder: Path
    tables: list[str]
    commits: list[tuple[int, Commit]]  # the last ones, in the order in which they came
    before: dict[str, list[Commit]]  # those before
    size: int  # bytes

    def whole_at(self, size: int) -> dict[str, list[Commit]]:
        """What is whole in the first `size` bytes."""
        found = {table: list(commits) for table, commits in self.before.items()}
        for end, commit in self.commits:
            if end <= size:
                found[commit.table].append(commit)
        return found

    def ends(self) -> list[int]:
        """The sizes at which a commit was just whole."""
        return [end for end, _ in self.commits if end >= self.size - TAIL]


async def written(folder: Path, tables: int = 20) -> Written:
    """A store of so many tables in play. The last commits of all come one at a time, so that each has its place."""
    names = new_tables(tables)
    async with await open_store("", folder, now=_now, partitions=8) as store:
        engine, players = new_engine(store), Players("player")
        await asyncio.gather(*(play(engine, players, table, _LIVELY) for table in names))
        before = await store.read_many(names)
        start = (folder / _LOG).stat().st_size
        last: list[tuple[int, Commit]] = []
        while (folder / _LOG).stat().st_size < start + 2 * TAIL:
            table = names[len(last) % tables]
            version = _LIVELY + len(last) // tables + 1
            await play(engine, players, table, version)
            last.append(((folder / _LOG).stat().st_size, (await store.read(table, version - 1))[0]))
        await _kill(store)
    await server_gone(folder)
    return Written(folder, names, last, before, last[-1][0])


async def run(
    folder: Path, places: Sequence[int], found: Written, at_once: int = 2, progress: Progress = lambda _done, _all: None
) -> Figures:
    """Tears the file at each of the places (sizes in bytes that are left of it), on copies in `folder`."""
    began = time.monotonic()
    faults: list[_Faults] = []
    waiting = iter(places)

    async def tear(number: int) -> None:
        for place in waiting:
            progress(len(faults), len(places))
            faults.append(await _torn_at(found, place, folder / f"copy{number}"))

    async with asyncio.TaskGroup() as tasks:
        for number in range(at_once):
            tasks.create_task(tear(number))
    everything = sum(map(len, found.before.values())) + len(found.commits)
    fewest = min(places)
    return Figures(
        places=len(faults),
        tables=len(found.tables),
        commits=everything,
        torn=everything - sum(map(len, found.whole_at(fewest).values())),
        seconds=time.monotonic() - began,
        unlike=sum(one.unlike for one in faults),
        troubles=sum(one.troubles for one in faults),
        forgotten=sum(one.forgotten for one in faults),
        unwritten=sum(one.unwritten for one in faults),
    )


class _Faults(msgspec.Struct):
    unlike: bool
    troubles: int
    unwritten: bool = False
    forgotten: bool = True


async def _torn_at(found: Written, place: int, copy: Path) -> _Faults:
    shutil.copytree(found.folder / "store", copy / "store")
    os.truncate(copy / _LOG, place)
    whole = found.whole_at(place)
    torn = next((one.table for end, one in found.commits if end > place), found.tables[0])
    async with await open_store("", copy, now=_now) as store:
        faults = _Faults(await store.read_many(found.tables) != whole, await _troubles(store))
        faults.unwritten = ("written anew" in (copy / "store.log").read_text("utf-8")) != (place not in found.ends())
        more = await _append(store, whole[torn], torn)
        await _kill(store)
    await server_gone(copy)
    async with await open_store("", copy, now=_now) as store:
        whole[torn].append(more)
        faults.forgotten = await store.read_many(found.tables) != whole
        faults.troubles += await _troubles(store)
        await _kill(store)
    await server_gone(copy)
    shutil.rmtree(copy)
    return faults


async def _troubles(store: RedisStore) -> int:
    return len((await check_tables(store, _now())).troubles)


async def _append(store: RedisStore, commits: list[Commit], table: str) -> Commit:
    """One commit more, unlike the one that was torn."""
    version, previous = (commits[-1].version, commits[-1].hash) if commits else (0, NO_HEAD)
    events = b'[{"type":"table.present","seat":0}]'
    draft = Draft(
        table=table, version=version + 1, previous=previous, time=_now(), actor="clock", command="later", events=events
    )
    answer = await store.append(draft)
    assert isinstance(answer, Appended), answer
    return answer.commit


async def _kill(store: RedisStore) -> None:
    os.kill(await server_of(store), signal.SIGKILL)
