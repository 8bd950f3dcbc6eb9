"""A process that uses a data folder: `python player.py FOLDER`. Says one line a command of its standard input.

up -> the server's process id; append TABLE -> its head's version; count TABLE -> how many commits it has; stop -> bye
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from eventstore.chain import verify
from eventstore.open import open_store
from eventstore.redis_store import RedisStore
from tests.eventstore.drafts import Clock, append


async def obey(store: RedisStore, words: list[str]) -> str:
    match words:
        case ["up"]:
            return str((await store.servers.every()[0].info("server"))["process_id"])
        case ["append", table]:
            return str((await append(store, table))[0].version)
        case ["count", table]:
            commits = await store.read(table)
            verify(commits)
            return str(len(commits))
        case _:
            raise ValueError(words)


async def main(folder: Path) -> None:
    async with await open_store("", folder, now=Clock()) as store:
        while (words := (await asyncio.to_thread(sys.stdin.readline)).split()) not in ([], ["stop"]):
            print(await obey(store, words), flush=True)  # noqa: T201 - the test reads it
    print("bye", flush=True)  # noqa: T201


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
