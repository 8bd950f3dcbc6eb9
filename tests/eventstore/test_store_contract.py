"""What every store does, on fakeredis, on the embedded server and on a cluster alike."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from eventstore.chain import link, verify
from eventstore.record import NO_HEAD
from eventstore.redis_store import RedisStore
from eventstore.store import Already, Appended, Conflict, Pointer, RefusedBefore, StoreDown, StoreUnfit
from eventstore.wire import Reply
from tests.eventstore.drafts import DAY, NOON, Clock, append, draft


async def test_what_was_appended_is_read_in_order(store: RedisStore) -> None:
    made = await append(store, commits=12)
    assert [commit.version for commit in made] == list(range(1, 13))
    assert await store.read("home-1") == made
    assert await store.read("home-1", after=9) == made[9:]
    assert await store.read("home-1", after=12) == []


async def test_a_table_that_nobody_opened_has_no_commits(store: RedisStore) -> None:
    assert await store.read("home-1") == []
    assert await store.tables() == []


async def test_a_commit_carries_its_link_and_the_chain_verifies(store: RedisStore) -> None:
    first, second = await append(store, commits=2)
    assert first.hash == link("home-1", 1, NO_HEAD, first.time, first.actor, first.command, first.events)
    assert second.hash == link("home-1", 2, first.hash, second.time, second.actor, second.command, second.events)
    assert verify(await store.read("home-1")) == second.hash


async def test_events_are_stored_as_the_bytes_they_are(store: RedisStore) -> None:
    events = bytes(range(256)) * 50
    await store.append(draft(events=events, actor="person:ü"))
    [commit] = await store.read("home-1")
    assert commit.events == events
    assert commit.actor == "person:ü"


async def test_a_gap_is_refused(store: RedisStore) -> None:
    [first] = await append(store)
    assert await store.append(draft(version=3, previous=first.hash)) == Conflict(1, ())
    assert await store.append(draft("home-2", version=2)) == Conflict(0, ())
    assert await store.read("home-1") == [first]
    assert await store.read("home-2") == []


async def test_a_conflict_brings_what_the_caller_lacks(store: RedisStore) -> None:
    made = await append(store, commits=5)
    late = draft(version=3, previous=made[1].hash, command="late")
    assert await store.append(late) == Conflict(5, tuple(made[2:]))
    fresh = draft(version=1, command="late")
    assert await store.append(fresh) == Conflict(5, tuple(made))
    assert await store.read("home-1") == made


async def test_a_conflict_brings_even_a_long_tail_whole(store: RedisStore) -> None:
    made = await append(store, commits=230)
    answer = await store.append(draft(version=11, previous=made[9].hash, command="late"))
    assert answer == Conflict(230, tuple(made[10:]))


async def test_another_head_at_the_expected_version_brings_no_tail(store: RedisStore) -> None:
    made = await append(store, commits=3)
    foreign = bytes([1]) * 32
    assert await store.append(draft(version=4, previous=foreign, command="x")) == Conflict(3, ())
    assert await store.append(draft(version=2, previous=foreign, command="x")) == Conflict(3, ())
    assert await store.append(draft(version=1, previous=foreign, command="x")) == Conflict(3, ())
    assert await store.read("home-1") == made


async def test_a_version_below_one_is_never_appended(store: RedisStore) -> None:
    assert await store.append(draft(version=0)) == Conflict(0, ())
    assert await store.read("home-1") == []


async def test_a_command_is_carried_out_once(store: RedisStore) -> None:
    made = await append(store, commits=2)
    again = draft(version=3, previous=made[1].hash, command=made[0].command)
    assert await store.append(again) == Already(1)
    assert await store.read("home-1") == made
    assert await store.commit_of("home-1", made[1].command) == 2
    assert await store.commit_of("home-1", "never seen") is None


async def test_the_same_draft_again_is_answered_as_before(store: RedisStore) -> None:
    first = await store.append(draft())
    await append(store, commits=2)
    assert await store.append(draft()) == first
    assert len(await store.read("home-1")) == 3


async def test_tables_of_a_home_may_share_a_command_id(store: RedisStore) -> None:
    assert isinstance(await store.append(draft("home-1", command="same")), Appended)
    assert isinstance(await store.append(draft("home-2", command="same")), Appended)
    assert await store.commit_of("home-3", "same") is None


async def test_of_writers_at_the_same_version_one_wins(store: RedisStore) -> None:
    drafts = [draft(command=f"writer-{number}") for number in range(20)]
    answers = await asyncio.gather(*map(store.append, drafts))
    winners = [answer for answer in answers if isinstance(answer, Appended)]
    [commit] = await store.read("home-1")
    assert [winner.commit for winner in winners] == [commit]
    assert {answer for answer in answers if isinstance(answer, Conflict)} == {Conflict(1, (commit,))}


async def test_many_tables_at_once_keep_their_order(store: RedisStore) -> None:
    tables = [f"home{number}-1" for number in range(60)]
    await asyncio.gather(*(append(store, table, commits=10) for table in tables))
    found = await store.read_many(tables)
    for table in tables:
        assert [commit.version for commit in found[table]] == list(range(1, 11))
        verify(found[table])
    feeds = await store.feed(["0-0"] * store.partitions, count=10_000)
    pointed = [(pointer.table, pointer.version) for pointers in feeds.values() for pointer in pointers]
    assert sorted(pointed) == sorted((table, version) for table in tables for version in range(1, 11))
    for table in tables:
        assert [version for name, version in pointed if name == table] == list(range(1, 11))
    assert await store.tables() == sorted(tables)


async def test_commits_given_together_are_appended_in_that_order(store: RedisStore) -> None:
    drafts = [draft()]
    for version in range(2, 30):
        last = drafts[-1]
        hash = link(last.table, last.version, last.previous, last.time, last.actor, last.command, last.events)
        drafts.append(draft(version=version, previous=hash))
    answers = await asyncio.gather(*map(store.append, drafts))
    assert [answer.commit for answer in answers if isinstance(answer, Appended)] == await store.read("home-1")
    assert len(await store.read("home-1")) == 29


async def test_a_caller_who_is_cancelled_disturbs_nobody(store: RedisStore) -> None:
    tasks = [asyncio.create_task(store.append(draft(f"home{number}-1"))) for number in range(30)]
    await asyncio.sleep(0)
    for task in tasks[::3]:
        task.cancel()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    for number, answer in enumerate(answers):
        if number % 3:
            assert isinstance(answer, Appended)
        else:
            assert isinstance(answer, asyncio.CancelledError)
    assert isinstance(await store.append(draft("later-1")), Appended)


@pytest.mark.parametrize("name", ["feed", "tables", "cmd"])
async def test_nothing_is_half_done_when_a_key_is_not_ours(store: RedisStore, name: str, clock: Clock) -> None:
    number = store.partition_of("home-1")
    parts = ("cmd", str(clock.time // DAY), "home-1") if name == "cmd" else (name,)
    await store.servers.ask_one("SET", store.key(number, *parts), "somebody else's")
    with pytest.raises(StoreUnfit, match="not a store's"):
        await store.append(draft())
    assert await store.read("home-1") == []
    pattern = store.key(number, "*").replace("{", "[{]")
    keys: Reply = await store.servers.client(store.key(number)).keys(pattern)
    # What WAIT waits behind (a cluster's store acknowledges what a replica has) is no part of the append.
    assert [key for key in keys if not key.endswith(b"}:wait")] == [store.key(number, *parts).encode()]


async def test_a_command_id_is_known_for_three_days(store: RedisStore, clock: Clock) -> None:
    await append(store)
    command = draft().command
    clock.time = NOON + 3 * DAY + 43_199_999
    assert await store.commit_of("home-1", command) == 1
    assert await store.append(msgspec.structs.replace(draft(), events=b"[]")) == Already(1)
    clock.time += 1
    assert await store.commit_of("home-1", command) is None


async def test_a_command_id_is_known_to_a_clock_that_is_behind(store: RedisStore, clock: Clock) -> None:
    await append(store)
    clock.time = NOON - DAY
    assert await store.commit_of("home-1", draft().command) == 1
    assert await store.append(msgspec.structs.replace(draft(), events=b"[]")) == Already(1)


async def test_days_of_command_ids_go_by_themselves(store: RedisStore, clock: Clock) -> None:
    await append(store, commits=2)
    await store.refuse("home-1", "x", b"sealed")
    number = store.partition_of("home-1")
    life = await store.servers.ask_one("TTL", store.key(number, "cmd", str(clock.time // DAY), "home-1"))
    assert 4 * 86_400 < life <= 5 * 86_400


async def test_a_refusal_is_remembered_and_the_first_one_stays(store: RedisStore, clock: Clock) -> None:
    assert await store.refusal("home-1", "x") is None
    await store.refuse("home-1", "x", b"\x00sealed\xff")
    await store.refuse("home-1", "x", b"another")
    assert await store.refusal("home-1", "x") == b"\x00sealed\xff"
    assert await store.refusal("home-2", "x") is None
    clock.time = NOON + 2 * DAY
    await store.refuse("home-1", "x", b"another")
    assert await store.refusal("home-1", "x") == b"\x00sealed\xff"
    clock.time = NOON + 4 * DAY
    assert await store.refusal("home-1", "x") is None


async def test_a_command_that_was_refused_stays_refused_though_it_would_fit_by_now(store: RedisStore) -> None:
    refused = draft("home-1")
    await store.refuse("home-1", refused.command, b"sealed")
    assert await store.append(refused) == RefusedBefore(b"sealed")
    assert await store.commit_of("home-1", refused.command) is None
    assert await store.read("home-1") == []


async def test_a_command_that_was_carried_out_is_never_remembered_as_refused(store: RedisStore) -> None:
    done = draft("home-1")
    assert isinstance(await store.append(done), Appended)
    await store.refuse("home-1", done.command, b"sealed")
    assert await store.refusal("home-1", done.command) is None
    assert await store.commit_of("home-1", done.command) == 1


async def test_a_refused_command_writes_no_commit(store: RedisStore) -> None:
    await store.refuse("home-1", "x", b"sealed")
    assert await store.read("home-1") == []
    assert await store.feed(["0-0"] * store.partitions) == {}


async def test_the_feed_goes_on_after_each_checkpoint(store: RedisStore) -> None:
    number = store.partition_of("home-1")
    await append(store, "home-1", commits=2)
    await append(store, "home-2")
    after = ["0-0"] * store.partitions
    feed = await store.feed(after)
    assert list(feed) == [number]
    assert [(pointer.table, pointer.version) for pointer in feed[number]] == [
        ("home-1", 1),
        ("home-1", 2),
        ("home-2", 1),
    ]
    assert await store.feed(after, count=2) == {number: feed[number][:2]}
    after[number] = feed[number][1].id
    assert await store.feed(after) == {number: feed[number][2:]}
    after[number] = feed[number][2].id
    assert await store.feed(after) == {}
    assert await store.feed_ends() == after


async def test_a_pointer_leads_to_its_commit(store: RedisStore) -> None:
    first, second = await append(store, commits=2)
    [pointers] = (await store.feed(["0-0"] * store.partitions)).values()
    assert await store.commits(pointers) == [first, second]
    with pytest.raises(StoreUnfit, match="lost version 9 of table home-1"):
        await store.commits([Pointer("1-0", "home-1", 9)])


async def test_whoever_waits_at_the_feed_is_woken(store: RedisStore) -> None:
    waiting = asyncio.create_task(store.feed(["0-0"] * store.partitions, block_ms=60_000))
    await append(store)
    [[pointer]] = (await waiting).values()
    assert (pointer.table, pointer.version) == ("home-1", 1)


async def test_waiting_in_vain_ends(store: RedisStore) -> None:
    assert await store.feed(["0-0"] * store.partitions, block_ms=1) == {}


async def forget_scripts(store: RedisStore) -> None:
    for client in store.servers.every():
        await client.script_flush()


async def test_a_server_that_forgot_the_script_is_told_again(store: RedisStore) -> None:
    made = await append(store)
    await forget_scripts(store)
    made += await append(store)
    await forget_scripts(store)
    drafts = [draft(f"home{number}-1") for number in range(5)]
    answers = await asyncio.gather(*map(store.append, drafts))
    assert all(isinstance(answer, Appended) for answer in answers)
    assert await store.read("home-1") == made


async def test_every_key_but_one_carries_its_partition_as_hash_tag(store: RedisStore) -> None:
    await asyncio.gather(*(append(store, f"home{number}-1") for number in range(20)))
    await store.refuse("home-1", "x", b"sealed")
    prefix = store.key(0).split("{", maxsplit=1)[0]
    pattern = f"{prefix}*"
    found = [key for client in store.servers.every() async for key in client.scan_iter(match=pattern)]
    keys = [key.decode().removeprefix(prefix) for key in found]
    assert len(keys) > 50
    assert [key for key in keys if not key.startswith("{")] == ["meta"]
    for key in keys:
        if "}:t:" in key:
            tag, table = key.split("}:t:")
            assert tag == "{" + str(store.partition_of(table))


async def test_a_deployment_is_found_again(store: RedisStore, clock: Clock) -> None:
    prefix = store.key(0).split(":{", maxsplit=1)[0]
    again = await RedisStore.open(store.servers, now=clock, prefix=prefix)
    assert (again.deployment, again.partitions) == (store.deployment, 64)
    other = await RedisStore.open(store.servers, now=clock, prefix=f"{prefix}-other", partitions=4)
    assert other.partitions == 4
    assert other.deployment != store.deployment


async def test_another_number_of_partitions_is_refused(store: RedisStore, clock: Clock) -> None:
    prefix = store.key(0).split(":{", maxsplit=1)[0]
    with pytest.raises(StoreUnfit, match="64 partitions, not 16"):
        await RedisStore.open(store.servers, now=clock, prefix=prefix, partitions=16)


async def test_another_format_is_refused(store: RedisStore, clock: Clock) -> None:
    prefix = store.key(0).split(":{", maxsplit=1)[0]
    await store.servers.ask_one("HSET", f"{prefix}:meta", "format", "2")
    with pytest.raises(StoreUnfit, match="format 2"):
        await RedisStore.open(store.servers, now=clock, prefix=prefix)


async def test_a_closed_store_finishes_what_it_was_given_and_takes_no_more(store: RedisStore) -> None:
    under_way = asyncio.create_task(store.append(draft()))
    await asyncio.sleep(0)
    await store.close()
    assert isinstance(await under_way, Appended)
    with pytest.raises(StoreDown, match="closed"):
        await store.append(draft("home-2"))
    await store.close()
