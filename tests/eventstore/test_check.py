"""The check of a store: a sound one has no fault, and each thing that somebody can break there is found and named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from eventstore.check import Checked, Trouble, check_tables
from eventstore.check_server import check_server, room, server_troubles
from eventstore.embedded import LEAST_SPACE
from eventstore.ids import field
from eventstore.redis_store import RedisStore
from eventstore.wire import Reply
from tests.eventstore.drafts import DAY, NOON, append

SOUND = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}


@pytest.fixture
async def filled(store: RedisStore) -> RedisStore:
    """A store with three tables."""
    for table, commits in (("ann-1", 5), ("ann-2", 1), ("bob-1", 3)):
        await append(store, table, commits)
    return store


async def checked(store: RedisStore, now: int = NOON) -> Checked:
    return await check_tables(store, now)


async def troubles(store: RedisStore) -> list[Trouble]:
    return list((await checked(store)).troubles)


def key(store: RedisStore, *parts: str, table: str = "ann-1") -> str:
    return store.key(store.partition_of(table), *parts)


async def rewrite(store: RedisStore, name: str, change: Callable[[list[Reply]], list[Reply]]) -> None:
    """Writes a stream's entries anew after `change`."""
    entries = change(await store.servers.ask_one("XRANGE", name, "-", "+"))
    await store.servers.ask_one("DEL", name)
    for id, fields in entries:
        await store.servers.ask_one("XADD", name, id, *fields)


async def test_a_sound_store_has_no_fault(filled: RedisStore) -> None:
    await filled.refuse("ann-1", "tg:refused", b"sealed")
    assert await checked(filled) == Checked(3, 9, ())


async def test_a_store_without_tables_has_no_fault(store: RedisStore) -> None:
    assert await checked(store) == Checked(0, 0, ())


async def test_it_says_how_far_it_is(filled: RedisStore) -> None:
    told: list[tuple[int, int]] = []
    await check_tables(filled, NOON, lambda done, everything: told.append((done, everything)))
    assert told[-1] == (3, 3)
    assert told == sorted(told)


async def test_every_flipped_byte_of_a_commit_is_found(filled: RedisStore) -> None:
    stream = key(filled, "t", "ann-1")
    for place in range(1, 10, 2):  # the values between the names of hash, events, time, actor and command

        def flip(entries: list[Reply], place: int = place) -> list[Reply]:
            fields = entries[2][1]
            fields[place] = fields[place][:-1] + bytes([fields[place][-1] ^ 1])
            return entries

        await rewrite(filled, stream, flip)
        assert Trouble("broken_chain", "ann-1", 3) in await troubles(filled)
        await rewrite(filled, stream, flip)
    assert await troubles(filled) == []


async def test_a_commit_that_was_deleted_is_named_with_its_pointer_and_id(filled: RedisStore) -> None:
    await filled.servers.ask_one("XDEL", key(filled, "t", "ann-1"), "3-0")
    assert set(await troubles(filled)) == {
        Trouble("commit_missing", "ann-1", 3),
        Trouble("pointer_without_commit", "ann-1", 3),
        Trouble("id_of_another", "ann-1", 3),
    }


async def test_a_tail_that_was_cut_off_is_found_by_its_pointers(filled: RedisStore) -> None:
    for version in (4, 5):
        await filled.servers.ask_one("XDEL", key(filled, "t", "ann-1"), f"{version}-0")
    assert set(await troubles(filled)) == {
        Trouble("pointer_without_commit", "ann-1", 4, 2),
        Trouble("id_of_another", "ann-1", 4, 2),
    }


async def test_a_table_that_is_gone_is_found(filled: RedisStore) -> None:
    await filled.servers.ask_one("DEL", key(filled, "t", "ann-1"))
    assert Trouble("no_commits", "ann-1") in await troubles(filled)


async def test_a_missing_pointer_is_found(filled: RedisStore) -> None:
    await rewrite(
        filled, key(filled, "feed"), lambda entries: [one for one in entries if one[1][1::2] != [b"ann-1", b"2"]]
    )
    assert await troubles(filled) == [Trouble("no_pointer", "ann-1", 2)]


async def test_a_pointer_too_many_is_found(filled: RedisStore) -> None:
    await filled.servers.ask_one("XADD", key(filled, "feed"), "*", "t", "ann-1", "v", 2)
    assert await troubles(filled) == [Trouble("pointer_twice", "ann-1", 2)]


async def test_pointers_in_another_order_are_found(filled: RedisStore) -> None:
    def swap(entries: list[Reply]) -> list[Reply]:
        entries[0][1], entries[1][1] = entries[1][1], entries[0][1]
        return entries

    await rewrite(filled, key(filled, "feed"), swap)
    assert await troubles(filled) == [Trouble("pointers_disordered", "ann-1")]


async def test_foreign_entries_are_found_and_the_other_tables_still_checked(filled: RedisStore) -> None:
    await filled.servers.ask_one("XADD", key(filled, "feed"), "*", "x", "y")
    await filled.servers.ask_one("XADD", key(filled, "t", "ann-1"), "6-0", "x", "y")
    found = await checked(filled)
    assert {trouble.kind for trouble in found.troubles} == {"foreign_pointer", "foreign_entry"}
    assert (found.tables, found.commits) == (3, 4)


