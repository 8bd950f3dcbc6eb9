"""Servers that are given by their URL: which are taken, which refused, and what is said."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import hiredis
import pytest

from eventstore.cluster import Cluster
from eventstore.embedded import server_binary
from eventstore.open import connect, open_store
from eventstore.store import Appended, StoreDown, StoreUnfit
from eventstore.wire import ask_one
from tests.eventstore.cluster_nodes import until
from tests.eventstore.drafts import Clock, append, draft
from tests.ports import FreePort

Serve = Callable[..., str]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts a Valkey server with these options on a unix socket; gives the socket's path."""
    started: list[subprocess.Popen[str]] = []

    def begin(*options: str) -> str:
        path = str(tmp_path / f"s{len(started)}")
        binary = server_binary()
        command = [binary, "--port", "0", "--unixsocket", path, "--dir", str(tmp_path), *options]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        assert started[-1].stdout is not None
        assert any("Ready to accept connections" in line for line in started[-1].stdout), "the server did not start"
        return path

    yield begin
    for server in started:
        server.terminate()
        server.communicate()


@contextlib.asynccontextmanager
async def answering(path: Path, answer: bytes) -> AsyncIterator[str]:
    """Something that gives the same answer to whatever it is asked; gives its URL."""

    async def say(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = hiredis.Reader()
        while some := await reader.read(1 << 16):
            asked.feed(some)
            while asked.gets() is not False:
                writer.write(answer)
        writer.close()

    server = await asyncio.start_unix_server(say, path)
    try:
        yield f"unix://{path}"
    finally:
        server.close()


@pytest.mark.parametrize("options", [("--appendonly", "yes", "--save", ""), ("--save", "60 1")])
async def test_a_server_that_keeps_data_is_taken(
    serve: Serve, tmp_path: Path, clock: Clock, options: tuple[str, ...]
) -> None:
    path = serve(*options)
    async with await open_store(f"unix://{path}", tmp_path / "unused", now=clock) as store:
        await append(store, commits=3)
    async with await open_store(f"unix://{path}?decode_responses=True", tmp_path / "unused", now=clock) as store:
        assert len(await store.read("home-1")) == 3
    assert not Path(tmp_path, "unused").exists()  # noqa: ASYNC240 - a test may


async def test_a_server_that_keeps_nothing_is_refused(serve: Serve, tmp_path: Path, clock: Clock) -> None:
    path = serve("--save", "", "--appendonly", "no")
    with pytest.raises(StoreUnfit, match="keeps nothing on disk: set `appendonly yes`"):
        await open_store(f"unix://{path}", tmp_path, now=clock)


@pytest.mark.parametrize(("appendonly", "fit"), [("yes", True), ("no", False)])
async def test_where_config_is_forbidden_info_decides(
    serve: Serve, tmp_path: Path, clock: Clock, appendonly: str, fit: bool
) -> None:
    url = f"unix://{serve('--save', '', '--appendonly', appendonly, '--rename-command', 'CONFIG', '')}"
    if fit:
        await (await open_store(url, tmp_path, now=clock)).close()
    else:
        with pytest.raises(StoreUnfit, match="keeps nothing"):
            await open_store(url, tmp_path, now=clock)


async def test_a_server_that_drops_data_when_full_is_refused(serve: Serve, tmp_path: Path, clock: Clock) -> None:
    path = serve("--appendonly", "yes", "--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")
    with pytest.raises(StoreUnfit, match=r"allkeys-lru.*noeviction"):
        await open_store(f"unix://{path}", tmp_path, now=clock)


async def test_a_wrong_password_is_refused_and_never_repeated(serve: Serve, tmp_path: Path, clock: Clock) -> None:
    path = serve("--appendonly", "yes", "--requirepass", "right")
    with pytest.raises(StoreUnfit, match="refused the user name or the password") as refused:
        await open_store(f"unix://:wr0ng@{path}", tmp_path, now=clock)
    assert "wr0ng" not in str(refused.value)
    with pytest.raises(StoreUnfit, match="wants a password"):
        await open_store(f"unix://{path}", tmp_path, now=clock)
    await (await open_store(f"unix://:right@{path}", tmp_path, now=clock)).close()


async def test_a_user_who_may_not_write_is_refused(serve: Serve, tmp_path: Path, clock: Clock) -> None:
    path = serve("--appendonly", "yes", "--user", *["reader", "on", ">pw", "~*", "+@read", "+info", "+config|get"])
    with pytest.raises(StoreUnfit, match="does not let this user"):
        await open_store(f"unix://reader:pw@{path}", tmp_path, now=clock)


async def test_a_cluster_needs_host_and_port(serve: Serve, tmp_path: Path, clock: Clock, free_port: FreePort) -> None:
    ports = ("--port", str(free_port()), "--cluster-port", str(free_port()))
    path = serve("--appendonly", "yes", "--cluster-enabled", "yes", *ports)
    with pytest.raises(StoreUnfit, match="Redis Cluster, which is named by host and port"):
        await open_store(f"unix://{path}", tmp_path, now=clock)
    with pytest.raises(StoreDown, match="some slots have no server"):
        await open_store(f"redis://127.0.0.1:{ports[1]}", tmp_path, now=clock)
    with pytest.raises(StoreUnfit, match="one database only"):
        await open_store(f"redis://127.0.0.1:{ports[1]},127.0.0.1:{ports[1]}/3", tmp_path, now=clock)


async def test_a_cluster_of_one_is_found_behind_a_password_by_the_first_server_that_answers(
    serve: Serve, tmp_path: Path, clock: Clock, free_port: FreePort
) -> None:
    """It has met no other server, so that it does not know its own address."""
    port = str(free_port())
    path = serve(
        *("--appendonly", "yes", "--cluster-enabled", "yes", "--requirepass", "r1ght"),
        *("--port", port, "--bind", "127.0.0.1", "--cluster-port", str(free_port())),
    )
    async with connect(f"unix://:r1ght@{path}") as client:
        await ask_one(client, "CLUSTER", "ADDSLOTSRANGE", 0, 16383)

        async def up() -> bool:
            return b"cluster_state:ok" in await ask_one(client, "CLUSTER", "INFO")

        await until(up)
        await client.connection_pool.disconnect()
    for hosts in (f"127.0.0.1:{port}", f"127.0.0.1:{free_port()},127.0.0.1:{port}"):
        async with await open_store(f"redis://:r1ght@{hosts}/0", tmp_path, now=clock) as store:
            table = f"home{len(hosts)}-1"
            made = await append(store, table, commits=2)
            assert await store.read(table) == made
            assert isinstance(store.servers, Cluster)
    for wrong in ("wr0ng", ""):
        with pytest.raises(StoreUnfit, match="password") as refused:
            await open_store(f"redis://:{wrong}@127.0.0.1:{port}", tmp_path, now=clock)
        assert "wr0ng" not in str(refused.value)


async def test_two_servers_that_are_no_cluster_are_refused(
    serve: Serve, tmp_path: Path, clock: Clock, free_port: FreePort
) -> None:
    port = free_port()
    serve("--appendonly", "yes", "--port", str(port), "--bind", "127.0.0.1")
    with pytest.raises(StoreUnfit, match="no Redis Cluster: name a single server"):
        await open_store(f"redis://127.0.0.1:{port},127.0.0.1:{port}", tmp_path, now=clock)


async def test_a_replica_is_refused(serve: Serve, tmp_path: Path, clock: Clock, free_port: FreePort) -> None:
    path = serve("--appendonly", "yes", "--replicaof", "127.0.0.1", str(free_port()))
    with pytest.raises(StoreUnfit, match="is a replica, which must not be written to: give the URL of its master"):
        await open_store(f"unix://{path}", tmp_path, now=clock)


async def test_a_server_without_a_replica_acknowledges_nothing_that_a_replica_must_have(
    serve: Serve, tmp_path: Path, clock: Clock
) -> None:
    url = f"unix://{serve('--appendonly', 'yes')}"
    async with await open_store(url, tmp_path, now=clock, durability="replicated") as store:
        store.servers.settling = ("WAIT", 1, 10)
        for _ in range(2):  # the second time it is in already, and no safer
            with pytest.raises(StoreDown, match="no replica of the store has it yet"):
                await store.append(draft())
    async with await open_store(url, tmp_path, now=clock) as store:
        assert isinstance(await store.append(draft()), Appended)


async def test_a_server_that_becomes_a_replica_while_it_waits_for_one_is_asked_again_and_says_so(
    serve: Serve, tmp_path: Path, clock: Clock
) -> None:
    """In a cluster it then says who has taken its place, and a move that was on its way is made there."""
    url = f"unix://{serve('--appendonly', 'yes')}"
    async with await open_store(url, tmp_path, now=clock, durability="replicated") as store:
        [client] = store.servers.every()
        appending = asyncio.create_task(store.append(draft()))
        while int((await client.info("clients"))["blocked_clients"]) == 0:  # noqa: ASYNC110 - the server's
            await asyncio.sleep(0)
        await ask_one(client, "REPLICAOF", "127.0.0.1", 1)
        with pytest.raises(StoreDown, match="is a replica"):
            await appending


async def test_a_server_is_taken_by_tcp_as_well(
    serve: Serve, tmp_path: Path, clock: Clock, free_port: FreePort
) -> None:
    port = free_port()
    serve("--appendonly", "yes", "--port", str(port), "--bind", "127.0.0.1")
    async with await open_store(f"redis://127.0.0.1:{port}/0", tmp_path, now=clock) as store:
        made = await append(store)
        assert await store.read("home-1") == made


async def test_a_server_that_is_not_there_is_down(tmp_path: Path, clock: Clock, free_port: FreePort) -> None:
    for url in (f"redis://:s3cret@127.0.0.1:{free_port()}/0", f"unix://:s3cret@{tmp_path}/none"):
        with pytest.raises(StoreDown, match="cannot be reached") as down:
            await open_store(url, tmp_path, now=clock)
        assert "s3cret" not in str(down.value)


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("redis+cluster://:s3cret@a:1", "must look like"),
        ("redis://:s3cret@a:1,b:x", "must look like"),
        ("http://:s3cret@a", "must look like redis://"),
        ("localhost:6379", "must look like redis://"),
        ("redis://:s3cret@a:port", "must look like redis://"),
        ("redis://a?db=s3cret", "must look like redis://"),
        ("redis://a/0?s3cret=1", "has an option"),
    ],
)
async def test_another_url_is_refused_in_words(tmp_path: Path, clock: Clock, url: str, text: str) -> None:
    with pytest.raises(StoreUnfit, match=text) as refused:
        await open_store(url, tmp_path, now=clock)
    assert "s3cret" not in str(refused.value)


