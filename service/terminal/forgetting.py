"""Forgets a person: all that the directory says of them. Seats keep an opaque id, so that every chain still holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import assert_never

from eventstore.feed import Follower
from service.directory import HASHES, Directory, Fields
from service.projections.rows import Rows, from_store
from service.projections.tables import TABLES_BY_PLAYER, tables_of_player
from service.terminal.looking import Sight, Wrong
from service.text import Texts, archiving


async def forget(sight: Sight, who: str, anyway: bool) -> None:
    """Removes all of somebody's entries. Raises Wrong: unknown, several of that name, or in play (unless `anyway`)."""
    texts, store = sight.screen.texts, sight.store
    if store is None:
        raise Wrong(archiving.nobody(texts, who))
    directory = Directory(store)
    actor = await _actor(directory, texts, who)
    rows = Rows(store, TABLES_BY_PLAYER, from_store(store))
    await Follower(store, rows).catch_up()
    tables = await tables_of_player(rows, actor)
    going_on = [name for name, one in tables.items() if one.phase != "over"]
    if going_on and not anyway:
        raise Wrong(archiving.seated(texts, actor, going_on))
    gone = await remove(directory, actor)
    sight.screen.say(archiving.forgotten(texts, actor), archiving.removed(texts, gone), archiving.stays(texts))
    if going_on:
        sight.screen.say(archiving.restart(texts))


async def _actor(directory: Directory, texts: Texts, who: str) -> str:
    """The actor of `person:<id>`, `tg:<number>`, a Telegram number or a name. Raises Wrong."""
    people = await directory.everything("people")
    if who.startswith("person:"):
        found = [who] if who.removeprefix("person:") in people.values() or await directory.names([who]) else []
    else:
        key = who if ":" in who else f"tg:{who}"
        found = [f"person:{people[key]}"] if key in people else []
        names = await directory.everything("names")
        found = found or sorted(actor for actor, name in names.items() if name.casefold() == who.casefold())
    if not found:
        raise Wrong(archiving.nobody(texts, who))
    if len(found) > 1:
        raise Wrong(archiving.several(texts, who, found))
    return found[0]


async def remove(directory: Directory, actor: str) -> Mapping[str, int]:
    """Removes every entry about an actor from the directory; gives how many there were in each hash.

    Killed in between it can be done again: what the person is found by goes last.
    """
    key = await _key(directory, actor)
    chat = "" if key is None else key.removeprefix("tg:")  # a private chat has its person's number
    places = {key, f"chat:{chat}"}
    homes = {home: place for home, place in (await directory.everything("homes:back")).items() if place in places}
    tables = {table for home in homes for table in await directory.tables(home)}
    gone: list[tuple[str, str]] = []
    for name, fields in HASHES.items():
        found = await directory.everything(name)
        gone += [(name, field) for field in found if _about(fields, field, actor, chat, tables)]
    for home, place in homes.items():
        gone += [("homes", place), ("homes:back", home)]
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
