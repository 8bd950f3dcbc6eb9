"""Words of Tai Chi Chuan in a group: tries, objections, and refusals that name people."""

from __future__ import annotations

import pytest

from domain.games.taichi.deck import LETTERS_OF
from domain.games.taichi.fit import fits
from domain.games.taichi.state import Set
from service.sandbox.people import Group, Person
from service.words import lexicon
from tests.service.chat.conftest import Running

APART = 3_100  # ms between two tries


async def _started(running: Running) -> tuple[str, Group, list[Person]]:
    """Three at a table, the active player's first card turned; they are told in the order of their seats."""
    people = [running.world.person(name) for name in ("Ann", "Bob", "Cleo")]
    for person in people:
        person.start()
    group = running.world.group("Words", people)
    people[0].say(group, "/taichi")
    lobby = await running.until(lambda: people[0].find(group, "Join"))
    for person in people[1:]:
        await running.press(person, group, "Join")
    await running.press(people[0], group, "Start")
    name = next(button.value for row in lobby.keyboard for button in row if button.text == "Join").split(":")[1]

    async def dealt() -> bool:
        return (await _set(running, name)) is not None

    await running.eventually(dealt)
    await _say(running, name, people[(await _now(running, name)).turn], group, "/turn", "word")
    return name, group, people


async def _set(running: Running, name: str) -> Set | None:
    held = await running.service.engine.held(name)
    found: Set | None = None if held.state is None else held.state.set
    return found


async def _now(running: Running, name: str) -> Set:
    found = await _set(running, name)
    assert found is not None
    return found


async def _say(running: Running, name: str, person: Person, group: Group, text: str, phase: str) -> None:
    """Says something in the group that leads to this phase."""
    person.say(group, text)

    async def reached() -> bool:
        return (await _now(running, name)).phase == phase

    await running.eventually(reached)


@pytest.fixture
async def table(running: Running) -> tuple[str, Group, list[Person]]:
    return await _started(running)


async def test_an_objection_is_no_try(running: Running, table: tuple[str, Group, list[Person]]) -> None:
    """TC-25 keeps words three seconds apart; whoever objects to a refusal may do so at once."""
    name, group, people = table
    state = await _now(running, name)
    active = people[state.turn]
    first = LETTERS_OF[state.open[0]][0]
    with running.clock.standing():
        active.say(group, f"/word {first}qq")
        await running.until(lambda: active.find(group, "is not in the dictionary"))
        active.say(group, f"/word {first}zz")
        await running.until(lambda: active.find(group, "every 3 seconds"))
    active.say(group, "/object")

    async def objected() -> bool:
        return (await _now(running, name)).objection is not None

    await running.eventually(objected)


async def test_a_word_that_was_said_is_refused_with_the_name_of_who_said_it(
    running: Running, table: tuple[str, Group, list[Person]]
) -> None:
    """Of two words at almost the same time only one counts, and the loser is not told why.

    Reports: stuartizon/anagrabble#24.
    """
    name, group, people = table
    state = await _now(running, name)
    active = people[state.turn]
    assert state.pile is not None
    both = (state.open[0], state.pile[0])
    word = next(word for letter in LETTERS_OF[both[0]] for word in lexicon("en").common(letter) if fits(word, both))
    await _say(running, name, active, group, f"/word {word}", "choose")
    await _say(running, name, active, group, "/turn", "word")
    running.clock.ahead += APART
    active.say(group, f"/word {word.upper()}")
    await running.until(lambda: active.find(group, f"{active.name} has said {word.upper()} already."))
