from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from tests.soak.two_writers import Figures, acknowledgements, with_leases, without_leases

COMMITS = 2_000  # a minute's worth is `python -m tests.soak`


def nothing_is_wrong(figures: Figures, record_property: Callable[[str, object], None]) -> None:
    record_property("figures", str(msgspec.to_builtins(figures)))
    assert figures.acknowledged >= COMMITS
    assert figures.lost == 0
    assert figures.duplicates == 0
    assert figures.troubles == ()


async def test_four_processes_on_twenty_tables_lose_and_repeat_nothing(
    folder: Path, record_property: Callable[[str, object], None]
) -> None:
    figures = await without_leases(folder, acknowledgements(COMMITS))
    nothing_is_wrong(figures, record_property)
    assert figures.conflicts > figures.acknowledged / 10  # or else they were no rivals


async def test_with_leases_they_do_not_run_into_each_other_while_they_stop_die_leave_and_come(
    folder: Path, record_property: Callable[[str, object], None]
) -> None:
    figures = await with_leases(folder, acknowledgements(COMMITS))
    nothing_is_wrong(figures, record_property)
    assert figures.conflicts < figures.attempts / 100
    assert figures.fenced > 0
