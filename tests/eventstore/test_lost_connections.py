"""Answers that get lost, connections that break, servers that cannot write: on the embedded server, through a proxy."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from redis import exceptions

from eventstore.embedded import Embedded
from eventstore.faults import meaning
from eventstore.open import connect
from eventstore.redis_store import RedisStore
from eventstore.servers import One
from eventstore.store import Appended, StoreDown, StoreUnfit
from tests.eventstore.drafts import Clock, append, draft
from tests.eventstore.proxy import Proxy, proxy


@asynccontextmanager
async def through_proxy(data: Path, socket: Path, clock: Clock) -> AsyncIterator[tuple[RedisStore, Proxy]]:
    async with proxy(Embedded(data).socket, socket) as between:
        prefix = f"tt-{secrets.token_hex(4)}"
        async with await RedisStore.open(One(connect(f"unix://{socket}")), now=clock, prefix=prefix) as store:
            await append(store, "warm-1")  # so that the script is known
            yield store, between


async def test_an_append_whose_answer_is_lost_is_in_once(shared_folder: Path, tmp_path: Path, clock: Clock) -> None:
    async with through_proxy(shared_folder, tmp_path / "s", clock) as (store, between):
        between.lose_answers = 1
        answer = await store.append(draft())
        assert between.lost == 1
        assert isinstance(answer, Appended)
        assert await store.read("home-1") == [answer.commit]
        feeds = await store.feed(["0-0"] * store.partitions)
        assert [pointer.table for pointer in feeds[store.partition_of("home-1")]].count("home-1") == 1


async def test_an_append_that_never_arrived_is_sent_again(shared_folder: Path, tmp_path: Path, clock: Clock) -> None:
    async with through_proxy(shared_folder, tmp_path / "s", clock) as (store, between):
        between.lose_questions = 1
        answer = await store.append(draft())
        assert between.lost == 1
        assert isinstance(answer, Appended)


async def test_when_the_outcome_stays_unknown_the_draft_may_be_given_again(
    shared_folder: Path, tmp_path: Path, clock: Clock
) -> None:
    async with through_proxy(shared_folder, tmp_path / "s", clock) as (store, between):
        between.lose_answers = 2
        drafts = [draft(f"home{number}-1") for number in range(10)]
        answers = await asyncio.gather(*map(store.append, drafts), return_exceptions=True)
        assert between.lost == 2
        assert {type(answer) for answer in answers} == {StoreDown}
        again = await asyncio.gather(*map(store.append, drafts))
        for each, answer in zip(drafts, again, strict=True):
            assert isinstance(answer, Appended)
            assert await store.read(each.table) == [answer.commit]


async def test_the_next_append_works_after_a_fault(shared_folder: Path, tmp_path: Path, clock: Clock) -> None:
    async with through_proxy(shared_folder, tmp_path / "s", clock) as (store, between):
        between.lose_questions = 2
        with pytest.raises(StoreDown):
            await store.append(draft())
        assert isinstance(await store.append(draft()), Appended)


async def test_a_cancelled_reader_leaves_no_answer_to_the_next_one(embedded_store: RedisStore) -> None:
    made = await append(embedded_store, commits=3)
    for _ in range(20):
        reading = asyncio.create_task(embedded_store.read("home-1", after=2))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        reading.cancel()
        assert await embedded_store.read("home-1") == made


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"maxmemory": "1"}, "has no memory left"),
        ({"min-replicas-to-write": "1"}, "too few replicas"),
        ({"replicaof": "127.0.0.1 1"}, "is a replica"),
    ],
)
async def test_a_server_that_cannot_write_is_down_and_nothing_is_half_done(
    tmp_path: Path, clock: Clock, settings: dict[str, str], text: str
) -> None:
    embedded = Embedded(tmp_path)
    await embedded.up()
    store = await RedisStore.open(One(connect(f"unix://{embedded.socket}")), now=clock, closing=embedded.stop)
    async with store:
        [(name, setting)] = settings.items()
        if name == "replicaof":
            await store.servers.ask_one("REPLICAOF", *setting.split())
        else:
            await store.servers.every()[0].config_set(name, setting)
        with pytest.raises(StoreDown, match=text):
            await store.append(draft())
        keys = await store.servers.every()[0].keys("*")
        assert keys == [b"tt:meta"]


@pytest.mark.parametrize(
    ("error", "kind", "text"),
    [
        (exceptions.ResponseError("MISCONF Errors writing to the AOF file: No space left"), StoreDown, "its disk"),
        (exceptions.ResponseError("ERR Error running script: -OOM command not allowed"), StoreDown, "no memory"),
        (exceptions.BusyLoadingError("loading"), StoreDown, "still loading"),
        (exceptions.TimeoutError("Timeout reading"), StoreDown, "in time"),
        (exceptions.ConnectionError("Connection closed by server."), StoreDown, "cannot be reached"),
        (ConnectionRefusedError(111, "Connection refused"), StoreDown, "Connection refused"),
        (exceptions.AuthenticationError("invalid username-password pair"), StoreUnfit, "password"),
        (exceptions.NoPermissionError("this user has no permissions"), StoreUnfit, "does not let this user"),
        (exceptions.InvalidResponse("Protocol Error"), StoreUnfit, "Redis protocol"),
        (exceptions.MovedError("1 127.0.0.1:2"), StoreDown, "another server"),
    ],
)
def test_an_error_of_the_client_has_one_meaning(error: Exception, kind: type[Exception], text: str) -> None:
    found = meaning(error)
    assert type(found) is kind
    assert text in str(found)


def test_an_error_of_our_own_making_has_no_meaning_and_is_not_hidden() -> None:
    assert meaning(exceptions.ResponseError("ERR wrong number of arguments for 'xadd' command")) is None
    assert meaning(ValueError("x")) is None
