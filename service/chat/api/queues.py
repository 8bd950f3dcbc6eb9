"""What is in hand: one chat's updates in order, chats side by side."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine

from telegram import Update

from service.chat.api.incoming import chat_of

_PROGRESS = 0.5  # s to wait, at most, for updates in hand before asking for more
_FIRST_PROGRESS = 0.02  # s for which it is waited first: then twice as long each time, until others come
_PRESS_PATIENCE = 2.0  # s that a press may wait for its turn before it is told so
_FINISH = 5.0  # s that updates in hand may still take at the end


class Queues:
    """Has updates handled. `handle` deals with one, however long the store is away; `late` hears of a press that still
    waits after some seconds; `done` hears of each that is handled, before the next of its chat."""

    def __init__(
        self,
        handle: Callable[[Update], Awaitable[None]],
        late: Callable[[Update], Awaitable[None]],
        done: Callable[[Update], Awaitable[None]] | None = None,
    ) -> None:
        self._handle = handle
        self._late = late
        self._done = done
        self.in_hand: set[int] = set()
        """The updates (their ids) that are not done."""
        self._queues: dict[int, deque[Update]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._progress = asyncio.Event()
        self._patience = _FIRST_PROGRESS

    def take(self, update: Update, tasks: asyncio.TaskGroup) -> None:
        """Takes an update in hand."""
        self._patience = _FIRST_PROGRESS
        self.in_hand.add(update.update_id)
        chat = chat_of(update)
        if chat in self._queues:
            self._queues[chat].append(update)
        else:
            self._queues[chat] = deque([update])
            self._start(tasks, self._work(chat))
        if update.callback_query is not None:
            self._start(tasks, self._watch(update))

    async def moved_on(self) -> None:
        """Waits for what is in hand, but not long: other chats may have news."""
        self._progress.clear()
        try:
            async with asyncio.timeout(self._patience):
                while self.in_hand:
                    await self._progress.wait()
                    self._progress.clear()
        except TimeoutError:
            self._patience = min(2 * self._patience, _PROGRESS)

    async def finish(self) -> None:
        """Lets what is in hand finish, for some seconds; what is not done then comes again."""
        try:
            async with asyncio.timeout(_FINISH):
                while self.in_hand:
                    await self.moved_on()
        except TimeoutError:
            return
        finally:
            for task in self._tasks:
                task.cancel()

    def _start(self, tasks: asyncio.TaskGroup, work: Coroutine[None, None, None]) -> None:
        task = tasks.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watch(self, update: Update) -> None:
        """A press wants its answer within seconds (Bot API, answerCallbackQuery)."""
        await asyncio.sleep(_PRESS_PATIENCE)
        if update.update_id in self.in_hand:
            await self._late(update)

    async def _work(self, chat: int) -> None:
        queue = self._queues[chat]
        while queue:
            update = queue.popleft()
            try:
                await self._handle(update)
                if self._done is not None:
                    await self._done(update)
            finally:
                self.in_hand.discard(update.update_id)
                self._progress.set()
        del self._queues[chat]
