"""A message as we want it shown: HTML text and an inline keyboard, and whether two of them differ."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import assert_never

import msgspec
from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from service.chat.api import tokens
from service.chat.api.tokens import AnyToken


class Press(msgspec.Struct, frozen=True):
    """A button that tells us it was pressed."""

    text: str
    token: AnyToken


class Link(msgspec.Struct, frozen=True):
    """A button that opens a page or a chat."""

    text: str
    url: str


class Fill(msgspec.Struct, frozen=True):
    """A button that puts our name and `query` into the input line of the chat (inline mode); for bots that have it."""

    text: str
    query: str


Button = Press | Link | Fill


class Post(msgspec.Struct, frozen=True):
    """A message: text in Telegram's HTML, every name in it escaped, and rows of buttons."""

    html: str
    rows: tuple[tuple[Button, ...], ...] = ()

    @property
    def mark(self) -> str:
        """Equal for posts that look and act alike, else different."""
        shown = [[(button.text, _data(button)) for button in row] for row in self.rows]
        return hashlib.sha256(msgspec.json.encode((self.html, shown))).hexdigest()[:16]

    def markup(self) -> InlineKeyboardMarkup | None:
        """The keyboard as the Bot API wants it."""
        if not self.rows:
            return None
        return InlineKeyboardMarkup([[_button(button) for button in row] for row in self.rows])


def _data(button: Button) -> str:
    match button:
        case Press(token=token):
            return tokens.write(token)
        case Link(url=url):
            return url
        case Fill(query=query):
            return f"@{query}"
        case _:
            assert_never(button)


def _button(button: Button) -> InlineKeyboardButton:
    match button:
        case Press(text, token):
            return InlineKeyboardButton(text, callback_data=tokens.write(token))
        case Link(text, url):
            return InlineKeyboardButton(text, url=url)
        case Fill(text, query):
            return InlineKeyboardButton(text, switch_inline_query_current_chat=query)


def grid(buttons: Sequence[Button], width: int) -> tuple[tuple[Button, ...], ...]:
    """The buttons in rows of `width`."""
    return tuple(tuple(buttons[at : at + width]) for at in range(0, len(buttons), width))
