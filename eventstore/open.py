"""Opens the store that the settings name: a data folder's embedded server, or a Redis or Valkey server by its URL."""

from __future__ import annotations

import asyncio
import os
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ResponseError

from eventstore.cluster import Cluster, Node
from eventstore.embedded import Embedded, EmbeddedConnection
from eventstore.redis_store import RedisStore
from eventstore.servers import One, Servers
from eventstore.store import StoreDown, StoreUnfit
from eventstore.wire import Command, ask, ask_one

Durability = Literal["local", "replicated"]

_OLDEST = (6, 2)
# For a replica to have a commit, 5 s at most (less than the client's socket timeout). Not WAITAOF, with which a move
# takes a second or two: replicas tell once a second how far they have written to their disks.
_SETTLING: Command = ("WAIT", 1, 5_000)
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
    url: str,
    data: Path,
    *,
    now: Callable[[], int],
    partitions: int | None = None,
    prefix: str = "tt",
    durability: Durability = "local",
    restoring: str = "",
) -> RedisStore:
    """The store at `url`, or, when that is empty, the embedded one in the folder `data`; `now` gives milliseconds UTC.

    A cluster is named by any of its servers, or several: redis://host:port,host:port. `durability` says when an append
    is acknowledged: when its server has it (`local`), or a replica too (`replicated`).
    Raises StoreDown when the server cannot be reached now, StoreUnfit when it will never do: it does not keep data, is
    too old, is a replica, refuses the password, belongs to another deployment; the folder cannot be used.
    """
    if not url:
        if durability != "local":
            raise StoreUnfit("the embedded store has no replicas: set DURABILITY to local, or give a server's URL")
        return await _open_embedded(data, now, partitions, prefix, restoring)
    servers = await _servers(*_read(url))
    try:
        for client in servers.every():
            await _check_server(client)
        if durability == "replicated":
            servers.settling = _SETTLING
        return await RedisStore.open(servers, now=now, partitions=partitions, prefix=prefix, restoring=restoring)
    except BaseException:
        await servers.close()
        raise


async def _servers(nodes: list[Node], options: dict[str, Any]) -> Servers:
    """A single server, or the cluster that it belongs to."""
    client = _client(options | ({"host": nodes[0][0], "port": nodes[0][1]} if nodes else {}))
    many = len(nodes) > 1
    try:
        alone = not many and (await server_facts(client)).get("cluster_enabled") != "1"
    except StoreDown as down:
        await client.connection_pool.disconnect()
        raise _about_tls(down) from down
    except BaseException:
        await client.connection_pool.disconnect()
        raise
    if alone:
        return One(client)
    await client.connection_pool.disconnect()
    if not nodes:
        raise StoreUnfit("the server is part of a Redis Cluster, which is named by host and port: redis://host:7000")
    if options.get("db"):
        raise StoreUnfit("a Redis Cluster has one database only: leave the number at the end of the URL away")

    def reach(node: Node) -> Redis:
        return _client(options | {"host": node[0], "port": node[1]})

    try:
        return await Cluster.open(reach, nodes)
    except StoreDown as down:
        raise _about_tls(down) from down


def _about_tls(down: StoreDown) -> StoreDown | StoreUnfit:
    """What a server that cannot be reached means when one side speaks TLS and the other does not."""
    cause: BaseException | None = down
    while cause is not None and not isinstance(cause, ssl.SSLError):
        cause = cause.__cause__ or cause.__context__
    if isinstance(cause, ssl.SSLCertVerificationError):
        return StoreUnfit(
            "the server's certificate is not trusted here: name its authority, ?ssl_ca_certs=/path in the URL"
        )
    if cause is not None:
        return StoreUnfit("the server does not speak TLS: its URL must begin with redis://")
    if "closed by server" in str(down):
        return StoreDown(f"{down}: if the server wants TLS, its URL must begin with rediss://")
    return down


def connect(url: str) -> Redis:
    """A client for a redis://, rediss:// or unix:// URL, which connects when used. Raises StoreUnfit for others."""
    nodes, options = _read(url)
    return _client(options | ({"host": nodes[0][0], "port": nodes[0][1]} if nodes else {}))


def _read(url: str) -> tuple[list[Node], dict[str, Any]]:
    """The hosts that a URL names (none for a socket), and the client's options. Raises StoreUnfit."""
    scheme, _, rest = url.partition("://")
    end = min((place for place in (rest.find("/"), rest.find("?")) if place >= 0), default=len(rest))
    user, at, hosts = rest[:end].rpartition("@")
    nodes: list[Node] = []
    options: dict[str, Any] = {}
    try:
        if scheme == "unix":
            options = dict(parse_url(url))
        else:
            for host in hosts.split(","):
                options = dict(parse_url(f"{scheme}://{user}{at}{host}{rest[end:]}"))
                nodes.append((options.pop("host", "localhost"), options.pop("port", 6379)))
    except ValueError:
        # The text of the error would hold parts of the URL.
        raise StoreUnfit(
            "the store's URL must look like redis://host:6379/0, rediss://… or unix:///path "
            "(redis://host:7000,host:7001 for a cluster)"
        ) from None
    _client(options | ({"host": "", "port": 0} if nodes else {}))
    return nodes, options


def _client(options: dict[str, Any]) -> Redis:
    pool = BlockingConnectionPool(**(options | _OPTIONS))
    try:
        pool.make_connection()  # type: ignore[no-untyped-call]  # which connects to nothing, but looks at the options
    except TypeError:
        raise StoreUnfit("the store's URL has an option (after the question mark) that is none") from None
    return Redis(connection_pool=pool)


async def _open_embedded(
    data: Path, now: Callable[[], int], partitions: int | None, prefix: str, restoring: str
) -> RedisStore:
    embedded = Embedded(data)
    pool = BlockingConnectionPool(connection_class=EmbeddedConnection, embedded=embedded, **_OPTIONS)
    client = Redis(connection_pool=pool)
    try:
        await embedded.up()
        await _check_embedded(client, embedded)
        return await RedisStore.open(
            One(client), now=now, partitions=partitions, prefix=prefix, restoring=restoring, closing=embedded.stop
        )
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
    """Raises StoreUnfit for a server that will not do."""
    facts = await server_facts(client)
    version = tuple(int(part) for part in facts.get("redis_version", "0").split(".")[:2])
    if version < _OLDEST:
        raise StoreUnfit(f"the server has version {facts.get('redis_version', '?')} of Redis: 6.2 or newer is needed")
    if facts.get("role") == "slave" and facts.get("cluster_enabled") != "1":
        raise StoreUnfit("the server is a replica, which must not be written to: give the URL of its master")
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
