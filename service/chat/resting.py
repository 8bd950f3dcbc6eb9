"""While the operator looks after the deployment (`tabletalk maintenance on`): what is still done, what we answer."""

from __future__ import annotations

from typing import assert_never

from telegram import InlineQueryResultsButton

from service.chat.api.incoming import (
    Chosen,
    Gone,
    Incoming,
    Membership,
    Migrated,
    Pressed,
    Said,
    TopicChanged,
    Wondered,
)
from service.chat.api.tokens import CustomToken, HandToken, PageToken, read
from service.chat.hall import Hall

STILL = frozenset(
    {"help", "rules", "table", "score", "log", "export", "audit", "fair", "standings", "mytables", "language"}
    | {"settings", "reminders", "privacy", "forget"}
)
"""Commands that change no table: they are carried out all the same."""


async def refused(hall: Hall, found: Incoming) -> bool:
    """Whether the deployment rests and this would change a table: then whoever sent it is told so, and nothing else."""
    if await hall.operation.rest() is None or not _would_change(found):
        return False
    match found:
        case Said():
            await hall.answer(found, hall.say("resting"))
        case Pressed():
            await hall.out.toast(found.query, hall.say("resting"), alert=True)
        case Wondered():
            button = InlineQueryResultsButton(hall.say("resting_button"), start_parameter="seat")
            await hall.out.offer(found.query, [], button)
        case _:
            return False
    return True


def _would_change(found: Incoming) -> bool:
    """Whether somebody asks for something that may change a table."""
    match found:
        case Said(command=str() as command, text=text):
            return command not in STILL and not (command == "start" and not text)
        case Said(private=private, via=via):
            return private or via is not None  # what people in a group say to one another is none of our business
        case Pressed(data=data):
            return not isinstance(read(data), PageToken | HandToken | CustomToken)
        case Wondered():
            return True
        case Migrated() | Membership() | Gone() | TopicChanged() | Chosen():
            return False
        case _:
            assert_never(found)
