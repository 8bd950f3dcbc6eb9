"""Who comes and goes: players who leave a group, groups that we lose and get back, topics that are closed."""

from __future__ import annotations

from html import escape

import structlog

from domain.commands import Close, Leave, Pause, Resume
from domain.table import Table, seat_of
from eventstore.store import home
from service.chat.api.incoming import Gone, TopicChanged
from service.chat.api.post import Post
from service.chat.hall import Hall
from service.chat.tables.wishes import CHAT
from service.engine import Done
from service.text.chat import say
from service.text.words import game_name

log = structlog.get_logger()

CLOCK = "clock"  # the actor that pauses and resumes tables where nobody can be asked
EXPIRES_MS = 86_400_000  # without anything happening in a lobby, from when on it is closed
AGAIN_MS = 30_000  # until a table is looked at again
_SENT_AWAY = "sent_away"  # `<table> <actor>`
_STRANDED = "stranded"  # by table: why it pauses, its `chat` or its `topic`


async def gone(hall: Hall, found: Gone) -> None:
    """Somebody is not in the group any more: his seats there count as left, and the tables say so."""
    actor = await hall.places.person(found.user.id, found.user.name)
    hall.rights.forget(found.chat, found.user.id)
    for name in await hall.places.tables(found.chat):
        await vacate(hall, name, actor, hall.command(found.update, name))


async def vacate(hall: Hall, name: str, actor: str, command: str) -> bool:
    """Gives up the seat of somebody who cannot be reached any more; False where he has none, or has left already."""
    state = await hall.readable(name)
    seat = None if state is None else seat_of(state, actor)
    if state is None or seat is None or state.phase == "over" or state.seats[seat].left:
        return False
    outcome = await hall.engine.submit(name, actor, Leave(), command)
    hall.seated.note(name, await hall.readable(name))
    hall.views.touch(name)
    log.info("seat given up", table=name, actor=actor)
    return isinstance(outcome, Done)


async def lost_seat(hall: Hall, state: Table, actor: str) -> None:
    """Somebody has no seat any more: his plan is dropped, and unless he left of himself he is told so, in private."""
    await hall.plans.drop(state.id, actor)
    private = await hall.places.private(actor)
    if private is None or not (state.sets or await was_sent_away(hall, state.id, actor)):
        return
    texts = hall.preferences.spoken_to(actor, home(state.id))
    game = game_name(texts, state.rules.slug)
    told = say(texts, "seat_lost", pair=await hall.pairs.of(state.id), game=game)
    hall.views.answer_later(private, Post(escape(told)), None)


async def send_away(hall: Hall, state: Table, actor: str) -> None:
    """Notes that somebody has to leave a lobby: no invitation leads him back."""
    await hall.directory.put(_SENT_AWAY, f"{state.id} {actor}", "")


async def was_sent_away(hall: Hall, table: str, actor: str) -> bool:
    """Whether somebody had to leave the lobby of a table."""
    return await hall.directory.get(_SENT_AWAY, f"{table} {actor}") is not None


async def missing(hall: Hall, name: str) -> None:
    """Asks once a time-out whether whoever let it happen is still in the group: no update may ever have told of it."""
    state, chat = await hall.readable(name), hall.places.chat(name)
    if state is None or chat is None or chat > 0 or state.phase != "playing":
        return
    for seat in state.seats:
        if seat.computer or seat.left or not seat.expiries:
            continue
        key = await hall.directory.person_key(seat.owner)
        user = key.removeprefix("tg:") if key is not None and key.startswith("tg:") else ""
        occasion = f"{name} {seat.owner} {seat.expiries}"
        if user.isdigit() and await hall.rights.once(occasion, chat, int(user)) == "out":
            await vacate(hall, name, seat.owner, f"missing:{name}:{seat.owner}:{state.asked}")


async def look(hall: Hall, name: str) -> int | None:
    """Looks after a table that its chat may have lost; gives when to look again (ms UTC), None for no more.

    A lobby at which nothing happens is closed; a table whose chat we may not write to pauses, and goes on afterwards.
    """
    state, chat, now = await hall.readable(name), hall.places.chat(name), hall.engine.clock.now()
    if state is None or chat is None or state.phase == "over" or not hall.places.ours(name):
        return None
    if state.phase == "lobby":
        return await _expire(hall, state, chat)
    why = await hall.directory.get(_STRANDED, name)
    if hall.places.closed(chat) and why is None:
        await strand(hall, state, "chat")
    elif why == "chat" and not hall.places.closed(chat):
        await release(hall, state)
    await missing(hall, name)
    return now + AGAIN_MS


async def _expire(hall: Hall, state: Table, chat: int) -> int | None:
    """Closes a lobby at which nothing has happened for a day, and says so."""
    history = await hall.engine.history(state.id)
    due = history[-1].time + EXPIRES_MS
    if due > hall.engine.clock.now():
        return due
    await hall.engine.submit(state.id, CHAT, Close(), f"expired:{state.id}:{len(history)}")
    hall.seated.note(state.id, await hall.readable(state.id))
    hall.views.touch(state.id)
    texts = hall.preferences.spoken_at(home(state.id))
    told = say(texts, "lobby_expired", pair=await hall.pairs.of(state.id))
    if not hall.places.closed(chat):
        hall.views.answer_later(chat, Post(escape(told)), await hall.places.thread(state.id))
    return None


async def topic(hall: Hall, found: TopicChanged) -> None:
    """A topic was closed, or opened again: the tables in it pause, or go on."""
    for name in await hall.places.tables(found.chat):
        state = await hall.readable(name)
        if state is None or state.phase != "playing" or await hall.places.thread(name) != found.thread:
            continue
        why = await hall.directory.get(_STRANDED, name)
        if found.closed and why is None:
            await strand(hall, state, "topic")
        elif why == "topic" and not found.closed:
            await release(hall, state)


async def strand(hall: Hall, state: Table, why: str) -> None:
    """Pauses a table that nobody can see any more, and tells its players in private."""
    await hall.directory.put(_STRANDED, state.id, why)
    if await _by_clock(hall, state, Pause()):
        await _tell_players(hall, state, "paused_away")


async def release(hall: Hall, state: Table) -> None:
    """Lets a table go on that was stranded; one that somebody else has paused meanwhile stays as it is."""
    if not state.paused_why and await _by_clock(hall, state, Resume()):
        await _tell_players(hall, state, "resumed_here")
    await hall.directory.drop(_STRANDED, state.id)


async def _by_clock(hall: Hall, state: Table, act: Pause | Resume) -> bool:
    version = (await hall.engine.held(state.id)).version
    outcome = await hall.engine.submit(state.id, CLOCK, act, f"stranded:{state.id}:{version}")
    hall.views.touch(state.id)
    return isinstance(outcome, Done)


async def _tell_players(hall: Hall, state: Table, code: str) -> None:
    """Tells each player in his private chat, where he has one."""
    pair = await hall.pairs.of(state.id)
    for seat in state.seats:
        private = None if seat.computer else await hall.places.private(seat.owner)
        if private is not None:
            texts = hall.preferences.spoken_to(seat.owner, home(state.id))
            hall.views.answer_later(private, Post(escape(say(texts, code, pair=pair))), None)
