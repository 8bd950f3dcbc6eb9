"""What an update tells us, in our own words; what does not concern us is None."""

from __future__ import annotations

import re

import msgspec
from telegram import CallbackQuery, ChatMemberUpdated, Message, Update
from telegram.constants import ChatMemberStatus, ChatType

ALLOWED = ("message", "callback_query", "my_chat_member", "chat_member")
_OUT = (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED)
_COMMAND = re.compile(r"/(\w{1,32})(?:@(\w+))?(?:\s+(.*))?", re.ASCII | re.DOTALL)


class User(msgspec.Struct, frozen=True):
    """A person on Telegram; `language` is that of his program (`fr`, `pt-BR`; "" where it does not say)."""

    id: int
    name: str
    language: str = ""


class Said(msgspec.Struct, frozen=True):
    """Somebody wrote to us: a command (without its slash, in lower case) with what follows, or plain text.

    `user` is None for whoever writes in the name of the group (`group`: an anonymous administrator) or of a channel.
    `message` is its id in the chat; `reply`: it answers a message of ours; `forwarded`: somebody wrote it earlier.
    """

    update: int
    chat: int
    private: bool
    user: User | None
    command: str | None
    text: str
    thread: int | None = None
    group: bool = False
    message: int = 0
    reply: bool = False
    forwarded: bool = False


class Pressed(msgspec.Struct, frozen=True):
    """Somebody pressed a button under the message `message` of a chat.

    `real`: the message does have such a button (a modified client can send what it likes).
    """

    update: int
    query: str
    chat: int
    private: bool
    user: User
    message: int
    data: str
    real: bool = True


class Migrated(msgspec.Struct, frozen=True):
    """A group has become a supergroup."""

    update: int
    old: int
    new: int

    @property
    def chat(self) -> int:
        """In whose order this is handled."""
        return self.old


class Membership(msgspec.Struct, frozen=True):
    """We may (`here`), or may not, write to this chat any more; `new`: we could not before."""

    update: int
    chat: int
    private: bool
    user: User
    here: bool
    new: bool


Incoming = Said | Pressed | Migrated | Membership


def read(update: Update, username: str) -> Incoming | None:
    """What the update tells; `username` is our own: a command for another bot is none of ours."""
    if update.message is not None:
        return _message(update.update_id, update.message, username)
    if update.callback_query is not None:
        return _press(update.update_id, update.callback_query)
    if update.my_chat_member is not None:
        return _membership(update.update_id, update.my_chat_member)
    return None


def chat_of(update: Update) -> int:
    """The chat in whose order the update is to be handled."""
    if update.callback_query is not None and update.callback_query.message is not None:
        return update.callback_query.message.chat.id
    chat = update.effective_chat
    if chat is not None:
        return chat.id
    return 0 if update.effective_user is None else update.effective_user.id


def _message(number: int, message: Message, username: str) -> Said | Migrated | None:
    if message.migrate_to_chat_id is not None:
        return Migrated(number, message.chat.id, message.migrate_to_chat_id)
    if message.migrate_from_chat_id is not None:
        return Migrated(number, message.migrate_from_chat_id, message.chat.id)
    if message.text is None or message.chat.type == ChatType.CHANNEL:
        return None
    user = None
    if message.from_user is not None and message.sender_chat is None and not message.from_user.is_bot:
        user = User(message.from_user.id, message.from_user.first_name, message.from_user.language_code or "")
    command, text = None, message.text.strip()
    if text.startswith("/"):
        found = _COMMAND.fullmatch(text)
        if found is None:
            return None
        if found[2] is not None and found[2].lower() != username.lower():
            return None
        command, text = found[1].lower(), (found[3] or "").strip()
    return Said(
        update=number,
        chat=message.chat.id,
        private=message.chat.type == ChatType.PRIVATE,
        user=user,
        command=command,
        text=text,
        thread=message.message_thread_id if message.is_topic_message else None,
        group=message.sender_chat is not None and message.sender_chat.id == message.chat.id,
        message=message.message_id,
        reply=_answers(message, username),
        forwarded=message.forward_origin is not None,
    )


def _answers(message: Message, username: str) -> bool:
    replied = message.reply_to_message
    author = None if replied is None else replied.from_user
    return author is not None and (author.username or "").lower() == username.lower()


def _press(number: int, query: CallbackQuery) -> Pressed | None:
    if query.message is None:
        return None
    markup = query.message.reply_markup if isinstance(query.message, Message) else None
    rows = () if markup is None else markup.inline_keyboard
    return Pressed(
        update=number,
        query=query.id,
        chat=query.message.chat.id,
        private=query.message.chat.type == ChatType.PRIVATE,
        user=User(query.from_user.id, query.from_user.first_name),
        message=query.message.message_id,
        data=query.data or "",
        real=any(button.callback_data == query.data for row in rows for button in row),
    )


def _membership(number: int, change: ChatMemberUpdated) -> Membership:
    here = change.new_chat_member.status not in _OUT
    return Membership(
        update=number,
        chat=change.chat.id,
        private=change.chat.type == ChatType.PRIVATE,
        user=User(change.from_user.id, change.from_user.first_name),
        here=here,
        new=here and change.old_chat_member.status in _OUT,
    )
