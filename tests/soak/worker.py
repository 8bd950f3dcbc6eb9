"""A process that plays tables until it is killed: `python worker.py FOLDER NAME TABLE...`.

Says each acknowledgement in a line, before it asks the same table for anything else: table, version, hash, command id.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from pathlib import Path

import structlog

from eventstore.open import open_store
from eventstore.redis_store import RedisStore
from eventstore.store import StoreDown
from service.clock import SystemClock
from service.engine import Done, Engine
from tests.soak.playing import Asked, Players, new_engine, submit


async def play(engine: Engine, players: Players, table: str) -> None:
    """Plays the table to its end. What the store leaves unanswered is asked again, under the same id."""
    asked: Asked | None = None
    while True:
        try:
            if asked is None and (asked := players.next(table, (await engine.held(table)).state)) is None:
                return
            outcome = await submit(engine, table, asked)
        except StoreDown:
            await asyncio.sleep(0.01)
            continue
        if isinstance(outcome, Done):  # else another process was faster
            print(table, outcome.version, outcome.head.hex(), asked.command, flush=True)  # noqa: T201
        asked = None


async def opened(folder: Path) -> RedisStore:
    """The store, however often its server is killed while we come to it."""
    while True:
        try:
            return await open_store("", folder, now=SystemClock().now)
        except StoreDown:
            await asyncio.sleep(0.01)


async def main(folder: Path, name: str, tables: list[str]) -> None:
    async with await opened(folder) as store:
        engine, players = new_engine(store), Players(name)
        await asyncio.gather(*(play(engine, players, table) for table in tables))


if __name__ == "__main__":
    _, data, called, *theirs = sys.argv
    quiet = structlog.make_filtering_bound_logger(logging.ERROR)  # standard output is for acknowledgements
    structlog.configure(wrapper_class=quiet, logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    asyncio.run(main(Path(data), called, theirs))
