"""Our own getUpdates loop: one chat's updates in order, chats side by side, and an offset that never runs ahead.

Telegram is told that an update is done (by the next offset) only when it and all before it are; whatever was in hand
when the process died comes again (Bot API, getUpdates).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

import structlog
from telegram import Bot, Update
from telegram.error import Conflict, InvalidToken, NetworkError, RetryAfter, TelegramError

from service.chat.api.incoming import ALLOWED
from service.chat.api.queues import Queues

log = structlog.get_logger()

POLL_SECONDS = 25
_READ_SECONDS = 10  # beside the poll's own
_AT_ONCE = 100  # updates a poll gives at most
_PROGRESS = 0.5  # s until what came again and should not have is asked for once more
_NETWORK_PAUSE = 1.0  # s
_REMEMBERED = 1_000  # updates that may come once more although they are done
_HOOKED = "webhook is active"
CONFLICT_PAUSE = 5.0  # s until another program that polls is asked for its place again


class Poller:
    """Fetches updates and has them handled.

    `handle` deals with one, however long the store is away; `late` hears of a press that still waits after some
    seconds; `confirmed` hears which updates (below an id) will never come again.
    """

    def __init__(
        self,
        bot: Bot,
        handle: Callable[[Update], Awaitable[None]],
        late: Callable[[Update], Awaitable[None]],
        confirmed: Callable[[int], Awaitable[None]],
        conflict_pause: float = CONFLICT_PAUSE,
    ) -> None:
        self._conflict_pause = conflict_pause
        self._bot = bot
        self._confirmed = confirmed
        self._queues = Queues(handle, late)
        self._last = 0
        self._taken: deque[int] = deque(maxlen=_REMEMBERED)
        self._told = 0
        self._polled = False
        self._trouble = ""

    @property
    def offset(self) -> int | None:
        """The lowest update that is not done."""
        in_hand = self._queues.in_hand
        return min(in_hand) if in_hand else self._last + 1 if self._last else None

    async def run(self, stop: asyncio.Event) -> None:
        """Polls until `stop`, then lets what is in hand finish. Raises InvalidToken."""
        stopping = asyncio.ensure_future(stop.wait())
        unknown: InvalidToken | None = None
        polling: asyncio.Future[tuple[Update, ...]] | None = None
        try:
            async with asyncio.TaskGroup() as tasks:
                while not stop.is_set():
                    polling = asyncio.ensure_future(self._poll())
                    await asyncio.wait((polling, stopping), return_when=asyncio.FIRST_COMPLETED)
                    if not polling.done():
                        polling.cancel()
                        await asyncio.wait((polling,))
                        break
                    try:
                        found = await polling
                    except InvalidToken as error:
                        unknown = error
                        break
                    await self._take(found, tasks)
                await self._queues.finish()
        finally:
            stopping.cancel()
            if polling is not None:
                polling.cancel()
        if unknown is not None:
            raise unknown

    async def _poll(self) -> tuple[Update, ...]:
        pause, offset = _NETWORK_PAUSE, self.offset
        try:
            found = await self._bot.get_updates(
                offset=offset,
                limit=_AT_ONCE,
                timeout=0 if self._queues.in_hand else POLL_SECONDS,
                allowed_updates=ALLOWED,
                read_timeout=_READ_SECONDS,
            )
        except InvalidToken:
            raise
        except Conflict as error:
            if _HOOKED in str(error).lower() and not self._polled:
                await self._unhook()
                return ()
            self._say("another program receives this bot's updates; waiting until it stops")
            pause = self._conflict_pause
        except RetryAfter as error:
            pause = error._retry_after.total_seconds()
        except NetworkError as error:
            self._say(f"Telegram cannot be reached ({type(error.__cause__ or error).__name__}); waiting")
        except TelegramError as error:
            self._say(f"Telegram refuses getUpdates ({type(error).__name__}); trying again")
        else:
            self._polled = True
            if self._trouble:
                log.info("Telegram is back")
                self._trouble = ""
            if offset is not None and offset > self._told:
                self._told = offset
                await self._confirmed(offset)
            return found
        await asyncio.sleep(pause)
        return ()

    async def _unhook(self) -> None:
        """At our start: until now updates came by webhook, and what waits there is to come to us.

        A webhook that is set while we poll is another program's, which takes over from us.
        """
        self._say("updates came by webhook until now; polling instead")
        try:
            await self._bot.delete_webhook()
        except InvalidToken:
            raise
        except TelegramError as error:
            self._say(f"Telegram keeps the webhook ({type(error).__name__}); trying again")
            await asyncio.sleep(_NETWORK_PAUSE)

    def _is_new(self, number: int) -> bool:
        """Ids go up, but after a week without updates they may begin anew anywhere (Bot API, Update)."""
        return number > self._last or number not in self._taken

    def _say(self, words: str) -> None:
        if words != self._trouble:
            log.warning(words)
            self._trouble = words

    async def _take(self, updates: tuple[Update, ...], tasks: asyncio.TaskGroup) -> None:
        new = [update for update in updates if self._is_new(update.update_id)]
        for update in new:
            self._last = update.update_id
            self._taken.append(update.update_id)
            self._queues.take(update, tasks)
        if self._queues.in_hand:
            await self._queues.moved_on()
        elif updates and not new:  # they should not have come again
            await asyncio.sleep(_PROGRESS)
