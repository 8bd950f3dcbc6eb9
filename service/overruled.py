"""What players decided against a dictionary, for the next tables of the same home (TC-43)."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from domain.game import Decided
from eventstore.store import home
from service.directory import Directory

_MOST = 1000
"""Decisions that a new table hears of, the latest ones."""


class _AtATable(msgspec.Struct, frozen=True, array_like=True):
    dictionary: str
    decided: tuple[Decided, ...]


class Overruled:
    """The decisions of each table, in the directory: writing them again changes nothing."""

    def __init__(self, directory: Directory) -> None:
        self._directory = directory

    async def keep(self, table: str, dictionary: str, decided: tuple[Decided, ...]) -> None:
        """All that was decided at a table so far, about the words of a dictionary (`en-1`)."""
        if decided:
            written = msgspec.json.encode(_AtATable(dictionary, decided)).decode()
            await self._directory.put("overruled", table, written)

    async def known(self, table: str, dictionary: str) -> tuple[Decided, ...]:
        """What the other tables of the home decided about words of a dictionary's language, each question once: the
        latest decision."""
        others = [name for name in await self._directory.tables(home(table)) if name != table]
        found = await self._directory.several("overruled", others)
        return tuple(_latest(_read(text, dictionary) for text in found))


def _read(text: str, dictionary: str) -> tuple[Decided, ...]:
    told = msgspec.json.decode(text, type=_AtATable)
    return told.decided if _language(told.dictionary) == _language(dictionary) else ()


def _language(dictionary: str) -> str:
    return dictionary.partition("-")[0]


def _latest(tables: Iterable[tuple[Decided, ...]]) -> list[Decided]:
    questions: dict[tuple[str, str], Decided] = {}
    for decided in tables:
        for one in decided:
            questions.pop((one.word, one.of), None)
            questions[one.word, one.of] = one
    return list(questions.values())[-_MOST:]
