"""The sandbox's world: one bot, the people and chats around it, and everything that happened."""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec

from service.sandbox import objects
from service.sandbox.entities import Formatted
from service.sandbox.limits import Fault, Flood, Trouble
from service.sandbox.people import Group, Person, Place, Private
from service.sandbox.refusals import BLOCKED, kicked
from service.sandbox.state import (
    ANONYMOUS,
    Call,
    Chat,
    Keyboard,
    Message,
    Post,
    Query,
    Service,
    Sight,
    User,
    is_member,
)
from service.sandbox.transcript import transcript
from service.sandbox.updates import UpdateQueue

Value = TypeVar("Value")
CheckCall = Callable[[str, dict[str, Any]], Sequence[str]]
CheckObject = Callable[[str, Any], Sequence[str]]
_COMMAND = re.compile(r"/[A-Za-z0-9_]+(?:@([A-Za-z0-9_]+))?")


def wall_clock() -> int:
    """Milliseconds UTC."""
    return time.time_ns() // 1_000_000


class World:
    """State behind one bot token. Every public method may be called from any thread.

    `clock` gives milliseconds; `privacy` is the bot's privacy mode; `flood` turns Telegram's limits on; a `strict`
    world notes in `violations` whatever Telegram would let pass but a careful bot does not do;
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
        query_lifetime_ms: int = 15_000,
        check_call: CheckCall | None = None,
        check_object: CheckObject | None = None,
    ) -> None:
        self.token = token or f"{7_000_000_000 + secrets.randbelow(10**9)}:AA{secrets.token_hex(16)}x"
        self.url = ""  # of the server, once one serves this world: TELEGRAM_API_URL
        self.bot = User(id=int(self.token.partition(":")[0]), first_name=name, username=username, is_bot=True)
        self.privacy, self.strict, self.clock = privacy, strict, clock
        self.query_lifetime_ms = query_lifetime_ms
        self.check_call, self.check_object = check_call, check_object
        self.users: dict[int, User] = {self.bot.id: self.bot, ANONYMOUS.id: ANONYMOUS}
        self.chats: dict[int, Chat] = {}
        self.queries: dict[str, Query] = {}
        self.commands: dict[tuple[str, str], list[dict[str, str]]] = {}
        self.updates = UpdateQueue(first_id=100_000_001)
        self.journal: list[Call] = []
        self.sights: list[Sight] = []
        self.violations: list[str] = []
        self.faults: list[Fault] = []
        self.flood = Flood() if flood else None
        self.poll = 0  # the number of the getUpdates call that may wait
        self.closed = False
        self.changed = threading.Condition(threading.RLock())
        self.listeners: set[Callable[[], None]] = set()
        self._number = 0

    # --- for tests ---

    def person(
        self,
        first_name: str,
        *,
        last_name: str | None = None,
        username: str | None = None,
        language_code: str = "en",
    ) -> Person:
        """Somebody new, who has not met the bot yet."""
        with self.changing():
            user_id = 5_000_000_000 + sum(not user.is_bot for user in self.users.values()) + 1
            user = User(
                id=user_id,
                first_name=first_name,
                last_name=last_name,
                username=username,
                language_code=language_code,
            )
            self.users[user_id] = user
            members = {user_id: "member", self.bot.id: "member"}
            self.chats[user_id] = Chat(id=user_id, kind="private", members=members)
        return Person(self, user_id)

    def group(
        self,
        title: str,
        people: Sequence[Person],
        *,
        admins: Sequence[Person] = (),
        supergroup: bool = False,
        with_bot: bool = True,
    ) -> Group:
        """A new group; the first of `people` created it, who also adds the bot (unless told not to)."""
        with self.changing():
            number = 1 + sum(chat.kind != "private" for chat in self.chats.values())
            chat_id = -1_002_000_000_000 - number if supergroup else -4_000_000_000 - number
            chat = Chat(id=chat_id, kind="supergroup" if supergroup else "group", title=title)
            chat.members = {person.id: "administrator" if person in admins else "member" for person in people}
            chat.members[people[0].id] = "creator"
            self.chats[chat_id] = chat
            group = Group(self, chat_id)
            if with_bot:
                group.add_bot()
        return group

    def wait_until(self, predicate: Callable[[], Value | None], timeout: float = 10.0, what: str = "") -> Value:
        """Waits until the predicate holds (asked again at each change) and gives its value; `timeout` in seconds.

        Raises TimeoutError that tells `what` was waited for, and every chat as it stands.
        """
        with self.changed:
            value = self.changed.wait_for(predicate, timeout)
            if value:
                return value
            chats = "\n".join(transcript(self, chat) for chat in self.chats.values() if chat.posts)
            raise TimeoutError(f"not within {timeout} s: {what or predicate}\n{chats}")

    def fault(
        self,
        trouble: Trouble,
        *,
        method: str | None = None,
        chat: Place | None = None,
        times: int = 1,
        retry_after: int = 1,
        description: str = "",
        seconds: float = 60.0,
    ) -> Fault:
        """Orders trouble for the next `times` calls that fit; see `Fault`. `description` is that of a 403."""
        fault = Fault(
            trouble=trouble,
            method=method,
            chat_id=None if chat is None else chat.id,
            times=times,
            retry_after=retry_after,
            description=description or (BLOCKED if isinstance(chat, Private) else kicked("group").description),
            seconds=seconds,
        )
        with self.changing():
            self.faults.append(fault)
        return fault

    def release(self, fault: Fault) -> None:
        """Lets the answers go that a `delayed` fault holds back."""
        with self.changing():
            fault.released = True

    def calls(self, method: str | None = None, chat: Place | None = None) -> list[Call]:
        """The journal, or what of it fits."""
        with self.changed:
            return [
                call
                for call in self.journal
                if method in {None, call.method} and (chat is None or call.params.get("chat_id") == chat.id)
            ]

    def everything_seen_by(self, person: Person, *, data: bool = False) -> list[str]:
        """Every text that she could see, ever: messages, their edits, buttons, links, her alerts and toasts.

        With `data` also the callback data, which a modified client shows.
        """
        with self.changed:
            return [
                sight.text for sight in self.sights if sight.user_id == person.id and (data or sight.kind != "data")
            ]

    def transcript(self, place: Place, *, history: bool = False) -> str:
        """The chat for a human reader, edits as their last state (with `history` all of them)."""
        with self.changed:
            return transcript(self, self.chats[place.id], history=history)

    def assert_clean(self) -> None:
        """Raises AssertionError when the bot did anything that a second reader or the strict server minds."""
        with self.changed:
            if self.violations:
                raise AssertionError("violations:\n" + "\n".join(self.violations))

    # --- for the server and the people ---

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
        )
        chat.posts[message.id] = Post([message], self.number())
        self._show(chat, message, "message", chat.present())
        if self._hears(chat, message):
            self.enqueue("message", objects.message_object(message, chat, self.users))
        return message

    def revise(self, chat: Chat, post: Post, **changes: Any) -> Message:
        """A new version of a message; a person's edit is an update."""
        message = msgspec.structs.replace(post.now, edit_date=self.clock() // 1000, **changes)
        post.versions.append(message)
        self._show(chat, message, "edit", chat.present())
        if message.sender != self.bot.id and self._hears(chat, message):
            self.enqueue("edited_message", objects.message_object(message, chat, self.users))
        return message

    def set_status(self, chat: Chat, user_id: int, status: str, by: int) -> None:
        """Makes somebody a member, an administrator, one who left ...; the bot hears of it as Telegram lets it."""
        old = chat.members.get(user_id, "left")
        chat.members[user_id] = status
        if is_member(status) and not is_member(old):
            for post in chat.posts.values():
                if not post.deleted:
                    self._show(chat, post.now, "message", [user_id])
        if user_id != self.bot.id and chat.members.get(self.bot.id) != "administrator":
            return
        kind = "my_chat_member" if user_id == self.bot.id else "chat_member"
        date = self.clock() // 1000
        change = objects.member_change_object(chat, self.users, by=by, user=user_id, old=old, new=status, date=date)
        self.enqueue(kind, change)

    def _hears(self, chat: Chat, message: Message) -> bool:
        """Whether an update tells the bot of the message (privacy mode: Bots FAQ, "What messages will my bot get?")."""
        if not is_member(chat.members.get(self.bot.id)):
            return False
        if message.service is not None:
            return True
        if message.sender == self.bot.id:
            return False
        if chat.kind == "private" or not self.privacy or chat.members[self.bot.id] == "administrator":
            return True
        if message.reply_to in chat.posts and chat.posts[message.reply_to].now.sender == self.bot.id:
            return True
        command = _COMMAND.match(message.text)
        return (
            command is not None and (command[1] or self.bot.username or "").lower() == (self.bot.username or "").lower()
        )

    def _show(self, chat: Chat, message: Message, kind: str, to: Sequence[int]) -> None:
        shown = [(kind, message.text)] if message.text else []
        shown += [("url", entity.url) for entity in message.entities if entity.url]
        for row in message.keyboard:
            for button in row:
                shown.append(("button", button.text))
                shown.append(("data" if button.kind == "callback_data" else "url", button.value))
        self.sights += [Sight(user, chat.id, kind, text) for user in to for kind, text in shown]
