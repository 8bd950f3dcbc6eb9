"""Brings every chat up to date, like a controller: what should be shown, made of the latest state, against what was
posted last. Ten moves in a second become one edit; after a restart the next pass puts every chat right."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from domain.table import Table
from eventstore.store import StoreDown, home
from service.chat.api import outbox
from service.chat.api.outbox import Outbox
from service.chat.api.post import Post
from service.chat.bells.ringing import Ringing
from service.chat.board import show
from service.chat.board.answers import Answers
from service.chat.board.around import changes
from service.chat.board.chores import ANSWERS, STORE_PAUSE, TABLE, Chores, Job
from service.chat.board.lately import Lately
from service.chat.board.looks import Looks
from service.chat.board.parting import Parting
from service.chat.board.pins import Pins
from service.chat.board.places import Places
from service.chat.board.posting import Posting
from service.chat.board.results import Results
from service.chat.board.rounds import Rounds
from service.chat.board.seated import Seated
from service.chat.board.shown import Shown
from service.chat.people.customs import Preferences
from service.clock import Clock
from service.engine import Engine, Held, Unreadable
from service.text import Texts

log = structlog.get_logger()

GATHER = 1.0  # s that a message which asks nobody for anything waits for more to happen
LOBBY_GATHER = 0.3  # s
_LOOK_AGAIN = 2_000  # ms after a change, until it is asked what time alone will bring
_SHUT_PAUSE = 60.0  # s until a topic that is closed is tried again


def _patience(state: Table, chat: int, new: bool) -> float:
    """How long the table's message waits for more to happen; one that is `new` is shown at once."""
    if chat >= 0 or new:
        return 0.0
    return GATHER if state.phase == "playing" else LOBBY_GATHER


Beside = Callable[[Table, str, Texts, Post], Awaitable[Post]]
"""Of (table, actor, texts, the message of his hand) the message with what else belongs beside the hand."""


async def _as_it_is(_state: Table, _actor: str, _texts: Texts, post: Post) -> Post:
    return post


Below = Callable[[Table, Post, Texts], Awaitable[Post]]
"""Of (table, its message, texts) the message with what else belongs below it."""


async def _nothing_below(_state: Table, post: Post, _texts: Texts) -> Post:
    return post


