from __future__ import annotations

import pytest
from telegram import Bot, BotCommand, BotCommandScopeAllPrivateChats, BotCommandScopeChat, BotCommandScopeChatMember

from service.sandbox.world import World
from tests.service.sandbox.conftest import Raw
from tests.service.sandbox.refused import refusal


async def test_the_bot_knows_itself(bot_api: World, bot: Bot) -> None:
    me = await bot.get_me()
    assert (me.id, me.username, me.is_bot) == (int(bot_api.token.partition(":")[0]), "tabletalk_bot", True)
    assert me.can_read_all_group_messages is False


async def test_commands_are_kept_by_scope_and_language(bot_api: World, bot: Bot) -> None:
    group = bot_api.group("Friday", [bot_api.person("Ann")])
    await bot.set_my_commands([BotCommand("help", "Help")])
    await bot.set_my_commands([("hand", "Your hand")], BotCommandScopeAllPrivateChats(), "de")
    await bot.set_my_commands([("callbreak", "A table")], BotCommandScopeChat(group.id))
    assert await bot.get_my_commands() == (BotCommand("help", "Help"),)
    assert await bot.get_my_commands(BotCommandScopeAllPrivateChats()) == ()
    assert [one.command for one in await bot.get_my_commands(BotCommandScopeAllPrivateChats(), "de")] == ["hand"]
    assert [one.command for one in await bot.get_my_commands(BotCommandScopeChat(group.id))] == ["callbreak"]
    assert await bot.delete_my_commands()
    assert await bot.get_my_commands() == ()


@pytest.mark.parametrize(
    ("commands", "words"),
    [
        ([{"command": "Call!", "description": "x"}], "BOT_COMMAND_INVALID"),
        ([{"command": "x" * 33, "description": "x"}], "BOT_COMMAND_INVALID"),
        ([{"command": "call", "description": ""}], "BOT_COMMAND_DESCRIPTION_INVALID"),
        ([{"command": "call", "description": "x" * 257}], "BOT_COMMAND_DESCRIPTION_INVALID"),
        ([{"command": f"c{n}", "description": "x"} for n in range(101)], "BOT_COMMANDS_TOO_MUCH"),
    ],
)
def test_commands_that_telegram_refuses(raw: Raw, commands: list[dict[str, str]], words: str) -> None:
    assert raw("setMyCommands", commands=commands)["description"] == f"Bad Request: {words}"


async def test_scopes_and_languages_that_telegram_refuses(bot_api: World, bot: Bot, raw: Raw) -> None:
    one = [BotCommand("help", "Help")]
    assert await refusal(bot.set_my_commands(one, language_code="german")) == "Invalid language code specified"
    assert await refusal(bot.set_my_commands(one, BotCommandScopeChatMember(-1, 1))) == "Chat not found"
    assert raw("getMyCommands", scope={"type": "planet"})["description"].startswith(
        "Bad Request: can't parse BotCommandScope"
    )
    bot_api.violations.clear()  # the second reader minds as well


async def test_members_and_administrators(bot_api: World, bot: Bot) -> None:
    ann, bob, cleo, dan = (bot_api.person(name) for name in ("Ann", "Bob", "Cleo", "Dan"))
    group = bot_api.group("Friday", [ann, bob, cleo], admins=[bob])
    cleo.leave(group)
    statuses = [(await bot.get_chat_member(group.id, person.id)).status for person in (ann, bob, cleo, dan)]
    assert statuses == ["creator", "administrator", "left", "left"]
    assert [member.user.id for member in await bot.get_chat_administrators(group.id)] == [ann.id, bob.id]
    group.remove(bob)
    assert (await bot.get_chat_member(group.id, bob.id)).status == "kicked"
    assert await refusal(bot.get_chat_member(group.id, 5)) == "User not found"


async def test_a_chat_is_told_in_full(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann", last_name="Lee", username="ann_lee")
    group, club = bot_api.group("Friday", [ann]), bot_api.group("Club", [ann], supergroup=True)
    assert await refusal(bot.get_chat(ann.id)) == "Chat not found"
    ann.start()
    private = await bot.get_chat(ann.id)
    assert (private.type, private.first_name, private.username) == ("private", "Ann", "ann_lee")
    assert ((await bot.get_chat(group.id)).type, (await bot.get_chat(club.id)).type) == ("group", "supergroup")
    assert await refusal(bot.get_chat_administrators(ann.id)) == "There are no administrators in the private chat"
