"""Handles what Telegram brings, one update after the other of a chat, however long the store is away."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import assert_never

import msgspec
import structlog
from telegram import Update
from telegram.error import TelegramError

from eventstore.store import StoreDown
from service.chat import presses, resting, talk
from service.chat.api import incoming
from service.chat.api.incoming import Chosen, Gone, Membership, Migrated, Pressed, Said, TopicChanged, User, Wondered
from service.chat.api.rights import GROUP_ANONYMOUS
from service.chat.hall import Hall
from service.chat.hands import inline
from service.chat.people import members
from service.chat.tables import lobby
from service.keeper import RETRY_SECONDS
from service.outage import Outage
from service.text import Texts, nearest

log = structlog.get_logger()


class Reception:
    """Handles one update after the other, as long as it takes."""

    def __init__(self, hall: Hall, outage: Outage) -> None:
        self._hall = hall
        self._outage = outage

    @property
    def hall(self) -> Hall:
        """Where what is handled is received."""
        return self._hall

    async def handle(self, update: Update) -> None:
        """Handles an update; a store that is down is waited for, and the update then handled with the same ids."""
        found = incoming.read(update, self._hall.username)
        if found is None:
            return
        waited = False
        while True:
            try:
                await self._handle(found)
            except StoreDown as down:
                waited = True
                self._outage.say(str(down))
                await asyncio.sleep(RETRY_SECONDS)
                continue
            except TelegramError as error:
                log.warning("update not answered", fault=type(error).__name__)
            except Exception:  # one update must not stop the others
                log.exception("update not handled", kind=type(found).__name__)
            if waited:
                self._outage.over()
            return

    async def late(self, update: Update) -> None:
        """A press waits for the store, or for what was said before it in the chat."""
        if update.callback_query is not None:
            await self.hall.out.toast(update.callback_query.id, self._hall.say("kept"))

    async def confirmed(self, below: int) -> None:
        """Updates below will not come again."""
        try:
            await self.hall.once.forget(below)
        except StoreDown as down:
            self._outage.say(str(down))

    def troubled(self, down: StoreDown) -> None:
        """Says that the store is down, once until it is back."""
        self._outage.say(str(down))

    async def patiently(self, work: Callable[[], Awaitable[None]]) -> None:
        """Does something that needs the store, as soon as it answers."""
        while True:
            try:
                await work()
                return
            except StoreDown as down:
                self._outage.say(str(down))
                await asyncio.sleep(RETRY_SECONDS)

    async def _handle(self, found: incoming.Incoming) -> None:
        hall = self._hall
        if isinstance(found, Wondered | Chosen):
            await self._asked_inline(found)
            return
        if isinstance(found, Said | Pressed) and hall.places.closed(found.chat):
            await self._reopen(found.chat)  # people are there: perhaps we may write again
        hall.speak(await self._language(found))
        if await resting.refused(hall, found):
            return
        match found:
            case Said(via=str()):
                await inline.sent(hall, found)
            case Said():
                await talk.handle(hall, found)
            case Pressed():
                await presses.handle(hall, found)
            case Migrated(_, old, new):
                for name in await hall.places.move(old, new):
                    hall.views.touch(name)
            case Membership():
                await self._membership(found)
            case Gone():
                await members.gone(hall, found)
            case TopicChanged():
                await members.topic(hall, found)
            case _:
                assert_never(found)

    async def _asked_inline(self, found: Wondered | Chosen) -> None:
        actor = await self._hall.actor(found.user)
        self._hall.speak(self._hall.preferences.spoken_to(actor))
        if await resting.refused(self._hall, found):
            return
        match found:
            case Wondered():
                await inline.asked(self._hall, found, actor)
            case Chosen():
                await inline.taken(self._hall, found, actor)

    async def _language(self, found: incoming.InChat) -> Texts:
        """That of the group for what everybody reads, that of a person for what is for him alone (a toast, a private
        message)."""
        hall = self._hall
        at = await hall.places.home(found.chat)
        match found:
            case Pressed(user=User(id=user_id)) if user_id == GROUP_ANONYMOUS:
                return hall.preferences.spoken_at(at)
            case Said(private=True, user=User() as user) | Pressed(user=user):
                actor = await hall.actor(user)
                spoken = hall.preferences.spoken_to(actor, None if found.private else at)
                if found.private:
                    await self._at_home(at, spoken.language)
                return spoken
            case _:
                return hall.preferences.spoken_at(at)

    async def _membership(self, found: Membership) -> None:
        hall = self._hall
        if found.private:
            actor = await hall.places.person(found.user.id, found.user.name)
            await (hall.places.started(actor, found.chat) if found.here else hall.places.stopped(actor))
        elif not found.here:
            await hall.places.close(found.chat)
            await self._look(found.chat)
        elif found.new or hall.places.closed(found.chat):
            await self._reopen(found.chat)
            await self._look(found.chat)
            if found.new:
                await self._first_language(found)
                await hall.tell(found.update, "greeting", found.chat, lobby.games(hall, "greeting"))

    async def _first_language(self, found: Membership) -> None:
        """A group speaks the language of whoever brought us, until somebody chooses another."""
        hall = self._hall
        at = await hall.places.home(found.chat)
        customs, wanted = hall.preferences.of_home(at), nearest(found.user.language)
        if customs.language is None and wanted != "en":
            await hall.preferences.set_home(at, msgspec.structs.replace(customs, language=wanted))
        hall.speak(hall.preferences.spoken_at(at))

    async def _at_home(self, at: str, spoken: str) -> None:
        """A table in a private chat is shown in the language of whose it is, until he chooses another."""
        preferences = self._hall.preferences
        customs = preferences.of_home(at)
        if customs.language is None and spoken != "en":
            await preferences.set_home(at, msgspec.structs.replace(customs, language=spoken))

    async def _look(self, chat: int) -> None:
        """What pauses or goes on because we lost the chat, or have it back."""
        for name in await self._hall.places.tables(chat):
            await members.look(self._hall, name)

    async def _reopen(self, chat: int) -> None:
        """What should be shown in the chat is tried once more."""
        await self.hall.places.open(chat)
        for name in await self.hall.places.tables(chat):
            self.hall.views.touch(name)
