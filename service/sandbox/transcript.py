"""A chat as text for a human reader: what stands there, and who alone saw which alert."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.sandbox.state import Asked, Chat, Message, Post, Query

if TYPE_CHECKING:
    from service.sandbox.world import World


def transcript(world: World, chat: Chat, *, history: bool = False) -> str:
    """The chat's messages in order with their buttons, answers to presses among them; `history` shows every edit."""
    title = chat.title or world.users[chat.id].first_name
    happened = [(post.number, _post(world, post, history)) for post in chat.posts.values()]
    happened += [(asked.number, _asked(world, asked)) for asked in world.asked.values() if asked.chat_id == chat.id]
    happened += [(post.number, _post(world, post, history)) for post in chat.whispers.values()]
    happened += [(query.number, _press(world, query)) for query in world.queries.values() if query.chat_id == chat.id]
    return "\n".join([f"--- {title} ({chat.kind}) ---", *(text for _, text in sorted(happened))])


def _post(world: World, post: Post, history: bool) -> str:
    edits = len(post.versions) - 1
    note = " (deleted)" if post.deleted else f" (edited {edits} times)" if edits else ""
    shown = post.versions if history else [post.now]
    return "\n".join(_message(world, message, note if message is post.now else " (before)") for message in shown)


def _message(world: World, message: Message, note: str) -> str:
    name = world.users[message.sender].first_name
    if message.service is not None:
        service, people = message.service, [world.users[user].first_name for user in message.service.users]
        about = ", ".join(people) or service.title or service.message_id or service.chat_id or ""
        return f"[{message.id}] * {name}: {service.kind} {about}".rstrip()
    if message.thread is not None and message.thread in world.chats[message.chat_id].topics:
        name += f" in {world.chats[message.chat_id].topics[message.thread].name}"
    if message.receiver is not None:
        name += f" to {world.users[message.receiver].first_name} alone"
    text = message.text.replace("\n", "\n      ")
    rows = ["      " + " ".join(f"[{button.text}]" for button in row) for row in message.keyboard]
    return "\n".join([f"[{_label(*message.key)}] {name}: {text}{note}", *rows])


def _asked(world: World, asked: Asked) -> str:
    name, bot = world.users[asked.user_id].first_name, world.bot.username
    typed = f"      > {name} types @{bot} {asked.query}".rstrip()
    if asked.answer is None:
        return f"{typed}: no answer"
    return f"{typed}: shown to {name} alone: {' | '.join(asked.answer.titles) or 'nothing'}"


def _press(world: World, query: Query) -> str:
    name = world.users[query.user_id].first_name
    pressed = f"      > {name} presses {query.data!r} under [{_label(query.message_id, query.ephemeral_id)}]"
    if query.answer is None:
        return f"{pressed}: no answer"
    kind = "alert" if query.answer.show_alert else "toast"
    return f"{pressed}: {kind} to {name} alone: {query.answer.text}" if query.answer.text else pressed


def _label(message_id: int, ephemeral_id: int | None) -> str:
    return str(message_id) if ephemeral_id is None else f"e{ephemeral_id}"
