"""Photos and documents: what people see and open, what Telegram refuses, what the bot can fetch again."""

from __future__ import annotations

import struct
import zlib

import pytest
from telegram import Bot, InputMediaPhoto
from telegram.error import BadRequest

from service.sandbox.world import World
from tests.service.sandbox.conftest import Raw


def png(width: int, height: int) -> bytes:
    """A black picture of one bit a pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes(-(-width // 8))) * height
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


async def test_a_document_comes_as_it_was_sent(bot_api: World, bot: Bot) -> None:
    ann, bob = bot_api.person("Ann"), bot_api.person("Bob")
    group = bot_api.group("Friday", [ann])
    bob.start()
    sent = await bot.send_document(
        group.id, b'{"cards": "QS"}', filename="set.json", caption="<b>Set 3</b>", parse_mode="HTML"
    )
    assert sent.document is not None
    assert (sent.caption, sent.document.file_name, sent.document.file_size) == ("Set 3", "set.json", 15)
    seen = ann.sees(group)[-1]
    assert seen.file is not None
    assert (seen.text, seen.file.data) == ("Set 3", b'{"cards": "QS"}')
    assert '{"cards": "QS"}' in bot_api.everything_seen_by(ann)
    assert not any("QS" in text for text in bot_api.everything_seen_by(bob))
    file = await bot.get_file(sent.document.file_id)
    assert file.file_path is not None
    fetched = await bot.request.retrieve(f"{bot_api.url}/file/bot{bot_api.token}/documents/file_1")
    assert fetched == b'{"cards": "QS"}'


async def test_a_photo_has_sides_and_is_sent_again_by_its_id(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    ann.start()
    sent = await bot.send_photo(ann.id, png(300, 200))
    assert [(size.width, size.height) for size in sent.photo] == [(300, 200)]
    again = await bot.send_photo(ann.id, sent.photo[0].file_id, caption="again")
    assert again.photo[0].file_unique_id == sent.photo[0].file_unique_id
    assert [message.file is not None for message in ann.sees(ann.private)] == [False, True, True]


@pytest.mark.parametrize(
    ("picture", "words"),
    [
        (b"no picture", "IMAGE_PROCESS_FAILED"),
        (png(6000, 4001), "PHOTO_INVALID_DIMENSIONS"),
        (png(2101, 100), "PHOTO_INVALID_DIMENSIONS"),
        (png(10, 10) + bytes(10 << 20), "too big for a photo"),
    ],
    ids=["no picture", "too large", "too long", "too big"],
)
async def test_photos_that_telegram_refuses(bot_api: World, bot: Bot, picture: bytes, words: str) -> None:
    ann = bot_api.person("Ann")
    ann.start()
    with pytest.raises(BadRequest, match=f"(?i){words}"):
        await bot.send_photo(ann.id, picture)


async def test_a_picture_and_its_caption_are_edited(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    ann.start()
    sent = await bot.send_photo(ann.id, png(300, 200), caption="your hand")
    await bot.edit_message_caption(ann.id, sent.message_id, caption="your turn")
    await bot.edit_message_media(InputMediaPhoto(png(40, 30), caption="one card"), ann.id, sent.message_id)
    seen = ann.sees(ann.private)[-1]
    assert seen.file is not None
    assert (seen.text, seen.file.width) == ("one card", 40)
    with pytest.raises(BadRequest, match=r"(?i)there is no text in the message to edit"):
        await bot.edit_message_text("x", ann.id, sent.message_id)
    with pytest.raises(BadRequest, match=r"(?i)message is not modified"):
        await bot.edit_message_caption(ann.id, sent.message_id, caption="one card")


async def test_captions_are_shorter_than_texts(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    ann.start()
    text = await bot.send_message(ann.id, "x" * 1025)
    await bot.send_document(ann.id, b"x", filename="x.bin", caption="x" * 1024)
    with pytest.raises(BadRequest, match=r"(?i)message caption is too long"):
        await bot.send_document(ann.id, b"x", filename="x.bin", caption="x" * 1025)
    with pytest.raises(BadRequest, match=r"(?i)there is no caption in the message to edit"):
        await bot.edit_message_caption(ann.id, text.message_id, caption="x")


def test_a_file_that_is_none(bot_api: World, raw: Raw) -> None:
    ann = bot_api.person("Ann")
    ann.start()
    answer = raw("sendDocument", chat_id=ann.id, document="nonsense")
    assert answer["description"] == "Bad Request: wrong file identifier/HTTP URL specified"
    assert raw("getFile", file_id="nonsense")["error_code"] == 400


def test_reactions_are_told_of_to_an_administrator_who_asked(bot_api: World, raw: Raw) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    sent = raw("sendMessage", chat_id=group.id, text="x")["result"]["message_id"]
    raw("getUpdates", allowed_updates=["message_reaction"])
    ann.react(ann.sees(group)[-1], "🔥")
    group.promote_bot()
    ann.react(ann.sees(group)[-1], "👍")
    told = [one["message_reaction"] for one in raw("getUpdates")["result"] if "message_reaction" in one]
    assert [(one["old_reaction"][0]["emoji"], one["new_reaction"][0]["emoji"]) for one in told] == [("🔥", "👍")]
    thumb = [{"type": "emoji", "emoji": "👍"}]
    assert raw("setMessageReaction", chat_id=group.id, message_id=sent, reaction=thumb)["ok"]
    other = raw("setMessageReaction", chat_id=group.id, message_id=sent, reaction=[{"type": "emoji", "emoji": "♠"}])
    assert other["description"] == "Bad Request: REACTION_INVALID"
    bot_api.violations.clear()  # the second reader minds the emoji, too
