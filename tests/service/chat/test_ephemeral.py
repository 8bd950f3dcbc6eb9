from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from domain.table import Table
from service.sandbox.people import Group, Person
from service.sandbox.state import Message
from tests.bot_api import NewWorld
from tests.service.chat.conftest import Running, serving
from tests.service.chat.leaks import assert_tight, hands_of, named
from tests.service.chat.test_views import four, move, started, state


@pytest.fixture
async def aged(new_world: NewWorld) -> AsyncIterator[Running]:
    """A bot at a server from before ephemeral messages, which ignores fields that it does not know."""
    async with serving(new_world(ephemeral=False)) as made:
        yield made


async def actors(running: Running, people: list[Person]) -> list[str]:
    return [await running.service.directory.person(f"tg:{person.id}") for person in people]


async def asked(running: Running, table: str, people: list[Person]) -> Person:
    """Whoever is asked now."""
    now = await state(running, table)
    owner = now.seats[now.decisions[0].seats[0]].owner
    return people[(await actors(running, people)).index(owner)]


async def tight(running: Running, table: str, people: list[Person]) -> None:
    assert_tight(running.world, hands_of(await state(running, table), people, await actors(running, people)))


def whispers(person: Person, group: Group) -> list[Message]:
    """The messages in the group that she alone sees."""
    return [message for message in person.sees(group) if message.receiver == person.id]


async def shown(running: Running, person: Person, group: Group) -> Message:
    """Presses Play and gives the hand that appears."""
    assert await running.press(person, group, "Play") == ""
    return await running.until(lambda: next((one for one in whispers(person, group) if one.keyboard), None))


async def test_play_shows_a_hand_in_the_group_to_its_owner_alone(running: Running) -> None:
    """To change to a private chat is hard; somebody wants to be whispered to in the group (chatmail/core#1288)."""
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    player = await asked(running, table, people)
    hand = await shown(running, player, group)
    assert "call" in hand.text.lower()
    assert all(not whispers(person, group) for person in people if person is not player)
    first = running.world.calls("sendMessage", group)[-1]
    assert "ephemeral_message_parameters" in first.params
    assert not named(first.params["text"]), "no cards before the server has shown that it can whisper"
    await tight(running, table, people)


async def test_a_button_of_the_hand_makes_the_move_and_the_hand_goes(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    player = await asked(running, table, people)
    hand = await shown(running, player, group)
    label = hand.buttons[2]
    assert label in await running.press(player, hand, label)
    await running.until(lambda: not whispers(player, group))
    await running.until(lambda: f"called {label.split()[-1]}" in player.find(group, "My hand").text)  # type: ignore[union-attr]
    assert (await asked(running, table, people)) is not player


async def test_a_move_made_elsewhere_takes_the_hand_away_and_is_seen_in_private_too(running: Running) -> None:
    """An ephemeral message cannot be deleted: its number is 0 (telegramdesktop/tdesktop#31196)."""
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    player = await asked(running, table, people)
    player.start()
    await running.until(lambda: next((one for one in player.sees(player.private) if "3" in one.buttons), None))
    await shown(running, player, group)
    await running.press(player, player.private, "3")
    await running.until(lambda: not whispers(player, group))
    await running.until(lambda: "called" in player.find(group, "My hand").text)  # type: ignore[union-attr]


async def test_a_move_in_the_group_changes_the_hand_in_private(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    player = await asked(running, table, people)
    player.start()
    await running.until(lambda: next((m for m in player.sees(player.private) if len(m.buttons) > 5), None))
    hand = await shown(running, player, group)
    await running.press(player, hand, hand.buttons[0])
    await running.until(lambda: not any(len(m.buttons) > 5 for m in player.sees(player.private)))


async def test_whoever_is_not_asked_sees_his_cards_and_gets_the_moves_when_he_is(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    first = await asked(running, table, people)
    now = await state(running, table)
    second = people[(await actors(running, people)).index(now.seats[(now.decisions[0].seats[0] + 1) % 4].owner)]
    assert second is not first
    assert await running.press(second, group, "Play") == ""
    waits = await running.until(lambda: next((one for one in whispers(second, group) if named(one.text)), None))
    assert waits.keyboard == ()
    await move(running, table, 1)
    await running.until(lambda: next((one for one in whispers(second, group) if one.keyboard), None))
    await tight(running, table, people)


async def test_a_server_that_ignores_the_field_shows_the_group_no_card_and_the_hand_comes_as_an_alert(
    aged: Running,
) -> None:
    """Reports: hidden hands posted to the whole group by a Bot API server that did not know a new field."""
    people = four(aged)
    group = aged.world.group("Friday", people)
    table, _ = await started(aged, group, people)
    player = await asked(aged, table, people)
    alert = await aged.press(player, group, "Play")
    assert named(alert)
    assert player.answers()[-1].show_alert
    sent = [call for call in aged.world.calls("sendMessage", group) if "moment" in call.params["text"]]
    assert len(sent) == 1
    assert len(aged.world.calls("deleteMessage", group)) == 1
    assert not any("moment" in text for text in player.texts(group))
    assert named(await aged.press(people[0], group, "Play"))
    again = [call for call in aged.world.calls("sendMessage", group) if "moment" in call.params["text"]]
    assert len(again) == 1, "it is not tried again each time"
    await tight(aged, table, people)


async def test_a_hand_whose_cards_cannot_be_put_in_is_shown_as_an_alert(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    player = await asked(running, table, people)
    running.world.fault("broken", method="editEphemeralMessageText", chat=group)
    assert named(await running.press(player, group, "Play"))
    assert not whispers(player, group)
    await tight(running, table, people)


async def test_somebody_without_a_seat_is_told_so(running: Running) -> None:
    people = four(running)
    guest = running.world.person("Eve")
    group = running.world.group("Friday", [*people, guest])
    table, _ = await started(running, group, people)
    assert "no seat" in await running.press(guest, group, "Play")
    assert not whispers(guest, group)
    await tight(running, table, people)


async def test_after_a_restart_a_button_of_an_old_hand_still_works_and_the_hand_goes(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    player = await asked(running, table, people)
    hand = await shown(running, player, group)
    await running.stop()
    await running.start()
    await running.press(player, hand, hand.buttons[0])
    await running.until(lambda: not whispers(player, group))


async def test_a_button_of_the_hand_that_is_pressed_twice_moves_once(running: Running) -> None:
    """A button pressed several times acts several times (GreyWolfDev/Werewolf#496)."""
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    player = await asked(running, table, people)
    hand = await shown(running, player, group)
    taps = [player.tap(hand, hand.buttons[0]) for _ in range(2)]
    answers = [(await asyncio.to_thread(tap.answered)).text for tap in taps]
    assert [text.startswith("✓") for text in answers] == [True, False]
    now: Table = await state(running, table)
    assert now.set.called == 1
