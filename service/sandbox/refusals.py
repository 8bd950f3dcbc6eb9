"""Telegram's own words: what the Bot API answers when it does not do what it was asked."""

from __future__ import annotations

from typing import Any

NOT_MODIFIED = (
    "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a "
    "current content and reply markup of the message"
)
QUERY_TOO_OLD = "Bad Request: query is too old and response timeout expired or query ID is invalid"
CONFLICT = "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
CANNOT_INITIATE = "Forbidden: bot can't initiate conversation with a user"
DEACTIVATED = "Forbidden: user is deactivated"
NO_WRITE_RIGHTS = "Bad Request: not enough rights to send text messages to the chat"
BLOCKED = "Forbidden: bot was blocked by the user"
NO_PIN_RIGHTS = "Bad Request: not enough rights to manage pinned messages in the chat"


class Refused(Exception):
    """The call is refused: an HTTP status that is also the `error_code`, and the description."""

    def __init__(
        self, code: int, description: str, retry_after: int | None = None, migrate_to: int | None = None
    ) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.retry_after = retry_after
        self.migrate_to = migrate_to

    def answer(self) -> dict[str, Any]:
        """The JSON body (Bot API, "Making requests"), with ResponseParameters where they help."""
        body: dict[str, Any] = {"ok": False, "error_code": self.code, "description": self.description}
        if self.retry_after is not None:
            body["parameters"] = {"retry_after": self.retry_after}
        if self.migrate_to is not None:
            body["parameters"] = {"migrate_to_chat_id": self.migrate_to}
        return body


def bad_request(words: str) -> Refused:
    """400 with "Bad Request: " before the words."""
    return Refused(400, f"Bad Request: {words}")


def too_many(retry_after: int) -> Refused:
    """429: the caller may try again after so many seconds."""
    return Refused(429, f"Too Many Requests: retry after {retry_after}", retry_after)


def migrated(to: int) -> Refused:
    """400 in a group that has become the supergroup `to`."""
    return Refused(400, "Bad Request: group chat was upgraded to a supergroup chat", migrate_to=to)


def kicked(kind: str) -> Refused:
    """403 of a bot that somebody removed from a chat of this kind (`group` or `supergroup`)."""
    return Refused(403, f"Forbidden: bot was kicked from the {kind} chat")
