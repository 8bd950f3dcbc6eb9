"""Brings every chat up to date, like a controller: what should be shown, made of the latest state, against what was
posted last. Ten moves in a second become one edit; after a restart the next pass puts every chat right."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from typing import NamedTuple

import msgspec
import structlog

from domain.table import Table, decision_of, observe, seat_of
from eventstore.store import StoreDown
from service.chat import names, outbox, show
from service.chat.outbox import Outbox
from service.chat.places import Places
from service.chat.post import Post
from service.chat.results import Results
from service.chat.seated import Seated
from service.chat.shown import Record, Shown
from service.clock import Clock
from service.engine import Engine, Held, Unreadable
from service.text import Texts

log = structlog.get_logger()

TABLE = "table"
_MOST_ANSWERS = 12  # that wait in a chat; older ones are dropped
GATHER = 1.0  # s that a message which asks nobody for anything waits for more to happen
_STORE_PAUSE = 1.0  # s
LOBBY_GATHER = 0.3  # s
_LONGEST = 4000  # characters of a message; Bot API, sendMessage: 4,096
_UNKNOWN_PAUSE = 15.0  # s after which a message that nobody has heard of is posted anew


class Job(NamedTuple):
    """Something that a chat must show: the table, or (an actor) somebody's hand; `orphan`: a message to empty."""

    table: str
    whose: str
    orphan: int = 0


_ANSWERS = Job("", "answers")  # what waits to be said in a chat


def _patience(state: Table, chat: int, new: bool) -> float:
    """How long the table's message waits for more to happen; one that is `new` is shown at once."""
    if chat >= 0 or new:
        return 0.0
    return GATHER if state.phase == "playing" else LOBBY_GATHER


