"""Waiting in an event loop for something to hold in a world that other threads change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from service.sandbox.world import World

PATIENCE = 60.0
"""Seconds that people wait for something before it counts as missing. Nobody waits longer than he must, so it costs
nothing where all is well, and a busy machine is no fault of the bot's."""


async def until(world: World, holds: Callable[[], bool], seconds: float | None) -> None:
    """Waits until `holds` (asked again at each change of the world), at most so many seconds."""
    loop, event = asyncio.get_running_loop(), asyncio.Event()

    def wake() -> None:
        loop.call_soon_threadsafe(event.set)

    with world.changed:
        world.listeners.add(wake)
    try:
        async with asyncio.timeout(seconds):
            while True:
                event.clear()
                with world.changed:
                    if holds():
                        return
                await event.wait()
    except TimeoutError:
        return
    finally:
        with world.changed:
            world.listeners.discard(wake)
