from __future__ import annotations

from functools import partial

from domain.commands import Close
from domain.table import Table
from service.engine import Done
from service.forgetting import remove
from service.sandbox.people import Group
from tests.service.chat.conftest import Running
from tests.service.chat.test_lobby import tables


async def state(running: Running, name: str) -> Table:
    """The table as it stands."""
    found = (await running.service.engine.held(name)).state
    assert found is not None
    return found


async def over(running: Running, name: str) -> None:
    """Ends a game."""
    outcome = await running.service.engine.submit(name, "chat", Close(), f"close {name}")
    assert isinstance(outcome, Done)


async def seated(running: Running, group: Group, number: int, seats: int) -> bool:
    """Whether the group's table of this number is a lobby with so many seats taken."""
    names = await tables(running, group)
    if len(names) < number:
        return False
    found = (await running.service.engine.held(names[number - 1])).state
    return found is not None and len(found.seats) == seats


async def test_once_more_seats_the_same_people_in_the_same_order_with_the_same_options(running: Running) -> None:
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    group = running.world.group("Friday", [ann, bob, cat])
    ann.say(group, "/chinchon")
    lobby = await running.until(lambda: ann.find(group, "Join"))
    await running.press(bob, lobby, "Join")
    await running.press(ann, lobby, "Add computer player")
    ann.say(group, "/options turn_seconds=3600 target=50")
    await running.until(lambda: ann.find(group, "The rules are changed."))
    await running.press(ann, lobby, "Start")
    await running.until(lambda: ann.find(group, "My hand"))
    (old,) = await tables(running, group)
    await over(running, old)
    done = await running.until(lambda: ann.find(group, "Once more"))
    assert "Those who played may ask" in await running.press(cat, done, "Once more")
    assert "your seats again" in await running.press(bob, done, "Once more")
    await running.eventually(partial(seated, running, group, 2, 3))
    for person in (ann, bob):
        await running.press(person, done, "Once more")
    names = await tables(running, group)
    before, after = await state(running, names[0]), await state(running, names[1])
    assert len(names) == 2, "one rematch a table"
    owners = [seat.owner for seat in before.seats]
    assert [seat.owner for seat in after.seats] == [*owners[1:], *owners[:1]], "from whoever asked on"
    assert after.options == before.options
    assert after.phase == "lobby"
    new = await running.until(lambda: ann.find(group, "Join"))
    await running.press(ann, new, "Leave")
    await running.eventually(partial(seated, running, group, 2, 2))


async def test_who_had_left_is_not_seated_again(running: Running) -> None:
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    group = running.world.group("Friday", [ann, bob, cat])
    ann.say(group, "/chinchon")
    lobby = await running.until(lambda: ann.find(group, "Join"))
    for person in (bob, cat):
        await running.press(person, lobby, "Join")
    await running.press(ann, lobby, "Start")
    await running.until(lambda: ann.find(group, "My hand"))
    bob.say(group, "/leave")
    await running.until(lambda: bob.find(group, "Bob has left"))
    (old,) = await tables(running, group)
    await over(running, old)
    await running.press(ann, await running.until(lambda: ann.find(group, "Once more")), "Once more")
    await running.eventually(partial(seated, running, group, 2, 2))
    after = await state(running, (await tables(running, group))[1])
    bobs = await running.service.directory.person(f"tg:{bob.id}")
    assert bobs not in [seat.owner for seat in after.seats]


async def test_who_is_gone_from_the_group_is_not_seated_again_and_leaves_his_seat_free(running: Running) -> None:
    """Forgotten, or out of the group without our having heard of it: nobody can be dealt in who is not there."""
    ann, bob, cat, dan = (running.world.person(name) for name in ("Ann", "Bob", "Cat", "Dan"))
    group = running.world.group("Friday", [ann, bob, cat, dan], supergroup=True)
    ann.say(group, "/chinchon")
    lobby = await running.until(lambda: ann.find(group, "Join"))
    for person in (bob, cat, dan):
        await running.press(person, lobby, "Join")
    await running.press(ann, lobby, "Start")
    await running.until(lambda: ann.find(group, "My hand"))
    (old,) = await tables(running, group)
    bobs, anns, dans = [await running.service.directory.person(f"tg:{one.id}") for one in (bob, ann, dan)]
    await over(running, old)
    done = await running.until(lambda: ann.find(group, "Once more"))
    with running.world.changing():
        running.world.chats[group.id].members[cat.id] = "left"
    await remove(running.service.directory, bobs)
    await running.press(ann, done, "Once more")
    await running.eventually(partial(seated, running, group, 2, 2))
    after = await state(running, (await tables(running, group))[1])
    assert [seat.owner for seat in after.seats] == [anns, dans]


async def test_the_clock_and_the_presets_are_set_by_buttons_within_the_games_bounds(running: Running) -> None:
    """Fixed limits throw friends out who would have been waited for (yairm210/Unciv#6956, yairm210/Unciv#13923)."""
    ann = running.world.person("Ann")
    group = running.world.group("Friday", [ann])
    ann.say(group, "/chinchon")
    await running.until(lambda: ann.find(group, "Join"))
    spans = []
    for _ in range(6):
        lobby = await running.until(lambda: ann.find(group, "Join"))
        label = next(button for button in lobby.buttons if button.startswith("⏱"))
        spans.append(label)
        await running.press(ann, lobby, label)
        await running.until(lambda label=label: (now := ann.find(group, "Join")) and label not in now.buttons)  # type: ignore[misc]
    assert sorted(spans) == sorted(
        [
            "⏱ 24 hours a move",
            "⏱ 3 days a move",
            "⏱ no clock",
            "⏱ 10 minutes a move",
            "⏱ 60 minutes a move",
            "⏱ 8 hours a move",
        ]
    )
    lobby = await running.until(lambda: ann.find(group, "Rules: as first written down"))
    assert "Rules: as in Spain." in await running.press(ann, lobby, "Rules: as first written down")
    await running.until(lambda: ann.find(group, "Rules: as in Spain"))
    (name,) = await tables(running, group)
    assert (await state(running, name)).options.deck == "40"
    ann.say(group, "/chitchat")
    chitchat = await running.until(
        lambda: found if (found := ann.find(group, "Join")) and "Chit Chat" in found.text else None
    )
    assert "⏱ no clock" not in chitchat.buttons, "this game always has a clock"
