"""Reads of one turn of the event loop share a round trip: after a start many tables are wanted at once."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable

import msgspec

from eventstore.faults import meaning
from eventstore.servers import Servers
from eventstore.wire import Command, Reply, value

_MOST = 256  # reads a round trip, so that the first of many need not wait for the last


class _Waiting(msgspec.Struct, frozen=True):
    command: Command
    reply: asyncio.Future[Reply]


class GroupRead:
    """Asks together for what is wanted at the same time, for each server alone."""

    def __init__(self, servers: Servers) -> None:
        self._servers = servers
        self._waiting: dict[Hashable, list[_Waiting]] = {}
        self._asking: set[asyncio.Task[None]] = set()

    async def run(self, key: str, command: Command) -> Reply:
        """The reply to a command that changes nothing, on `key`.

        Raises StoreDown, StoreUnfit, the server's other errors. A caller who is cancelled disturbs nobody.
        """
        waiting = _Waiting(command, asyncio.get_running_loop().create_future())
        place = self._servers.place(key)
        queue = self._waiting.setdefault(place, [])
        queue.append(waiting)
        if len(queue) == 1:
            asking = asyncio.create_task(self._ask(place))
            self._asking.add(asking)
            asking.add_done_callback(self._asking.discard)
        return value(await waiting.reply)

    async def finish(self) -> None:
        """Returns when everything that was asked has its reply."""
        if self._asking:
            await asyncio.wait(self._asking)

    async def _ask(self, place: Hashable) -> None:
        queue = self._waiting.pop(place)
        try:
            for begin in range(0, len(queue), _MOST):
                batch = queue[begin : begin + _MOST]
                for waiting, reply in zip(batch, await self._servers.ask([one.command for one in batch]), strict=True):
                    if not waiting.reply.done():
                        waiting.reply.set_result(reply)
        except Exception as error:  # noqa: BLE001 - whatever it is, everybody who waits must hear of it
            for waiting in queue:
                if not waiting.reply.done():
                    # An exception each: a shared one would collect everybody's traceback.
                    found = meaning(error)
                    waiting.reply.set_exception(type(found)(*found.args) if found else error)
        finally:
            for waiting in queue:
                waiting.reply.cancel()  # the loop is ending; those that have their answer keep it
