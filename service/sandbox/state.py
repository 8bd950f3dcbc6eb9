"""What the sandbox remembers: users, chats, messages with all their versions, queries, the journal."""

from __future__ import annotations

from typing import Any

import msgspec

from service.sandbox.entities import Entity, Formatted


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

    kind: str
    users: tuple[int, ...] = ()
    message_id: int | None = None
    chat_id: int | None = None
    title: str = ""


class Thread(msgspec.Struct):
    """A topic of a group."""

    name: str
    closed: bool = False


class Upload(msgspec.Struct, frozen=True):
    """A file as it came with a call."""

    name: str
    mime: str
    data: bytes

    def __repr__(self) -> str:
        return f"<{self.name}: {len(self.data)} bytes>"


class File(msgspec.Struct, frozen=True, kw_only=True):
    """A file on the server: `kind` is photo or document; a photo has a width and a height."""

    id: str
    unique_id: str
    kind: str
    name: str
    mime: str
    data: bytes
    width: int
    height: int
    path: str

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}: {len(self.data)} bytes>"


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
    file: File | None = None  # the text is its caption then
    via: int | None = None  # the bot among whose inline results it was chosen
    thread: int | None = None  # the forum topic it is in; None: General, or a chat without topics
    ephemeral_id: int | None = None  # an ephemeral message: `id` is 0, and only `receiver` sees it
    receiver: int | None = None

    @property
    def key(self) -> tuple[int, int | None]:
        """What tells it from every other message of its chat."""
        return self.id, self.ephemeral_id

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
    reactions: dict[int, tuple[str, ...]] = {}  # by user

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
    members: dict[int, str] = {}  # user id -> creator, administrator, member, restricted, left, kicked
    pinned: list[int] = []
    forum: bool = False
    topics: dict[int | None, Thread] = msgspec.field(default_factory=lambda: {None: Thread("General")})
    anonymous: set[int] = set()  # administrators who write in the group's name
    withheld: frozenset[str] = frozenset()  # rights that the bot does not have as an administrator
    migrated_to: int | None = None
    migrated_from: int | None = None
    last_id: int = 0
    whispers: dict[int, Post] = {}  # ephemeral messages, by their own ids
    last_whisper: int = 0
    started: bool = False  # private: the person has pressed start
    blocked: bool = False  # private: the person has blocked the bot

    def post(self, message: Message) -> Post | None:
        """The post that this is a version of."""
        return self.posts.get(message.id) if message.ephemeral_id is None else self.whispers.get(message.ephemeral_id)

    @property
    def creator(self) -> int:
        """Id of the group's creator."""
        return next(user for user, status in self.members.items() if status == "creator")

    def present(self) -> list[int]:
        """Ids of those who see what is posted now."""
        return [user for user, status in self.members.items() if is_member(status)]


def is_member(status: str | None) -> bool:
    """Whether somebody of this status sees the chat."""
    return status in {"creator", "administrator", "member", "restricted"}


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
    inline: bool = False  # under a message that was sent via the bot
    ephemeral_id: int | None = None  # under an ephemeral message: `message_id` is 0
    answer: Answer | None = None


class Result(msgspec.Struct, frozen=True):
    """A result as the client shows it (title, description), and the message that choosing it sends."""

    id: str
    title: str
    description: str
    content: Formatted
    keyboard: Keyboard


class Results(msgspec.Struct, frozen=True, kw_only=True):
    """An answer to an inline query; `button` is the one above the results, which starts the bot with `start`."""

    results: tuple[Result, ...]
    next_offset: str = ""
    button: str = ""
    start: str = ""

    def titled(self, title: str) -> Result | None:
        """The first result whose title is exactly this."""
        return next((result for result in self.results if result.title == title), None)

    @property
    def titles(self) -> list[str]:
        """What the results say, in order."""
        return [result.title for result in self.results]


class Asked(msgspec.Struct):
    """A query that somebody typed after the bot's name, waiting for `answerInlineQuery`."""

    id: str
    user_id: int
    chat_id: int
    query: str
    offset: str
    asked_at: int  # milliseconds
    number: int
    answer: Results | None = None
    cached: bool = False


class Sight(msgspec.Struct, frozen=True):
    """A text that one user could see, ever: `kind` is message, edit, button, data, url, file, inline, alert, toast."""

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
