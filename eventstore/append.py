"""Group commit: appends that arrive while a flush is in flight share the next pipeline of append scripts."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from functools import lru_cache
from hashlib import sha1
from pathlib import Path

import msgspec
from redis.exceptions import NoScriptError

from eventstore.faults import meaning
from eventstore.ids import field, shortened
from eventstore.record import Draft
from eventstore.servers import Servers
from eventstore.store import StoreDown
from eventstore.wire import Command, Reply, value

KEPT_DAYS = 3
_DAY = 86_400_000  # ms
_LIFE = (KEPT_DAYS + 2) * 86_400  # s: through the days kept, and one more for a clock that is behind
_FLUSH = 512  # appends a pipeline, so that the first of a long queue need not wait for the last
_TAIL = 100  # commits that the script brings with a conflict
_SCRIPT = (Path(__file__).parent / "append.lua").read_bytes()
_SHA = sha1(_SCRIPT, usedforsecurity=False).hexdigest().encode()  # the server's name for it


class Append(msgspec.Struct, frozen=True):
    """A draft to append to keys that begin with `prefix`, at `now` (ms, the store's clock); `hash` is its link.

    `epoch` is that of the lease that the caller holds on the partition; None: it works without leases.
    """

    prefix: str
    now: int
    draft: Draft
    hash: bytes
    epoch: int | None = None


class _Waiting(msgspec.Struct, frozen=True):
    append: Append
    reply: asyncio.Future[Reply]


def days(now: int) -> tuple[int, ...]:
    """The days whose ids count at `now` (ms): today, those kept, and tomorrow (written by a clock that is ahead)."""
    today = now // _DAY
    return (today, *range(today - 1, today - KEPT_DAYS - 1, -1), today + 1)


class GroupCommit:
    """Runs append scripts, as many as there are at a time, one pipeline after another for each server.

    A server that does not answer keeps only its own appends waiting.
    """

    def __init__(self, servers: Servers) -> None:
        self._servers = servers
        self._waiting: dict[Hashable, list[_Waiting]] = {}
        self._flushers: dict[Hashable, asyncio.Task[None]] = {}

    async def run(self, append: Append) -> Reply:
        """The script's answer (see append.lua). A caller who is cancelled disturbs nobody; whether it ran stays open.

        Raises StoreDown when the outcome is unknown or the server cannot write.
        """
        waiting = _Waiting(append, asyncio.get_running_loop().create_future())
        place = self._servers.place(append.prefix)
        self._waiting.setdefault(place, []).append(waiting)
        flusher = self._flushers.get(place)
        if flusher is None or flusher.done():
            self._flushers[place] = asyncio.create_task(self._flush(place))
        return value(await waiting.reply)

    async def finish(self) -> None:
        """Returns when everything that was given has its answer."""
        if self._flushers:
            await asyncio.wait(self._flushers.values())

    async def _flush(self, place: Hashable) -> None:
        batch: list[_Waiting] = []
        try:
            while queue := self._waiting.get(place):
                batch, self._waiting[place] = queue[:_FLUSH], queue[_FLUSH:]
                batch = [waiting for waiting in batch if not waiting.reply.done()]
                if not batch:
                    continue
                try:
                    replies = await self._send([evalsha(waiting.append) for waiting in batch])
                except Exception as error:  # noqa: BLE001 - whatever it is, everybody who waits must hear of it
                    _fail(batch, error)
                else:
                    for waiting, reply in zip(batch, replies, strict=True):
                        if not waiting.reply.done():
                            waiting.reply.set_result(reply)
        except asyncio.CancelledError:
            _fail([*batch, *self._waiting.pop(place, [])], StoreDown("the store is shutting down"))
            raise

    async def _send(self, commands: list[Command]) -> list[Reply]:
        replies = await self._servers.ask(commands, settled=True)
        missed = [place for place, reply in enumerate(replies) if isinstance(reply, NoScriptError)]
        if missed:  # a server that was restarted has forgotten the script; those which missed it wrote nothing
            whole = [("EVAL", _SCRIPT, *commands[place][2:]) for place in missed]
            for place, reply in zip(missed, await self._servers.ask(whole, settled=True), strict=True):
                replies[place] = reply
        return replies


def _fail(batch: list[_Waiting], error: Exception) -> None:
    for waiting in batch:
        if not waiting.reply.done():
            # An exception each: a shared one would collect everybody's traceback.
            found = meaning(error)
            waiting.reply.set_exception(type(found)(*found.args) if found else error)


@lru_cache(maxsize=1024)
def _keys(prefix: str, today: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The keys that all tables of a partition share, and what those of a table's command ids begin with."""
    return (
        tuple(f"{prefix}{name}" for name in ("feed", "tables", "epoch")),
        tuple(f"{prefix}cmd:{day}:" for day in days(today * _DAY)),
    )


def evalsha(append: Append) -> Command:
    """The command that runs the script for an append."""
    draft = append.draft
    table = draft.table
    keys, ids = _keys(append.prefix, append.now // _DAY)
    return (
        "EVALSHA",
        _SHA,
        1 + len(keys) + len(ids),
        f"{append.prefix}t:{table}",
        *keys,
        *[day + table for day in ids],
        table,
        draft.version,
        draft.previous,
        append.hash,
        draft.events,
        draft.time,
        draft.actor,
        shortened(draft.command, table),
        _LIFE,
        _TAIL + 1,
        "" if append.epoch is None else append.epoch,
        field(draft.command),
    )
