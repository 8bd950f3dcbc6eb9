"""Members, rights, migration, deleted messages and accounts, as the bot is told of them or finds out."""

from __future__ import annotations

from typing import Any

import pytest
from telegram import Bot
from telegram.error import ChatMigrated

from service.sandbox.people import NotPossible
from service.sandbox.world import World
from tests.service.sandbox.conftest import Raw


def messages(raw: Raw) -> list[dict[str, Any]]:
    return [update["message"] for update in raw("getUpdates")["result"] if "message" in update]


async def test_a_group_becomes_a_supergroup_by_messages_and_by_an_error(bot_api: World, bot: Bot, raw: Raw) -> None:
    """Group becomes supergroup: players cannot leave, game unreachable."""
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    sent = await bot.send_message(group.id, "Table")
    old = group.migrate()
    told = messages(raw)[-2:]
    assert (told[0]["chat"]["id"], told[0]["migrate_to_chat_id"]) == (old, group.id)
    assert (told[1]["chat"]["id"], told[1]["migrate_from_chat_id"]) == (group.id, old)
    with pytest.raises(ChatMigrated) as error:
        await sent.edit_text("x")
    assert error.value.new_chat_id == group.id
    await bot.send_message(group.id, "Table again")
    assert ann.texts(group) == ["Table", "Table again"]
    with pytest.raises(NotPossible):
        group.migrate()


async def test_a_migration_may_come_without_a_message(bot_api: World, bot: Bot, raw: Raw) -> None:
    """Silent supergroup migration loses session."""
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    told = len(raw("getUpdates")["result"])
    old = group.migrate(silent=True)
    assert len(raw("getUpdates")["result"]) == told
    with pytest.raises(ChatMigrated):
        await bot.send_message(old, "x")
    ann.say(group, "/table")
    assert messages(raw)[-1]["chat"]["id"] == group.id


def test_a_message_that_somebody_deleted_cannot_be_edited(bot_api: World, raw: Raw) -> None:
    ann, bob = bot_api.person("Ann"), bot_api.person("Bob")
    group = bot_api.group("Friday", [ann, bob])
    sent = raw("sendMessage", chat_id=group.id, text="Table")["result"]["message_id"]
    with pytest.raises(NotPossible):
        bob.delete(bob.sees(group)[-1])
    ann.delete(ann.sees(group)[-1])
    answer = raw("editMessageText", chat_id=group.id, message_id=sent, text="x")
    assert answer["description"] == "Bad Request: message to edit not found"
    assert bob.texts(group) == []


def test_a_deleted_account_does_nothing_and_gets_nothing(bot_api: World, raw: Raw) -> None:
    ann, bob = bot_api.person("Ann"), bot_api.person("Bob")
    group = bot_api.group("Friday", [ann, bob])
    bob.start()
    bob.delete_account()
    answer = raw("sendMessage", chat_id=bob.id, text="x")
    assert (answer["error_code"], answer["description"]) == (403, "Forbidden: user is deactivated")
    member = raw("getChatMember", chat_id=group.id, user_id=bob.id)["result"]
    assert (member["status"], member["user"]["first_name"]) == ("member", "")
    with pytest.raises(NotPossible):
        bob.say(group, "x")
    assert bob.sees(group) == []


def test_a_bot_that_may_not_write_is_told_so(bot_api: World, raw: Raw) -> None:
    group = bot_api.group("Friday", [bot_api.person("Ann")])
    sent = raw("sendMessage", chat_id=group.id, text="Table")["result"]["message_id"]
    group.mute_bot()
    assert raw("getUpdates")["result"][-1]["my_chat_member"]["new_chat_member"]["can_send_messages"] is False
    for answer in (
        raw("sendMessage", chat_id=group.id, text="x"),
        raw("editMessageText", chat_id=group.id, message_id=sent, text="x"),
    ):
        assert answer["description"] == "Bad Request: not enough rights to send text messages to the chat"
    group.demote_bot()
    assert raw("sendMessage", chat_id=group.id, text="x")["ok"]


def test_pinning_needs_its_own_right(bot_api: World, raw: Raw) -> None:
    group = bot_api.group("Friday", [bot_api.person("Ann")])
    sent = raw("sendMessage", chat_id=group.id, text="Table")["result"]["message_id"]
    group.promote_bot(without=("can_pin_messages",))
    answer = raw("pinChatMessage", chat_id=group.id, message_id=sent)
    assert answer["description"] == "Bad Request: not enough rights to manage pinned messages in the chat"
    own = raw("getChatMember", chat_id=group.id, user_id=bot_api.bot.id)["result"]
    assert (own["can_pin_messages"], own["can_delete_messages"]) == (False, True)
    group.promote_bot()
    assert raw("pinChatMessage", chat_id=group.id, message_id=sent)["ok"]
    assert messages(raw)[-1]["pinned_message"]["message_id"] == sent


def test_an_anonymous_administrator_writes_as_the_group_and_presses_as_a_person(bot_api: World, raw: Raw) -> None:
    """Anonymous admin's command ignored: sender_chat.id == chat.id counts as an administrator."""
    ann, bob = bot_api.person("Ann"), bot_api.person("Bob")
    group = bot_api.group("Friday", [ann, bob])
    group.promote(bob, anonymous=True)
    bob.say(group, "/settings")
    said = messages(raw)[-1]
    assert (said["sender_chat"]["id"], said["from"]["username"]) == (group.id, "GroupAnonymousBot")
    markup = {"inline_keyboard": [[{"text": "Close", "callback_data": "close"}]]}
    raw("sendMessage", chat_id=group.id, text="x", reply_markup=markup)
    bob.tap(group, "Close")
    assert raw("getUpdates")["result"][-1]["callback_query"]["from"]["id"] == bob.id
    member = raw("getChatMember", chat_id=group.id, user_id=bob.id)["result"]
    assert (member["status"], member["is_anonymous"]) == ("administrator", True)
    group.demote(bob)
    bob.say(group, "/settings")
    assert messages(raw)[-1]["from"]["id"] == bob.id


def test_somebody_may_leave_without_a_message(bot_api: World, raw: Raw) -> None:
    """left_chat_member not sent in large groups: only a check, or chat_member for an administrator, tells it."""
    ann, bob = bot_api.person("Ann"), bot_api.person("Bob")
    group = bot_api.group("Friday", [ann, bob])
    told = len(messages(raw))
    group.remove(bob, by=bob, silent=True)
    assert len(messages(raw)) == told
    assert raw("getChatMember", chat_id=group.id, user_id=bob.id)["result"]["status"] == "left"
