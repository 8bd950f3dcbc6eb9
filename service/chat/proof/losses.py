"""Tells a group, its administrators by name, when the store has lost what it had acknowledged."""

from __future__ import annotations

import asyncio
from html import escape

import structlog

from eventstore.chain import fingerprint
from eventstore.store import StoreDown, home
from service.chat.api import outbox
from service.chat.api.outbox import Outbox
from service.chat.api.post import Post
from service.chat.board.chores import TABLE
from service.chat.board.places import Places
from service.chat.board.shown import Record, Shown
from service.chat.board.views import Views
from service.chat.people.customs import Preferences
from service.clock import Clock
from service.directory import Directory
from service.engine import Engine, Lost, Unreadable
from service.text.chat import say

log = structlog.get_logger()

_PAUSE = 1.0  # s
_TOLD = "lost"


class Losses:
    """Hears of losses from the engine, and at the start from what the chats were shown; tells each once."""

    def __init__(
        self,
        engine: Engine,
        directory: Directory,
        places: Places,
        shown: Shown,
        views: Views,
        out: Outbox,
        clock: Clock,
        preferences: Preferences,
    ) -> None:
        self._engine = engine
        self._directory = directory
        self._places = places
        self._shown = shown
        self._views = views
        self._out = out
        self._clock = clock
        self._preferences = preferences
        self._heard: asyncio.Queue[Lost] = asyncio.Queue()
        engine.on_lost = self.hear

    def hear(self, lost: Lost) -> None:
        """Notes a loss; `run` tells it."""
        self._heard.put_nowait(lost)

    async def load(self) -> None:
        """Compares what chats were shown with what the store has: it may have gone back while nobody ran."""
        for name in await self._shown.live():
            if not self._places.ours(name):
                continue
            record = await self._shown.get(name, TABLE)
            if record is not None and record.version and not await self._stands(name, record):
                try:
                    found = (await self._engine.fresh(name)).version
                except Unreadable:
                    continue  # which is said by whoever shows the table
                self.hear(Lost(name, record.version, bytes.fromhex(record.head), found))

    async def _stands(self, name: str, record: Record) -> bool:
        return await self._engine.stands(name, record.version, bytes.fromhex(record.head))

    async def run(self) -> None:
        """Tells what is heard, until cancelled."""
        while True:
            lost = await self._heard.get()
            while True:
                try:
                    await self._tell(lost)
                    break
                except outbox.NotNow as later:
                    await self._clock.sleep(later.seconds)
                except StoreDown:
                    await self._clock.sleep(_PAUSE)
                except (outbox.Unknown, outbox.Gone, outbox.Moved, outbox.Unsendable) as fault:
                    log.warning("loss not told", table=lost.table, fault=type(fault).__name__)
                    break

    async def _tell(self, lost: Lost) -> None:
        """Says it in the chat of the table, naming who may decide what becomes of the game."""
        self._views.touch(lost.table)
        chat = self._places.chat(lost.table)
        mark = fingerprint(lost.head)
        if chat is None or self._places.closed(chat):
            return
        field = f"{lost.table} {lost.version} {mark}"
        if await self._directory.get(_TOLD, field) is not None:
            return
        texts = self._preferences.spoken_at(home(lost.table))
        code = "lost" if lost.found else "lost_whole"
        html = "⚠️ " + escape(say(texts, code, known=lost.version, mark=mark, found=lost.found))
        admins = await self._out.admins(chat) if chat < 0 else []
        if admins:
            names = ", ".join(f'<a href="tg://user?id={id}">{escape(name)}</a>' for id, name in admins)
            html += "\n" + escape(say(texts, "admins", names="{names}")).format(names=names)
        await self._out.room(chat)
        await self._out.send(chat, Post(html), await self._places.thread(lost.table))
        await self._directory.put(_TOLD, field, "")
