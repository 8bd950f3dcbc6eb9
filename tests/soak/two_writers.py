"""Processes that hammer the same tables of one data folder, without and with leases: what it costs, what is lost."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from eventstore.check import check_tables
from eventstore.open import open_store
from eventstore.redis_store import RedisStore
from tests.eventstore import writer
from tests.eventstore.drafts import NOON, Clock
from tests.eventstore.processes import ROOT

PROCESSES = 4
LEASE = 1.0  # s
_QUIET = 5  # acknowledgements of every table since one changed hands: whoever came or went has its share


class Figures(msgspec.Struct, frozen=True):
    """What `attempts` to append came to, by the processes' own account, and what the store says of it afterwards.

    `lost`: acknowledged, but not in the store as such. `duplicates`: commands that are in twice. `troubles`: what a
    check of the whole store found (chains, gaps, feeds, command ids). `changes`: how often a table changed hands.
    """

    what: str
    processes: int
    attempts: int
    acknowledged: int
    conflicts: int
    fenced: int
    changes: int
    lost: int
    duplicates: int
    troubles: tuple[str, ...]


class Process(msgspec.Struct, eq=False):
    """A writer.py."""

    process: asyncio.subprocess.Process
    odd: bool  # its clock stands still while it is stopped
    here: bool = False
    fenced: int = 0
    leaving: bool = False


class Crowd:
    """The processes on a folder, and what was heard of them."""

    def __init__(self, folder: Path, lease: float) -> None:
        self.outcomes: Counter[str] = Counter()
        self.acknowledged: list[tuple[str, int, str]] = []
        self.last: dict[str, Process] = {}  # table -> whose acknowledgement came last
        self.before = 0  # acknowledgements when all were at work
        self.changes = 0
        self.quiet: Counter[str] = Counter()  # acknowledgements by table since one changed hands
        self.everybody: list[Process] = []
        self._folder = folder
        self._lease = lease
        self._heard = asyncio.Event()
        self._listening: list[asyncio.Task[None]] = []

    async def start(self, *, odd: bool = False) -> Process:
        words = [str(Path(writer.__file__)), str(self._folder), f"writer{len(self.everybody)}"]
        if self._lease:
            words += [str(self._lease), *["odd"] * odd]
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *words,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        begun = Process(process, odd)
        self.everybody.append(begun)
        self._listening.append(asyncio.create_task(self._listen(begun)))
        return begun

    async def _listen(self, to: Process) -> None:
        assert to.process.stdout is not None
        while (line := await to.process.stdout.readline()).endswith(b"\n"):
            match line.decode().split():
                case ["a", table, version, hash]:
                    self.acknowledged.append((table, int(version), hash))
                    if self.last.get(table) is not to:
                        self.last[table] = to
                        self.changes += 1
                        self.quiet.clear()
                    self.quiet[table] += 1
                case ["here"]:
                    to.here = True
                case ["c", _]:
                    pass
                case ["f", _]:
                    to.fenced += 1
                case other:
                    raise AssertionError(other)
            self.outcomes[line.split()[0].decode()] += 1
            self._heard.set()
        if not to.leaving:
            raise AssertionError(f"a writer ended by itself: {await to.process.wait()}")

    async def until(self, happened: Callable[[], bool]) -> None:
        while not happened():
            for ended in [task for task in self._listening if task.done()]:
                ended.result()
            self._heard.clear()
            hearing = asyncio.create_task(self._heard.wait())
            await asyncio.wait([hearing, *self._ears()], return_when=asyncio.FIRST_COMPLETED)
            hearing.cancel()

    def _ears(self) -> list[asyncio.Task[None]]:
        return [task for task in self._listening if not task.done()]

    def tables_of(self, process: Process) -> set[str]:
        return {table for table, owner in self.last.items() if owner is process}

    async def gathered(self) -> None:
        """Returns when each that was started is at work, or was."""
        await self.until(lambda: all(process.here for process in self.everybody))

    async def busiest(self, *, odd: bool) -> Process:
        """Whoever has most tables of those whose clock is odd, or is not; waits until each table has its writer."""
        self.quiet.clear()
        there = [process for process in self.everybody if process.odd == odd and not process.leaving]
        await self.until(
            lambda: all(self.quiet[table] >= _QUIET for table in writer.TABLES) and any(map(self.tables_of, there))
        )
        return max(there, key=lambda process: len(self.tables_of(process)))

    async def taken_over_from(self, process: Process) -> None:
        """Returns when others have written to every table that was the process's."""
        await self.until(lambda: not self.tables_of(process))

    def kill(self, process: Process) -> None:
        process.leaving = True
        process.process.kill()

    def ask_to_stop(self, process: Process) -> None:
        process.leaving = True
        assert process.process.stdin is not None
        process.process.stdin.write(b"stop\n")

    async def come_and_go(self) -> None:
        """One is stopped for longer than its leases last, one is killed, one leaves, and two come."""
        stopped = await self.busiest(odd=True)
        before = stopped.fenced
        stopped.process.send_signal(signal.SIGSTOP)
        await self.taken_over_from(stopped)
        stopped.process.send_signal(signal.SIGCONT)
        await self.until(lambda: stopped.fenced > before)
        for go, odd in ((self.kill, False), (self.ask_to_stop, True)):
            going = await self.busiest(odd=odd)
            go(going)
            await self.start(odd=odd)
            await self.taken_over_from(going)
            await self.gathered()

    async def end(self) -> None:
        for process in self.everybody:
            if not process.leaving:
                self.ask_to_stop(process)
        await asyncio.gather(*self._listening)
        codes = {await process.process.wait() for process in self.everybody}
        assert codes <= {0, -signal.SIGKILL}

    async def kill_all(self) -> None:
        for process in self.everybody:
            process.leaving = True
            if process.process.returncode is None:
                process.process.kill()
        await asyncio.gather(*self._listening, return_exceptions=True)
        for process in self.everybody:
            await process.process.wait()


