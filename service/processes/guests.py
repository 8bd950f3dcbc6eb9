"""What a worker must know of somebody before it handles what he says: his tables may be other workers'."""

from __future__ import annotations

from telegram import Update
from telegram.constants import ChatType

from service.chat.hall import Hall
from service.directory import Directory
from service.engine import Unreadable
from service.projections.rows import Rows
from service.projections.tables import tables_of_player


class Guests:
    """Reads anew what other workers may have changed: a person's tables, and what he has chosen for himself."""

    def __init__(self, hall: Hall, directory: Directory, tables: Rows) -> None:
        self._hall = hall
        self._directory = directory
        self._tables = tables

    async def expect(self, update: Update) -> None:
        """Prepares for an update that may be about tables elsewhere: any but a press in a group. Raises StoreDown."""
        hall, user, chat = self._hall, update.effective_user, update.effective_chat
        if user is None or user.is_bot or (update.callback_query is not None and not _private(update)):
            return
        actor = await self._directory.person(f"tg:{user.id}")
        home = None if chat is None else await hall.places.home(chat.id)
        await hall.preferences.learn(actor, home)
        known = {name for name in hall.seated.tables_of(actor) if not hall.places.ours(name)}
        found = await tables_of_player(self._tables, actor)
        for name in known | {name for name, one in found.items() if one.phase != "over"}:
            await hall.places.learn(name)
            if not hall.places.ours(name):
                await self._note(name)

    async def _note(self, name: str) -> None:
        try:
            self._hall.seated.note(name, (await self._hall.engine.fresh(name)).state)
        except Unreadable:
            self._hall.seated.note(name, None)


def _private(update: Update) -> bool:
    return update.effective_chat is None or update.effective_chat.type == ChatType.PRIVATE
