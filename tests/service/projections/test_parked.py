from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Union

import msgspec
import pytest

from domain import events, evolving
from domain.events import EVERY_EVENT, Decoder
from eventstore.record import Commit
from eventstore.store import Appended
from service.projections.deadlines import DEADLINES, playing
from service.projections.rebuild import rebuild
from service.projections.registry import PROJECTIONS
from service.projections.rows import public
from service.projections.standings import STANDINGS, standings_of
from service.projections.tables import TABLES_BY_HOME, TABLES_BY_PLAYER, tables_of_home, tables_of_player
from tests.eventstore.drafts import draft
from tests.patience import PATIENCE
from tests.service.projections.deployments import followed, some_tables
from tests.service.tables import PEOPLE, World, new_world

ALL = list(PROJECTIONS)
UNHEARD_OF = b'[{"type":"table.unheard_of"}]'


class UnheardOf(msgspec.Struct, frozen=True, tag="table.unheard_of"):
    """An event of a later release."""


@pytest.fixture
async def world() -> World:
    return await new_world()


@contextmanager
def later_release(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A release that knows the event."""
    known = (*EVERY_EVENT, UnheardOf)
    every: Decoder = msgspec.json.Decoder(tuple[Union[known], ...])  # type: ignore[valid-type]  # noqa: UP007
    decode = events.decode
    with monkeypatch.context() as patch:
        patch.setattr(events, "decode", lambda data: decode(data, every))
        patch.setitem(evolving._HANDLERS, UnheardOf, lambda state, _: state)
        yield


async def poison(world: World, name: str) -> None:
    """Somebody runs a later release on this store, and it appends its event."""
    held = await world.engine.held(name)
    poisoned = draft(name, held.version + 1, held.head, command="later", events=UNHEARD_OF)
    assert isinstance(await world.store.append(poisoned), Appended)


async def test_a_table_with_an_event_of_a_newer_release_is_parked_and_the_others_go_on(world: World) -> None:
    await some_tables(world)
    await poison(world, "ann-2")
    world.engine = world.another_engine()
    await world.first_legal_move("cat-1")
    rows = await followed(world)
    listed = await tables_of_home(rows[TABLES_BY_HOME.name], "ann")
    assert {name: one.phase for name, one in listed.items()} == {"ann-1": "over", "ann-2": "parked"}
    assert listed["ann-2"].seats == PEOPLE
    assert (await tables_of_player(rows[TABLES_BY_PLAYER.name], PEOPLE[1]))["ann-2"].phase == "parked"
    assert "ann-2" not in await playing(rows[DEADLINES.name])
    assert "cat-1" in await playing(rows[DEADLINES.name])
    part, rebuilt = await rebuild(world.store, ALL)
    assert part.parked == ("ann-2",)
    assert {one.differed for one in rebuilt} == {0}


async def test_a_release_that_knows_the_event_takes_the_table_up_again_by_a_rebuild(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await some_tables(world)
    due = await playing((await followed(world))[DEADLINES.name])
    assert "ann-2" in due
    await poison(world, "ann-2")
    world.engine = world.another_engine()
    rows = await followed(world)
    assert "ann-2" not in await playing(rows[DEADLINES.name])
    with later_release(monkeypatch):
        part, rebuilt = await rebuild(world.store, ALL)
        assert part.parked == ()
        # Its deadline, its row in the home's and in each player's list, and which keys it has.
        assert {one.name: one.differed for one in rebuilt} == {
            DEADLINES.name: 2,
            TABLES_BY_HOME.name: 1,
            TABLES_BY_PLAYER.name: 4,
            STANDINGS.name: 0,
        }
        assert await playing(rows[DEADLINES.name]) == due
        assert (await tables_of_home(rows[TABLES_BY_HOME.name], "ann"))["ann-2"].phase == "playing"


async def test_a_release_that_knows_the_event_takes_the_table_up_again_with_its_next_commit(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await some_tables(world)
    await poison(world, "ann-2")
    world.engine = world.another_engine()
    rows = await followed(world)
    assert "ann-2" not in await playing(rows[DEADLINES.name])
    with later_release(monkeypatch):
        await world.first_legal_move("ann-2")
        await followed(world)
        assert "ann-2" in await playing(rows[DEADLINES.name])


async def test_the_keeper_runs_on_beside_a_parked_table(world: World) -> None:
    await some_tables(world)
    await poison(world, "ann-2")
    world.engine = world.another_engine()
    keeper = world.keeper()
    await keeper.start()
    running = asyncio.create_task(keeper.run(lambda _: None))
    try:
        await poison(world, "bob-1")  # while it runs
        await world.first_legal_move("cat-1")
        version = (await world.engine.held("cat-1")).version
        rows = (await followed(world))[TABLES_BY_HOME.name]
        assert (await tables_of_home(rows, "bob"))["bob-1"].phase == "parked"
        assert (await tables_of_home(rows, "cat"))["cat-1"].phase == "playing"
        world.clock.pass_time(2 * 86_400_000)  # the clock plays for whoever did not
        async with asyncio.timeout(PATIENCE):
            while (await world.engine.fresh("cat-1")).version == version:  # noqa: ASYNC110 - the keeper has no event
                await asyncio.sleep(0.01)
        assert not running.done()
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert [(await world.store.read(name))[-1].command for name in ("ann-2", "bob-1")] == ["later", "later"]


async def test_a_broken_chain_is_parked_as_far_as_it_holds(world: World) -> None:
    await some_tables(world)
    commits = await world.store.read("ann-1")
    whole = public(commits)
    assert not whole.parked
    for at in (0, 1, 9, len(commits) - 1):
        broken = list(commits)
        broken[at] = _changed(commits[at])
        seen = public(broken)
        assert (seen.parked, seen.state, seen.last) == (True, public(commits[:at]).state, broken[-1].time)
    gap = public(commits[:5] + commits[6:])
    assert (gap.parked, gap.state) == (True, public(commits[:5]).state)


async def test_a_finished_game_that_cannot_be_read_any_more_counts_for_nobody(world: World) -> None:
    await some_tables(world)
    assert await standings_of((await followed(world))[STANDINGS.name], "ann")
    await poison(world, "ann-1")
    world.engine = world.another_engine()
    assert await standings_of((await followed(world))[STANDINGS.name], "ann") == []


def _changed(commit: Commit) -> Commit:
    return msgspec.structs.replace(commit, time=commit.time + 1)
