"""One `serve` a data folder: two would show every table and tell every result twice."""

from __future__ import annotations

import asyncio
import fcntl
import re
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO

import structlog

log = structlog.get_logger()

_RETRY_SECONDS = 0.5
_TOKEN = re.compile(r"[0-9a-f]{16}")
_LONGEST = 64


@asynccontextmanager
async def alone(folder: Path) -> AsyncIterator[str | None]:
    """Holds the folder's lock; waits, and says so once, while another process does. It goes with the process.

    Gives a name that no other process has as long as it is held: of this machine and this folder. A folder that cannot
    be written to (key and store are elsewhere then) is not locked, and gives None.
    """
    file = _open(folder)
    if file is None:
        yield None
        return
    with file:
        said = False
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if not said:
                    log.warning("another tabletalk serve uses this data folder; waiting until it stops")
                    said = True
                await asyncio.sleep(_RETRY_SECONDS)
            except OSError as error:  # a file system without locks
                log.debug("the data folder cannot be locked", fault=type(error).__name__)
                yield None
                return
        yield f"{socket.gethostname()}.{_token(file)}"


def _token(file: IO[str]) -> str:
    """What the lock's file holds: made at the first start."""
    file.seek(0)
    known = file.read(_LONGEST).strip()
    if not _TOKEN.fullmatch(known):
        known = secrets.token_hex(8)
        file.seek(0)
        file.truncate()
        file.write(known)
        file.flush()
    return known


def _open(folder: Path) -> IO[str] | None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return (folder / "serve.lock").open("a+")
    except OSError as error:
        log.debug("the data folder cannot be locked", fault=type(error).__name__)
        return None
