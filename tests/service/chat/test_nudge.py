"""/nudge, /away and /back, /reminders: what players do about waiting."""

from __future__ import annotations

import asyncio
from functools import partial

from domain import options
from domain.games import GAMES
from domain.table import on_vacation
from service.chat.bells.nudging import APART
from service.chat.tables import dials
from service.sandbox.people import Group, Person
from service.sandbox.state import Message
from tests.service.chat.conftest import Running
from tests.service.chat.test_calls import DAY, HOUR, asked, later
from tests.service.chat.test_views import four, move, started, state


def absent(who: Person, group: Group, words: str) -> bool:
    """Whether somebody sees nothing of the kind."""
    return who.find(group, words) is None


async def said(running: Running, who: Person, place: object, text: str, expected: str) -> Message:
    """Somebody writes, and reads the answer."""
    written = who.say(place, text)  # type: ignore[arg-type]
    seen: list[Message] = await running.until(
        lambda: [one for one in who.sees(place) if one.id > written.id and expected in one.text] or None  # type: ignore[arg-type]
    )
    return seen[-1]


async def test_a_nudge_calls_by_name_whoever_is_to_move_once_an_hour(running: Running) -> None:
    """A bot nudges only me (brettstack/civ6-play-by-cloud-turn-notifier#62)."""
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    who = await asked(running, table, people)
    other, third = [one for one in people if one is not who][:2]
    nudged = await said(running, other, group, "/nudge", f"{other.name} nudges you")
    assert [one.user_id for one in nudged.entities if one.type == "text_mention"] == [who.id]
    await said(running, third, group, "/nudge", "One nudge an hour is enough")
    running.clock.ahead += APART
    await said(running, third, group, "/nudge", f"{third.name} nudges you")


async def test_who_is_to_move_cannot_nudge_himself_nor_can_a_stranger(running: Running) -> None:
    people = four(running)
    stranger = running.world.person("Stranger")
    group = running.world.group("Friday", [*people, stranger])
    table, _ = await started(running, group, people)
    who = await asked(running, table, people)
    await said(running, who, group, "/nudge", "The game waits for you alone")
    await said(running, stranger, group, "/nudge", "seat")
    assert not who.find(group, "nudges you")


async def test_a_nudge_from_the_private_chat_goes_to_the_private_chat(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    for one in people:
        one.start()
    table, _ = await started(running, group, people)
    who = await asked(running, table, people)
    other = next(one for one in people if one is not who)
    await said(running, other, other.private, "/nudge", f"I have called: {who.name}")
    await running.until(lambda: who.find(who.private, f"{other.name} nudges you"))
    assert not who.find(group, "nudges you")


async def test_in_quiet_hours_nobody_is_nudged(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    minute = running.clock.now() // 60_000 % 1440
    quiet = (
        f"{(minute - 5) % 1440 // 60:02}:{(minute - 5) % 60:02}-{(minute + 60) % 1440 // 60:02}:{(minute + 60) % 60:02}"
    )
    await said(running, people[0], group, f"/settings quiet={quiet}", "Quiet hours:")
    who = await asked(running, table, people)
    other = next(one for one in people if one is not who)
    await said(running, other, group, "/nudge", "quiet hours")


async def test_a_vacation_stops_the_clock_at_all_tables_until_its_taker_is_back(running: Running) -> None:
    """Tell all my games that I am away (AsyncTI4/TI4_map_generator_bot#882)."""
    people = four(running)
    groups = [running.world.group(title, people) for title in ("A", "B")]
    tables = [(await started(running, group, people))[0] for group in groups]
    ann = people[0]
    actor = await running.service.directory.person(f"tg:{ann.id}")
    ann.start()
    await said(running, ann, ann.private, "/away 5 days", "You are on vacation until")
    for table, group in zip(tables, groups, strict=True):
        now = await state(running, table)
        seat = next(index for index, held in enumerate(now.seats) if held.owner == actor)
        assert on_vacation(now, seat, running.clock.now() + 4 * DAY)
        await running.until(partial(ann.find, group, "On vacation: Ann"))
    await said(running, ann, ann.private, "/back", "Welcome back")
    for table, group in zip(tables, groups, strict=True):
        now = await state(running, table)
        assert not any(on_vacation(now, seat, running.clock.now() + DAY) for seat in range(4))
        await running.until(partial(absent, ann, group, "On vacation: Ann"))


async def test_a_vacation_that_cannot_be_read_or_is_too_long_is_refused(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    await said(running, people[0], group, "/away", "Until when?")
    await said(running, people[0], group, "/away until my hair is grey", "Until when?")
    await said(running, people[0], group, "/away 60 days", "vacation")
    now = await state(running, table)
    assert not any(on_vacation(now, seat, running.clock.now() + HOUR) for seat in range(4))


async def test_a_game_that_is_played_at_one_sitting_knows_no_vacation(running: Running) -> None:
    """A vacation in a game of minutes stops it for everybody (kestasjk/webDiplomacy#485)."""
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = running.world.group("Friday", [ann, bob])
    ann.say(group, "/chinchon")
    lobby = await running.until(lambda: ann.find(group, "Join"))
    await running.press(bob, lobby, "Join")
    await said(running, ann, group, "/options turn_seconds=600", "The rules are changed")
    await running.press(ann, lobby, "Start")
    await running.until(lambda: ann.find(group, "My hand"))
    await said(running, bob, group, "/away 5 days", "played at one sitting")
    home = await running.service.directory.home(f"chat:{group.id}")
    (table,) = await running.service.directory.tables(home)
    now = await state(running, table)
    assert not any(on_vacation(now, seat, running.clock.now() + HOUR) for seat in range(2))


def test_it_is_one_sitting_when_the_clock_of_a_move_or_the_longest_of_several_is_less_than_an_hour() -> None:
    for slug, given, preset, short in (
        ("chinchon", {}, None, False),
        ("chinchon", {"turn_seconds": "3599"}, None, True),
        ("chinchon", {"turn_seconds": "0"}, None, False),
        ("snitch", {"turn_seconds": "600"}, None, True),
        ("taichi", {}, None, False),
        ("taichi", {}, "live", True),
    ):
        assert dials.short(options.read(GAMES[slug], given, preset)) == short, (slug, given, preset)


async def test_reminders_are_chosen_by_word_or_button(running: Running) -> None:
    ann = running.world.person("Ann")
    group = running.world.group("Friday", [ann])
    await running.until(lambda: ann.find(group, "Hello!"))
    actor = await running.service.directory.person(f"tg:{ann.id}")
    await said(running, ann, group, "/reminders sometimes", "Write one of these")
    await said(running, ann, group, "/reminders late", "when your time runs out")
    shown = await said(running, ann, group, "/reminders", "When shall I remind you")
    assert "do not remind" in await running.press(ann, shown, "Never")
    stored = await running.service.directory.get("habits", actor)
    assert stored is not None
    assert '"none"' in stored


async def test_who_wants_no_reminder_gets_none(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    for one in people:
        one.start()
    table, _ = await started(running, group, people)
    who = await asked(running, table, people)
    await said(running, who, who.private, "/reminders none", "I do not remind you")
    await later(running, 13 * HOUR)
    await asyncio.sleep(1.0)
    assert not who.find(who.private, "Half of your time is gone")
    await move(running, table, 1)
