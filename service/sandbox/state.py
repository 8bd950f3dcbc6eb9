"""What the sandbox remembers: users, chats, messages with all their versions, queries, the journal."""

from __future__ import annotations

from typing import Any

import msgspec

from service.sandbox.entities import Entity


class User(msgspec.Struct, frozen=True, kw_only=True):
    """A person or the bot (Bot API, User)."""

    id: int
    first_name: str
    last_name: str | None = None
    username: str | None = None
    is_bot: bool = False
    language_code: str | None = None


ANONYMOUS = User(id=1_087_968_824, first_name="Group", username="GroupAnonymousBot", is_bot=True)


class Button(msgspec.Struct, frozen=True):
    """A button of an inline keyboard: what it says, which field makes it act, and that field's value."""

    text: str
    kind: str  # callback_data, url, web_app, switch_inline_query, switch_inline_query_current_chat, copy_text
    value: str
    style: str | None = None


Keyboard = tuple[tuple[Button, ...], ...]


class Service(msgspec.Struct, frozen=True):
    """What a service message says: `kind` is the field of Message that tells it."""

    kind: str  # new_chat_members, left_chat_member, pinned_message
    users: tuple[int, ...] = ()
    message_id: int | None = None


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """One version of a message as everybody in the chat sees it."""

    chat_id: int
    id: int
    date: int  # seconds
    sender: int
    text: str = ""
    entities: tuple[Entity, ...] = ()
    keyboard: Keyboard = ()
    reply_to: int | None = None
    edit_date: int | None = None
    service: Service | None = None
    as_chat: bool = False  # an anonymous administrator: the sender is ANONYMOUS, the chat speaks

    @property
    def buttons(self) -> list[str]:
        """What the buttons say, row by row, in one list."""
        return [button.text for row in self.keyboard for button in row]

    def button(self, text: str) -> Button | None:
        """The first button that says exactly this."""
        return next((button for row in self.keyboard for button in row if button.text == text), None)


class Post(msgspec.Struct):
    """A message with its history: the last version is what stands in the chat, unless it was deleted."""

    versions: list[Message]
    number: int  # its place among everything that happened
    deleted: bool = False

    @property
    def now(self) -> Message:
        """The version that counts."""
        return self.versions[-1]


class Chat(msgspec.Struct, kw_only=True):
    """A private chat with one person (same id), a group or a supergroup."""

    id: int
    kind: str  # private, group, supergroup
    title: str = ""
    posts: dict[int, Post] = {}
    members: dict[int, str] = {}  # user id -> creator, administrator, member, left, kicked
    pinned: list[int] = []
    last_id: int = 0
    started: bool = False  # private: the person has pressed start
    blocked: bool = False  # private: the person has blocked the bot

    def present(self) -> list[int]:
        """Ids of those who see what is posted now."""
        return [user for user, status in self.members.items() if is_member(status)]


def is_member(status: str | None) -> bool:
    """Whether somebody of this status sees the chat."""
    return status in {"creator", "administrator", "member"}


class Answer(msgspec.Struct, frozen=True):
    """What the presser of a button got: an alert when `show_alert`, else a toast; no text at all is possible."""

    text: str = ""
    show_alert: bool = False
    url: str | None = None


class Query(msgspec.Struct):
    """A press of a button, waiting for `answerCallbackQuery`."""

    id: str
    user_id: int
    chat_id: int
    message_id: int
    data: str
    pressed_at: int  # milliseconds
    number: int
    answer: Answer | None = None


class Sight(msgspec.Struct, frozen=True):
    """A text that one user could see, ever: `kind` is message, edit, button, data, url, alert or toast."""

    user_id: int
    chat_id: int
    kind: str
    text: str


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A journal entry: a call that the bot made and how it was answered (`fault` where one was played)."""

    number: int
    at: int  # milliseconds, the world's clock
    method: str
    params: dict[str, Any]
    answer: dict[str, Any]
    fault: str | None = None

    @property
    def ok(self) -> bool:
        """Whether it was carried out."""
        return bool(self.answer["ok"])
