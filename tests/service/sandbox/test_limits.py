from __future__ import annotations

import asyncio

import pytest
from telegram import Bot
from telegram.error import Forbidden, NetworkError, RetryAfter, TelegramError

from service.sandbox.limits import Flood
from service.sandbox.world import World
from tests.bot_api import NewWorld
from tests.service.sandbox.conftest import NewBot, Raw
from tests.service.sandbox.refused import refusal

pytestmark = pytest.mark.filterwarnings("ignore:.*retry_after:telegram.warnings.PTBDeprecationWarning")


def test_a_fault_befalls_the_calls_that_fit_and_no_others(bot_api: World, raw: Raw) -> None:
    ann = bot_api.person("Ann")
    friday, sunday = bot_api.group("Friday", [ann]), bot_api.group("Sunday", [ann])
    fault = bot_api.fault("too_many", method="sendMessage", chat=friday, times=2, retry_after=7)
    assert raw("getMe")["ok"]
    assert raw("sendMessage", chat_id=sunday.id, text="x")["ok"]
    limited = {
        "ok": False,
        "error_code": 429,
        "description": "Too Many Requests: retry after 7",
        "parameters": {"retry_after": 7},
    }
    assert [raw("sendMessage", chat_id=friday.id, text="x") for _ in range(2)] == [limited, limited]
    assert raw("sendMessage", chat_id=friday.id, text="x")["ok"]
    assert ann.texts(friday) == ["x"]
    assert fault.played == 2
    assert [(call.ok, call.fault) for call in bot_api.calls("sendMessage", friday)] == [
        (False, "too_many"),
        (False, "too_many"),
        (True, None),
    ]


async def test_the_client_understands_every_refusal(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    ann.start()
    bot_api.fault("too_many", retry_after=3)
    with pytest.raises(RetryAfter, match="Retry in 0:00:03"):
        await bot.send_message(group.id, "x")
    bot_api.fault("forbidden", chat=group)
    with pytest.raises(Forbidden, match="bot was kicked from the group chat"):
        await bot.send_message(group.id, "x")
    bot_api.fault("forbidden", chat=ann.private)
    with pytest.raises(Forbidden, match="bot was blocked by the user"):
        await bot.send_message(ann.id, "x")
    bot_api.fault("broken")
    with pytest.raises(NetworkError, match="Internal Server Error"):
        await bot.send_message(group.id, "x")
    assert ann.texts(group) == []


async def test_a_dropped_answer_may_mean_delivered_or_not(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    bot_api.fault("unanswered", method="sendMessage")
    with pytest.raises(NetworkError, match="disconnected without sending a response"):
        await bot.send_message(group.id, "delivered")
    bot_api.fault("lost", method="sendMessage")
    with pytest.raises(NetworkError, match="disconnected without sending a response"):
        await bot.send_message(group.id, "lost")
    assert (await bot.send_message(group.id, "answered")).text == "answered"
    assert ann.texts(group) == ["delivered", "answered"]


async def test_updates_survive_an_answer_that_was_dropped(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    ann.start()
    bot_api.fault("unanswered", method="getUpdates")
    with pytest.raises(NetworkError):
        await bot.get_updates()
    assert len(await bot.get_updates()) == 1


async def test_a_delayed_answer_waits_to_be_released(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    fault = bot_api.fault("delayed", method="sendMessage")
    call = asyncio.create_task(bot.send_message(group.id, "slow", read_timeout=60))
    await asyncio.to_thread(ann.wait, lambda: ann.find(group, "slow"))
    for _ in range(3):
        await bot.get_me()  # the server has answered later calls, so this one is held back
    assert not call.done()
    bot_api.release(fault)
    assert (await call).text == "slow"


async def test_more_than_twenty_a_minute_in_a_group_are_too_many(new_world: NewWorld, new_bot: NewBot) -> None:
    now = [1_800_000_000_000]
    world = new_world(flood=True, clock=lambda: now[0])
    ann, bot = world.person("Ann"), await new_bot(world)
    friday, sunday = world.group("Friday", [ann]), world.group("Sunday", [ann])
    sent = await bot.send_message(friday.id, "0")
    for number in range(1, 20):
        now[0] += 1000
        await bot.edit_message_text(str(number), friday.id, sent.message_id)
    with pytest.raises(RetryAfter, match="0:00:41"):
        await bot.send_message(friday.id, "x")
    await bot.send_message(sunday.id, "x")
    now[0] += 40_999
    with pytest.raises(RetryAfter, match="0:00:01"):
        await bot.send_message(friday.id, "x")
    now[0] += 1
    await bot.send_message(friday.id, "y")
    with pytest.raises(RetryAfter):
        await bot.send_message(friday.id, "z")
    assert ann.texts(friday) == ["19", "y"]


async def test_alerts_are_not_counted(new_world: NewWorld, new_bot: NewBot) -> None:
    world = new_world(flood=True, clock=lambda: 1_800_000_000_000)
    bot, group = await new_bot(world), world.group("Friday", [world.person("Ann")])
    for _ in range(40):
        assert "too old" in await refusal(bot.answer_callback_query("1"))
        assert await bot.send_chat_action(group.id, "typing")


def test_thirty_a_second_overall() -> None:
    flood = Flood()
    assert [flood.wait("sendMessage", chat, 0) for chat in range(1, 31)] == [0] * 30
    assert flood.wait("sendMessage", 31, 999) == 1
    assert flood.wait("sendMessage", 31, 1000) == 0


async def test_without_faults_and_flood_nothing_is_limited(bot_api: World, bot: Bot) -> None:
    group = bot_api.group("Friday", [bot_api.person("Ann")])
    for number in range(25):
        try:
            await bot.send_message(group.id, str(number))
        except TelegramError as error:
            pytest.fail(str(error))
