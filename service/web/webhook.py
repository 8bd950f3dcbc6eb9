"""The webhook: Telegram posts each update here, and hears 200 only when it is safely ours (Bot API, setWebhook)."""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from telegram import Bot, Update
from telegram.error import BadRequest, InvalidToken, NetworkError, RetryAfter

from service.chat.api.incoming import ALLOWED
from service.chat.api.wire import UNREADABLE
from service.settings import BadSetting, Settings

log = structlog.get_logger()

CONNECTIONS = 40
MOST_BYTES = 1 << 20
_SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"
_PATIENCE = 50.0  # s that an update may take; then Telegram is told to come again
_PAUSE = 1.0  # s after a failure of the network

Receive = Callable[[Update], Awaitable[None]]
"""Returns when the update is safely ours, and may be given one again; raises what makes Telegram come again."""


class Webhook:
    """The URL that Telegram posts to. While nobody deals with what comes, Telegram is told to come again."""

    def __init__(self, settings: Settings) -> None:
        self._url, self._secret = settings.webhook_url, settings.webhook_secret
        self._receive: Receive | None = None
        self._in_hand: dict[int, asyncio.Task[None]] = {}  # by update: it may come again while we are at it

    def routes(self) -> list[Route]:
        """The URL's path: 403 without the right secret, 413 for what is no update by its size, 400 for what is none by
        its form, 503 while the update is not safe, then 200."""
        return [Route(urlsplit(self._url).path or "/", self._posted, methods=["POST"])]

    @contextmanager
    def open(self, receive: Receive) -> Iterator[None]:
        """Until the end of this, updates are given to `receive`: one chat's in order, chats side by side."""
        self._receive = receive
        try:
            yield
        finally:
            self._receive = None

    async def announce(self, bot: Bot, stop: asyncio.Event) -> bool:
        """Tells Telegram to post here, as soon as it can be reached; False when we are stopped before.

        Raises InvalidToken, and BadSetting when Telegram does not take the URL.
        """
        said = False
        while not stop.is_set():
            pause = _PAUSE
            try:
                await bot.set_webhook(
                    self._url, max_connections=CONNECTIONS, allowed_updates=ALLOWED, secret_token=self._secret
                )
            except InvalidToken:
                raise
            except BadRequest as error:
                raise BadSetting("WEBHOOK_URL", f"Telegram does not take it: {error}") from None
            except RetryAfter as error:
                pause = error._retry_after.total_seconds()
            except NetworkError as error:
                if not said:
                    log.warning("Telegram cannot be reached; waiting", fault=type(error.__cause__ or error).__name__)
                    said = True
            else:
                log.info("updates come by webhook")
                return True
            stopped = asyncio.ensure_future(stop.wait())
            await asyncio.wait((stopped,), timeout=pause)
            stopped.cancel()
        return False

    async def _posted(self, request: Request) -> Response:
        given = request.headers.get(_SECRET_HEADER, "")
        if not hmac.compare_digest(given.encode(), self._secret.encode()):
            log.warning("a post to the webhook without the secret")
            return Response(status_code=403)
        body = await _body(request)
        if body is None:
            log.warning("too much posted to the webhook")
            return Response(status_code=413)
        update = _update(body)
        if update is None:
            log.warning("no update posted to the webhook")
            return Response(status_code=400)
        return Response(status_code=200 if await self._safe(update) else 503)

    async def _safe(self, update: Update) -> bool:
        number, receive = update.update_id, self._receive
        task = self._in_hand.get(number)
        if task is None:
            if receive is None:
                return False
            task = asyncio.ensure_future(receive(update))
            self._in_hand[number] = task
            task.add_done_callback(lambda _: self._in_hand.pop(number, None))
        await asyncio.wait((task,), timeout=_PATIENCE)
        if not task.done() or task.cancelled():
            return False
        fault = task.exception()
        if fault is not None:
            log.error("update not received", fault=type(fault).__name__)
        return fault is None


async def _body(request: Request) -> bytes | None:
    """The body; None when it is too long."""
    parts: list[bytes] = []
    length = 0
    try:
        async for part in request.stream():
            length += len(part)
            if length > MOST_BYTES:
                return None
            parts.append(part)
    except ClientDisconnect:
        return b""
    return b"".join(parts)


def _update(body: bytes) -> Update | None:
    """The update, without its content when nobody can read that, else it came for ever. None for what is none."""
    try:
        raw: Any = json.loads(body)
    except (ValueError, RecursionError):
        return None
    number = raw.get("update_id") if isinstance(raw, dict) else None
    if type(number) is not int:
        return None
    try:
        return Update.de_json(raw, None)
    except UNREADABLE:
        log.warning("an update cannot be read", update=number)
        return Update(number)
