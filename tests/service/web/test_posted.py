"""Updates by webhook as `serve` handles them: when they are done, and how long what is noted for one holds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
from starlette.applications import Starlette
from telegram import Update

from service.sandbox.world import World
from service.settings import Settings
from service.web.posted import KEPT_MS, Posted
from service.web.webhook import Webhook
from tests.service.chat.conftest import patient
from tests.service.sandbox.client import client

HOUR_MS = 60 * 60 * 1000
SECRET = "a-secret-of-this-webhook"
SETTINGS = Settings(webhook_url="http://127.0.0.1:1/hook", webhook_secret=SECRET)


class Receiving:
    """What is posted is noted in `handled`, once `go` is set; `now` is the time."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.webhook = Webhook(SETTINGS)
        self.stop, self.begun, self.go = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.now = 0
        self.handled: list[int] = []
        self.confirmed: list[int] = []

    async def _handle(self, update: Update) -> None:
        self.begun.set()
        await self.go.wait()
        self.handled.append(update.update_id)

    async def _late(self, update: Update) -> None:
        raise AssertionError("a press waits")

    async def _confirm(self, below: int) -> None:
        self.confirmed.append(below)

    async def post(self, number: int) -> int:
        transport = httpx.ASGITransport(Starlette(routes=self.webhook.routes()))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:1") as client:
            headers = {"X-Telegram-Bot-Api-Secret-Token": SECRET}
            return (await client.post("/hook", json={"update_id": number}, headers=headers)).status_code

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with client(self.world) as bot:
            posted = Posted(self.webhook, bot, self._handle, self._late, self._confirm, lambda: self.now)
            with patient():
                task = asyncio.create_task(posted.run(self.stop))
                self.go.set()
                while await self.post(0) != 200:  # noqa: ASYNC110 - until it takes them
                    await asyncio.sleep(0.01)
                self.handled.clear()
                yield
                self.stop.set()
                await task


async def test_notes_are_dropped_when_telegram_has_forgotten_the_update_and_not_before(bot_api: World) -> None:
    receiving = Receiving(bot_api)
    async with receiving.running():
        for hours, update in ((0, 11), (20, 12), (25, 13), (27, 14), (40, 3), (50, 4)):  # 3: ids began anew
            receiving.now = hours * HOUR_MS
            assert await receiving.post(update) == 200
    assert KEPT_MS == 25 * HOUR_MS
    assert receiving.confirmed == [12, 3]


async def test_what_is_in_hand_at_the_end_is_finished_and_answered_and_nothing_is_taken_after_it(
    bot_api: World,
) -> None:
    receiving = Receiving(bot_api)
    async with receiving.running():
        receiving.go.clear()
        receiving.begun.clear()
        in_hand = asyncio.create_task(receiving.post(11))
        await receiving.begun.wait()
        receiving.stop.set()
        await asyncio.wait((in_hand,), timeout=0.1)
        assert not in_hand.done()
        assert await receiving.post(12) == 503
        receiving.go.set()
        assert await in_hand == 200
    assert receiving.handled == [11]
