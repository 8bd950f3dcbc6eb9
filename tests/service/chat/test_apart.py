"""Tables without a group: each player in a private chat of his own."""

from __future__ import annotations

import asyncio
from functools import partial

from domain.commands import Move
from domain.decide import legal
from domain.table import decision_of, seat_of
from service.sandbox.people import Person
from service.sandbox.state import Message
from tests.service.chat.conftest import Running
from tests.service.chat.test_invite import invited
from tests.service.chat.test_privacy import playing_apart
from tests.service.chat.test_views import state

HAND = "loose points"


def shown(person: Person) -> list[str]:
    """The messages in somebody's private chat that show a table."""
    return [one.text for one in person.sees(person.private) if "Set 1" in one.text and "out of date" not in one.text]


def newer(person: Person, words: str, than: int) -> Message | None:
    """The newest message in somebody's private chat that says this, if it came after another."""
    found = person.find(person.private, words)
    return found if found is not None and found.id > than else None


async def test_the_host_has_one_message_of_the_game_as_his_guests_have(running: Running) -> None:
    """Beside his hand the host read "press Play or Play in private", in his private chat."""
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    await playing_apart(running, ann, bob)
    await running.until(lambda: len(shown(ann)) == 1 and HAND in shown(ann)[0])
    assert not ann.find(ann.private, "Play in private")
    for person in (ann, bob):
        before = len(person.sees(person.private))
        person.say(person.private, "/table")
        await running.until(lambda one=person, at=before: any(HAND in m.text for m in one.sees(one.private)[at:]))  # type: ignore[misc]
    assert not ann.find(ann.private, "Play in private")


async def test_who_starts_without_a_group_is_not_sent_to_a_button_that_is_not_there(running: Running) -> None:
    ann = running.world.person("Ann")
    await invited(running, ann)
    await running.press(ann, ann.private, "Add computer player")
    told = await running.press(ann, ann.private, "Start")
    assert "My hand" not in told
    assert "your hand comes below" in told


async def test_everybody_is_asked_what_somebody_proposes_and_he_is_answered(running: Running) -> None:
    """Without a group only the host heard of a proposal, and whoever made it got no answer."""
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    await playing_apart(running, ann, bob, cat)
    before = {person: person.sees(person.private)[-1].id for person in (ann, cat)}
    bob.say(bob.private, "/pause")
    await running.until(lambda: bob.find(bob.private, "The others are asked"))
    for person in (ann, cat):
        found = await running.until(partial(newer, person, "Agree", before[person]))
        assert "Shall the game pause" in found.text
        await running.press(person, found, "Agree")
    await running.until(lambda: bob.find(bob.private, "The game is paused"))


async def test_what_only_the_host_may_do_is_not_said_to_be_for_administrators_of_a_group(running: Running) -> None:
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    await playing_apart(running, ann, bob, cat)
    bob.say(bob.private, "/void")
    await running.until(lambda: bob.find(bob.private, "Only whoever opened this table may do that"))
    assert not bob.find(bob.private, "group may do that")


async def test_a_guest_who_calls_for_the_table_in_the_lobby_sees_it_again(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    bob.start(await invited(running, ann))
    lobby = await running.until(lambda: bob.find(bob.private, "Start"))
    bob.say(bob.private, "/table")
    await running.until(lambda: (again := bob.find(bob.private, "Start")) and again.id > lobby.id)
    assert not bob.find(bob.private, "not dealt yet")


async def test_the_hand_of_the_next_set_stands_below_the_result_of_the_last(running: Running) -> None:
    ann = running.world.person("Ann")
    ann.start()
    ann.say(ann.private, "/callbreak")
    lobby = await running.until(lambda: ann.find(ann.private, "Join"))
    for _ in range(3):
        await running.press(ann, lobby, "Add computer player")
    await running.press(ann, lobby, "Start")
    home = await running.service.directory.home(f"chat:{ann.id}")
    (table,) = await running.service.directory.tables(home)
    while not (now := await state(running, table)).rows:
        seat = seat_of(now, now.host)
        assert seat is not None
        if (asked := decision_of(now, seat)) is None:
            await asyncio.sleep(0.01)
            continue
        move = Move(legal(now, seat)[0])
        await running.service.engine.submit(table, now.host, move, f"move:{asked.id}", decision=asked.id)
    result = await running.until(lambda: ann.find(ann.private, "Fingerprint"))

    async def below() -> bool:
        current = f"Set {(await state(running, table)).sets} "  # sets that were void count too
        return (hand := ann.find(ann.private, current)) is not None and hand.id > result.id

    await running.eventually(below)