async def test_a_database_that_is_not_there_is_refused(serve: Serve, tmp_path: Path, clock: Clock) -> None:
    path = serve("--appendonly", "yes")
    with pytest.raises(StoreUnfit, match="no database of that number"):
        await open_store(f"unix://{path}?db=99", tmp_path, now=clock)


async def test_a_folder_whose_name_is_not_text_is_used_all_the_same(tmp_path: Path, clock: Clock) -> None:
    folder = tmp_path / os.fsdecode(b"data\xff")
    async with await open_store("", folder, now=clock) as store:
        assert await store.tables() == []


async def test_what_does_not_speak_redis_is_refused(tmp_path: Path, clock: Clock) -> None:
    async with answering(tmp_path / "http", b"HTTP/1.1 400 Bad Request\r\n\r\n") as url:
        with pytest.raises(StoreUnfit, match="does not speak the Redis protocol"):
            await open_store(url, tmp_path, now=clock)


async def test_a_server_that_still_loads_is_down(tmp_path: Path, clock: Clock) -> None:
    async with answering(tmp_path / "s", b"-LOADING Valkey is loading the dataset in memory\r\n") as url:
        with pytest.raises(StoreDown, match="still loading"):
            await open_store(url, tmp_path, now=clock)


async def test_an_old_server_is_refused(tmp_path: Path, clock: Clock) -> None:
    info = b"# Server\r\nredis_version:6.0.16\r\n"
    async with answering(tmp_path / "s", b"$%d\r\n%b\r\n" % (len(info), info)) as url:
        with pytest.raises(StoreUnfit, match=r"version 6\.0\.16 of Redis: 6\.2"):
            await open_store(url, tmp_path, now=clock)


async def test_a_deployment_with_other_partitions_is_refused_by_url_and_folder(
    serve: Serve, tmp_path: Path, clock: Clock
) -> None:
    for url in (f"unix://{serve('--appendonly', 'yes')}", ""):
        await (await open_store(url, tmp_path / "data", now=clock, partitions=8)).close()
        with pytest.raises(StoreUnfit, match="another deployment: it has 8 partitions, not 64"):
            await open_store(url, tmp_path / "data", now=clock, partitions=64)
        async with await open_store(url, tmp_path / "data", now=clock) as store:
            assert store.partitions == 8
