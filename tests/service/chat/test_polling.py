from __future__ import annotations

import asyncio

import pytest
from telegram import Bot, Update
from telegram.error import InvalidToken

from service.chat.api import queues
from service.chat.api.incoming import chat_of
from service.chat.api.polling import Poller
from service.sandbox.waiting import PATIENCE
from service.sandbox.world import World
from tests.service.sandbox.client import client


async def nothing(_: object) -> None:
    return


async def until(world: World, holds: object) -> None:
    await asyncio.to_thread(world.wait_until, holds)  # type: ignore[arg-type]


async def test_one_chat_in_order_others_beside_it_and_nothing_is_confirmed_before_it_is_done(bot_api: World) -> None:
    """Two messages one after the other move the game on twice (owenjones/MafiaBot#11)."""
    ann, bob = bot_api.person("Ann"), bot_api.person("Bob")
    for text in ("first", "second"):
        ann.say(ann.private, text)
    bob.say(bob.private, "third")
    release, first = asyncio.Event(), asyncio.Event()
    handled: list[str | None] = []
    confirmed: list[int] = []

    async def handle(update: Update) -> None:
        assert update.message is not None
        if chat_of(update) == ann.id:
            await release.wait()
        handled.append(update.message.text)
        first.set()

    async def confirm(below: int) -> None:
        confirmed.append(below)

    stop = asyncio.Event()
    async with client(bot_api) as bot:
        polling = asyncio.create_task(Poller(bot, handle, nothing, confirm).run(stop))
        await first.wait()
        assert handled == ["third"]
        await until(bot_api, lambda: len(bot_api.calls("getUpdates")) > 1)
        assert len(bot_api.updates.waiting) == 3, "all of them would come again"
        assert not confirmed or confirmed[-1] <= bot_api.updates.waiting[0].id
        release.set()
        await until(bot_api, lambda: not bot_api.updates.waiting)
        assert handled == ["third", "first", "second"]
        stop.set()
        await polling


async def test_what_is_in_hand_at_the_end_is_finished(bot_api: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queues, "_FINISH", PATIENCE)
    ann = bot_api.person("Ann")
    ann.say(ann.private, "hello")
    stop, begun, done = asyncio.Event(), asyncio.Event(), []

    async def handle(update: Update) -> None:
        begun.set()
        await asyncio.sleep(0.05)
        done.append(update.update_id)

    async with client(bot_api) as bot:
        polling = asyncio.create_task(Poller(bot, handle, nothing, nothing).run(stop))
        await begun.wait()
        stop.set()
        await polling
    assert len(done) == 1


async def test_a_telegram_that_fails_is_asked_again(bot_api: World) -> None:
    bot_api.fault("broken", method="getUpdates", times=1)
    ann = bot_api.person("Ann")
    ann.say(ann.private, "hello")
    stop, done = asyncio.Event(), asyncio.Event()

    async def handle(update: Update) -> None:
        done.set()

    async with client(bot_api) as bot:
        polling = asyncio.create_task(Poller(bot, handle, nothing, nothing).run(stop))
        await done.wait()
        stop.set()
        await polling
    first, *others = bot_api.calls("getUpdates")
    assert not first.ok
    assert any(call.ok for call in others)


async def test_a_press_that_waits_too_long_is_told_so(bot_api: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """`query is too old` after slow work (nutgram/nutgram#725, chelaxian/tg-ytdlp-bot#470)."""
    monkeypatch.setattr(queues, "_PRESS_PATIENCE", 0.05)
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    late, release, stop = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def handle(update: Update) -> None:
        await release.wait()

    async def is_late(update: Update) -> None:
        late.set()

    async with client(bot_api) as bot:
        message = await bot.send_message(group.id, "A message")
        polling = asyncio.create_task(Poller(bot, handle, is_late, nothing).run(stop))
        ann.tap_raw(ann.sees(group)[-1], "x")
        await late.wait()
        release.set()
        stop.set()
        await polling
    assert message.message_id


async def test_a_token_that_is_taken_away_ends_it(bot_api: World) -> None:
    bot = Bot("1234567:" + "x" * 35, base_url=f"{bot_api.url}/bot")
    with pytest.raises(InvalidToken):
        await Poller(bot, nothing, nothing, nothing).run(asyncio.Event())
    for request in bot._request:  # shutdown() closes nothing where initialize() was not done
        await request.shutdown()


async def test_another_poller_of_the_same_bot_is_waited_for(bot_api: World) -> None:
    stop, done = asyncio.Event(), asyncio.Event()

    async def handle(update: Update) -> None:
        done.set()

    async with client(bot_api) as bot, client(bot_api) as other:
        polling = asyncio.create_task(Poller(bot, handle, nothing, nothing, conflict_pause=0.05).run(stop))
        await until(bot_api, lambda: bot_api.poll)
        await other.get_updates(timeout=0)
        await until(bot_api, lambda: any(call.answer.get("error_code") == 409 for call in bot_api.calls("getUpdates")))
        bot_api.person("Ann").start()
        await done.wait()
        stop.set()
        await polling


async def test_ids_that_begin_anew_after_a_quiet_week_are_handled(bot_api: World) -> None:
    """An id lower than the last one is new: Telegram chooses it at random after a week without updates."""
    ann = bot_api.person("Ann")
    handled: list[str | None] = []
    ann.say(ann.private, "before")

    async def handle(update: Update) -> None:
        assert update.message is not None
        handled.append(update.message.text)

    stop = asyncio.Event()
    async with client(bot_api) as bot:
        polling = asyncio.create_task(Poller(bot, handle, nothing, nothing).run(stop))
        await until(bot_api, lambda: not bot_api.updates.waiting)
        bot_api.updates.begin_anew(5_000)
        for text in ("after", "and on"):
            ann.say(ann.private, text)
            await until(bot_api, lambda: not bot_api.updates.waiting)
        stop.set()
        await polling
    assert handled == ["before", "after", "and on"]


async def test_what_takes_long_in_one_chat_does_not_hold_up_another(
    bot_api: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Updates in hand come again with every poll, so that nobody may poll all the time; but a press must not wait.

    How long it is waited at most between two polls is longer here than anybody is patient.
    """
    monkeypatch.setattr(queues, "_PROGRESS", 2 * PATIENCE)
    ann, bob = bot_api.person("Ann"), bot_api.person("Bob")
    release, begun, handled = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def handle(update: Update) -> None:
        if chat_of(update) == ann.id:
            begun.set()
            await release.wait()
        else:
            handled.set()

    stop = asyncio.Event()
    async with client(bot_api) as bot:
        polling = asyncio.create_task(Poller(bot, handle, nothing, nothing).run(stop))
        ann.say(ann.private, "slow")
        await begun.wait()
        for _ in range(5):
            handled.clear()
            bob.say(bob.private, "quick")
            await asyncio.wait_for(handled.wait(), PATIENCE)
        polls = len(bot_api.calls("getUpdates"))
        await asyncio.sleep(2.0)
        assert len(bot_api.calls("getUpdates")) - polls < 12, "nobody writes: it is asked seldom"
        release.set()
        stop.set()
        await polling
