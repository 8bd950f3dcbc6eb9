"""The keeper where a table is paused, an owner is on vacation, or a computer player stands in for one."""

from __future__ import annotations

import asyncio

import pytest

from domain import events, table
from domain.commands import AwayUntil, Leave, Pause, Resume, Return, SetStandIn
from domain.events import Expired, OutageNoted
from domain.games.callbreak.events import Called, CardPlayed
from eventstore.record import Commit
from service.due import computers_to_act
from service.keeper import Keeper
from tests.service.tables import DAY, PEOPLE, World, new_world, steady_seeds

TABLE = "home-1"
ADMIN = "person:zed"


@pytest.fixture
async def world() -> World:
    return await new_world(steady_seeds)


async def _facts(world: World) -> list[object]:
    return [fact for commit in await world.store.read(TABLE) for fact in events.decode(commit.events)]


async def _commits(world: World) -> list[Commit]:
    return list(await world.store.read(TABLE))


async def test_in_a_pause_no_clock_fires_and_no_computer_player_moves_until_the_table_goes_on(world: World) -> None:
    state = await world.started(TABLE, people=1)
    assert computers_to_act(state) or state.decisions[0].seats == (0,)
    await world.do(TABLE, "clock", Pause())
    before = len(await _commits(world))
    keeper = world.keeper()
    world.clock.pass_time(30 * DAY)
    assert await keeper.turn(TABLE) is None
    assert computers_to_act(await world.state(TABLE)) == []
    assert len(await _commits(world)) == before
    await world.do(TABLE, "clock", Resume())
    await keeper.touched(TABLE)
    assert not [fact for fact in await _facts(world) if isinstance(fact, Expired)]
    state = await world.state(TABLE)
    assert state.decisions[0].seats == (0,)
    world.clock.pass_time(DAY)
    await keeper.touched(TABLE)
    assert len([fact for fact in await _facts(world) if isinstance(fact, Expired)]) == 1


async def test_an_outage_in_a_pause_is_part_of_it_and_after_it_every_second_is_still_there(world: World) -> None:
    state = await world.started(TABLE)
    due = table.deadline(state, state.decisions[0])
    assert due is not None
    await world.keeper().start()
    world.clock.pass_time(1000)
    await world.do(TABLE, "clock", Pause())
    await world.keeper().beat()
    world.clock.pass_time(3 * DAY)
    world.engine = world.another_engine()
    await world.keeper().start()
    world.clock.pass_time(DAY)
    await world.do(TABLE, "clock", Resume())
    assert not [fact for fact in await _facts(world) if isinstance(fact, OutageNoted)]
    state = await world.state(TABLE)
    assert table.deadline(state, state.decisions[0]) == due + 4 * DAY


async def test_on_vacation_nothing_expires_and_afterwards_the_rest_of_the_time_runs(world: World) -> None:
    state = await world.started(TABLE)
    seat = state.decisions[0].seats[0]
    world.clock.pass_time(DAY // 2)
    await world.do(TABLE, PEOPLE[seat], AwayUntil(world.clock.now() + 7 * DAY))
    keeper = world.keeper()
    world.clock.pass_time(7 * DAY + DAY // 2 - 1)
    await keeper.touched(TABLE)
    assert not [fact for fact in await _facts(world) if isinstance(fact, Expired)]
    world.clock.pass_time(1)
    await keeper.touched(TABLE)
    assert len([fact for fact in await _facts(world) if isinstance(fact, Expired)]) == 1


async def test_a_computer_player_stands_in_for_whoever_has_left_and_stops_when_he_is_back(world: World) -> None:
    state = await world.started(TABLE)
    seat = state.decisions[0].seats[0]
    await world.engine.submit(TABLE, ADMIN, SetStandIn(True), "tg:1:1:home-1", admin=True)
    await world.do(TABLE, PEOPLE[seat], Leave())
    (waiting,) = computers_to_act(await world.state(TABLE))
    assert waiting.seat == seat
    await world.keeper().touched(TABLE)
    called = [fact for fact in await _facts(world) if isinstance(fact, Called)]
    assert [(fact.seat, fact.auto) for fact in called] == [(seat, False)]
    assert (await _commits(world))[-1].actor == "computer:steady"
    assert not [fact for fact in await _facts(world) if isinstance(fact, Expired)]
    await world.do(TABLE, PEOPLE[seat], Return())
    for _ in range(3):
        await world.first_legal_move(TABLE)
    played = [fact for fact in await _facts(world) if isinstance(fact, CardPlayed)]
    await world.keeper().touched(TABLE)
    assert [fact for fact in await _facts(world) if isinstance(fact, CardPlayed)] == played
    assert computers_to_act(await world.state(TABLE)) == []


async def test_two_keepers_make_the_move_of_one_who_stands_in_once(world: World) -> None:
    state = await world.started(TABLE)
    seat = state.decisions[0].seats[0]
    await world.engine.submit(TABLE, ADMIN, SetStandIn(True), "tg:1:1:home-1", admin=True)
    await world.do(TABLE, PEOPLE[seat], Leave())
    first = world.keeper()
    second = Keeper(world.store, world.another_engine(), world.directory, world.clock, "serve")
    await asyncio.gather(first.touched(TABLE), second.touched(TABLE))
    assert len([fact for fact in await _facts(world) if isinstance(fact, Called)]) == 1


async def test_without_a_stand_in_the_games_own_rule_plays_for_whoever_has_left(world: World) -> None:
    state = await world.started(TABLE)
    seat = state.decisions[0].seats[0]
    await world.do(TABLE, PEOPLE[seat], Leave())
    await world.keeper().touched(TABLE)
    called = [fact for fact in await _facts(world) if isinstance(fact, Called)]
    assert [(fact.seat, fact.auto) for fact in called] == [(seat, True)]
