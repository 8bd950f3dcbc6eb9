from __future__ import annotations

import pytest
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, ReplyKeyboardMarkup, ReplyParameters, WebAppInfo
from telegram.constants import ParseMode
from telegram.error import BadRequest, Forbidden

from service.sandbox.refusals import NOT_MODIFIED
from service.sandbox.world import World
from tests.bot_api import NewWorld
from tests.service.sandbox.conftest import NewBot, Raw
from tests.service.sandbox.refused import refusal


def keyboard(*buttons: InlineKeyboardButton) -> InlineKeyboardMarkup:
    return InlineKeyboardMarkup([buttons])


JOIN = keyboard(InlineKeyboardButton("Join", callback_data="join"))


async def test_everybody_in_the_group_sees_what_the_bot_sends(bot_api: World, bot: Bot) -> None:
    ann, bob, cleo = (bot_api.person(name) for name in ("Ann", "Bob", "Cleo"))
    group = bot_api.group("Friday", [ann, bob])
    sent = await bot.send_message(group.id, "<b>♠</b> 5 &lt; 6", parse_mode=ParseMode.HTML, reply_markup=JOIN)
    assert (sent.text, sent.chat.title, sent.from_user and sent.from_user.id) == ("♠ 5 < 6", "Friday", bot_api.bot.id)
    assert sent.parse_entities() == {sent.entities[0]: "♠"}
    assert sent.reply_markup == JOIN
    assert [update.message.text for update in await bot.get_updates() if update.message] == [None]  # the bot was added
    for person in (ann, bob):
        assert person.texts(group) == ["♠ 5 < 6"]
        assert person.sees(group)[-1].buttons == ["Join"]
    assert cleo.sees(group) == []


async def test_entities_of_a_message_with_emoji_are_cut_out_right_by_the_client(bot_api: World, bot: Bot) -> None:
    group = bot_api.group("Friday", [bot_api.person("Ann")])
    sent = await bot.send_message(group.id, "🂡🂢 <b>🂣 x</b> /play", parse_mode=ParseMode.HTML)
    assert list(sent.parse_entities().values()) == ["🂣 x", "/play"]


