"""Tells chats with running tables what the operator has to say (`tabletalk announce`): each once, within the limits."""

from __future__ import annotations

from html import escape

import structlog

from eventstore.store import StoreDown
from service.chat.api import outbox
from service.chat.api.outbox import Outbox
from service.chat.api.post import Post
from service.chat.board.places import Places
from service.clock import Clock
from service.directory import opaque
from service.operating import Announcement, Operation

log = structlog.get_logger()

LOOK_SECONDS = 30.0  # until it is looked for announcements again


class Announcer:
    """Tells what there is to tell; of several processes each tells the chats of the tables that it looks after.

    A process that is killed between sending and noting leaves a note that it tried: that chat is not told again.
    """

    def __init__(self, operation: Operation, places: Places, out: Outbox, clock: Clock) -> None:
        self._operation = operation
        self._places = places
        self._out = out
        self._clock = clock
        self._run = opaque()
        self._done: set[tuple[str, str]] = set()

    async def run(self) -> None:
        """Keeps going until cancelled."""
        while True:
            try:
                for mark, one in (await self._operation.announcements()).items():
                    await self._tell_all(mark, one)
            except StoreDown as down:
                log.warning("announcements wait for the store", fault=str(down))
            await self._clock.sleep(LOOK_SECONDS)

    async def _tell_all(self, mark: str, one: Announcement) -> None:
        for table in one.tables:
            if (mark, table) in self._done or not self._places.ours(table):
                continue
            if await self._operation.claim(mark, table, self._run):
                await self._operation.note(mark, table, await self._tell(table, one.text))
            self._done.add((mark, table))

    async def _tell(self, table: str, text: str) -> str:
        """What became of it, as it is noted."""
        while True:
            chat = self._places.chat(table)
            if chat is None or self._places.closed(chat):
                return "gone"
            await self._out.room(chat, calm=True)
            try:
                await self._out.send(chat, Post(escape(f"📢 {text}")), await self._places.thread(table))
            except outbox.NotNow as later:
                await self._clock.sleep(later.seconds)
            except outbox.Moved as moved:
                await self._places.move(chat, moved.chat)
            except outbox.Unknown:
                return "sent"  # perhaps: twice would be worse
            except (outbox.Gone, outbox.Unsendable) as fault:
                log.info("not announced", table=table, fault=type(fault).__name__)
                return "gone"
            else:
                return "sent"
