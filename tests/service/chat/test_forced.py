from __future__ import annotations

import hashlib

import msgspec
import pytest

from domain import options, premoves
from domain.commands import Join, Move, Open, Pause, Start
from domain.decide import legal
from domain.games import GAMES
from domain.games.snitch.moves import Challenge, LaySet
from domain.table import Table, decision_of
from service.chat.hands.forced import LEAST, MOST, Forced, takes
from service.chat.people.customs import Habits
from service.engine import Done
from tests.service.chat.conftest import Running
from tests.service.tables import PEOPLE, World, new_world, steady_seeds

NAME = "home-1"
PLAIN = {"max_sets": "1", "target": "0", "redeal": "", "min_total_calls": "0"}


@pytest.fixture
async def world() -> World:
    return await new_world(steady_seeds)


def forced(world: World, wishes: bool = True) -> Forced:
    """A new process that looks after people who all wish it, or none of whom does."""
    return Forced(world.another_engine(), world.clock, lambda _actor: Habits(forced=wishes))


async def with_one_move(world: World) -> tuple[Table, int]:
    """A game of Call Break up to a card to which there is no alternative: the table, and whose it is."""
    await world.started(NAME, PLAIN)
    for _ in range(56):
        state = await world.state(NAME)
        seat = state.decisions[0].seats[0]
        if len(legal(state, seat)) == 1 and state.set.trick:
            return state, seat
        await world.first_legal_move(NAME)
    raise AssertionError("there always was a choice")


async def moves(world: World) -> int:
    """How many moves were made, as the store has them."""
    state = (await world.engine.fresh(NAME)).state
    assert state is not None
    return int(state.set.moves)


async def test_a_card_without_an_alternative_is_played_after_as_long_as_a_person_would_take(world: World) -> None:
    state, seat = await with_one_move(world)
    question = decision_of(state, seat)
    assert question is not None
    due = question.start + takes(state, seat, question.id)
    assert LEAST <= due - question.start <= MOST
    one, before = forced(world), await moves(world)
    assert await one.look(NAME) == due
    world.clock.pass_time(due - world.clock.now() - 1)
    assert await one.look(NAME) == due
    assert await moves(world) == before, "not a moment early"
    world.clock.pass_time(1)
    await one.look(NAME)
    assert await moves(world) == before + 1
    last = (await world.engine.history(NAME))[-1]
    assert last.actor == state.seats[seat].owner, "an ordinary move of its owner"


async def test_nothing_is_played_for_whoever_does_not_wish_it(world: World) -> None:
    await with_one_move(world)
    before = await moves(world)
    world.clock.pass_time(MOST)
    assert await forced(world, wishes=False).look(NAME) is None
    assert await moves(world) == before


async def test_two_processes_play_it_once(world: World) -> None:
    state, seat = await with_one_move(world)
    held = await world.engine.held(NAME)
    one, other = forced(world), forced(world)
    await one.look(NAME)
    await other.look(NAME)  # both know the table as it is now
    world.clock.pass_time(MOST)
    before = await moves(world)
    await one.look(NAME)
    made = (await world.engine.history(NAME))[held.version]
    assert made.command == f"forced:{NAME}:{held.version}:{seat}"
    assert await moves(world) == before + 1
    [move] = legal(state, seat)
    again = await world.another_engine().submit(NAME, state.seats[seat].owner, Move(move), made.command)
    assert isinstance(again, Done)
    assert again.again


async def test_a_choice_is_left_to_its_owner(world: World) -> None:
    state = await world.started(NAME, PLAIN)
    assert len(legal(state, state.decisions[0].seats[0])) > 1
    world.clock.pass_time(MOST)
    assert await forced(world).look(NAME) is None
    assert (await world.state(NAME)).set.called == 0


async def test_while_the_table_is_paused_nothing_is_played(world: World) -> None:
    await with_one_move(world)
    outcome = await world.engine.submit(NAME, "chat", Pause(), "pause", admin=True)
    assert isinstance(outcome, Done)
    before = await moves(world)
    world.clock.pass_time(MOST)
    assert await forced(world).look(NAME) is None
    assert await moves(world) == before


async def test_a_set_that_cannot_be_defended_is_given_up_by_its_owner_and_nothing_hints_at_it() -> None:
    """Reports: the speed of an answer shows that there is nothing to answer with."""
    world = await new_world(lambda table, number: hashlib.sha256(f"{table} {number}".encode()).digest())
    snitch, met = GAMES["snitch"], 0
    for number in range(12):
        name = f"home-{number}"
        await world.do(name, PEOPLE[0], Open("snitch", options.read(snitch, {})))
        for person in PEOPLE[1:]:
            await world.do(name, person, Join())
        assert isinstance(await world.do(name, PEOPLE[0], Start()), Done)
        for _ in range(60):
            state = await world.state(name)
            seat = state.decisions[0].seats[0]
            able = legal(state, seat)
            if state.set.target >= 0:
                version = (await world.engine.held(name)).version
                world.clock.pass_time(MOST)
                assert await forced(world).look(name) is None
                assert (await world.engine.fresh(name)).version == version
                assert premoves.forced(state, seat) is None
                met += len(able) == 1
                break
            wanted = [move for kind in (Challenge, LaySet) for move in able if isinstance(move, kind)]
            await world.do(name, state.seats[seat].owner, Move((wanted or list(able))[0]))
    assert met, "somebody could do nothing but give up"


async def test_who_says_so_in_private_has_moves_made_for_him_and_nobody_else_hears_of_it(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = running.world.group("Friday", [ann, bob])
    actor = await running.service.directory.person(f"tg:{ann.id}")

    async def habits() -> Habits:
        stored = await running.service.directory.get("habits", actor)
        return Habits() if stored is None else msgspec.json.decode(stored, type=Habits)

    ann.say(group, "/forced on")
    await running.until(lambda: ann.find(group, "private chat"))
    assert not (await habits()).forced
    ann.start()
    for text, words, on in (("/forced on", "I make it for you", True), ("/forced off", "every move yourself", False)):
        ann.say(ann.private, text)
        await running.until(lambda words=words: ann.find(ann.private, words))  # type: ignore[misc]
        assert (await habits()).forced is on
    assert not any("I make it" in text for text in bob.texts(group))
