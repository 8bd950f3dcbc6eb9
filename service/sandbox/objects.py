"""Builds the Bot API's JSON objects from what the sandbox remembers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.sandbox.entities import Entity
from service.sandbox.state import Button, Chat, Keyboard, Message, Query, User

Users = Mapping[int, User]
Json = dict[str, Any]
_EVERY_RIGHT = (
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
    "can_pin_messages",
    "can_send_welcome_messages",
)
_PERMISSIONS = (
    "can_send_messages",
    "can_send_audios",
    "can_send_documents",
    "can_send_photos",
    "can_send_videos",
    "can_send_video_notes",
    "can_send_voice_notes",
    "can_send_polls",
    "can_send_other_messages",
    "can_add_web_page_previews",
    "can_change_info",
    "can_invite_users",
    "can_pin_messages",
)


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


def me_object(user: User, privacy: bool) -> Json:
    """User as getMe gives it, with what only getMe tells."""
    return user_object(user) | {
        "can_join_groups": True,
        "can_read_all_group_messages": not privacy,
        "supports_inline_queries": False,
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
    return {"id": chat.id, "type": chat.kind, "title": chat.title}


def full_chat_object(chat: Chat, users: Users) -> Json:
    """ChatFullInfo, as getChat gives it."""
    gifts = ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels")
    info: Json = chat_object(chat, users) | {
        "accent_color_id": chat.id % 7,
        "max_reaction_count": 11,
        "accepted_gift_types": dict.fromkeys(gifts, False),
    }
    if chat.kind != "private":
        info["permissions"] = dict.fromkeys(_PERMISSIONS, True)
    if chat.pinned:
        info["pinned_message"] = message_object(chat.posts[chat.pinned[-1]].now, chat, users, reply=False)
    return info


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
    if reply and message.reply_to is not None and message.reply_to in chat.posts:
        body["reply_to_message"] = message_object(chat.posts[message.reply_to].now, chat, users, reply=False)
    if message.service is not None:
        return body | _service_fields(message, chat, users)
    body["text"] = message.text
    entities = [entity_object(entity, users) for entity in message.entities]
    if any(entities):
        body["entities"] = [entity for entity in entities if entity]
    if message.keyboard:
        body["reply_markup"] = keyboard_object(message.keyboard)
    return body


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
        case other:
            raise ValueError(f"no such service message: {other}")


def member_object(status: str, user: User) -> Json:
    """ChatMember; an administrator has every right an administrator of a group can have."""
    body: Json = {"status": status, "user": user_object(user)}
    if status == "creator":
        return body | {"is_anonymous": False}
    if status == "administrator":
        return body | {"can_be_edited": False, "is_anonymous": False} | dict.fromkeys(_EVERY_RIGHT, True)
    if status == "kicked":
        return body | {"until_date": 0}
    return body


def member_change_object(chat: Chat, users: Users, *, by: int, user: int, old: str, new: str, date: int) -> Json:
    """ChatMemberUpdated; `date` in seconds."""
    return {
        "chat": chat_object(chat, users),
        "from": user_object(users[by]),
        "date": date,
        "old_chat_member": member_object(old, users[user]),
        "new_chat_member": member_object(new, users[user]),
    }


def query_object(query: Query, chat: Chat, users: Users) -> Json:
    """CallbackQuery of a button under a message of the bot."""
    return {
        "id": query.id,
        "from": user_object(users[query.user_id]),
        "chat_instance": str(chat.id * 7919),
        "message": message_object(chat.posts[query.message_id].now, chat, users),
        "data": query.data,
    }


def _given(**fields: Any) -> Json:
    """The fields that have a value: the Bot API leaves the others out."""
    return {name: value for name, value in fields.items() if value is not None}
