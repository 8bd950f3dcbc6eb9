"""Reactions under messages: the bot's own, and people's, of which an administrator bot hears if it asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from service.sandbox import objects, writing
from service.sandbox.refusals import bad_request
from service.sandbox.state import Chat, Post

if TYPE_CHECKING:
    from service.sandbox.world import World

Params = dict[str, Any]
EMOJI = frozenset("👍👎🔥🎉🤩😁🤔🤯😱🤬😢🙏👌🏆💯🤣⚡💔😴🤝😎👏🥰")  # some of those that Telegram has


def set_message_reaction(world: World, params: Params) -> Any:
    """Bot API, setMessageReaction: at most one, an emoji of Telegram's list; none takes it back."""
    chat = writing.known_chat(world, params)
    post = chat.posts.get(params.get("message_id", 0))
    if post is None or post.deleted or post.now.service is not None:
        raise bad_request("message to react not found")
    given = params.get("reaction", [])
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        raise bad_request("can't parse reaction types JSON object")
    emoji = tuple(str(one.get("emoji", "")) for one in given)
    if len(emoji) > 1:
        raise bad_request("REACTIONS_TOO_MANY")
    if not set(emoji) <= EMOJI:
        raise bad_request("REACTION_INVALID")
    post.reactions[world.bot.id] = emoji
    return True


def react(world: World, chat: Chat, post: Post, user: int, emoji: str) -> None:
    """Somebody reacts to a message, with "" takes it back; the bot hears of it in private and as an administrator."""
    old, new = post.reactions.get(user, ()), (emoji,) if emoji else ()
    post.reactions[user] = new
    if chat.kind == "private" or chat.members.get(world.bot.id) == "administrator":
        change = objects.reaction_object(post.now, chat, world.users, user=user, old=old, new=new)
        world.enqueue("message_reaction", change | {"date": world.clock() // 1000})
