"""Where `serve` has its updates from when there is a webhook: each is handled, and then Telegram hears 200."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from telegram import Bot, Update

from service.chat.api.queues import Queues
from service.web.webhook import Webhook

KEPT_MS = 25 * 60 * 60 * 1000
"""Telegram keeps an update for a day; when its 200 got lost it comes again, and what was noted for it must hold."""
_HOUR_MS = 60 * 60 * 1000


class Posted:
    """Has what is posted to the webhook handled, by the same three as a `Poller`; `now` gives milliseconds."""

    def __init__(
        self,
        webhook: Webhook,
        bot: Bot,
        handle: Callable[[Update], Awaitable[None]],
        late: Callable[[Update], Awaitable[None]],
        confirmed: Callable[[int], Awaitable[None]],
        now: Callable[[], int],
    ) -> None:
        self._webhook = webhook
        self._bot = bot
        self._confirmed = confirmed
        self._now = now
        self._queues = Queues(handle, late, self._done)
        self._waiting: dict[int, asyncio.Future[None]] = {}
        self._hours: deque[tuple[int, int]] = deque()  # when each began, and the lowest update of it

    async def run(self, stop: asyncio.Event) -> None:
        """Handles updates until `stop`, then lets what is in hand finish. Raises InvalidToken, BadSetting."""
        if not await self._webhook.announce(self._bot, stop):
            return
        async with asyncio.TaskGroup() as tasks:

            async def receive(update: Update) -> None:
                done = asyncio.get_running_loop().create_future()
                self._waiting[update.update_id] = done
                self._queues.take(update, tasks)
                await done

            with self._webhook.open(receive):
                await stop.wait()
            await self._queues.finish()
            for left in self._waiting.values():
                left.cancel()  # it comes again, to whoever serves then

    async def _done(self, update: Update) -> None:
        done = self._waiting.pop(update.update_id, None)
        if done is not None and not done.done():
            done.set_result(None)
        now, number = self._now(), update.update_id
        if not self._hours or now - self._hours[-1][0] >= _HOUR_MS:
            self._hours.append((now, number))
        else:
            self._hours[-1] = (self._hours[-1][0], min(self._hours[-1][1], number))
        past = False
        while now - self._hours[0][0] >= KEPT_MS + _HOUR_MS:
            self._hours.popleft()
            past = True
        if past:  # ids may have begun anew: what is kept is what the hours that count reach down to
            await self._confirmed(min(lowest for _, lowest in self._hours))
