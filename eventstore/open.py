"""Opens the store that the settings name: a data folder's embedded server, or a Redis or Valkey server by its URL."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ResponseError

from eventstore.embedded import Embedded, EmbeddedConnection
from eventstore.redis_store import RedisStore
from eventstore.servers import One
from eventstore.store import StoreUnfit
from eventstore.wire import ask, ask_one

_OLDEST = (6, 2)
_OPTIONS: dict[str, Any] = {
    "protocol": 2,  # what wire.py reads
    "decode_responses": False,
    # The client would send again whatever it lost the answer to, up to ten times; only wire.py knows what is harmless.
    "retry": Retry(NoBackoff(), 0),
    "retry_on_timeout": False,
    "max_connections": 32,
    "timeout": 20,  # s to wait for a free connection
    "socket_timeout": 10,  # s; longer than a blocking read waits
    "socket_connect_timeout": 5,  # s
}


async def open_store(
    url: str, data: Path, *, now: Callable[[], int], partitions: int | None = None, prefix: str = "tt"
) -> RedisStore:
    """The store at `url`, or, when that is empty, the embedded one in the folder `data`; `now` gives milliseconds UTC.

    Raises StoreDown when the server cannot be reached now, StoreUnfit when it will never do: it does not keep data, is
    too old, is a cluster, refuses the password, belongs to another deployment; the folder cannot be used.
    """
    if not url:
        return await _open_embedded(data, now, partitions, prefix)
    client = connect(url)
    try:
        await _check_server(client)
        return await RedisStore.open(One(client), now=now, partitions=partitions, prefix=prefix)
    except BaseException:
        await client.connection_pool.disconnect()
        raise


def connect(url: str) -> Redis:
    """A client for a redis://, rediss:// or unix:// URL, which connects when used. Raises StoreUnfit for others."""
    scheme, separator, _ = url.partition("://")
    if "cluster" in scheme or ("," in url.partition("?")[0] and separator):
        raise StoreUnfit("a Redis Cluster is not supported yet: give the URL of a single server")
    try:
        options: dict[str, Any] = dict(parse_url(url))
    except ValueError:
        # The text of the error would hold parts of the URL.
        raise StoreUnfit("the store's URL must look like redis://host:6379/0, rediss://… or unix:///path") from None
    pool = BlockingConnectionPool(**(options | _OPTIONS))
    try:
        pool.make_connection()  # type: ignore[no-untyped-call]  # which connects to nothing, but looks at the options
    except TypeError:
        raise StoreUnfit("the store's URL has an option (after the question mark) that is none") from None
    return Redis(connection_pool=pool)


async def _open_embedded(data: Path, now: Callable[[], int], partitions: int | None, prefix: str) -> RedisStore:
    embedded = Embedded(data)
    pool = BlockingConnectionPool(connection_class=EmbeddedConnection, embedded=embedded, **_OPTIONS)
    client = Redis(connection_pool=pool)
    try:
        await embedded.up()
        await _check_embedded(client, embedded)
        return await RedisStore.open(One(client), now=now, partitions=partitions, prefix=prefix, closing=embedded.stop)
    except BaseException:
        await pool.disconnect()
        await embedded.stop()
        raise


async def _check_embedded(client: Redis, embedded: Embedded) -> None:
    settings = await server_settings(client, "appendonly", "appendfsync", "dir") or {}
    if settings.get("appendonly") != "yes" or settings.get("appendfsync") != "always":
        raise StoreUnfit(f"the server at {embedded.socket} does not write everything down: stop it and start again")
    if not await asyncio.to_thread(_same, settings["dir"], embedded.folder):
        raise StoreUnfit(f"the server at {embedded.socket} has another folder's data: stop it and start again")


def _same(folder: str, other: Path) -> bool:
    try:
        return other.samefile(folder)
    except OSError:
        return False


async def _check_server(client: Redis) -> None:
    facts = await server_facts(client)
    version = tuple(int(part) for part in facts.get("redis_version", "0").split(".")[:2])
    if version < _OLDEST:
        raise StoreUnfit(f"the server has version {facts.get('redis_version', '?')} of Redis: 6.2 or newer is needed")
    if facts.get("cluster_enabled") == "1":
        raise StoreUnfit("the server is part of a Redis Cluster, which is not supported yet: give a single server")
    settings = await server_settings(client, "appendonly", "save")
    keeps = facts.get("aof_enabled") == "1"
    if settings is not None:
        keeps = settings.get("appendonly") == "yes" or bool(settings.get("save"))
    if not keeps:
        raise StoreUnfit("the server keeps nothing on disk: set `appendonly yes` (and `appendfsync always`) there")
    policy = facts.get("maxmemory_policy", "noeviction")
    if facts.get("maxmemory", "0") != "0" and policy != "noeviction":
        raise StoreUnfit(f"the server drops data when its memory is full ({policy}): set `maxmemory-policy noeviction`")


async def server_facts(client: Redis) -> dict[str, str]:
    """What INFO says."""
    info = await ask_one(client, "INFO")
    lines = (line.partition(":") for line in info.decode(errors="replace").splitlines())
    return {name: setting for name, _, setting in lines}


async def server_settings(client: Redis, *names: str) -> dict[str, str] | None:
    """The settings of these names; None when the server does not tell (CONFIG is often forbidden)."""
    replies = await ask(client, [("CONFIG", "GET", name) for name in names])
    if any(isinstance(reply, ResponseError) for reply in replies):
        return None
    return {reply[0].decode(): os.fsdecode(reply[1]) for reply in replies if reply}
