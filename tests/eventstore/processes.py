"""Processes on a data folder: players that a test directs, and what can be seen of the server under them."""

from __future__ import annotations

import asyncio
import fcntl
import os
import stat
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from eventstore.redis_store import RedisStore
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]


class Player:
    """A process of player.py."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def does(self, command: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{command}\n".encode())
        return (await self.process.stdout.readline()).decode().strip()

    async def kill(self) -> None:
        self.process.kill()
        await self.process.wait()


Start = Callable[[], Awaitable[Player]]


async def server_gone(folder: Path) -> None:
    """Returns when no server holds the folder: its lock is the only thing to wait for."""

    def lock() -> None:
        with (folder / "store.lock").open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)

    await asyncio.to_thread(lock)


def locked(folder: Path) -> bool:
    with (folder / "store.lock").open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def server_of(store: RedisStore) -> int:
    # The server before was killed under this connection.
    info = await store.servers.harmless(lambda: store.servers.every()[0].info("server"))
    return int(info["process_id"])


def running(process: int) -> bool:
    """Whether the process runs (one that has ended and waits for its parent does not)."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def ended(process: int) -> bool:
    """Whether the process ends, which may be a moment after its files were closed and its locks were free."""
    give_up = time.monotonic() + PATIENCE
    while running(process):
        if time.monotonic() > give_up:
            return False
        time.sleep(0.01)
    return True


async def start_player(folder: Path) -> Player:
    """A player on the folder, which is asked nothing yet."""
    command = (sys.executable, str(Path(__file__).with_name("player.py")), str(folder))
    process = await asyncio.create_subprocess_exec(
        *command,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    return Player(process)
