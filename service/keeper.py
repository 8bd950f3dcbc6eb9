"""Keeps tables going: computer players move, clocks fire, an outage is noted before any clock is judged."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection

import structlog

from domain.clock import Stop
from domain.commands import Expire, Move, NoteOutage
from domain.table import STAND_IN, stood_in
from eventstore import feed
from eventstore.feed import Follower
from eventstore.redis_store import RedisStore
from eventstore.store import StoreDown
from service.clock import Clock
from service.directory import Directory
from service.due import computers_to_act, fires, first_to_fire
from service.engine import Engine, Unreadable
from service.outage import Outage
from service.projections.deadlines import DEADLINES, earliest, playing
from service.projections.registry import PROJECTIONS
from service.projections.rows import Rows, through

log = structlog.get_logger()

BEAT_SECONDS = 5.0  # how often we note that we are alive, and so how exactly an outage is known
RETRY_SECONDS = 1.0  # between attempts while the store is down
_GAP_SECONDS = 3 * BEAT_SECONDS  # without a beat for longer than this we count as having been down
_TURN = 60  # moves of computer players that a table gets before the others have their turn
_AGAIN = 1_000  # ms until a deadline is tried again when nothing came of it
_BLOCK_MS = 5_000


class Keeper:
    """Looks after the tables for which `ours` holds. `scope` names this duty (`serve`, `play`): one heartbeat each,
    or one for each of its `partitions` where several processes have a part of it; `order` says after which message of
    its chat a computer player speaks.

    One agenda holds when each table wants to be looked at next. A table leaves it only when that was done: a store that
    is down in between, or a table that cannot be judged, loses no other table its turn.
    """

    def __init__(
        self,
        store: RedisStore,
        engine: Engine,
        directory: Directory,
        clock: Clock,
        scope: str,
        ours: Callable[[str], bool] = lambda _: True,
        outage: Outage | None = None,
        order: Callable[[str], int] = lambda _: 0,
        partitions: Collection[int] | None = None,
    ) -> None:
        self._order = order
        self._down = outage or Outage()
        self._store = store
        self._engine = engine
        self._directory = directory
        self._clock = clock
        self._scope = scope
        self._partitions = partitions
        self._ours = ours
        rows = {name: Rows(store, spec, through(engine)) for name, spec in PROJECTIONS.items()}
        self._deadlines = rows[DEADLINES.name]
        self._followers = {name: Follower(store, one, partitions) for name, one in rows.items()}
        self._agenda: dict[str, int] = {}  # table -> when to look at it, ms UTC
        self._news_of: dict[str, int] = {}  # table -> the latest version we heard of
        self._aside: dict[str, int] = {}  # tables that could not be judged, until they have a later version
        self._changed = asyncio.Event()
        self._news: feed.Tail | None = None
        self._alive: int | None = None  # when we last noted that we are, ms UTC
        self._gap: Stop | None = None  # an outage that is not yet noted at every table
        self._noting = asyncio.Lock()

    async def computers(self, name: str, reach: Callable[[int], None] = lambda _: None) -> int:
        """Makes every move of computer players that the table waits for, due or not; says how many.

        `reach` is told the time at which each is ready: a clock of ours may jump there.
        """
        moves = 0
        while await self._computer(name, reach):
            moves += 1
        return moves

    async def _computer(self, name: str, reach: Callable[[int], None] | None = None) -> bool:
        """Makes a move of a computer player if the table waits for one and it is due (or all the same, with `reach`).

        The command's id names the commit it follows on, so that two processes that do the same do it once. (A decision
        may want several moves of a seat.)
        """
        held = await self._engine.held(name)
        state = held.state
        found = [one for one in computers_to_act(state) if reach is not None or one.due <= self._clock.now()]
        if state is None or not found:
            return False
        seat, decision = found[0].seat, found[0].decision
        if reach is not None:
            reach(found[0].ready)
        owner = STAND_IN if stood_in(state, seat) else state.seats[seat].owner
        level, seen, rules = owner.removeprefix("computer:"), state.rules.observe(state.set, seat), state.rules
        if rules.speaker is not None:
            move = rules.speaker(level, seen, self._engine.lexicon(state))
        else:
            move = rules.player(level, seen)
        command = f"computer:{name}:{held.version}:{seat}"
        order = self._order(name)
        await self._engine.submit(name, owner, Move(move), command, decision=decision, seat=seat, order=order)
        if (await self._engine.held(name)).version == held.version:
            raise AssertionError(f"{name}: a computer player's move changed nothing")
        return True

    async def expire(self, name: str) -> None:
        """Fires what is overdue at the table; firing twice is harmless."""
        state = (await self._engine.held(name)).state
        for decision in () if state is None else state.decisions:
            due = fires(state, decision) if state is not None else None
            if due is not None and due <= self._clock.now():
                await self._engine.submit(name, "clock", Expire(decision.id), f"expire:{name}:{decision.id}:{due}")

    async def turn(self, name: str) -> int | None:
        """A turn of looking after a table: computer players move, what is due fires.

        Gives when it wants the next one (ms UTC; now, if it is not done), None when it waits for nothing but people.
        """
        for _ in range(_TURN):
            if not await self._computer(name):
                break
        else:
            return self._clock.now()
        held = await self._engine.held(name)
        state = held.state
        dues = [one.due for one in computers_to_act(state)]
        if state is not None and state.phase == "playing" and (first := first_to_fire(state)) is not None:
            dues.append(first)
        due, now = min(dues, default=None), self._clock.now()
        if due is None or due > now:
            return due
        await self.expire(name)
        return now if (await self._engine.held(name)).version > held.version else now + _AGAIN

    async def touched(self, name: str) -> None:
        """Looks after a table until it waits for people, or for a time to come."""
        while (when := await self.turn(name)) is not None and when <= self._clock.now():
            pass
        self._plan(name, when)

    async def outage(self) -> Stop | None:
        """The interval since somebody of this scope was last alive; None at the very first start. Ask before `beat`."""
        known, now = await self._directory.everything("alive"), self._clock.now()
        whole = known.get(self._scope, "0")
        if self._partitions is not None:
            parts = [int(known.get(f"{self._scope}:{number}", "0")) for number in self._partitions]
            last = max(int(whole), min(parts, default=0))
        else:
            last = max(int(time) for field, time in {self._scope: whole, **known}.items() if self._is_ours(field))
        # Within a beat nobody can say that we were down.
        return Stop(last, now) if last and now - last > BEAT_SECONDS * 1000 else None

    def _is_ours(self, field: str) -> bool:
        return self._scope in (field, field.rpartition(":")[0])

    async def beat(self) -> None:
        """Notes that we are alive now; an outage since the last time is noted at the tables first."""
        await self._mind_the_gap()
        now = self._clock.now()
        if self._partitions:
            parts = {f"{self._scope}:{number}": str(now) for number in self._partitions}
            await self._directory.put_all("alive", parts)
        else:
            await self._directory.put("alive", self._scope, str(now))
        self._alive = now

    async def _mind_the_gap(self) -> None:
        """No clock runs while we are down, asleep, or without a store: that is recorded before any clock is judged."""
        async with self._noting:
            now = self._clock.now()
            if self._gap is None and self._alive is not None and now - self._alive > _GAP_SECONDS * 1000:
                self._gap = Stop(self._alive, now)
            if self._gap is None:
                return
            found = await playing(self._deadlines)
            for name in {*self._agenda, *(name for name in found if self._ours(name))} - set(self._aside):
                await self._guarded(name, self.note_outage(name, self._gap))
            self._alive, self._gap = now, None

    async def note_outage(self, name: str, stop: Stop) -> None:
        """Records the outage at a table whose clock would have run in it."""
        state = (await self._engine.fresh(name)).state
        if state is None or earliest(state) is None:
            return
        await self._engine.submit(name, "clock", NoteOutage(stop), f"outage:{name}:{stop.start}:{stop.end}")

    async def start(self) -> None:
        """Catches up, records the outage that just ended, and gives every table a turn. Call once, before `run`.

        Raises StoreDown; may then be called again.
        """
        # Before anything is looked at: nothing falls in between.
        self._news = await feed.tail(self._store, "now", self._partitions)
        await self._followers[DEADLINES.name].catch_up()
        self._gap = await self.outage()
        for name in await playing(self._deadlines):
            if self._ours(name):
                self._plan(name, self._clock.now())
        await self.beat()
        for _ in range(3):  # what fires is followed by moves of computer players; more of it is for `run`
            for name in self._ready():
                await self._look_after(name)

    async def run(self, shown: Callable[[str], Awaitable[None] | None] = lambda _: None) -> None:
        """Keeps going until cancelled. `shown` is called with the name of each table that changed since `start`."""
        news = self._news
        assert news is not None, "start comes before run"
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._forever(self._beat_on))
            for follower in self._followers.values():
                tasks.create_task(self._forever(follower.follow))
            tasks.create_task(self._forever(self._work))
            tasks.create_task(self._forever(lambda: self._watch(news, shown)))

    async def _forever(self, work: Callable[[], Awaitable[None]]) -> None:
        """Works until cancelled; a store that is down is waited for, said once."""
        while True:
            try:
                await work()
            except StoreDown as down:
                self._down.say(str(down))
                await asyncio.sleep(RETRY_SECONDS)

    async def _beat_on(self) -> None:
        await self.beat()
        self._down.over()
        await self._clock.sleep(BEAT_SECONDS)

    async def _watch(self, news: feed.Tail, shown: Callable[[str], Awaitable[None] | None]) -> None:
        for pointer in await news.news(_BLOCK_MS):
            name = pointer.table
            if not self._ours(name):
                continue
            if pointer.version > self._aside.get(name, 0):
                self._aside.pop(name, None)
                self._news_of[name] = pointer.version
                self._plan(name, self._clock.now())
            said = shown(name)
            if said is not None:
                await said

    async def _work(self) -> None:
        """Gives each table whose time has come a turn, then sleeps until the next one's."""
        self._changed.clear()
        await self._mind_the_gap()
        for name in self._ready():
            await self._look_after(name)
        nearest = min(self._agenda.values(), default=None)
        seconds = BEAT_SECONDS if nearest is None else (nearest - self._clock.now()) / 1000
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        sleeping = asyncio.ensure_future(self._clock.sleep(min(seconds, BEAT_SECONDS)))
        changing = asyncio.ensure_future(self._changed.wait())
        try:
            await asyncio.wait((sleeping, changing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            changing.cancel()

    def _ready(self) -> list[str]:
        now = self._clock.now()
        return sorted((name for name, when in self._agenda.items() if when <= now), key=self._agenda.__getitem__)

    def _plan(self, name: str, when: int | None) -> None:
        """Looks at the table at `when`, or earlier if that was planned already."""
        if when is not None:
            self._agenda[name] = min(when, self._agenda.get(name, when))
            self._changed.set()

    async def _look_after(self, name: str) -> None:
        self._agenda.pop(name, None)
        version = self._news_of.get(name, 0)
        done = False
        try:
            if await self._guarded(name, self._reached(name, version)):
                done = True
            else:
                # Set aside rather than tried again and again; its next commit (by a person, say) is a new chance.
                self._aside[name] = max(version, self._news_of.get(name, 0))
        finally:
            if not done and name not in self._aside:
                self._plan(name, self._clock.now())

    async def _reached(self, name: str, version: int) -> None:
        """A turn at the table; news of a commit may be here before whoever made it has it in memory."""
        await self._engine.held(name, version)
        when = await self.turn(name)
        if when is None and self._news_of.get(name) == version:
            self._news_of.pop(name, None)
        self._plan(name, when)

    async def _guarded(self, name: str, work: Awaitable[None]) -> bool:
        """Whether the work was done. A table that cannot be read or judged stops alone; the others go on."""
        try:
            await work
        except StoreDown:
            raise
        except Unreadable as fault:
            log.error("table unreadable", table=name, fault=str(fault))
            return False
        except Exception as fault:  # noqa: BLE001 - whatever is wrong with one table, the others go on
            where = fault.__traceback__
            while where is not None and where.tb_next is not None:
                where = where.tb_next
            place = "" if where is None else f"{where.tb_frame.f_code.co_filename}:{where.tb_lineno}"
            # Neither its text nor its values: they may tell of hands.
            log.error("table set aside", table=name, fault=type(fault).__name__, place=place)
            return False
        return True
