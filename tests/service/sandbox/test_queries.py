from __future__ import annotations

import asyncio

import pytest
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup

from service.sandbox.people import NotPossible
from service.sandbox.state import Answer
from service.sandbox.world import World
from tests.bot_api import NewWorld
from tests.service.sandbox.conftest import NewBot
from tests.service.sandbox.refused import refusal

OLD = "Query is too old and response timeout expired or query id is invalid"
HAND = InlineKeyboardMarkup.from_button(InlineKeyboardButton("My hand", callback_data="hand:7"))


async def pressed(bot: Bot) -> str:
    """The id of the press that came last."""
    query = (await bot.get_updates(timeout=5))[-1].callback_query
    assert query is not None
    return query.id


async def test_the_presser_alone_sees_the_alert(bot_api: World, bot: Bot) -> None:
    ann, bob = bot_api.person("Ann"), bot_api.person("Bob")
    group = bot_api.group("Friday", [ann, bob])
    await bot.send_message(group.id, "Table", reply_markup=HAND)
    tap = bob.tap(group, "My hand")
    query = (await bot.get_updates(timeout=5))[-1].callback_query
    assert query is not None
    assert (query.data, query.from_user.id, query.message and query.message.chat.id) == ("hand:7", bob.id, group.id)
    assert await bot.answer_callback_query(query.id, "♠A ♥K", show_alert=True)
    assert tap.answered() == Answer("♠A ♥K", show_alert=True)
    assert bob.answers() == [Answer("♠A ♥K", show_alert=True)]
    assert ann.answers() == []
    assert "♠A ♥K" in bot_api.everything_seen_by(bob)
    assert "♠A ♥K" not in bot_api.everything_seen_by(ann, data=True)


async def test_press_waits_for_the_answer(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    sent = await bot.send_message(group.id, "Table", reply_markup=HAND)
    press = asyncio.create_task(asyncio.to_thread(ann.press, ann.sees(group)[-1], "My hand"))
    await bot_api_has_query(bot_api)
    await bot.answer_callback_query(await pressed(bot), "yes")
    assert (await press).text == "yes"
    assert sent.message_id == ann.sees(group)[-1].id


async def bot_api_has_query(world: World) -> None:
    await asyncio.to_thread(world.wait_until, lambda: world.queries)


async def test_a_query_is_answered_once(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    await bot.send_message(group.id, "Table", reply_markup=HAND)
    tap = ann.tap(group, "My hand")
    query = await pressed(bot)
    assert await bot.answer_callback_query(query)
    assert tap.answered() == Answer()
    assert (await refusal(bot.answer_callback_query(query, "again"))).lower() == OLD.lower()
    assert (await refusal(bot.answer_callback_query("12345"))).lower() == OLD.lower()


async def test_an_answer_that_comes_too_late_is_refused(new_world: NewWorld, new_bot: NewBot) -> None:
    now = [1_800_000_000_000]
    world = new_world(clock=lambda: now[0])
    ann, bot = world.person("Ann"), await new_bot(world)
    group = world.group("Friday", [ann])
    await bot.send_message(group.id, "Table", reply_markup=HAND)
    in_time, late = ann.tap(group, "My hand"), ann.tap(group, "My hand")
    now[0] += 15_000
    assert await bot.answer_callback_query(in_time.query.id, "in time")
    now[0] += 1
    assert (await refusal(bot.answer_callback_query(late.query.id, "late"))).lower() == OLD.lower()
    assert [answer.text for answer in ann.answers()] == ["in time"]


async def test_an_alert_has_at_most_200_characters(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    await bot.send_message(group.id, "Table", reply_markup=HAND)
    query = ann.tap(group, "My hand").query.id
    assert await refusal(bot.answer_callback_query(query, "x" * 201, show_alert=True)) == "Message_too_long"
    assert await bot.answer_callback_query(query, "x" * 200, show_alert=True)


async def test_only_buttons_that_stand_there_can_be_pressed(bot_api: World, bot: Bot) -> None:
    ann, cleo = bot_api.person("Ann"), bot_api.person("Cleo")
    group = bot_api.group("Friday", [ann])
    sent = await bot.send_message(group.id, "Table", reply_markup=HAND)
    table = ann.sees(group)[-1]
    with pytest.raises(NotPossible, match="sees no button"):
        ann.tap(group, "Join")
    with pytest.raises(NotPossible):
        cleo.tap(group, "My hand")
    assert ann.tap(group, lambda button: button.value == "hand:7").query.data == "hand:7"
    await bot.edit_message_text("Over", group.id, sent.message_id)
    with pytest.raises(NotPossible):
        ann.tap(table, "My hand")


async def test_a_modified_client_can_send_any_data(bot_api: World, bot: Bot) -> None:
    ann, cleo = bot_api.person("Ann"), bot_api.person("Cleo")
    group = bot_api.group("Friday", [ann])
    await bot.send_message(group.id, "Table", reply_markup=HAND)
    table = ann.sees(group)[-1]
    tap = ann.tap_raw(table, "play:QS")
    query = (await bot.get_updates(timeout=5))[-1].callback_query
    assert query is not None
    assert query.data == "play:QS"
    await bot.answer_callback_query(query.id, "not yours")
    assert tap.answered().text == "not yours"
    with pytest.raises(NotPossible):
        cleo.tap_raw(table, "play:QS")
    with pytest.raises(NotPossible):
        ann.tap_raw(ann.say(group, "/help"), "play:QS")


async def test_a_button_without_an_answer_tells_what_was_waited_for(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    await bot.send_message(group.id, "Table", reply_markup=HAND)
    with pytest.raises(TimeoutError, match=r"an answer to the press of 'hand:7'[^$]*Table"):
        ann.press(group, "My hand", timeout=0.01)


async def test_a_press_in_a_group_that_the_bot_has_left_reaches_nobody(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    await bot.send_message(group.id, "Table", reply_markup=HAND)
    group.remove_bot()
    ann.tap(group, "My hand")
    assert not any(update.callback_query for update in await bot.get_updates())


async def test_a_link_button_leads_to_the_private_chat(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    button = InlineKeyboardButton("Private", url="https://t.me/tabletalk_bot?start=table-7")
    await bot.send_message(group.id, "Table", reply_markup=InlineKeyboardMarkup.from_button(button))
    with pytest.raises(NotPossible, match="sends nothing to the bot"):
        ann.tap(group, "Private")
    ann.follow(group, "Private")
    message = (await bot.get_updates())[-1].message
    assert message is not None
    assert (message.text, message.chat.type) == ("/start table-7", "private")
    await bot.send_message(ann.id, "Welcome")
    assert ann.texts(ann.private) == ["/start table-7", "Welcome"]
