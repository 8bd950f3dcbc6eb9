"""What is sent in a group: how, how often, and how names look in it."""

from __future__ import annotations

import asyncio

from service.chat.api.outbox import GROUP, Outbox
from service.chat.api.post import Link, Post
from service.sandbox.people import Group
from tests.e2e.playing import open_table, play_on, start
from tests.service.chat.conftest import Running
from tests.service.chat.leaks import named
from tests.service.chat.test_views import four, started

PLAIN_METHODS = {"sendMessage", "editMessageText", "editEphemeralMessageText", "editMessageReplyMarkup"}
ASKED = 25  # answers that the group should get at once: more than there is room for
ODD_NAMES = ("[Ann](x)", "_Bob_", "*Cleo* `d`", "<test/> & ~E~")


async def test_all_that_is_sent_in_a_set_is_plain_html_with_nothing_but_inline_buttons(running: Running) -> None:
    """What clients show differently, or to the wrong person, is not used.

    No rich messages (NousResearch/hermes-agent#45785, TelegramMessenger/Telegram-iOS#2226), no reply keyboards, the
    selective ones least of all (telegramdesktop/tdesktop#3897, overtake/TelegramSwift#379), no answer to a message that
    may be ephemeral and have no number (IWFTech/TeleFlow#155), no `web_app` button in a group (alexei-led/ccgram#178,
    telegraf/telegraf#2031).
    """
    people = ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = running.world.group("Friday", people)

    def evening() -> None:
        ann.start()
        open_table(group, people, "max_sets=1 target=0 redeal=none min_total_calls=0")
        for _ in range(2):
            ann.press(group, "Add computer player")
        start(group, people)
        play_on(people, group, {})
        bob.say(group, "/help")
        bob.wait(lambda: bob.find(group, "/rules"))

    await asyncio.to_thread(evening)
    sent = [call for call in running.world.calls() if "text" in call.params and call.method != "answerCallbackQuery"]
    assert len(sent) > 10
    assert {call.method for call in sent} <= PLAIN_METHODS
    assert {call.params.get("parse_mode") for call in sent} == {"HTML"}
    marked = [call for call in running.world.calls() if call.params.get("reply_markup")]
    assert len(marked) > 5
    assert {key for call in marked for key in call.params["reply_markup"]} == {"inline_keyboard"}
    buttons = [b for call in marked for row in call.params["reply_markup"]["inline_keyboard"] for b in row]
    assert not [button for button in buttons if "web_app" in button]
    assert not [call for call in running.world.calls() if "reply_parameters" in call.params]


async def test_names_with_the_signs_of_markdown_and_html_are_shown_as_they_are(running: Running) -> None:
    """HTML with every name escaped (tdlib/td#1088, eternnoir/pyTelegramBotAPI#2025, Eleirbag89/TelegramBotPHP#92)."""
    people = [running.world.person(name) for name in ODD_NAMES]
    group = running.world.group("Friday", people)
    _, message = await started(running, group, people)
    shown = await running.until(lambda: people[0].find(group, "My hand"))
    assert [name for name in ODD_NAMES if name not in shown.text] == []
    assert message.id == shown.id


async def test_who_joins_is_written_into_the_one_message_of_the_lobby(running: Running) -> None:
    """A list that is sent anew at each change floods the group (col/whos_in_bot#6)."""
    people = four(running)
    group = running.world.group("Friday", people)
    await running.until(lambda: people[0].find(group, "Hello!"))
    people[0].say(group, "/callbreak")
    lobby = await running.until(lambda: people[0].find(group, "Join"))
    for person in people[1:]:
        await running.press(person, lobby, "Join")
    for button in ("Leave", "Join"):
        await running.press(people[3], lobby, button)
    await running.until(lambda: "4. Dan" in (people[0].find(group, "Join") or lobby).text)
    assert [one.id for one in people[0].sees(group) if "Bob" in one.text] == [lobby.id]


async def test_an_edit_that_changes_nothing_is_a_success_and_the_buttons_stay(running: Running) -> None:
    """`message is not modified` is taken for a fault, and the keyboard goes (cherrytea-dev/la_searcher_bot#917)."""
    ann = running.world.person("Ann")
    group = running.world.group("Friday", [ann])
    out = Outbox(running.bot, running.clock)
    post = Post("The table", ((Link("Look", "https://example.org"),),))
    message = await out.send(group.id, post)
    await out.edit(group.id, message, post)
    [edit] = running.world.calls("editMessageText", group)
    assert "message is not modified" in str(edit.answer)
    assert [one.buttons for one in ann.sees(group) if one.id == message] == [["Look"]]


async def test_a_hand_is_shown_at_once_where_the_group_has_no_room_for_another_message(running: Running) -> None:
    """The answer to a press counts in no budget, so feedback goes there (tdlib/telegram-bot-api#648)."""
    people = four(running)
    group = running.world.group("Friday", people)
    await started(running, group, people)
    for number in range(ASKED):
        people[number % 4].say(group, f"/call {number} x")
    await running.until(lambda: not running.world.updates.waiting, "all updates handled")
    for person in people:
        assert len(named(await running.press(person, group, "My hand"))) == 13
    assert _posted(running, group) <= GROUP.amount < ASKED, "there was no room for all answers"


def _posted(running: Running, group: Group) -> int:
    """How many sends and edits the group has had."""
    return sum(len(running.world.calls(method, group)) for method in ("sendMessage", "editMessageText"))
