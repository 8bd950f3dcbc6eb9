"""Groups with topics: where a message lands, and what a closed or deleted topic does to the bot's calls."""

from __future__ import annotations

import pytest

from service.sandbox.people import NotPossible
from service.sandbox.world import World
from tests.service.sandbox.conftest import Raw


def test_a_message_lands_in_the_topic_that_the_call_names(bot_api: World, raw: Raw) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann], forum=True)
    cards = group.open_topic("Cards")
    ann.say(cards, "/new")
    said = raw("getUpdates")["result"][-1]["message"]
    assert (said["message_thread_id"], said["is_topic_message"], said["chat"]["is_forum"]) == (cards.thread, True, True)
    assert said["reply_to_message"]["forum_topic_created"]["name"] == "Cards"
    raw("sendMessage", chat_id=group.id, text="here", message_thread_id=cards.thread)
    raw("sendMessage", chat_id=group.id, text="General")
    assert ann.texts(cards) == ["/new", "here"]
    assert ann.texts(group.general) == ["General"]
    assert ann.texts(group) == ["/new", "here", "General"]
    assert "Tabletalk in Cards: here" in bot_api.transcript(group)


def test_general_has_no_thread_id(bot_api: World, raw: Raw) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann], forum=True)
    ann.say(group.general, "/new")
    said = raw("getUpdates")["result"][-1]["message"]
    assert "message_thread_id" not in said
    answer = raw("sendMessage", chat_id=group.id, text="x", message_thread_id=1)
    assert answer["description"] == "Bad Request: message thread not found"


def test_a_closed_topic_refuses_the_bot_until_it_is_open_again(bot_api: World, raw: Raw) -> None:
    ann, bob = bot_api.person("Ann"), bot_api.person("Bob")
    group = bot_api.group("Friday", [ann, bob], forum=True)
    cards = group.open_topic("Cards")
    sent = {"chat_id": group.id, "text": "x", "message_thread_id": cards.thread}
    cards.close()
    assert "forum_topic_closed" in raw("getUpdates")["result"][-1]["message"]
    assert raw("sendMessage", **sent)["description"] == "Bad Request: TOPIC_CLOSED"
    assert raw("sendMessage", chat_id=group.id, text="General is open")["ok"]
    with pytest.raises(NotPossible, match="closed"):
        bob.say(cards, "x")
    ann.say(cards, "an administrator may")
    cards.reopen()
    assert raw("sendMessage", **sent)["ok"]
    group.general.close()
    assert raw("sendMessage", chat_id=group.id, text="x")["description"] == "Bad Request: TOPIC_CLOSED"


def test_a_deleted_topic_is_not_found_and_its_messages_are_gone(bot_api: World, raw: Raw) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann], forum=True)
    cards = group.open_topic("Cards")
    sent = raw("sendMessage", chat_id=group.id, text="x", message_thread_id=cards.thread)["result"]
    cards.delete()
    answer = raw("sendMessage", chat_id=group.id, text="y", message_thread_id=cards.thread)
    assert answer["description"] == "Bad Request: message thread not found"
    edited = raw("editMessageText", chat_id=group.id, message_id=sent["message_id"], text="y")
    assert edited["description"] == "Bad Request: message to edit not found"
    assert ann.texts(group) == []


def test_a_chain_of_answers_has_a_thread_id_but_is_no_topic(bot_api: World, raw: Raw) -> None:
    """Replies land in General instead of the topic, or nowhere: a thread id alone does not make a topic."""
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann], supergroup=True)
    first = raw("sendMessage", chat_id=group.id, text="x")["result"]["message_id"]
    ann.say(group, "/hand", reply_to=ann.sees(group)[-1])
    said = raw("getUpdates")["result"][-1]["message"]
    assert (said["message_thread_id"], "is_topic_message" in said) == (first, False)
    answer = raw("sendMessage", chat_id=group.id, text="x", message_thread_id=first)
    assert answer["description"] == "Bad Request: message thread not found"
    with pytest.raises(NotPossible):
        group.open_topic("Cards")
