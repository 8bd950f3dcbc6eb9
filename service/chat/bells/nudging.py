"""`/nudge`: calls whoever a game waits for, once an hour a table, and says who nudged."""

from __future__ import annotations

from html import escape

from domain.rejected import Rejected
from domain.table import Table, on_vacation, seat_of
from eventstore.store import home
from service.chat.api.incoming import Said
from service.chat.api.post import Link, Post, Press
from service.chat.api.tokens import HandToken
from service.chat.bells import calls
from service.chat.board.around import Around, moment
from service.chat.hall import Hall
from service.chat.tables import acts, finding
from service.text.chat import say
from service.text.words import game_name

APART = 3_600_000  # ms between two nudges at a table
_NUDGED = "nudged"
_HERE = "\x00"  # where the mentions go: no name holds it


async def nudge(hall: Hall, said: Said) -> None:
    """Calls those who are asked: by name in the group where it was said, else each in private if he can be written to.

    Says why not: nobody is awaited, somebody nudged within the hour, the hours are quiet, the game is paused.
    """
    actor = await finding.actor(hall, said)
    state = None if actor is None else await finding.table(hall, said, actor)
    if actor is None or state is None:
        return
    if seat_of(state, actor) is None:
        await acts.refuse(hall, said, Rejected("not_seated"))
        return
    refused = await hall.once.known(said.update, "nudge")
    if refused is None:
        refused = await hall.once.decided(said.update, "nudge", await _refused(hall, state, actor))
        if not refused:
            await hall.directory.put(_NUDGED, state.id, str(hall.engine.clock.now()))
    if refused:
        await hall.answer(said, refused)
        return
    await _call(hall, said, state, actor)


def waited_for(state: Table, now: int, but: str = "") -> list[int]:
    """The seats whose owners a game waits for, but for one of them and those on vacation."""
    seats = range(len(state.seats))
    asked = [seat for seat in seats if calls.asking(state, seat) is not None and not on_vacation(state, seat, now)]
    return [seat for seat in asked if state.seats[seat].owner != but]


async def _refused(hall: Hall, state: Table, actor: str) -> str:
    """Why nobody may be nudged now, in words; empty when somebody may."""
    now = hall.engine.clock.now()
    if state.phase != "playing":
        return hall.say("nobody_to_nudge")
    if state.paused is not None:
        return hall.say("nudge_paused")
    if not waited_for(state, now, actor):
        return hall.say("your_own_turn" if waited_for(state, now) else "nobody_to_nudge")
    zone = hall.preferences.of_home(home(state.id)).zone
    awake = calls.awake_from(now, hall.preferences.quiet(state.id))
    if awake > now:
        return hall.say("nudge_quiet", until=moment(hall.texts, awake, Around(now=now, zone=zone)))
    last = await hall.directory.get(_NUDGED, state.id)
    if last is not None and now - int(last) < APART:
        return hall.say("nudged_lately", until=moment(hall.texts, int(last) + APART, Around(now=now, zone=zone)))
    return ""


async def _call(hall: Hall, said: Said, state: Table, actor: str) -> None:
    names = await hall.views.names(state)
    by = names[seat_of(state, actor) or 0]
    link = f"https://t.me/{hall.username}?start={state.id}"
    rows = ((Press(hall.say("button_hand"), HandToken(state.id)), Link(hall.say("button_private"), link)),)
    seats = waited_for(state, hall.engine.clock.now(), actor)
    group = hall.places.chat(state.id)
    there = [] if said.private else seats
    for seat in seats if said.private else []:
        owner = state.seats[seat].owner
        private = await hall.places.private(owner)
        if private is None:
            there.append(seat)
            continue
        texts = hall.preferences.spoken_to(owner, home(state.id))
        told = say(texts, "nudged_you", by=by, game=game_name(texts, state.rules.slug))
        await hall.tell(said.update, f"nudge {owner}", private, told)
    if there and group is not None and not hall.places.closed(group):
        mentions = ", ".join([await hall.views.mention(state, seat) for seat in there])
        texts = hall.preferences.spoken_at(home(state.id))
        told = say(texts, "nudged", by=by, names=_HERE, game=game_name(texts, state.rules.slug))
        html = escape(told).replace(_HERE, mentions)
        await hall.tell(said.update, "nudge", group, Post(html, rows), await hall.places.thread(state.id))
    if said.private:
        called = ", ".join(names[seat] for seat in seats)
        await hall.answer(said, hall.say("nudge_done", names=called))
