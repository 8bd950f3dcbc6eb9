from __future__ import annotations

import asyncio
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain import table
from domain.commands import Leave, Move
from domain.decide import legal
from eventstore.feed import Follower
from eventstore.store import Pointer
from service.projections.deadlines import DEADLINES, playing
from service.projections.registry import PROJECTIONS
from service.projections.rows import Rows, Seen, public, through
from service.projections.standings import STANDINGS, Standing, standings_of
from service.projections.tables import TABLES_BY_HOME, TABLES_BY_PLAYER, tables_of_home, tables_of_player
from tests.service.projections.deployments import OPEN, SHORT, contents, followed, played, some_tables
from tests.service.tables import PEOPLE, World, new_world


@pytest.fixture
async def world() -> World:
    return await new_world()


async def test_deadlines_follow_the_feed(world: World) -> None:
    state = await world.started("ann-1")
    rows = await followed(world)
    assert await playing(rows[DEADLINES.name]) == {"ann-1": table.deadline(state, state.decisions[0])}


async def test_a_home_lists_its_tables_and_a_player_those_of_every_home(world: World) -> None:
    await some_tables(world)
    rows = await followed(world)
    listed = await tables_of_home(rows[TABLES_BY_HOME.name], "ann")
    assert {name: (one.game, one.phase, one.sets) for name, one in listed.items()} == {
        "ann-1": ("callbreak", "over", 1),
        "ann-2": ("callbreak", "playing", (await world.state("ann-2")).sets),
    }
    assert listed["ann-2"].seats == PEOPLE
    assert len(listed["ann-2"].asked) == 1
    mine = await tables_of_player(rows[TABLES_BY_PLAYER.name], PEOPLE[3])
    assert {name: one.phase for name, one in mine.items()} == {
        "ann-1": "over",
        "ann-2": "playing",
        "cat-1": "playing",
        "dan-1": "lobby",
        "dan-2": "over",
    }


async def test_a_listed_table_says_when_anything_last_happened(world: World) -> None:
    await world.started("ann-1")
    world.clock.pass_time(5_000)
    await world.first_legal_move("ann-1")
    rows = await followed(world)
    assert (await tables_of_home(rows[TABLES_BY_HOME.name], "ann"))["ann-1"].last == world.clock.now()


async def test_whoever_leaves_a_lobby_has_the_table_no_more(world: World) -> None:
    await world.do("dan-1", PEOPLE[3], OPEN)
    rows = await followed(world)
    assert await tables_of_player(rows[TABLES_BY_PLAYER.name], PEOPLE[3])
    await world.do("dan-1", PEOPLE[3], Leave())
    rows = await followed(world)
    assert await tables_of_player(rows[TABLES_BY_PLAYER.name], PEOPLE[3]) == {}


@pytest.mark.parametrize(("options", "unit"), [({}, 10), ({"scoring": "decimal"}, 1)])
async def test_standings_count_finished_games_once_and_points_in_tenths(
    world: World, options: dict[str, str], unit: int
) -> None:
    for name in ("ann-1", "ann-2"):
        await played(world, name, SHORT | options)
        await followed(world)
    await world.started("ann-3")
    standings = await standings_of((await followed(world))[STANDINGS.name], "ann")
    over = [await world.state(name) for name in ("ann-1", "ann-2")]
    assert {state.rules.tenths(state.options) for state in over} == {unit == 1}
    assert sorted(one.actor for one in standings) == sorted(PEOPLE)
    for one in standings:
        seat = PEOPLE.index(one.actor)
        won = sum(seat in state.winners for state in over)
        points = unit * sum(state.totals[seat] for state in over)
        assert one == Standing("callbreak", one.actor, 2, won, points)
    assert [one.won for one in standings] == sorted((one.won for one in standings), reverse=True)


