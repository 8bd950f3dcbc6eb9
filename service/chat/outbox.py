"""The one way out to Telegram: its limits, and what its answers mean (Bots FAQ, "My bot is hitting limits").

Twenty sends and edits a minute in a group, about thirty calls a second overall, one a second in a private chat; a 429
holds the one chat it is for. Answers to button presses are not counted.
"""

from __future__ import annotations

import asyncio
import time

import httpx
import structlog
from limits import RateLimitItemPerMinute, RateLimitItemPerSecond
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter
from telegram import Bot, LinkPreviewOptions
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

from service.chat.post import Post
from service.chat.wire import UNREADABLE
from service.clock import Clock

log = structlog.get_logger()

GROUP = RateLimitItemPerMinute(18)  # Telegram: 20, sends and edits together
PRIVATE = RateLimitItemPerMinute(60)  # Telegram: about one a second, bursts pass
OVERALL = RateLimitItemPerSecond(28)  # Telegram: about 30
CALM = 8  # of a group's budget left, from where on its calls are spread evenly
GAP = 3.4  # s between them then
KEPT_FOR_TABLES = 5  # of a group's budget that answers to commands leave to the table's own message
_RACE = 0.1  # s
_LONGEST_SLEEP = 5.0  # s until it is looked again
_JUMP = 2.0  # s that the wall clock was set by, from where on its windows are thrown away
_PAUSE = 2.0  # s after a failure of the network
LONGEST_TOAST = 200  # characters; Bot API, answerCallbackQuery
_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
_UNMODIFIED = "message is not modified"
_MISSING = ("message to edit not found", "message can't be edited", "message_id_invalid")
_CLOSED = (
    "chat not found",
    "not enough rights",
    "have no rights",
    "topic_closed",
    "thread not found",
    "group chat was d",
)


class NotNow(Exception):
    """Not delivered; worth another try after `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"again after {seconds} s")
        self.seconds = seconds


class Unknown(Exception):
    """Nobody can say whether it was delivered."""


class Gone(Exception):
    """The chat cannot be written to: blocked, kicked, closed."""


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

    def __init__(self, bot: Bot, clock: Clock) -> None:
        self._bot = bot
        self._clock = clock
        self._storage = MemoryStorage()
        self._limiter = MovingWindowRateLimiter(self._storage)
        self._ahead = _ahead()
        self._held: dict[int, float] = {}  # chat -> until when (the loop's clock)
        self._last: dict[int, float] = {}  # chat -> when it last had room (the loop's clock)

    async def room(self, chat: int, *, calm: bool = False) -> None:
        """Returns when the chat may have one more send or edit, which then counts.

        `calm`: what can wait for more to happen keeps a distance when a group's budget runs low.
        """
        while (seconds := (await self._gap(chat) if calm else 0.0) or await self._wait(chat)) > 0:
            await self._clock.sleep(min(seconds, _LONGEST_SLEEP))

    async def room_now(self, chat: int) -> bool:
        """Takes room for an answer to a command if there is enough; never waits."""
        if await self._wait(chat, KEPT_FOR_TABLES if chat < 0 else 0, take=False) > 0:
            return False
        return await self._wait(chat) <= 0

    async def send(self, chat: int, post: Post, thread: int | None = None) -> int:
        """Sends and gives the message's id. Raises NotNow, Unknown, Gone, Moved, Unsendable."""
        try:
            sent = await self._bot.send_message(
                chat,
                post.html,
                parse_mode=ParseMode.HTML,
                reply_markup=post.markup(),
                link_preview_options=_NO_PREVIEW,
                message_thread_id=thread,
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
                post.html,
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

    async def toast(self, query: str, text: str, *, alert: bool = False) -> None:
        """Answers a button press (Bot API, answerCallbackQuery); one that comes too late is let go."""
        try:
            await self._bot.answer_callback_query(query, text[:LONGEST_TOAST], show_alert=alert)
        except TelegramError as error:
            log.info("press not answered", fault=type(error).__name__)

    async def admins(self, chat: int) -> list[tuple[int, str]]:
        """The group's administrators but bots, with their names; none when Telegram does not say."""
        try:
            found = await self._bot.get_chat_administrators(chat)
        except TelegramError as error:
            log.info("administrators unknown", fault=type(error).__name__)
            return []
        return [(one.user.id, one.user.first_name) for one in found if not one.user.is_bot]

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

    async def _wait(self, chat: int, keep: int = 0, *, take: bool = True) -> float:
        """Seconds until the chat has room beside `keep`; 0 and room taken (unless told not to) when it has."""
        now = _now()
        held = self._held.get(chat, 0)
        if held > now:
            return held - now
        if abs(_ahead() - self._ahead) > _JUMP:  # the windows hold times of the wall clock, perhaps far ahead of it now
            await self._storage.reset()
            self._ahead = _ahead()
        self._held.pop(chat, None)
        windows = ((OVERALL, "all"), (GROUP if chat < 0 else PRIVATE, str(chat)))
        for item, name in windows:
            stats = await self._limiter.get_window_stats(item, name)
            if stats.remaining <= (keep if name != "all" else 0):
                return max(stats.reset_time - time.time(), 0.02)
        if take:
            self._last[chat] = now
            if not all([await self._limiter.hit(item, name) for item, name in windows]):
                return _RACE  # somebody else took the last of it meanwhile
        return 0.0


def _now() -> float:
    return asyncio.get_running_loop().time()


def _ahead() -> float:
    """Seconds from the loop's clock to the wall clock: changed by whoever sets the latter."""
    return time.time() - _now()


def _never_left(error: NetworkError) -> bool:
    """Whether the call certainly did nothing: no connection, or the server said that it failed."""
    cause = error.__cause__
    if isinstance(error, TimedOut) or isinstance(cause, httpx.HTTPError):
        return isinstance(cause, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
    return "internal server error" in str(error).lower()