class Views:
    """One worker a chat, so that a slow or held chat holds no other."""

    def __init__(
        self,
        engine: Engine,
        places: Places,
        seated: Seated,
        shown: Shown,
        out: Outbox,
        clock: Clock,
        texts: Texts,
        bot: str,
    ) -> None:
        self._engine = engine
        self._places = places
        self._seated = seated
        self._shown = shown
        self._out = out
        self._clock = clock
        self._texts = texts
        self._bot = bot
        self._results = Results(engine, places, shown, out, texts)
        self._touched: dict[str, None] = {}
        self._news = asyncio.Event()
        self._jobs: dict[int, dict[Job, float]] = defaultdict(dict)  # chat -> job -> when (the loop's clock)
        self._wakes: dict[int, asyncio.Event] = {}
        self._open: Counter[str] = Counter()  # jobs of a table, waiting or being done
        self._answers: dict[int, list[tuple[Post, int | None]]] = defaultdict(list)
        self._sending: set[Job] = set()
        self._unknown: dict[
            Job, float
        ] = {}  # sent, perhaps delivered -> until when a press may tell (the loop's clock)
        self._tasks: asyncio.TaskGroup | None = None

    # What happens

    def touch(self, name: str) -> None:
        """The table has changed, or may have."""
        self._touched[name] = None
        self._news.set()

    async def load(self) -> None:
        """Finds the tables that an earlier process looked after; once, before any update is handled."""
        for name in await self._shown.live():
            try:
                self._seated.note(name, (await self._engine.held(name)).state)
            except Unreadable as fault:
                log.error("table unreadable", table=name, fault=str(fault))
            self.touch(name)

    async def begin(self, name: str) -> None:
        """From now on the table is looked after, also by later processes."""
        await self._shown.begin(name)

    async def repost(self, name: str, whose: str, request: str) -> None:
        """Posts the message anew, further down; once a request."""
        await self._shown.want_again(name, whose, request)
        self.touch(name)

    def answer_later(self, chat: int, post: Post, thread: int | None) -> None:
        """Says something in a chat as soon as it has room, together with what else waits to be said there."""
        waiting = [one for one in self._answers[chat] if one != (post, thread)]
        self._answers[chat] = [*waiting, (post, thread)][-_MOST_ANSWERS:]
        self._push(chat, _ANSWERS, 0.0)

    async def pressed(self, name: str, whose: str, chat: int, message: int) -> None:
        """Somebody pressed a button under `message`: if that is not the one we keep up to date, it is to be emptied.

        A message of which we could not know whether it was sent is taken for ours.
        """
        if Job(name, whose) in self._sending:
            return
        record = await self._shown.get(name, whose)
        if record is None or record.chat != chat or record.message == message:
            return
        if record.message is None:
            await self._shown.put(name, whose, Record(chat, message, again=record.again))
            self._push(chat, Job(name, whose), 0.0)
        else:
            self._push(chat, Job(name, whose, message), 0.0)

    # The work

    async def run(self) -> None:
        """Keeps all chats up to date until cancelled."""
        async with asyncio.TaskGroup() as self._tasks:
            while True:
                await self._news.wait()
                self._news.clear()
                names = list(self._touched)
                self._touched.clear()
                for name in names:
                    await self._spread(name)

    async def _spread(self, name: str) -> None:
        """Finds the chats that show the table."""
        try:
            state = (await self._engine.fresh(name)).state
            self._seated.note(name, state)
            chat = self._places.chat(name)
            if state is None or chat is None:
                return
            if not self._places.closed(chat):
                new = await self._shown.get(name, TABLE) is None
                self._push(chat, Job(name, TABLE), _patience(state, chat, new))
            asked = {seat for decision in state.decisions for seat in decision.seats}
            for index, seat in enumerate(state.seats):
                private = None if seat.computer else await self._places.private(seat.owner)
                if private is not None:
                    await self._call(state, index)
                    self._push(private, Job(name, seat.owner), 0.0 if index in asked else GATHER)
        except StoreDown:
            await self._clock.sleep(_STORE_PAUSE)
            self.touch(name)
        except Unreadable as fault:
            log.error("table unreadable", table=name, fault=str(fault))
            chat = self._places.chat(name)
            if chat is not None and not self._places.closed(chat):
                self._push(chat, Job(name, TABLE), GATHER)

    async def _call(self, state: Table, seat: int) -> None:
        """Whoever is asked and has not been here for a while gets his hand as a new message, once a question."""
        actor = state.seats[seat].owner
        decision = decision_of(state, seat)
        if decision is not None and self._seated.absent(actor):
            await self._shown.want_again(state.id, actor, f"asked {decision.id}")

    def _push(self, chat: int, job: Job, seconds: float) -> None:
        jobs = self._jobs[chat]
        when = asyncio.get_running_loop().time() + seconds
        self._open[job.table] += job not in jobs
        jobs[job] = min(when, jobs.get(job, when))
        if chat in self._wakes:
            self._wakes[chat].set()
        elif self._tasks is not None:
            self._wakes[chat] = asyncio.Event()
            self._tasks.create_task(self._work(chat))

    async def _work(self, chat: int) -> None:
        """Does a chat's jobs, the most urgent first, until none is left."""
        jobs, wake, loop = self._jobs[chat], self._wakes[chat], asyncio.get_running_loop()
        while jobs:
            wake.clear()
            job = min(jobs, key=lambda one: jobs[one])
            seconds = jobs[job] - loop.time()
            if seconds > 0:
                try:
                    async with asyncio.timeout(seconds):
                        await wake.wait()
                except TimeoutError:
                    pass
                continue
            del jobs[job]
            try:
                await self._do(chat, job)
            except outbox.NotNow as later:
                self._push(chat, job, later.seconds)
            except StoreDown:
                self._push(chat, job, _STORE_PAUSE)
            except outbox.Unknown:
                if job != _ANSWERS:
                    self._unknown[job] = loop.time() + _UNKNOWN_PAUSE
                    self._push(chat, job, _UNKNOWN_PAUSE)
            except outbox.Moved as moved:
                for name in await self._places.move(chat, moved.chat):
                    self.touch(name)
            except outbox.Gone:
                if chat < 0:
                    await self._places.close(chat)
                elif job != _ANSWERS:
                    await self._places.stopped(job.whose)
                log.info("chat closed to us", table=job.table)
            except outbox.Unsendable as fault:
                log.error("message refused", table=job.table, fault=str(fault))
            except Exception:  # a fault at one table must not stop the others
                log.exception("message not shown", table=job.table)
            finally:
                self._open[job.table] -= 1
            await self._finish(job.table)
        del self._wakes[chat]

    async def _do(self, chat: int, job: Job) -> None:
        if job.orphan:
            await self._empty(chat, job.orphan)
            return
        if job == _ANSWERS:
            await self._answer(chat)
            return
        held = await self._held(job.table)
        if job.whose == TABLE and held is not None:
            after = await self._results.tell(chat, job.table)
            if after:
                await self._shown.want_again(job.table, TABLE, after)  # below the result
        post = await self._wanted(job)
        record = await self._shown.get(job.table, job.whose)
        again = await self._shown.wanted_again(job.table, job.whose)
        if post is None:
            if record is not None and record.message is not None and record.mark != "gone":
                await self._empty(record.chat, record.message)
                await self._shown.put(job.table, job.whose, Record(record.chat, record.message, "gone"))
            return
        stands = record is not None and record.message is not None and record.chat == chat and record.again == again
        if stands and record is not None and record.mark == post.mark:
            return
        if record is not None and record.message is None and (seconds := self._waits(job)) > 0:
            self._push(chat, job, seconds)
            return
        await self._out.room(chat, calm=record is not None)
        post = await self._wanted(job) or post  # more may have happened while we waited
        if stands and record is not None and record.message is not None:
            try:
                await self._out.edit(chat, record.message, post)
                await self._note(job, held, Record(chat, record.message, post.mark, again))
                return
            except outbox.Missing:
                await self._out.room(chat)
        await self._post(chat, job, post, again, held)
        if record is not None and record.message is not None and record.chat == chat and record.again != again:
            self._push(chat, Job(job.table, job.whose, record.message), 0.0)

    def _waits(self, job: Job) -> float:
        """Seconds in which a press may still tell that a message of unknown delivery is there."""
        return self._unknown.get(job, 0.0) - asyncio.get_running_loop().time()

    async def _held(self, name: str) -> Held | None:
        """The table, or None when it cannot be read: then it is shown as parked."""
        try:
            return await self._engine.held(name)
        except Unreadable:
            return None

    async def _note(self, job: Job, held: Held | None, record: Record) -> None:
        """Notes what stands in a chat; of the table's own message also which commit it shows at least."""
        if job.whose == TABLE and held is not None:
            record = msgspec.structs.replace(record, version=held.version, head=held.head.hex())
        await self._shown.put(job.table, job.whose, record)

    async def _post(self, chat: int, job: Job, post: Post, again: str, held: Held | None) -> None:
        """A new message; that it is about to be sent is noted before."""
        self._sending.add(job)
        try:
            await self._shown.put(job.table, job.whose, Record(chat, again=again))
            thread = await self._places.thread(job.table) if job.whose == TABLE else None
            message = await self._out.send(chat, post, thread)
            await self._note(job, held, Record(chat, message, post.mark, again))
        finally:
            self._sending.discard(job)

    async def _answer(self, chat: int) -> None:
        """One message for all that waits in a topic, and for as much of it as fits."""
        await self._out.room(chat)
        waiting = self._answers.pop(chat, [])
        if not waiting:
            return
        thread, html, rows = waiting[0][1], waiting[0][0].html, waiting[0][0].rows
        taken = 1
        while taken < len(waiting) and waiting[taken][1] == thread:
            more = f"{html}\n\n{waiting[taken][0].html}"
            if len(more) > _LONGEST:
                break
            html, rows = more, waiting[taken][0].rows or rows
            taken += 1
        try:
            await self._out.send(chat, Post(html, rows), thread)
        except outbox.NotNow:
            taken = 0
            raise
        finally:
            if rest := [*waiting[taken:], *self._answers.pop(chat, [])]:
                self._answers[chat] = rest
                self._push(chat, _ANSWERS, 0.0)

    async def _empty(self, chat: int, message: int) -> None:
        await self._out.room(chat, calm=True)
        try:
            await self._out.edit(chat, message, show.moved_on(self._texts))
        except outbox.Missing:
            log.debug("nothing to empty")

    async def _wanted(self, job: Job) -> Post | None:
        """What should be shown, from the latest state; None for nothing."""
        try:
            state = (await self._engine.held(job.table)).state
        except Unreadable as fault:
            return show.parked(self._texts, fault.why)
        if state is None:
            return None
        names = await self.names(state)
        if job.whose == TABLE:
            return show.table(self._texts, observe(state, None), names, self._bot)
        seat = seat_of(state, job.whose)
        if seat is None or state.phase == "lobby":
            return None
        return show.hand(self._texts, observe(state, seat), names)

    async def names(self, state: Table) -> list[str]:
        """What the seats are called."""
        known = await self._places.names([seat.owner for seat in state.seats])
        return names.shown(self._texts, state.seats, known)

    async def _finish(self, name: str) -> None:
        """A table that is over and shown everywhere needs no more looking after."""
        if not name or self._open[name] > 0:
            return
        del self._open[name]
        try:
            state = (await self._engine.held(name)).state
            if state is not None and state.phase == "over":
                await self._shown.end(name)
                self._results.forget(name)
        except (StoreDown, Unreadable):
            log.debug("looked after once more", table=name)  # at the next start
