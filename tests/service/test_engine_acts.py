"""The engine passes on who is an administrator and which hours are quiet, and a refused act stays refused."""

from __future__ import annotations

import pytest

from domain import events, table
from domain.clock import Quiet
from domain.commands import AwayUntil, Close, Kick, Move, Pause, Resume, Return, Void
from domain.events import AdminActed, Asked
from service.engine import Done, Engine, Refused
from tests.service.tables import DAY, PEOPLE, World, new_world, steady_seeds

TABLE = "home-1"
NIGHT = Quiet(22 * 60, 8 * 60, "Asia/Kathmandu")


@pytest.fixture
async def world() -> World:
    return await new_world(steady_seeds)


async def test_an_administrators_act_is_his_and_the_same_act_of_anybody_else_is_refused(world: World) -> None:
    await world.started(TABLE)
    refused = await world.engine.submit(TABLE, "person:zed", Pause(), "tg:1:1:home-1")
    assert refused == Refused("not_allowed")
    done = await world.engine.submit(TABLE, "person:zed", Pause(), "tg:1:2:home-1", admin=True)
    assert isinstance(done, Done)
    assert done.events[0] == AdminActed("pause")
    commit = (await world.store.read(TABLE))[-1]
    assert commit.actor == "person:zed"
    assert (await world.another_engine().held(TABLE)).state == await world.state(TABLE)


async def test_a_refused_act_stays_refused_when_its_update_comes_again_from_one_who_is_an_administrator_by_then(
    world: World,
) -> None:
    await world.started(TABLE)
    for admin in (False, True):
        again = await world.engine.submit(TABLE, "person:zed", Void(), "tg:1:1:home-1", admin=admin)
        assert again == Refused("not_allowed")


async def test_an_act_that_comes_twice_is_done_once(world: World) -> None:
    """`/restart` is delivered again: a restart loop (NousResearch/hermes-agent#11940)."""
    await world.started(TABLE)
    first = await world.engine.submit(TABLE, "person:zed", Void(), "tg:1:1:home-1", admin=True)
    again = await world.another_engine().submit(TABLE, "person:zed", Void(), "tg:1:1:home-1", admin=True)
    assert isinstance(first, Done)
    assert isinstance(again, Done)
    assert (again.version, again.again) == (first.version, True)
    assert (await world.state(TABLE)).sets == 2


async def test_quiet_hours_in_force_are_written_into_what_is_asked_and_a_change_moves_no_clock_that_runs(
    world: World,
) -> None:
    quiet: list[Quiet | None] = [NIGHT]
    world.engine = Engine(world.store, world.sealer, world.clock, steady_seeds, quiet=lambda _table: quiet[0])
    state = await world.started(TABLE)
    (decision,) = state.decisions
    assert decision.quiet == NIGHT
    due = table.deadline(state, decision)
    assert due is not None
    assert due > decision.start + DAY
    quiet[0] = None
    await world.do(TABLE, PEOPLE[decision.seats[0]], AwayUntil(world.clock.now() + 1))
    assert (await world.state(TABLE)).decisions == (decision,)
    world.clock.pass_time(2)
    assert table.deadline(await world.state(TABLE), decision) in (due, due + 1)
    await world.first_legal_move(TABLE)
    assert (await world.state(TABLE)).decisions[0].quiet is None
    asked = [
        fact
        for commit in await world.store.read(TABLE)
        for fact in events.decode(commit.events)
        if isinstance(fact, Asked)
    ]
    assert [one.open[0].quiet for one in asked] == [NIGHT, None]


async def test_quiet_hours_are_asked_for_by_the_tables_own_name(world: World) -> None:
    asked: list[str] = []

    def quiet(name: str) -> Quiet | None:
        asked.append(name)
        return NIGHT if name == "home-2" else None

    world.engine.quiet = quiet
    await world.started(TABLE)
    assert (await world.state(TABLE)).decisions[0].quiet is None
    assert set(asked) == {TABLE}


async def test_while_a_table_is_paused_it_cannot_be_played_and_afterwards_it_can(world: World) -> None:
    await world.started(TABLE)
    await world.do(TABLE, "clock", Pause())
    assert isinstance(await world.do(TABLE, PEOPLE[0], Resume()), Refused)
    state = await world.state(TABLE)
    seat = state.decisions[0].seats[0]
    moves = state.rules.legal(state.set, seat)
    refused = await world.do(TABLE, PEOPLE[seat], Move(moves[0]))
    assert refused == Refused("paused")
    await world.do(TABLE, "clock", Resume())
    assert isinstance(await world.do(TABLE, PEOPLE[seat], Move(moves[0])), Done)


async def test_what_a_refusal_of_a_vacation_tells_is_kept_with_it(world: World) -> None:
    await world.started(TABLE)
    act = AwayUntil(world.clock.now() + 100 * DAY)
    for _ in range(2):
        refused = await world.do(TABLE, PEOPLE[0], act, "tg:1:9:home-1")
        assert refused == Refused("no_vacation_left", values={"days": 21})


async def test_whoever_was_kicked_is_told_so_until_the_table_is_closed(world: World) -> None:
    await world.started(TABLE)
    await world.engine.submit(TABLE, "person:zed", Kick(1), "tg:1:1:home-1", admin=True)
    assert await world.do(TABLE, PEOPLE[1], Return()) == Refused("kicked")
    await world.do(TABLE, "chat", Close())
    assert (await world.state(TABLE)).ended == "closed"
