"""Our own getUpdates loop: one chat's updates in order, chats side by side, and an offset that never runs ahead.

Telegram is told that an update is done (by the next offset) only when it and all before it are; whatever was in hand
when the process died comes again (Bot API, getUpdates).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress

import structlog
from telegram import Bot, Update
from telegram.error import Conflict, InvalidToken, NetworkError, RetryAfter, TelegramError

from service.chat.incoming import ALLOWED, chat_of

log = structlog.get_logger()

POLL_SECONDS = 25
_READ_SECONDS = 10  # beside the poll's own
_AT_ONCE = 100  # updates a poll gives at most
_PROGRESS = 0.5  # s to wait for updates in hand before asking for more
_NETWORK_PAUSE = 1.0  # s
CONFLICT_PAUSE = 5.0  # s until another program that polls is asked for its place again
_PRESS_PATIENCE = 2.0  # s that a press may wait for its turn before it is told so
_FINISH = 5.0  # s that updates in hand may still take at the end


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
        self._handle = handle
        self._late = late
        self._confirmed = confirmed
        self._queues: dict[int, deque[Update]] = {}
        self._in_hand: set[int] = set()
        self._last = 0
        self._told = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._progress = asyncio.Event()
        self._trouble = ""

    @property
    def offset(self) -> int | None:
        """The lowest update that is not done."""
        return min(self._in_hand) if self._in_hand else self._last + 1 if self._last else None

    async def run(self, stop: asyncio.Event) -> None:
        """Polls until `stop`, then lets what is in hand finish. Raises InvalidToken."""
        stopping = asyncio.ensure_future(stop.wait())
        unknown: InvalidToken | None = None
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
            with suppress(TimeoutError):
                async with asyncio.timeout(_FINISH):
                    while self._in_hand:
                        await self._moved_on()
            for task in self._tasks:
                task.cancel()  # what is not done comes again at the next start
            stopping.cancel()
        if unknown is not None:
            raise unknown

    async def _poll(self) -> tuple[Update, ...]:
        pause, offset = _NETWORK_PAUSE, self.offset
        try:
            found = await self._bot.get_updates(
                offset=offset,
                limit=_AT_ONCE,
                timeout=0 if self._in_hand else POLL_SECONDS,
                allowed_updates=ALLOWED,
                read_timeout=_READ_SECONDS,
            )
        except InvalidToken:
            raise
        except Conflict:
            self._say("another program receives this bot's updates; waiting until it stops")
            pause = self._conflict_pause
        except RetryAfter as error:
            pause = error._retry_after.total_seconds()
        except NetworkError as error:
            self._say(f"Telegram cannot be reached ({type(error.__cause__ or error).__name__}); waiting")
        except TelegramError as error:
            self._say(f"Telegram refuses getUpdates ({type(error).__name__}); trying again")
        else:
            if self._trouble:
                log.info("Telegram is back")
                self._trouble = ""
            if offset is not None and offset > self._told:
                self._told = offset
                await self._confirmed(offset)
            return found
        await asyncio.sleep(pause)
        return ()

    def _say(self, words: str) -> None:
        if words != self._trouble:
            log.warning(words)
            self._trouble = words

    async def _take(self, updates: tuple[Update, ...], tasks: asyncio.TaskGroup) -> None:
        new = [update for update in updates if update.update_id > self._last]
        for update in new:
            self._last = update.update_id
            self._in_hand.add(update.update_id)
            chat = chat_of(update)
            if chat in self._queues:
                self._queues[chat].append(update)
            else:
                self._queues[chat] = deque([update])
                self._start(tasks, self._work(chat))
            if update.callback_query is not None:
                self._start(tasks, self._watch(update))
        if self._in_hand:
            await self._moved_on()
        elif updates and not new:  # they should not have come again
            await asyncio.sleep(_PROGRESS)

    def _start(self, tasks: asyncio.TaskGroup, work: Coroutine[None, None, None]) -> None:
        task = tasks.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watch(self, update: Update) -> None:
        """A press wants its answer within seconds (Bot API, answerCallbackQuery)."""
        await asyncio.sleep(_PRESS_PATIENCE)
        if update.update_id in self._in_hand:
            await self._late(update)

    async def _moved_on(self) -> None:
        """Waits for what is in hand, but not long: other chats may have news."""
        self._progress.clear()
        try:
            async with asyncio.timeout(_PROGRESS):
                while self._in_hand:
                    await self._progress.wait()
                    self._progress.clear()
        except TimeoutError:
            return

    async def _work(self, chat: int) -> None:
        queue = self._queues[chat]
        while queue:
            update = queue.popleft()
            try:
                await self._handle(update)
            finally:
                self._in_hand.discard(update.update_id)
                self._progress.set()
        del self._queues[chat]