async def test_no_row_tells_what_only_a_seat_may_know(world: World) -> None:
    """With its seed and without it, a table has the same rows."""
    await some_tables(world)
    for name in await world.store.tables():
        state = await world.state(name)
        commits = await world.store.read(name)
        assert state.seed is not None or state.phase == "over"
        for spec in PROJECTIONS.values():
            assert spec.rows(name, Seen(state, last=commits[-1].time)) == spec.rows(name, public(commits))


@pytest.fixture(scope="module")
def recorded() -> Iterator[tuple[asyncio.Runner, World, dict[int, list[Pointer]], dict[bytes, dict[bytes, bytes]]]]:
    """A deployment, its feeds, and what projections hold that followed them in the usual way."""

    async def record() -> tuple[World, dict[int, list[Pointer]], dict[bytes, dict[bytes, bytes]]]:
        world = await new_world()
        await some_tables(world)
        await followed(world)
        feeds = await world.store.feed(["0-0"] * world.store.partitions)
        return world, feeds, await contents(world.store)

    with asyncio.Runner() as runner:
        yield runner, *runner.run(record())


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_partitions_may_be_followed_in_any_order_and_commits_applied_again(
    recorded: tuple[asyncio.Runner, World, dict[int, list[Pointer]], dict[bytes, dict[bytes, bytes]]],
    data: st.DataObject,
) -> None:
    runner, world, feeds, expected = recorded
    spec = data.draw(st.sampled_from(list(PROJECTIONS.values())))
    assert len(feeds) > 2
    batches = {number: _batches(pointers, data.draw(st.integers(1, 40))) for number, pointers in feeds.items()}
    turns = data.draw(st.permutations([number for number, found in batches.items() for _ in found]))
    again = data.draw(st.booleans())

    async def follow_so() -> dict[bytes, dict[bytes, bytes]]:
        rows = Rows(world.store, msgspec.structs.replace(spec, version=1000), through(world.another_engine()))
        await Follower(world.store, rows).forget()
        left = {number: list(found) for number, found in batches.items()}
        for number in turns:
            some = left[number].pop(0)
            for _ in range(1 + again):
                async with world.store.servers.client(rows.key(number)).pipeline(transaction=True) as write:
                    await rows.apply(write, number, some)
                    await write.execute()
        found = {}
        for number in batches:
            for key in await rows.keys(number):
                fields = iter(await world.store.servers.ask_one("HGETALL", key))
                found[key.replace(b":1000:", b":%d:" % spec.version)] = dict(zip(fields, fields, strict=True))
        return found

    held = {key: fields for key, fields in expected.items() if f":{spec.name}:".encode() in key}
    assert runner.run(follow_so()) == held


def _batches(pointers: list[Pointer], size: int) -> list[list[Pointer]]:
    return [pointers[start : start + size] for start in range(0, len(pointers), size)]


async def test_many_tables_at_a_time_are_read_past_the_engines_memory(world: World) -> None:
    for number in range(1, 61):
        await world.do(f"ann-{number}", PEOPLE[0], OPEN)
    world.engine = world.another_engine()
    await followed(world)
    expected = await contents(world.store)
    assert len(expected) == 4  # two projections, one home and one player, and what has rows
    for spec in PROJECTIONS.values():
        rows = Rows(world.store, spec, through(world.another_engine()))
        await Follower(world.store, rows).forget()
        for number, pointers in (await world.store.feed(["0-0"] * world.store.partitions)).items():
            for pointer in pointers:  # one at a time: through the engine
                async with world.store.servers.client(rows.key(number)).pipeline(transaction=True) as write:
                    await rows.apply(write, number, [pointer])
                    await write.execute()
    assert await contents(world.store) == expected


async def test_the_deadline_of_a_table_goes_with_its_end(world: World) -> None:
    await world.started("ann-1", SHORT)
    rows = (await followed(world))[DEADLINES.name]
    assert await playing(rows)
    while (state := await world.state("ann-1")).phase == "playing":
        seat = state.decisions[0].seats[0]
        await world.do("ann-1", state.seats[seat].owner, Move(legal(state, seat)[0]))
    await followed(world)
    assert await playing(rows) == {}
