"""Builds the Bot API's JSON objects from what the sandbox remembers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.sandbox.entities import Entity
from service.sandbox.state import Asked, Button, Chat, File, Keyboard, Message, Query, User

Users = Mapping[int, User]
Json = dict[str, Any]


def user_object(user: User) -> Json:
    """User."""
    return _given(
        id=user.id,
        is_bot=user.is_bot,
        first_name=user.first_name,
        last_name=user.last_name,
        username=user.username,
        language_code=user.language_code,
    )


def me_object(user: User, privacy: bool, inline: bool) -> Json:
    """User as getMe gives it, with what only getMe tells."""
    return user_object(user) | {
        "can_join_groups": True,
        "can_read_all_group_messages": not privacy,
        "supports_inline_queries": inline,
        "can_connect_to_business": False,
        "has_main_web_app": False,
    }


def chat_object(chat: Chat, users: Users) -> Json:
    """Chat."""
    if chat.kind == "private":
        user = users[chat.id]
        return _given(
            id=chat.id,
            type="private",
            first_name=user.first_name,
            last_name=user.last_name,
            username=user.username,
        )
    return _given(id=chat.id, type=chat.kind, title=chat.title, is_forum=chat.forum or None)


def entity_object(entity: Entity, users: Users) -> Json | None:
    """MessageEntity; None for a mention of somebody unknown, which Telegram leaves out."""
    if entity.user_id is not None and entity.user_id not in users:
        return None
    return _given(
        type=entity.type,
        offset=entity.offset,
        length=entity.length,
        url=entity.url,
        user=None if entity.user_id is None else user_object(users[entity.user_id]),
        language=entity.language,
    )


def keyboard_object(keyboard: Keyboard) -> Json:
    """InlineKeyboardMarkup."""
    return {"inline_keyboard": [[_button_object(button) for button in row] for row in keyboard]}


def _button_object(button: Button) -> Json:
    value: Any = button.value
    if button.kind == "web_app":
        value = {"url": button.value}
    elif button.kind == "copy_text":
        value = {"text": button.value}
    return _given(text=button.text, style=button.style) | {button.kind: value}


def message_object(message: Message, chat: Chat, users: Users, *, reply: bool = True) -> Json:
    """Message; with the message it answers to, one level deep, as the Bot API does."""
    body = _given(
        message_id=message.id,
        date=message.date,
        chat=chat_object(chat, users),
        edit_date=message.edit_date,
    )
    body["from"] = user_object(users[message.sender])
    if message.as_chat:
        body["sender_chat"] = chat_object(chat, users)
    body |= _threading(message, chat)
    answered = message.thread if message.reply_to is None else message.reply_to  # in a topic: its first message
    if reply and answered is not None and answered in chat.posts and answered != message.id:
        body["reply_to_message"] = message_object(chat.posts[answered].now, chat, users, reply=False)
    if message.service is not None:
        return body | _service_fields(message, chat, users)
    if message.via is not None:
        body["via_bot"] = user_object(users[message.via])
    if message.ephemeral_id is not None and message.receiver is not None:
        body |= {"ephemeral_message_id": message.ephemeral_id, "receiver_user": user_object(users[message.receiver])}
    text, entities_name = ("text", "entities") if message.file is None else ("caption", "caption_entities")
    if message.file is not None:
        body[message.file.kind] = (
            [file_object(message.file)] if message.file.kind == "photo" else file_object(message.file)
        )
    if message.text or message.file is None:
        body[text] = message.text
    entities = [entity_object(entity, users) for entity in message.entities]
    if any(entities):
        body[entities_name] = [entity for entity in entities if entity]
    if message.keyboard:
        body["reply_markup"] = keyboard_object(message.keyboard)
    return body


def file_object(file: File) -> Json:
    """PhotoSize or Document."""
    body: Json = {"file_id": file.id, "file_unique_id": file.unique_id, "file_size": len(file.data)}
    if file.kind == "photo":
        return body | {"width": file.width, "height": file.height}
    return body | {"file_name": file.name, "mime_type": file.mime}


def _threading(message: Message, chat: Chat) -> Json:
    """`message_thread_id`: of a topic, but also of a chain of answers where there are no topics."""
    if message.thread is not None:
        return {"message_thread_id": message.thread, "is_topic_message": True}
    if chat.kind != "supergroup" or chat.forum or message.reply_to not in chat.posts:
        return {}
    first = chat.posts[message.reply_to].now
    while first.reply_to in chat.posts:
        first = chat.posts[first.reply_to].now
    return {"message_thread_id": first.id}


def _service_fields(message: Message, chat: Chat, users: Users) -> Json:
    service = message.service
    assert service is not None
    match service.kind:
        case "new_chat_members":
            return {"new_chat_members": [user_object(users[user]) for user in service.users]}
        case "left_chat_member":
            return {"left_chat_member": user_object(users[service.users[0]])}
        case "pinned_message":
            assert service.message_id is not None
            pinned = chat.posts[service.message_id].now
            return {"pinned_message": message_object(pinned, chat, users, reply=False)}
        case "forum_topic_created":
            return {"forum_topic_created": {"name": service.title, "icon_color": 7322096}}
        case "forum_topic_closed" | "forum_topic_reopened":
            return {service.kind: {}}
        case "migrate_to_chat_id" | "migrate_from_chat_id":
            return {service.kind: service.chat_id}
        case other:
            raise ValueError(f"no such service message: {other}")


def query_object(query: Query, chat: Chat, users: Users) -> Json:
    """CallbackQuery of a button under a message of the bot."""
    under: Json = {"message": message_object(_under(query, chat), chat, users)}
    if query.inline:  # the bot is told no more than this
        under = {"inline_message_id": inline_message_id(query.chat_id, query.message_id)}
    return {
        "id": query.id,
        "from": user_object(users[query.user_id]),
        "chat_instance": str(chat.id * 7919),
        "data": query.data,
        **under,
    }


def reaction_object(
    message: Message, chat: Chat, users: Users, *, user: int, old: tuple[str, ...], new: tuple[str, ...]
) -> Json:
    """MessageReactionUpdated, without its date."""
    kinds = [[{"type": "emoji", "emoji": one} for one in emoji] for emoji in (old, new)]
    return {
        "chat": chat_object(chat, users),
        "message_id": message.id,
        "user": user_object(users[user]),
        "old_reaction": kinds[0],
        "new_reaction": kinds[1],
    }


def inline_message_id(chat_id: int, message_id: int) -> str:
    """What the bot may call a message that was sent via it."""
    return f"AgAAA{abs(chat_id)}_{message_id}"


def inline_query_object(asked: Asked, chat: Chat, users: Users) -> Json:
    """InlineQuery: of the chat the bot learns the type alone."""
    return {
        "id": asked.id,
        "from": user_object(users[asked.user_id]),
        "query": asked.query,
        "offset": asked.offset,
        "chat_type": "sender" if chat.kind == "private" else chat.kind,
    }


def chosen_result_object(asked: Asked, result_id: str, inline_id: str | None, users: Users) -> Json:
    """ChosenInlineResult; `inline_id` where the message has buttons."""
    body = _given(result_id=result_id, query=asked.query, inline_message_id=inline_id)
    return body | {"from": user_object(users[asked.user_id])}


def _under(query: Query, chat: Chat) -> Message:
    return (chat.posts[query.message_id] if query.ephemeral_id is None else chat.whispers[query.ephemeral_id]).now


def _given(**fields: Any) -> Json:
    """The fields that have a value: the Bot API leaves the others out."""
    return {name: value for name, value in fields.items() if value is not None}
