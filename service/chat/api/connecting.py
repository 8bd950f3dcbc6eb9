"""The first words with Telegram: who we are, and which commands we know."""

from __future__ import annotations

import asyncio

import structlog
from telegram import Bot, User
from telegram.error import InvalidToken, NetworkError, RetryAfter
from telegram.ext import ApplicationBuilder

from service.chat.api import wire
from service.chat.api.commands import register
from service.settings import BadSetting, Settings

log = structlog.get_logger()

_CONNECTIONS = 64  # to Telegram at once
_SLOW = 20.0  # s that an answer may take: after that nobody can say whether a message was delivered


def new_bot(settings: Settings) -> Bot:
    """Our side of the Bot API; nothing is asked of Telegram yet."""
    base = settings.telegram_api_url.rstrip("/")
    builder = ApplicationBuilder().token(settings.telegram_token).updater(None)
    builder = builder.base_url(f"{base}/bot").base_file_url(f"{base}/file/bot")
    request = wire.Request(
        connection_pool_size=_CONNECTIONS, read_timeout=_SLOW, write_timeout=_SLOW, pool_timeout=_SLOW
    )
    return builder.request(request).get_updates_request(wire.Updates()).build().bot


async def introduce(bot: Bot, stop: asyncio.Event, *, told: bool = True) -> User | None:
    """Who we are, once Telegram answers (and is `told` our commands); None when we are stopped before.

    Raises BadSetting for a token that Telegram does not know.
    """
    said = False
    while not stop.is_set():
        try:
            await bot.initialize()
            if told:
                await register(bot)
            return bot.bot
        except InvalidToken:
            raise BadSetting("TELEGRAM_TOKEN", "Telegram does not know this token") from None
        except RetryAfter as error:
            await asyncio.sleep(error._retry_after.total_seconds())
        except NetworkError as error:
            if not said:
                log.warning("Telegram cannot be reached; waiting", fault=type(error.__cause__ or error).__name__)
                said = True
            await asyncio.sleep(1)
    return None