class Views:
    """Looks after every table of this process. Whatever fails at one of them stops no other."""

    def __init__(
        self,
        engine: Engine,
        places: Places,
        seated: Seated,
        shown: Shown,
        out: Outbox,
        clock: Clock,
        preferences: Preferences,
        bot: str,
        elsewhere: Callable[[str], None] = lambda _table: None,
    ) -> None:
        self._elsewhere = elsewhere  # tells the process whose table it is
        self._engine = engine
        self._places = places
        self._seated = seated
        self._shown = shown
        self._out = out
        self._clock = clock
        self._preferences = preferences
        self._bot = bot
        self._results = Results(engine, places, shown, out, preferences)
        self.beside: Beside = _as_it_is
        self.below: Below = _nothing_below
        self.parting = Parting(shown)
        self._lately = Lately(engine)
        self._looks = Looks(places, seated, shown, clock, preferences, self._lately, bot)
        self._ringing = Ringing(places, seated, shown, out, clock, preferences, bot)
        self._pins = Pins(shown, out, preferences)
        self._rounds = Rounds(clock, self._by_time, _LOOK_AGAIN)
        self._chores = Chores(self._do, self._failed, self._finish)
        self._answers = Answers(out, lambda chat: self._chores.push(chat, ANSWERS, 0.0))
        self._posting = Posting(places, shown, out, clock, preferences, self._chores)
        self._changes: dict[str, int | None] = {}  # table -> when its messages may look different by themselves, ms UTC
        self._touched: dict[str, None] = {}
        self._news = asyncio.Event()

    # What happens

    def touch(self, name: str) -> None:
        """The table has changed, or may have."""
        if not self._places.ours(name):
            self._elsewhere(name)
            return
        self._touched[name] = None
        self._news.set()

    async def load(self) -> None:
        """Finds the tables that an earlier process looked after; once, before any update is handled."""
        await self.parting.load()
        for name in await self._shown.live():
            try:
                self._seated.note(name, (await self._engine.held(name)).state)
            except Unreadable as fault:
                log.error("table unreadable", table=name, fault=str(fault))
            if self._places.ours(name):
                self.touch(name)

    async def begin(self, name: str) -> None:
        """From now on the table is looked after, also by later processes."""
        await self._shown.begin(name)

    async def repost(self, name: str, whose: str, request: str) -> None:
        """Posts the message anew, further down; once a request."""
        await self._shown.want_again(name, whose, request)
        if whose != TABLE:
            held = await self._held(name)
            await self._shown.look(name, whose, 0 if held is None else held.version, request)
        self.touch(name)

    async def repost_all(self, name: str, request: str) -> None:
        """Posts anew what all who sit at the table have to see now: its message in the group, or (without one) each
        player's own; once a request."""
        held = await self._held(name)
        if self._places.together(name) or held is None or held.state is None:
            await self.repost(name, TABLE, request)
            return
        for seat in held.state.seats:
            if not seat.computer and not seat.kicked:
                await self.repost(name, seat.owner, request)

    async def shows(self, name: str, whose: str, chat: int, message: int) -> bool:
        """Whether this message of a chat is the one that shows the table, or somebody's hand."""
        record = await self._shown.get(name, whose)
        return record is not None and (record.chat, record.message) == (chat, message)

    def answer_later(self, chat: int, post: Post, thread: int | None, whose: int = 0) -> None:
        """Says something in a chat as soon as it has room, together with what else waits to be said there; `whose`:
        the user who asked for it, 0 for nobody in particular."""
        self._answers.add(chat, post, thread, whose)

    def unsaid(self) -> list[tuple[int, Post, int | None]]:
        """What still waits to be said (chat, what, topic); for the end, after `run`."""
        return self._answers.waiting()

    async def sent(self) -> None:
        """Returns when no new message is on its way; for the end."""
        await self._posting.sent()
        await self._ringing.sent()

    async def pressed(self, name: str, whose: str, chat: int, message: int) -> None:
        """Somebody pressed a button under `message`: if that is not the one we keep up to date, it is to be emptied.

        A message of which we could not know whether it was sent is taken for ours.
        """
        if await self._posting.pressed(Job(name, whose), chat, message):
            self.touch(name)

    # The work

    async def run(self) -> None:
        """Keeps all chats up to date until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            self._chores.begin(tasks)
            tasks.create_task(self._rounds.run())
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
            for actor in await self.parting.look(state):
                if (private := await self._places.private(actor)) is not None:
                    self._chores.push(private, Job(name, actor), 0.0)
            if not self._places.closed(chat):
                new = await self._shown.get(name, TABLE) is None
                self._chores.push(chat, Job(name, TABLE), _patience(state, chat, new))
            await self._bells(state)
            asked = {seat for decision in state.decisions for seat in decision.seats}
            for index, seat in enumerate(state.seats):
                private = None if seat.computer else await self._places.private(seat.owner)
                if private is not None:
                    self._chores.push(private, Job(name, seat.owner), 0.0 if index in asked else GATHER)
            self._rounds.touch(name)
        except StoreDown:
            await self._clock.sleep(STORE_PAUSE)
            self.touch(name)
        except Unreadable as fault:
            log.error("table unreadable", table=name, fault=str(fault))
            chat = self._places.chat(name)
            if chat is not None and not self._places.closed(chat):
                self._chores.push(chat, Job(name, TABLE), GATHER)

    async def _bells(self, state: Table) -> int | None:
        """Rings what is due at the table; gives when to look again (ms UTC)."""
        due, chat = await self._ringing.look(state), self._places.chat(state.id)
        for actor in due.private:
            private = await self._places.private(actor)
            if private is not None:
                self._chores.push(private, Job(state.id, actor), 0.0)
        if due.group and chat is not None:
            self._chores.push(chat, Job(state.id, TABLE, ring=True), 0.0)
        return due.next

    async def _by_time(self, name: str) -> int | None:
        """What time alone brings: bells, and a day that begins. Gives when to look again (ms UTC)."""
        if not self._places.ours(name):
            self._forget(name)
            return None
        state = (await self._engine.held(name)).state
        if state is None or state.phase == "lobby":
            return None
        bells, now = await self._bells(state), self._clock.now()
        before = self._changes.pop(name, None)
        if before is not None and before <= now:
            self.touch(name)
        after = changes(state, now, self._preferences.of_home(home(name)).zone)
        if after is not None:
            self._changes[name] = after
        return min((when for when in (bells, after) if when is not None), default=None)

    async def _failed(self, chat: int, job: Job, fault: Exception) -> None:
        """What becomes of a job that failed: later, elsewhere, or never."""
        match fault:
            case outbox.NotNow():
                self._chores.push(chat, job, fault.seconds)
            case outbox.Unknown():
                if job != ANSWERS:
                    self._posting.unknown(chat, job)
            case outbox.Moved():
                for name in await self._places.move(chat, fault.chat):
                    self.touch(name)
                self._answers.move(chat, fault.chat)
            case outbox.Shut():
                if fault.deleted and job.table:
                    await self._places.forget_thread(job.table)  # from now on in the group's main topic
                if job.table:
                    self._chores.push(chat, job, STORE_PAUSE if fault.deleted else _SHUT_PAUSE)
                log.info("topic shut", table=job.table)
            case outbox.Gone():
                if chat < 0:
                    await self._places.close(chat)
                elif job != ANSWERS:
                    await self._places.stopped(job.whose)
                    self.touch(job.table)  # perhaps he is to be called in the group
                log.info("chat closed to us", table=job.table)
            case outbox.Unsendable():
                log.error("message refused", table=job.table, fault=str(fault))
            case _:
                log.error("message not shown", table=job.table, exc_info=fault)

    async def _do(self, chat: int, job: Job) -> None:
        if job.orphan:
            await self._posting.replaced(chat, job)
            return
        if job == ANSWERS:
            await self._answers.send(chat)
            return
        if chat != await self._where(job):
            return  # forgotten, or moved meanwhile: then there is another job
        if job.ring:
            await self._ringing.ring(lambda: self._going(job.table))
            return
        held = await self._held(job.table)
        if job.whose == TABLE and held is not None:
            after = await self._results.tell(chat, job.table)
            if after:  # below the result
                await self.repost_all(job.table, after)
        await self._posting.bring(chat, job, held, lambda: self._wanted(job))
        if job.whose == TABLE and held is not None and held.state is not None:
            record = await self._shown.get(job.table, TABLE)
            if record is not None and record.message and record.chat == chat:
                await self._pins.keep(chat, held.state, record.message)

    async def _where(self, job: Job) -> int | None:
        """The chat in which it is to be shown now."""
        return self._places.chat(job.table) if job.whose == TABLE else await self._places.private(job.whose)

    async def _going(self, name: str) -> Table:
        """The table, which is there: whoever asks has seen it."""
        state = (await self._engine.held(name)).state
        assert state is not None, "a table that rings was opened"
        return state

    async def _held(self, name: str) -> Held | None:
        """The table, or None when it cannot be read: then it is shown as parked."""
        try:
            return await self._engine.held(name)
        except Unreadable:
            return None

    async def _wanted(self, job: Job) -> Post | None:
        """What should be shown, from the latest state; None for nothing."""
        try:
            held = await self._engine.held(job.table)
        except Unreadable as fault:
            return show.parked(self._texts_of(job), fault.why)
        if held.state is None or (job.whose == TABLE and await self._is_double(held.state)):
            return None
        if job.whose == TABLE:
            return await self.below(held.state, await self._looks.table(held, held.state), self._texts_of(job))
        post = await self._looks.hand(held, held.state, job.whose)
        return None if post is None else await self.beside(held.state, job.whose, self._texts_of(job), post)

    async def _is_double(self, state: Table) -> bool:
        """Whether a table without a group has no message of its own: the chat it is in shows its owner's hand."""
        chat = self._places.chat(state.id)
        if state.phase == "lobby" or self._places.together(state.id):
            return False
        owners = [seat.owner for seat in state.seats if not seat.computer and not seat.kicked]
        return chat in [await self._places.private(owner) for owner in owners]

    def _texts_of(self, job: Job) -> Texts:
        """The language of the group, or of whose hand it is."""
        where = home(job.table)
        return (
            self._preferences.spoken_at(where) if job.whose == TABLE else self._preferences.spoken_to(job.whose, where)
        )

    async def names(self, state: Table, texts: Texts | None = None) -> list[str]:
        """What the seats are called, in the language of the table's home unless another is given."""
        return await self._looks.names(state, texts)

    async def mention(self, state: Table, seat: int) -> str:
        """The name of a seat's owner in the group, which tells him that he is meant; HTML."""
        texts = self._preferences.spoken_at(home(state.id))
        return await self._ringing.mention(state.seats[seat].owner, texts)

    async def _finish(self, name: str) -> None:
        """A table that is over and shown everywhere needs no more looking after."""
        if not name or not self._chores.settled(name):
            return
        try:
            state = (await self._engine.held(name)).state
            if state is not None and state.phase == "over":
                await self._shown.end(name)
                self._forget(name)
        except (StoreDown, Unreadable):
            log.debug("looked after once more", table=name)  # at the next start

    def _forget(self, name: str) -> None:
        for memory in (self._results, self._lately, self._ringing, self._pins, self.parting):
            memory.forget(name)
        self._changes.pop(name, None)
