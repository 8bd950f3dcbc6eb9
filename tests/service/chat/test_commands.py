from __future__ import annotations

import pytest

from service.chat.api import commands
from service.sandbox.people import Place
from service.text import language, languages
from service.text.chat import ADMIN_COMMANDS, EXAMPLES, admin_commands
from service.text.chat import commands as listed
from tests.service.chat.conftest import Running


def test_every_command_has_one_line_of_help_and_every_example_begins_with_its_command() -> None:
    for code in languages():
        for name, words in [*listed(language(code)), *admin_commands(language(code))]:
            assert 0 < len(words) <= 256, name
            assert "\n" not in words, name
    for name, example in EXAMPLES.items():
        assert example.startswith(f"/{name} "), example


async def test_commands_are_registered_by_scope_and_language(running: Running) -> None:
    await commands.register(running.bot)
    known = running.world.commands
    everywhere = {scope for scope, _ in known}
    assert everywhere == {"all_private_chats", "all_group_chats", "all_chat_administrators"}
    assert {code for _, code in known} == {"" if code == "en" else code[:2] for code in languages()}
    names = {scope: {one["command"] for one in known[scope, ""]} for scope in everywhere}
    assert set(ADMIN_COMMANDS) <= names["all_chat_administrators"]
    assert not set(ADMIN_COMMANDS) & (names["all_group_chats"] | names["all_private_chats"])
    assert "mytables" in names["all_private_chats"] - names["all_group_chats"]
    assert all(len(one) <= 100 for one in known.values())


async def test_help_about_a_command_has_its_line_and_an_example(running: Running) -> None:
    ann = running.world.person("Ann")
    ann.say(ann.private, "/help kick")
    told = await running.until(lambda: ann.find(ann.private, "For example: /kick 2 never here"))
    assert told.text.startswith("/kick – ")
    ann.say(ann.private, "/help /scor")
    await running.until(lambda: ann.find(ann.private, "Did you mean /score?"))


@pytest.mark.parametrize("where", ["group", "private"])
async def test_a_mistyped_command_of_ours_gets_a_suggestion(running: Running, where: str) -> None:
    ann = running.world.person("Ann")
    place: Place = running.world.group("Friday", [ann]) if where == "group" else ann.private
    ann.say(place, "/scrore@tabletalk_bot")
    await running.until(lambda: ann.find(place, "Did you mean /score?"))
    ann.say(place, "/xyzzy@tabletalk_bot")
    await running.until(lambda: ann.find(place, "I know no /xyzzy."))


async def test_what_is_not_for_us_is_ignored_in_a_group(running: Running) -> None:
    """A bot does not answer every message as an unknown command (sasha00123/ai-dungeon-bot#1)."""
    ann = running.world.person("Ann")
    group = running.world.group("Friday", [ann])
    await running.until(lambda: ann.find(group, "Hello!"))
    before = len(running.world.calls("sendMessage", group))
    for text in ("good morning", "/weather tomorrow", "/ban Bob", "/hand@other_bot"):
        ann.say(group, text)
    ann.say(group, "/help score")
    await running.until(lambda: ann.find(group, "/score – "))
    assert len(running.world.calls("sendMessage", group)) == before + 1


async def test_privacy_says_what_is_kept(running: Running) -> None:
    ann = running.world.person("Ann")
    ann.say(ann.private, "/privacy")
    told = await running.until(lambda: ann.find(ann.private, "What I keep"))
    assert "/forget" in told.text


async def test_who_wants_to_be_forgotten_is_asked_back_leaves_his_tables_and_is_forgotten(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = running.world.group("Friday", [ann, bob])
    ann.say(group, "/chinchon")
    lobby = await running.until(lambda: ann.find(group, "Join"))
    await running.press(bob, lobby, "Join")
    actor = await running.service.directory.person(f"tg:{bob.id}")
    bob.say(group, "/forget")
    await running.until(lambda: bob.find(group, "Write /forget in our private chat"))
    bob.start()
    bob.say(bob.private, "/forget")
    question = await running.until(lambda: bob.find(bob.private, "You leave the tables where you sit (1)"))
    await running.press(bob, question, "Yes")
    await running.until(lambda: bob.find(bob.private, "You are forgotten."))
    await running.until(lambda: (seen := ann.find(group, "Join")) and "Bob" not in seen.text)
    directory = running.service.directory

    async def kept() -> list[str]:
        return [
            f"{name} {field}"
            for name in ("names", "private", "focus", "habits")
            for field in await directory.everything(name)
            if actor in field
        ]

    async def gone() -> bool:
        return await kept() == [] and await directory.person_key(actor) is None

    await running.eventually(gone)
