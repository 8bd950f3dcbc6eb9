"""What there is behind one bot token, and how it changes: users, chats, messages, queries, files, updates."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec

from service.sandbox import memberships, objects
from service.sandbox.entities import Formatted
from service.sandbox.hearing import hears
from service.sandbox.hooks import Hook
from service.sandbox.inline import Cache
from service.sandbox.limits import Fault, Flood
from service.sandbox.state import (
    ANONYMOUS,
    Asked,
    Call,
    Chat,
    File,
    Keyboard,
    Message,
    Post,
    Query,
    Service,
    Sight,
    User,
    is_member,
)
from service.sandbox.updates import UpdateQueue

CheckCall = Callable[[str, dict[str, Any]], Sequence[str]]
CheckObject = Callable[[str, Any], Sequence[str]]


def wall_clock() -> int:
    """Milliseconds UTC."""
    return time.time_ns() // 1_000_000


class Stage:
    """State behind one bot token. Every public method may be called from any thread.

    `clock` gives milliseconds; `privacy` is the bot's privacy mode; `flood` turns Telegram's limits on;
    without `ephemeral` the server is one from before Bot API 10.2, which ignores what it does not know;
    `inline` and `feedback` are @BotFather's settings of the same names (without feedback the bot hears of no choice); a
    `strict` world notes in `violations` whatever Telegram would let pass but a careful bot does not do;
    `check_call(method, params)` and `check_object(kind, object)` are second readers that tell the faults they found.
    """

    def __init__(
        self,
        *,
        token: str | None = None,
        name: str = "Tabletalk",
        username: str = "tabletalk_bot",
        privacy: bool = True,
        flood: bool = False,
        strict: bool = True,
        clock: Callable[[], int] = wall_clock,
        ephemeral: bool = True,
        inline: bool = True,
        feedback: bool = False,
        query_lifetime_ms: int = 15_000,
        check_call: CheckCall | None = None,
        check_object: CheckObject | None = None,
    ) -> None:
        self.token = token or f"{7_000_000_000 + secrets.randbelow(10**9)}:AA{secrets.token_hex(16)}x"
        self.url = ""  # of the server, once one serves this world: TELEGRAM_API_URL
        self.bot = User(id=int(self.token.partition(":")[0]), first_name=name, username=username, is_bot=True)
        self.privacy, self.strict, self.clock = privacy, strict, clock
        self.ephemeral, self.inline, self.feedback = ephemeral, inline, feedback
        self.query_lifetime_ms = query_lifetime_ms
        self.check_call, self.check_object = check_call, check_object
        self.users: dict[int, User] = {self.bot.id: self.bot, ANONYMOUS.id: ANONYMOUS}
        self.deleted: set[int] = set()  # people whose accounts are gone
        self.chats: dict[int, Chat] = {}
        self.queries: dict[str, Query] = {}
        self.files: dict[str, File] = {}
        self.asked: dict[str, Asked] = {}
        self.cache = Cache()
        self.commands: dict[tuple[str, str], list[dict[str, str]]] = {}
        self.updates = UpdateQueue(first_id=100_000_001)
        self.journal: list[Call] = []
        self.sights: list[Sight] = []
        self.violations: list[str] = []
        self.faults: list[Fault] = []
        self.flood = Flood() if flood else None
        self.hook: Hook | None = None
        self.poll = 0  # the number of the getUpdates call that may wait
        self.closed = False
        self.changed = threading.Condition(threading.RLock())
        self.listeners: set[Callable[[], None]] = set()
        self._number = 0

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Holds the lock; whoever waits for a change looks again afterwards."""
        with self.changed:
            try:
                yield
            finally:
                self.changed.notify_all()
                for listener in tuple(self.listeners):
                    listener()

    def close(self) -> None:
        """Ends waiting polls."""
        with self.changing():
            self.closed = True

    def new_chat_id(self, *, supergroup: bool) -> int:
        """An id that no group has yet."""
        number = 1 + sum(chat.kind != "private" for chat in self.chats.values())
        return -1_002_000_000_000 - number if supergroup else -4_000_000_000 - number

    def number(self) -> int:
        """The next number in the order of everything that happens."""
        self._number += 1
        return self._number

    def violate(self, words: str) -> None:
        """Notes something that Telegram lets pass, if the world is strict."""
        if self.strict:
            self.violations.append(words)

    def read_again(self, kind: str, value: Any) -> None:
        """Shows an object that the server built to the second reader."""
        if self.check_object is not None:
            self.violations += [f"built {kind}: {fault}" for fault in self.check_object(kind, value)]

    def enqueue(self, kind: str, body: dict[str, Any]) -> None:
        """An update for the bot."""
        update = self.updates.add(kind, body, self.clock())
        if update is not None:
            self.read_again("Update", update.object())

    def post(
        self,
        chat: Chat,
        sender: int,
        formatted: Formatted,
        *,
        keyboard: Keyboard = (),
        reply_to: int | None = None,
        service: Service | None = None,
        via: int | None = None,
        thread: int | None = None,
        file: File | None = None,
    ) -> Message:
        """A new message in the chat: seen by who is present, an update if the bot is to hear it."""
        chat.last_id += 1
        message = Message(
            chat_id=chat.id,
            id=chat.last_id,
            date=self.clock() // 1000,
            sender=sender,
            text=formatted.text,
            entities=formatted.entities,
            keyboard=keyboard,
            reply_to=reply_to,
            service=service,
            as_chat=sender == ANONYMOUS.id,
            via=via,
            thread=thread,
            file=file,
        )
        chat.posts[message.id] = Post([message], self.number())
        self.show(chat, message, "message", chat.present())
        if hears(self, chat, message):
            self.enqueue("message", objects.message_object(message, chat, self.users))
        return message

    def revise(self, chat: Chat, post: Post, **changes: Any) -> Message:
        """A new version of a message; a person's edit is an update."""
        message = msgspec.structs.replace(post.now, edit_date=self.clock() // 1000, **changes)
        post.versions.append(message)
        self.show(chat, message, "edit", chat.present())
        if message.sender != self.bot.id and hears(self, chat, message):
            self.enqueue("edited_message", objects.message_object(message, chat, self.users))
        return message

    def set_status(self, chat: Chat, user_id: int, status: str, by: int) -> None:
        """Makes somebody a member, an administrator, one who left ...; the bot hears of it as Telegram lets it."""
        old = chat.members.get(user_id, "left")
        chat.members[user_id] = status
        if is_member(status) and not is_member(old):
            for post in chat.posts.values():
                if not post.deleted:
                    self.show(chat, post.now, "message", [user_id])
        if user_id != self.bot.id and chat.members.get(self.bot.id) != "administrator":
            return
        kind = "my_chat_member" if user_id == self.bot.id else "chat_member"
        date = self.clock() // 1000
        change = memberships.member_change_object(chat, self.users, by=by, user=user_id, old=old, new=status, date=date)
        self.enqueue(kind, change)

    def show(self, chat: Chat, message: Message, kind: str, to: Sequence[int]) -> None:
        """Notes what these users can see of a message."""
        shown = [(kind, message.text)] if message.text else []
        shown += [("url", entity.url) for entity in message.entities if entity.url]
        if message.file is not None:
            shown.append(("file", message.file.name))
            if message.file.mime.startswith("text/") or message.file.mime.endswith("json"):
                shown.append(("file", message.file.data.decode(errors="replace")))
        for row in message.keyboard:
            for button in row:
                shown.append(("button", button.text))
                shown.append(("data" if button.kind == "callback_data" else "url", button.value))
        self.sights += [Sight(user, chat.id, kind, text) for user in to for kind, text in shown]
