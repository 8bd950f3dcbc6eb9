"""Proof: what was acknowledged is there, whoever is killed and whenever: processes that play, and their server."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

from domain import events
from domain.audit_history import Commit as Told
from domain.audit_history import audit_history
from eventstore.check import check_tables
from eventstore.open import open_store
from eventstore.record import NO_HEAD, Commit
from eventstore.redis_store import RedisStore
from service.clock import SystemClock
from service.engine import Engine, Unreadable
from tests.eventstore.processes import ROOT, server_gone, server_of
from tests.soak import worker
from tests.soak.playing import new_engine, new_tables
from tests.soak.report import Row, counted

Victim = Literal["worker", "server", "both"]
VICTIMS: tuple[Victim, ...] = ("worker", "server", "both")
_WORDS: dict[Victim, str] = {"worker": "a worker", "server": "the server", "both": "both"}
Progress = Callable[[int, int], None]


class Size(msgspec.Struct, frozen=True):
    """How much: `apart` acknowledgements on average between two kills; `shared` tables are played by all workers."""

    tables: int
    shared: int
    workers: int
    kills: int
    apart: int


LONG = Size(tables=200, shared=20, workers=3, kills=100, apart=400)


class Figures(msgspec.Struct, frozen=True):
    """What came of it. The last six are faults, all to be 0.

    `unheard`: commits whose acknowledgement died with its process. `starts`: of the server. `lost`: acknowledged, but
    not there as such. `twice`: commands that are in more than once. `disordered`: acknowledged after a later version.
    `troubles`: what a check of the store found (chains, gaps, feeds, command ids). `unfolded`: tables that a new engine
    cannot read or finds elsewhere. `unruly`: tables that the rules find fault with.
    """

    seed: int
    size: Size
    killed: dict[Victim, int]
    starts: int
    seconds: float
    acknowledged: int
    commits: int
    unheard: int
    lost: int
    twice: int
    disordered: int
    troubles: int
    unfolded: int
    unruly: int

    def rows(self) -> list[Row]:
        """The figures in words."""
        size, kills = self.size, ", ".join(f"{self.killed.get(victim, 0)} of {_WORDS[victim]}" for victim in VICTIMS)
        return [
            Row("seed", str(self.seed)),
            Row("tables; played by all workers", f"{size.tables}; {size.shared}"),
            counted("worker processes at a time", size.workers),
            Row("SIGKILLs", f"{size.kills}: {kills}"),
            counted("starts of the server", self.starts),
            counted("seconds", self.seconds),
            counted("moves acknowledged", self.acknowledged),
            counted("commits in the store at the end", self.commits),
            counted("of these never heard of: their process died between", self.unheard),
            counted("acknowledged, and not there as it was", self.lost, fault=True),
            counted("commands carried out more than once", self.twice, fault=True),
            counted("acknowledged out of order", self.disordered, fault=True),
            counted("faults of chains, feeds, command ids", self.troubles, fault=True),
            counted("tables that a new process does not fold to their head", self.unfolded, fault=True),
            counted("tables that the rules find fault with", self.unruly, fault=True),
        ]


class Ack(msgspec.Struct, frozen=True):
    version: int
    hash: str
    command: str


class Worker(msgspec.Struct, eq=False):
    """A worker.py, and what it has acknowledged by table, in the order in which it did."""

    process: asyncio.subprocess.Process
    said: dict[str, list[Ack]] = {}
    dying: bool = False


class Load:
    """The workers on a folder: each place has its tables, and one worker after the other."""

    def __init__(self, folder: Path, size: Size) -> None:
        names = new_tables(size.tables)
        own, shared = names[size.shared :], names[: size.shared]
        self.shares = [own[number :: size.workers] + shared for number in range(size.workers)]
        self.workers: list[Worker] = []
        self.acknowledged = 0
        self._folder = folder
        self._at_work: dict[int, tuple[Worker, asyncio.Task[None]]] = {}
        self._heard = asyncio.Event()

    async def start(self, place: int) -> None:
        """A worker for the place."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            str(Path(worker.__file__)),
            str(self._folder),
            f"worker{len(self.workers)}",
            *self.shares[place],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=asyncio.subprocess.PIPE,
        )
        begun = Worker(process)
        self.workers.append(begun)
        self._at_work[place] = begun, asyncio.create_task(self._listen(begun))

    async def kill(self, place: int) -> None:
        """SIGKILL; returns when all that it said is heard. Whoever is killed has no successor yet."""
        dying, listening = self._at_work.pop(place)
        dying.dying = True
        dying.process.kill()
        await listening
        await dying.process.wait()

    async def kill_all(self) -> None:
        for place in list(self._at_work):
            await self.kill(place)

    async def until(self, acknowledged: int) -> None:
        """Returns when there are so many acknowledgements in all."""
        while self.acknowledged < acknowledged:
            self._heard.clear()
            heard = asyncio.create_task(self._heard.wait())
            listening = [task for _, task in self._at_work.values()]
            await asyncio.wait([heard, *listening], return_when=asyncio.FIRST_COMPLETED)
            heard.cancel()
            for task in listening:
                if task.done():
                    task.result()

    async def _listen(self, to: Worker) -> None:
        assert to.process.stdout is not None
        while (line := await to.process.stdout.readline()).endswith(b"\n"):  # the last one may be cut off
            table, version, hash, command = line.decode().split()
            to.said.setdefault(table, []).append(Ack(int(version), hash, command))
            self.acknowledged += 1
            self._heard.set()
        if not to.dying:
            raise AssertionError(f"a worker ended by itself: {await to.process.wait()}")


