"""Where things are shown: the chat of a table, the private chats of people, names; kept in the directory."""

from __future__ import annotations

from eventstore.store import home
from service.directory import Directory

_CHAT = "chat:"


class Places:
    """Chats and people by the ids the tables know. Homes are held in memory: one process serves a bot."""

    def __init__(self, directory: Directory) -> None:
        self._directory = directory
        self._chats: dict[str, int] = {}  # home -> chat
        self._closed: set[int] = set()
        self._latest: dict[int, int] = {}  # chat -> the highest id of a message that we heard of

    def note_message(self, chat: int, message: int) -> None:
        """A message with this id is in the chat."""
        self._latest[chat] = max(message, self._latest.get(chat, 0))

    def latest_message(self, table: str) -> int:
        """The highest id of a message in the table's chat that we heard of since our start; 0 for none."""
        return self._latest.get(self._chats.get(home(table), 0), 0)

    async def load(self) -> None:
        """Reads which homes are chats; once, before anything else."""
        for found, key in (await self._directory.everything("homes:back")).items():
            if key.startswith(_CHAT):
                self._chats[found] = int(key.removeprefix(_CHAT))
        self._closed = {int(chat) for chat in await self._directory.everything("closed")}

    def ours(self, table: str) -> bool:
        """Whether the table is played in a chat."""
        return home(table) in self._chats

    def chat(self, table: str) -> int | None:
        """The chat that the table is played in."""
        return self._chats.get(home(table))

    def closed(self, chat: int) -> bool:
        """Whether we were thrown out of the chat."""
        return chat in self._closed

    async def close(self, chat: int) -> None:
        """We were thrown out of a chat: nothing is sent there until we are back."""
        self._closed.add(chat)
        await self._directory.put("closed", str(chat), "")

    async def open(self, chat: int) -> None:
        """We are back in a chat."""
        self._closed.discard(chat)
        await self._directory.drop("closed", str(chat))

    async def tables(self, chat: int) -> list[str]:
        """The ids of the chat's tables, newest first; some may never have been opened."""
        return (await self._directory.tables(await self.home(chat)))[::-1]

    async def new_table(self, chat: int) -> str:
        """An id for a table of this chat."""
        return await self._directory.new_table(await self.home(chat))

    async def move(self, old: int, new: int) -> list[str]:
        """Follows a group that became a supergroup; gives its tables."""
        if old == new:
            return []
        found = await self.home(old)
        await self._directory.put("homes", f"{_CHAT}{new}", found)
        await self._directory.put("homes:back", found, f"{_CHAT}{new}")
        self._chats[found] = new
        return await self._directory.tables(found)

    async def thread(self, table: str) -> int | None:
        """The topic that the table was opened in."""
        found = await self._directory.get("threads", table)
        return None if found is None else int(found)

    async def set_thread(self, table: str, thread: int | None) -> None:
        """Remembers the topic that the table was opened in."""
        if thread is not None:
            await self._directory.put("threads", table, str(thread))

    async def person(self, user: int, name: str) -> str:
        """The actor of a Telegram user, whose name is remembered."""
        actor = await self._directory.person(f"tg:{user}")
        if (await self._directory.names([actor])).get(actor) != name:
            await self._directory.set_name(actor, name)
        return actor

    async def names(self, actors: list[str]) -> dict[str, str]:
        """The names of people."""
        return await self._directory.names([actor for actor in actors if actor.startswith("person:")])

    async def private(self, actor: str) -> int | None:
        """The private chat of somebody who pressed Start and has not blocked us since."""
        found = await self._directory.get("private", actor)
        return None if found is None else int(found)

    async def started(self, actor: str, chat: int) -> None:
        """Somebody pressed Start."""
        await self._directory.put("private", actor, str(chat))

    async def stopped(self, actor: str) -> None:
        """Somebody blocked us."""
        await self._directory.drop("private", actor)

    async def focus(self, actor: str) -> str | None:
        """The table that somebody means in his private chat."""
        return await self._directory.get("focus", actor)

    async def set_focus(self, actor: str, table: str) -> None:
        """From now on he means this one."""
        await self._directory.put("focus", actor, table)

    async def home(self, chat: int) -> str:
        """The chat's home: its tables' ids begin with it."""
        found = await self._directory.home(f"{_CHAT}{chat}")
        self._chats.setdefault(found, chat)
        return found
