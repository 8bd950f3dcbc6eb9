"""The methods that write into chats: send, edit, delete, pin; with Telegram's checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from service.sandbox import objects
from service.sandbox.entities import Formatted, detected, has_bare_ampersand, parse_html, trimmed, utf16_length
from service.sandbox.keyboards import read_keyboard, unknown_fields
from service.sandbox.refusals import (
    BLOCKED,
    CANNOT_INITIATE,
    DEACTIVATED,
    NO_PIN_RIGHTS,
    NO_WRITE_RIGHTS,
    NOT_MODIFIED,
    Refused,
    bad_request,
    kicked,
    migrated,
)
from service.sandbox.state import Chat, Keyboard, Message, Post, Service

if TYPE_CHECKING:
    from service.sandbox.world import World

Params = dict[str, Any]
MOST_UNITS = 4096
MOST_ENTITIES = 100
DELETABLE_MS = 48 * 60 * 60 * 1000
ACTIONS = frozenset(
    {
        "typing",
        "upload_photo",
        "record_video",
        "upload_video",
        "record_voice",
        "upload_voice",
        "upload_document",
        "choose_sticker",
        "find_location",
        "record_video_note",
        "upload_video_note",
    }
)


def known_chat(world: World, params: Params) -> Chat:
    """The chat of `chat_id`: 400 "chat not found" or "chat_id is empty", 403 where the bot is out."""
    chat_id = params.get("chat_id")
    if chat_id is None:
        raise bad_request("chat_id is empty")
    chat = world.chats.get(chat_id) if isinstance(chat_id, int) else None
    if chat is None:
        raise bad_request("chat not found")
    if chat.migrated_to is not None:
        raise migrated(chat.migrated_to)
    if chat.kind == "private":
        if not chat.started:
            raise bad_request("chat not found")
        return chat
    status = chat.members.get(world.bot.id)
    if status is None:
        raise bad_request("chat not found")
    if status == "kicked":
        raise kicked(chat.kind)
    if status == "left":
        raise Refused(403, f"Forbidden: bot is not a member of the {chat.kind} chat")
    return chat


def writable_chat(world: World, params: Params) -> Chat:
    """As `known_chat`, and the bot may write: 403 to who has not pressed start or has blocked the bot."""
    chat = world.chats.get(params.get("chat_id", 0))
    if chat is not None and chat.kind == "private":
        if not chat.started:
            raise Refused(403, CANNOT_INITIATE)
        if chat.blocked:
            raise Refused(403, BLOCKED)
        if chat.id in world.deleted:
            raise Refused(403, DEACTIVATED)
    known = known_chat(world, params)
    if known.members.get(world.bot.id) == "restricted":
        raise Refused(400, NO_WRITE_RIGHTS)
    return known


def writable_thread(world: World, chat: Chat, params: Params) -> int | None:
    """The forum topic that the call names; 400 "message thread not found", "TOPIC_CLOSED"."""
    thread = params.get("message_thread_id")
    topic = chat.topics.get(thread)
    if topic is None:
        raise bad_request("message thread not found")
    if topic.closed:
        raise bad_request("TOPIC_CLOSED")
    return thread


def send_message(world: World, params: Params) -> Any:
    """Bot API, sendMessage."""
    chat = writable_chat(world, params)
    formatted = formatted_text(world, params)
    keyboard = sent_keyboard(world, chat, params)
    thread = writable_thread(world, chat, params)
    reply_to = replied(chat, params.get("reply_parameters"))
    message = world.post(chat, world.bot.id, formatted, keyboard=keyboard, reply_to=reply_to, thread=thread)
    return objects.message_object(message, chat, world.users)


def edit_message_text(world: World, params: Params) -> Any:
    """Bot API, editMessageText; a keyboard that is not sent along is gone."""
    chat, post = own_post(world, params)
    if post.now.file is not None:
        raise bad_request("there is no text in the message to edit")
    formatted = formatted_text(world, params)
    keyboard = sent_keyboard(world, chat, params)
    now = post.now
    if (now.text, now.entities, now.keyboard) == (formatted.text, formatted.entities, keyboard):
        raise Refused(400, NOT_MODIFIED)
    message = world.revise(chat, post, text=formatted.text, entities=formatted.entities, keyboard=keyboard)
    return objects.message_object(message, chat, world.users)


def edit_message_reply_markup(world: World, params: Params) -> Any:
    """Bot API, editMessageReplyMarkup."""
    chat, post = own_post(world, params)
    keyboard = sent_keyboard(world, chat, params)
    if post.now.keyboard == keyboard:
        raise Refused(400, NOT_MODIFIED)
    return objects.message_object(world.revise(chat, post, keyboard=keyboard), chat, world.users)


def delete_message(world: World, params: Params) -> Any:
    """Bot API, deleteMessage: own messages and, where the bot may, others'; up to 48 hours."""
    chat = known_chat(world, params)
    post = _post(chat, params, "message to delete not found", "message identifier is not specified")
    too_old = world.clock() - post.now.date * 1000 >= DELETABLE_MS
    admin = chat.members[world.bot.id] == "administrator"
    if too_old and not (admin and chat.kind == "supergroup"):
        raise bad_request("message can't be deleted for everyone")
    if post.now.sender != world.bot.id and chat.kind != "private" and not admin:
        raise bad_request("message can't be deleted")
    post.deleted = True
    if post.now.id in chat.pinned:
        chat.pinned.remove(post.now.id)
    return True


