"""The real python-telegram-bot, as patient as people are: on a busy machine an answer is late, not lost."""

from __future__ import annotations

from telegram import Bot
from telegram.request import HTTPXRequest

from service.sandbox.waiting import PATIENCE
from service.sandbox.world import World


def client(world: World) -> Bot:
    """A client of a world, not connected yet."""
    calls, updates = _line(), _line()
    return Bot(world.token, base_url=f"{world.url}/bot", request=calls, get_updates_request=updates)


def _line() -> HTTPXRequest:
    return HTTPXRequest(
        read_timeout=PATIENCE,
        write_timeout=PATIENCE,
        connect_timeout=PATIENCE,
        pool_timeout=PATIENCE,
        media_write_timeout=PATIENCE,
        httpx_kwargs={"verify": False},  # no certificates to load
    )
