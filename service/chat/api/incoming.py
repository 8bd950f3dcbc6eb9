"""What an update tells us, in our own words; what does not concern us is None."""

from __future__ import annotations

import re

import msgspec
import telegram
from telegram import CallbackQuery, ChatMember, ChatMemberRestricted, ChatMemberUpdated, Message, MessageEntity, Update
from telegram.constants import ChatMemberStatus, ChatType

ALLOWED = (
    *("message", "callback_query", "my_chat_member", "chat_member"),
    *("inline_query", "chosen_inline_result"),
)
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
    `message` is its id in the chat; `reply`: it answers a message of ours, whose id is `answers`; `forwarded`: somebody
    wrote it earlier. `meant` is the person whose message it answers. `table` and `sure` are what buttons answered when
    we asked back: which table, and whether it is meant seriously. `via`: he chose it from the list that we gave him in
    the input line; what our link in it says (`tokens.linked`), "" for none. `addressed`: the command names us,
    `/score@tabletalk_bot`.
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
    answers: int = 0
    meant: User | None = None
    table: str = ""
    sure: bool = False
    via: str | None = None
    addressed: bool = False


class Pressed(msgspec.Struct, frozen=True):
    """Somebody pressed a button under the message `message` of a chat.

    `real`: the message does have such a button (a modified client can send what it likes). `ephemeral`: the message's
    own number where only the presser sees it (`message` is 0 then).
    """

    update: int
    query: str
    chat: int
    private: bool
    user: User
    message: int
    data: str
    real: bool = True
    thread: int | None = None
    ephemeral: int = 0


class Wondered(msgspec.Struct, frozen=True):
    """Somebody asks by our name in the input line of a chat (Bot API, InlineQuery): what may he do?"""

    update: int
    query: str
    user: User
    text: str


class Chosen(msgspec.Struct, frozen=True):
    """Which of the results he took, where @BotFather lets us hear of it; its message comes by itself."""

    update: int
    user: User
    result: str


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


class Gone(msgspec.Struct, frozen=True):
    """Somebody is not in the group any more: he left, or was thrown out."""

    update: int
    chat: int
    user: User


class TopicChanged(msgspec.Struct, frozen=True):
    """A topic of a forum was closed, or opened again."""

    update: int
    chat: int
    thread: int
    closed: bool


InChat = Said | Pressed | Migrated | Membership | Gone | TopicChanged
Incoming = InChat | Wondered | Chosen


def read(update: Update, username: str) -> Incoming | None:
    """What the update tells; `username` is our own: a command for another bot is none of ours."""
    if update.message is not None:
        return _message(update.update_id, update.message, username)
    if update.callback_query is not None:
        return _press(update.update_id, update.callback_query)
    if update.inline_query is not None:
        query = update.inline_query
        return Wondered(update.update_id, query.id, _user(query.from_user), query.query)
    if update.chosen_inline_result is not None:
        taken = update.chosen_inline_result
        return Chosen(update.update_id, _user(taken.from_user), taken.result_id)
    if update.my_chat_member is not None:
        return _membership(update.update_id, update.my_chat_member)
    if update.chat_member is not None:
        return _gone(update.update_id, update.chat_member)
    return None


def chat_of(update: Update) -> int:
    """The chat in whose order the update is to be handled."""
    if update.callback_query is not None and update.callback_query.message is not None:
        return update.callback_query.message.chat.id
    chat = update.effective_chat
    if chat is not None:
        return chat.id
    return 0 if update.effective_user is None else update.effective_user.id


