"""The operator's commands for a whole deployment: bans, announcements, maintenance."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable
from datetime import UTC

from domain.commands import Pause, Resume
from domain.table import Table
from eventstore.store import home
from service.engine import Done, Unreadable
from service.operating import LISTENS_MS, Operation, Rest
from service.terminal.bars import Advance, bar
from service.terminal.finding import identity
from service.terminal.looking import REASONS, Wrong
from service.terminal.screen import Screen
from service.text import dates, history_tools, operating
from service.wiring import Service

LONGEST = 1_000  # characters of an announcement
_LONGEST_REASON = 200
_CLOCK = "clock"  # the actor that pauses and resumes where nobody's right is needed
_STRANDED = "stranded"  # the directory's hash: tables whose chat is lost, which stay paused
_CHAT = "chat:"
_BATCH = 64  # tables a round trip


def operation(service: Service) -> Operation:
    """The operator's decisions of a deployment."""
    return Operation(service.directory, service.store.deployment, service.clock)


# Bans


async def ban(service: Service, screen: Screen, who: str, until: str | None, reason: str) -> None:
    """Bans somebody: from now on he opens and joins no table. Raises Wrong."""
    texts = screen.texts
    key = await identity(service.directory, texts, who)
    end = None if until is None else dates.until(until, service.clock.now(), UTC)
    if until is not None and end is None:
        raise Wrong(operating.bad_until(texts))
    why = " ".join(reason.split())[:_LONGEST_REASON]
    await operation(service).ban(key, end, why)
    screen.say(operating.banned(texts, key, end, why))


async def unban(service: Service, screen: Screen, who: str) -> None:
    """Ends a ban, of somebody as `ban` takes him or as it lists him. Raises Wrong: there is none."""
    if await operation(service).unban_unknown(who):
        screen.say(operating.unbanned(screen.texts, who))
        return
    key = await identity(service.directory, screen.texts, who)
    if not await operation(service).unban(key):
        raise Wrong(operating.not_banned(screen.texts, key))
    screen.say(operating.unbanned(screen.texts, key))


async def bans(service: Service, screen: Screen) -> None:
    """Lists who is banned."""
    found = await operation(service).bans()
    lines = [operating.banned(screen.texts, key, one.until, one.reason) for key, one in sorted(found.items())]
    screen.say(*(lines or [operating.nobody_banned(screen.texts)]))


# Announcements


async def announce(service: Service, screen: Screen, text: str) -> None:
    """Has the bot tell every chat with a running table something, once for the same words. Raises Wrong."""
    texts = screen.texts
    said = text.strip()
    if not 0 < len(said) <= LONGEST:
        raise Wrong(operating.bad_text(texts, LONGEST))
    tables = await _one_a_chat(service, screen)
    if not tables and not await operation(service).announced(said):
        raise Wrong(operating.nobody_to_tell(texts))
    _, one, new = await operation(service).announce(said, tables)
    screen.say(operating.announced(texts, len(one.tables), new))


async def announcements(service: Service, screen: Screen) -> None:
    """Says how far each announcement has come."""
    known = operation(service)
    lines = []
    for mark, one in (await known.announcements()).items():
        told = list((await known.told(mark, one)).values())
        sent, gone = told.count("sent"), told.count("gone")
        lines.append(operating.progress(screen.texts, one.text, sent, gone, len(one.tables)))
    screen.say(*(lines or [operating.no_announcements(screen.texts)]))


async def _one_a_chat(service: Service, screen: Screen) -> tuple[str, ...]:
    """The newest running table of each chat."""
    places = await service.directory.everything("homes:back")
    found: dict[str, str] = {}
    with bar(history_tools.progress(screen.texts)) as advance:
        async for state in _tables(service, advance, lambda: None):
            at = home(state.id)
            if state.phase != "over" and places.get(at, "").startswith(_CHAT):
                found[at] = max(found.get(at, state.id), state.id, key=_number)
    return tuple(sorted(found.values()))


def _number(table: str) -> int:
    return int(table.rpartition("-")[2])


async def _tables(service: Service, advance: Advance, unreadable: Callable[[], None]) -> AsyncIterator[Table]:
    """Every table as it stands, one after the other; one that cannot be read is told to `unreadable`."""
    names = await service.store.tables()
    for done, name in enumerate(names, 1):
        try:
            state = (await service.engine.fresh(name)).state
        except Unreadable:
            unreadable()
        else:
            if state is not None:
                yield state
        if done % _BATCH == 0 or done == len(names):
            advance(done, len(names))


# Maintenance


async def rest(service: Service, screen: Screen, reason: str) -> None:
    """The deployment rests: the bot takes no more moves, and every running table pauses. Again pauses what is left."""
    texts = screen.texts
    rest = await operation(service).begin_rest(" ".join(reason.split())[:_LONGEST_REASON])
    await service.clock.sleep((LISTENS_MS + 500) / 1000)  # until the bot has heard of it: nothing starts in between
    paused = before = broken = 0

    def unreadable() -> None:
        nonlocal broken
        broken += 1

    with bar(history_tools.progress(texts)) as advance:
        async for state in _tables(service, advance, unreadable):
            if state.phase != "playing":
                continue
            if state.paused is not None:
                before += 1
                continue
            command = f"maintenance:{rest.since}:{state.id}"
            pause = Pause(await _kept(service, state.id, rest))
            outcome = await service.engine.submit(state.id, _CLOCK, pause, command)
            paused += isinstance(outcome, Done)
    screen.say(operating.resting(texts, paused, before))
    if broken:
        screen.say(operating.unreadable(texts, broken))


async def _kept(service: Service, table: str, rest: Rest) -> str:
    """The hash of why a table pauses for a rest; the words are kept beside its history."""
    reason = hashlib.sha256(rest.words.encode()).hexdigest()
    await service.directory.put(REASONS, f"{table} {reason}", rest.words)
    return reason


async def go_on(service: Service, screen: Screen) -> None:
    """Ends the rest: every table that paused for it goes on. Again resumes what is left."""
    texts = screen.texts
    rested = await operation(service).end_rest()
    resumed = broken = 0

    def unreadable() -> None:
        nonlocal broken
        broken += 1

    stranded = await service.directory.everything(_STRANDED)
    with bar(history_tools.progress(texts)) as advance:
        async for state in _tables(service, advance, unreadable):
            # Of the clock's pauses only those of maintenance have a reason.
            if state.phase != "playing" or state.paused != _CLOCK or not state.paused_why:
                continue
            command = f"maintenance:{state.paused_at}:{state.id}"
            outcome = await service.engine.submit(state.id, _CLOCK, Resume(), f"{command}:off")
            if state.id in stranded:
                await service.engine.submit(state.id, _CLOCK, Pause(), f"{command}:stranded")
            else:
                resumed += isinstance(outcome, Done)
    screen.say(operating.goes_on(texts, resumed) if rested or resumed else operating.did_not_rest(texts))
    if broken:
        screen.say(operating.unreadable(texts, broken))


async def closed(service: Service, screen: Screen) -> None:
    """Nobody plays at this computer's terminal while the deployment rests. Raises Wrong: it does."""
    found = await operation(service).rest_now()
    if found is not None:
        raise Wrong(operating.no_new_game(screen.texts, found.since, found.reason))


async def state_of_rest(service: Service, screen: Screen) -> None:
    """Says whether the deployment rests."""
    found = await operation(service).rest_now()
    screen.say(
        operating.works(screen.texts) if found is None else operating.rests(screen.texts, found.since, found.reason)
    )
