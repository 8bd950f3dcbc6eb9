"""A worker's updates: those of its partitions' inboxes, a chat's in order, and each taken out when it is done."""

from __future__ import annotations

import asyncio
import json
from functools import partial

import msgspec
import structlog
from telegram import Bot, Update

from eventstore.inbox import Inbox, Parcel, from_the_beginning
from eventstore.store import StoreDown
from service.chat.api.queues import Queues
from service.chat.api.wire import UNREADABLE
from service.chat.reception import Reception
from service.keeper import RETRY_SECONDS
from service.processes.guests import Guests
from service.processes.routing import Came, Look, Note, Router

log = structlog.get_logger()

_BLOCK_MS = 4_000
_MOST_IN_HAND = 2_000
_SWEEP_SECONDS = 600.0
_REFRESH_SECONDS = 3.0


class Consumer:
    """Handles what lies in the inboxes of `partitions`, until it is stopped. Made anew when the partitions change.

    `owner` is whose leases they are: once they are another's, what we do is not taken out, and he does it again. That
    doubles nothing, since what was decided is noted under the update's id.
    """

    def __init__(
        self,
        reception: Reception,
        inbox: Inbox,
        router: Router,
        guests: Guests,
        bot: Bot,
        partitions: frozenset[int],
        owner: str,
    ) -> None:
        self._reception = reception
        self._inbox = inbox
        self._router = router
        self._guests = guests
        self._bot = bot
        self._after = from_the_beginning(partitions)
        self._owner = owner
        self._parcels: dict[int, Parcel] = {}  # by the update in it
        self._queues = Queues(self._handle, reception.late, self._done)
        self._looks: dict[str, None] = {}  # tables of others
        self._asked = asyncio.Event()

    def elsewhere(self, table: str) -> None:
        """The worker that has the table is to look at it."""
        self._looks[table] = None
        self._asked.set()

    async def run(self, stop: asyncio.Event) -> None:
        """Handles updates until `stop`, then lets what is in hand finish."""
        stopping = asyncio.ensure_future(stop.wait())
        async with asyncio.TaskGroup() as tasks:
            others = [tasks.create_task(one) for one in (self._send_on(), self._sweep(), self._refresh())]
            while not stop.is_set():
                reading = asyncio.ensure_future(self._read())
                await asyncio.wait((reading, stopping), return_when=asyncio.FIRST_COMPLETED)
                if not reading.done():
                    reading.cancel()
                    await asyncio.wait((reading,))
                    break
                for parcel in reading.result():
                    await self._take(parcel, tasks)
            await self._queues.finish()
            await self._send_rest()
            for other in others:
                other.cancel()
            stopping.cancel()

    async def _read(self) -> list[Parcel]:
        while len(self._queues.in_hand) > _MOST_IN_HAND:
            await self._queues.moved_on()
        try:
            return await self._inbox.news(self._after, _BLOCK_MS)
        except StoreDown as down:
            self._reception.troubled(down)
            await asyncio.sleep(RETRY_SECONDS)
            return []

    async def _take(self, parcel: Parcel, tasks: asyncio.TaskGroup) -> None:
        self._after[parcel.partition] = parcel.id
        match _read(parcel.body):
            case Came(raw):
                update = _update(bytes(raw), self._bot)
                if update is None:
                    log.error("an update that cannot be read", update=parcel.mark)
                    await self._reception.patiently(partial(self._out, parcel))
                else:
                    self._parcels[update.update_id] = parcel
                    self._queues.take(update, tasks)
            case Look(table):
                await self._reception.patiently(partial(self._look, table, parcel))
            case None:
                log.error("something in an inbox that this release does not know", partition=parcel.partition)
                await self._reception.patiently(partial(self._out, parcel))

    async def _handle(self, update: Update) -> None:
        try:
            await self._reception.patiently(partial(self._guests.expect, update))
        except Exception:  # one update must not stop the others
            log.exception("somebody's tables elsewhere are not known")
        await self._reception.handle(update)

    async def _done(self, update: Update) -> None:
        """Takes it out, and then drops what was noted for the case that it comes again."""
        parcel = self._parcels.pop(update.update_id)

        async def end() -> None:
            if await self._inbox.done(parcel, self._owner):
                await self._reception.hall.once.drop(update.update_id)

        await self._reception.patiently(end)

    async def _out(self, parcel: Parcel) -> None:
        await self._inbox.done(parcel, self._owner)

    async def _look(self, table: str, parcel: Parcel) -> None:
        await self._reception.hall.places.learn(table)
        hall = self._reception.hall
        for one in (hall.views, hall.forced):
            one.touch(table)
        await self._out(parcel)

    async def _send_on(self) -> None:
        while True:
            await self._asked.wait()
            self._asked.clear()
            await self._reception.patiently(self._send_rest)

    async def _send_rest(self) -> None:
        while self._looks:
            table = next(iter(self._looks))
            await self._router.look(table)
            self._looks.pop(table, None)

    async def _sweep(self) -> None:
        """Drops notes that a process left which was killed between the two steps of `_done`."""
        while True:
            await self._reception.patiently(self._sweep_once)
            await asyncio.sleep(_SWEEP_SECONDS)

    async def _refresh(self) -> None:
        """What people and groups have chosen may have been told another worker, and decides what we show and do."""
        while True:
            await asyncio.sleep(_REFRESH_SECONDS)
            await self._reception.patiently(self._reception.hall.preferences.load)

    async def _sweep_once(self) -> None:
        await self._reception.hall.once.sweep(self._inbox.marks)


def _read(body: bytes) -> Note | None:
    try:
        return msgspec.json.decode(body, type=Note)
    except msgspec.DecodeError:
        return None


def _update(raw: bytes, bot: Bot) -> Update | None:
    """The update; None for one that was stored by a release that could read it, and we cannot."""
    try:
        return Update.de_json(json.loads(raw), bot)
    except UNREADABLE:
        return None
