"""Ephemeral messages: one member sees them; a server that does not know them shows them to everybody."""

from __future__ import annotations

from typing import Any

import pytest

from service.sandbox.people import Group, Person
from service.sandbox.whispers import ANSWER_MS
from service.sandbox.world import World
from tests.bot_api import NewWorld
from tests.service.sandbox.conftest import Raw, call_raw

KEYBOARD = {"inline_keyboard": [[{"text": "Play", "callback_data": "play"}]]}


def at_a_table(world: World) -> tuple[Person, Person, Group]:
    ann, bob = world.person("Ann"), world.person("Bob")
    return ann, bob, world.group("Friday", [ann, bob])


def whisper(raw: Raw, group: Group, receiver: Person, text: str = "...", query: str | None = None) -> dict[str, Any]:
    wish: dict[str, Any] = {"receiver_user_id": receiver.id}
    if query is not None:
        wish["callback_query_id"] = query
    return raw("sendMessage", chat_id=group.id, text=text, reply_markup=KEYBOARD, ephemeral_message_parameters=wish)


def test_an_ephemeral_message_is_seen_by_its_receiver_alone(bot_api: World, raw: Raw) -> None:
    ann, bob, group = at_a_table(bot_api)
    raw("sendMessage", chat_id=group.id, text="Table", reply_markup=KEYBOARD)
    tap = ann.tap(group, "Play")
    sent = whisper(raw, group, ann, query=tap.query.id)["result"]
    assert (sent["message_id"], sent["ephemeral_message_id"], sent["receiver_user"]["id"]) == (0, 1, ann.id)
    own = {"chat_id": group.id, "receiver_user_id": ann.id, "ephemeral_message_id": 1}
    assert raw("editEphemeralMessageText", **own, text="your cards", reply_markup=KEYBOARD) == {
        "ok": True,
        "result": True,
    }
    assert ann.texts(group) == ["Table", "your cards"]
    assert bob.texts(group) == ["Table"]
    assert "your cards" in bot_api.everything_seen_by(ann)
    assert "your cards" not in bot_api.everything_seen_by(bob)
    assert "[e1] Tabletalk to Ann alone: your cards (edited 1 times)" in bot_api.transcript(group)


def test_a_button_under_an_ephemeral_message_tells_whose_it_is(bot_api: World, raw: Raw) -> None:
    ann, bob, group = at_a_table(bot_api)
    group.promote_bot()
    whisper(raw, group, ann)
    message = ann.sees(group)[-1]
    ann.tap(message, "Play")
    query = raw("getUpdates")["result"][-1]["callback_query"]
    under = query["message"]
    assert (under["message_id"], under["ephemeral_message_id"], query["data"]) == (0, 1, "play")
    with pytest.raises(AssertionError, match="Bob sees no button"):
        bob.tap(message, "Play")
    with pytest.raises(AssertionError, match="only under a message of the bot that she sees"):
        bob.tap_raw(message, "play")


@pytest.mark.parametrize("late", [False, True])
def test_only_an_administrator_whispers_without_a_fresh_tap(new_world: NewWorld, late: bool) -> None:
    now = [1_800_000_000_000]
    world = new_world(clock=lambda: now[0])
    ann, bob, group = at_a_table(world)
    raw = call_raw(world)
    raw("sendMessage", chat_id=group.id, text="Table", reply_markup=KEYBOARD)
    tap = ann.tap(group, "Play")
    now[0] += ANSWER_MS + late
    assert whisper(raw, group, ann, query=tap.query.id)["ok"] is not late
    assert whisper(raw, group, bob, query=tap.query.id)["description"] == "Bad Request: QUERY_ID_INVALID"
    assert whisper(raw, group, ann)["description"] == "Bad Request: CHAT_ADMIN_REQUIRED"
    group.promote_bot()
    assert whisper(raw, group, ann)["ok"]


def test_nobody_else_and_nowhere_else(bot_api: World, raw: Raw) -> None:
    ann, bob, group = at_a_table(bot_api)
    group.promote_bot()
    group.remove(bob)
    assert whisper(raw, group, bob)["description"] == "Bad Request: USER_NOT_PARTICIPANT"
    ann.start()
    wish = {"receiver_user_id": ann.id}
    answer = raw("sendMessage", chat_id=ann.id, text="x", ephemeral_message_parameters=wish)
    assert "only to group and supergroup chats" in answer["description"]


def test_it_is_edited_and_deleted_by_methods_of_its_own(bot_api: World, raw: Raw) -> None:
    """An ephemeral message cannot be deleted: its number is 0 (telegramdesktop/tdesktop#31196)."""
    ann, bob, group = at_a_table(bot_api)
    group.promote_bot()
    whisper(raw, group, ann)
    assert "not found" in raw("deleteMessage", chat_id=group.id, message_id=0)["description"]
    assert "not found" in raw("editMessageText", chat_id=group.id, message_id=0, text="x")["description"]
    own = {"chat_id": group.id, "ephemeral_message_id": 1}
    other = raw("editEphemeralMessageText", **own, receiver_user_id=bob.id, text="x")
    assert other["description"] == "Bad Request: message to edit not found"
    same = raw("editEphemeralMessageText", **own, receiver_user_id=ann.id, text="...", reply_markup=KEYBOARD)
    assert "message is not modified" in same["description"]
    assert raw("editEphemeralMessageReplyMarkup", **own, receiver_user_id=ann.id)["ok"]
    assert ann.sees(group)[-1].buttons == []
    assert raw("deleteEphemeralMessage", **own, receiver_user_id=ann.id)["ok"]
    assert ann.texts(group) == []


def test_it_may_vanish(bot_api: World, raw: Raw) -> None:
    ann, _, group = at_a_table(bot_api)
    group.promote_bot()
    whisper(raw, group, ann)
    group.forget_whispers()
    assert ann.texts(group) == []
    own = {"chat_id": group.id, "ephemeral_message_id": 1, "receiver_user_id": ann.id}
    assert raw("editEphemeralMessageText", **own, text="x")["description"] == "Bad Request: message to edit not found"


def test_a_server_that_does_not_know_the_field_posts_to_the_whole_group(new_world: NewWorld) -> None:
    world = new_world(ephemeral=False)
    ann, bob, group = at_a_table(world)
    raw = call_raw(world)
    sent = whisper(raw, group, ann, "placeholder")["result"]
    assert "ephemeral_message_id" not in sent
    assert sent["message_id"] > 0
    assert bob.texts(group) == ["placeholder"]
    own = {"chat_id": group.id, "ephemeral_message_id": 1, "receiver_user_id": ann.id}
    assert raw("editEphemeralMessageText", **own, text="cards")["error_code"] == 404
    assert world.violations == ["editEphemeralMessageText: no method that this server carries out"]
    world.violations.clear()
