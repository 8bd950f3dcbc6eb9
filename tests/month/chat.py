"""A chat as its people saw it, for a human reader: by day and time, who wrote, pressed, and read what alone."""

from __future__ import annotations

from datetime import UTC, datetime

from service.sandbox.state import Asked, Chat, Message, Post, Query
from service.sandbox.world import World

_INDENT = " " * 8
_WIDTH = 78


def transcript(world: World) -> str:
    """Every chat in which something was said: groups first, with what they were before they became supergroups."""
    chats = sorted(world.chats.values(), key=lambda chat: (chat.kind == "private", _title(world, chat), chat.last_id))
    found = [_chat(world, chat) for chat in chats if chat.posts]
    return "\n\n\n".join(found) + "\n"


def _chat(world: World, chat: Chat) -> str:
    happened = [(post.versions[0].date * 1000, post.number, _post(world, chat, post)) for post in chat.posts.values()]
    happened += [
        (post.versions[0].date * 1000, post.number, _post(world, chat, post)) for post in chat.whispers.values()
    ]
    happened += [
        (one.pressed_at, one.number, _press(world, one)) for one in world.queries.values() if one.chat_id == chat.id
    ]
    happened += [
        (one.asked_at, one.number, _asked(world, one)) for one in world.asked.values() if one.chat_id == chat.id
    ]
    lines = ["=" * _WIDTH, f"{_title(world, chat)} ({chat.kind})", "=" * _WIDTH]
    day = ""
    for at, _, text in sorted(happened, key=lambda one: one[1]):
        moment = datetime.fromtimestamp(at / 1000, UTC)
        if (today := f"{moment:%A %d %B %Y}") != day:
            lines += ["", f"-- {today} --", ""]
            day = today
        lines.append(f"{moment:%H:%M}  {text}")
    return "\n".join(lines)


def _title(world: World, chat: Chat) -> str:
    return chat.title or world.users[chat.id].first_name


def _post(world: World, chat: Chat, post: Post) -> str:
    message = post.now
    who = world.users[message.sender].first_name
    if message.service is not None:
        service = message.service
        about = ", ".join(world.users[user].first_name for user in service.users) or service.title or ""
        return f"* {who}: {service.kind.replace('_', ' ')} {about}".rstrip()
    if message.thread is not None and message.thread in chat.topics:
        who += f" (in {chat.topics[message.thread].name})"
    if message.receiver is not None:
        who += f" (to {world.users[message.receiver].first_name} alone)"
    if message.via is not None:
        who += " (from the list in the input line)"
    if message.reply_to is not None and message.reply_to in chat.posts:
        answered = chat.posts[message.reply_to].versions[0].text.partition("\n")[0]
        who += f" (in reply to {answered[:30]!r})"
    edits = len(post.versions) - 1
    note = "  [deleted later]" if post.deleted else f"  [as it stood after {edits} edits]" if edits else ""
    file = "" if message.file is None else f"[file {message.file.name}] "
    text = f"{file}{message.text}".replace("\n", f"\n{_INDENT}")
    return "\n".join([f"{who}: {text}{note}", *_buttons(message)])


def _buttons(message: Message) -> list[str]:
    return [_INDENT + " ".join(f"[{button.text}]" for button in row) for row in message.keyboard]


def _press(world: World, query: Query) -> str:
    who, chat = world.users[query.user_id].first_name, world.chats[query.chat_id]
    post = chat.posts.get(query.message_id) if query.ephemeral_id is None else chat.whispers.get(query.ephemeral_id)
    versions = [] if post is None else post.versions
    label = next(
        (
            button.text
            for version in reversed(versions)
            for row in version.keyboard
            for button in row
            if button.value == query.data
        ),
        query.data,
    )
    pressed = f"{who} presses [{label}]"
    if query.answer is None:
        return f"{pressed} – and gets no answer"
    if not query.answer.text:
        return pressed
    text = query.answer.text.replace("\n", f"\n{_INDENT}")
    return f"{pressed} – {'alert' if query.answer.show_alert else 'toast'} to {who} alone: {text}"


def _asked(world: World, asked: Asked) -> str:
    who = world.users[asked.user_id].first_name
    typed = f"{who} types @{world.bot.username} {asked.query}".rstrip()
    if asked.answer is None:
        return f"{typed} – and sees nothing"
    return f"{typed} – sees alone: {' | '.join(asked.answer.titles) or 'nothing'}"
