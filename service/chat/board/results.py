"""Results of sets: messages of their own, never edited, each told at most once."""

from __future__ import annotations

from typing import Any

import structlog

from domain import events, table
from domain.events import RowWritten, SeedRevealed
from domain.table import Table, observe
from eventstore.store import home
from service.chat.api import names, outbox
from service.chat.api.outbox import Outbox
from service.chat.api.post import Post
from service.chat.bells.calls import awake_from
from service.chat.board import show
from service.chat.board.places import Places
from service.chat.board.shown import Shown
from service.chat.people.customs import Preferences
from service.engine import Engine
from service.text import history

log = structlog.get_logger()

AFTER = "after"
"""Begins the mark of a result below which the table's message is posted anew: without a bell, for the result rang."""


def _sight(state: Table) -> tuple[Any, ...]:
    """What is another one when there may be a result to tell."""
    return state.sets, state.phase, state.rows, state.pending, state.questioned


class Results:
    """Tells the results that a chat has not heard of yet.

    The intent is noted before a result is sent. One that was lost in between is made good by the next, whose
    fingerprint covers it.
    """

    def __init__(self, engine: Engine, places: Places, shown: Shown, out: Outbox, preferences: Preferences) -> None:
        self._engine = engine
        self._places = places
        self._shown = shown
        self._out = out
        self._preferences = preferences
        self._told: dict[str, tuple[Any, ...]] = {}  # table -> what results may have changed when we last looked

    async def tell(self, chat: int, name: str) -> str:
        """Sends what is new; gives a mark of the last result after which the game goes on (empty: none was sent).

        Raises what `Outbox.send` raises, but Unknown.
        """
        held = await self._engine.held(name)
        if held.state is None or self._told.get(name) == _sight(held.state):
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
                silent = awake_from(now := self._engine.clock.now(), self._preferences.quiet(name)) > now
                await self._out.send(chat, post, await self._places.thread(name), silent=silent)
            except outbox.NotNow:  # certainly not delivered
                await self._shown.tell(name, told)
                raise
            except outbox.Unknown:
                log.warning("a result may not have been delivered", table=name)
            await self._tell_guests(chat, state, post)
            told = commit.version
            if state.phase == "playing" and any(isinstance(fact, RowWritten) for fact in facts):
                mark = f"{AFTER} {told}"
        self._told[name] = _sight(held.state)
        return mark

    async def _tell_guests(self, chat: int, state: Table, post: Post) -> None:
        """At a table that is played in private chats everybody reads the result in his own; one that a chat has no room
        for now is made good by the next, as one that was lost is."""
        for seat in state.seats if chat > 0 else ():
            guest = None if seat.computer else await self._places.private(seat.owner)
            if guest is None or guest == chat or not await self._out.room_now(guest):
                continue
            try:
                await self._out.send(guest, post)
            except (outbox.NotNow, outbox.Unknown, outbox.Gone, outbox.Moved, outbox.Unsendable) as fault:
                log.info("a guest was not told a result", table=state.id, fault=type(fault).__name__)

    def forget(self, name: str) -> None:
        """The table is over and all is told."""
        self._told.pop(name, None)

    async def _post(self, state: Table, facts: tuple[Any, ...], head: bytes) -> Post | None:
        if state.sets == 0:  # a lobby that was closed
            return None
        known = await self._places.names([seat.owner for seat in state.seats])
        texts = self._preferences.spoken_at(home(state.id))
        called = names.shown(texts, state.seats, known)
        lines = history.result(texts, observe(state, None), facts, state.rules, called, head)
        if not lines:
            return None
        return show.result(texts, lines, next((fact.seed for fact in facts if type(fact) is SeedRevealed), None))
