from __future__ import annotations

import asyncio
import time

import pytest
from telegram import Bot

from service.chat.api.outbox import GROUP, OVERALL, Outbox
from service.clock import SystemClock
from service.sandbox.waiting import PATIENCE

CHAT = -5


def an_outbox() -> Outbox:
    return Outbox(Bot("1234567:" + "x" * 35), SystemClock())


@pytest.mark.parametrize("set_by", [-3600, 3600])
async def test_a_wall_clock_that_is_set_changes_no_window(set_by: float, monkeypatch: pytest.MonkeyPatch) -> None:
    out, loop = an_outbox(), asyncio.get_running_loop()
    for _ in range(GROUP.amount):
        await out.room(CHAT)
    wall_clock, own_clock = time.time, loop.time
    monkeypatch.setattr(time, "time", lambda: wall_clock() + set_by)
    assert not await out.room_now(CHAT)
    monkeypatch.setattr(loop, "time", lambda: own_clock() + 61)
    assert await out.room_now(CHAT)


async def test_those_who_wait_for_what_all_chats_share_get_it_in_turn() -> None:
    out, got = an_outbox(), list[int]()

    async def wait(chat: int) -> None:
        await out.room(chat)
        got.append(chat)

    chats = list(range(1, OVERALL.amount + 11))
    begun = time.monotonic()
    await asyncio.gather(*map(wait, chats))
    assert got == chats
    assert time.monotonic() - begun >= 0.9


async def test_a_chat_without_room_keeps_none_from_the_others() -> None:
    out = an_outbox()
    for _ in range(GROUP.amount):
        await out.room(CHAT)
    waiting = asyncio.ensure_future(out.room(CHAT))
    await asyncio.sleep(0)
    await asyncio.wait_for(out.room(CHAT - 1), PATIENCE)
    assert not waiting.done()
    waiting.cancel()
