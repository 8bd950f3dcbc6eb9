"""Inline keyboards: read from what the bot sends, refused as Telegram refuses them."""

from __future__ import annotations

from typing import Any

from service.sandbox.refusals import bad_request
from service.sandbox.state import Button, Keyboard

MOST_BUTTONS = 100
_KINDS = (
    "callback_data",
    "url",
    "web_app",
    "switch_inline_query",
    "switch_inline_query_current_chat",
    "copy_text",
)
_STYLES = {None, "primary", "success", "danger"}


def read_keyboard(markup: Any, *, private: bool) -> Keyboard:
    """The keyboard of an InlineKeyboardMarkup; empty for none or for no buttons.

    Refuses (400) what is no inline keyboard, a button without a text or without exactly one action, `callback_data`
    outside 1-64 bytes, a `web_app` button outside a private chat, more than 100 buttons.
    """
    if markup is None:
        return ()
    if not isinstance(markup, dict):
        raise bad_request("object expected as reply markup")
    rows = markup.get("inline_keyboard")
    if rows is None:
        raise bad_request("inline keyboard expected")
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise bad_request('can\'t parse inline keyboard: Field "inline_keyboard" must be of type Array of Arrays')
    keyboard = tuple(tuple(_read_button(button, private) for button in row) for row in rows if row)
    if sum(len(row) for row in keyboard) > MOST_BUTTONS:
        raise bad_request("reply markup is too long")
    return keyboard


def _read_button(button: Any, private: bool) -> Button:
    if not isinstance(button, dict) or not isinstance(button.get("text"), str):
        raise bad_request("can't parse inline keyboard button: Can't find field \"text\"")
    if not button["text"].strip():
        raise bad_request("can't parse inline keyboard button: Text buttons must be non-empty")
    kinds = [kind for kind in _KINDS if button.get(kind) is not None]
    if not kinds:
        raise bad_request("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
    if len(kinds) > 1 or button.get("style") not in _STYLES:
        raise bad_request("BUTTON_TYPE_INVALID")
    kind, value = kinds[0], button[kinds[0]]
    if kind in {"web_app", "copy_text"}:
        value = value.get("url" if kind == "web_app" else "text") if isinstance(value, dict) else None
    if not isinstance(value, str):
        raise bad_request(f'can\'t parse inline keyboard button: Field "{kind}" must be of another type')
    if kind == "callback_data" and not 1 <= len(value.encode()) <= 64:
        raise bad_request("BUTTON_DATA_INVALID")
    if kind == "web_app" and not private:
        raise bad_request("BUTTON_TYPE_INVALID")
    if kind in {"url", "web_app"} and not value.startswith(("https://", "http://", "tg://")):
        raise bad_request("BUTTON_URL_INVALID")
    if kind == "copy_text" and not 1 <= len(value) <= 256:
        raise bad_request("BUTTON_COPY_TEXT_INVALID")
    return Button(button["text"], kind, value, button.get("style"))


def unknown_fields(markup: Any) -> list[str]:
    """Fields of the markup and its buttons that this server does not carry out: a strict world reports them."""
    if not isinstance(markup, dict):
        return []
    found = [name for name in markup if name != "inline_keyboard"]
    for row in markup.get("inline_keyboard") or []:
        for button in row:
            found += [name for name in button if name not in {"text", "style", *_KINDS}]
    return found
