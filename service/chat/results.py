"""Results of sets: messages of their own, never edited, each told at most once."""

from __future__ import annotations

from typing import Any

import structlog

from domain import events, table
from domain.events import RowWritten, SeedRevealed
from domain.table import Table, observe
from service.chat import names, outbox, show
from service.chat.outbox import Outbox
from service.chat.places import Places
from service.chat.post import Post
from service.chat.shown import Shown
from service.engine import Engine
from service.text import Texts, history

log = structlog.get_logger()


class Results:
    """Tells the results that a chat has not heard of yet.

    The intent is noted before a result is sent. One that was lost in between is made good by the next, whose
    fingerprint covers it.
    """

    def __init__(self, engine: Engine, places: Places, shown: Shown, out: Outbox, texts: Texts) -> None:
        self._engine = engine
        self._places = places
        self._shown = shown
        self._out = out
        self._texts = texts
        self._told: dict[str, tuple[int, str]] = {}  # table -> sets and phase when we last looked

    async def tell(self, chat: int, name: str) -> str:
        """Sends what is new; gives a mark of the last result after which the game goes on (empty: none was sent).

        Raises what `Outbox.send` raises, but Unknown.
        """
        held = await self._engine.held(name)
        if held.state is None or self._told.get(name) == (held.state.sets, held.state.phase):
            return ""
        told, mark = await self._shown.told(name), ""
        state: Table | None = None
        for commit in await self._engine.history(name):
            facts = events.decode(commit.events)
            state = table.fold(name, state, facts)
            if commit.version <= told or state is None:
                continue
            post = await self._post(state, facts, commit.hash)
            if post is None:
                continue
            await self._out.room(chat)
            await self._shown.tell(name, commit.version)
            try:
                await self._out.send(chat, post, await self._places.thread(name))
            except outbox.NotNow:  # certainly not delivered
                await self._shown.tell(name, told)
                raise
            except outbox.Unknown:
                log.warning("a result may not have been delivered", table=name)
            told = commit.version
            if state.phase == "playing" and any(isinstance(fact, RowWritten) for fact in facts):
                mark = f"after {told}"
        self._told[name] = (held.state.sets, held.state.phase)
        return mark

    def forget(self, name: str) -> None:
        """The table is over and all is told."""
        self._told.pop(name, None)

    async def _post(self, state: Table, facts: tuple[Any, ...], head: bytes) -> Post | None:
        if state.sets == 0:  # a lobby that was closed
            return None
        known = await self._places.names([seat.owner for seat in state.seats])
        called = names.shown(self._texts, state.seats, known)
        lines = history.result(self._texts, observe(state, None), facts, state.rules, called, head)
        if not lines:
            return None
        return show.result(self._texts, lines, next((fact.seed for fact in facts if type(fact) is SeedRevealed), None))
