"""What we last posted where: one record a message that is kept up to date, in the directory."""

from __future__ import annotations

from collections import defaultdict

import msgspec

from service.chat.bells.calls import Notice
from service.directory import Directory

_SHOWN, _AGAIN, _TOLD, _LIVE = "shown", "again", "told", "live"
GONE = "gone"  # what a message looks like that shows nothing any more
_NOTICES, _LOOKED, _PINNED = "notices", "looked", "pinned"


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """A message: where it is, what it looks like. `message` None: it was about to be sent when we last wrote.

    `version` and `head` (hexadecimal) are those of the table that it shows: a store that went back is found out.
    `again` is the request (an update's id) to post it anew that this message fulfils. `stale`: messages that it took
    the place of and that do not say so yet.
    """

    chat: int
    message: int | None = None
    mark: str = ""
    again: str = ""
    version: int = 0
    head: str = ""
    stale: tuple[int, ...] = ()


class Looked(msgspec.Struct, frozen=True, array_like=True):
    """What a player has seen: when he looked last (`seen`, a version), and the time before (`since`): from there on his
    message tells what happened. `request`: the one by which he looked last."""

    since: int = 0
    seen: int = 0
    request: str = ""


class Pinned(msgspec.Struct, frozen=True, omit_defaults=True):
    """The message of a table that we pinned (0: none); `refused`: we may not, and do not ask again."""

    chat: int = 0
    message: int = 0
    refused: bool = False


class Shown:
    """Records of messages by table and `whose` (`table`: the group's, else an actor's own), and what is left to do."""

    def __init__(self, directory: Directory) -> None:
        self._directory = directory

    async def get(self, table: str, whose: str) -> Record | None:
        """The record, or None: nothing was posted there."""
        found = await self._directory.get(_SHOWN, f"{table} {whose}")
        return None if found is None else msgspec.json.decode(found, type=Record)

    async def put(self, table: str, whose: str, record: Record) -> None:
        """Notes what stands there, or (no message) is about to."""
        await self._directory.put(_SHOWN, f"{table} {whose}", msgspec.json.encode(record).decode())

    async def owners(self) -> dict[str, frozenset[str]]:
        """By table the actors whose hands are shown, for all tables at once."""
        found: dict[str, set[str]] = defaultdict(set)
        for field, stored in (await self._directory.everything(_SHOWN)).items():
            table, _, whose = field.partition(" ")
            if whose.startswith("person:") and msgspec.json.decode(stored, type=Record).mark != GONE:
                found[table].add(whose)
        return {table: frozenset(actors) for table, actors in found.items()}

    async def wanted_again(self, table: str, whose: str) -> str:
        """The last request to post it anew."""
        return await self._directory.get(_AGAIN, f"{table} {whose}") or ""

    async def want_again(self, table: str, whose: str, request: str) -> None:
        """Asks that it be posted anew; repeated with the same request it is done once."""
        await self._directory.put(_AGAIN, f"{table} {whose}", request)

    async def told(self, table: str) -> int:
        """Up to which version the results of sets were told."""
        return int(await self._directory.get(_TOLD, table) or 0)

    async def tell(self, table: str, version: int) -> None:
        """Notes, before it is sent, that the result of this version is told: so it is never told twice."""
        await self._directory.put(_TOLD, table, str(version))

    async def notice(self, table: str, actor: str) -> Notice:
        """What somebody was told of the question that waits, or waited, for him."""
        found = await self._directory.get(_NOTICES, f"{table} {actor}")
        return Notice() if found is None else msgspec.json.decode(found, type=Notice)

    async def put_notice(self, table: str, actor: str, notice: Notice) -> None:
        """Notes what he is told."""
        await self._directory.put(_NOTICES, f"{table} {actor}", msgspec.json.encode(notice).decode())

    async def looked(self, table: str, actor: str) -> Looked:
        """What a player has seen of a table."""
        found = await self._directory.get(_LOOKED, f"{table} {actor}")
        return Looked() if found is None else msgspec.json.decode(found, type=Looked)

    async def look(self, table: str, actor: str, version: int, request: str) -> None:
        """The player looks at the table as it stands; repeated with the same request he looked once."""
        before = await self.looked(table, actor)
        if before.request != request:
            now = Looked(before.seen, version, request)
            await self._directory.put(_LOOKED, f"{table} {actor}", msgspec.json.encode(now).decode())

    async def pinned(self, table: str) -> Pinned:
        """What is pinned of a table."""
        found = await self._directory.get(_PINNED, table)
        return Pinned() if found is None else msgspec.json.decode(found, type=Pinned)

    async def pin(self, table: str, pinned: Pinned) -> None:
        """Notes what is pinned."""
        await self._directory.put(_PINNED, table, msgspec.json.encode(pinned).decode())

    async def live(self) -> list[str]:
        """The tables whose messages may still change."""
        return sorted(await self._directory.everything(_LIVE))

    async def begin(self, table: str) -> None:
        """From now on the table's messages are kept up to date."""
        await self._directory.put(_LIVE, table, "")

    async def end(self, table: str) -> None:
        """The table is over and everything about it is shown."""
        await self._directory.drop(_LIVE, table)
