from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial

import pytest

from domain import table
from domain.clock import Stop
from domain.commands import Move
from domain.decide import legal
from domain.events import Decision
from domain.games.snitch.moves import Challenge, LaySet
from domain.games.taichi.deck import LETTERS_OF
from domain.games.taichi.fit import fits
from domain.games.taichi.state import Set
from domain.table import Table
from service.engine import Done, Engine
from service.sandbox.people import Group, Person, Place
from service.sandbox.state import Message
from service.sandbox.waiting import PATIENCE
from service.sandbox.world import World
from service.sealing import Sealer
from service.words import lexicon
from tests.service.chat.conftest import MovableClock, Roomy, Running, serving
from tests.service.chat.test_calls import later

KEY = bytes(range(32))
WINDOW = 600  # s: the shortest in which a set may be defended
SPENT = 240  # s of it that are over before the bot is down
APART = 0.06  # s of ours between two tries of a word, on the fast clock
DOWN = 3600  # s
LATE = 120  # s by which a clock may be late


class FastClock(MovableClock):
    """A clock on which a minute is over in a second."""

    SPEED = 60


@pytest.fixture
async def fast(bot_api: World) -> AsyncIterator[Running]:
    """A bot whose clock runs fast, and which has room for as much as is said then."""
    async with serving(bot_api, clock=FastClock(), windows=Roomy()) as made:
        yield made


async def seen(running: Running, name: str) -> Table:
    """The table as it is."""
    state = (await running.service.engine.held(name)).state
    assert state is not None
    return state


async def started(
    running: Running, group: Group, people: list[Person], game: str, options: str, computers: int = 0
) -> str:
    """A game of these people; gives the table's id."""
    ann, *others = people
    ann.say(group, f"/{game}")
    lobby = await running.until(lambda: ann.find(group, "Join"))
    for person in others:
        await running.press(person, group, "Join")
    for _ in range(computers):
        await running.press(ann, group, "Add computer player")
    ann.say(group, f"/options {options}")
    await running.until(lambda: ann.find(group, "The rules are changed."))
    await running.press(ann, group, "Start")
    return next(button.value for row in lobby.keyboard for button in row if button.text == "Join").split(":")[1]


async def challenged(running: Running, group: Group, people: list[Person]) -> tuple[str, Person, Decision]:
    """A round of Snitch up to its first challenge: the table, who defends, and what he is asked."""
    name = await started(running, group, people, "snitch", f"defend_seconds={WINDOW}")
    for number in range(100):
        state = await seen(running, name)
        [asked] = state.decisions
        [seat] = asked.seats
        if state.set.target >= 0:
            return name, people[seat], asked
        able = legal(state, seat)
        attack = [move for move in able if isinstance(move, Challenge)]
        sets = [move for move in able if isinstance(move, LaySet)]
        move = [*attack, *sets, able[0]][0]
        outcome = await running.service.engine.submit(name, state.seats[seat].owner, Move(move), f"test:{number}")
        assert isinstance(outcome, Done)
    raise AssertionError("nobody challenges anybody")


def way_out(person: Person) -> Message | None:
    """The message in his private chat by which a set is given up."""
    return person.find(person.private, "Give the set up")


async def out_of_service(running: Running, name: str) -> Stop:
    """The bot is down for an hour: when, as the table noted it."""
    before = (await seen(running, name)).stops
    await running.stop()
    running.clock.ahead += DOWN * 1000
    engine = Engine(running.service.store, Sealer(KEY), running.clock)  # nothing of the old process
    running.service = replace(running.service, engine=engine)
    await running.start()
    found: list[Stop] = []

    async def noted() -> bool:
        found[:] = [stop for stop in (await seen(running, name)).stops if stop not in before]
        return bool(found)

    await running.eventually(noted)
    assert found[0].end - found[0].start >= DOWN * 1000
    return found[0]


async def closed(running: Running, name: str) -> bool:
    """Whether nobody has to defend a set any more."""
    return bool((await seen(running, name)).set.target < 0)


