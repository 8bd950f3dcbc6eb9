"""Computer players move, clocks fire, an outage counts for nobody: all under a clock that only the test moves."""

from __future__ import annotations

import asyncio

import pytest

from domain import events, table
from domain.clock import Stop
from domain.commands import Leave, Move
from domain.events import Expired, OutageNoted
from domain.games.callbreak.moves import Call
from domain.games.callbreak.state import Called, CardPlayed
from service.engine import Done
from service.keeper import Keeper, computer_to_act
from service.projections.deadlines import Deadlines
from tests.service.tables import DAY, PEOPLE, World, new_world, steady_seeds

TABLE = "home-1"


@pytest.fixture
async def world() -> World:
    return await new_world(steady_seeds)


async def facts(world: World) -> list[object]:
    return [fact for commit in await world.store.read(TABLE) for fact in events.decode(commit.events)]


async def test_computer_players_move_until_a_person_is_asked(world: World) -> None:
    await world.started(TABLE, people=1)
    await world.keeper().touched(TABLE)
    state = await world.state(TABLE)
    assert computer_to_act(state) is None
    assert state.decisions[0].seats == (0,)


async def test_two_keepers_make_a_computers_move_once(world: World) -> None:
    await world.started(TABLE, people=1)
    other = Keeper(world.store, world.another_engine(), world.directory, world.clock, "serve")
    await asyncio.gather(world.keeper().touched(TABLE), other.touched(TABLE))
    calls = [fact.seat for fact in await facts(world) if isinstance(fact, Called)]
    assert len(calls) == len(set(calls))


async def test_when_the_time_is_over_the_clock_calls_and_the_next_seat_is_asked(world: World) -> None:
    state = await world.started(TABLE)
    seat = state.decisions[0].seats[0]
    keeper = world.keeper()
    world.clock.pass_time(DAY - 1)
    await keeper.touched(TABLE)
    assert await world.state(TABLE) == state
    world.clock.pass_time(1)
    await keeper.touched(TABLE)
    called = [fact for fact in await facts(world) if isinstance(fact, Called)]
    assert [(fact.seat, fact.auto) for fact in called] == [(seat, True)]
    assert (await world.state(TABLE)).decisions[0].seats == ((seat + 1) % 4,)


async def test_expiring_twice_is_harmless(world: World) -> None:
    await world.started(TABLE)
    keepers = [
        Keeper(world.store, engine, world.directory, world.clock, "serve")
        for engine in (world.another_engine(), world.another_engine())
    ]
    world.clock.pass_time(DAY)
    await asyncio.gather(*(keeper.touched(TABLE) for keeper in keepers))
    assert len([fact for fact in await facts(world) if isinstance(fact, Expired)]) == 1


async def test_an_outage_is_recorded_before_the_clock_is_judged(world: World) -> None:
    """Down for three days out of a one-day budget of which an hour was used: 23 hours are left."""
    await world.started(TABLE)
    await world.keeper().start()
    world.clock.pass_time(3_600_000)
    await world.keeper().beat()
    began = world.clock.now()
    world.clock.pass_time(3 * DAY)
    world.engine = world.another_engine()  # a new process
    await world.keeper().start()
    found = await facts(world)
    assert [fact.stop for fact in found if isinstance(fact, OutageNoted)] == [Stop(began, world.clock.now())]
    assert not [fact for fact in found if isinstance(fact, Expired)]
    state = await world.state(TABLE)
    assert table.deadline(state, state.decisions[0]) == world.clock.now() + DAY - 3_600_000


async def test_what_is_overdue_at_the_start_fires_after_the_outage_is_noted(world: World) -> None:
    """The time was over before the outage began: the bot was alive and only had not come to it yet."""
    state = await world.started(TABLE)
    seat = state.decisions[0].seats[0]
    await world.keeper().start()
    world.clock.pass_time(DAY + 1000)
    await world.keeper().beat()
    world.clock.pass_time(DAY)
    world.engine = world.another_engine()
    await world.keeper().start()
    found = [fact for fact in await facts(world) if isinstance(fact, OutageNoted | Expired)]
    assert [type(fact) for fact in found] == [OutageNoted, Expired]
    assert (await world.state(TABLE)).decisions[0].seats == ((seat + 1) % 4,)


async def test_a_killed_process_leaves_computer_moves_to_the_next_one(world: World) -> None:
    state = await world.started(TABLE, people=1)
    assert computer_to_act(state) is not None or state.decisions[0].seats == (0,)
    world.engine = world.another_engine()
    await world.keeper().start()
    assert computer_to_act(await world.state(TABLE)) is None


async def test_a_seat_that_left_is_played_at_once_and_the_game_goes_on(world: World) -> None:
    state = await world.started(TABLE)
    seat = state.decisions[0].seats[0]
    assert isinstance(await world.do(TABLE, PEOPLE[seat], Leave()), Done)
    await world.keeper().touched(TABLE)
    assert [(fact.seat, fact.auto) for fact in await facts(world) if isinstance(fact, Called)] == [(seat, True)]
    assert not [fact.counts for fact in await facts(world) if isinstance(fact, Expired) and fact.counts]


async def test_three_expiries_in_a_row_make_a_seat_away_until_it_acts(world: World) -> None:
    await world.started(TABLE, {"redeal": "", "min_total_calls": "0"})
    keeper = world.keeper()
    absent = (await world.state(TABLE)).decisions[0].seats[0]
    for _ in range(40):
        state = await world.state(TABLE)
        if table.away(state, absent):
            break
        if state.decisions[0].seats == (absent,):
            world.clock.pass_time(DAY)
            await keeper.touched(TABLE)
        else:
            await world.first_legal_move(TABLE)
    moved = [fact for fact in await facts(world) if isinstance(fact, Called | CardPlayed) and fact.auto]
    assert len(moved) >= 3
    while (await world.state(TABLE)).decisions[0].seats != (absent,):
        await world.first_legal_move(TABLE)
    assert (await world.state(TABLE)).decisions[0].seconds == 0
    assert isinstance(await world.first_legal_move(TABLE), Done)
    assert not table.away(await world.state(TABLE), absent)


async def test_the_index_of_deadlines_follows_the_feed_and_can_be_built_anew(world: World) -> None:
    from eventstore.feed import Follower

    state = await world.started(TABLE)
    deadlines = Deadlines(world.store, world.engine)
    follower = Follower(world.store, deadlines)
    await follower.catch_up()
    due = table.deadline(state, state.decisions[0])
    assert await deadlines.playing() == {TABLE: due}
    await follower.forget()
    assert await deadlines.playing() == {}
    await follower.catch_up()
    assert await deadlines.playing() == {TABLE: due}


async def test_running_it_fires_at_the_deadline_and_tells_what_changed(world: World) -> None:
    state = await world.started(TABLE)
    seat = state.decisions[0].seats[0]
    keeper = world.keeper()
    await keeper.start()
    told: asyncio.Queue[str] = asyncio.Queue()
    running = asyncio.create_task(keeper.run(told.put_nowait))
    try:
        await world.engine.submit(TABLE, PEOPLE[seat], Move(Call(3)), "a move")
        assert await asyncio.wait_for(told.get(), 10) == TABLE
        async with asyncio.timeout(10):
            while told.empty():  # whoever is just going to sleep sleeps on from here
                world.clock.pass_time(DAY // 2)
                await asyncio.sleep(0.01)
        assert told.get_nowait() == TABLE
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    called = [fact for fact in await facts(world) if isinstance(fact, Called)]
    assert [fact.auto for fact in called][:2] == [False, True]
