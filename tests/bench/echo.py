"""The peer of the answers' bench: a bare bot of python-telegram-bot, which answers each press and does nothing else.

Run as `python -m tests.bench.echo`, with TELEGRAM_TOKEN and TELEGRAM_API_URL.
"""

from __future__ import annotations

import logging
import os

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.ext import Application, CallbackQueryHandler, CommandHandler, ContextTypes

BUTTON = "Echo"


async def _start(update: Update, _: ContextTypes.DEFAULT_TYPE) -> None:
    assert update.message is not None
    await update.message.reply_text(
        "Press.", reply_markup=InlineKeyboardMarkup([[InlineKeyboardButton(BUTTON, callback_data="echo")]])
    )


async def _press(update: Update, _: ContextTypes.DEFAULT_TYPE) -> None:
    assert update.callback_query is not None
    await update.callback_query.answer(update.callback_query.data)


def main() -> None:
    """Polls until it is stopped."""
    logging.basicConfig(level=logging.WARNING)
    builder = (
        Application.builder().token(os.environ["TELEGRAM_TOKEN"]).base_url(os.environ["TELEGRAM_API_URL"] + "/bot")
    )
    application = builder.concurrent_updates(True).build()
    application.add_handler(CommandHandler("start", _start))
    application.add_handler(CallbackQueryHandler(_press))
    application.run_polling(allowed_updates=["message", "callback_query"])


if __name__ == "__main__":
    main()