def _message(number: int, message: Message, username: str) -> Said | Migrated | Gone | TopicChanged | None:
    if message.migrate_to_chat_id is not None:
        return Migrated(number, message.chat.id, message.migrate_to_chat_id)
    if message.migrate_from_chat_id is not None:
        return Migrated(number, message.migrate_from_chat_id, message.chat.id)
    if message.left_chat_member is not None and not message.left_chat_member.is_bot:
        return Gone(number, message.chat.id, _user(message.left_chat_member))
    if message.message_thread_id is not None and (message.forum_topic_closed or message.forum_topic_reopened):
        return TopicChanged(number, message.chat.id, message.message_thread_id, message.forum_topic_closed is not None)
    if message.text is None or message.chat.type == ChatType.CHANNEL:
        return None
    user = None
    if message.from_user is not None and message.sender_chat is None and not message.from_user.is_bot:
        user = User(message.from_user.id, message.from_user.first_name, message.from_user.language_code or "")
    command, text, addressed = None, message.text.strip(), False
    if text.startswith("/"):
        found = _COMMAND.fullmatch(text)
        if found is None:
            return None
        if found[2] is not None and found[2].lower() != username.lower():
            return None
        command, text, addressed = found[1].lower(), (found[3] or "").strip(), found[2] is not None
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
        reply=bool(answered := _answers(message, username)),
        answers=answered,
        forwarded=message.forward_origin is not None,
        meant=_meant(message),
        addressed=addressed,
        via=_via(message, username),
    )


def _meant(message: Message) -> User | None:
    """The person whose message is answered; nobody who writes in the name of a chat, and no bot."""
    replied = message.reply_to_message
    if replied is None or replied.from_user is None or replied.from_user.is_bot or replied.sender_chat is not None:
        return None
    return _user(replied.from_user)


def _via(message: Message, username: str) -> str | None:
    """What our link in a message says that was sent by our inline mode; None for any other message."""
    if message.via_bot is None or (message.via_bot.username or "").lower() != username.lower():
        return None
    for entity in message.entities:
        _, found, payload = (entity.url or "").partition("?start=")
        if found and entity.type == MessageEntity.TEXT_LINK:
            return payload
    return ""


def _user(found: telegram.User) -> User:
    return User(found.id, found.first_name, found.language_code or "")


def _answers(message: Message, username: str) -> int:
    """The id of our message that is answered, 0 where it is none of ours."""
    replied = message.reply_to_message
    author = None if replied is None else replied.from_user
    ours = replied is not None and author is not None and (author.username or "").lower() == username.lower()
    return replied.message_id if replied is not None and ours else 0


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
        user=User(query.from_user.id, query.from_user.first_name, query.from_user.language_code or ""),
        message=query.message.message_id,
        data=query.data or "",
        real=any(button.callback_data == query.data for row in rows for button in row),
        ephemeral=_ephemeral(query),
        thread=query.message.message_thread_id
        if isinstance(query.message, Message) and query.message.is_topic_message
        else None,
    )


def _ephemeral(query: CallbackQuery) -> int:
    """The number of the ephemeral message under which a button was pressed, 0 for any other (Bot API, Message)."""
    found = query.message.api_kwargs.get("ephemeral_message_id") if isinstance(query.message, Message) else None
    return found if type(found) is int else 0


def _membership(number: int, change: ChatMemberUpdated) -> Membership:
    here = change.new_chat_member.status not in _OUT and not _silenced(change.new_chat_member)
    return Membership(
        update=number,
        chat=change.chat.id,
        private=change.chat.type == ChatType.PRIVATE,
        user=User(change.from_user.id, change.from_user.first_name, change.from_user.language_code or ""),
        here=here,
        new=here and change.old_chat_member.status in _OUT,
    )


def _silenced(member: ChatMember) -> bool:
    return isinstance(member, ChatMemberRestricted) and not (member.is_member and member.can_send_messages)


def _gone(number: int, change: ChatMemberUpdated) -> Gone | None:
    """Bot API, chat_member: we hear of it where we are an administrator."""
    member = change.new_chat_member
    out = member.status in _OUT or (isinstance(member, ChatMemberRestricted) and not member.is_member)
    return Gone(number, change.chat.id, _user(member.user)) if out and not member.user.is_bot else None
