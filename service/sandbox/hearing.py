"""Of which messages the bot hears (Bots FAQ, "What messages will my bot get?")."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.sandbox.state import Chat, Message, is_member

if TYPE_CHECKING:
    from service.sandbox.stage import Stage

_COMMAND = re.compile(r"/[A-Za-z0-9_]+(?:@([A-Za-z0-9_]+))?")


def hears(world: Stage, chat: Chat, message: Message) -> bool:
    """Whether an update tells the bot of the message.

    With privacy mode on, in a group where it is no administrator: service messages, commands for it or for any bot,
    answers to its own messages, and what was sent via it.
    """
    if not is_member(chat.members.get(world.bot.id)):
        return False
    if message.service is not None:
        return True
    if message.sender == world.bot.id:
        return False
    if chat.kind == "private" or not world.privacy or chat.members[world.bot.id] == "administrator":
        return True
    if message.via == world.bot.id:
        return True
    if message.reply_to in chat.posts and chat.posts[message.reply_to].now.sender == world.bot.id:
        return True
    command, own = _COMMAND.match(message.text), (world.bot.username or "").lower()
    return command is not None and (command[1] or own).lower() == own
