from __future__ import annotations

import asyncio
import random

import pytest

from domain import options, table
from domain.commands import Close, Leave, Open, Propose
from eventstore.feed import Follower, view_keys
from eventstore.redis_store import RedisStore
from service.projections.deadlines import DEADLINES, playing
from service.projections.rebuild import Rebuilt, rebuild
from service.projections.registry import PROJECTIONS
from service.projections.rows import Rows, from_store, through
from service.projections.standings import STANDINGS, Standing, standings_of
from service.projections.tables import TABLES_BY_HOME, TABLES_BY_PLAYER, tables_of_home, tables_of_player
from tests.eventstore.drafts import draft
from tests.service.tables import CALLBREAK, PEOPLE, World, new_world

SHORT = {"max_sets": "1", "target": "0", "redeal": "", "min_total_calls": "0"}
OPEN = Open("callbreak", options.read(CALLBREAK, {}), seated=True)


@pytest.fixture
async def world() -> World:
    return await new_world()


async def follow(world: World) -> dict[str, Rows]:
    """All projections, up to date."""
    found = {name: Rows(world.store, spec, through(world.engine)) for name, spec in PROJECTIONS.items()}
    for rows in found.values():
        await Follower(world.store, rows).catch_up()
    return found


async def contents(store: RedisStore) -> dict[bytes, object]:
    """Every key that projections have, and what it holds."""
    found: dict[bytes, object] = {}
    for spec in PROJECTIONS.values():
        for keys in (await view_keys(store, Rows(store, spec, from_store(store)))).values():
            for key in keys:
                fields = iter(await store.servers.ask_one("HGETALL", key))
                found[key] = dict(zip(fields, fields, strict=True))
    return found


async def played(world: World, name: str) -> None:
    """A table whose game is over, won by somebody."""
    await world.started(name, SHORT)
    while (await world.state(name)).phase == "playing":
        await world.first_legal_move(name)


async def some_tables(world: World) -> None:
    """Tables in every phase, in several homes and partitions."""
    await played(world, "ann-1")
    await world.started("ann-2")
    await world.started("bob-1", people=2)
    await world.do("bob-1", PEOPLE[0], Leave())
    for person in PEOPLE[:2]:
        await world.do("bob-1", person, Propose("end"))
    await world.started("cat-1", SHORT)
    await world.do("dan-1", PEOPLE[3], OPEN)
    await world.do("dan-2", PEOPLE[3], OPEN)
    await world.do("dan-2", PEOPLE[3], Close())


async def test_deadlines_follow_the_feed(world: World) -> None:
    state = await world.started("ann-1")
    rows = await follow(world)
    assert await playing(rows[DEADLINES.name]) == {"ann-1": table.deadline(state, state.decisions[0])}


