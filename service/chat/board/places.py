"""Where things are shown: the chat of a table, the private chats of people, names; kept in the directory."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from eventstore.store import home
from service.chat.tables.pairs import Pairs
from service.directory import HEIRS, Directory

_CHAT = "chat:"
_TRUSTED = 10.0  # s for which somebody is not looked up again: another process may hear a new name, or forget him


class Places:
    """Chats and people by the ids the tables know. Homes are held in memory; `holds` says which tables are looked after
    by this process."""

    def __init__(self, directory: Directory, holds: Callable[[str], bool] = lambda _table: True) -> None:
        self._directory = directory
        self._holds = holds
        self.pairs = Pairs(directory)  # what tables are called
        self._chats: dict[str, int] = {}  # home -> chat
        self._homes: dict[int, str] = {}  # chat -> home; a chat that migrated has two
        self._heirs: dict[str, int] = {}  # table whose chat was forgotten -> the private chat that it goes on in
        self._closed: set[int] = set()
        self._people: dict[int, tuple[str, str, float]] = {}  # user -> actor, name, and until when we trust in it
        self._latest: dict[int, int] = {}  # chat -> the highest id of a message that we heard of

    def note_message(self, chat: int, message: int) -> None:
        """A message with this id is in the chat."""
        self._latest[chat] = max(message, self._latest.get(chat, 0))

    def latest_message(self, table: str) -> int:
        """The highest id of a message in the table's chat that we heard of since our start; 0 for none, and where the
        players write in private chats, whose numbers say nothing about one another."""
        return self._latest.get(self.chat(table) or 0, 0) if self.together(table) else 0

    def together(self, table: str) -> bool:
        """Whether the players of a table write in one chat, a group; else each writes in his private chat."""
        return (self.chat(table) or 0) < 0

    async def load(self) -> None:
        """Reads which homes are chats; once, before anything else."""
        for found, key in (await self._directory.everything("homes:back")).items():
            if key.startswith(_CHAT):
                self._chats[found] = int(key.removeprefix(_CHAT))
        self._heirs = {table: int(chat) for table, chat in (await self._directory.everything(HEIRS)).items()}
        self._closed = {int(chat) for chat in await self._directory.everything("closed")}

    def ours(self, table: str) -> bool:
        """Whether the table is played in a chat, and looked after by this process."""
        return self.chat(table) is not None and self._holds(table)

    async def learn(self, table: str) -> None:
        """Asks where the table is played: another process may have opened it, or followed its group to a new chat."""
        if (heir := await self._directory.get(HEIRS, table)) is not None:
            self._heirs[table] = int(heir)
        key = await self._directory.home_key(home(table))
        if key is not None and key.startswith(_CHAT):
            self._chats[home(table)] = int(key.removeprefix(_CHAT))

    def chat(self, table: str) -> int | None:
        """The chat that the table is played in."""
        return self._heirs.get(table) or self._chats.get(home(table))

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
        self._chats[found], self._homes[new] = new, found
        return await self._directory.tables(found)

    async def thread(self, table: str) -> int | None:
        """The topic that the table was opened in."""
        found = await self._directory.get("threads", table)
        return None if found is None else int(found)

    async def set_thread(self, table: str, thread: int | None) -> None:
        """Remembers the topic that the table was opened in."""
        if thread is not None:
            await self._directory.put("threads", table, str(thread))

    async def forget_thread(self, table: str) -> None:
        """The topic that the table was opened in is no more."""
        await self._directory.drop("threads", table)

    async def person(self, user: int, name: str) -> str:
        """The actor of a Telegram user, whose name is remembered."""
        now, (actor, known, until) = time.monotonic(), self._people.get(user, ("", "", 0.0))
        if known == name and now < until:
            return actor
        actor = await self._directory.person(f"tg:{user}")
        if (await self._directory.names([actor])).get(actor) != name:
            await self._directory.set_name(actor, name)
        self._people[user] = actor, name, now + _TRUSTED
        return actor

    async def user(self, actor: str) -> int | None:
        """The Telegram user that an actor is; None: forgotten, or no person of Telegram."""
        key = await self._directory.person_key(actor)
        return int(key.removeprefix("tg:")) if key is not None and key.startswith("tg:") else None

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

    def chat_of(self, home: str) -> int | None:
        """The chat that a home is."""
        return self._chats.get(home)

    def inherited(self, chat: int) -> list[str]:
        """The tables that go on in this private chat because their own was forgotten."""
        return [table for table, heir in self._heirs.items() if heir == chat]

    def forget(self, chat: int, heirs: Mapping[str, int]) -> None:
        """Holds nothing of a chat any more that the directory has forgotten; some of its tables go on elsewhere."""
        self._heirs = {table: heir for table, heir in self._heirs.items() if heir != chat} | dict(heirs)
        self._people.pop(chat, None)  # a private chat has its person's number
        found = self._homes.pop(chat, None)
        if found is not None:
            self._chats.pop(found, None)

    async def home(self, chat: int) -> str:
        """The chat's home: its tables' ids begin with it."""
        if chat not in self._homes:
            found = self._homes[chat] = await self._directory.home(f"{_CHAT}{chat}")
            self._chats.setdefault(found, chat)
        return self._homes[chat]

    async def reason(self, table: str, reason_hash: str) -> str:
        """The words of which a table's history has the hash; "" where they are not kept."""
        return await self._directory.get("reasons", f"{table} {reason_hash}") or ""
