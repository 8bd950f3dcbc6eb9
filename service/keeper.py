"""Keeps tables going: computer players move, clocks fire, an outage is noted before any clock is judged."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from domain import table
from domain.clock import Stop
from domain.commands import Expire, Move, NoteOutage
from domain.table import Table, decision_of
from eventstore import feed
from eventstore.feed import Follower
from eventstore.redis_store import RedisStore
from eventstore.store import StoreDown
from service.clock import Clock
from service.directory import Directory
from service.engine import Engine, Unreadable
from service.outage import Outage
from service.projections.deadlines import Deadlines, earliest

log = structlog.get_logger()

BEAT_SECONDS = 5.0  # how often we note that we are alive, and so how exactly an outage is known
RETRY_SECONDS = 1.0  # between attempts while the store is down
_BLOCK_MS = 5_000


class Keeper:
    """Follows the tables for which `ours` holds. `scope` names this duty (`serve`, `play`): one heartbeat each."""

    def __init__(
        self,
        store: RedisStore,
        engine: Engine,
        directory: Directory,
        clock: Clock,
        scope: str,
        ours: Callable[[str], bool] = lambda _: True,
        outage: Outage | None = None,
    ) -> None:
        self._down = outage or Outage()
        self._store = store
        self._engine = engine
        self._directory = directory
        self._clock = clock
        self._scope = scope
        self._ours = ours
        self._deadlines = Deadlines(store, engine)
        self._due: dict[str, int] = {}
        self._changed = asyncio.Event()
        self._news: feed.Tail | None = None

    async def computers(self, name: str) -> int:
        """Makes every move of computer players that the table waits for; says how many.

        The command's id is the decision's, so that two processes that do the same do it once.
        """
        moves = 0
        while True:
            state = (await self._engine.held(name)).state
            waiting = None if state is None else computer_to_act(state)
            if state is None or waiting is None:
                return moves
            seat, decision = waiting
            owner = state.seats[seat].owner
            move = state.rules.player(owner.removeprefix("computer:"), state.rules.observe(state.set, seat))
            command = f"computer:{name}:{decision}:{seat}"
            await self._engine.submit(name, owner, Move(move), command, decision=decision, seat=seat)
            if computer_to_act((await self._engine.held(name)).state) == waiting:
                raise AssertionError(f"{name}: a computer player's move changed nothing")
            moves += 1

    async def expire(self, name: str) -> None:
        """Fires what is overdue at the table; firing twice is harmless."""
        state = (await self._engine.held(name)).state
        for decision in () if state is None else state.decisions:
            due = table.deadline(state, decision) if state is not None else None
            if due is not None and due <= self._clock.now():
                await self._engine.submit(name, "clock", Expire(decision.id), f"expire:{name}:{decision.id}:{due}")

    async def outage(self) -> Stop | None:
        """The interval since somebody of this scope was last alive; None at the very first start. Ask before `beat`."""
        last = await self._directory.get("alive", self._scope)
        now = self._clock.now()
        # Within a beat nobody can say that we were down.
        return Stop(int(last), now) if last is not None and now - int(last) > BEAT_SECONDS * 1000 else None

    async def beat(self) -> None:
        """Notes that we are alive now."""
        await self._directory.put("alive", self._scope, str(self._clock.now()))

    async def note_outage(self, name: str, stop: Stop) -> None:
        """Records the outage at a table whose clock would have run in it."""
        state = (await self._engine.fresh(name)).state
        if state is None or earliest(state) is None:
            return
        await self._engine.submit(name, "clock", NoteOutage(stop), f"outage:{name}:{stop.start}:{stop.end}")

    async def start(self) -> None:
        """Catches up, records the outage that just ended, and makes every move that waits. Call once, before `run`."""
        self._news = await feed.tail(self._store, "now")  # before anything is looked at: nothing falls in between
        follower = Follower(self._store, self._deadlines)
        await follower.catch_up()
        stop = await self.outage()
        playing = [name for name in await self._deadlines.playing() if self._ours(name)]
        for name in playing:
            await self._guarded(name, self._begin(name, stop))
        await self.beat()

    async def _begin(self, name: str, stop: Stop | None) -> None:
        if stop is not None:
            await self.note_outage(name, stop)
        await self.touched(name)

    async def _reached(self, name: str, version: int) -> None:
        """News of a commit may be here before whoever made it has it in memory."""
        await self._engine.held(name, version)
        await self.touched(name)

    async def touched(self, name: str) -> None:
        """After a table changed: computer players move, what is due at once fires, the next deadline is remembered."""
        while True:
            moved = await self.computers(name)
            state = (await self._engine.held(name)).state
            due = None if state is None else earliest(state)
            if due is None or due > self._clock.now():
                break
            await self.expire(name)
            after = (await self._engine.held(name)).state
            if not moved and after is state:
                break
        if due is None:
            self._due.pop(name, None)
        else:
            self._due[name] = due
            self._changed.set()

    async def run(self, shown: Callable[[str], Awaitable[None] | None] = lambda _: None) -> None:
        """Keeps going until cancelled. `shown` is called with the name of each table that changed since `start`."""
        news = self._news
        assert news is not None, "start comes before run"
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._forever(self._beat_on))
            tasks.create_task(self._forever(self._follow_deadlines))
            tasks.create_task(self._forever(self._fire))
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

    async def _follow_deadlines(self) -> None:
        await Follower(self._store, self._deadlines).follow()

    async def _watch(self, news: feed.Tail, shown: Callable[[str], Awaitable[None] | None]) -> None:
        latest = {pointer.table: pointer.version for pointer in await news.news(_BLOCK_MS)}
        for name, version in latest.items():
            if not self._ours(name):
                continue
            await self._guarded(name, self._reached(name, version))
            said = shown(name)
            if said is not None:
                await said

    async def _fire(self) -> None:
        self._changed.clear()
        now = self._clock.now()
        for name in [name for name, due in self._due.items() if due <= now]:
            del self._due[name]
            await self._guarded(name, self.touched(name))
        nearest = min(self._due.values(), default=None)
        seconds = BEAT_SECONDS if nearest is None else max(0.0, (nearest - self._clock.now()) / 1000)
        sleeping = asyncio.ensure_future(self._clock.sleep(min(seconds, BEAT_SECONDS)))
        changing = asyncio.ensure_future(self._changed.wait())
        try:
            await asyncio.wait((sleeping, changing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            changing.cancel()

    async def _guarded(self, name: str, work: Awaitable[None]) -> None:
        """A table that cannot be read stops alone; the others go on."""
        try:
            await work
        except Unreadable as fault:
            log.error("table unreadable", table=name, fault=str(fault))


def computer_to_act(state: Table | None) -> tuple[int, int] | None:
    """A computer player's seat that is asked, with its decision; None when no computer player is to act."""
    if state is None or state.phase != "playing":
        return None
    for index, seat in enumerate(state.seats):
        if seat.computer and (decision := decision_of(state, index)) is not None:
            return index, decision.id
    return None
