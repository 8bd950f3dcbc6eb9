"""What the operator decides while the bot runs: bans, maintenance, announcements."""

from __future__ import annotations

from functools import partial

import pytest

from domain.commands import Pause
from service.chat import announcing
from service.operating import LISTENS_MS, Operation
from service.sandbox.people import Group, Person
from service.terminal import operating
from service.terminal.screen import Screen, console
from service.text import language
from tests.service.chat.conftest import Running
from tests.service.chat.test_admin import asked, playing
from tests.service.chat.test_inline import typed
from tests.service.chat.test_lobby import tables

HOUR, DAY = 3_600_000, 86_400_000


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Announcements are looked for more often than in earnest."""
    monkeypatch.setattr(announcing, "LOOK_SECONDS", 0.5)


def operation(running: Running) -> Operation:
    return operating.operation(running.service)


def screen() -> Screen:
    return Screen(console(), language())


async def paused(running: Running, group: Group) -> str | None:
    state = (await running.service.engine.fresh((await tables(running, group))[0])).state
    assert state is not None
    return state.paused


async def rest(running: Running) -> None:
    """Maintenance, and the bot has heard of it."""
    await operating.rest(running.service, screen(), "a new server")
    running.clock.ahead += LISTENS_MS


async def go_on(running: Running) -> None:
    await operating.go_on(running.service, screen())
    running.clock.ahead += LISTENS_MS


async def test_a_banned_person_opens_and_joins_nothing_until_the_ban_ends_and_is_told_so_kindly(
    running: Running,
) -> None:
    """Stopping somebody from joining, also until a date (GreyWolfDev/Werewolf#374)."""
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = running.world.group("Friday", [ann, bob])
    ends = running.clock.now() + 3 * HOUR  # before a lobby at which nothing happens is closed
    await operation(running).ban(f"tg:{bob.id}", ends, "spoilt a game")
    bob.say(group, "/chinchon")
    told = await running.until(lambda: bob.find(group, "You cannot open or join tables here until "))
    assert "spoilt" not in told.text, "why is between the operator and him"
    assert await running.service.store.tables() == []
    ann.say(group, "/chinchon")
    lobby = await running.until(lambda: ann.find(group, "Join"))
    assert "You cannot open or join tables here until" in await running.press(bob, lobby, "Join")
    (table,) = await running.service.store.tables()
    state = (await running.service.engine.held(table)).state
    assert state is not None
    assert len(state.seats) == 1
    running.clock.ahead += 3 * HOUR
    await running.press(bob, lobby, "Join")
    state = (await running.service.engine.fresh(table)).state
    assert state is not None
    assert len(state.seats) == 2


async def test_a_banned_person_is_told_so_in_the_input_line_and_plays_on_where_he_sits(running: Running) -> None:
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    group, name = await playing(running, ann, bob, cat)
    for person in (bob, cat):
        await operation(running).ban(f"tg:{person.id}", None, "")
    _, found = await typed(running, cat, group)
    assert (found.results, found.button) == ((), "You cannot join tables at the moment")
    _, found = await typed(running, bob, group)
    assert found.results, "his hand, as before"
    cat.start()
    cat.say(cat.private, "/chinchon")
    await running.until(lambda: cat.find(cat.private, "You cannot open or join tables here any more."))
    hello = cat.say(group, "give me a seat")
    ann.say(group, f"/replace {name} Bob", reply_to=hello)
    await running.press(ann, await asked(running, ann, group, "Give the seat of Bob"), "Yes")
    await running.until(lambda: ann.find(group, "That person may not take a seat here at the moment."))


async def test_nobody_asks_in_the_input_line_while_the_deployment_rests(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group, _ = await playing(running, ann, bob)
    await rest(running)
    _, found = await typed(running, bob, group)
    assert (found.results, found.button) == ((), "Being looked after: please wait a while")


async def test_a_ban_outlives_that_somebody_is_forgotten_and_does_not_say_who_he_is(running: Running) -> None:
    eve = running.world.person("Eve")
    eve.start()
    await running.until(lambda: eve.texts(eve.private) or None)
    await operation(running).ban(f"tg:{eve.id}", None, "")
    eve.say(eve.private, "/forget")
    question = await running.until(lambda: eve.find(eve.private, "Forget you?"))
    await running.press(eve, question, "Yes")
    key = f"tg:{eve.id}"

    async def gone() -> bool:
        return key not in await running.service.directory.everything("people")

    await running.eventually(gone)
    kept = await running.service.directory.everything("bans")
    assert not any(str(eve.id) in field + value for field, value in kept.items())
    assert len(kept) == 1
    assert f"tg:{eve.id}" not in await operation(running).bans()
    eve.say(eve.private, "/chinchon")
    await running.until(lambda: eve.find(eve.private, "You cannot open or join tables here any more."))
    assert list(await operation(running).bans()) == [f"tg:{eve.id}"], "he is known again"
    assert await operation(running).unban(f"tg:{eve.id}")
    assert not await operation(running).unban(f"tg:{eve.id}")


async def test_while_the_deployment_rests_tables_pause_and_whoever_moves_is_told_why(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group, _ = await playing(running, ann, bob)
    await rest(running)
    assert await paused(running, group) == "clock"
    await running.until(
        lambda: ann.find(group, "⏸ The game is paused: no clock runs. It goes on by itself. (a new server)")
    )
    ann.say(group, "/draw stock")
    await running.until(lambda: ann.find(group, "I am being looked after for a while. Your games are safe"))
    bob.say(group, "/callbreak")
    await running.until(lambda: sum("looked after" in text for text in bob.texts(group)) == 2 or None)
    assert len(await running.service.store.tables()) == 1
    ann.say(group, "just talking")
    ann.say(group, "/score")
    await running.until(lambda: ann.find(group, "No set has been scored yet."))
    assert sum("looked after" in text for text in ann.texts(group)) == 2, "talk is none of our business"
    before = len(await running.service.engine.history((await tables(running, group))[0]))
    await rest(running)
    assert len(await running.service.engine.history((await tables(running, group))[0])) == before, "again: nothing new"
    await go_on(running)
    assert await paused(running, group) is None
    assert await operation(running).rest_now() is None


async def test_maintenance_ends_its_own_pauses_and_no_others(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group, _ = await playing(running, ann, bob)
    (table,) = await tables(running, group)
    await running.service.engine.submit(table, "person:boss", Pause(), "test pause", admin=True)
    await rest(running)
    await go_on(running)
    assert await paused(running, group) == "admin"


async def test_a_table_whose_chat_was_lost_stays_paused_when_maintenance_is_over(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group, _ = await playing(running, ann, bob)
    (table,) = await tables(running, group)
    await rest(running)
    group.remove_bot()

    async def stranded() -> bool:
        return await running.service.directory.get("stranded", table) == "chat"

    await running.eventually(stranded)
    await go_on(running)
    state = (await running.service.engine.fresh(table)).state
    assert state is not None
    assert (state.paused, state.paused_why) == ("clock", "")
    group.add_bot()

    async def on() -> bool:
        return await paused(running, group) is None

    await running.eventually(on)


def told(person: Person, group: Group, words: str) -> int:
    return sum(words in text for text in person.texts(group))


async def test_every_chat_with_a_running_table_is_told_once_and_escaped(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    groups = [(await playing(running, ann, bob))[0] for _ in range(2)]
    quiet = running.world.group("No table", [ann])
    words = "Tonight at 8 we <move> & are back at 9"
    for _ in range(2):  # the operator is unsure and does it again
        await operating.announce(running.service, screen(), words)
    for group in groups:
        await running.until(partial(ann.find, group, f"📢 {words}"))
    await running.eventually(lambda: _told(running, ["sent", "sent"]))
    await running.stop()
    await running.start()  # a process that starts anew tells nobody again
    ann.say(groups[0], "/help")
    await running.until(lambda: ann.find(groups[0], "how one command is used"))
    assert [told(ann, group, words) for group in groups] == [1, 1]
    assert told(ann, quiet, words) == 0


async def _told(running: Running, what: list[str]) -> bool:
    known = operation(running)
    ((mark, one),) = (await known.announcements()).items()
    return sorted((await known.told(mark, one)).values()) == what


async def test_a_chat_that_was_perhaps_told_when_the_bot_was_killed_is_not_told_again(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group, _ = await playing(running, ann, bob)
    (table,) = await tables(running, group)
    await running.stop()
    known = operation(running)
    mark, _, _ = await known.announce("hello", (table,))
    assert await known.claim(mark, table, "a process that was killed")
    assert not await known.claim(mark, table, "another")
    await running.start()
    await known.announce("after that", (table,))
    await running.until(lambda: ann.find(group, "📢 after that"))
    assert told(ann, group, "hello") == 0


async def test_a_chat_that_cannot_be_reached_is_noted_and_what_is_old_is_not_told_any_more(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group, _ = await playing(running, ann, bob)
    known = operation(running)
    await running.service.directory.put("homes", "chat:-100999", "nowhere")
    await running.service.directory.put("homes:back", "nowhere", "chat:-100999")
    _, _, new = await known.announce("hello", (*await tables(running, group), "nowhere-1"))
    assert new
    await running.until(lambda: ann.find(group, "📢 hello"))
    await running.eventually(lambda: _told(running, ["sent"]))
    await running.stop()
    await running.start()  # it has learnt of the other home
    await running.eventually(lambda: _told(running, ["gone", "sent"]))
    running.clock.ahead += 8 * DAY
    assert await known.announcements() == {}
    assert await running.service.directory.everything("announced") == {}
