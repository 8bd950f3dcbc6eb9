from __future__ import annotations

import time

import pytest
from telegram import Bot

from service.chat.outbox import GROUP, Outbox
from service.clock import SystemClock

CHAT = -5


@pytest.mark.parametrize("set_by", [-3600, 3600])
async def test_a_wall_clock_that_is_set_holds_no_chat(set_by: float, monkeypatch: pytest.MonkeyPatch) -> None:
    out = Outbox(Bot("1234567:" + "x" * 35), SystemClock())
    for _ in range(GROUP.amount):
        await out.room(CHAT)
    assert not await out.room_now(CHAT)
    wall_clock = time.time
    monkeypatch.setattr(time, "time", lambda: wall_clock() + set_by)
    assert await out.room_now(CHAT)
