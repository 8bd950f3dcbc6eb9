"""The score sheet as rows: how one is written, and how those of a set that counts no more are taken out."""

from __future__ import annotations

from collections.abc import Iterable

from domain.game import Row

PENAL = frozenset({"penalty", "negated"})
"""Kinds of rows that no set gave: they stay when a set is undone."""


def written(rows: tuple[Row, ...], row: Row) -> tuple[Row, ...]:
    """The sheet with one row more. One of the kind `negated` takes the place of its seats' scores of that set."""
    if row.kind != "negated":
        return (*rows, row)
    found: list[Row] = []
    for old in rows:
        if old.set != row.set or old.kind != "score":
            found.append(old)
            continue
        kept = tuple(None if new is not None else value for value, new in zip(old.values, row.values, strict=True))
        found += [Row(old.set, kept, old.kind), row]
    return tuple(found)


def undone(rows: Iterable[Row], index: int) -> tuple[Row, ...]:
    """The sheet without what a set gave; the penalties in it stay."""
    return tuple(row for row in rows if row.set != index or row.kind in PENAL)


def totals(rows: Iterable[Row], seats: int) -> tuple[int, ...]:
    """The sum of each seat's column."""
    found = [0] * seats
    for row in rows:
        for seat, value in enumerate(row.values):
            found[seat] += value or 0
    return tuple(found)
