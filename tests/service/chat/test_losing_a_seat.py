from __future__ import annotations

from functools import partial

from domain.commands import Replace
from service.sandbox.people import Person
from tests.service.chat.conftest import Running
from tests.service.chat.test_admin import asked, playing
from tests.service.chat.test_invite import invited
from tests.service.chat.test_lobby import tables
from tests.service.chat.test_privacy import playing_apart

HAND = "loose points"


async def with_hand(running: Running, person: Person) -> None:
    """Somebody's hand is shown in his private chat."""
    person.start()
    await running.until(lambda: person.find(person.private, HAND))


async def no_plans(running: Running) -> bool:
    return await running.service.directory.everything("plans") == {}


async def test_whose_seat_goes_to_another_keeps_neither_hand_nor_plan_and_is_told_so(running: Running) -> None:
    """The old owner's message went on showing the cards with which somebody else now plays."""
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    group, name = await playing(running, ann, bob, cat)
    (table,) = await tables(running, group)
    await with_hand(running, bob)
    actor = await running.service.directory.person(f"tg:{bob.id}")
    await running.service.directory.put("plans", f"{table} {actor}", "sealed")
    hello = cat.say(group, "I would like to play")
    ann.say(group, "/replace Bob", reply_to=hello)
    await running.press(ann, await asked(running, ann, group, "Give the seat of Bob"), "Yes")
    await running.until(lambda: bob.find(bob.private, f"You have no seat at {name} (Chinchón) any more"))
    await running.until(lambda: not bob.find(bob.private, HAND))
    await running.eventually(partial(no_plans, running))


async def test_whose_seat_goes_to_another_while_we_are_stopped_keeps_no_hand_either(running: Running) -> None:
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    group, _ = await playing(running, ann, bob, cat)
    (table,) = await tables(running, group)
    await with_hand(running, bob)
    await running.stop()
    owner = await running.service.directory.person(f"tg:{cat.id}")
    await running.service.engine.submit(table, "operator", Replace(1, owner), "replace")
    await running.start()
    await running.until(lambda: not bob.find(bob.private, HAND))


async def test_who_is_sent_away_keeps_no_hand_and_is_told_so(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group, name = await playing(running, ann, bob)
    await with_hand(running, bob)
    ann.say(group, "/kick Bob")
    await running.press(ann, await asked(running, ann, group, "Send Bob away"), "Yes")
    await running.until(lambda: bob.find(bob.private, f"You have no seat at {name}"))
    await running.until(lambda: not bob.find(bob.private, HAND))


async def test_a_guest_who_is_sent_away_from_a_lobby_does_not_come_back_by_the_link(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    payload = await invited(running, ann)
    bob.start(payload)
    await running.until(lambda: bob.find(bob.private, "Start"))
    ann.say(ann.private, "/kick Bob")
    question = await running.until(lambda: ann.find(ann.private, "Yes"))
    await running.press(ann, question, "Yes")
    await running.until(lambda: bob.find(bob.private, "You have no seat at"))
    await running.until(lambda: not bob.find(bob.private, "Start"))
    bob.start(payload)
    await running.until(lambda: bob.find(bob.private, "does not lead back"))
    await running.until(lambda: (seen := ann.find(ann.private, "Start")) and "(free)" in seen.text.splitlines()[3])


async def test_who_leaves_a_lobby_of_himself_is_told_nothing_of_it_twice(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    payload = await invited(running, ann)
    bob.start(payload)
    await running.press(bob, await running.until(lambda: bob.find(bob.private, "Start")), "Leave")
    await running.until(lambda: not bob.find(bob.private, "Start"))
    bob.start(payload)
    await running.until(lambda: bob.find(bob.private, "Start"))
    assert not bob.find(bob.private, "You have no seat at")


async def test_without_a_group_who_is_sent_away_from_a_game_keeps_no_hand(running: Running) -> None:
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    await playing_apart(running, ann, bob, cat)
    ann.say(ann.private, "/kick Bob")
    await running.press(ann, await running.until(lambda: ann.find(ann.private, "Yes")), "Yes")
    await running.until(lambda: bob.find(bob.private, "You have no seat at"))
    await running.until(lambda: not bob.find(bob.private, HAND))
