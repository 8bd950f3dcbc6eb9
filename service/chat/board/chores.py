"""What is to be done in each chat: one worker a chat, so that a slow or held chat holds no other."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import structlog

from eventstore.store import StoreDown

log = structlog.get_logger()

STORE_PAUSE = 1.0  # s
TABLE = "table"


class Job(NamedTuple):
    """Something that a chat must show: the table, or (an actor) somebody's hand; `orphan`: a message to empty; `ring`:
    the calls of a table."""

    table: str
    whose: str
    orphan: int = 0
    ring: bool = False


ANSWERS = Job("", "answers")
"""What waits to be said in a chat."""


class Chores:
    """The jobs of all chats. `do` does one; `failed` hears of what it raised (but StoreDown: that job is done later);
    `done` hears of a table of which a job is done."""

    def __init__(
        self,
        do: Callable[[int, Job], Awaitable[None]],
        failed: Callable[[int, Job, Exception], Awaitable[None]],
        done: Callable[[str], Awaitable[None]],
    ) -> None:
        self._do = do
        self._failed = failed
        self._done = done
        self._jobs: dict[int, dict[Job, float]] = defaultdict(dict)  # chat -> job -> when (the loop's clock)
        self._wakes: dict[int, asyncio.Event] = {}
        self._open: Counter[str] = Counter()  # jobs of a table, waiting or being done
        self._tasks: asyncio.TaskGroup | None = None

    def begin(self, tasks: asyncio.TaskGroup) -> None:
        """From now on jobs are done, by tasks of this group."""
        self._tasks = tasks

    def push(self, chat: int, job: Job, seconds: float) -> None:
        """Does the job after some seconds, or earlier where that was wanted before."""
        jobs = self._jobs[chat]
        when = asyncio.get_running_loop().time() + seconds
        self._open[job.table] += job not in jobs
        jobs[job] = min(when, jobs.get(job, when))
        if chat in self._wakes:
            self._wakes[chat].set()
        elif self._tasks is not None:
            self._wakes[chat] = asyncio.Event()
            self._tasks.create_task(self._work(chat))

    def settled(self, table: str) -> bool:
        """Whether nothing is left to be done for the table; whoever asks then knows it once."""
        if self._open[table] > 0:
            return False
        del self._open[table]
        return True

    async def _work(self, chat: int) -> None:
        """Does a chat's jobs, the most urgent first, until none is left."""
        jobs, wake, loop = self._jobs[chat], self._wakes[chat], asyncio.get_running_loop()
        while jobs:
            wake.clear()
            job = min(jobs, key=lambda one: jobs[one])
            seconds = jobs[job] - loop.time()
            if seconds > 0:
                try:
                    async with asyncio.timeout(seconds):
                        await wake.wait()
                except TimeoutError:
                    pass
                continue
            del jobs[job]
            try:
                await self._one(chat, job)
            except StoreDown:
                self.push(chat, job, STORE_PAUSE)
            finally:
                self._open[job.table] -= 1
            await self._done(job.table)
        del self._wakes[chat]

    async def _one(self, chat: int, job: Job) -> None:
        try:
            await self._do(chat, job)
        except StoreDown:
            raise
        except Exception as fault:  # noqa: BLE001 - whatever it is, the other chats and tables go on
            await self._failed(chat, job, fault)
