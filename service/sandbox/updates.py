"""The bot's updates, kept until it confirms them by asking for a higher offset (Bot API, getUpdates)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

FUTURE = 10  # so far above the next id an offset may be
KEPT_MS = 24 * 60 * 60 * 1000
NOT_BY_DEFAULT = frozenset({"chat_member", "message_reaction", "message_reaction_count"})


class Update(msgspec.Struct, frozen=True):
    """An update that waits to be confirmed; `body` is what its kind's field holds."""

    id: int
    kind: str
    body: dict[str, Any]
    at: int  # milliseconds

    def object(self) -> dict[str, Any]:
        """Update."""
        return {"update_id": self.id, self.kind: self.body}


class UpdateQueue:
    """Updates in order. What the bot did not allow when an update came is never delivered."""

    def __init__(self, first_id: int) -> None:
        self.waiting: list[Update] = []
        self._next_id = first_id
        self._allowed: frozenset[str] | None = None

    def allow(self, kinds: Iterable[str]) -> None:
        """Sets `allowed_updates` for updates to come; an empty list means all but those one must ask for."""
        self._allowed = frozenset(kinds) or None

    def allows(self, kind: str) -> bool:
        """Whether an update of this kind would be kept."""
        return kind not in NOT_BY_DEFAULT if self._allowed is None else kind in self._allowed

    def add(self, kind: str, body: dict[str, Any], at: int) -> Update | None:
        """Keeps an update and gives it, or None when the bot does not want this kind."""
        if not self.allows(kind):
            return None
        update = Update(self._next_id, kind, body, at)
        self._next_id += 1
        self.waiting.append(update)
        return update

    def confirm(self, offset: int, now: int) -> None:
        """Forgets what is below `offset`; a negative one forgets all but the last `-offset`. 0 forgets nothing.

        What is older than a day goes as well. One far above the ids there are is of another time, and forgets nothing.
        """
        if offset > self._next_id + FUTURE:
            offset = 0
        if offset > 0:
            self.waiting = [update for update in self.waiting if update.id >= offset]
        elif offset < 0:
            self.waiting = self.waiting[offset:]
        self.waiting = [update for update in self.waiting if now - update.at < KEPT_MS]

    def begin_anew(self, at: int) -> None:
        """Ids go on from there: as after a week without updates (Bot API, Update)."""
        self._next_id = at

    def first(self, limit: int) -> list[Update]:
        """Up to `limit` of the earliest."""
        return self.waiting[:limit]
