"""The engine: command -> fold (cached) -> decide -> append -> answer, for every table of the deployment."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from itertools import chain as joined
from typing import Any, Literal, Protocol

import msgspec
import structlog

from domain import events, table
from domain.clock import Quiet
from domain.commands import Act, Command, Fresh, Move, Start
from domain.decide import decide
from domain.game import SALT, Decided, Hidden, Lexicon
from domain.rejected import Kind, Rejected
from domain.table import Table
from eventstore import chain
from eventstore.record import NO_HEAD, Commit, Draft
from eventstore.store import Already, Appended, Conflict, EventStore, RefusedBefore
from service.clock import Clock
from service.sealing import Sealer, WrongKey, new_seed

log = structlog.get_logger()

_MOST_CACHED = 5000  # tables held folded
_MOST_TRIES = 20  # conflicts in a row; each means that somebody else's command went through


def shipped(name: str) -> Lexicon:
    """The dictionary of this name and version that is shipped with us (`en-1`). Raises LookupError when it is not."""
    from service.words import lexicon  # lists are read where a word game is played, and only there

    found = lexicon(name.partition("-")[0])
    if found.name != name:
        raise LookupError(f"the dictionary {name} is not shipped with this release, but {found.name}")
    return found


class Held(msgspec.Struct, frozen=True):
    """A table as we know it: its state after `version` commits, the last of which has the hash `head`."""

    state: Table | None
    version: int
    head: bytes


class Done(msgspec.Struct, frozen=True):
    """The command was carried out, now or (`again`) earlier: the commit it made and its events."""

    table: str
    version: int
    events: tuple[Any, ...]
    head: bytes
    again: bool = False


class Refused(msgspec.Struct, frozen=True):
    """The command was refused: what `Rejected` said, as plain values. They are for whoever asked, alone."""

    code: str
    kind: Kind = "illegal"
    clause: str | None = None
    values: dict[str, Any] = {}


Outcome = Done | Refused
QuietHours = Callable[[str], Quiet | None]
"""The quiet hours in force at a table, by its id. They are written into each decision as it is opened, so a change
holds for what is asked from then on, and no clock that runs is moved."""
SeedSource = Callable[[str, int], bytes]
"""The seed number `n` (from 1) of a table."""


Why = Literal["broken", "newer", "other_key", "lost"]


class Unreadable(Exception):
    """A table whose history cannot be trusted or read, and why: a broken chain, an event of a newer release, seeds
    under another key, commits that the store has lost. It is parked: nothing is written there. Names no card.
    """

    def __init__(self, text: str, why: Why = "broken") -> None:
        super().__init__(text)
        self.why = why


class Lost(msgspec.Struct, frozen=True):
    """The store went back behind what it had acknowledged: `version` with the hash `head` is not there any more.

    `found` is the table's version now.
    """

    table: str
    version: int
    head: bytes
    found: int


Door = Callable[[str, Act], Awaitable[Refused | None]]
"""Of (actor, act) why somebody may not take a seat now; asked before an act is judged. None: he may."""


async def _open_door(_actor: str, _act: Act) -> Refused | None:
    return None


class Kept(Protocol):
    """What the players of a home decided about words (TC-43)."""

    async def known(self, table: str, dictionary: str) -> tuple[Decided, ...]:
        """For a table that starts: what the home's other tables decided."""
        ...

    async def keep(self, table: str, dictionary: str, decided: tuple[Decided, ...]) -> None:
        """All that a table decided so far; again is harmless."""
        ...


