"""A server that needs mending after a torn load: whatever `redis-server` is there (TABLETALK_REDIS_SERVER, or PATH)."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from eventstore.check import check_tables
from eventstore.embedded import server_binary
from eventstore.open import connect
from eventstore.record import Commit
from eventstore.redis_store import RedisStore
from eventstore.servers import One
from eventstore.store import Appended
from eventstore.torn_load import mend_after_load
from tests.eventstore.drafts import NOON, Clock, append, draft
from tests.patience import PATIENCE
from tests.ports import FreePort

BINARY = os.environ.get("TABLETALK_REDIS_SERVER") or shutil.which("redis-server")
pytestmark = pytest.mark.skipif(BINARY is None, reason="there is no redis-server here")


class Server:
    """A server that keeps its data in `folder`; killed and started again at will."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.port = port
        self.url = f"redis://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, *more: str, binary: str | None = BINARY) -> None:
        assert binary is not None
        options = f"--port {self.port} --bind 127.0.0.1 --appendonly yes --appendfsync always --save".split()
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen([binary, *options, "", *more], cwd=self.folder, stdout=log, stderr=log)
        give_up = time.monotonic() + PATIENCE
        while not self._answers():
            assert self.process.poll() is None, self.log
            assert time.monotonic() < give_up, self.log
            time.sleep(0.01)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def tear(self) -> None:
        """Kills it, and tears the last commit."""
        self.kill()
        [file] = [*self.folder.rglob("*.incr.aof")] or [self.folder / "appendonly.aof"]  # the latter before Redis 7.0
        os.truncate(file, file.stat().st_size - 100)

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False


@pytest.fixture
def server(tmp_path: Path, free_port: FreePort) -> Iterator[Server]:
    made = Server(tmp_path, free_port())
    yield made
    made.kill()


async def opened(server: Server, clock: Clock) -> RedisStore:
    """The store there, with nothing mended yet."""
    return await RedisStore.open(One(connect(server.url)), now=clock)


async def torn_and_played_on(server: Server, clock: Clock, *, mended: bool) -> list[Commit]:
    """A table whose tenth commit was torn, with three that came after that load; the server was killed, and runs."""
    server.start()
    async with await opened(server, clock) as store:
        await append(store, commits=10)
    server.tear()
    server.start()
    async with await opened(server, clock) as store:
        made = await store.read("home-1")
        assert len(made) == 9
        warning = await mend_after_load(store.servers.every()[0]) if mended else None
        assert not mended or (warning is not None and "Valkey 9.1.2 or newer" in warning)
        for number in range(3):
            answer = await store.append(
                draft(version=made[-1].version + 1, previous=made[-1].hash, command=f"new {number}")
            )
            assert isinstance(answer, Appended)
            made.append(answer.commit)
    server.kill()
    server.start()
    return made


async def needs_no_mending(store: RedisStore) -> bool:
    return await mend_after_load(store.servers.every()[0]) is None


async def test_what_was_appended_after_a_torn_load_is_there_when_that_was_mended(server: Server, clock: Clock) -> None:
    server.start()
    async with await opened(server, clock) as store:
        if await needs_no_mending(store):
            pytest.skip("this server is one that forgets nothing")
    server.kill()
    made = await torn_and_played_on(server, clock, mended=True)
    async with await opened(server, clock) as store:
        assert await store.read("home-1") == made
        assert (await check_tables(store, NOON)).troubles == ()


async def test_without_mending_such_a_server_loses_an_acknowledged_commit_and_the_check_finds_it(
    server: Server, clock: Clock
) -> None:
    made = await torn_and_played_on(server, clock, mended=False)
    async with await opened(server, clock) as store:
        if await needs_no_mending(store):
            pytest.skip("this server is one that forgets nothing")
        assert await store.read("home-1") != made
        [first, *_] = (await check_tables(store, NOON)).troubles
        assert (first.kind, first.table, first.version) == ("broken_chain", "home-1", 11)


async def test_a_server_rewrites_once_after_each_start(server: Server, clock: Clock) -> None:
    for start in (1, 2):
        server.start()
        async with await opened(server, clock) as store:
            [client] = store.servers.every()
            if await needs_no_mending(store):
                pytest.skip("this server is one that forgets nothing")
            await mend_after_load(client)
        assert server.log.count("Background AOF rewrite finished successfully") == start
        server.kill()


async def test_a_server_that_must_not_rewrite_is_said_to_be_unmended(server: Server, clock: Clock) -> None:
    server.start("--rename-command", "BGREWRITEAOF", "")
    async with await opened(server, clock) as store:
        if await needs_no_mending(store):
            pytest.skip("this server is one that forgets nothing")
        warning = await mend_after_load(store.servers.every()[0])
        assert warning is not None
        assert "has not rewritten its append-only file" in warning


async def test_a_server_without_an_append_only_file_is_left_alone(server: Server, clock: Clock) -> None:
    server.start("--appendonly", "no", "--save", "60 1")
    async with await opened(server, clock) as store:
        assert await needs_no_mending(store)


async def test_our_own_binary_needs_no_mending(server: Server, clock: Clock) -> None:
    server.start(binary=server_binary())
    async with await opened(server, clock) as store:
        assert await needs_no_mending(store)
    assert "rewrit" not in server.log
