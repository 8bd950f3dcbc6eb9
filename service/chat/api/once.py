"""What was decided for an update stays decided: Telegram sends an update again until it is confirmed.

Notes stand in the directory until the update is confirmed. A message that answers an update is sent at most once: its
intent is noted first, and after a kill in between it is not sent again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from service.directory import Directory, opaque

_NOTES = "updates"


class Once:
    """Notes about updates; `update` is Telegram's update_id."""

    def __init__(self, directory: Directory) -> None:
        self._directory = directory
        self._run = opaque()
        self._done: set[tuple[int, str]] = set()
        self._noted: set[tuple[int, str]] = set()

    async def load(self) -> None:
        """Reads the notes an earlier process left."""
        for field in await self._directory.everything(_NOTES):
            update, _, what = field.partition(":")
            self._noted.add((int(update), what))

    async def known(self, update: int, what: str) -> str | None:
        """What was decided earlier, or None."""
        return await self._directory.get(_NOTES, f"{update}:{what}")

    async def decided(self, update: int, what: str, value: str) -> str:
        """Decides on `value`, unless it was decided earlier; gives what holds."""
        self._noted.add((update, what))
        return await self._directory.first(_NOTES, f"{update}:{what}", value)

    async def claim(self, update: int, what: str) -> bool:
        """Whether this is to be done now; True once in all, or once more where the store failed before it was done."""
        if (update, what) in self._done:
            return False
        if await self.decided(update, f"did {what}", self._run) != self._run:
            return False
        self._done.add((update, what))
        return True

    async def forget(self, below: int) -> None:
        """Drops the notes of updates that Telegram will not send again."""
        for update, what in [note for note in self._noted if note[0] < below]:
            await self._directory.drop(_NOTES, f"{update}:{what}")
            self._noted.discard((update, what))
        self._done = {note for note in self._done if note[0] >= below}

    async def drop(self, update: int) -> None:
        """Drops the notes of one update that will not come again."""
        for note in [note for note in self._noted if note[0] == update]:
            await self._directory.drop(_NOTES, f"{update}:{note[1]}")
            self._noted.discard(note)
        self._done = {note for note in self._done if note[0] != update}

    async def sweep(self, waiting: Callable[[], Awaitable[set[str]]]) -> int:
        """Drops the notes of updates that are not `waiting` any more (their ids); gives how many notes those were.

        What is noted is read first: an update that is noted then and does not wait afterwards is done.
        """
        noted = await self._directory.everything(_NOTES)
        known = await waiting()
        old = [field for field in noted if field.partition(":")[0] not in known]
        for field in old:
            await self._directory.drop(_NOTES, field)
            update, _, what = field.partition(":")
            self._noted.discard((int(update), what))
        return len(old)
