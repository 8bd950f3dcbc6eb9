from __future__ import annotations

import asyncio
from typing import Any

from eventstore.chain import fingerprint
from service.chat.board.shown import Shown
from service.engine import Engine
from service.sealing import Sealer
from service.wiring import Service
from tests.eventstore.drafts import draft
from tests.service.chat.conftest import Running
from tests.service.chat.test_views import four, move, started


async def cut(running: Running, table: str, keep: int) -> None:
    """A server whose stream of the table ends after `keep` commits, as one may that takes over from another."""
    store = running.service.store
    key = store.key(store.partition_of(table), "t", table)
    client: Any = store.servers.client(key)
    entries = await client.xrange(key)
    await client.delete(key)
    for at, fields in entries[:keep]:
        await client.xadd(key, fields, id=at)


def forgetful(running: Running) -> Engine:
    """The engine of a process that has just started."""
    service = running.service
    fresh = Engine(service.store, Sealer(bytes(range(32))), running.clock)
    running.service = Service(service.settings, service.store, fresh, service.directory, service.clock)
    return fresh


async def test_administrators_are_told_once_what_a_running_bot_finds_lost(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    await move(running, table, 1)
    await running.until(lambda: people[0].find(group, "called") or people[0].find(group, "calls"))
    known = await running.service.engine.held(table)
    await cut(running, table, known.version - 1)
    await running.service.engine.recheck()
    told = await running.until(lambda: people[0].find(group, "has lost moves"))
    assert f"version {known.version} ({fingerprint(known.head)})" in told.text
    assert f"now stands at version {known.version - 1}" in told.text
    assert f"For the administrators: {people[0].name}" in told.text
    await running.service.engine.recheck()
    await move(running, table, 2)
    await running.stop()
    assert running.world.transcript(group).count("has lost moves") == 1
    await running.start()


async def test_a_bot_that_starts_finds_what_was_lost_by_what_the_chat_was_shown(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    for number in range(4):
        await move(running, table, number)
    await running.until(lambda: people[0].find(group, "trick 1"))
    shown, version = Shown(running.service.directory), (await running.service.engine.held(table)).version
    while (record := await shown.get(table, "table")) is None or record.version < version:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    await running.stop()
    await cut(running, table, (await running.service.engine.held(table)).version - 2)
    forgetful(running)
    await running.start()
    await running.until(lambda: people[0].find(group, "has lost moves"))
    await running.stop()
    forgetful(running)
    await running.start()
    await move(running, table, 9)
    await running.until(lambda: people[0].find(group, "My hand"))
    assert running.world.transcript(group).count("has lost moves") == 1


async def test_a_table_of_a_newer_release_is_parked_and_the_others_go_on(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    store = running.service.store
    await running.stop()
    held = await running.service.engine.held(table)
    await store.append(draft(table, held.version + 1, held.head, command="x", events=b'[{"type":"table.unheard_of"}]'))
    forgetful(running)
    await running.start()
    await running.until(lambda: people[0].find(group, "This table is parked: a newer release"))
    people[1].say(group, "/hand")
    await running.until(lambda: people[1].find(group, "parked: a newer release"))
    assert people[0].find(group, "My hand") is None
    people[1].say(group, "/callbreak")
    await running.until(lambda: people[1].find(group, "Join"))
    assert len(await store.read(table)) == held.version + 1