async def test_a_mention_by_link_names_the_person(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    text = f'<a href="tg://user?id={ann.id}">Ann</a> <a href="tg://user?id=1">nobody</a>'
    sent = await bot.send_message(group.id, text, parse_mode=ParseMode.HTML)
    assert [entity.user.id for entity in sent.entities if entity.user] == [ann.id]
    assert len(sent.entities) == 1


async def test_an_edit_replaces_text_and_keyboard(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    sent = await bot.send_message(group.id, "one", reply_markup=JOIN)
    await bot.edit_message_text("two", group.id, sent.message_id)
    (message,) = [one for one in ann.sees(group) if one.text]
    assert (message.id, message.text, message.buttons) == (sent.message_id, "two", [])
    await bot.edit_message_reply_markup(group.id, sent.message_id, reply_markup=JOIN)
    assert ann.sees(group)[-1].buttons == ["Join"]
    assert ann.sees(group)[-1].text == "two"


async def test_an_edit_that_changes_nothing_is_refused(bot_api: World, bot: Bot) -> None:
    group = bot_api.group("Friday", [bot_api.person("Ann")])
    sent = await bot.send_message(group.id, "<b>one</b>", parse_mode=ParseMode.HTML, reply_markup=JOIN)
    same = bot.edit_message_text(" <b>one</b> ", group.id, sent.message_id, parse_mode="HTML", reply_markup=JOIN)
    assert await refusal(same) == NOT_MODIFIED.removeprefix("Bad Request: ").capitalize()
    same_keyboard = bot.edit_message_reply_markup(group.id, sent.message_id, reply_markup=JOIN)
    assert "not modified" in await refusal(same_keyboard)
    await bot.edit_message_text("one", group.id, sent.message_id, reply_markup=JOIN)


async def test_only_standing_messages_of_the_bot_can_be_edited(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    said, sent = ann.say(group, "/help"), await bot.send_message(group.id, "one")
    assert await refusal(bot.edit_message_text("x", group.id, said.id)) == "Message can't be edited"
    assert await refusal(bot.edit_message_text("x", group.id, 99)) == "Message to edit not found"
    await bot.delete_message(group.id, sent.message_id)
    assert await refusal(bot.edit_message_text("x", group.id, sent.message_id)) == "Message to edit not found"
    assert ann.texts(group) == ["/help"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (" \n ", "Text must be non-empty"),
        ("<b></b>", "Text must be non-empty"),
        ("x" * 4097, "Message is too long"),
        ("😀" * 2049, "Message is too long"),
        ("<x>", 'Can\'t parse entities: unsupported start tag "x" at byte offset 0'),
    ],
)
async def test_texts_that_telegram_refuses(bot_api: World, bot: Bot, text: str, words: str) -> None:
    group = bot_api.group("Friday", [bot_api.person("Ann")])
    assert (await refusal(bot.send_message(group.id, text, parse_mode=ParseMode.HTML))).lower() == words.lower()


async def test_the_limit_counts_after_parsing(bot_api: World, bot: Bot) -> None:
    group = bot_api.group("Friday", [bot_api.person("Ann")])
    sent = await bot.send_message(group.id, f"<b>{'&lt;' * 4096}</b>", parse_mode=ParseMode.HTML)
    assert sent.text == "<" * 4096


@pytest.mark.parametrize(
    ("button", "words"),
    [
        ({"text": "x", "callback_data": "é" * 32 + "x"}, "BUTTON_DATA_INVALID"),
        ({"text": "x", "callback_data": ""}, "BUTTON_DATA_INVALID"),
        ({"text": "x", "web_app": {"url": "https://example.com/"}}, "BUTTON_TYPE_INVALID"),
        ({"text": "x", "url": "https://example.com/", "callback_data": "x"}, "BUTTON_TYPE_INVALID"),
        ({"text": "x", "url": "nowhere"}, "BUTTON_URL_INVALID"),
        ({"text": "x"}, "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"),
    ],
)
def test_buttons_that_telegram_refuses(bot_api: World, raw: Raw, button: dict[str, object], words: str) -> None:
    group = bot_api.group("Friday", [bot_api.person("Ann")])
    answer = raw("sendMessage", chat_id=group.id, text="x", reply_markup={"inline_keyboard": [[button]]})
    assert answer == {"ok": False, "error_code": 400, "description": f"Bad Request: {words}"}


async def test_callback_data_may_have_64_bytes_and_web_apps_open_in_private(bot_api: World, bot: Bot) -> None:
    """A `web_app` button in a group makes every message fail (alexei-led/ccgram#178, telegraf/telegraf#2031)."""
    ann = bot_api.person("Ann")
    ann.start()
    app = InlineKeyboardButton("Table", web_app=WebAppInfo("https://example.com/"))
    await bot.send_message(ann.id, "x", reply_markup=keyboard(InlineKeyboardButton("x", callback_data="é" * 32), app))
    assert ann.sees(ann.private)[-1].buttons == ["x", "Table"]


async def test_a_keyboard_has_at_most_a_hundred_buttons(bot_api: World, bot: Bot) -> None:
    group = bot_api.group("Friday", [bot_api.person("Ann")])
    rows = [[InlineKeyboardButton(str(n), callback_data=str(n)) for n in range(5)] for _ in range(21)]
    assert await refusal(bot.send_message(group.id, "x", reply_markup=InlineKeyboardMarkup(rows))) == (
        "Reply markup is too long"
    )
    await bot.send_message(group.id, "x", reply_markup=InlineKeyboardMarkup(rows[:20]))


async def test_a_reply_keyboard_is_not_carried_out(bot_api: World, bot: Bot) -> None:
    group = bot_api.group("Friday", [bot_api.person("Ann")])
    call = bot.send_message(group.id, "x", reply_markup=ReplyKeyboardMarkup([["x"]]))
    assert await refusal(call) == "Inline keyboard expected"


async def test_a_message_answers_a_message_that_is_there(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    said = ann.say(group, "/help")
    sent = await bot.send_message(group.id, "so", reply_parameters=ReplyParameters(said.id))
    assert sent.reply_to_message is not None
    assert sent.reply_to_message.text == "/help"
    missing = bot.send_message(group.id, "so", reply_parameters=ReplyParameters(77))
    assert await refusal(missing) == "Message to be replied not found"
    lenient = ReplyParameters(77, allow_sending_without_reply=True)
    assert (await bot.send_message(group.id, "so", reply_parameters=lenient)).reply_to_message is None


async def test_who_has_not_pressed_start_gets_no_message(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    with pytest.raises(Forbidden, match="bot can't initiate conversation with a user"):
        await bot.send_message(ann.id, "x")
    ann.start()
    await bot.send_message(ann.id, "x")
    ann.block()
    with pytest.raises(Forbidden, match="bot was blocked by the user"):
        await bot.send_message(ann.id, "y")
    ann.start()
    await bot.send_message(ann.id, "z")
    assert ann.texts(ann.private) == ["/start", "x", "/start", "z"]


async def test_the_bot_cannot_write_where_it_is_not(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    elsewhere, group = bot_api.group("Elsewhere", [ann], with_bot=False), bot_api.group("Friday", [ann])
    with pytest.raises(BadRequest, match="Chat not found"):
        await bot.send_message(elsewhere.id, "x")
    with pytest.raises(BadRequest, match="Chat not found"):
        await bot.send_message("@nowhere", "x")
    group.remove_bot()
    with pytest.raises(Forbidden, match="bot was kicked from the group chat"):
        await bot.send_message(group.id, "x")


async def test_deleting(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    said, sent = ann.say(group, "/help"), await bot.send_message(group.id, "one")
    assert await bot.delete_message(group.id, sent.message_id)
    assert ann.texts(group) == ["/help"]
    assert await refusal(bot.delete_message(group.id, sent.message_id)) == "Message to delete not found"
    assert await refusal(bot.delete_message(group.id, said.id)) == "Message can't be deleted"
    group.promote_bot()
    assert await bot.delete_message(group.id, said.id)
    assert ann.texts(group) == []


async def test_in_private_the_bot_may_delete_what_the_person_said(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    assert await bot.delete_message(ann.id, ann.start().id)
    assert ann.texts(ann.private) == []


async def test_a_deleted_message_is_pinned_no_more(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    ann.start()
    sent = await bot.send_message(ann.id, "one")
    await bot.pin_chat_message(ann.id, sent.message_id)
    await bot.delete_message(ann.id, sent.message_id)
    assert (await bot.get_chat(ann.id)).pinned_message is None


def test_entities_after_the_hundredth_are_dropped(bot_api: World, raw: Raw) -> None:
    group = bot_api.group("Friday", [bot_api.person("Ann")])
    sent = raw("sendMessage", chat_id=group.id, text="<b>x</b> " * 101, parse_mode="HTML")["result"]
    assert len(sent["entities"]) == 100
    assert bot_api.violations == ["101 entities, Telegram drops those after 100"]
    bot_api.violations.clear()


async def test_a_message_two_days_old_stays(new_world: NewWorld, new_bot: NewBot) -> None:
    now = [1_800_000_000_000]
    world = new_world(clock=lambda: now[0])
    bot, group = await new_bot(world), world.group("Friday", [world.person("Ann")])
    sent = await bot.send_message(group.id, "one")
    now[0] += 48 * 3600 * 1000
    assert await refusal(bot.delete_message(group.id, sent.message_id)) == "Message can't be deleted for everyone"


async def test_pinning_takes_an_administrator_and_leaves_a_service_message(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    sent = await bot.send_message(group.id, "one")
    no_rights = "Not enough rights to manage pinned messages in the chat"
    assert await refusal(bot.pin_chat_message(group.id, sent.message_id)) == no_rights
    group.promote_bot()
    assert await refusal(bot.pin_chat_message(group.id, 99)) == "Message to pin not found"
    assert await bot.pin_chat_message(group.id, sent.message_id)
    pinned = (await bot.get_chat(group.id)).pinned_message
    assert pinned is not None
    assert pinned.message_id == sent.message_id
    service = ann.sees(group)[-1].service
    assert service is not None
    assert (service.kind, service.message_id) == ("pinned_message", sent.message_id)
    last = (await bot.get_updates())[-1].message
    assert last is not None
    assert last.pinned_message is not None
    service_id = ann.sees(group)[-1].id
    assert await refusal(bot.edit_message_text("x", group.id, service_id)) == "Message can't be edited"
    assert await refusal(bot.pin_chat_message(group.id, service_id)) == "Can't pin a service message"
    assert await bot.unpin_chat_message(group.id)
    assert (await bot.get_chat(group.id)).pinned_message is None
    assert await refusal(bot.unpin_chat_message(group.id, sent.message_id)) == "Message to unpin not found"


async def test_a_chat_action_is_one_of_telegrams(bot_api: World, bot: Bot) -> None:
    group = bot_api.group("Friday", [bot_api.person("Ann")])
    assert await bot.send_chat_action(group.id, "typing")
    assert await refusal(bot.send_chat_action(group.id, "dealing")) == "Wrong parameter action in request"


def test_markdown_is_not_read(bot_api: World, raw: Raw) -> None:
    group = bot_api.group("Friday", [bot_api.person("Ann")])
    answer = raw("sendMessage", chat_id=group.id, text="*x*", parse_mode="MarkdownV2")
    assert answer["description"] == "Bad Request: unsupported parse_mode"
    assert bot_api.violations == ["parse_mode 'markdownv2': this server reads HTML only"]
    bot_api.violations.clear()


def test_a_name_that_was_not_escaped_is_a_violation(bot_api: World, raw: Raw) -> None:
    group = bot_api.group("Friday", [bot_api.person("Ann")])
    assert raw("sendMessage", chat_id=group.id, text="Tom & Jerry", parse_mode="HTML")["ok"]
    assert len(bot_api.violations) == 1
    bot_api.violations.clear()


def test_calls_that_name_no_message_chat_or_text(bot_api: World, raw: Raw) -> None:
    group = bot_api.group("Friday", [bot_api.person("Ann")])
    assert raw("sendMessage", text="x")["description"] == "Bad Request: chat_id is empty"
    assert raw("sendMessage", chat_id=group.id, text="")["description"] == "Bad Request: message text is empty"
    assert raw("editMessageText", chat_id=group.id, text="x")["description"] == (
        "Bad Request: message identifier is not specified"
    )
    bot_api.violations.clear()  # the second reader minds as well
