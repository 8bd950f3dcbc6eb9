"""The short form of `python -m tests.soak crash`: whoever is killed and whenever, what was acknowledged is there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from eventstore.open import open_store
from service.clock import SystemClock
from tests.soak.crash import Size, judged, under_load
from tests.soak.report import Row

SHORT = Size(tables=20, shared=4, workers=2, kills=12, apart=60)


def faults(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row.fault]


async def test_nothing_acknowledged_is_lost_when_processes_and_servers_are_killed(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    load, so_far = await under_load(tmp_path, SHORT, seed=1)
    async with await open_store("", tmp_path, now=SystemClock().now) as store:
        figures = await judged(store, load, so_far)
        record_property("figures", str(figures))
        assert faults(figures.rows()) == []
        assert sum(figures.killed.values()) == SHORT.kills
        assert figures.starts > 1
        assert figures.acknowledged > SHORT.kills

        # The proof itself must not be blind: a commit that is gone is noticed by each of its looks.
        table, acks = next((table, acks) for one in load.workers for table, acks in one.said.items())
        stream = store.key(store.partition_of(table), "t", table)
        assert await store.servers.ask_one("XDEL", stream, f"{acks[-1].version}-0") == 1
        blind = await judged(store, load, so_far)
        assert (blind.lost, blind.unfolded) == (1, 1)
        assert blind.troubles > 0
        assert len(faults(blind.rows())) >= 3
