"""A program that runs until SIGTERM or SIGINT, and then ends within some seconds."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog

log = structlog.get_logger()

PATIENCE = 7.0  # s that the end may take to let what is in hand finish

Work = Callable[[asyncio.Event, asyncio.Event], Awaitable[None]]
"""What runs until its first event; it sets the second when there is something that the end should wait for."""


async def until_told(work: Work) -> int:
    """Runs until a signal asks for the end, then gives 0. Raises what the work raises."""
    stop, begun = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    working = asyncio.ensure_future(work(stop, begun))
    stopping = asyncio.ensure_future(stop.wait())
    await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
    if not working.done():
        if begun.is_set():
            await asyncio.wait((working,), timeout=PATIENCE)
        working.cancel()
    stopping.cancel()
    with suppress(asyncio.CancelledError):
        await working
    log.info("stopped")
    return 0


async def first_of(*works: Awaitable[object]) -> None:
    """Returns when one of these has ended; the others are then cancelled, and what one raises is raised."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()
