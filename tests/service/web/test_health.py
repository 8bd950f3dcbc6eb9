from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator

import httpx
import pytest
from fakeredis import FakeServer
from fakeredis.aioredis import FakeRedis
from starlette.applications import Starlette

from eventstore.redis_store import RedisStore
from eventstore.servers import One
from service.settings import BadSetting, Settings
from service.web import health
from service.web.app import serving
from service.web.health import Readiness, answers, routes
from tests.patience import PATIENCE
from tests.ports import FreePort


@pytest.fixture
async def readiness(monkeypatch: pytest.MonkeyPatch) -> Readiness:
    monkeypatch.setattr(health, "_PATIENCE", PATIENCE)
    return Readiness()


@pytest.fixture
async def client(readiness: Readiness) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(Starlette(routes=routes(readiness)))
    async with httpx.AsyncClient(transport=transport, base_url="http://tabletalk") as found:
        yield found


async def test_a_process_that_waits_for_its_store_lives_and_is_not_ready(
    client: httpx.AsyncClient, readiness: Readiness
) -> None:
    readiness.waits_for("store", "not open yet")
    assert (await client.get("/health")).status_code == 200
    answer = await client.get("/ready")
    assert (answer.status_code, answer.text) == (503, "store: not open yet\n")
    readiness.has("store")
    answer = await client.get("/ready")
    assert (answer.status_code, answer.text) == (200, "ready\n")


async def test_a_store_that_goes_away_makes_it_unready_and_its_address_is_not_told(
    client: httpx.AsyncClient, readiness: Readiness
) -> None:
    server = FakeServer()
    async with await RedisStore.open(One(FakeRedis(server=server, protocol=2)), now=lambda: 0) as store:
        readiness.needs("store", answers(store))
        assert (await client.get("/ready")).status_code == 200
        server.connected = False
        answer = await client.get("/ready")
        assert (answer.status_code, answer.text) == (503, "store: StoreDown\n")
        server.connected = True
        assert (await client.get("/ready")).status_code == 200


async def test_it_is_served_on_the_port_and_a_port_that_is_taken_is_a_bad_setting(
    readiness: Readiness, free_port: FreePort
) -> None:
    port = free_port()
    settings = Settings(port=str(port))
    async with serving(settings, routes(readiness)):
        async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
            assert (await client.get(f"http://127.0.0.1:{port}/health")).text == "ok\n"
            assert (await client.get(f"http://127.0.0.1:{port}/else")).status_code == 404
        with pytest.raises(BadSetting, match="PORT"):
            async with serving(settings, []):
                pass
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0, "it is gone at the end"


async def test_without_a_port_nothing_is_served(readiness: Readiness) -> None:
    before = len(asyncio.all_tasks())
    async with serving(Settings(), routes(readiness)):
        assert len(asyncio.all_tasks()) == before
