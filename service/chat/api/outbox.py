"""The one way out to Telegram: its limits, and what its answers mean (Bots FAQ, "My bot is hitting limits").

Twenty sends and edits a minute in a group, about thirty calls a second overall, one a second in a private chat; a 429
holds the one chat it is for. Answers to button presses are not counted.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import httpx
import structlog
from limits import RateLimitItem, RateLimitItemPerMinute, RateLimitItemPerSecond
from telegram import (
    Bot,
    ChatMemberRestricted,
    InlineQueryResult,
    InlineQueryResultsButton,
    InputFile,
    LinkPreviewOptions,
)
from telegram.constants import ParseMode
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
    TimedOut,
)

from service.chat.api.lengths import fitting
from service.chat.api.post import Post
from service.chat.api.windows import OwnWindows, Windows
from service.chat.api.wire import UNREADABLE
from service.clock import Clock

log = structlog.get_logger()

GROUP = RateLimitItemPerMinute(18)  # Telegram: 20, sends and edits together
PRIVATE = RateLimitItemPerMinute(60)  # Telegram: about one a second, bursts pass
OVERALL = RateLimitItemPerSecond(25)  # Telegram: about 30
CALM = 8  # of a group's budget left, from where on its calls are spread evenly
GAP = 3.4  # s between them then
KEPT_FOR_TABLES = 5  # of a group's budget that answers to commands leave to the table's own message
APART = 0.03  # s between two sends or edits of what can wait: a burst would keep presses waiting for their answers
_RACE = 0.1  # s
_LONGEST_SLEEP = 5.0  # s until it is looked again
_PAUSE = 2.0  # s after a failure of the network
LONGEST_TOAST = 200  # characters; Bot API, answerCallbackQuery
_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
_UNMODIFIED = "message is not modified"
_MISSING = ("message to edit not found", "message can't be edited", "message_id_invalid")
_CLOSED = (
    "chat not found",
    "not enough rights",
    "have no rights",
    "group chat was d",
)
_SHUT = ("topic_closed", "topic_deleted", "thread not found")


class NotNow(Exception):
    """Not delivered; worth another try after `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"again after {seconds} s")
        self.seconds = seconds


class Unknown(Exception):
    """Nobody can say whether it was delivered."""


class Gone(Exception):
    """The chat cannot be written to: blocked, kicked, closed."""


class Shut(Gone):
    """The topic cannot be written to, though its group can; `deleted`: there is no such topic any more."""

    def __init__(self, deleted: bool) -> None:
        super().__init__("the topic is shut")
        self.deleted = deleted


class Missing(Exception):
    """The message to edit is not there any more."""


class Moved(Exception):
    """The group has become a supergroup."""

    def __init__(self, chat: int) -> None:
        super().__init__("the group has another id")
        self.chat = chat


class Unsendable(Exception):
    """Telegram refuses what we made: a fault of ours. Says what, without the text."""


class Outbox:
    """Sends and edits within the limits."""

    def __init__(self, bot: Bot, clock: Clock, windows: Windows | None = None) -> None:
        """`windows` count what was sent; of its own unless several processes share the limits."""
        self._bot = bot
        self._clock = clock
        self._limiter: Windows = windows or OwnWindows()
        self._next = 0.0  # when the next may be sent (the loop's clock)
        self._line = asyncio.Lock()  # of those who wait for what all chats share: hundreds would ask at each moment
        self._held: dict[int, float] = {}  # chat -> until when (the loop's clock)
        self._last: dict[int, float] = {}  # chat -> when it last had room (the loop's clock)

    async def room(self, chat: int, *, calm: bool = False) -> None:
        """Returns when the chat may have one more send or edit, which then counts.

        `calm`: what can wait for more to happen keeps a distance when a group's budget runs low.
        """
        while True:
            seconds = (await self._gap(chat) if calm else 0.0) or await self._chat_wait(chat)
            if seconds > 0:
                await self._clock.sleep(min(seconds, _LONGEST_SLEEP))
                continue
            async with self._line:
                await self._room_for_all()
                if await self._wait(chat) <= 0:
                    self._next = _now() + APART
                    return

    async def _room_for_all(self) -> None:
        """Returns when something may be sent somewhere."""
        while (seconds := max(self._next - _now(), await self._until_free(OVERALL, "all"))) > 0:
            await self._clock.sleep(min(seconds, _LONGEST_SLEEP))

    async def room_now(self, chat: int, calls: int = 1) -> bool:
        """Takes room for an answer to a command, of so many sends, if there is enough; never waits."""
        if await self._wait(chat, (KEPT_FOR_TABLES if chat < 0 else 0) + calls - 1, take=False) > 0:
            return False
        return all([await self._wait(chat) <= 0 for _ in range(calls)])

    async def send(self, chat: int, post: Post, thread: int | None = None, *, silent: bool = False) -> int:
        """Sends (`silent`: no bell rings) and gives the message's id. One that is too long loses its end.

        Raises NotNow, Unknown, Gone, Moved, Unsendable.
        """
        try:
            sent = await self._bot.send_message(
                chat,
                fitting(post.html),
                parse_mode=ParseMode.HTML,
                reply_markup=post.markup(),
                link_preview_options=_NO_PREVIEW,
                message_thread_id=thread,
                disable_notification=silent or None,
            )
        except TelegramError as error:
            raise self._meaning(chat, error) from None
        except UNREADABLE:
            raise Unknown from None
        return sent.message_id

    async def edit(self, chat: int, message: int, post: Post) -> None:
        """Makes the message look like this. Raises NotNow (unknown outcomes too), Gone, Missing, Moved, Unsendable."""
        try:
            await self._bot.edit_message_text(
                fitting(post.html),
                chat,
                message,
                parse_mode=ParseMode.HTML,
                reply_markup=post.markup(),
                link_preview_options=_NO_PREVIEW,
            )
        except TelegramError as error:
            words = str(error).lower()
            if _UNMODIFIED in words:
                return
            if any(missing in words for missing in _MISSING):
                raise Missing from None
            meaning = self._meaning(chat, error)
            raise NotNow(_PAUSE) if isinstance(meaning, Unknown) else meaning from None
        except UNREADABLE:
            raise NotNow(_PAUSE) from None

    async def delete(self, chat: int, message: int) -> None:
        """Takes a message away; one that is not there, or is too old for that (two days), is let be.

        Deletions are no part of a group's twenty a minute. Raises NotNow (unknown outcomes too), Gone, Moved.
        """
        await self._beside(chat, self._bot.delete_message, message)

    async def pin(self, chat: int, message: int) -> bool:
        """Pins a message without a bell; False: we may not, or it is not there. Raises NotNow, Gone, Moved."""
        return await self._beside(chat, partial(self._bot.pin_chat_message, disable_notification=True), message)

    async def unpin(self, chat: int, message: int) -> bool:
        """Takes a pin off; False: we may not, or there is none. Raises NotNow, Gone, Moved."""
        return await self._beside(chat, self._bot.unpin_chat_message, message)

    async def _beside(self, chat: int, call: Callable[[int, int], Awaitable[bool]], message: int) -> bool:
        """A call about a message that is neither send nor edit; whether Telegram did it."""
        while (seconds := self._hold(chat)) > 0:
            await self._clock.sleep(min(seconds, _LONGEST_SLEEP))
        async with self._line:
            while (seconds := await self._wait(chat, only_overall=True)) > 0:
                await self._clock.sleep(min(seconds, _LONGEST_SLEEP))
        try:
            return await call(chat, message)
        except BadRequest as error:
            log.debug("not done", fault=str(error)[:80])
            return False
        except TelegramError as error:
            meaning = self._meaning(chat, error)
            raise NotNow(_PAUSE) if isinstance(meaning, Unknown | Unsendable) else meaning from None
        except UNREADABLE:
            raise NotNow(_PAUSE) from None

    async def send_file(self, chat: int, name: str, data: bytes, html: str, thread: int | None = None) -> int:
        """Sends a file with a caption and gives the message's id. Raises NotNow, Unknown, Gone, Moved, Unsendable."""
        try:
            sent = await self._bot.send_document(
                chat,
                InputFile(data, name),
                caption=html,
                parse_mode=ParseMode.HTML,
                message_thread_id=thread,
                disable_content_type_detection=True,
            )
        except TelegramError as error:
            raise self._meaning(chat, error) from None
        except UNREADABLE:
            raise Unknown from None
        return sent.message_id

    async def toast(self, query: str, text: str, *, alert: bool = False) -> None:
        """Answers a button press (Bot API, answerCallbackQuery); one that comes too late is let go."""
        try:
            await self._bot.answer_callback_query(query, text[:LONGEST_TOAST], show_alert=alert)
        except TelegramError as error:
            log.info("press not answered", fault=type(error).__name__)

    async def admins(self, chat: int) -> list[tuple[int, str]]:
        """The group's administrators but bots and those who hide, with their names; none when Telegram does not say."""
        try:
            found = await self._bot.get_chat_administrators(chat)
        except TelegramError as error:
            log.info("administrators unknown", fault=type(error).__name__)
            return []
        shown = [one.user for one in found if not one.user.is_bot and not getattr(one, "is_anonymous", False)]
        return [(user.id, user.first_name) for user in shown]

    async def member(self, chat: int, user: int) -> str | None:
        """What somebody is in a chat (Bot API, ChatMember: `creator`, `left` ...); None when Telegram does not say."""
        try:
            found = await self._bot.get_chat_member(chat, user)
        except TelegramError as error:
            log.info("standing unknown", fault=type(error).__name__)
            return None
        deleted = not found.user.is_bot and not found.user.first_name  # an account that is no more
        outside = isinstance(found, ChatMemberRestricted) and not found.is_member
        return "left" if outside or deleted else str(found.status)

    async def offer(self, query: str, results: Sequence[InlineQueryResult], button: InlineQueryResultsButton) -> None:
        """Answers an inline query, for the asker alone and for this moment (Bot API, answerInlineQuery: what is kept is
        kept for everybody); one that comes too late is let go."""
        try:
            await self._bot.answer_inline_query(query, results, cache_time=0, is_personal=True, button=button)
        except TelegramError as error:
            log.info("inline query not answered", fault=type(error).__name__)

    def _meaning(self, chat: int, error: TelegramError) -> Exception:
        match error:
            case RetryAfter(_retry_after=delta):
                seconds = delta.total_seconds()
                self._held[chat] = _now() + seconds
                return NotNow(seconds)
            case ChatMigrated(new_chat_id=new):
                return Moved(new)
            case Forbidden():
                return Gone()
            case InvalidToken():  # whoever polls finds out whether it is so
                return NotNow(_PAUSE)
            case BadRequest():
                words = str(error).lower()
                if any(shut in words for shut in _SHUT):
                    return Shut("topic_closed" not in words)
                return Gone() if any(closed in words for closed in _CLOSED) else Unsendable(str(error)[:80])
            case NetworkError():
                return NotNow(_PAUSE) if _never_left(error) else Unknown()
            case _:
                return Unsendable(type(error).__name__)

    async def _gap(self, chat: int) -> float:
        """Seconds until a group that has used up half its budget should have its next call."""
        if chat >= 0 or (await self._limiter.get_window_stats(GROUP, str(chat))).remaining > CALM:
            return 0.0
        return max(0.0, self._last.get(chat, -GAP) - _now() + GAP)

    async def _wait(self, chat: int, keep: int = 0, *, take: bool = True, only_overall: bool = False) -> float:
        """Seconds until the chat has room beside `keep`; 0 and room taken (unless told not to) when it has."""
        seconds = self._hold(chat) if only_overall else await self._chat_wait(chat, keep)
        seconds = seconds or await self._until_free(OVERALL, "all")
        if seconds > 0 or not take:
            return seconds
        if not only_overall:
            self._last[chat] = _now()
        windows = [(OVERALL, "all")] + ([] if only_overall else [_window(chat)])
        if not all([await self._limiter.hit(item, name) for item, name in windows]):
            return _RACE  # somebody else took the last of it meanwhile
        return 0.0

    async def _chat_wait(self, chat: int, keep: int = 0) -> float:
        """Seconds until the chat itself has room beside `keep`, whatever is sent elsewhere."""
        return self._hold(chat) or await self._until_free(*_window(chat), keep)

    def _hold(self, chat: int) -> float:
        """Seconds for which Telegram has told us to leave the chat alone."""
        seconds = self._held.get(chat, 0.0) - _now()
        if seconds <= 0:
            self._held.pop(chat, None)
        return max(seconds, 0.0)

    async def _until_free(self, item: RateLimitItem, name: str, keep: int = 0) -> float:
        stats = await self._limiter.get_window_stats(item, name)
        return 0.0 if stats.remaining > keep else max(stats.reset_time - time.time(), 0.02)


def _window(chat: int) -> tuple[RateLimitItem, str]:
    return GROUP if chat < 0 else PRIVATE, str(chat)


def _now() -> float:
    return asyncio.get_running_loop().time()


def _never_left(error: NetworkError) -> bool:
    """Whether the call certainly did nothing: no connection, or the server said that it failed."""
    cause = error.__cause__
    if isinstance(error, TimedOut) or isinstance(cause, httpx.HTTPError):
        return isinstance(cause, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
    return "internal server error" in str(error).lower()
