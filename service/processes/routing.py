"""Puts what Telegram brings into the inbox of the partition whose worker handles its chat."""

from __future__ import annotations

import msgspec
from telegram import Update

from eventstore.inbox import Inbox
from eventstore.redis_store import RedisStore
from service.chat.api.incoming import chat_of
from service.directory import Directory


class Came(msgspec.Struct, frozen=True, tag="came"):
    """An update, as Telegram sent it."""

    update: msgspec.Raw


class Look(msgspec.Struct, frozen=True, tag="look"):
    """A table wants to be looked at: another partition's worker did something that concerns it."""

    table: str


Note = Came | Look


class Router:
    """Knows which partition's inbox a thing belongs into. A chat's home says so, which it keeps when it migrates."""

    def __init__(self, store: RedisStore, directory: Directory, inbox: Inbox) -> None:
        self._store = store
        self._directory = directory
        self._inbox = inbox

    async def update(self, update: Update) -> bool:
        """Stores an update, once however often Telegram sends it; says whether it is new. Raises StoreDown."""
        home = await self._directory.home(f"chat:{_chat(update)}")
        number = self._store.partition_of(f"{home}-0")
        body = msgspec.json.encode(Came(msgspec.Raw(update.to_json().encode())))
        return await self._inbox.put(number, body, str(update.update_id))

    async def look(self, table: str) -> None:
        """Tells the worker that has the table to look at it. Raises StoreDown."""
        await self._inbox.put(self._store.partition_of(table), msgspec.json.encode(Look(table)))


def _chat(update: Update) -> int:
    """The chat in whose order the update is handled; both messages of a migration belong to the chat as it was."""
    message = update.message
    if message is not None and message.migrate_from_chat_id is not None:
        return message.migrate_from_chat_id
    return chat_of(update)
