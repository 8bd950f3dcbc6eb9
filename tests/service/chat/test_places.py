from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from fakeredis import FakeServer
from fakeredis.aioredis import FakeRedis

from eventstore.redis_store import RedisStore
from eventstore.servers import One
from service.chat.api.once import Once
from service.chat.board.places import Places
from service.directory import Directory
from service.forgetting import remove


@pytest.fixture
async def directory() -> AsyncIterator[Directory]:
    async with await RedisStore.open(One(FakeRedis(server=FakeServer(), protocol=2)), now=lambda: 1) as store:
        yield Directory(store)


async def test_a_group_that_becomes_a_supergroup_keeps_its_tables(directory: Directory) -> None:
    places = Places(directory)
    table = await places.new_table(-5)
    assert await places.move(-5, -100) == [table]
    for reader in (places, Places(directory)):
        await reader.load()
        assert reader.chat(table) == -100
        assert await reader.tables(-100) == [table]
    assert await places.move(-5, -100) == [table], "said twice it does no harm"
    assert (await places.new_table(-100)).startswith(table.partition("-")[0])


async def test_only_what_is_played_in_a_chat_is_ours(directory: Directory) -> None:
    local = await directory.new_table(await directory.home("local:ann"))
    places = Places(directory)
    await places.load()
    table = await places.new_table(-5)
    assert places.ours(table)
    assert not places.ours(local)


async def test_people_keep_their_identity_whatever_they_are_called(directory: Directory) -> None:
    places = Places(directory)
    actor = await places.person(7, "Ann")
    assert await places.person(7, "Anna") == actor
    assert await places.person(8, "Anna") != actor
    assert await places.names([actor, "computer:steady"]) == {actor: "Anna"}


async def test_what_belongs_to_an_update_is_done_once_in_all_processes(directory: Directory) -> None:
    first, second = Once(directory), Once(directory)
    assert await first.claim(1, "answer")
    assert not await first.claim(1, "answer")
    assert not await second.claim(1, "answer")
    assert await second.claim(1, "reason")
    assert await second.claim(2, "answer")


async def test_what_was_decided_for_an_update_stays_decided_until_it_is_confirmed(directory: Directory) -> None:
    first, second = Once(directory), Once(directory)
    assert await first.decided(1, "table", "a-1") == "a-1"
    await second.load()
    assert await second.decided(1, "table", "a-2") == "a-1"
    await second.forget(2)
    assert await second.known(1, "table") is None
    assert await directory.everything("updates") == {}


async def test_somebody_who_was_forgotten_is_somebody_new_at_once(directory: Directory) -> None:
    """Who was heard of a moment ago is not looked up again; what was forgotten is not known from memory either."""
    places = Places(directory)
    actor = await places.person(7, "Ann")
    assert await places.person(7, "Ann") == actor
    places.forget(7, {})
    await remove(directory, actor, {})
    again = await places.person(7, "Ann")
    assert again != actor
    assert await directory.person_key(again) == "tg:7"
    assert await places.names([actor, again]) == {again: "Ann"}
