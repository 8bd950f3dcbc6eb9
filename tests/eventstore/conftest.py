"""The stores that the contract holds for: one on fakeredis, one on an embedded server that a test session shares."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from fakeredis import FakeServer
from fakeredis.aioredis import FakeRedis

from eventstore.embedded import Embedded
from eventstore.open import open_store
from eventstore.redis_store import RedisStore
from eventstore.servers import One
from tests.eventstore.drafts import Clock
from tests.eventstore.processes import Player, Start, server_gone, start_player


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


@pytest.fixture(params=["fakeredis", "embedded"])
def store(request: pytest.FixtureRequest) -> RedisStore:
    """Each kind of store in turn."""
    found = request.getfixturevalue("fake_store" if request.param == "fakeredis" else "embedded_store")
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