def over(person: Person, group: Group) -> bool:
    """Whether the group's message tells of no challenge any more."""
    found = person.find(group, "My hand")
    return found is not None and "is challenged" not in found.text


async def some_people(running: Running, number: int = 3) -> tuple[Group, list[Person]]:
    people = [running.world.person(name) for name in ("Ann", "Bob", "Cleo", "Dan")[:number]]
    for person in people:
        person.start()
    return running.world.group("Friday", people), people


async def test_a_set_whose_time_ran_out_while_the_bot_was_down_may_still_be_given_up(running: Running) -> None:
    group, people = await some_people(running)
    name, defender, asked = await challenged(running, group, people)
    offer = await running.until(lambda: way_out(defender), "the answers")
    await out_of_service(running, name)
    state = await seen(running, name)
    assert state.decisions == (asked,)
    due = table.deadline(state, asked)
    assert due is not None
    assert abs(due - running.clock.now() - WINDOW * 1000) < LATE * 1000
    assert await running.press(defender, offer, "Give the set up") == "✓ Give the set up"
    await running.until(lambda: over(defender, group))
    assert (await seen(running, name)).set.target < 0


async def test_a_window_is_open_for_the_time_that_was_left_before_the_bot_was_down(running: Running) -> None:
    group, people = await some_people(running)
    name, defender, asked = await challenged(running, group, people)
    await running.until(lambda: way_out(defender), "the answers")
    await later(running, SPENT * 1000)
    stop = await out_of_service(running, name)
    await later(running, (WINDOW - SPENT - LATE) * 1000)
    state = await seen(running, name)
    assert state.decisions == (asked,)
    assert state.set.target >= 0
    due = table.deadline(state, asked)
    assert due is not None
    await later(running, due - running.clock.now())
    await running.eventually(partial(closed, running, name))
    last = next(one for one in reversed(await running.service.engine.history(name)) if b'"auto":true' in one.events)
    ran = last.time - asked.start - (stop.end - stop.start)
    assert WINDOW * 1000 <= ran < (WINDOW + LATE) * 1000
    await running.until(lambda: over(defender, group))


# Words


def word_for(state: Set) -> str | None:
    """A common word that counts now."""
    english = lexicon("en")
    said = {family for one in state.words for family in english.rule(one.word).families}
    for letter in LETTERS_OF[state.open[0]]:
        for word in english.common(letter):
            if fits(word, state.open) and said.isdisjoint(english.rule(word).families):
                return word
    return None


async def says(running: Running, name: str, person: Person, group: Place, text: str) -> Set:
    """Somebody writes a move in the group, or in private; gives the game after it."""
    before = await seen(running, name)
    person.say(group, text)
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                await asyncio.sleep(0.005)
                after = await seen(running, name)
                if after is not before and (after.phase == "over" or after.set != before.set):
                    found: Set = after.set
                    return found
    except TimeoutError:
        shown = running.world.transcript(group)[-3000:]
        raise AssertionError(f"nothing came of {text} by {person}\n{shown}") from None


async def test_whoever_was_asked_before_the_bot_was_down_may_still_challenge(running: Running) -> None:
    group, people = await some_people(running, 4)
    options = " ".join(f"{name}_seconds={WINDOW}" for name in ("word", "rescue", "ask", "ready", "answer"))
    name = await started(running, group, people, "taichi", options)
    seat = (await seen(running, name)).set.turn
    active, *others = [*people[seat:], *people[:seat]]
    state = await says(running, name, active, group, "/turn")
    await out_of_service(running, name)
    state = await says(running, name, active, group, f"/w {word_for(state)}")
    state = await says(running, name, active, group, "/stop")
    [asked] = (await seen(running, name)).decisions
    await says(running, name, others[0], group, "/challenge")
    offers = [await running.until(partial(person.find, person.private, "Not me")) for person in others[1:]]
    await out_of_service(running, name)
    [still] = (await seen(running, name)).decisions
    assert (still.id, still.start) == (asked.id, asked.start)
    for person, offer in zip(others[1:], offers, strict=True):
        assert (await running.press(person, offer, "Not me")) == "✓ Not me"
    state = (await seen(running, name)).set
    assert state.phase == "ready"
    assert state.fighters == (people.index(active), people.index(others[0]))


