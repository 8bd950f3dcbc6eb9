"""The commands that only read: tables, show, log, record. They need no key, and see what everybody may see."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from domain import events, table
from domain import record as records
from domain.events import UnknownEvent
from domain.table import Table
from eventstore import chain
from eventstore.chain import BrokenChain
from eventstore.open import open_store
from eventstore.record import Commit
from eventstore.redis_store import RedisStore
from service.clock import SystemClock
from service.directory import Directory
from service.engine import Unreadable
from service.settings import Settings
from service.terminal.recount import recount_commits
from service.terminal.screen import Screen
from service.terminal.tables import patient
from service.text import board, faults, history, moments, operating, people, terminal
from service.text.words import game_name

_FOLLOW_SECONDS = 0.5
REASONS = "reasons"
"""The directory's hash: what an act's reason was, beside the history, by table and SHA-256."""


class Wrong(Exception):
    """The command cannot be carried out, or found something wrong; the text is for whoever asked."""

    code = 1  # the command line ends with it


@dataclass(frozen=True, slots=True)
class Sight:
    """What a reading command has: the store (None: the data folder has none yet) and where to print."""

    store: RedisStore | None
    screen: Screen

    async def read(self, name: str) -> list[Commit]:
        """The table's commits as they stand; none when there is no such table."""
        if self.store is None or not name.isascii():  # what cannot be an id need not be encodable either
            return []
        return await self.store.read(name)

    async def commits(self, name: str) -> list[Commit]:
        """The table's commits, verified. Raises Wrong when there is no such table, Unreadable."""
        found = await self.read(name)
        if not found:
            raise Wrong(faults.no_such_table(self.screen.texts, name))
        try:
            chain.verify(found)
        except BrokenChain as broken:
            raise Unreadable(str(broken)) from None
        return found

    async def known(self, states: list[Table]) -> dict[str, str]:
        """The names of the people at some tables."""
        actors = sorted({seat.owner for state in states for seat in state.seats if seat.owner.startswith("person:")})
        return {} if self.store is None else await Directory(self.store).names(actors)

    async def reason(self, name: str, reason_hash: str) -> str:
        """The words of a reason that a table's history has the hash of; "" where they are not kept, or do not fit."""
        if self.store is None or not reason_hash:
            return ""
        words = await Directory(self.store).get(REASONS, f"{name} {reason_hash}") or ""
        return words if hashlib.sha256(words.encode()).hexdigest() == reason_hash else ""


async def look(settings: Settings, screen: Screen, work: Callable[[Sight], Awaitable[None]]) -> None:
    """Does `work` on the deployment's store; makes nothing where there is none. Raises StoreDown, StoreUnfit, Wrong."""
    data = settings.data
    if not settings.redis_url and not (data / "store").is_dir():
        if data.exists() and not data.is_dir():
            raise Wrong(faults.no_folder(screen.texts, str(data)))
        await work(Sight(None, screen))
        return
    store = await open_store(settings.redis_url, data, now=SystemClock().now)
    try:
        await work(Sight(store, screen))
    finally:
        await store.close()


def folded(name: str, commits: list[Commit]) -> Table:
    """The public state of a table. Raises Unreadable."""
    state: Table | None = None
    try:
        for commit in commits:
            state = table.fold(name, state, events.decode(commit.events))
    except UnknownEvent:
        raise Unreadable(f"{name}: holds an event that this release does not know") from None
    assert state is not None, "a table has a first commit"
    return state


async def show(sight: Sight, name: str) -> None:
    """Prints the table as a spectator sees it."""
    commits = await sight.commits(name)
    state = folded(name, commits)
    view = table.observe(state, None)
    screen, texts = sight.screen, sight.screen.texts
    names = people.seat_names(texts, view, await sight.known([state]))
    phase = board.phase(texts, view.phase) if view.paused is None else operating.paused(texts)
    screen.title(f"{game_name(texts, view.game)} {name} · {phase}")
    if view.set is None:
        screen.say(*map(str, board.lines(texts, view, None, names)))
        return
    scene = state.rules.scene(view.set)
    screen.table(view, scene, names)
    if view.paused is None:
        screen.say(board.turn(texts, view, scene, names))
    else:
        screen.say(operating.why_paused(texts, await sight.reason(name, state.paused_why)))
    if view.due is not None and view.phase == "playing":
        screen.say(terminal.time_left(texts, moments.left(texts, view.due, SystemClock().now())))
    if view.rows and state.rules.sheet:
        screen.out.print()
        screen.sheet(view, names)
    screen.say(history.fingerprint_line(texts, commits[-1].hash))


async def log(sight: Sight, name: str, *, follow: bool = False) -> None:
    """Prints the table's history; with `follow` what happens from then on too, until the game is over."""
    commits = await sight.commits(name)
    state = folded(name, commits)
    sight.screen.say(*recount_commits(sight.screen.texts, name, commits, await sight.known([state])))
    while follow and state.phase != "over":
        await asyncio.sleep(_FOLLOW_SECONDS)
        assert sight.store is not None, "the table is in it"
        store = sight.store
        new = await patient(sight.screen, lambda: store.read(name, commits[-1].version))  # noqa: B023 - awaited at once
        if not new:
            continue
        try:
            chain.verify(new, version=commits[-1].version, previous=commits[-1].hash)
        except BrokenChain as broken:
            raise Unreadable(str(broken)) from None
        seen = commits[-1].version
        commits += new
        state = folded(name, commits)
        lines = recount_commits(sight.screen.texts, name, commits, await sight.known([state]), after=seen)
        sight.screen.say(*lines)
        sight.screen.out.file.flush()


async def record(sight: Sight, name: str) -> None:
    """Prints the record of the table's game."""
    commits = await sight.commits(name)
    if folded(name, commits).phase == "lobby":
        raise Wrong(faults.not_started(sight.screen.texts))
    document = records.record(event for commit in commits for event in events.decode(commit.events))
    sight.screen.out.file.write(records.write(document).decode())
