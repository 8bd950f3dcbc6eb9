"""Group commit: appends that arrive while a flush is in flight share the next pipeline of append scripts."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from hashlib import sha1
from pathlib import Path

import msgspec
from redis.exceptions import NoScriptError

from eventstore.faults import meaning
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
    """Runs append scripts, as many as there are at a time, one pipeline after another."""

    def __init__(self, servers: Servers) -> None:
        self._servers = servers
        self._waiting: list[_Waiting] = []
        self._flusher: asyncio.Task[None] | None = None

    async def run(self, append: Append) -> Reply:
        """The script's answer (see append.lua). A caller who is cancelled disturbs nobody; whether it ran stays open.

        Raises StoreDown when the outcome is unknown or the server cannot write.
        """
        waiting = _Waiting(append, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._flusher is None or self._flusher.done():
            self._flusher = asyncio.create_task(self._flush())
        return value(await waiting.reply)

    async def finish(self) -> None:
        """Returns when everything that was given has its answer."""
        if self._flusher is not None:
            await asyncio.wait([self._flusher])

    async def _flush(self) -> None:
        batch: list[_Waiting] = []
        try:
            while self._waiting:
                batch, self._waiting = self._waiting[:_FLUSH], self._waiting[_FLUSH:]
                batch = [waiting for waiting in batch if not waiting.reply.done()]
                try:
                    replies = await self._send([_command(waiting.append) for waiting in batch])
                except Exception as error:  # noqa: BLE001 - whatever it is, everybody who waits must hear of it
                    _fail(batch, error)
                else:
                    for waiting, reply in zip(batch, replies, strict=True):
                        if not waiting.reply.done():
                            waiting.reply.set_result(reply)
        except asyncio.CancelledError:
            _fail([*batch, *self._waiting], StoreDown("the store is shutting down"))
            raise

    async def _send(self, commands: list[Command]) -> list[Reply]:
        replies = await self._servers.ask(commands)
        missed = [place for place, reply in enumerate(replies) if isinstance(reply, NoScriptError)]
        if missed:  # a server that was restarted has forgotten the script; those which missed it wrote nothing
            again = await self._servers.ask([("SCRIPT", "LOAD", _SCRIPT), *(commands[place] for place in missed)])
            for place, reply in zip(missed, again[1:], strict=True):
                replies[place] = reply
        return replies


def _fail(batch: list[_Waiting], error: Exception) -> None:
    for waiting in batch:
        if not waiting.reply.done():
            # An exception each: a shared one would collect everybody's traceback.
            found = meaning(error)
            waiting.reply.set_exception(type(found)(*found.args) if found else error)


@lru_cache(maxsize=1024)
def _keys(prefix: str, today: int) -> tuple[bytes, ...]:
    names = ("feed", "tables", "epoch", *(f"cmd:{day}" for day in days(today * _DAY)))
    return tuple(f"{prefix}{name}".encode() for name in names)


def _command(append: Append) -> Command:
    draft, keys = append.draft, _keys(append.prefix, append.now // _DAY)
    return (
        "EVALSHA",
        _SHA,
        1 + len(keys),
        f"{append.prefix}t:{draft.table}",
        *keys,
        draft.table,
        draft.version,
        draft.previous,
        append.hash,
        draft.events,
        draft.time,
        draft.actor,
        draft.command,
        _LIFE,
        _TAIL + 1,
        "" if append.epoch is None else append.epoch,
    )
