"""A group whose tables are one worker's, and people whose private chats are another's."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import pytest
import telegram
from telegram import Chat, Update, User

from service.chat.people.customs import Preferences
from service.processes import consuming
from service.sandbox.people import Person
from service.sandbox.state import Message
from service.sandbox.world import World
from tests.service.processes.conftest import Office


def four(world: World) -> list[Person]:
    return [world.person(name) for name in ("Ann", "Bob", "Cleo", "Dan")]


async def playing(office: Office) -> None:
    """Everybody has pressed Start, and sits at the group's table, where the cards are dealt."""
    people = four(office.world)
    await office.open(office.world.group("Friday", people), people)
    for person in people:
        person.start()
    ann, group = people[0], office.group
    ann.say(group, "/callbreak")
    lobby = await office.until(lambda: ann.find(group, "Join"), "the lobby")
    for person in people[1:]:
        await office.press(person, lobby, "Join")
    await office.press(ann, lobby, "Start")
    await office.until(lambda: ann.find(group, "My hand"), "the table")


def offered(person: Person) -> Message | None:
    """The message in somebody's private chat with the buttons to call, if there is one."""
    return next((one for one in person.sees(person.private) if "3" in one.buttons), None)


async def called(office: Office, person: Person) -> None:
    await office.until(lambda: offered(person) is None, "his message to be edited")


async def asked(office: Office) -> Person:
    """Who is to call, as his private chat shows it."""

    def found() -> Person | None:
        return next(filter(offered, office.people), None)

    return await office.until(found, "buttons in a private chat")


async def test_a_move_in_a_private_chat_that_is_another_workers_is_shown_in_the_group(office: Office) -> None:
    await playing(office)
    for _ in range(4):
        person = await asked(office)
        assert "✓" in await office.press(person, person.private, "3")
        await called(office, person)
    await office.until(lambda: "to play" in str(office.people[0].texts(office.group)), "the group to see it")
    held = await office.tables.service.engine.held(f"{office.home}-1")
    assert held == await office.private.service.engine.fresh(f"{office.home}-1")


async def test_what_is_written_in_private_finds_the_table_of_the_group(office: Office) -> None:
    await playing(office)
    person = await asked(office)
    person.say(person.private, "call 4")
    await called(office, person)
    state = (await office.tables.service.engine.fresh(f"{office.home}-1")).state
    assert state is not None
    person.say(person.private, "/mytables")
    await office.until(lambda: next((text for text in person.texts(person.private) if "Call Break ·" in text), None))


async def test_a_table_that_somebody_wants_to_see_in_private_is_posted_anew_by_the_worker_that_has_it(
    office: Office,
) -> None:
    await playing(office)
    person = await asked(office)
    before = offered(person)
    assert before is not None
    person.say(person.private, "/hand")
    await office.until(lambda: (now := offered(person)) is not None and now.id != before.id, "a new message")


async def test_what_is_said_while_a_worker_is_away_is_answered_by_the_next(office: Office) -> None:
    people = four(office.world)
    await office.open(office.world.group("Friday", people), people)
    ann, group = people[0], office.group
    await office.until(lambda: ann.texts(group) or None, "the greeting")
    await office.tables.stop()
    ann.say(group, "/callbreak")
    ann.start()
    await office.until(lambda: len(ann.texts(ann.private)) > 1 or None, "the other worker goes on")
    assert ann.find(group, "Join") is None
    await office.tables.start()
    await office.until(lambda: ann.find(group, "Join"), "the lobby")
    await office.eventually(office.handled)


async def test_an_update_that_comes_again_is_stored_once(office: Office) -> None:
    """A restart that reads the same updates again answers none of them again (nbramia/LifeOS#57)."""
    people = four(office.world)
    await office.open(office.world.group("Friday", people), people)
    bob = people[1]
    chat, user = Chat(bob.id, Chat.PRIVATE), User(bob.id, "Bob", is_bot=False)
    message = telegram.Message(77, datetime(2026, 11, 30, tzinfo=UTC), chat, from_user=user, text="/standings")
    update = Update(5_000_000, message=message)
    assert await office.router.update(update)
    assert not await office.router.update(update)
    await office.eventually(office.handled)
    assert not await office.router.update(update), "not even when it is done"
    await office.until(lambda: office.world.calls("sendMessage", bob.private) or None, "an answer")
    directory = office.private.service.directory

    async def dropped() -> bool:
        """Whether what was noted for it is."""
        return await directory.everything("updates") == {}

    await office.eventually(dropped)
    assert len(office.world.calls("sendMessage", bob.private)) == 1


async def test_a_group_that_becomes_a_supergroup_keeps_its_worker_and_its_table(office: Office) -> None:
    """A game stays reachable when its group becomes a supergroup (jh0ker/mau_mau_bot#33)."""
    await playing(office)
    office.group.migrate()
    group = office.group
    person = await asked(office)
    assert "✓" in await office.press(person, person.private, "3")
    await office.until(lambda: office.people[0].find(group, "My hand"), "the table in the supergroup")
    person.say(group, "/callbreak")
    directory = office.tables.service.directory

    async def opened() -> bool:
        return len(await directory.tables(office.home)) == 2

    await office.eventually(opened)


async def test_what_somebody_chose_in_private_holds_at_the_tables_of_other_workers(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consuming, "_REFRESH_SECONDS", 0.05)
    loaded: Counter[int] = Counter()
    load = Preferences.load

    async def counted(self: Preferences) -> None:
        await load(self)
        loaded[id(self)] += 1

    monkeypatch.setattr(Preferences, "load", counted)
    await playing(office)
    person = await asked(office)
    hand = offered(person)
    assert hand is not None
    assert "Your turn" in hand.text
    before = len(person.texts(person.private))
    person.say(person.private, "/language es")
    await office.until(lambda: len(person.texts(person.private)) > before + 1, "an answer")
    answered = Counter(loaded)

    async def read_anew() -> bool:
        """Whether each worker has begun to read what people have chosen since, and come to the end."""
        return all(loaded[one] > times + 1 for one, times in answered.items())

    await office.eventually(read_anew)
    assert "✓" in await office.press(person, person.private, "3")
    await called(office, person)
    assert "to call" not in person.texts(person.private)[-1]