async def test_a_key_of_another_type_is_a_foreign_entry(filled: RedisStore) -> None:
    await filled.servers.ask_one("DEL", key(filled, "t", "ann-2"))
    await filled.servers.ask_one("SET", key(filled, "t", "ann-2"), "text")
    assert await troubles(filled) == [Trouble("foreign_entry", "ann-2")]


async def test_a_table_that_no_list_names_is_found(filled: RedisStore) -> None:
    await filled.servers.ask_one("SREM", key(filled, "tables"), "ann-1")
    assert await troubles(filled) == [Trouble("not_listed", "ann-1")]


async def test_a_table_among_another_partitions_keys_is_found(filled: RedisStore) -> None:
    other = (filled.partition_of("ann-1") + 1) % filled.partitions
    await filled.servers.ask_one("XADD", filled.key(other, "t", "ann-1"), "1-0", "h", "x")
    assert await troubles(filled) == [Trouble("not_listed", "ann-1")]


async def test_a_missing_command_id_is_found_as_long_as_ids_are_kept(filled: RedisStore) -> None:
    ids = key(filled, "cmd", str(NOON // DAY), "ann-1")
    await filled.servers.ask_one("HDEL", ids, field("tg:1:2:ann-1"), field("tg:1:4:ann-1"))
    assert await troubles(filled) == [Trouble("id_missing", "ann-1", 2, 2)]
    assert await checked(filled, NOON + 10 * DAY) == Checked(3, 9, ())


async def test_a_command_id_of_another_commit_is_found(filled: RedisStore) -> None:
    await filled.servers.ask_one("HSET", key(filled, "cmd", str(NOON // DAY), "ann-1"), field("tg:1:2:ann-1"), 3)
    assert await troubles(filled) == [Trouble("id_of_another", "ann-1", 3)]


async def test_command_ids_of_a_table_that_is_not_there_are_found(filled: RedisStore) -> None:
    await filled.refuse("cat-1", "tg:refused", b"sealed")  # that alone is none
    ids = key(filled, "cmd", str(NOON // DAY), "cat-1", table="cat-1")
    assert await troubles(filled) == []
    await filled.servers.ask_one("HSET", ids, field("tg:1:2:cat-1"), 2)
    assert await troubles(filled) == [Trouble("id_of_another", "cat-1", 2)]


async def test_appends_during_a_check_are_no_fault(filled: RedisStore) -> None:
    """Whatever is appended between two reads of the check: here after every table of the batch."""
    reading = filled.read_many

    async def read_and_append(tables: list[str]) -> dict[str, list[object]]:
        await append(filled, "ann-1", 2)
        await append(filled, f"new-{len(await filled.tables())}", 1)
        found = await reading(tables)
        await append(filled, "ann-1", 1)
        return dict(found)  # type: ignore[arg-type]

    filled.read_many = read_and_append  # type: ignore[assignment,method-assign]
    assert await troubles(filled) == []


async def test_the_embedded_server_is_as_it_should_be(embedded_store: RedisStore) -> None:
    assert await check_server(embedded_store.servers.every()[0]) == []


@pytest.mark.parametrize(
    ("facts", "settings", "found"),
    [
        ({}, SOUND, []),
        ({}, {**SOUND, "appendfsync": "everysec"}, ["not_synced"]),
        ({}, {**SOUND, "appendonly": "no"}, ["not_kept"]),
        ({}, {**SOUND, "maxmemory-policy": "allkeys-lru"}, ["evicts"]),
        ({"aof_enabled": "1"}, None, ["sync_unknown"]),
        ({"aof_enabled": "0"}, None, ["not_kept"]),
        ({"aof_enabled": "1", "maxmemory_policy": "volatile-ttl"}, None, ["sync_unknown", "evicts"]),
        ({"aof_last_write_status": "err"}, SOUND, ["write_failed"]),
        ({"rdb_last_bgsave_status": "err"}, SOUND, ["write_failed"]),
        ({"aof_last_bgrewrite_status": "err"}, SOUND, ["rewrite_failed"]),
        ({"role": "slave"}, SOUND, ["replica"]),
    ],
)
def test_a_servers_settings_are_judged(
    facts: dict[str, str], settings: dict[str, str] | None, found: list[str]
) -> None:
    assert server_troubles(facts, settings) == found


@pytest.mark.parametrize(
    ("facts", "settings", "found"),
    [
        ({"connected_slaves": "1"}, {"min-replicas-to-write": "1"}, []),
        ({"connected_slaves": "0"}, {"min-replicas-to-write": "1"}, ["no_replica"]),
        ({"connected_slaves": "1"}, {"min-replicas-to-write": "0"}, ["unguarded"]),
        ({}, {"min-replicas-to-write": "0"}, ["no_replica", "unguarded"]),
    ],
)
def test_replicas_are_missed_where_commits_must_have_one(
    facts: dict[str, str], settings: dict[str, str], found: list[str]
) -> None:
    kept = {"appendonly": "yes", "appendfsync": "always"}
    assert server_troubles(facts, kept | settings, "replicated") == found
    assert server_troubles(facts, kept | settings, "local") == []


def test_the_room_wanted_grows_with_what_is_stored(tmp_path: Path) -> None:
    (tmp_path / "store" / "appendonlydir").mkdir(parents=True)
    before = room(tmp_path)
    assert before.free > 0
    (tmp_path / "store" / "appendonlydir" / "log").write_bytes(b"x" * 100_000)
    assert room(tmp_path).wanted - before.wanted >= 100_000
    assert before.wanted >= LEAST_SPACE
