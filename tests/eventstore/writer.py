"""A process that appends to tables until told to `stop`: `python writer.py FOLDER NAME [SECONDS [ODD]]`.

Without SECONDS it works without leases, on every table, and takes the tail of a conflict. With SECONDS (of a lease) it
shares the partitions with the others. ODD: its clock stands still while the process does, as after a machine's sleep.

Says `here` when it begins, and a line for each outcome of an append: `a TABLE VERSION HASH` (it is in), `c TABLE`
(conflict), `f TABLE` (fenced).
"""

from __future__ import annotations

import asyncio
import sys
import time
from itertools import count
from pathlib import Path

from eventstore.leases import Leases
from eventstore.open import open_store
from eventstore.record import NO_HEAD, Commit
from eventstore.redis_store import PARTITIONS, RedisStore
from eventstore.store import Already, Appended, Conflict, Fenced, RefusedBefore, StoreDown, partition
from tests.eventstore.drafts import Clock, draft

_HOMES = {partition(f"home{number}-1", PARTITIONS): f"home{number}-1" for number in range(99)}
TABLES = tuple(_HOMES.values())[:20]  # each in a partition of its own, so that every process has some


def say(*words: object) -> None:
    print(*words, flush=True)  # noqa: T201 - the other end of the pipe counts


class Writer:
    """Appends commands of one process to one table."""

    def __init__(self, store: RedisStore, leases: Leases | None, name: str, table: str) -> None:
        self.store = store
        self.leases = leases
        self.name = name
        self.table = table
        self.partition = store.partition_of(table)
        self.head: Commit | None = None
        self.epoch = 0

    async def write(self) -> None:
        for number in count():
            while not await self.carry_out(f"{self.name}:{number}"):
                pass

    async def carry_out(self, command: str) -> bool:
        """Whether the command is in now; when not, it wants to be decided again."""
        try:
            await self.know_the_head()
            version, previous = (self.head.version, self.head.hash) if self.head else (0, NO_HEAD)
            return await self.heed(await self.store.append(draft(self.table, version + 1, previous, command=command)))
        except Fenced:
            say("f", self.table)
            self.epoch = 0
        except StoreDown:
            await asyncio.sleep(0.01)
        return False

    async def heed(self, answer: Appended | Already | RefusedBefore | Conflict) -> bool:
        match answer:
            case Appended(commit):
                self.head = commit
            case Already(version):
                [self.head, *_] = await self.store.read(self.table, version - 1)
            case Conflict(_, tail):
                say("c", self.table)
                self.head = tail[-1] if tail else await self.read_head()
                return False
            case RefusedBefore():
                raise AssertionError("nobody refuses anything here")
        say("a", self.head.table, self.head.version, self.head.hash.hex())
        return True

    async def know_the_head(self) -> None:
        """With leases: waits for ours; with a new one, as others may have written in between, reads the table anew."""
        if self.leases is None:
            return
        while (epoch := self.leases.epoch_of(self.partition)) != self.epoch or epoch == 0:
            if epoch == 0:
                await self.leases.changed(self.leases.epochs)
            else:
                self.head = await self.read_head()
                self.epoch = epoch  # unless it is another by now

    async def read_head(self) -> Commit | None:
        commits = await self.store.read(self.table)
        return commits[-1] if commits else None


async def write(store: RedisStore, leases: Leases | None, name: str) -> None:
    say("here")
    writing = [asyncio.create_task(Writer(store, leases, name, table).write()) for table in TABLES]
    told = asyncio.create_task(asyncio.to_thread(sys.stdin.readline))
    done, _ = await asyncio.wait([told, *writing], return_when=asyncio.FIRST_COMPLETED)
    for task in writing:
        task.cancel()
    await asyncio.gather(*writing, return_exceptions=True)
    for task in done - {told}:
        task.result()


async def main(folder: Path, name: str, seconds: float, *, odd_clock: bool) -> None:
    async with await open_store("", folder, now=Clock()) as store:
        if not seconds:
            await write(store, None, name)
            return
        clock = time.process_time if odd_clock else time.monotonic
        async with Leases(store, name, share="fair", seconds=seconds, clock=clock) as leases:
            await write(store, leases, name)


if __name__ == "__main__":
    _, data, called, *rest = sys.argv
    asyncio.run(main(Path(data), called, float(rest[0]) if rest else 0, odd_clock=len(rest) > 1))