async def test_a_home_lists_its_tables_and_a_player_those_of_every_home(world: World) -> None:
    await some_tables(world)
    rows = await follow(world)
    listed = await tables_of_home(rows[TABLES_BY_HOME.name], "ann")
    assert {name: (one.game, one.phase, one.sets) for name, one in listed.items()} == {
        "ann-1": ("callbreak", "over", 1),
        "ann-2": ("callbreak", "playing", 1),
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


async def test_whoever_leaves_a_lobby_has_the_table_no_more(world: World) -> None:
    await world.do("dan-1", PEOPLE[3], OPEN)
    rows = await follow(world)
    assert await tables_of_player(rows[TABLES_BY_PLAYER.name], PEOPLE[3])
    await world.do("dan-1", PEOPLE[3], Leave())
    rows = await follow(world)
    assert await tables_of_player(rows[TABLES_BY_PLAYER.name], PEOPLE[3]) == {}


async def test_standings_count_finished_games_once_however_often_they_are_applied(world: World) -> None:
    await played(world, "ann-1")
    await played(world, "ann-2")
    await world.started("ann-3")
    rows = await follow(world)
    standings = await standings_of(rows[STANDINGS.name], "ann")
    assert {one.actor for one in standings} == set(PEOPLE)
    assert all((one.game, one.games) == ("callbreak", 2) for one in standings)
    for one in standings:
        seats = [(await world.state(name)) for name in ("ann-1", "ann-2")]
        index = PEOPLE.index(one.actor)
        assert one == Standing(
            "callbreak",
            one.actor,
            2,
            sum(index in state.winners for state in seats),
            sum(state.totals[index] for state in seats),
        )
    assert [one.won for one in standings] == sorted((one.won for one in standings), reverse=True)


async def test_a_projection_is_the_same_in_whatever_order_partitions_are_followed(world: World) -> None:
    await some_tables(world)
    await follow(world)
    expected = await contents(world.store)
    feed = await world.store.feed(["0-0"] * world.store.partitions)
    for seed in range(5):
        for spec in PROJECTIONS.values():
            rows = Rows(world.store, spec, through(world.another_engine()))
            await Follower(world.store, rows).forget()
            chance, left = random.Random(seed), {number: list(pointers) for number, pointers in feed.items()}
            while left:
                number = chance.choice(sorted(left))
                some, left[number] = left[number][: (size := chance.randint(1, 9))], left[number][size:]
                async with world.store.servers.client(rows.key(number, "")).pipeline(transaction=True) as write:
                    await rows.apply(write, number, some)
                    await write.execute()
                if not left[number]:
                    del left[number]
        assert await contents(world.store) == expected


async def test_a_rebuilt_projection_is_the_live_one_byte_for_byte(world: World) -> None:
    await some_tables(world)
    await follow(world)
    before = await contents(world.store)
    part, rebuilt = await rebuild(world.store, list(PROJECTIONS))
    assert part.parked == ()
    assert part.tables == 6
    assert part.commits == sum([len(await world.store.read(name)) for name in await world.store.tables()])
    assert [(one.name, one.differed) for one in rebuilt] == [(name, 0) for name in PROJECTIONS]
    assert await contents(world.store) == before
    assert all(b".new" not in key for key in before)
    # The live followers go on where the rebuilt ones stand.
    await world.first_legal_move("ann-2")
    for spec in PROJECTIONS.values():
        assert await Follower(world.store, Rows(world.store, spec, through(world.engine))).catch_up() == 1


async def test_a_rebuild_puts_right_what_was_damaged(world: World) -> None:
    await some_tables(world)
    rows = (await follow(world))[TABLES_BY_HOME.name]
    before = await contents(world.store)
    number = world.store.partition_of("ann-1")
    await world.store.servers.ask_one("HSET", rows.key(number, "rows", "ann"), "ann-2", "nonsense")
    await world.store.servers.ask_one("HSET", rows.key(number, "rows", "stray"), "x", "y")
    _, [found] = await rebuild(world.store, [TABLES_BY_HOME.name])
    assert found == Rebuilt(TABLES_BY_HOME.name, found.keys, 2)
    assert await contents(world.store) == before


async def test_a_projection_that_never_was_is_built_by_a_rebuild(world: World) -> None:
    await some_tables(world)
    _, rebuilt = await rebuild(world.store, list(PROJECTIONS))
    assert {one.differed for one in rebuilt} == {None}
    made = await contents(world.store)
    await follow(world)
    assert await contents(world.store) == made


async def test_a_rebuild_that_was_killed_harms_nothing(world: World) -> None:
    await some_tables(world)
    await follow(world)
    before = await contents(world.store)

    class Killed(Exception):
        pass

    def kill(done: int, everything: int) -> None:
        raise Killed

    with pytest.raises(Killed):
        await rebuild(world.store, list(PROJECTIONS), progress=kill)
    await world.first_legal_move("cat-1")
    await follow(world)
    _, rebuilt = await rebuild(world.store, list(PROJECTIONS))
    assert {one.differed for one in rebuilt} == {0}
    assert len(await contents(world.store)) == len(before)


async def test_a_rebuild_keeps_up_with_a_bot_that_plays(world: World) -> None:
    await some_tables(world)
    await follow(world)
    live = {name: Rows(world.store, spec, through(world.engine)) for name, spec in PROJECTIONS.items()}
    followers = [asyncio.create_task(Follower(world.store, rows).follow()) for rows in live.values()]

    async def moves() -> None:
        for _ in range(40):
            await world.first_legal_move("ann-2")
            await asyncio.sleep(0)

    playing_on = asyncio.create_task(moves())
    _, rebuilt = await rebuild(world.store, list(PROJECTIONS))
    await playing_on
    for follower in followers:
        follower.cancel()
    await asyncio.gather(*followers, return_exceptions=True)
    assert {one.differed for one in rebuilt} == {0}
    await follow(world)
    after = await contents(world.store)
    _, again = await rebuild(world.store, list(PROJECTIONS))
    assert {one.differed for one in again} == {0}
    assert await contents(world.store) == after


async def test_a_table_with_an_event_of_a_newer_release_is_parked_and_the_others_go_on(world: World) -> None:
    await some_tables(world)
    held = await world.engine.held("ann-2")
    poison = draft("ann-2", held.version + 1, held.head, command="x", events=b'[{"type":"table.unheard_of"}]')
    await world.store.append(poison)
    world.engine = world.another_engine()
    await world.first_legal_move("cat-1")
    rows = await follow(world)
    listed = await tables_of_home(rows[TABLES_BY_HOME.name], "ann")
    assert listed["ann-2"].phase == "parked"
    assert listed["ann-2"].seats == PEOPLE
    assert (await tables_of_player(rows[TABLES_BY_PLAYER.name], PEOPLE[1]))["ann-2"].phase == "parked"
    assert "ann-2" not in await playing(rows[DEADLINES.name])
    assert "cat-1" in await playing(rows[DEADLINES.name])
    part, rebuilt = await rebuild(world.store, list(PROJECTIONS))
    assert part.parked == ("ann-2",)
    assert {one.differed for one in rebuilt} == {0}
