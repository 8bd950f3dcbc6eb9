"""The embedded server among processes that start, share, stop and get killed."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from eventstore import embedded as embedded_module
from eventstore.chain import verify
from eventstore.embedded import Embedded
from eventstore.open import open_store
from eventstore.store import StoreDown, StoreUnfit
from tests.eventstore.drafts import Clock, append
from tests.eventstore.processes import Start, ended, locked, mode, running, server_gone, server_of


async def test_a_new_folder_is_private_and_keeps_everything_in_one_place(folder: Path, clock: Clock) -> None:
    async with await open_store("", folder, now=clock) as store:
        await append(store)
        settings = await store.servers.every()[0].config_get()
        wanted = {
            "appendonly": "yes",
            "appendfsync": "always",
            "maxmemory-policy": "noeviction",
            "stream-node-max-bytes": "2688",
            "save": "",
            "port": "0",
        }
        assert {name: settings[name] for name in wanted} == wanted
        assert sorted(os.listdir(folder)) == ["store", "store.lock", "store.log", "store.sock"]
        assert mode(folder / "store.sock") == 0o700
    assert mode(folder) == 0o700


async def test_closing_stops_the_server_and_nothing_is_lost(folder: Path, clock: Clock) -> None:
    async with await open_store("", folder, now=clock) as store:
        server, deployment = await server_of(store), store.deployment
        made = await append(store, commits=20)
    assert not running(server)
    assert not locked(folder)
    assert "ready to exit" in (folder / "store.log").read_text()
    async with await open_store("", folder, now=clock) as store:
        assert await server_of(store) != server
        assert store.deployment == deployment
        assert await store.read("home-1") == made


async def test_a_second_store_attaches_and_leaves_the_server_alone(folder: Path, clock: Clock) -> None:
    async with await open_store("", folder, now=clock) as first:
        made = await append(first)
        async with await open_store("", folder, now=clock) as second:
            assert await server_of(second) == await server_of(first)
            assert await second.read("home-1") == made
        assert await append(first)
        assert locked(folder)


async def test_processes_that_start_at_once_share_one_server(start: Start, folder: Path) -> None:
    players = [await start() for _ in range(4)]
    servers = await asyncio.gather(*(player.does("up") for player in players))
    assert len(set(servers)) == 1
    assert int(servers[0]) > 0
    counts = await asyncio.gather(*(player.does(f"append home{n}-1") for n, player in enumerate(players)))
    assert counts == ["1"] * 4
    assert (folder / "store.log").read_text().count("Ready to accept connections") == 1
    assert [await players[0].does(f"count home{n}-1") for n in range(4)] == ["1"] * 4


async def test_others_go_on_when_the_process_that_started_the_server_stops(start: Start) -> None:
    first = await start()
    server = await first.does("up")
    second = await start()
    assert await second.does("up") == server
    assert await second.does("append home-1") == "1"
    assert await first.does("stop") == "bye"
    assert await first.process.wait() == 0
    assert await second.does("append home-1") == "2"
    assert await second.does("up") != server
    assert await second.does("count home-1") == "2"


async def test_others_go_on_when_the_process_that_started_the_server_is_killed(start: Start, folder: Path) -> None:
    first = await start()
    server = await first.does("up")
    players = [await start() for _ in range(3)]
    assert [await player.does("append home-1") for player in players] == ["1", "2", "3"]
    await first.kill()
    await server_gone(folder)
    # All at once: one of them becomes the starter, the others wait for it.
    counts = await asyncio.gather(*(player.does(f"append home{n}-1") for n, player in enumerate(players)))
    assert counts == ["1"] * 3
    again = {await player.does("up") for player in players}
    assert len(again) == 1
    assert server not in again
    assert await players[0].does("count home-1") == "3"


@pytest.mark.skipif(sys.platform != "linux", reason="the parent's death is signalled on Linux only")
async def test_the_server_ends_with_a_process_that_is_killed(start: Start, folder: Path) -> None:
    player = await start()
    server = int(await player.does("up"))
    await player.kill()
    await server_gone(folder)
    assert ended(server)
    assert "Received SIGTERM" in (folder / "store.log").read_text()


async def test_the_folder_stays_locked_as_long_as_a_server_lives_though_its_starter_is_dead(
    start: Start, folder: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = await start()
    server = int(await player.does("up"))
    os.kill(server, signal.SIGSTOP)  # as if it were slow to hear of its starter's end
    try:
        await player.kill()
        assert locked(folder)
        monkeypatch.setattr(embedded_module, "PATIENCE", 0.1)
        monkeypatch.setattr(embedded_module, "ANSWER", 0.05)
        with pytest.raises(StoreDown, match="does not answer"):
            await open_store("", folder, now=clock)
        assert (folder / "store.log").read_text().count("Valkey is starting") == 1
    finally:
        os.kill(server, signal.SIGCONT)
    monkeypatch.undo()
    await server_gone(folder)
    async with await open_store("", folder, now=clock) as store:
        assert await server_of(store) != server


async def test_deleting_lock_and_socket_does_not_make_room_for_a_second_server(
    folder: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with await open_store("", folder, now=clock) as store:
        await append(store)
        (folder / "store.lock").unlink()
        (folder / "store.sock").unlink()
        monkeypatch.setattr(embedded_module, "PATIENCE", 0.1)
        with pytest.raises(StoreDown, match="does not answer"):
            await open_store("", folder, now=clock)
        assert len(await store.read("home-1")) == 1
        assert (folder / "store.log").read_text().count("Valkey is starting") == 1


async def test_a_server_that_was_killed_is_restarted_and_keeps_all_that_was_acknowledged(
    folder: Path, clock: Clock
) -> None:
    tables = [f"home{number}-1" for number in range(20)]
    async with await open_store("", folder, now=clock) as store:
        playing = [asyncio.create_task(append(store, table, commits=40)) for table in tables]
        for killed in range(2):
            while len(await store.read(tables[0])) < 10 * (killed + 1):  # noqa: ASYNC110 - only the store knows
                await asyncio.sleep(0)
            os.kill(await server_of(store), signal.SIGKILL)
        acknowledged = await asyncio.gather(*playing)
        for table, commits in zip(tables, acknowledged, strict=True):
            assert await store.read(table) == commits
            verify(commits)
        feeds = await store.feed(["0-0"] * store.partitions, count=10_000)
        assert sum(map(len, feeds.values())) == 20 * 40
    assert (folder / "store.log").read_text().count("Ready to accept connections") == 3


async def test_a_store_whose_end_was_torn_starts_and_writes_its_file_anew_once(folder: Path, clock: Clock) -> None:
    async with await open_store("", folder, now=clock) as store:
        made = await append(store, commits=3)
        os.kill(await server_of(store), signal.SIGKILL)
    await server_gone(folder)
    files = folder / "store" / "appendonlydir"
    torn = files / "appendonly.aof.1.incr.aof"
    os.truncate(torn, torn.stat().st_size - 100)
    async with await open_store("", folder, now=clock) as store:
        assert await store.read("home-1") == made[:2]
        more = await append(store)
        [client] = store.servers.every()
        while (await client.info("persistence"))["aof_rewrite_in_progress"]:  # noqa: ASYNC110 - the server's
            await asyncio.sleep(0)
        assert (await client.info("persistence"))["aof_last_bgrewrite_status"] == "ok"
        assert not torn.exists()
    async with await open_store("", folder, now=clock) as store:
        assert await store.read("home-1") == made[:2] + more
    log = (folder / "store.log").read_text()
    assert log.count("the store ended in the middle of a write") == 1
    assert log.count("Background AOF rewrite finished successfully") == 1


async def test_a_torn_file_that_is_written_anew_outlasts_a_kill_at_any_moment(folder: Path, clock: Clock) -> None:
    async with await open_store("", folder, now=clock) as store:
        made = await append(store, commits=3)
        os.kill(await server_of(store), signal.SIGKILL)
    await server_gone(folder)
    torn = folder / "store" / "appendonlydir" / "appendonly.aof.1.incr.aof"
    os.truncate(torn, torn.stat().st_size - 100)
    made.pop()
    for _ in range(3):  # the first kill comes while the rewriting child lives, or just after
        async with await open_store("", folder, now=clock) as store:
            made += await append(store)
            os.kill(await server_of(store), signal.SIGKILL)
        await server_gone(folder)
    async with await open_store("", folder, now=clock) as store:
        assert await store.read("home-1") == made


async def test_whoever_waits_at_the_feed_hears_that_the_server_went_and_goes_on(folder: Path, clock: Clock) -> None:
    async with await open_store("", folder, now=clock) as store:
        waiting = asyncio.create_task(store.feed(["0-0"] * store.partitions, block_ms=60_000))
        while int((await store.servers.every()[0].info("clients"))["blocked_clients"]) == 0:  # noqa: ASYNC110 - the server's
            await asyncio.sleep(0)
        os.kill(await server_of(store), signal.SIGKILL)
        await append(store)
        [[pointer]] = (await waiting).values()
        assert pointer.table == "home-1"


async def test_a_closed_store_does_not_start_its_server_again(folder: Path, clock: Clock) -> None:
    store = await open_store("", folder, now=clock)
    await store.close()
    with pytest.raises(StoreDown, match="closed"):
        await store.read("home-1")
    assert not locked(folder)


async def test_a_data_folder_may_have_any_name(tmp_path: Path, clock: Clock) -> None:
    async with await open_store("", tmp_path / "a 'b\" \\ $c ü%s;#", now=clock) as store:
        made = await append(store)
    async with await open_store("", tmp_path / "a 'b\" \\ $c ü%s;#", now=clock) as store:
        assert await store.read("home-1") == made


async def test_a_long_path_gets_a_short_private_socket(tmp_path: Path, clock: Clock) -> None:
    folder = tmp_path / ("long" * 20) / ("longer" * 10)
    async with await open_store("", folder, now=clock) as store:
        made = await append(store)
        runtime = Path(Embedded(folder).socket).parent
        assert mode(runtime) == 0o700
        async with await open_store("", folder, now=clock) as second:
            assert await second.read("home-1") == made
    runtime.chmod(0o777)
    with pytest.raises(StoreUnfit, match="not ours alone"):
        await open_store("", folder, now=clock)
    runtime.rmdir()


@pytest.mark.parametrize("below", ["file", "file/data", "/proc/nowhere"])
async def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path, clock: Clock, below: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreUnfit, match="cannot use the data folder"):
        await open_store("", tmp_path / below, now=clock)


async def test_a_disk_without_space_is_refused(folder: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_module, "LEAST_SPACE", 1 << 62)
    with pytest.raises(StoreUnfit, match="no space left"):
        await open_store("", folder, now=clock)
    assert not locked(folder)


async def test_a_server_that_cannot_start_says_why(folder: Path, clock: Clock) -> None:
    async with await open_store("", folder, now=clock) as store:
        await append(store)
    (folder / "store" / "appendonlydir" / "appendonly.aof.manifest").write_text("nonsense\n")
    with pytest.raises(StoreUnfit, match=r"cannot start: .*manifest.*store\.log"):
        await open_store("", folder, now=clock)
    assert not locked(folder)


async def test_a_server_that_does_not_write_everything_down_is_refused(folder: Path, clock: Clock) -> None:
    async with await open_store("", folder, now=clock) as store:
        for name, setting in (("appendfsync", "everysec"), ("appendonly", "no")):
            await store.servers.every()[0].config_set(name, setting)
            with pytest.raises(StoreUnfit, match="does not write everything down"):
                await open_store("", folder, now=clock)