async def played_out(running: Running, name: str, group: Group | None, people: list[Person], seed: int) -> set[str]:
    """People (in the first seats) write whatever they can until the game is over, each in private where there is no
    group; gives which moves they made when."""
    chance = random.Random(seed)
    spoke = dict.fromkeys(range(len(people)), 0.0)
    made: set[str] = set()

    def wanted(state: Set) -> str:
        word = word_for(state) if state.phase in ("word", "rescue", "duel") else None
        match state.phase:
            case "card":
                return "/turn"
            case "choose":
                return "/stop" if len(state.open) > 1 or not state.piled else "/turn"
            case "word":
                return f"/w {word}" if word and chance.random() < 0.8 else "/no_word"
            case "rescue":
                return f"/word {word}" if word and chance.random() < 0.5 else "/pass"
            case "ask":
                return chance.choice(["/challenge", "/decline", "/decline"])
            case "ready":
                return "/ready"
            case _:
                return "/pass" if state.answers or not word else f"/w {word}"

    while (held := await seen(running, name)).phase == "playing":
        state: Set = held.set
        asked = [seat for ask in held.rules.to_act(state) for seat in ask.seats if seat < len(people)]
        if not asked or (state.phase == "duel" and state.answers):
            await asyncio.sleep(0.01)  # for a computer player, or for the answers of a duel
            continue
        seat = chance.choice(asked)
        await asyncio.sleep(max(0.0, spoke[seat] + APART - time.monotonic()))
        if (await seen(running, name)).set != state:
            continue
        text = wanted(state)
        made.add(f"{state.phase} {text.split()[0]}")
        await says(running, name, people[seat], group or people[seat].private, text)
        spoke[seat] = time.monotonic()
    if group is None:
        return made
    said = await running.until(partial(people[0].find, group, "Once more? /taichi"), "the end")
    counts = [len(stack) for stack in (await seen(running, name)).set.stacks]
    for person, count in zip(people, counts, strict=False):
        assert (f"Winner: {person.name}" in said.text) == (count == max(counts)) or counts.count(max(counts)) > 1
    return made


async def test_four_people_play_with_words_until_the_last_card(fast: Running) -> None:
    group, people = await some_people(fast, 4)
    name = await started(fast, group, people, "taichi", "unchallenged=symbol objections=false")
    made = await played_out(fast, name, group, people, seed=5)
    assert {"word /w", "word /no_word", "rescue /word", "ask /challenge", "duel /w"} <= made


async def test_a_person_plays_with_words_against_computer_players_until_the_last_card(fast: Running) -> None:
    group, people = await some_people(fast, 1)
    name = await started(fast, group, people, "taichi", "unchallenged=symbol", computers=3)
    made = await played_out(fast, name, group, people, seed=6)
    assert {"card /turn", "word /w", "choose /stop"} <= made
    assert len((await seen(fast, name)).seats) == 4


async def test_the_quickest_word_wins_too_where_everybody_writes_in_private(fast: Running) -> None:
    """Numbers of messages say nothing across private chats: there the time decides."""
    ann, bob = people = [fast.world.person("Ann"), fast.world.person("Bob")]
    ann.start()
    ann.say(ann.private, "/taichi")
    lobby = await fast.until(lambda: ann.find(ann.private, "Join"))
    name = next(button.value for row in lobby.keyboard for button in row if button.text == "Join").split(":")[1]
    ann.say(ann.private, "/options unchallenged=symbol objections=false")
    await fast.until(lambda: ann.find(ann.private, "The rules are changed."))
    await fast.press(ann, ann.private, "Invite friends")
    link = await fast.until(lambda: ann.find(ann.private, "This link takes a seat"))
    bob.start(link.text.rpartition("start=")[2])
    await fast.until(lambda: bob.find(bob.private, "Start"))
    await fast.press(bob, bob.private, "Start")
    made = await played_out(fast, name, None, people, seed=7)
    assert {"word /w", "duel /w"} <= made
