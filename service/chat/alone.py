"""One `serve` a data folder: two would show every table and tell every result twice."""

from __future__ import annotations

import asyncio
import fcntl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO

import structlog

log = structlog.get_logger()

_RETRY_SECONDS = 0.5


@asynccontextmanager
async def alone(folder: Path) -> AsyncIterator[None]:
    """Holds the folder's lock; waits, and says so once, while another process does. It goes with the process.

    A folder that cannot be written to (key and store are elsewhere then) is not locked.
    """
    file = _open(folder)
    if file is None:
        yield
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
                break
        yield


def _open(folder: Path) -> IO[str] | None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return (folder / "serve.lock").open("w")
    except OSError as error:
        log.debug("the data folder cannot be locked", fault=type(error).__name__)
        return None
