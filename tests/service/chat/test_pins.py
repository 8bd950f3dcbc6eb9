"""The table's message is pinned where the bot may, and nobody hears of it where it may not."""

from __future__ import annotations

from functools import partial

from service.chat.board.shown import Shown
from tests.service.chat.conftest import Running
from tests.service.chat.test_nudge import said
from tests.service.chat.test_views import four, move, started


async def refused(running: Running, table: str) -> bool:
    """Whether it is noted that the table's message may not be pinned."""
    return (await Shown(running.service.directory).pinned(table)).refused


async def test_the_tables_message_is_pinned_silently_and_moves_with_it(running: Running) -> None:
    """One static message that shows whose turn it is, pinned (brettstack/civ6-play-by-cloud-turn-notifier#101)."""
    people = four(running)
    group = running.world.group("Friday", people)
    group.promote_bot()
    _, message = await started(running, group, people)
    pinned = running.world.chats[group.id].pinned
    await running.until(lambda: pinned == [message.id])
    assert all(call.params["disable_notification"] for call in running.world.calls("pinChatMessage", group))
    people[0].say(group, "/table")
    again = await running.until(
        lambda: next((m for m in people[0].sees(group) if m.id > message.id and m.keyboard), None)
    )
    await running.until(lambda: pinned == [again.id])


async def test_a_bot_that_may_not_pin_asks_once_and_plays_on(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    group.promote_bot(without=("can_pin_messages",))
    table, _ = await started(running, group, people)
    await running.eventually(partial(refused, running, table))
    for number in range(3):
        await move(running, table, number)
    await running.stop()
    await running.start()
    people[0].say(group, "/table")
    await running.until(lambda: len([m for m in people[0].sees(group) if "newer one stands" in m.text]) == 1)
    assert len(running.world.calls("pinChatMessage", group)) == 1


async def test_a_group_that_wants_no_pin_gets_none_and_loses_the_one_it_has(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    group.promote_bot()
    _, message = await started(running, group, people)
    pinned = running.world.chats[group.id].pinned
    await running.until(lambda: pinned == [message.id])
    await said(running, people[0], group, "/settings pin=no", "Pin the table: no")
    await running.until(lambda: pinned == [])


async def test_the_pin_of_a_game_that_is_over_is_taken_off(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    group.promote_bot()
    table, message = await started(running, group, people)
    pinned = running.world.chats[group.id].pinned
    await running.until(lambda: pinned == [message.id])
    for number in range(56):
        await move(running, table, number)
    await running.until(lambda: people[0].find(group, "Winner") or people[0].find(group, "The game is over"))
    await running.until(lambda: pinned == [])
