"""The real python-telegram-bot as the client of the sandbox's server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
import pytest
from telegram import Bot

from service.sandbox.waiting import PATIENCE
from service.sandbox.world import World
from tests.service.sandbox.client import client

NewBot = Callable[[World], Awaitable[Bot]]
Raw = Callable[..., dict[str, Any]]


@pytest.fixture
async def new_bot() -> AsyncIterator[NewBot]:
    """Makes clients that are connected to a world."""
    bots: list[Bot] = []

    async def make(world: World) -> Bot:
        bot = client(world)
        await bot.initialize()
        bots.append(bot)
        return bot

    yield make
    for bot in bots:
        await bot.shutdown()


@pytest.fixture
async def bot(bot_api: World, new_bot: NewBot) -> Bot:
    """A client of `bot_api`."""
    return await new_bot(bot_api)


def call_raw(world: World) -> Raw:
    """Calls methods by JSON and gives the answers as they come."""

    def call(method: str, **params: Any) -> dict[str, Any]:
        url = f"{world.url}/bot{world.token}/{method}"
        answer: dict[str, Any] = httpx.post(url, json=params, verify=False, timeout=PATIENCE).json()
        return answer

    return call


@pytest.fixture
def raw(bot_api: World) -> Raw:
    """`call_raw` of `bot_api`."""
    return call_raw(bot_api)