@asynccontextmanager
async def crowd(folder: Path, lease: float) -> AsyncIterator[tuple[RedisStore, Crowd]]:
    """Four processes that write; at the end none is left. The server is ours, so that it outlives those killed."""
    async with await open_store("", folder, now=Clock()) as store:
        them = Crowd(folder, lease)
        try:
            for number in range(PROCESSES):
                await them.start(odd=number % 2 == 0)
            yield store, them
        finally:
            await them.kill_all()


def acknowledgements(count: int) -> Callable[[Crowd], bool]:
    """Enough is when there are so many acknowledgements since all were at work."""
    return lambda them: len(them.acknowledged) - them.before >= count


def time_is_up(seconds: float) -> Callable[[Crowd], bool]:
    """Enough is when so many seconds have gone by from now."""
    end = time.monotonic() + seconds
    return lambda _: time.monotonic() >= end


async def without_leases(folder: Path, enough: Callable[[Crowd], bool]) -> Figures:
    """Every process writes to every table, until it is enough."""
    async with crowd(folder, 0) as (store, them):
        await them.gathered()
        them.before = len(them.acknowledged)
        await them.until(lambda: enough(them))
        await them.end()
        return await _figures("without leases", store, them)


async def with_leases(folder: Path, enough: Callable[[Crowd], bool]) -> Figures:
    """Each writes to the tables whose partitions it holds; they come and go, once at least, until it is enough."""
    async with crowd(folder, LEASE) as (store, them):
        await them.gathered()
        them.before = len(them.acknowledged)
        await them.come_and_go()
        while not enough(them):
            await them.come_and_go()
        await them.end()
        return await _figures("with leases", store, them)


async def _figures(what: str, store: RedisStore, them: Crowd) -> Figures:
    stored: set[tuple[str, int, str]] = set()
    commands: Counter[tuple[str, str]] = Counter()
    for table, commits in (await store.read_many(writer.TABLES)).items():
        stored.update((table, commit.version, commit.hash.hex()) for commit in commits)
        commands.update((table, commit.command) for commit in commits)
    checked = await check_tables(store, NOON)
    return Figures(
        what=what,
        processes=len(them.everybody),
        attempts=sum(them.outcomes[kind] for kind in "acf"),
        acknowledged=len(them.acknowledged),
        conflicts=them.outcomes["c"],
        fenced=them.outcomes["f"],
        changes=them.changes,
        lost=len(them.acknowledged) - len(stored.intersection(them.acknowledged)),
        duplicates=sum(times - 1 for times in commands.values()),
        troubles=tuple(f"{trouble.kind} {trouble.table} {trouble.version}" for trouble in checked.troubles),
    )


async def run(seconds: float) -> list[Figures]:
    """The figures of both, each of `seconds`, on folders of their own."""
    with tempfile.TemporaryDirectory() as folder:
        return [
            await without_leases(Path(folder, "without"), time_is_up(seconds)),
            await with_leases(Path(folder, "with"), time_is_up(seconds)),
        ]
