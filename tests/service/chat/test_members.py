from __future__ import annotations

from functools import partial

import pytest

from domain.table import Table, deadline
from service.sandbox.people import Group, Person
from tests.service.chat.conftest import Running
from tests.service.chat.test_calls import later
from tests.service.chat.test_lobby import tables


async def state(running: Running, name: str) -> Table:
    """The table as it stands."""
    found = (await running.service.engine.held(name)).state
    assert found is not None
    return found


async def paused(running: Running, name: str, *, wanted: bool = True) -> bool:
    """Whether the table is paused, or (not `wanted`) goes on."""
    return ((await state(running, name)).paused is not None) == wanted


async def left(running: Running, name: str, seat: int) -> bool:
    """Whether the owner of a seat counts as having left."""
    return (await state(running, name)).seats[seat].left


async def playing(running: Running, *people: Person) -> tuple[Group, str]:
    """A game of Chinchón of all of them in a group where the bot is an administrator."""
    group = running.world.group("Friday", people, supergroup=True)
    people[0].say(group, "/chinchon")
    lobby = await running.until(lambda: people[0].find(group, "Join"))
    for person in people[1:]:
        await running.press(person, lobby, "Join")
    await running.press(people[0], lobby, "Start")
    await running.until(lambda: people[0].find(group, "My hand"))
    return group, (await tables(running, group))[0]


async def test_who_leaves_the_group_leaves_his_seat_and_the_table_says_so(running: Running) -> None:
    """Service messages and chat_member updates both tell of it.

    Reports: yagop/node-telegram-bot-api#1171, yagop/node-telegram-bot-api#933.
    """
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    group, name = await playing(running, ann, bob, cat)
    cat.leave(group)
    await running.eventually(partial(left, running, name, 2))
    group.promote_bot()
    group.remove(bob)
    await running.eventually(partial(left, running, name, 1))
    await running.until(lambda: ann.find(group, "Bob (away)"))


@pytest.mark.parametrize("how", ["left", "deleted"])
async def test_who_is_gone_unnoticed_is_found_out_when_his_time_is_up(running: Running, how: str) -> None:
    """In large groups no message tells of a leaver: getChatMember is asked (rubenlagus/TelegramBots#1337)."""
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    group, name = await playing(running, ann, bob, cat)
    now = await state(running, name)
    [seat] = now.decisions[0].seats
    person = (ann, bob, cat)[seat]
    if how == "deleted":
        person.delete_account()
    else:
        with running.world.changing():
            running.world.chats[group.id].members[person.id] = "left"
    due = deadline(now, now.decisions[0])
    assert due is not None
    await later(running, due - running.clock.now() + 1000)
    await running.eventually(partial(left, running, name, seat))
    assert len(running.world.calls("getChatMember")) == 1, "once a time-out"
    others = [index for index in range(3) if index != seat]
    assert not any([await left(running, name, index) for index in others])


async def test_a_table_pauses_while_the_bot_is_out_of_the_group_and_its_players_hear_of_it(running: Running) -> None:
    """Bot kicked: the chat's games pause instead of failing again and again (eternnoir/pyTelegramBotAPI#2204)."""
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group, name = await playing(running, ann, bob)
    bob.start()
    await running.until(lambda: bob.find(bob.private, "Here is your hand"))
    group.remove_bot()
    await running.eventually(partial(paused, running, name))
    await running.until(lambda: bob.find(bob.private, "pauses: I cannot write to its chat"))
    group.add_bot()
    await running.eventually(partial(paused, running, name, wanted=False))
    await running.until(lambda: bob.find(bob.private, "goes on: I can write to its chat again"))


async def test_a_pause_that_an_administrator_made_stays_when_the_bot_comes_back(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group, name = await playing(running, ann, bob)
    ann.say(group, "/pause")
    question = await running.until(lambda: ann.find(group, "Yes"))
    await running.press(ann, question, "Yes")
    await running.eventually(partial(paused, running, name))
    group.remove_bot()
    await running.until(lambda: not running.world.updates.waiting)
    group.add_bot()
    await running.until(lambda: len([one for one in ann.texts(group) if one.startswith("Hello!")]) == 2)
    assert await paused(running, name)


async def test_a_table_pauses_while_its_topic_is_closed(running: Running) -> None:
    """A closed topic crashes the bot (Matt0550/TagEveryoneTelegramBot#26, telegramdesktop/tdesktop#30476)."""
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = running.world.group("Friday", [ann, bob], forum=True)
    topic = group.open_topic("Cards")
    ann.say(topic, "/chinchon")
    lobby = await running.until(lambda: ann.find(topic, "Join"))
    await running.press(bob, lobby, "Join")
    await running.press(ann, lobby, "Start")
    await running.until(lambda: ann.find(topic, "My hand"))
    (name,) = await tables(running, group)
    bob.start()
    await running.until(lambda: bob.find(bob.private, "Here is your hand"))
    topic.close()
    await running.eventually(partial(paused, running, name))
    await running.until(lambda: bob.find(bob.private, "pauses: I cannot write to its chat"))
    topic.reopen()
    await running.eventually(partial(paused, running, name, wanted=False))


async def test_a_bot_that_loses_the_right_to_write_pauses_its_tables_until_it_has_it_again(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group, name = await playing(running, ann, bob)
    group.mute_bot()
    await running.eventually(partial(paused, running, name))
    group.promote_bot()
    await running.eventually(partial(paused, running, name, wanted=False))


async def test_a_group_that_becomes_a_supergroup_keeps_its_tables_and_who_leaves_it_then_leaves_his_seat(
    running: Running,
) -> None:
    """Players could not leave once a group had become a supergroup (jh0ker/mau_mau_bot#33)."""
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    group = running.world.group("Friday", [ann, bob, cat])
    ann.say(group, "/chinchon")
    lobby = await running.until(lambda: ann.find(group, "Join"))
    for person in (bob, cat):
        await running.press(person, lobby, "Join")
    await running.press(ann, lobby, "Start")
    await running.until(lambda: ann.find(group, "My hand"))
    (name,) = await tables(running, group)
    group.migrate()
    await running.until(lambda: ann.find(group, "My hand"))
    cat.leave(group)
    await running.eventually(partial(left, running, name, 2))
