from __future__ import annotations

import asyncio

import pytest
from telegram import Bot, Update
from telegram.error import Conflict

from service.sandbox.updates import KEPT_MS, UpdateQueue
from service.sandbox.world import World
from tests.bot_api import NewWorld
from tests.service.sandbox.conftest import NewBot


def texts(updates: tuple[Update, ...]) -> list[str | None]:
    return [update.message.text for update in updates if update.message and update.message.text]


async def test_updates_come_again_until_a_higher_offset_is_asked_for(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    ann.start()
    ann.say(ann.private, "one")
    first = await bot.get_updates()
    assert texts(first) == ["/start", "one"]
    assert await bot.get_updates() == first
    assert await bot.get_updates(offset=first[0].update_id) == first
    assert texts(await bot.get_updates(offset=first[1].update_id)) == ["one"]
    assert texts(await bot.get_updates()) == ["one"]
    assert await bot.get_updates(offset=first[1].update_id + 1) == ()


async def test_a_bot_that_was_killed_gets_what_it_had_not_confirmed(bot_api: World, new_bot: NewBot) -> None:
    ann = bot_api.person("Ann")
    ann.start()
    killed = await new_bot(bot_api)
    seen = await killed.get_updates(timeout=5)
    await killed.shutdown()
    ann.say(ann.private, "while it was down")
    again = await (await new_bot(bot_api)).get_updates(timeout=5)
    assert again[0] == seen[0]
    assert texts(again) == ["/start", "while it was down"]


async def test_a_negative_offset_keeps_the_last_ones_only(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    for word in ("one", "two", "three"):
        ann.say(ann.private, word)
    assert texts(await bot.get_updates(offset=-1)) == ["three"]
    assert texts(await bot.get_updates()) == ["three"]


async def test_the_limit_is_kept(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    for number in range(103):
        ann.say(ann.private, str(number))
    assert len(await bot.get_updates()) == 100
    assert texts(await bot.get_updates(limit=2)) == ["0", "1"]


async def test_a_waiting_poll_ends_when_something_happens(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    poll = asyncio.create_task(bot.get_updates(timeout=50))
    await asyncio.to_thread(bot_api.wait_until, lambda: bot_api.poll == 1)
    ann.start()
    assert texts(await poll) == ["/start"]


async def test_of_two_polls_the_earlier_ends_with_a_conflict(bot_api: World, new_bot: NewBot) -> None:
    ann, one, two = bot_api.person("Ann"), await new_bot(bot_api), await new_bot(bot_api)
    first = asyncio.create_task(one.get_updates(timeout=50))
    await asyncio.to_thread(bot_api.wait_until, lambda: bot_api.poll == 1)
    second = asyncio.create_task(two.get_updates(timeout=50))
    with pytest.raises(Conflict, match="terminated by other getUpdates request"):
        await first
    ann.start()
    assert texts(await second) == ["/start"]


async def test_a_poll_whose_client_is_gone_loses_nothing(bot_api: World, new_bot: NewBot) -> None:
    ann, bot = bot_api.person("Ann"), await new_bot(bot_api)
    poll = asyncio.create_task(bot.get_updates(timeout=50))
    await asyncio.to_thread(bot_api.wait_until, lambda: bot_api.poll == 1)
    poll.cancel()
    await asyncio.to_thread(bot_api.wait_until, lambda: bot_api.calls("getUpdates"))
    ann.start()
    assert texts(await bot.get_updates()) == ["/start"]


async def test_kinds_that_were_not_asked_for_never_come(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    await bot.get_updates(allowed_updates=["callback_query"])
    ann.start()
    assert await bot.get_updates() == ()
    await bot.get_updates(allowed_updates=[])
    ann.say(ann.private, "heard")
    assert texts(await bot.get_updates()) == ["heard"]


async def test_members_are_told_of_only_on_request_and_to_an_administrator(bot_api: World, bot: Bot) -> None:
    ann, bob, cleo = (bot_api.person(name) for name in ("Ann", "Bob", "Cleo"))
    group = bot_api.group("Friday", [ann])
    group.promote_bot()
    group.add(bob)
    assert not any(update.chat_member for update in await bot.get_updates())
    await bot.get_updates(allowed_updates=["chat_member"])
    group.add(cleo)
    change = (await bot.get_updates())[-1].chat_member
    assert change is not None
    assert (change.old_chat_member.status, change.new_chat_member.status) == ("left", "member")
    assert change.new_chat_member.user.id == cleo.id


async def test_the_webhook_methods_know_of_no_webhook(bot_api: World, bot: Bot) -> None:
    bot_api.person("Ann").start()
    assert await bot.delete_webhook()
    info = await bot.get_webhook_info()
    assert (info.url, info.pending_update_count) == ("", 1)


async def test_dropping_pending_updates_is_a_violation(bot_api: World, bot: Bot) -> None:
    bot_api.person("Ann").start()
    assert await bot.delete_webhook(drop_pending_updates=True)
    assert bot_api.violations == ["deleteWebhook: drop_pending_updates loses what people did"]
    assert await bot.get_updates() == ()
    bot_api.violations.clear()


async def test_an_update_is_kept_for_a_day(new_world: NewWorld, new_bot: NewBot) -> None:
    now = [1_800_000_000_000]
    world = new_world(clock=lambda: now[0])
    bot = await new_bot(world)
    world.person("Ann").start()
    now[0] += KEPT_MS - 1
    assert len(await bot.get_updates()) == 1
    now[0] += 1
    assert await bot.get_updates() == ()


def test_ids_go_up_by_one_for_updates_that_are_wanted() -> None:
    queue = UpdateQueue(first_id=7)
    assert queue.add("chat_member", {}, 0) is None
    added = [queue.add("message", {}, 0), queue.add("message", {}, 0)]
    assert [update.id for update in added if update] == [7, 8]
