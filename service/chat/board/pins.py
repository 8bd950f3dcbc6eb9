"""The table's message is pinned where the bot may: silently, the latest one alone; a refusal is remembered."""

from __future__ import annotations

from domain.table import Table
from eventstore.store import home
from service.chat.api.outbox import Outbox
from service.chat.board.shown import Pinned, Shown
from service.chat.people.customs import Preferences


class Pins:
    """What is pinned of each table; held in memory as well."""

    def __init__(self, shown: Shown, out: Outbox, preferences: Preferences) -> None:
        self._shown = shown
        self._out = out
        self._preferences = preferences
        self._known: dict[str, Pinned] = {}

    async def keep(self, chat: int, state: Table, message: int) -> None:
        """Pins the message of a game that goes on, takes off an older one, and the pin of a game that is over.

        Raises NotNow, Gone, Moved; repeated it changes nothing.
        """
        known = self._known.get(state.id)
        if known is None:
            known = self._known[state.id] = await self._shown.pinned(state.id)
        if known.refused or chat >= 0:
            return
        wanted = message if state.phase == "playing" and self._preferences.of_home(home(state.id)).pin else 0
        if known.message == wanted and (known.chat == chat or not wanted):
            return
        if known.message and known.chat == chat:
            await self._out.unpin(chat, known.message)
        done = Pinned(chat)
        if wanted:
            await self._out.room(chat)  # it leaves a line in the chat
            done = Pinned(chat, wanted) if await self._out.pin(chat, wanted) else Pinned(chat, refused=True)
        await self._shown.pin(state.id, done)
        self._known[state.id] = done

    def forget(self, name: str) -> None:
        """The table is over and shown."""
        self._known.pop(name, None)
