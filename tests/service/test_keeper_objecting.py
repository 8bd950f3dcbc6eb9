"""The keeper at a table of honour: neither computer players nor the clock close the time in which people object."""

from __future__ import annotations

import pytest

from domain import events
from domain.commands import Kick, Leave, Move, Pause, Resume, SetStandIn
from domain.decide import legal
from domain.events import SetUndone
from domain.games.callbreak.events import Called
from domain.games.callbreak.moves import Accuse
from domain.games.callbreak.offences import proved
from domain.table import Table
from service.due import OBJECTING_SECONDS, computers_to_act
from service.engine import Done
from tests.service.reports.honour import CHEAT, honest_or_not
from tests.service.tables import PEOPLE, World, new_world

TABLE = "home-1"
WINDOW = OBJECTING_SECONDS * 1000
OPTIONS = {
    "enforcement": "honour",
    "redeal": "",
    "max_sets": "3",
    "target": "0",
    "hidden_call_test": "off",
    "min_total_calls": "0",
}


async def _second_set(people: int, first_asked: int | None = None, *, cheats: bool = True) -> World:
    """A table of honour whose first set somebody cheated in, with the second dealt and nobody's call yet; each seat
    is moved for, so that only the keeper is what the test is about. `first_asked`: the dealer is chosen so."""
    for start in range(40):
        world = await new_world(lambda _table, number, start=start: bytes([start, number]) * 16)  # type: ignore[misc]
        await world.started(TABLE, OPTIONS, people=people)
        state = await world.state(TABLE)
        while state.sets == 1 and state.phase == "playing":
            state = await _moved(world, state, cheats=cheats)
        fits = first_asked is None or state.decisions[0].seats == (first_asked,)
        if fits and (not cheats or [one for one in proved(state.contested) if one.seat == CHEAT]):
            return world
    raise AssertionError("no deal fits")


async def _moved(world: World, state: Table, *, cheats: bool) -> Table:
    seat = state.decisions[0].seats[0]
    if state.seats[seat].computer:
        move = legal(state, seat)[0]
        done = await world.engine.submit(
            TABLE, state.seats[seat].owner, Move(move), f"computer {state.asked}", seat=seat
        )
        assert isinstance(done, Done)
        return await world.state(TABLE)
    return await honest_or_not(world, cheats=cheats)


async def _calls(world: World) -> list[Called]:
    """The calls of the set that is played."""
    found: list[Called] = []
    for commit in await world.store.read(TABLE):
        for fact in events.decode(commit.events):
            if type(fact).__name__ == "Dealt":
                found = []
            found += [fact] if isinstance(fact, Called) else []
    return found


async def test_a_computer_player_that_calls_first_leaves_people_a_minute_to_object() -> None:
    """Players noticed only later that someone had not played what he had to (rbtying/shengji#105)."""
    world = await _second_set(2, first_asked=2)
    keeper = world.keeper()
    state = await world.state(TABLE)
    (waiting,) = computers_to_act(state)
    assert (waiting.seat, waiting.due) == (2, state.decisions[0].start + WINDOW)
    assert await keeper.turn(TABLE) == waiting.due
    world.clock.pass_time(WINDOW - 1)
    await keeper.touched(TABLE)
    assert await _calls(world) == []
    offence = next(one.offence for one in proved(state.contested) if one.seat == CHEAT)
    done = await world.do(TABLE, PEOPLE[0], Move(Accuse(CHEAT, offence.trick)))
    assert isinstance(done, Done)
    assert any(isinstance(event, SetUndone) for event in done.events)
    await keeper.touched(TABLE)
    assert await _calls(world), "it has been decided: nothing is waited for any more"


async def test_when_nobody_objects_computer_players_call_after_a_minute_and_then_at_once() -> None:
    world = await _second_set(2, first_asked=2)
    world.clock.pass_time(WINDOW)
    await world.keeper().touched(TABLE)
    assert [call.seat for call in await _calls(world)] == [2, 3]


async def test_one_person_among_computer_players_is_not_waited_for() -> None:
    world = await _second_set(1, first_asked=2, cheats=False)
    assert (await world.state(TABLE)).contested is not None
    await world.keeper().touched(TABLE)
    assert [call.seat for call in await _calls(world)] == [2, 3]


@pytest.mark.parametrize("stand_in", [False, True])
async def test_the_clock_and_a_stand_in_wait_as_computer_players_do(*, stand_in: bool) -> None:
    world = await _second_set(4, first_asked=2)
    await world.engine.submit(TABLE, "person:zed", SetStandIn(True), "stand in", admin=True) if stand_in else None
    await world.do(TABLE, PEOPLE[2], Leave())
    asked = (await world.state(TABLE)).decisions[0]
    keeper = world.keeper()
    assert await keeper.turn(TABLE) == asked.start + WINDOW
    assert await _calls(world) == []
    world.clock.pass_time(WINDOW)
    await keeper.touched(TABLE)
    assert [(call.seat, call.auto) for call in await _calls(world)] == [(2, not stand_in)]


async def test_where_everybody_has_gone_nobody_is_waited_for() -> None:
    world = await _second_set(2, first_asked=2)
    await world.do(TABLE, PEOPLE[1], Leave())
    assert computers_to_act(await world.state(TABLE))[0].due > 0, "whoever has left may be convicted all the same"
    await world.engine.submit(TABLE, "person:zed", Kick(0), "kick", admin=True)
    state = await world.state(TABLE)
    assert state.phase == "over" or [one.due for one in computers_to_act(state)] == [0]


async def test_a_pause_takes_nothing_of_the_minute_away() -> None:
    world = await _second_set(2, first_asked=2)
    start = (await world.state(TABLE)).decisions[0].start
    world.clock.pass_time(WINDOW // 2)
    await world.do(TABLE, "clock", Pause())
    world.clock.pass_time(3_600_000)
    assert await world.keeper().turn(TABLE) is None
    await world.do(TABLE, "clock", Resume())
    assert await world.keeper().turn(TABLE) == start + 3_600_000 + WINDOW
    assert await _calls(world) == []
