"""The command `store check`: the server, the disk, every table of the store; for each fault, what to do."""

from __future__ import annotations

from eventstore.check import check_tables
from eventstore.check_server import check_server, room
from service.clock import SystemClock
from service.directory import Directory
from service.sealing import key_fault
from service.settings import Settings
from service.terminal.bars import bar
from service.terminal.looking import Sight, Wrong
from service.text import history_tools


async def check_store(sight: Sight, settings: Settings) -> None:
    """Prints a line for each fault. Raises Wrong when there is any, StoreDown, StoreUnfit."""
    texts, store = sight.screen.texts, sight.store
    if store is None:
        raise Wrong(history_tools.no_store(texts, str(settings.data)))
    server = [kind for client in store.servers.every() for kind in await check_server(client, settings.durability)]
    told = [history_tools.server_trouble(texts, kind) for kind in server]
    faults = len([kind for kind in server if kind != "sync_unknown"])
    if not settings.redis_url:
        space = room(settings.data)
        if space.free < space.wanted:
            told.append(history_tools.little_room(texts, space.free, space.wanted))
            faults += 1
    with bar(history_tools.progress(texts)) as advance:
        checked = await check_tables(store, SystemClock().now(), advance)
    told += [history_tools.trouble(texts, one.kind, one.table, one.version, one.count) for one in checked.troubles]
    key = key_fault(settings, await Directory(store).get("service", "key"))
    if key == "other":
        told.append(history_tools.key(texts, key))
        faults += 1
    sight.screen.say(*told)
    faults += len(checked.troubles)
    if faults:
        raise Wrong(history_tools.store_wrong(texts, faults))
    sight.screen.say(history_tools.store_right(texts, checked.tables, checked.commits))
    if key == "gone":  # which is no fault of the store: it may be where the bot runs, and not here
        sight.screen.say(history_tools.key(texts, key))
