"""Whether a server keeps what it acknowledges, and whether the disk has room: settings, last writes, free space."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec
from redis.asyncio import Redis

from eventstore.embedded import LEAST_SPACE
from eventstore.open import Durability, server_facts, server_settings

Kind = Literal[
    "not_kept",
    "not_synced",
    "sync_unknown",
    "evicts",
    "write_failed",
    "rewrite_failed",
    "replica",
    "no_replica",
    "unguarded",
]


class Room(msgspec.Struct, frozen=True):
    """Bytes free where the data folder is, and how many it should have: a rewrite of the log writes it once more."""

    free: int
    wanted: int


async def check_server(client: Redis, durability: Durability = "local") -> list[Kind]:
    """What is wrong with the server for this durability.

    `sync_unknown` is none of its faults: CONFIG is forbidden to us, nobody can tell. Raises StoreDown, StoreUnfit.
    """
    names = ("appendonly", "appendfsync", "maxmemory", "maxmemory-policy", "min-replicas-to-write")
    return server_troubles(await server_facts(client), await server_settings(client, *names), durability)


def server_troubles(
    facts: Mapping[str, str], settings: Mapping[str, str] | None, durability: Durability = "local"
) -> list[Kind]:
    """What INFO (`facts`) and CONFIG (`settings`; None: forbidden) tell of a server."""
    known = settings or {}
    found: list[Kind] = []
    if known.get("appendonly", "yes" if facts.get("aof_enabled") == "1" else "no") != "yes":
        found.append("not_kept")
    elif "appendfsync" not in known:
        found.append("sync_unknown")
    elif known["appendfsync"] != "always":
        found.append("not_synced")
    if known.get("maxmemory-policy", facts.get("maxmemory_policy", "noeviction")) != "noeviction":
        found.append("evicts")
    if "err" in (facts.get("aof_last_write_status"), facts.get("rdb_last_bgsave_status")):
        found.append("write_failed")
    if facts.get("aof_last_bgrewrite_status") == "err":
        found.append("rewrite_failed")
    if facts.get("role") == "slave":
        found.append("replica")
    elif durability == "replicated":
        if facts.get("connected_slaves", "0") == "0":
            found.append("no_replica")
        if known.get("min-replicas-to-write", "1") == "0":
            found.append("unguarded")
    return found


def room(data: Path) -> Room:
    """The room for the embedded store of a data folder. Raises OSError."""
    store = data / "store"
    used = 0
    for path in store.rglob("*"):
        with suppress(FileNotFoundError):  # a rewrite of the log replaces its files
            used += path.stat().st_size
    return Room(shutil.disk_usage(data).free, LEAST_SPACE + used)
