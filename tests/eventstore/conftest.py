"""The stores that the contract holds for: on fakeredis, and on an embedded server and a cluster that tests share."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from fakeredis import FakeServer
from fakeredis.aioredis import FakeRedis

from eventstore import cluster
from eventstore import open as opening
from eventstore.embedded import Embedded
from eventstore.open import open_store
from eventstore.redis_store import RedisStore
from eventstore.servers import One
from tests.eventstore.cluster_nodes import Nodes, cluster_nodes
from tests.eventstore.drafts import Clock
from tests.eventstore.processes import Player, Start, server_gone, start_player
from tests.patience import PATIENCE


@pytest.fixture(autouse=True)
def _patient_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    """No answer is late because the machine stood still; a test that wants an impatient client makes its own."""
    monkeypatch.setitem(opening._OPTIONS, "socket_timeout", 2 * PATIENCE)
    monkeypatch.setitem(opening._OPTIONS, "socket_connect_timeout", PATIENCE)
    monkeypatch.setitem(opening._OPTIONS, "timeout", PATIENCE)
    monkeypatch.setattr(opening, "_SETTLING", ("WAIT", 1, int(PATIENCE * 1000)))
    monkeypatch.setattr(cluster, "_PATIENCE", PATIENCE / 2)


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder whose server runs as long as the session; tests keep apart by their keys' prefix."""
    data = tmp_path_factory.mktemp("shared")
    embedded = Embedded(data)
    asyncio.run(embedded.up())
    yield data
    asyncio.run(embedded.stop())


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def embedded_store(shared_folder: Path, clock: Clock) -> AsyncIterator[RedisStore]:
    """A store of its own on the shared server."""
    async with await open_store("", shared_folder, now=clock, prefix=f"tt-{secrets.token_hex(4)}") as store:
        yield store


@pytest.fixture
async def fake_store(clock: Clock) -> AsyncIterator[RedisStore]:
    """A store on a fakeredis of its own."""
    client = FakeRedis(server=FakeServer(), protocol=2)
    async with await RedisStore.open(One(client), now=clock) as store:
        yield store


@pytest.fixture(scope="session")
def shared_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    """A cluster that runs as long as the session; tests keep apart by their keys' prefix."""
    with asyncio.Runner() as runner:
        running = cluster_nodes(tmp_path_factory.mktemp("cluster"))
        yield runner.run(running.__aenter__())
        runner.run(running.__aexit__(None, None, None))


@pytest.fixture
async def cluster_store(shared_cluster: Nodes, tmp_path: Path, clock: Clock) -> AsyncIterator[RedisStore]:
    """A store of its own on the shared cluster, which acknowledges what a replica has too."""
    prefix = f"tt-{secrets.token_hex(4)}"
    url = shared_cluster.url
    async with await open_store(url, tmp_path, now=clock, prefix=prefix, durability="replicated") as store:
        yield store


@pytest.fixture(params=["fake", "embedded", "cluster"])
def store(request: pytest.FixtureRequest) -> RedisStore:
    """Each kind of store in turn."""
    found = request.getfixturevalue(f"{request.param}_store")
    assert isinstance(found, RedisStore)
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder that is not there yet."""
    return tmp_path / "data"


@pytest.fixture
async def start(folder: Path) -> AsyncIterator[Start]:
    """Starts players on the folder; those that are left at the end are killed, and their server is waited for."""
    players: list[Player] = []

    async def begin() -> Player:
        players.append(await start_player(folder))
        return players[-1]

    yield begin
    for player in players:
        if player.process.returncode is None:
            await player.kill()
    await server_gone(folder)
