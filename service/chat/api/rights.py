"""Who administers a group, as Telegram says it (Bot API, getChatMember): asked when it matters, believed a minute."""

from __future__ import annotations

from typing import Literal

from service.chat.api.outbox import Outbox
from service.clock import Clock

GROUP_ANONYMOUS = 1_087_968_824  # @GroupAnonymousBot, in whose name hidden administrators write: no person
_BELIEVED_MS = 60_000
_MOST = 10_000  # answers held
_ADMINS = ("creator", "administrator")
_OUT = ("left", "kicked")

Standing = Literal["admin", "member", "out", "unknown"]


class Rights:
    """What people are in groups."""

    def __init__(self, out: Outbox, clock: Clock) -> None:
        self._out = out
        self._clock = clock
        self._found: dict[tuple[int, int], tuple[int, Standing]] = {}
        self._occasions: set[str] = set()

    async def standing(self, chat: int, user: int, *, fresh: bool = False) -> Standing:
        """What somebody is in a chat; `unknown` where Telegram does not say. `fresh`: asked now."""
        now, known = self._clock.now(), self._found.get((chat, user))
        if known is not None and not fresh and 0 <= now - known[0] < _BELIEVED_MS:
            return known[1]
        standing = _standing(await self._out.member(chat, user))
        if standing != "unknown":
            if len(self._found) >= _MOST:
                self._found.clear()
            self._found[chat, user] = now, standing
        return standing

    async def admin(self, chat: int, user: int) -> bool:
        """Whether somebody administers the chat; nobody does because we could not ask."""
        return user != GROUP_ANONYMOUS and await self.standing(chat, user) == "admin"

    async def once(self, occasion: str, chat: int, user: int) -> Standing:
        """What somebody is in a chat, asked once on each occasion since our start (again where Telegram does not say);
        `unknown` from then on: Telegram is not to be asked at every look."""
        if occasion in self._occasions:
            return "unknown"
        found = await self.standing(chat, user, fresh=True)
        if found != "unknown":
            if len(self._occasions) >= _MOST:
                self._occasions.clear()
            self._occasions.add(occasion)
        return found

    def forget(self, chat: int, user: int) -> None:
        """What somebody is in the chat has changed."""
        self._found.pop((chat, user), None)


def _standing(status: str | None) -> Standing:
    if status is None:
        return "unknown"
    if status in _ADMINS:
        return "admin"
    return "out" if status in _OUT else "member"
