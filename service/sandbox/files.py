"""Photos and documents: sent, edited, kept, fetched again; with Telegram's limits on size and shape."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from service.sandbox import objects, writing
from service.sandbox.refusals import NOT_MODIFIED, Refused, bad_request
from service.sandbox.state import File, Message, Post, Upload

if TYPE_CHECKING:
    from service.sandbox.world import World

Params = dict[str, Any]
MOST_CAPTION = 1024
MOST_BYTES = {"photo": 10 << 20, "document": 50 << 20}
_MOST_SIDES = 10_000
_MOST_RATIO = 20
_FETCHABLE = 20 << 20
_ATTACHED = "attach://"
_JPEG_FRAMES = frozenset({0xC0, 0xC1, 0xC2, 0xC3})


def send_photo(world: World, params: Params) -> Any:
    """Bot API, sendPhoto: at most 10 MB, sides of at most 10,000 together, one at most 20 times the other."""
    return _send(world, params, "photo")


def send_document(world: World, params: Params) -> Any:
    """Bot API, sendDocument: at most 50 MB."""
    return _send(world, params, "document")


def edit_message_caption(world: World, params: Params) -> Any:
    """Bot API, editMessageCaption; a keyboard that is not sent along is gone."""
    chat, post = writing.own_post(world, params)
    if post.now.file is None:
        raise bad_request("there is no caption in the message to edit")
    formatted = writing.formatted_text(world, params, "caption", MOST_CAPTION)
    keyboard = writing.sent_keyboard(world, chat, params)
    return _revised(world, params, post, text=formatted.text, entities=formatted.entities, keyboard=keyboard)


def edit_message_media(world: World, params: Params) -> Any:
    """Bot API, editMessageMedia: another picture or document under the same message, or in place of its text."""
    chat, post = writing.own_post(world, params)
    media = params.get("media")
    kind = media.get("type") if isinstance(media, dict) else None
    if not isinstance(media, dict) or kind not in MOST_BYTES:
        raise bad_request("can't parse InputMedia: this server knows photos and documents")
    file = _file(world, kind, _attached(params, media.get("media")))
    formatted = writing.formatted_text(world, media, "caption", MOST_CAPTION)
    keyboard = writing.sent_keyboard(world, chat, params)
    changes = {"text": formatted.text, "entities": formatted.entities, "keyboard": keyboard}
    return _revised(world, params, post, file=file, **changes)


def get_file(world: World, params: Params) -> Any:
    """Bot API, getFile: at most 20 MB can be fetched."""
    file = world.files.get(params.get("file_id", ""))
    if file is None:
        raise bad_request("wrong file_id or the file is temporarily unavailable")
    if len(file.data) > _FETCHABLE:
        raise bad_request("file is too big")
    return {
        "file_id": file.id,
        "file_unique_id": file.unique_id,
        "file_size": len(file.data),
        "file_path": file.path,
    }


def _send(world: World, params: Params, kind: str) -> Any:
    chat = writing.writable_chat(world, params)
    thread = writing.writable_thread(world, chat, params)
    file = _file(world, kind, _attached(params, params.get(kind)))
    formatted = writing.formatted_text(world, params, "caption", MOST_CAPTION)
    keyboard = writing.sent_keyboard(world, chat, params)
    reply_to = writing.replied(chat, params.get("reply_parameters"))
    message = world.post(chat, world.bot.id, formatted, keyboard=keyboard, reply_to=reply_to, thread=thread, file=file)
    return objects.message_object(message, chat, world.users)


def _revised(world: World, params: Params, post: Post, **changes: Any) -> Any:
    now: Message = post.now
    if all(getattr(now, name) == value for name, value in changes.items()):
        raise Refused(400, NOT_MODIFIED)
    chat = world.chats[params["chat_id"]]
    return objects.message_object(world.revise(chat, post, **changes), chat, world.users)


def _attached(params: Params, value: Any) -> Any:
    """The upload that `attach://<name>` means, another value as it is."""
    if isinstance(value, str) and value.startswith(_ATTACHED):
        return params.get(value.removeprefix(_ATTACHED))
    return value


def _file(world: World, kind: str, given: Any) -> File:
    """The file of an upload, or the one known by its `file_id`. Refuses (400) others, too big and misshapen ones."""
    if isinstance(given, str):
        known = world.files.get(given)
        if known is None or known.kind != kind:
            raise bad_request("wrong file identifier/HTTP URL specified")
        return known
    if not isinstance(given, Upload):
        raise bad_request(f"there is no {kind} in the request")
    if not given.data:
        raise bad_request("file must be non-empty")
    most = MOST_BYTES[kind]
    if len(given.data) > most:
        raise bad_request(
            f"file of size {len(given.data)} bytes is too big for a {kind}; the maximum size is {most} bytes"
        )
    width, height = _sides(given.data) if kind == "photo" else (0, 0)
    unique = hashlib.sha256(given.data).hexdigest()[:16]
    number = len(world.files) + 1
    file = File(
        id=f"BQAC{number:06d}{unique}",
        unique_id=f"AgAD{unique}",
        kind=kind,
        name=given.name,
        mime=given.mime,
        data=given.data,
        width=width,
        height=height,
        path=f"{kind}s/file_{number}",
    )
    world.files[file.id] = file
    return file


def _sides(data: bytes) -> tuple[int, int]:
    """Width and height of a PNG or JPEG picture."""
    sides = _png_sides(data) or _jpeg_sides(data)
    if sides is None:
        raise bad_request("IMAGE_PROCESS_FAILED")
    if sum(sides) > _MOST_SIDES or min(sides) < 1 or max(sides) > _MOST_RATIO * min(sides):
        raise bad_request("PHOTO_INVALID_DIMENSIONS")
    return sides


def _png_sides(data: bytes) -> tuple[int, int] | None:
    if data[:8] != b"\x89PNG\r\n\x1a\n" or len(data) < 24:
        return None
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])


def _jpeg_sides(data: bytes) -> tuple[int, int] | None:
    if data[:2] != b"\xff\xd8":
        return None
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        if data[at + 1] in _JPEG_FRAMES:
            return int.from_bytes(data[at + 7 : at + 9]), int.from_bytes(data[at + 5 : at + 7])
        at += 2 + int.from_bytes(data[at + 2 : at + 4])
    return None
