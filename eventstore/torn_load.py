"""Servers that forget: after loading a file with a torn end they lose, at the next start, what was appended since.

A power failure can tear the append-only file inside a commit, which a script writes as one block. Every Redis that was
tried (6.2, 7.0) and every Valkey before 9.1.2 then cuts the file off *inside* the block, which stays open: what comes
next is in memory and acknowledged, but at the next start the torn commit is there in its place. A rewrite of the file
right after such a load mends it. The server does not tell whether its load was such a one, so there is one after each
start that we hear of.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from redis.asyncio import Redis

from eventstore.wire import ask, ask_one

PATIENCE = 20.0  # s that a rewrite may take before the store is used all the same
_MENDED = (9, 1, 2)  # the first Valkey that cuts the file off before the block (valkey-io/valkey, pull request 4342)
_PAUSE = 0.02  # s between two looks
_WARNING = (
    "the server can lose moves when its machine fails twice, and is made to rewrite its append-only file after each "
    "of its starts against that: Valkey {newer} or newer needs no such thing"
)
_NOT_MENDED = (
    "the server was started, and has not rewritten its append-only file since: it may lose moves at its next start. "
    "Give it BGREWRITEAOF, and see that it succeeds; Valkey {newer} or newer needs no such thing"
)


async def mend_after_load(client: Redis) -> str | None:
    """Has a server that needs it rewrite its append-only file, once after each of its starts, and waits for that.

    To be called when the store is opened, and when the server was away and is back. Gives a warning for whoever runs
    the store, None for a server that needs no mending. Raises StoreDown, StoreUnfit.
    """
    facts = await _facts(client)
    if facts.get("aof_enabled") != "1" or _cuts_blocks_off_whole(facts):
        return None
    warning = _WARNING if await _rewritten(client, facts) else _NOT_MENDED
    return warning.format(newer=".".join(map(str, _MENDED)))


def _cuts_blocks_off_whole(facts: Mapping[str, str]) -> bool:
    try:
        version = tuple(int(part) for part in facts["valkey_version"].split("."))
    except (KeyError, ValueError):
        return False
    return version >= _MENDED


async def _rewritten(client: Redis, facts: Mapping[str, str]) -> bool:
    """Whether the append-only file has been rewritten since the server's start, now or earlier."""
    if _had_a_rewrite(facts):
        return True
    # An error is no matter: there may be a rewrite already, or it is forbidden to us. What it comes to is seen below.
    await ask(client, [("BGREWRITEAOF",)])
    try:
        async with asyncio.timeout(PATIENCE):
            while _busy(facts := await _facts(client)):  # noqa: ASYNC110 - only the server knows
                await asyncio.sleep(_PAUSE)
    except TimeoutError:
        return False
    return _had_a_rewrite(facts)


def _busy(facts: Mapping[str, str]) -> bool:
    return "1" in (facts.get("aof_rewrite_in_progress"), facts.get("aof_rewrite_scheduled"))


def _had_a_rewrite(facts: Mapping[str, str]) -> bool:
    """Since its start (how long the last one took is not kept over a start)."""
    took = int(facts.get("aof_last_rewrite_time_sec", "-1"))
    return took >= 0 and facts.get("aof_last_bgrewrite_status") == "ok" and not _busy(facts)


async def _facts(client: Redis) -> dict[str, str]:
    """What INFO says."""
    lines = (line.partition(":") for line in (await ask_one(client, "INFO")).decode(errors="replace").splitlines())
    return {name: setting for name, _, setting in lines}