async def run(folder: Path, size: Size, seed: int, progress: Progress = lambda _done, _all: None) -> Figures:
    """Kills, and then looks what is there. The seed chooses whom and when, the machine what they were just doing."""
    load, so_far = await under_load(folder, size, seed, progress)
    async with await open_store("", folder, now=SystemClock().now) as store:
        return await judged(store, load, so_far)


async def under_load(
    folder: Path, size: Size, seed: int, progress: Progress = lambda _done, _all: None
) -> tuple[Load, Figures]:
    """What was acknowledged between the kills, the last of which ends all processes; the figures are not yet whole."""
    chance = random.Random(seed)
    began = time.monotonic()
    killed: Counter[Victim] = Counter()
    load = Load(folder, size)
    try:
        async with await open_store("", folder, now=SystemClock().now) as store:
            for place in range(size.workers):
                await load.start(place)
            for done in range(size.kills):
                progress(done, size.kills)
                await load.until(load.acknowledged + 1 + round(chance.expovariate(1 / size.apart)))
                victim = chance.choice(VICTIMS)
                await _kill(load, store, victim, chance.randrange(size.workers))
                killed[victim] += 1
            await load.until(load.acknowledged + size.apart)
    finally:
        await load.kill_all()
    progress(size.kills, size.kills)
    await server_gone(folder)
    starts = (folder / "store.log").read_text(encoding="utf-8").count("Ready to accept connections")
    return load, Figures(seed, size, dict(killed), starts, time.monotonic() - began, *[0] * 9)


async def _kill(load: Load, store: RedisStore, victim: Victim, place: int) -> None:
    server = await server_of(store) if victim != "worker" else None
    if server is not None:
        with suppress(ProcessLookupError):  # its starter was killed before, and it has just ended for that
            os.kill(server, signal.SIGKILL)
    if victim != "server":
        await load.kill(place)
        await load.start(place)


async def judged(store: RedisStore, load: Load, so_far: Figures) -> Figures:
    """The figures, from what the store holds now."""
    names = new_tables(so_far.size.tables)
    stored = await store.read_many(names)
    there = {table: {Ack(one.version, one.hash.hex(), one.command) for one in stored[table]} for table in names}
    heard: dict[str, set[Ack]] = {table: set() for table in names}
    disordered = 0
    for one in load.workers:
        for table, acks in one.said.items():
            heard[table].update(acks)
            versions = [ack.version for ack in acks]
            disordered += versions != sorted(versions)
    commands = Counter((table, one.command) for table in names for one in stored[table])
    engine = new_engine(store)
    return msgspec.structs.replace(
        so_far,
        acknowledged=sum(map(len, heard.values())),
        commits=sum(map(len, stored.values())),
        unheard=sum(len(there[table] - heard[table]) for table in names),
        lost=sum(len(heard[table] - there[table]) for table in names),
        twice=sum(times - 1 for times in commands.values()),
        disordered=disordered,
        troubles=len((await check_tables(store, SystemClock().now())).troubles),
        unfolded=sum([not await _folds(engine, table, stored[table]) for table in names]),
        unruly=sum(not _by_the_rules(commits) for commits in stored.values()),
    )


async def _folds(engine: Engine, table: str, commits: list[Commit]) -> bool:
    """Whether an engine that has just started comes to where the commits end."""
    try:
        held = await engine.held(table)
    except Unreadable:
        return False
    return (held.version, held.head) == ((commits[-1].version, commits[-1].hash) if commits else (0, NO_HEAD))


def _by_the_rules(commits: list[Commit]) -> bool:
    return audit_history([Told(one.time, one.actor, events.decode(one.events)) for one in commits]) is None
