from __future__ import annotations

from functools import partial

from domain.games import GAMES
from service.chat.people.members import EXPIRES_MS
from service.chat.tables.pairs import pair
from service.sandbox.people import Group, Person
from service.sandbox.state import Message
from service.text import language
from service.text.words import game_name
from tests.service.chat.conftest import Running


async def tables(running: Running, group: Group) -> list[str]:
    """The tables of a group, oldest first."""
    home = await running.service.directory.home(f"chat:{group.id}")
    return await running.service.directory.tables(home)


async def two_tables(running: Running, ann: Person, bob: Person) -> tuple[Group, list[str]]:
    """A lobby of Call Break and one of Chinchón, in both of which both sit; with their pairs."""
    group = running.world.group("Friday", [ann, bob])
    for game in ("callbreak", "chinchon"):
        ann.say(group, f"/{game}")
        lobby = await running.until(partial(lobby_of, ann, group, game))
        await running.press(bob, lobby, "Join")
    return group, [pair(name) for name in await tables(running, group)]


def stranger(*known: str) -> str:
    """What a table may be called, but none of these."""
    return next(name for name in map(pair, ("abcdefghjk-1", "abcdefghjk-2", "abcdefghjk-3")) if name not in known)


def lobby_of(person: Person, group: Group, game: str) -> Message | None:
    """The lobby of a game that stands in a group."""
    name = game_name(language(), game)
    return next((one for one in person.sees(group) if "Join" in one.buttons and name in one.text), None)


async def test_a_game_is_chosen_by_buttons(running: Running) -> None:
    ann = running.world.person("Ann")
    group = running.world.group("Friday", [ann])
    ann.say(group, "/new")
    asked = await running.until(lambda: ann.find(group, "Which game shall it be?"))
    assert asked.buttons == [game_name(language(), slug) for slug in GAMES]
    await running.press(ann, asked, "Chinchón")
    await running.until(partial(lobby_of, ann, group, "chinchon"))
    done = await running.until(lambda: ann.find(group, "Chinchón it is."))
    assert (done.id, done.buttons) == (asked.id, [])


async def test_the_greetings_buttons_are_gone_once_a_game_was_chosen(running: Running) -> None:
    """Buttons that went on offering games after one had been chosen (bpeel/pucxobot#15)."""
    ann = running.world.person("Ann")
    group = running.world.group("Friday", [ann])
    greeting = await running.until(lambda: ann.find(group, "Hello!"))
    await running.press(ann, greeting, "Snitch")
    await running.until(lambda: ann.find(group, "Join"))
    await running.until(lambda: not ann.find(group, "Chit Chat"))


