"""Forgets a person: all that the directory says of them. Seats keep an opaque id, so that every chain still holds."""

from __future__ import annotations

from eventstore.feed import Follower
from service.directory import Directory
from service.forgetting import remove
from service.projections.rows import Rows, from_store
from service.projections.tables import TABLES_BY_PLAYER, tables_of_player
from service.terminal.finding import person_named
from service.terminal.looking import Sight, Wrong
from service.text import archiving


async def forget(sight: Sight, who: str, anyway: bool) -> None:
    """Removes all of somebody's entries. Raises Wrong: unknown, several of that name, or in play (unless `anyway`)."""
    texts, store = sight.screen.texts, sight.store
    if store is None:
        raise Wrong(archiving.nobody(texts, who))
    directory = Directory(store)
    actor = await person_named(directory, texts, who)
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
