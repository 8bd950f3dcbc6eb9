"""The short form of `python -m tests.soak torn`: however the append-only file is torn, every whole commit is there."""

from __future__ import annotations

from pathlib import Path

from tests.soak import torn

EVERY = 293  # bytes; and just at, before and behind the ends of commits


async def test_a_store_whose_file_is_torn_anywhere_starts_with_every_whole_commit_and_goes_on(tmp_path: Path) -> None:
    written = await torn.written(tmp_path / "written")
    ends = written.ends()
    assert len(ends) > 2
    around = {end + more for end in ends for more in (-1, 0, 1) if end + more <= written.size}
    places = sorted(around | {*range(written.size - torn.TAIL, written.size, EVERY)})
    figures = await torn.run(tmp_path, places, written, at_once=4)
    assert [row for row in figures.rows() if row.fault] == []
    assert figures.places == len(places)
    assert figures.torn == sum(end > places[0] for end in ends)


async def test_a_commit_that_is_missing_is_noticed(tmp_path: Path) -> None:
    """The proof itself must not be blind: here it is told that a commit was whole before it was."""
    written = await torn.written(tmp_path / "written", tables=2)
    end, last = written.commits.pop()
    written.commits.append((end - 10, last))
    figures = await torn.run(tmp_path, [end - 5], written)
    assert (figures.unlike, figures.forgotten) == (1, 1)
