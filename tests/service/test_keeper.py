"""Computer players move, clocks fire, an outage counts for nobody: all under a clock that only the test moves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
import structlog

from domain import events, table
from domain.clock import Stop
from domain.commands import Expire, Leave, Move
from domain.events import Expired, OutageNoted
from domain.games.callbreak.events import Called, CardPlayed
from domain.games.callbreak.moves import Call
from eventstore.redis_store import RedisStore
from eventstore.store import EventStore, StoreDown
from service.due import computers_to_act
from service.engine import Done, Engine, Refused
from service.keeper import Keeper
from tests.patience import PATIENCE
from tests.service.tables import DAY, PEOPLE, World, done_for_now, new_world, steady_seeds

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
    assert computers_to_act(state) == []
    assert state.decisions[0].seats == (0,)


async def test_two_keepers_make_a_computers_move_once(world: World) -> None:
    await world.started(TABLE, people=1)
    other = Keeper(world.store, world.another_engine(), world.directory, world.clock, "serve")
    await asyncio.gather(world.keeper().touched(TABLE), other.touched(TABLE))
    calls = [fact.seat for fact in await facts(world) if isinstance(fact, Called)]
    assert len(calls) == len(set(calls))


async def test_when_the_time_is_over_the_clock_calls_and_the_next_seat_is_asked(world: World) -> None:
    """Who is absent blocks the table (d-Rickyy-b/Python-BlackJackBot#88, lamapgame/lamap-bot#38)."""
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
    """Two `/skip` at once skip two players (jh0ker/mau_mau_bot#136, jh0ker/mau_mau_bot#138)."""
    await world.started(TABLE)
    keepers = [
        Keeper(world.store, engine, world.directory, world.clock, "serve")
        for engine in (world.another_engine(), world.another_engine())
    ]
    world.clock.pass_time(DAY)
    await asyncio.gather(*(keeper.touched(TABLE) for keeper in keepers))
    assert len([fact for fact in await facts(world) if isinstance(fact, Expired)]) == 1


async def test_an_outage_is_recorded_before_the_clock_is_judged(world: World) -> None:
    """Down for three days out of a one-day budget of which an hour was used: 23 hours are left.

    Reports: jkomoros/boardgame#221.
    """
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
    assert computers_to_act(state) or state.decisions[0].seats == (0,)
    world.engine = world.another_engine()
    await world.keeper().start()
    assert computers_to_act(await world.state(TABLE)) == []


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


class Blinking:
    """A store that is down while `down`."""

    def __init__(self, store: RedisStore) -> None:
        self._store = store
        self.down = False

    def __getattr__(self, name: str) -> Any:
        if self.down and name in ("append", "read", "feed", "commit_of", "refuse", "refusal"):
            raise StoreDown("the store is away")
        return getattr(self._store, name)


async def until(world: World, true: Callable[[], Awaitable[bool]], step: int = 5_000) -> None:
    """Lets time pass in steps that a heartbeat follows, until something is true."""
    async with asyncio.timeout(PATIENCE):
        while not await true():
            world.clock.pass_time(step)
            await done_for_now()


@asynccontextmanager
async def running(keeper: Keeper, told: Callable[[str], None] = lambda _: None) -> AsyncIterator[None]:
    await keeper.start()
    task = asyncio.create_task(keeper.run(told))
    try:
        yield
        assert not task.done()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_running_it_fires_at_the_deadline_and_tells_what_changed(world: World) -> None:
    state = await world.started(TABLE, {"turn_seconds": "30"})
    seat = state.decisions[0].seats[0]
    told: list[str] = []
    async with running(world.keeper(), told.append):
        await world.engine.submit(TABLE, PEOPLE[seat], Move(Call(3)), "a move")
        await until(world, lambda: moved(world, 2))
    called = [fact for fact in await facts(world) if isinstance(fact, Called)]
    assert [fact.auto for fact in called][:2] == [False, True]
    assert set(told) == {TABLE}


async def moved(world: World, count: int) -> bool:
    return len([fact for fact in await facts(world) if isinstance(fact, Called | CardPlayed)]) >= count


async def test_what_was_due_while_the_store_was_down_is_done_when_it_is_back(world: World) -> None:
    await world.started(TABLE, {"turn_seconds": "30"})
    store = Blinking(world.store)
    world.engine = Engine(cast(EventStore, store), world.sealer, world.clock)
    keeper = Keeper(cast(RedisStore, store), world.engine, world.directory, world.clock, "serve")
    async with running(keeper):
        store.down = True
        for _ in range(10):
            world.clock.pass_time(4_000)
            await done_for_now()
        store.down = False
        await until(world, lambda: moved(world, 1))


async def test_a_computers_move_is_made_when_the_store_is_back(world: World) -> None:
    await world.started(TABLE, people=1)
    store = Blinking(world.store)
    world.engine = Engine(cast(EventStore, store), world.sealer, world.clock)
    keeper = Keeper(cast(RedisStore, store), world.engine, world.directory, world.clock, "serve")
    async with running(keeper):
        await until(world, lambda: asked(world, 0), step=0)
        store.down = True
        with pytest.raises(StoreDown):
            await world.first_legal_move(TABLE)
        store.down = False
        before = len(await facts(world))
        await world.first_legal_move(TABLE)
        await until(world, lambda: more_than(world, before + 3), step=100)


async def asked(world: World, seat: int) -> bool:
    return (await world.state(TABLE)).decisions[0].seats == (seat,)


async def more_than(world: World, count: int) -> bool:
    return len(await facts(world)) > count


async def test_while_we_slept_no_clock_ran(world: World) -> None:
    """A laptop that was closed for two days: the process lives on, and finds out before it judges."""
    await world.started(TABLE)
    began = world.clock.now()
    async with running(world.keeper()):
        world.clock.pass_time(2 * DAY)
        await until(world, lambda: noted(world))
    found = await facts(world)
    assert [fact.stop.start for fact in found if isinstance(fact, OutageNoted)] == [began]
    assert not [fact for fact in found if isinstance(fact, Expired)]


async def noted(world: World) -> bool:
    return any(isinstance(fact, OutageNoted) for fact in await facts(world))


async def test_a_clock_that_steps_back_delays_an_expiry_and_does_not_lose_it(world: World) -> None:
    state = await world.started(TABLE)
    decision = state.decisions[0].id
    due = table.deadline(state, state.decisions[0])
    command = f"expire:{TABLE}:{decision}:{due}"
    early = await world.engine.submit(TABLE, "clock", Expire(decision), command)
    assert early == Refused("not_due")
    world.clock.pass_time(DAY)
    await world.keeper().touched(TABLE)
    assert await moved(world, 1)


async def test_an_expiry_of_which_nothing_comes_is_not_tried_without_a_pause(world: World) -> None:
    """Another process is ahead of us, say: the table asks to be looked at a second later."""
    await world.started(TABLE)
    world.clock.pass_time(DAY)
    keeper = world.keeper()

    async def nothing(name: str) -> None:
        world.clock.pass_time(0)

    keeper.expire = nothing  # type: ignore[method-assign]
    assert await keeper.turn(TABLE) == world.clock.now() + 1000


async def test_a_table_without_people_does_not_starve_the_others(world: World) -> None:
    await world.started("home-2", {"target": "2000", "redeal": ""}, people=1)
    assert isinstance(await world.do("home-2", PEOPLE[0], Leave()), Done)
    await world.started(TABLE, {"turn_seconds": "30"})
    async with running(world.keeper()):
        await until(world, lambda: moved(world, 1))


async def test_one_faulty_table_is_set_aside_and_the_others_go_on(world: World) -> None:
    await world.started(TABLE, people=1)
    await world.started("home-2", {"turn_seconds": "30"})
    keeper = world.keeper()
    sound = keeper.turn

    async def turn(name: str) -> int | None:
        if name == TABLE:
            raise AssertionError("the hand is AS KS")
        return await sound(name)

    keeper.turn = turn  # type: ignore[method-assign]
    with structlog.testing.capture_logs() as logged:
        async with running(keeper):
            async with asyncio.timeout(PATIENCE):
                while (await world.store.read("home-2"))[-1].actor != "clock":
                    world.clock.pass_time(5_000)
                    await done_for_now()
    said = [line for line in logged if line["event"] == "table set aside"]
    assert [line["table"] for line in said] == [TABLE]
    assert "AS KS" not in str(logged)
