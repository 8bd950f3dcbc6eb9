"""Nights, and chats that cannot be written to for a while."""

from __future__ import annotations

import asyncio

import msgspec

from domain.clock import Stop
from domain.table import observe
from service.chat.api.outbox import OVERALL, Outbox
from service.chat.board import show
from service.chat.board.around import Around
from service.clock import SystemClock
from service.sandbox.people import Group, Person
from service.sandbox.places import Topic
from service.sandbox.state import Message
from service.text import language
from tests.service.chat.conftest import Running, loop_standing
from tests.service.chat.test_calls import DAY, HOUR, START, asking, calling
from tests.service.chat.test_views import four, move, started

TEXTS = language()
NAMES = ["Ann", "Bob", "Cleo", "Dan"]


def night(running: Running) -> str:
    """Quiet hours that have begun and last for some hours."""
    minute = running.clock.now() // 60_000 % 1440
    begin, end = (minute - 30) % 1440, (minute + 120) % 1440
    return f"{begin // 60:02}:{begin % 60:02}-{end // 60:02}:{end % 60:02}"


async def test_nobody_is_called_in_quiet_hours_and_what_is_posted_makes_no_sound(running: Running) -> None:
    """A step of eight hours is brutal because of sleep (online-go/online-go.com#1720)."""
    people = four(running)
    group = running.world.group("Friday", people)
    await running.until(lambda: people[0].find(group, "Hello!"))
    people[0].say(group, f"/settings quiet={night(running)}")
    await running.until(lambda: people[0].find(group, "Quiet hours"))
    await running.stop()
    await running.start(absent=0.0)
    table, _ = await started(running, group, people)
    for number in range(56):
        await move(running, table, number)
    await running.until(lambda: people[0].find(group, "Fingerprint"))
    await asyncio.sleep(4)
    assert not calling(people[0], group)
    result = next(call for call in running.world.calls("sendMessage", group) if "Fingerprint" in str(call.params))
    assert result.params.get("disable_notification") is True


def test_until_when_is_said_as_the_groups_clock_shows_it_and_turns_over_at_its_midnight() -> None:
    view = observe(asking(), None)
    morning = Around(now=START, zone="Asia/Kathmandu")
    assert "⏳ until tomorrow 06:38" in show.table(TEXTS, view, NAMES, "b", morning).html
    later = Around(now=START + 17 * HOUR, zone="Asia/Kathmandu")
    assert "⏳ until tomorrow 06:38" in show.table(TEXTS, view, NAMES, "b", later).html
    after = Around(now=START + 18 * HOUR, zone="Asia/Kathmandu")
    assert "⏳ until 06:38" in show.table(TEXTS, view, NAMES, "b", after).html
    assert "until tomorrow 00:53 UTC" in show.table(TEXTS, view, NAMES, "b", Around(now=START)).html


def test_a_short_question_says_how_long_it_lasts() -> None:
    html = show.table(TEXTS, observe(asking(30), None), NAMES, "b", Around(now=START)).html
    assert "30 seconds" in html
    assert "⏳" not in html


def test_a_pause_and_a_vacation_are_marked() -> None:
    """The pause was shown while the clock ran (online-go/online-go.com#449): both are read from one state."""
    paused = show.table(TEXTS, observe(asking(paused="agreement"), None), NAMES, "b", Around(now=START)).html
    assert "The game is paused" in paused
    assert "⏳" not in paused
    made = asking()
    seats = list(made.seats)
    seats[2] = msgspec.structs.replace(seats[2], vacation=Stop(START, START + 5 * DAY))
    resting = msgspec.structs.replace(made, seats=tuple(seats))
    html = show.table(TEXTS, observe(resting, None), NAMES, "b", Around(now=START + HOUR)).html
    assert "On vacation: Cleo (until " in html
    over = show.table(TEXTS, observe(resting, None), NAMES, "b", Around(now=START + 6 * DAY)).html
    assert "On vacation" not in over


async def test_no_more_than_25_calls_a_second_leave_for_all_chats_together(running: Running) -> None:
    out = Outbox(running.bot, SystemClock())
    with loop_standing():
        taken = [await out.room_now(chat) for chat in range(1, 60)]
    assert sum(taken) == OVERALL.amount == 25


async def test_a_group_that_became_a_supergroup_goes_on_with_its_table(running: Running) -> None:
    """A silent migration loses the session (grammyjs/website#559, jh0ker/mau_mau_bot#33).

    Reports: jsmnbom/githubbotrevised#19.
    """
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    group.migrate()
    for number in range(4):
        await move(running, table, number)
    shown = await running.until(lambda: people[0].find(group, "trick 1"))
    assert "My hand" in shown.buttons


async def in_a_topic(running: Running) -> tuple[Person, Group, Topic, Message]:
    """A game against computer players in a topic of a group: its player, where it is, and its message."""
    ann = running.world.person("Ann")
    group = running.world.group("Friday", [ann], forum=True)
    topic = group.open_topic("Cards")
    ann.say(topic, "/callbreak")
    lobby = await running.until(lambda: ann.find(topic, "Join"))
    for _ in range(3):
        await running.press(ann, lobby, "Add computer player")
    await running.press(ann, lobby, "Start")
    return ann, group, topic, await running.until(lambda: ann.find(topic, "My hand"))


async def test_a_closed_topic_shuts_its_table_and_no_other_of_the_group(running: Running) -> None:
    """TOPIC_CLOSED (Matt0550/TagEveryoneTelegramBot#26): one topic is not the whole group."""
    ann, group, topic, message = await in_a_topic(running)
    await running.bot.delete_message(group.id, message.id)
    topic.close()
    await running.until(lambda: any("TOPIC_CLOSED" in str(c.answer) for c in running.world.calls("sendMessage", group)))
    ann.say(group, "/callbreak")
    await running.until(lambda: ann.find(group, "Join"))
    assert await running.service.directory.get("closed", str(group.id)) is None


async def test_a_table_whose_topic_was_deleted_goes_on_in_the_group(running: Running) -> None:
    ann, group, topic, message = await in_a_topic(running)
    topic.delete()
    ann.say(group, "/table")
    anew = await running.until(lambda: ann.find(group, "My hand"))
    assert anew.id > message.id
    assert anew.thread is None
