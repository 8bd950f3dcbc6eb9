from __future__ import annotations

import pytest
from telegram import Bot

from service.sandbox.people import NotPossible
from service.sandbox.world import World
from tests.bot_api import NewWorld
from tests.service.sandbox.conftest import NewBot


async def heard(bot: Bot) -> list[str]:
    return [update.message.text for update in await bot.get_updates() if update.message and update.message.text]


@pytest.mark.parametrize(
    ("text", "reaches"),
    [
        ("/callbreak", True),
        ("/call 4", True),
        ("/call@tabletalk_bot 4", True),
        ("/call@TableTalk_Bot 4", True),
        ("/call@other_bot 4", False),
        ("hello", False),
        ("so /call 4", False),
        ("@tabletalk_bot hello", False),
        ("/", False),
    ],
)
async def test_in_a_group_the_bot_hears_commands_only(bot_api: World, bot: Bot, text: str, reaches: bool) -> None:
    ann = bot_api.person("Ann")
    ann.say(bot_api.group("Friday", [ann]), text)
    assert await heard(bot) == ([text] if reaches else [])


async def test_it_hears_answers_to_its_own_messages(bot_api: World, bot: Bot) -> None:
    ann, bob = bot_api.person("Ann"), bot_api.person("Bob")
    group = bot_api.group("Friday", [ann, bob])
    await bot.send_message(group.id, "How many?")
    ann.say(group, "four", reply_to=ann.find(group, "How many?"))
    bob.say(group, "really?", reply_to=bob.find(group, "four"))
    assert await heard(bot) == ["four"]


async def test_it_hears_service_messages_and_everything_in_private(bot_api: World, bot: Bot) -> None:
    ann, bob = bot_api.person("Ann"), bot_api.person("Bob")
    group = bot_api.group("Friday", [ann])
    group.add(bob)
    bob.leave(group)
    ann.say(ann.private, "hello")
    messages = [update.message for update in await bot.get_updates() if update.message]
    joined = [[user.id for user in message.new_chat_members] for message in messages if message.new_chat_members]
    assert joined == [[bot_api.bot.id], [bob.id]]
    assert [message.left_chat_member.id for message in messages if message.left_chat_member] == [bob.id]
    assert await heard(bot) == ["hello"]


async def test_as_administrator_or_without_privacy_it_hears_everything(new_world: NewWorld, new_bot: NewBot) -> None:
    for world in (new_world(privacy=False), new_world()):
        bot, ann = await new_bot(world), world.person("Ann")
        group = world.group("Friday", [ann])
        if world.privacy:
            group.promote_bot()
        ann.say(group, "hello")
        await bot.send_message(group.id, "its own words it does not hear")
        assert await heard(bot) == ["hello"]
        assert (await bot.get_me()).can_read_all_group_messages is not world.privacy


async def test_a_removed_bot_hears_of_it_and_then_nothing(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    group.remove_bot()
    ann.say(group, "/callbreak")
    changes = [update.my_chat_member for update in await bot.get_updates() if update.my_chat_member]
    assert [(change.old_chat_member.status, change.new_chat_member.status) for change in changes] == [
        ("left", "member"),
        ("member", "kicked"),
    ]
    assert await heard(bot) == []
    group.add_bot()
    ann.say(group, "/callbreak")
    assert await heard(bot) == ["/callbreak"]


async def test_a_block_is_told_by_my_chat_member(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    ann.start()
    ann.block()
    ann.start()
    changes = [update.my_chat_member for update in await bot.get_updates() if update.my_chat_member]
    assert [(change.chat.id, change.new_chat_member.status) for change in changes] == [
        (ann.id, "kicked"),
        (ann.id, "member"),
    ]


async def test_an_edited_command_is_an_edited_message(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    ann.edit(ann.say(group, "/call 3"), "/call 4")
    edited = [update.edited_message for update in await bot.get_updates() if update.edited_message]
    assert [message.text for message in edited] == ["/call 4"]


async def test_an_anonymous_administrator_speaks_as_the_group(bot_api: World, bot: Bot) -> None:
    ann, bob = bot_api.person("Ann"), bot_api.person("Bob")
    group = bot_api.group("Friday", [ann, bob])
    ann.say(group, "/callbreak", anonymous=True)
    message = (await bot.get_updates())[-1].message
    assert message is not None
    assert message.from_user is not None
    assert message.sender_chat is not None
    assert (message.from_user.id, message.sender_chat.id) == (1087968824, group.id)
    with pytest.raises(NotPossible, match="only administrators"):
        bob.say(group, "/callbreak", anonymous=True)
