"""One message that is kept up to date: what should stand there against what was posted, sent or edited."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
import structlog

from service.chat.api import outbox
from service.chat.api.outbox import Outbox
from service.chat.api.post import Post
from service.chat.bells.calls import awake_from
from service.chat.board import show
from service.chat.board.chores import TABLE, Chores, Job
from service.chat.board.places import Places
from service.chat.board.results import AFTER
from service.chat.board.shown import GONE, Record, Shown
from service.chat.people.customs import Preferences
from service.clock import Clock
from service.engine import Held

log = structlog.get_logger()

_LOOK = 0.02  # s
_UNKNOWN_PAUSE = 15.0  # s after which a message that nobody has heard of is posted anew


class Posting:
    """The messages of tables and hands. Its calls raise what those of `Outbox` raise."""

    def __init__(
        self, places: Places, shown: Shown, out: Outbox, clock: Clock, preferences: Preferences, chores: Chores
    ) -> None:
        self._places = places
        self._shown = shown
        self._out = out
        self._clock = clock
        self._preferences = preferences
        self._chores = chores
        self._sending: set[Job] = set()
        self._unknown: dict[Job, float] = {}  # perhaps delivered -> until when a press may tell (the loop's clock)

    async def bring(self, chat: int, job: Job, held: Held | None, wanted: Callable[[], Awaitable[Post | None]]) -> None:
        """Posts or edits the message where it is not as it is `wanted` (None: nothing should be shown)."""
        post = await wanted()
        record = await self._shown.get(job.table, job.whose)
        again = await self._shown.wanted_again(job.table, job.whose)
        self._replaced(chat, job, record)  # an earlier process may have posted it and died before it was done
        if post is None:
            if record is not None and record.message is not None and record.mark != GONE:
                await self.empty(record.chat, record.message)
                await self._shown.put(
                    job.table, job.whose, Record(record.chat, record.message, GONE, stale=record.stale)
                )
            return
        stands = record is not None and record.message is not None and record.chat == chat and record.again == again
        if stands and record is not None and record.mark == post.mark:
            return
        if record is not None and record.message is None and (seconds := self._waits(job)) > 0:
            self._chores.push(chat, job, seconds)
            return
        await self._out.room(chat, calm=record is not None)
        post = await wanted() or post  # more may have happened while we waited
        if stands and record is not None and record.message is not None:
            try:
                await self._out.edit(chat, record.message, post)
                await self._note(job, held, msgspec.structs.replace(record, mark=post.mark))
                return
            except outbox.Missing:
                await self._out.room(chat)
        stale: tuple[int, ...] = ()
        if record is not None and record.chat == chat:
            stale = record.stale
            if record.message is not None and record.again != again:
                stale += (record.message,)
        await self._post(chat, job, post, Record(chat, again=again, stale=stale), held)

    async def pressed(self, job: Job, chat: int, message: int) -> bool:
        """Somebody pressed a button under `message`: if that is not the one we keep up to date, it is to be emptied.

        A message of which we could not know whether it was sent is taken for ours; then True.
        """
        if job in self._sending:
            return False
        record = await self._shown.get(job.table, job.whose)
        if record is None or record.chat != chat or record.message == message:
            return False
        if record.message is None and message not in record.stale:
            await self._shown.put(job.table, job.whose, msgspec.structs.replace(record, message=message))
            return True
        self._chores.push(chat, Job(job.table, job.whose, message), 0.0)
        return False

    async def sent(self) -> None:
        """Returns when no new message is on its way: one that is cut off there is posted anew by whoever comes next."""
        while True:
            if not self._sending:
                return
            await asyncio.sleep(_LOOK)

    def unknown(self, chat: int, job: Job) -> None:
        """Nobody can say whether the message was delivered: for a while a press may tell, then it is posted anew."""
        self._unknown[job] = asyncio.get_running_loop().time() + _UNKNOWN_PAUSE
        self._chores.push(chat, job, _UNKNOWN_PAUSE)

    async def replaced(self, chat: int, job: Job) -> None:
        """Empties a message whose place another took (`job.orphan`), and notes that it is done."""
        await self.empty(chat, job.orphan)
        record = await self._shown.get(job.table, job.whose)
        if record is not None and job.orphan in record.stale:
            left = tuple(message for message in record.stale if message != job.orphan)
            await self._shown.put(job.table, job.whose, msgspec.structs.replace(record, stale=left))

    async def empty(self, chat: int, message: int) -> None:
        """Says in a message that it is out of date."""
        await self._out.room(chat, calm=True)
        try:
            texts = self._preferences.spoken_at(await self._places.home(chat))
            await self._out.edit(chat, message, show.moved_on(texts))
        except outbox.Missing:
            log.debug("nothing to empty")

    def _waits(self, job: Job) -> float:
        """Seconds in which a press may still tell that a message of unknown delivery is there."""
        return self._unknown.get(job, 0.0) - asyncio.get_running_loop().time()

    async def _note(self, job: Job, held: Held | None, record: Record) -> None:
        """Notes what stands in a chat; of the table's own message also which commit it shows at least."""
        if job.whose == TABLE and held is not None:
            record = msgspec.structs.replace(record, version=held.version, head=held.head.hex())
        await self._shown.put(job.table, job.whose, record)

    def _replaced(self, chat: int, job: Job, record: Record | None) -> None:
        """Has the messages emptied whose place this one took."""
        if record is not None and record.message is not None and record.chat == chat:
            for message in record.stale:
                self._chores.push(chat, Job(job.table, job.whose, message), 0.0)

    async def _post(self, chat: int, job: Job, post: Post, record: Record, held: Held | None) -> None:
        """A new message; that it is about to be sent is noted before."""
        self._sending.add(job)
        try:
            await self._shown.put(job.table, job.whose, record)
            thread = await self._places.thread(job.table) if job.whose == TABLE else None
            quiet = self._preferences.quiet(job.table)
            silent = awake_from(now := self._clock.now(), quiet) > now or record.again.startswith(AFTER)
            message = await self._out.send(chat, post, thread, silent=silent)
            record = msgspec.structs.replace(record, message=message, mark=post.mark)
            await self._note(job, held, record)
            self._replaced(chat, job, record)
        finally:
            self._sending.discard(job)