def pin_chat_message(world: World, params: Params) -> Any:
    """Bot API, pinChatMessage: in a group by an administrator; leaves a service message, of which the bot hears."""
    chat = _pinnable(world, params)
    post = _post(chat, params, "message to pin not found", "message identifier is not specified")
    if post.now.service is not None:
        raise bad_request("can't pin a service message")
    if post.now.id not in chat.pinned:
        chat.pinned.append(post.now.id)
        service = Service("pinned_message", message_id=post.now.id)
        world.post(chat, world.bot.id, Formatted(""), service=service)
    return True


def unpin_chat_message(world: World, params: Params) -> Any:
    """Bot API, unpinChatMessage: the message, or the one pinned last."""
    chat = _pinnable(world, params)
    message_id = params.get("message_id", chat.pinned[-1] if chat.pinned else None)
    if message_id not in chat.pinned:
        raise bad_request("message to unpin not found")
    chat.pinned.remove(message_id)
    return True


def send_chat_action(world: World, params: Params) -> Any:
    """Bot API, sendChatAction."""
    writable_chat(world, params)
    if params.get("action") not in ACTIONS:
        raise bad_request("wrong parameter action in request")
    return True


def formatted_text(world: World, params: Params, name: str = "text", most: int = MOST_UNITS) -> Formatted:
    """The call's `text` (or `caption`, which may be empty) with its entities.

    Refuses (400) an empty or too long one and HTML that is none.
    """
    source, caption = params.get(name, ""), name == "caption"
    if not source:
        if caption:
            return Formatted("")
        raise bad_request("message text is empty")
    mode = str(params.get("parse_mode", "")).lower()
    if mode not in {"", "html"}:
        world.violate(f"parse_mode {mode!r}: this server reads HTML only")
        raise bad_request("unsupported parse_mode")
    if mode and has_bare_ampersand(source):
        world.violate(f"a text with parse_mode HTML holds an unescaped &: {source!r}")
    formatted = trimmed(parse_html(source) if mode else Formatted(source))
    if not formatted.text and not caption:
        raise bad_request("text must be non-empty")
    if utf16_length(formatted.text) > most:
        raise bad_request("message caption is too long" if caption else "message is too long")
    if len(formatted.entities) > MOST_ENTITIES:
        world.violate(f"{len(formatted.entities)} entities, Telegram drops those after {MOST_ENTITIES}")
    return detected(Formatted(formatted.text, formatted.entities[:MOST_ENTITIES]))


def sent_keyboard(world: World, chat: Chat, params: Params) -> Keyboard:
    """The call's inline keyboard; refuses (400) what `read_keyboard` does."""
    markup = params.get("reply_markup")
    keyboard = read_keyboard(markup, private=chat.kind == "private")
    for name in unknown_fields(markup):
        world.violate(f"reply_markup with {name!r}, which this server does not carry out")
    return keyboard


def replied(chat: Chat, reply: Any) -> int | None:
    """The message that `reply_parameters` name; 400 when it is not there and must be."""
    if reply is None:
        return None
    message_id = reply.get("message_id") if isinstance(reply, dict) else None
    post = chat.posts.get(message_id) if isinstance(message_id, int) else None
    if post is not None and not post.deleted:
        return post.now.id
    if isinstance(reply, dict) and reply.get("allow_sending_without_reply"):
        return None
    raise bad_request("message to be replied not found")


def own_post(world: World, params: Params) -> tuple[Chat, Post]:
    """The message of the bot that the call edits. Refuses (400) one that is not there, not its own, or no message."""
    chat = writable_chat(world, params)
    post = _post(chat, params, "message to edit not found", "message identifier is not specified")
    message: Message = post.now
    if message.sender != world.bot.id or message.service is not None:
        raise bad_request("message can't be edited")
    return chat, post


def _post(chat: Chat, params: Params, missing: str, unspecified: str) -> Post:
    if "message_id" not in params:
        raise bad_request(unspecified)
    post = chat.posts.get(params["message_id"])
    if post is None or post.deleted:
        raise bad_request(missing)
    return post


def _pinnable(world: World, params: Params) -> Chat:
    chat = writable_chat(world, params)
    admin = chat.members[world.bot.id] == "administrator" and "can_pin_messages" not in chat.withheld
    if chat.kind != "private" and not admin:
        raise Refused(400, NO_PIN_RIGHTS)
    return chat
