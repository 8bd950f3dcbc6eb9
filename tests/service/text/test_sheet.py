"""The score sheet: a column a seat, a row a set."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from rich.cells import cell_len

from domain import table
from domain.table import Row, View
from service.text import language
from service.text.sheet import block, points, sheet
from tests.domain.play import started

TEXTS = language("en")
NAMES = ["Ann", "Bikram 🤖", "Chandra 🤖", "Devi 🤖"]


def view(rows: tuple[Row, ...], *, tenths: bool = False, **changes: Any) -> View:
    seen = table.observe(started().state, None)
    totals = tuple(sum(row.values[seat] or 0 for row in rows) for seat in range(4))
    return msgspec.structs.replace(seen, rows=rows, totals=totals, tenths=tenths, **changes)


ROWS = (Row(0, (40, -30, 22, 11), "score"), Row(2, (10, None, -130, 130), "score"))


def test_there_is_a_row_a_set_that_was_scored_and_the_totals() -> None:
    found = sheet(TEXTS, view(ROWS), NAMES)
    assert found.header == ["", *NAMES]
    assert found.rows == [["1", "40", "-30", "22", "11"], ["3", "10", "-", "-130", "130"]]
    assert found.totals == ["Σ", "50", "-30", "-108", "141"]
    assert not found.note


def test_a_penalty_is_marked_and_the_mark_explained() -> None:
    found = sheet(TEXTS, view((*ROWS, Row(3, (None, -40, None, None), "negated"))), NAMES)
    assert found.rows[2] == ["4", "-", "-40*", "-", "-"]
    assert found.note == "* penalty"


def test_a_set_has_one_line_as_long_as_no_seat_has_two_cells_in_it() -> None:
    rows = (
        Row(0, (None, -30, 22, 11), "score"),
        Row(0, (-40, None, None, None), "negated"),
        Row(0, (None, -10, None, None), "penalty"),
        Row(1, (None, None, None, -20), "penalty"),
        Row(1, (None, -50, None, None), "penalty"),
    )
    assert sheet(TEXTS, view(rows), NAMES).rows == [
        ["1", "-40*", "-30", "22", "11"],
        ["1", "-", "-10*", "-", "-"],
        ["2", "-", "-50*", "-", "-20*"],
    ]


@pytest.mark.parametrize(("value", "text"), [(42, "4.2"), (-3, "-0.3"), (-40, "-4.0"), (0, "0.0"), (None, "-")])
def test_tenths_have_one_decimal(value: int | None, text: str) -> None:
    assert points(value, tenths=True) == text


def test_the_block_fits_a_telephone() -> None:
    lines = block(TEXTS, view(ROWS, tenths=True), NAMES).splitlines()
    assert max(map(cell_len, lines)) <= 32
    assert lines[1].split() == ["1", "4.0", "-3.0", "2.2", "1.1"]
    assert lines[-1].split() == ["Σ", "5.0", "-3.0", "-10.8", "14.1"]


def test_wide_characters_do_not_shift_the_columns() -> None:
    lines = block(TEXTS, view(ROWS), ["王王王王王王王", "b", "🤖🤖🤖🤖🤖", "d"]).splitlines()
    assert len({cell_len(line) for line in lines}) == 1
