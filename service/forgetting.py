"""Removes all that the directory says of a person; his seats keep an opaque id, so that every chain still holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import assert_never

from service.directory import HASHES, HEIRS, Directory, Fields

_TABLE = "table"  # whose a table's own message is, in `<table> <whose>`


async def remove(directory: Directory, actor: str, heirs: Mapping[str, int] | None = None) -> Mapping[str, int]:
    """Removes every entry about an actor from the directory; gives how many there were in each hash.

    `heirs`: tables of his private chat that others still play, each with the private chat in which it goes on; what we
    know of them stays, but where their message stood. Killed in between it can be done again: what the person is found
    by goes last.
    """
    heirs = heirs or {}
    for table, heir in heirs.items():
        await directory.put(HEIRS, table, str(heir))
    key = await _key(directory, actor)
    chat = "" if key is None else key.removeprefix("tg:")  # a private chat has its person's number
    places = {key, f"chat:{chat}"}
    homes = {home: place for home, place in (await directory.everything("homes:back")).items() if place in places}
    tables = {table for home in homes for table in await directory.tables(home)}
    tables |= {table for table, heir in (await directory.everything(HEIRS)).items() if heir == chat}
    tables -= set(heirs)
    gone: list[tuple[str, str]] = []
    for name, fields in HASHES.items():
        found = await directory.everything(name)
        gone += [(name, field) for field in found if _about(fields, field, actor, chat, tables)]
        if fields == "message":
            gone += [(name, f"{table} {_TABLE}") for table in heirs if f"{table} {_TABLE}" in found]
    for home, place in homes.items():
        gone += [("homes", place), ("homes:back", home), ("customs", home)]
    gone.append(("people:back", actor.removeprefix("person:")))
    if key is not None:
        gone.append(("people", key))
    count: Counter[str] = Counter()
    for name, field in gone:
        count[name] += await directory.drop(name, field)
    return count


def _about(fields: Fields, field: str, actor: str, chat: str, tables: set[str]) -> bool:
    """Whether a field of a hash is about the actor, his chat, or a table in it."""
    table, _, whose = field.partition(" ")
    match fields:
        case "actor":
            return field == actor
        case "table":
            return table in tables
        case "message":
            return whose == actor or table in tables
        case "chat":
            return field == chat
        case "nobody":
            return False
        case _:
            assert_never(fields)


async def _key(directory: Directory, actor: str) -> str | None:
    """The outside identity of an actor, from whichever direction is still there."""
    people = {f"person:{id}": key for key, id in (await directory.everything("people")).items()}
    return people.get(actor) or await directory.person_key(actor)
