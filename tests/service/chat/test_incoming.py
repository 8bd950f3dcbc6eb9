from __future__ import annotations

from typing import Any

import pytest
from telegram import Update

from service.chat.api.incoming import Chosen, Membership, Migrated, Pressed, Said, User, Wondered, chat_of, read

ANN = {"id": 7, "is_bot": False, "first_name": "Ann"}
GROUP: dict[str, Any] = {"id": -100, "type": "supergroup", "title": "Friday"}
ANONYMOUS = {"id": 1087968824, "is_bot": True, "first_name": "Group"}


def update(**fields: Any) -> Update:
    made = Update.de_json({"update_id": 5, **fields}, None)
    assert made is not None
    return made


def message(text: str | None = "/hand", **fields: Any) -> Update:
    body = {"message_id": 1, "date": 1, "chat": GROUP, "from": ANN, **({"text": text} if text else {}), **fields}
    return update(message=body)


@pytest.mark.parametrize(
    ("text", "command", "rest"),
    [
        ("/play QS", "play", "QS"),
        ("/PLAY@Tabletalk_Bot  QS ", "play", "QS"),
        ("/play\nQS", "play", "QS"),
        ("/play", "play", ""),
        ("hello /play", None, "hello /play"),
        ("10♥", None, "10♥"),
    ],
)
def test_a_command_is_read_with_what_follows(text: str, command: str | None, rest: str) -> None:
    said = read(message(text), "tabletalk_bot")
    assert isinstance(said, Said)
    assert (said.command, said.text, said.user) == (command, rest, User(7, "Ann"))


@pytest.mark.parametrize("text", ["/play@another_bot QS", "/игра", "/", "/play-QS", None])
def test_what_is_not_for_us_is_nothing(text: str | None) -> None:
    assert read(message(text), "tabletalk_bot") is None


def test_whoever_writes_for_the_group_or_a_channel_is_no_person() -> None:
    senders: tuple[dict[str, Any], ...] = (GROUP, {"id": -200, "type": "channel", "title": "News"})
    for sender in senders:
        said = read(message("/hand", sender_chat=sender, **{"from": ANONYMOUS}), "tabletalk_bot")
        assert isinstance(said, Said)
        assert said.user is None


def test_a_topic_is_kept_and_a_thread_that_is_none_is_not() -> None:
    topic = read(message(message_thread_id=9, is_topic_message=True), "tabletalk_bot")
    reply = read(message(message_thread_id=9), "tabletalk_bot")
    assert isinstance(topic, Said)
    assert isinstance(reply, Said)
    assert (topic.thread, reply.thread) == (9, None)


def test_both_service_messages_of_a_migration_say_the_same() -> None:
    old = {"id": -5, "type": "group", "title": "Friday"}
    assert read(message(None, chat=old, migrate_to_chat_id=-100), "b") == Migrated(5, -5, -100)
    assert read(message(None, migrate_from_chat_id=-5), "b") == Migrated(5, -5, -100)


def press(data: str, buttons: list[str]) -> Update:
    keyboard = {"inline_keyboard": [[{"text": "x", "callback_data": one} for one in buttons]]}
    under = {"message_id": 3, "date": 1, "chat": GROUP, "text": "table", "reply_markup": keyboard}
    return update(callback_query={"id": "q", "from": ANN, "chat_instance": "c", "data": data, "message": under})


def test_a_press_tells_whether_the_message_has_such_a_button() -> None:
    for data, real in (("h:a-1", True), ("h:b-1", False)):
        found = read(press(data, ["h:a-1"]), "b")
        assert found == Pressed(5, "q", -100, False, User(7, "Ann"), 3, data, real)
        assert chat_of(press(data, [])) == -100


@pytest.mark.parametrize(
    ("old", "new", "here", "fresh"),
    [("left", "member", True, True), ("member", "administrator", True, False), ("member", "kicked", False, False)],
)
def test_the_bots_membership(old: str, new: str, here: bool, fresh: bool) -> None:
    bot = {"id": 1, "is_bot": True, "first_name": "T"}
    rights = dict.fromkeys(
        [
            "can_be_edited",
            "is_anonymous",
            "can_manage_chat",
            "can_delete_messages",
            "can_manage_video_chats",
            "can_restrict_members",
            "can_promote_members",
            "can_change_info",
            "can_invite_users",
            "can_post_stories",
            "can_edit_stories",
            "can_delete_stories",
        ],
        False,
    )
    extra: dict[str, dict[str, Any]] = {"administrator": rights, "kicked": {"until_date": 0}}
    states = [{"status": status, "user": bot, **extra.get(status, {})} for status in (old, new)]
    change = {"chat": GROUP, "from": ANN, "date": 1, "old_chat_member": states[0], "new_chat_member": states[1]}
    assert read(update(my_chat_member=change), "b") == Membership(5, -100, False, User(7, "Ann"), here, fresh)


BOT = {"id": 99, "is_bot": True, "first_name": "Tabletalk", "username": "tabletalk_bot"}


def _link(url: str) -> list[dict[str, Any]]:
    return [{"type": "text_link", "offset": 0, "length": 4, "url": url}]


def test_a_message_that_our_inline_mode_sent_says_what_its_link_says() -> None:
    sent = read(
        message("▶ Q♠", via_bot=BOT, entities=_link("https://t.me/tabletalk_bot?start=abc-1_7_play-QS")),
        "tabletalk_bot",
    )
    assert isinstance(sent, Said)
    assert (sent.via, sent.command) == ("abc-1_7_play-QS", None)


def test_a_message_of_ours_without_a_link_is_no_move_and_anybody_elses_is_none_of_it() -> None:
    other = {**BOT, "username": "another_bot"}
    link = _link("https://t.me/tabletalk_bot?start=abc-1_7_play-QS")
    for found, via in ((message("hm", via_bot=BOT), ""), (message("hm", via_bot=other, entities=link), None)):
        said = read(found, "tabletalk_bot")
        assert isinstance(said, Said)
        assert said.via == via
    typed = read(message("▶ Q♠", entities=link), "tabletalk_bot")
    assert isinstance(typed, Said)
    assert typed.via is None, "a link alone, which anybody can write, is no message of inline mode"


def test_what_is_asked_and_chosen_in_the_input_line_is_read() -> None:
    asked = read(update(inline_query={"id": "4", "from": ANN, "query": "red-fox qs", "offset": ""}), "tabletalk_bot")
    taken = read(update(chosen_inline_result={"result_id": "n:a-1:1:QS", "from": ANN, "query": ""}), "tabletalk_bot")
    assert asked == Wondered(5, "4", User(7, "Ann"), "red-fox qs")
    assert taken == Chosen(5, User(7, "Ann"), "n:a-1:1:QS")


def test_the_number_of_an_ephemeral_message_comes_with_its_press() -> None:
    under = {"message_id": 0, "date": 1, "chat": GROUP, "ephemeral_message_id": 12, "text": "hand"}
    query = {"id": "q", "from": ANN, "chat_instance": "1", "data": "m:a-1:1:play QS", "message": under}
    pressed = read(update(callback_query=query), "tabletalk_bot")
    assert isinstance(pressed, Pressed)
    assert (pressed.message, pressed.ephemeral) == (0, 12)
