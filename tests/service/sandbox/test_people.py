from __future__ import annotations

import threading

import pytest

from service.sandbox.people import NotPossible
from service.sandbox.world import World
from tests.service.sandbox.conftest import Raw

JOIN = {"inline_keyboard": [[{"text": "Join", "callback_data": "join:1"}]]}


def test_a_text_too_long_for_one_message_is_split_as_clients_do(bot_api: World) -> None:
    ann = bot_api.person("Ann")
    ann.say(ann.private, "x" * 10_000)
    assert [len(text) for text in ann.texts(ann.private)] == [4096, 4096, 1808]


def test_people_do_only_what_they_can(bot_api: World) -> None:
    ann, cleo = bot_api.person("Ann"), bot_api.person("Cleo")
    group = bot_api.group("Friday", [ann])
    for impossible in (
        lambda: cleo.say(group, "/help"),
        lambda: cleo.say(ann.private, "/help"),
        lambda: ann.say(group, " "),
        lambda: ann.start("not a payload"),
        lambda: group.add(ann),
        lambda: group.remove(cleo),
        lambda: cleo.edit(ann.say(group, "x"), "y"),
        lambda: ann.follow(group, "Join"),
    ):
        with pytest.raises(NotPossible):
            impossible()
    ann.block()
    with pytest.raises(NotPossible):
        ann.say(ann.private, "hello")


def test_who_joins_sees_what_stands_there_and_who_leaves_sees_no_more(bot_api: World, raw: Raw) -> None:
    ann, bob = bot_api.person("Ann"), bot_api.person("Bob")
    group = bot_api.group("Friday", [ann])
    raw("sendMessage", chat_id=group.id, text="before")
    group.add(bob)
    assert bob.texts(group) == ["before"]
    raw("sendMessage", chat_id=group.id, text="while")
    bob.leave(group)
    raw("sendMessage", chat_id=group.id, text="after")
    assert bob.sees(group) == []
    assert bot_api.everything_seen_by(bob) == ["before", "while"]
    assert bot_api.everything_seen_by(ann) == ["before", "while", "after"]


def test_everything_seen_holds_edits_deleted_messages_buttons_and_links(bot_api: World, raw: Raw) -> None:
    ann, bob = bot_api.person("Ann"), bot_api.person("Bob")
    group = bot_api.group("Friday", [ann])
    bob.start()
    text = '<a href="https://example.com/x">one</a>'
    sent = raw("sendMessage", chat_id=group.id, text=text, parse_mode="HTML", reply_markup=JOIN)["result"]
    raw("editMessageText", chat_id=group.id, message_id=sent["message_id"], text="two")
    raw("deleteMessage", chat_id=group.id, message_id=sent["message_id"])
    raw("sendMessage", chat_id=bob.id, text="for Bob")
    assert bot_api.everything_seen_by(ann) == ["one", "https://example.com/x", "Join", "two"]
    assert "join:1" in bot_api.everything_seen_by(ann, data=True)
    assert bot_api.everything_seen_by(bob) == ["/start", "for Bob"]
    assert ann.texts(group) == []


def test_waiting_ends_with_the_change_that_was_waited_for(bot_api: World, raw: Raw) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    thread = threading.Thread(target=lambda: raw("sendMessage", chat_id=group.id, text="Table", reply_markup=JOIN))
    thread.start()
    assert ann.wait(lambda: ann.find(group, "Join")).text == "Table"
    thread.join()


def test_waiting_in_vain_shows_the_chats(bot_api: World) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    ann.say(group, "/help")
    with pytest.raises(TimeoutError, match=r"not within 0.01 s: a lobby\n--- Friday \(group\) ---\n[^$]*Ann: /help"):
        ann.wait(lambda: ann.find(group, "Join"), 0.01, "a lobby")


def test_a_transcript_reads_as_a_chat(bot_api: World, raw: Raw) -> None:
    ann, bob = bot_api.person("Ann"), bot_api.person("Bob")
    group = bot_api.group("Friday", [ann, bob])
    ann.say(group, "/callbreak")
    sent = raw("sendMessage", chat_id=group.id, text="one", reply_markup=JOIN)["result"]
    raw("editMessageText", chat_id=group.id, message_id=sent["message_id"], text="two\nlines", reply_markup=JOIN)
    query = bob.tap(group, "Join").query
    ann.tap(group, "Join")
    raw("answerCallbackQuery", callback_query_id=query.id, text="You are in", show_alert=True)
    gone = raw("sendMessage", chat_id=group.id, text="gone")["result"]
    raw("deleteMessage", chat_id=group.id, message_id=gone["message_id"])
    head = "--- Friday (group) ---\n[1] * Ann: new_chat_members Tabletalk\n[2] Ann: /callbreak\n"
    tail = (
        "      > Bob presses 'join:1' under [3]: alert to Bob alone: You are in\n"
        "      > Ann presses 'join:1' under [3]: no answer\n"
        "[4] Tabletalk: gone (deleted)"
    )
    now = "[3] Tabletalk: two\n      lines (edited 1 times)\n      [Join]\n"
    assert bot_api.transcript(group) == f"{head}{now}{tail}"
    assert bot_api.transcript(group, history=True) == f"{head}[3] Tabletalk: one (before)\n      [Join]\n{now}{tail}"
