"""The score sheet (a column a seat, a row a set) as rows of strings and as a block for a monospaced font."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from domain.table import View
from service.text import Texts
from service.text import marked as _
from service.text.words import words

WIDTH = 32  # columns that fit a telephone
_SHORTEST_NAME = 5  # columns that are left of a name, if it is that long
_LEAST_TOLD_APART = 3  # columns in which a name's beginning and its end can both be shown
_MARKS = "*†‡"  # of cells that are no plain scores, by the kinds that there are
_NOTES = {"penalty": _("penalty"), "negated": _("penalty")}


class Sheet(NamedTuple):
    """Rows of cells, the first of each row its label (the number of the set)."""

    header: list[str]
    rows: list[list[str]]
    totals: list[str]
    note: str  # says what the marks mean, empty when there are none


def points(value: int | None, tenths: bool) -> str:
    """A score: `42`, in tenths `4.2`; an empty cell is a dash."""
    if value is None:
        return "-"
    if not tenths:
        return str(value)
    return f"{'-' if value < 0 else ''}{abs(value) // 10}.{abs(value) % 10}"


def sheet(texts: Texts, view: View, names: Sequence[str]) -> Sheet:
    """The score sheet. A set that was void has no row; cells that are no plain scores are marked."""
    rows: list[list[str]] = []
    marks: dict[str, str] = {}  # note -> mark
    for row in view.rows:
        mark = ""
        if row.kind != "score":
            mark = marks.setdefault(note(view.game, row.kind), _MARKS[len(marks) % len(_MARKS)])
        cells = [points(value, view.tenths) + (mark if value is not None else "") for value in row.values]
        line = [str(row.set + 1), *cells]
        if rows and (joined := _joined(rows[-1], line)) is not None:
            rows[-1] = joined
        else:
            rows.append(line)
    totals = [points(value, view.tenths) for value in view.totals]
    said = ", ".join(f"{mark} {texts.gettext(what)}" for what, mark in marks.items())
    return Sheet(["", *names], rows, [texts.pgettext("sum of scores", "Σ"), *totals], said)


def _joined(above: list[str], line: list[str]) -> list[str] | None:
    """Two lines of the same set as one, where no seat has a cell in both; else None."""
    empty = points(None, False)
    if above[0] != line[0] or any(empty not in pair for pair in zip(above[1:], line[1:], strict=True)):
        return None
    return [above[0], *(two if one == empty else one for one, two in zip(above[1:], line[1:], strict=True))]


def note(game: str, kind: str) -> str:
    """What a row that is no plain score is, to be looked up: `penalty`; its kind where a game has no word for it."""
    return words(game).rows.get(kind) or _NOTES.get(kind, kind)


def block(texts: Texts, view: View, names: Sequence[str], width: int = WIDTH) -> str:
    """The sheet for a monospaced font, at most `width` columns wide. Names are cut to fit, scores never: seats for
    which there is no room side by side stand in a block of their own below."""
    found = sheet(texts, view, names)
    label = max([cell_len(found.totals[0]), *(cell_len(row[0]) for row in found.rows)])
    parts = []
    for seats in _side_by_side(found, label, width):
        room = min((width - label) // len(seats) - 1, _longest(found, seats) + 1)
        header = _cut([found.header[1 + seat] for seat in seats], room)
        lines = [
            _line([of[0], *(of[1 + seat] for seat in seats)], label, room)
            for of in ([found.header[0], *[""] * len(names)], *found.rows, found.totals)
        ]
        lines[0] = _line([found.header[0], *header], label, room)
        parts.append("\n".join([*lines[:-1], "-" * (label + len(seats) * (room + 1)), lines[-1]]))
    return "\n".join(["\n\n".join(parts), *textwrap.wrap(found.note, width)])


def blocks(texts: Texts, view: View, names: Sequence[str], width: int = WIDTH) -> int:
    """How many blocks, one below the other, the sheet takes: each has a line for every row."""
    found = sheet(texts, view, names)
    label = max([cell_len(found.totals[0]), *(cell_len(row[0]) for row in found.rows)])
    return len(_side_by_side(found, label, width))


def _side_by_side(found: Sheet, label: int, width: int) -> list[range]:
    """The seats of each block, as evenly as they come: as many as have room for their scores and for some of a name."""
    seats = len(found.totals) - 1
    scores = max(cell_len(cell) for cells in (*found.rows, found.totals) for cell in cells[1:])
    names = max(map(cell_len, found.header))
    most = max(1, (width - label) // (max(scores, min(names, _SHORTEST_NAME)) + 1))
    parts = -(-seats // most)
    size = -(-seats // parts)
    return [range(at, min(at + size, seats)) for at in range(0, seats, size)]


def _longest(found: Sheet, seats: range) -> int:
    return max(cell_len(cells[1 + seat]) for cells in (found.header, *found.rows, found.totals) for seat in seats)


def _cut(names: Sequence[str], room: int) -> list[str]:
    """The names cut to `room`; of those that would look alike (`Player 1`, `Player 2`) the end is kept too."""
    cut = [name if cell_len(name) <= room else set_cell_size(name, room) for name in names]
    alike = [cut.count(name) > 1 for name in cut]
    return [
        f"{set_cell_size(name, room - 1 - cell_len(name[-1]))}…{name[-1]}" if same and room > _LEAST_TOLD_APART else one
        for name, one, same in zip(names, cut, alike, strict=True)
    ]


def _line(cells: Sequence[str], label: int, room: int) -> str:
    return _right(cells[0], label) + "".join(" " + _right(cell, room) for cell in cells[1:])


def _right(text: str, room: int) -> str:
    cut = text if cell_len(text) <= room else set_cell_size(text, room)
    return " " * (room - cell_len(cut)) + cut