class Engine:
    """Judges commands on the tables of one store. One instance a process; several processes may work on one store."""

    def __init__(
        self,
        store: EventStore,
        sealer: Sealer,
        clock: Clock,
        seeds: SeedSource | None = None,
        lexicons: Callable[[str], Lexicon] | None = None,
        kept: Kept | None = None,
        quiet: QuietHours | None = None,
    ) -> None:
        self.store = store
        self.clock = clock
        self._sealer = sealer
        self._seeds = seeds or (lambda _table, _number: new_seed())
        self._lexicons = lexicons or shipped
        self._kept = kept
        self.quiet = quiet or (lambda _table: None)
        self.door: Door = _open_door
        self._held: OrderedDict[str, Held] = OrderedDict()
        self._locks: dict[str, asyncio.Lock] = {}
        self.on_lost: Callable[[Lost], None] = lambda _lost: None
        self._ready: dict[str, tuple[int, Fresh]] = {}  # a table's next seed, by number, until a set needs it

    @property
    def sealer(self) -> Sealer:
        """Seals what nobody but this deployment may read."""
        return self._sealer

    async def submit(
        self,
        name: str,
        actor: str,
        act: Act,
        command: str,
        *,
        decision: int | None = None,
        seat: int | None = None,
        order: int = 0,
        admin: bool = False,
    ) -> Outcome:
        """Carries out an act at table `name`, once for each `command` id: repeated, it gives the first answer again.

        `order` decides between answers that count by message (its id); where there is none, the time. `admin`: the
        actor was found to be an administrator of the table's chat. Raises StoreDown when the store cannot be reached
        (asking again with the same id is harmless), Unreadable.
        """
        closed = await self.door(actor, act)
        if closed is not None and await self.store.commit_of(name, command) is None:
            return closed
        async with self._lock(name):
            outcome = await self._submit(name, actor, act, command, decision, seat, order, admin)
            await self._keep_what_was_decided(name, outcome)
        if name not in self._held:  # no such table: nothing of it is kept
            self._ready.pop(name, None)
            self._locks.pop(name, None)
        return outcome

    async def held(self, name: str, at_least: int = 0) -> Held:
        """The table, from memory unless that is behind `at_least`; version 0 and no state: no such table."""
        held = self._held.get(name)
        if held is not None and held.version >= max(at_least, 1):
            return held
        return await self.fresh(name)

    async def fresh(self, name: str) -> Held:
        """The table as it stands in the store now (another process may have moved it on)."""
        async with self._lock(name):
            held = await self._refresh(name, self._held.get(name))
        if held.state is None:
            self._locks.pop(name, None)
        return held

    async def recheck(self) -> None:
        """Compares every table in memory with the store, which may have gone back in a failover: see `on_lost`."""
        for name in list(self._held):
            async with self._lock(name):
                held = self._held.get(name)
                if held is not None and not await self.stands(name, held.version, held.head):
                    with suppress(Unreadable):  # whoever looks at the table next hears of that
                        await self._lose(name, held)

    def forget(self, which: Callable[[str], bool]) -> None:
        """Reads these tables anew when they are needed: others may have written there meanwhile."""
        for name in [name for name in self._held if which(name)]:
            del self._held[name]

    async def stands(self, name: str, version: int, head: bytes) -> bool:
        """Whether the store holds the table's commit `version` with the hash `head`."""
        return [commit.hash for commit in (await self.store.read(name, version - 1))[:1]] == [head]

    async def history(self, name: str) -> list[Commit]:
        """The table's commits, verified. Raises Unreadable."""
        commits = await self.store.read(name)
        try:
            chain.verify(commits)
        except chain.BrokenChain as broken:
            raise Unreadable(str(broken)) from None
        return commits

    async def _submit(
        self,
        name: str,
        actor: str,
        act: Act,
        command: str,
        decision: int | None,
        seat: int | None,
        order: int,
        admin: bool,
    ) -> Outcome:
        held = self._held.get(name) or await self._refresh(name, None)
        now = self.clock.now()
        for _ in range(_MOST_TRIES):
            fresh = self._fresh(name, held.state)
            asked = Command(name, actor, now, command, act, decision, seat, fresh, quiet=self.quiet(name), admin=admin)
            if type(act) is Start and held.state is not None and held.state.rules.decides:
                asked = msgspec.structs.replace(asked, kept=await self._known(held.state))
            if type(act) is Move and held.state is not None and held.state.rules.brings:
                asked = self._with_what_it_brings(asked, act, held.state, order or now)
            try:
                facts = decide(held.state, asked)
            except Rejected as rejected:
                newer = await self._refresh(asked.table, held)
                if newer.version != held.version:
                    held = newer
                    continue
                return await self._refused(asked, rejected)
            answer = await self.store.append(
                Draft(
                    table=asked.table,
                    version=held.version + 1,
                    previous=held.head,
                    time=asked.time,
                    actor=asked.actor,
                    command=asked.id,
                    events=events.encode(facts),
                )
            )
            match answer:
                case Appended(commit):
                    after = self._fold(asked.table, held, [commit], facts)
                    self._keep(asked.table, after)
                    return Done(asked.table, commit.version, facts, commit.hash)
                case Already(version):
                    return await self._done(asked.table, version)
                case RefusedBefore(sealed):
                    return self._first_refusal(asked, sealed)
                case Conflict(tail=tail):
                    held = await self._overtaken(asked.table, held, list(tail))
        raise Unreadable(f"{asked.table}: no end of conflicts")

    def _with_what_it_brings(self, asked: Command, act: Move, state: Table, order: int) -> Command:
        """The command with a dictionary's verdict on its word, and what seals a choice that stays hidden."""
        rules = state.rules
        if state.phase != "playing":
            return asked
        verdict, hidden, salt = None, None, b""
        word = None if rules.word_of is None else rules.word_of(state.set, act.move)
        if word is not None:
            verdict = self.lexicon(state).rule(word)
        choice = None if rules.hides is None else rules.hides(state.set, act.move)
        if choice is not None:
            salt = secrets.token_bytes(SALT)
            commitment = hashlib.sha256(salt + choice).digest()
            hidden = Hidden(commitment, self._sealer.seal(salt + choice, commitment))
        return msgspec.structs.replace(asked, verdict=verdict, order=order, hidden=hidden, salt=salt)

    async def _known(self, state: Table) -> tuple[Decided, ...]:
        if self._kept is None or state.rules.dictionary is None:
            return ()
        return await self._kept.known(state.id, state.rules.dictionary(state.options))

    async def _keep_what_was_decided(self, name: str, outcome: Outcome) -> None:
        """After the commit, and again when the same command comes again: it writes all that the table decided."""
        held = self._held.get(name)
        if self._kept is None or held is None or held.state is None or not isinstance(outcome, Done):
            return
        rules = held.state.rules
        if rules.dictionary is not None and any(type(event) in rules.decides for event in outcome.events):
            await self._kept.keep(name, rules.dictionary(held.state.options), rules.decided(held.state.set))

    def lexicon(self, state: Table) -> Lexicon:
        """The dictionary that the table plays with, in a game of words. Raises LookupError where we have it not."""
        assert state.rules.dictionary is not None
        return self._lexicons(state.rules.dictionary(state.options))

    def _fresh(self, name: str, state: Table | None) -> Fresh:
        """The seed that this command may have to bring: the first, the second with the start, then one a scored set."""
        number = 1 if state is None else 2 if state.phase == "lobby" else state.scored + 3
        ready = self._ready.get(name)
        if ready is None or ready[0] != number:
            seed = self._seeds(name, number)
            commitment = hashlib.sha256(seed).digest()
            ready = self._ready[name] = number, Fresh(commitment, self._sealer.seal(seed, commitment))
        return ready[1]

    async def _refused(self, asked: Command, rejected: Rejected) -> Outcome:
        """The answer to a refused command: that of its first time, if there was one."""
        version = await self.store.commit_of(asked.table, asked.id)
        if version is not None:
            return await self._done(asked.table, version)
        first = await self.store.refusal(asked.table, asked.id)
        if first is not None:
            return self._first_refusal(asked, first)
        told = msgspec.json.encode(Refused(rejected.code, rejected.kind, rejected.clause, rejected.values))
        if asked.actor != "clock" and not asked.actor.startswith("computer:"):
            # What clock and computer players ask names its decision, and is asked again until it fits.
            await self.store.refuse(asked.table, asked.id, self._sealer.seal(told, asked.id.encode()))
        # Not the code: `must_beat` tells of a hand.
        log.info("refused", table=asked.table, actor=asked.actor, command=asked.id, kind=rejected.kind)
        return msgspec.json.decode(told, type=Refused)

    def _first_refusal(self, asked: Command, sealed: bytes) -> Refused:
        return msgspec.json.decode(self._sealer.open(sealed, asked.id.encode()), type=Refused)

    async def _done(self, name: str, version: int) -> Done:
        await self._refresh(name, self._held.get(name))
        commits = await self.store.read(name, version - 1)
        commit = commits[0]
        return Done(name, version, events.decode(commit.events), commit.hash, again=True)

    async def _overtaken(self, name: str, held: Held, tail: list[Commit]) -> Held:
        """The table after somebody else's commits. Raises Unreadable when the store lost what it had acknowledged."""
        if tail:
            return await self._refresh(name, held, tail)
        raise await self._lose(name, held)

    async def _lose(self, name: str, held: Held) -> Unreadable:
        """Says that the store went back; from now on the table is what the store has."""
        self._held.pop(name, None)
        self._ready.pop(name, None)
        found = await self._refresh(name, None)
        log.error("the store has lost commits", table=name, known=held.version, found=found.version)
        self.on_lost(Lost(name, held.version, held.head, found.version))
        return Unreadable(f"{name}: the store has lost commits: version {held.version} was acknowledged", "lost")

    async def _refresh(self, name: str, held: Held | None, tail: list[Commit] | None = None) -> Held:
        held = held or Held(None, 0, NO_HEAD)
        if tail is None and held.version > 0:
            # With the commit that we know: after a failover it may not be there any more.
            found = await self.store.read(name, held.version - 1)
            if not found or found[0].hash != held.head:
                raise await self._lose(name, held)
            tail = found[1:]
        commits = await self.store.read(name) if tail is None else tail
        if commits or held.version == 0:
            held = self._fold(name, held, commits)
        if held.state is not None:
            self._keep(name, held)
        return held

    def _fold(self, name: str, held: Held, commits: list[Commit], facts: tuple[Any, ...] | None = None) -> Held:
        """The table after more commits, verified; `facts` are those of a single commit that we made ourselves."""
        try:
            known: Iterable[Any]
            if facts is None:
                head = chain.verify(commits, version=held.version, previous=held.head)
                known = joined.from_iterable(events.decode(commit.events) for commit in commits)
            else:
                head, known = commits[0].hash, facts
            state = table.fold(name, held.state, known, self.unseal)
        except chain.BrokenChain as broken:
            raise Unreadable(str(broken)) from None
        except WrongKey:
            raise Unreadable(f"{name}: was sealed with another key", "other_key") from None
        except events.UnknownEvent:
            raise Unreadable(f"{name}: holds an event that this release does not know", "newer") from None
        except (ValueError, LookupError, TypeError, AttributeError, AssertionError) as fault:
            # What is stored does not fit what this release makes of it; its text may tell of cards.
            raise Unreadable(f"{name}: cannot be folded ({type(fault).__name__})") from None
        return Held(state, held.version + len(commits), head)

    def unseal(self, commitment: bytes, sealed: bytes) -> bytes:
        """The seed of a commitment (`domain.table.Unseal`); raises WrongKey."""
        return self._sealer.open(sealed, commitment)

    def _keep(self, name: str, held: Held) -> None:
        known = self._held.get(name)
        if known is not None and known.version > held.version:
            return
        self._held[name] = held
        self._held.move_to_end(name)
        while len(self._held) > _MOST_CACHED:
            gone, _ = self._held.popitem(last=False)
            self._ready.pop(gone, None)
            lock = self._locks.get(gone)
            if lock is not None and not lock.locked():
                del self._locks[gone]

    def _lock(self, name: str) -> asyncio.Lock:
        lock = self._locks.get(name)
        if lock is None:
            lock = self._locks[name] = asyncio.Lock()
        return lock
