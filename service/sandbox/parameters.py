"""The methods this server carries out: their parameters, read from whatever form a client sends them in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from service.sandbox.refusals import bad_request
from service.sandbox.state import Upload

Kind = Literal["integer", "string", "boolean", "json", "chat", "file"]


class Signature(msgspec.Struct, frozen=True):
    """A method as the Bot API writes it: its name, the type of what it gives, its parameters."""

    name: str
    returns: str
    parameters: Mapping[str, Kind]


_SHOWN: dict[str, Kind] = {
    "text": "string",
    "parse_mode": "string",
    "link_preview_options": "json",
    "reply_markup": "json",
}
_CAPTIONED: dict[str, Kind] = {"caption": "string", "parse_mode": "string", "reply_markup": "json"}
_SENT: dict[str, Kind] = {
    "chat_id": "chat",
    "reply_parameters": "json",
    "disable_notification": "boolean",
    "protect_content": "boolean",
    "message_thread_id": "integer",
}
_MESSAGE: dict[str, Kind] = {"chat_id": "chat", "message_id": "integer"}
_EPHEMERAL: dict[str, Kind] = {
    "chat_id": "chat",
    "receiver_user_id": "integer",
    "ephemeral_message_id": "integer",
}
_SCOPED: dict[str, Kind] = {"scope": "json", "language_code": "string"}

SIGNATURES = (
    Signature("getMe", "User", {}),
    Signature(
        "getUpdates",
        "Update",
        {"offset": "integer", "limit": "integer", "timeout": "integer", "allowed_updates": "json"},
    ),
    Signature(
        "sendMessage",
        "Message",
        {**_SENT, **_SHOWN, "ephemeral_message_parameters": "json"},
    ),
    Signature("sendPhoto", "Message", {**_SENT, **_CAPTIONED, "photo": "file"}),
    Signature(
        "sendDocument",
        "Message",
        {**_SENT, **_CAPTIONED, "document": "file", "disable_content_type_detection": "boolean"},
    ),
    Signature("editMessageCaption", "Message", {**_MESSAGE, **_CAPTIONED}),
    Signature("editMessageMedia", "Message", {**_MESSAGE, "media": "json", "reply_markup": "json"}),
    Signature("getFile", "File", {"file_id": "string"}),
    Signature("setMessageReaction", "True", {**_MESSAGE, "reaction": "json", "is_big": "boolean"}),
    Signature(
        "setWebhook",
        "True",
        {
            "url": "string",
            "secret_token": "string",
            "max_connections": "integer",
            "allowed_updates": "json",
            "drop_pending_updates": "boolean",
        },
    ),
    Signature("editEphemeralMessageText", "True", {**_EPHEMERAL, **_SHOWN}),
    Signature("editEphemeralMessageReplyMarkup", "True", {**_EPHEMERAL, "reply_markup": "json"}),
    Signature("deleteEphemeralMessage", "True", _EPHEMERAL),
    Signature("editMessageText", "Message", {**_MESSAGE, **_SHOWN}),
    Signature("editMessageReplyMarkup", "Message", {**_MESSAGE, "reply_markup": "json"}),
    Signature("deleteMessage", "True", _MESSAGE),
    Signature(
        "answerCallbackQuery",
        "True",
        {
            "callback_query_id": "string",
            "text": "string",
            "show_alert": "boolean",
            "url": "string",
            "cache_time": "integer",
        },
    ),
    Signature(
        "answerInlineQuery",
        "True",
        {
            "inline_query_id": "string",
            "results": "json",
            "cache_time": "integer",
            "is_personal": "boolean",
            "next_offset": "string",
            "button": "json",
        },
    ),
    Signature("setMyCommands", "True", {"commands": "json", **_SCOPED}),
    Signature("getMyCommands", "BotCommand", _SCOPED),
    Signature("deleteMyCommands", "True", _SCOPED),
    Signature("getChat", "ChatFullInfo", {"chat_id": "chat"}),
    Signature("getChatMember", "ChatMember", {"chat_id": "chat", "user_id": "integer"}),
    Signature("getChatAdministrators", "ChatMember", {"chat_id": "chat"}),
    Signature("pinChatMessage", "True", {**_MESSAGE, "disable_notification": "boolean"}),
    Signature("unpinChatMessage", "True", _MESSAGE),
    Signature("deleteWebhook", "True", {"drop_pending_updates": "boolean"}),
    Signature("getWebhookInfo", "WebhookInfo", {}),
    Signature("sendChatAction", "True", {"chat_id": "chat", "action": "string"}),
)
BY_NAME = {signature.name.lower(): signature for signature in SIGNATURES}


def read_parameters(signature: Signature, raw: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters by name and of their kind, absent and empty ones left out; unknown ones as they came.

    As Telegram does, a number that is none counts as absent. Refuses (400) JSON that cannot be read.
    """
    read = {name: _read(name, signature.parameters.get(name), value) for name, value in raw.items()}
    return {name: value for name, value in read.items() if value is not None and value != ""}


def _read(name: str, kind: Kind | None, value: Any) -> Any:
    match kind:
        case None:
            return value
        case "string":
            return _text(value) if isinstance(value, str) else str(value)
        case "integer":
            return _integer(value)
        case "chat":
            number = _integer(value)
            return number if number is not None else str(value)
        case "boolean":
            return str(value).lower() in {"true", "yes", "1"}
        case "json":
            return _json(name, value)
        case "file":
            return value if isinstance(value, Upload) else str(value)


def _text(value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise bad_request("strings must be encoded in UTF-8") from None
    return value


def _integer(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    try:
        return int(value)
    except ValueError:
        return None


def _json(name: str, value: Any) -> Any:
    if not isinstance(value, str) or value == "":
        return value
    try:
        return json.loads(value)
    except ValueError:
        words = "reply keyboard markup" if name == "reply_markup" else name.replace("_", " ")
        raise bad_request(f"can't parse {words} JSON object") from None
