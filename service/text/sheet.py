"""The score sheet (a column a seat, a row a set) as rows of strings and as a block for a monospaced font."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from domain.table import View
from service.text import Texts
from service.text import marked as _
from service.text.words import words

WIDTH = 32  # columns that fit a telephone
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
    rows = []
    marks: dict[str, str] = {}  # note -> mark
    for row in view.rows:
        mark = ""
        if row.kind != "score":
            mark = marks.setdefault(note(view.game, row.kind), _MARKS[len(marks) % len(_MARKS)])
        cells = [points(value, view.tenths) + (mark if value is not None else "") for value in row.values]
        rows.append([str(row.set + 1), *cells])
    totals = [points(value, view.tenths) for value in view.totals]
    said = ", ".join(f"{mark} {texts.gettext(what)}" for what, mark in marks.items())
    return Sheet(["", *names], rows, [texts.pgettext("sum of scores", "Σ"), *totals], said)


def note(game: str, kind: str) -> str:
    """What a row that is no plain score is, to be looked up: `penalty`; its kind where a game has no word for it."""
    return words(game).rows.get(kind) or _NOTES.get(kind, kind)


def block(texts: Texts, view: View, names: Sequence[str], width: int = WIDTH) -> str:
    """The sheet for a monospaced font, at most `width` columns wide; names are cut to fit."""
    found = sheet(texts, view, names)
    columns = max(1, len(names))
    label = max([cell_len(found.totals[0]), *(cell_len(row[0]) for row in found.rows)])
    longest = max(cell_len(cell) for cells in (found.header, *found.rows, found.totals) for cell in cells)
    room = min((width - label) // columns - 1, longest + 1)
    lines = [_line(found.header, label, room), *(_line(row, label, room) for row in found.rows)]
    lines += ["-" * (label + columns * (room + 1)), _line(found.totals, label, room)]
    return "\n".join([*lines, found.note] if found.note else lines)


def _line(cells: Sequence[str], label: int, room: int) -> str:
    return _right(cells[0], label) + "".join(" " + _right(cell, room) for cell in cells[1:])


def _right(text: str, room: int) -> str:
    cut = text if cell_len(text) <= room else set_cell_size(text, room)
    return " " * (room - cell_len(cut)) + cut
