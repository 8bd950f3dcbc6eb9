"""Builds the objects that tell who may do what in a chat: ChatMember, its changes, and the chat as getChat gives it."""

from __future__ import annotations

from service.sandbox.objects import Json, Users, chat_object, message_object, user_object
from service.sandbox.state import Chat, User

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


def member_object(status: str, user: User, chat: Chat) -> Json:
    """ChatMember; an administrator has every right an administrator can have, the bot but those withheld from it."""
    body: Json = {"status": status, "user": user_object(user)}
    anonymous = user.id in chat.anonymous
    if status == "creator":
        return body | {"is_anonymous": anonymous}
    if status == "administrator":
        withheld = chat.withheld if user.is_bot else frozenset()
        rights = {right: right not in withheld for right in _EVERY_RIGHT}
        return body | {"can_be_edited": False, "is_anonymous": anonymous} | rights
    if status == "restricted":
        more = ("can_react_to_messages", "can_edit_tag", "can_manage_topics")
        return body | {"is_member": True, "until_date": 0} | dict.fromkeys((*_PERMISSIONS, *more), False)
    if status == "kicked":
        return body | {"until_date": 0}
    return body


def member_change_object(chat: Chat, users: Users, *, by: int, user: int, old: str, new: str, date: int) -> Json:
    """ChatMemberUpdated; `date` in seconds."""
    return {
        "chat": chat_object(chat, users),
        "from": user_object(users[by]),
        "date": date,
        "old_chat_member": member_object(old, users[user], chat),
        "new_chat_member": member_object(new, users[user], chat),
    }