async def test_a_table_is_named_by_its_pair_and_what_was_said_is_done_there(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group, (callbreak, chinchon) = await two_tables(running, ann, bob)
    bob.say(group, f"/leave {callbreak}")
    await running.until(lambda: bob.find(group, "Your seat is free again."))
    bob.say(group, f"/leave {chinchon.upper()}")
    await running.until(lambda: len([1 for text in bob.texts(group) if "Your seat is free again." in text]) == 2)
    other = stranger(callbreak, chinchon)
    bob.say(group, f"/leave {other}")
    await running.until(lambda: bob.find(group, f"No table here is called {other}."))


async def test_where_several_tables_fit_a_button_says_which_one_is_meant_once(running: Running) -> None:
    """People press “which game” again and again and spam the group (bpeel/pucxobot#15)."""
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group, (callbreak, chinchon) = await two_tables(running, ann, bob)
    bob.say(group, "/leave")
    asked = await running.until(lambda: bob.find(group, "Which table do you mean?"))
    assert sorted(label.partition(" ")[0] for label in asked.buttons) == sorted([callbreak, chinchon])
    assert "for somebody else" in await running.press(ann, asked, lambda one: one.text.startswith(callbreak))
    data = {button.text.partition(" ")[0]: button.value for row in asked.keyboard for button in row}
    await running.press(bob, asked, lambda one: one.text.startswith(callbreak))
    await running.until(lambda: bob.find(group, "Your seat is free again."))
    await running.until(lambda: bob.find(group, f"→ {callbreak}"))
    for value in data.values():
        tap = bob.tap_raw(asked, value)
        assert (await running.until(lambda tap=tap: tap.query.answer)).text == "That has been answered already."  # type: ignore[misc]
    held = [await running.service.engine.held(name) for name in await tables(running, group)]
    assert [len(one.state.seats) for one in held if one.state is not None] == [1, 2]


async def test_a_command_that_makes_sense_at_one_table_only_asks_nothing(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group, _ = await two_tables(running, ann, bob)
    lobby = lobby_of(ann, group, "chinchon")
    assert lobby is not None
    await running.press(ann, lobby, "Start")
    await running.until(lambda: ann.find(group, "My hand"))
    ann.say(group, "/options turn_seconds=3600")  # of the two that only the lobby's can still be changed
    await running.until(lambda: ann.find(group, "The rules are changed."))


async def test_only_those_in_the_lobby_start_the_game(running: Running) -> None:
    """Anybody in the group can press Start (d-Rickyy-b/Python-BlackJackBot#54)."""
    ann, bob, eve = (running.world.person(name) for name in ("Ann", "Bob", "Eve"))
    group = running.world.group("Friday", [ann, bob, eve])
    ann.say(group, "/chinchon")
    lobby = await running.until(lambda: ann.find(group, "Join"))
    await running.press(bob, lobby, "Join")
    assert "You have no seat" in await running.press(eve, lobby, "Start")
    assert "The cards are dealt" in await running.press(bob, lobby, "Start")


async def test_an_abandoned_lobby_is_closed_after_a_day_and_says_so(running: Running) -> None:
    """A lobby that nobody came to blocks no chat for ever (jh0ker/mau_mau_bot#138)."""
    ann = running.world.person("Ann")
    group = running.world.group("Friday", [ann])
    ann.say(group, "/chinchon")
    await running.until(lambda: ann.find(group, "Join"))
    await running.press(ann, group, "Add computer player")
    await running.until(lambda: ann.find(group, "Remove computer player"))
    await running.stop()
    running.clock.ahead = EXPIRES_MS + 60_000
    await running.start()
    (name,) = await tables(running, group)
    await running.until(lambda: ann.find(group, f"Nothing happened at {pair(name)} for a day, so I have closed it."))
    await running.until(lambda: ann.find(group, "The game is over: it was closed."))


async def test_in_a_topic_a_command_means_the_table_of_that_topic(running: Running) -> None:
    """Answers land in General instead of the topic (botman/driver-telegram#126, jh0ker/mau_mau_bot#138)."""
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = running.world.group("Friday", [ann, bob], forum=True)
    topics = [group.open_topic("Cards"), group.open_topic("More cards")]
    for topic in topics:
        ann.say(topic, "/chinchon")
        await running.until(lambda here=topic: ann.find(here, "Join"))  # type: ignore[misc]
        lobby = ann.find(topic, "Join")
        assert lobby is not None
        await running.press(bob, lobby, "Join")
    names = await tables(running, group)
    assert len(names) == 2
    for topic, name in zip(topics, names, strict=True):
        shown = len([one for one in ann.sees(topic) if pair(name) in one.text])
        bob.say(topic, "/options turn_seconds=3600")
        await running.until(lambda here=topic: bob.find(here, "The rules are changed."))  # type: ignore[misc]
        assert shown
    states = [(await running.service.engine.held(name)).state for name in names]
    assert [state.options.turn_seconds for state in states if state is not None] == [3600, 3600]
    bob.say(topics[1], "/leave")
    asked = await running.until(lambda: bob.find(topics[1], "Your seat is free again."))
    assert asked.thread == topics[1].thread
    states = [(await running.service.engine.held(name)).state for name in names]
    assert [len(state.seats) for state in states if state is not None] == [2, 1]


async def test_in_private_a_button_says_at_which_of_several_tables_a_move_is_meant(running: Running) -> None:
    """Who sits in two groups plays into the wrong one (lamapgame/lamap-bot#63)."""
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    bob.start()
    await running.until(lambda: bob.find(bob.private, "I deal, referee"))
    names = []
    for title in ("Friday", "Sunday"):
        group = running.world.group(title, [ann, bob])
        ann.say(group, "/chinchon")
        lobby = await running.until(partial(lobby_of, ann, group, "chinchon"))
        await running.press(bob, lobby, "Join")
        names += await tables(running, group)
    bob.say(bob.private, "/leave")
    asked = await running.until(lambda: bob.find(bob.private, "Which table do you mean?"))
    await running.press(bob, asked, lambda button: button.text.startswith(pair(names[1])))
    await running.until(lambda: bob.find(bob.private, "Your seat is free again."))
    seats = [len(held.state.seats) for name in names if (held := await running.service.engine.held(name)).state]
    assert seats == [2, 1]
    bob.say(bob.private, f"/leave {pair(names[0])}")
    await running.until(lambda: len([1 for text in bob.texts(bob.private) if "free again" in text]) == 2)
    bob.say(bob.private, "/leave")
    await running.until(lambda: bob.find(bob.private, "You sit at no table."))
