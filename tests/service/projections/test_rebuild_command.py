"""`tabletalk rebuild` as a process, on a store that another process has open; and projections on a cluster."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from eventstore.open import open_store
from service.projections.deadlines import DEADLINES
from service.projections.rebuild import rebuild
from service.projections.registry import PROJECTIONS
from service.projections.tables import TABLES_BY_HOME
from tests.eventstore.cluster_nodes import cluster_nodes
from tests.eventstore.drafts import draft
from tests.service.programs import run
from tests.service.projections.deployments import contents, followed, left_over, some_tables
from tests.service.tables import FakeClock, World


async def test_the_command_says_what_it_built_and_whether_it_was_right(tmp_path: Path) -> None:
    clock = FakeClock()
    async with await open_store("", tmp_path, now=clock.now) as store:
        world = World(store, clock, None)
        await some_tables(world)
        first = await asyncio.to_thread(run, tmp_path, "rebuild")
        assert (first.returncode, first.stderr) == (0, "")
        assert first.stdout.splitlines()[0].startswith("Read: 6 tables, ")
        assert [line.split(":")[0] for line in first.stdout.splitlines()[1:]] == list(PROJECTIONS)
        assert first.stdout.count(": built, ") == len(PROJECTIONS)
        made = await contents(store)
        rows = (await followed(world))[TABLES_BY_HOME.name]
        assert await contents(store) == made

        await store.servers.ask_one("HSET", rows.key(store.partition_of("ann-1"), "rows", "ann"), "ann-1", "nonsense")
        one = await asyncio.to_thread(run, tmp_path, "rebuild", TABLES_BY_HOME.name)
        assert one.stdout.splitlines()[1:] == [f"{TABLES_BY_HOME.name}: 1 key was wrong and is right now"]
        again = await asyncio.to_thread(run, tmp_path, "rebuild", DEADLINES.name)
        assert "deadlines: equal to the one before" in again.stdout

        held = await world.engine.held("ann-2")
        poison = draft("ann-2", held.version + 1, held.head, command="x", events=b'[{"type":"table.unheard_of"}]')
        await store.append(poison)
        parked = await asyncio.to_thread(run, tmp_path, "rebuild", DEADLINES.name)
        assert (parked.returncode, parked.stderr) == (0, "")
        assert parked.stdout.splitlines()[1].startswith("ann-2: parked")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("rebuild", "scores"), 2, "deadlines, tables_by_home"),
        (("rebuild",), 1, "there is no store in the data folder"),
    ],
)
def test_what_cannot_be_rebuilt_is_said_in_a_line(
    tmp_path: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    done = run(tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


async def test_projections_on_a_cluster_are_followed_and_rebuilt(tmp_path: Path) -> None:
    clock = FakeClock()
    async with (
        cluster_nodes(tmp_path) as nodes,
        await open_store(nodes.url, tmp_path, now=clock.now, partitions=16) as store,
    ):
        world = World(store, clock, None)
        await some_tables(world)
        await followed(world)
        before = await contents(store)
        assert len({store.servers.place(key.decode()) for key in before}) > 1  # not all on one master
        _, rebuilt = await rebuild(store, list(PROJECTIONS))
        assert {one.differed for one in rebuilt} == {0}
        assert await contents(store) == before
        assert await left_over(store) == []
