"""Groups and their people: who is still here, and which group this is."""

from __future__ import annotations

import asyncio
from functools import partial

from service.chat.tables.pairs import pair
from tests.service.chat.conftest import Running
from tests.service.chat.test_lobby import tables
from tests.service.chat.test_members import left, paused, playing
from tests.service.chat.test_talk import says
from tests.service.chat.test_views import closed_to_us, four, move, started

SETTLED = 1.5  # seconds: what is shown in a group waits for less


async def test_a_leaver_whose_service_message_another_bot_deleted_loses_his_seat_all_the_same(running: Running) -> None:
    """`chat_member` updates tell of it where the bot is an administrator (yagop/node-telegram-bot-api#1181)."""
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    group, name = await playing(running, ann, bob, cat)
    group.promote_bot()
    group.remove(cat, by=cat, silent=True)
    await running.eventually(partial(left, running, name, 2))
    assert not running.world.calls("getChatMember"), "it was told, not found out"
    assert not await left(running, name, 0)


async def test_what_is_posted_by_itself_finds_a_group_that_became_a_supergroup_by_the_error(running: Running) -> None:
    """`group chat was upgraded` comes to what nobody asked for too.

    Reports: thedevs-network/the-guard-bot#122, grammyjs/website#559.
    """
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    old = group.migrate(silent=True)
    for number in range(4):
        await move(running, table, number)
    shown = await running.until(lambda: people[0].find(group, "trick 1"), "the table in the supergroup")
    assert "My hand" in shown.buttons
    assert "trick 1" in shown.text
    refused = [call for call in running.world.calls() if "upgraded" in str(call.answer)]
    assert {call.params["chat_id"] for call in refused} == {old}
    assert len(refused) < 4, "who has been told the new number uses it"


async def test_a_group_that_forbids_an_answer_is_left_alone_and_nothing_is_delivered_again(running: Running) -> None:
    """The bot is thrown out of a chat, fails there, and the update comes again.

    Reports: eternnoir/pyTelegramBotAPI#2204, bostrot/telegram-support-bot#71.
    """
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    await running.until(lambda: running.world.calls("pinChatMessage", group), "the last of what is done at the start")
    fault = running.world.fault("forbidden", chat=group, times=100)
    people[0].say(group, "/score")
    await running.until(lambda: fault.played and not running.world.updates.waiting, "the answer was refused")
    await move(running, table, 1)
    await running.eventually(partial(closed_to_us, running, group))
    await move(running, table, 2)
    await running.eventually(partial(paused, running, table))
    await asyncio.sleep(SETTLED)
    assert fault.played == 2, "the answer, and the table's message after the first move"
    assert not running.world.updates.waiting


async def test_commands_answers_and_buttons_are_enough_with_privacy_mode_on_and_it_is_said(running: Running) -> None:
    """Plain text never comes to a bot in privacy mode, and nobody says so.

    Reports: Prism-Shadow/penguin-harness#499, archestra-ai/archestra#6562.
    """
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = running.world.group("Friday", [ann, bob])
    await running.until(lambda: ann.find(group, "Hello!"))
    posted = len(ann.sees(group))
    for text in ("let us play", "@tabletalk_bot callbreak", "4"):
        ann.say(group, text)
    await says(running, ann, group, "/help", "I listen only to commands, answers to my messages and buttons")
    assert len(ann.sees(group)) == posted + 3 + 2, "three times plain text, a command and its answer"
    bob.start()
    await says(running, bob, bob.private, "/privacy", "I read commands, answers to my messages")


async def test_an_administrator_of_one_group_has_no_power_over_tables_of_another(running: Running) -> None:
    """Administrators see and judge their own group's players alone (GreyWolfDev/Werewolf#96)."""
    ann, bob, eve = (running.world.person(name) for name in ("Ann", "Bob", "Eve"))
    _, name = await playing(running, ann, bob)
    other = running.world.group("Sunday", [eve, bob], supergroup=True)
    version = (await running.service.engine.held(name)).version
    for command in ("kick", "close", "pause", "audit", "standin", "log"):
        await says(running, eve, other, f"/{command} {pair(name)}", f"No table here is called {pair(name)}.")
    assert (await running.service.engine.held(name)).version == version
    assert await tables(running, other) == []
    assert not [text for text in eve.texts(other) if "Ann" in text]
