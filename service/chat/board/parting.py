"""Who has lost a seat since we last looked: from then on his hand is nothing for him to see."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from domain.table import Table
from service.chat.board.shown import Shown

Lost = Callable[[Table, str], Awaitable[None]]
"""Hears of (table, actor) that somebody has no seat there any more who had one."""


async def _nothing_lost(_state: Table, _actor: str) -> None:
    return None


class Parting:
    """The owners of the seats of each table as they were; after a restart those whose hands are shown."""

    def __init__(self, shown: Shown) -> None:
        self._shown = shown
        self._owners: dict[str, frozenset[str]] = {}
        self.lost: Lost = _nothing_lost

    async def load(self) -> None:
        """Reads whose hands an earlier process has shown; once, before any table is looked at."""
        self._owners = await self._shown.owners()

    async def look(self, state: Table) -> frozenset[str]:
        """Those who had a seat when we last looked and have none now; each is told of once."""
        owners = frozenset(seat.owner for seat in state.seats if not seat.computer and not seat.kicked)
        before, self._owners[state.id] = self._owners.get(state.id, owners), owners
        for actor in before - owners:
            await self.lost(state, actor)
        return before - owners

    def forget(self, name: str) -> None:
        """The table is over and shown."""
        self._owners.pop(name, None)
