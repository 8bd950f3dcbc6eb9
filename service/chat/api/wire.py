"""Calls to the Bot API whose answers may be anything: a gateway's page, an empty body, an update nobody can read.

PTB would log such an answer with a traceback, take a gateway's 404 for Telegram's word that it does not know the token,
or fail with an error of its own parser. Here it is a NetworkError like any other, whose words hold nothing of it.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from typing import Any

import structlog
from telegram import Update
from telegram.error import NetworkError
from telegram.request import HTTPXRequest

log = structlog.get_logger()

if importlib.util.find_spec("sniffio") is None:  # httpcore would look for it on the disk several times a call
    sys.modules["sniffio"] = None  # type: ignore[assignment] # so an import fails at once

UNREADABLE = (AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What PTB's parsers raise for an object that is not as the Bot API describes it."""


class Request(HTTPXRequest):
    """As PTB's, for every method but getUpdates."""

    async def do_request(self, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        """Status and body of an answer that the Bot API may have given ("Making requests"). Raises NetworkError."""
        code, body = await super().do_request(*args, **kwargs)
        answer = _answer(body)
        fine = 200 <= code <= 299
        if answer is None or (fine and not isinstance(answer.get("result"), dict | list | bool)):
            raise NetworkError(f"no answer of the Bot API, status {code}")
        return code, self.checked(answer, body) if fine else body

    def checked(self, answer: dict[str, Any], body: bytes) -> bytes:
        """The body, or a better one."""
        return body


class Updates(Request):
    """For getUpdates: an update that cannot be read loses its content, so that the offset gets past it."""

    def checked(self, answer: dict[str, Any], body: bytes) -> bytes:
        """The body without what cannot be read. Raises NetworkError."""
        if not isinstance(answer["result"], list):
            raise NetworkError("no list of updates")
        found = [_update(raw) for raw in answer["result"]]
        return body if found == answer["result"] else json.dumps({"ok": True, "result": found}).encode()


def _answer(body: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(body)
    except ValueError:
        return None
    return found if isinstance(found, dict) and "ok" in found else None


def _update(raw: object) -> dict[str, Any]:
    number = raw.get("update_id") if isinstance(raw, dict) else None
    if not isinstance(raw, dict) or type(number) is not int:
        raise NetworkError("no updates")
    try:
        Update.de_json(dict(raw), None)
    except UNREADABLE:
        log.warning("an update cannot be read", update=number)
        return {"update_id": number}
    return raw
