"""Ephemeral messages (Bot API 10.2 and 10.3): in a group, for one member's eyes alone; sent, edited, deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from service.sandbox import objects, writing
from service.sandbox.refusals import NOT_MODIFIED, Refused, bad_request
from service.sandbox.state import Chat, Message, Post, is_member

if TYPE_CHECKING:
    from service.sandbox.world import World

Params = dict[str, Any]
PARAMETERS = "ephemeral_message_parameters"
METHODS = frozenset({"editEphemeralMessageText", "editEphemeralMessageReplyMarkup", "deleteEphemeralMessage"})
ANSWER_MS = 15_000  # so long after a tap a bot that is no administrator may whisper


def send(world: World, params: Params) -> Any:
    """Bot API, sendMessage with `ephemeral_message_parameters`.

    Refuses (400) outside groups, to who is no member, and from a bot that is no administrator unless it answers a tap
    of the receiver in this chat within 15 seconds.
    """
    chat = writing.writable_chat(world, params)
    thread = writing.writable_thread(world, chat, params)
    wish = params[PARAMETERS]
    if not isinstance(wish, dict) or not isinstance(wish.get("receiver_user_id"), int):
        raise bad_request("can't parse EphemeralMessageParameters: Can't find field \"receiver_user_id\"")
    receiver = wish["receiver_user_id"]
    if chat.kind == "private":
        raise bad_request("ephemeral messages can be sent only to group and supergroup chats")
    if not is_member(chat.members.get(receiver)) or receiver == world.bot.id:
        raise bad_request("USER_NOT_PARTICIPANT")
    if wish.get("replace_callback_query_message"):
        world.violate("replace_callback_query_message, which this server does not carry out")
    if params.get("reply_parameters") is not None:
        world.violate("an ephemeral message that answers a message, which this server does not carry out")
    _admit(world, chat, receiver, wish.get("callback_query_id"))
    formatted, keyboard = writing.formatted_text(world, params), writing.sent_keyboard(world, chat, params)
    chat.last_whisper += 1
    message = Message(
        chat_id=chat.id,
        id=0,
        date=world.clock() // 1000,
        sender=world.bot.id,
        text=formatted.text,
        entities=formatted.entities,
        keyboard=keyboard,
        thread=thread,
        ephemeral_id=chat.last_whisper,
        receiver=receiver,
    )
    chat.whispers[chat.last_whisper] = Post([message], world.number())
    world.show(chat, message, "message", [receiver])
    return objects.message_object(message, chat, world.users)


def edit_text(world: World, params: Params) -> Any:
    """Bot API, editEphemeralMessageText; a keyboard that is not sent along is gone."""
    chat, post = _own(world, params)
    formatted, keyboard = writing.formatted_text(world, params), writing.sent_keyboard(world, chat, params)
    now = post.now
    if (now.text, now.entities, now.keyboard) == (formatted.text, formatted.entities, keyboard):
        raise Refused(400, NOT_MODIFIED)
    return _revise(world, chat, post, text=formatted.text, entities=formatted.entities, keyboard=keyboard)


def edit_reply_markup(world: World, params: Params) -> Any:
    """Bot API, editEphemeralMessageReplyMarkup."""
    chat, post = _own(world, params)
    keyboard = writing.sent_keyboard(world, chat, params)
    if post.now.keyboard == keyboard:
        raise Refused(400, NOT_MODIFIED)
    return _revise(world, chat, post, keyboard=keyboard)


def delete(world: World, params: Params) -> Any:
    """Bot API, deleteEphemeralMessage."""
    _, post = _own(world, params, "message to delete not found")
    post.deleted = True
    return True


def _admit(world: World, chat: Chat, receiver: int, query_id: Any) -> None:
    if query_id is None:
        if chat.members[world.bot.id] != "administrator":
            raise bad_request("CHAT_ADMIN_REQUIRED")
        return
    query = world.queries.get(query_id) if isinstance(query_id, str) else None
    if query is None or (query.chat_id, query.user_id) != (chat.id, receiver):
        raise bad_request("QUERY_ID_INVALID")
    if world.clock() - query.pressed_at > ANSWER_MS and chat.members[world.bot.id] != "administrator":
        raise bad_request("QUERY_ID_INVALID")


def _own(world: World, params: Params, missing: str = "message to edit not found") -> tuple[Chat, Post]:
    chat = writing.writable_chat(world, params)
    post = chat.whispers.get(params.get("ephemeral_message_id", 0))
    if post is None or post.deleted or post.now.receiver != params.get("receiver_user_id"):
        raise bad_request(missing)
    return chat, post


def _revise(world: World, chat: Chat, post: Post, **changes: Any) -> bool:
    message = msgspec.structs.replace(post.now, edit_date=world.clock() // 1000, **changes)
    post.versions.append(message)
    receiver = post.now.receiver
    assert receiver is not None
    if is_member(chat.members.get(receiver)):
        world.show(chat, message, "edit", [receiver])
    return True
