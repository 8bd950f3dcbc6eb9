"""Buttons that arrange a lobby beside its seats: clock, preset, invitation; and once more, when a game is over."""

from __future__ import annotations

import secrets
from html import escape
from typing import Any
from urllib.parse import quote

from domain.commands import Act, AddComputer, Join, Open, SetOptions, SetStandIn
from domain.table import Table, seat_of
from eventstore.store import home
from service.chat.api.incoming import Pressed, Said
from service.chat.api.post import Link, Post
from service.chat.board.chores import TABLE
from service.chat.hall import Hall
from service.chat.people import members
from service.chat.tables import dials
from service.engine import Done
from service.text import moments
from service.text.refusals import refusal
from service.text.words import preset_name

INVITED = "join_"  # how the payload of an invitation's link begins: no table's id does


async def press(hall: Hall, pressed: Pressed, actor: str, state: Table, act: str) -> None:
    """What the buttons `clock`, `preset`, `standin`, `invite` and `rematch` do."""
    if act == "rematch":
        await _rematch(hall, pressed, actor, state)
        return
    if state.phase != "lobby" or (act == "invite" and hall.places.together(state.id)):
        await hall.out.toast(pressed.query, hall.say("old_button"))
    elif act == "invite":
        await hall.out.toast(pressed.query, hall.say("invited_below"))
        await hall.tell(pressed.update, "invitation", pressed.chat, await invitation(hall, state.id), pressed.thread)
    elif act == "standin":
        on = not state.stand_in
        outcome = await hall.submit(pressed.update, state.id, actor, SetStandIn(on))
        done = hall.say("stand_in_on" if on else "stand_in_off")
        await hall.out.toast(pressed.query, done if isinstance(outcome, Done) else refusal(hall.texts, outcome))
    elif act == "clock":
        await _next_clock(hall, pressed, actor, state)
    else:
        await _next_preset(hall, pressed, actor, state)


async def _next_clock(hall: Hall, pressed: Pressed, actor: str, state: Table) -> None:
    seconds = dials.next_clock(state.rules, state.options)
    if seconds is None:
        await hall.out.toast(pressed.query, hall.say("old_button"))
        return
    span = moments.span(hall.texts, seconds * 1000)
    done = hall.say("clock_set", span=span) if seconds else hall.say("clock_none")
    await _set(hall, pressed, actor, state, dials.with_clock(state.options, seconds), done)


async def _next_preset(hall: Hall, pressed: Pressed, actor: str, state: Table) -> None:
    name = dials.next_preset(state.rules, state.options)
    if name is None:
        await hall.out.toast(pressed.query, hall.say("old_button"))
        return
    chosen = dials.with_preset(state.rules, state.options, name)
    called = preset_name(hall.texts, state.rules.slug, name)
    await _set(hall, pressed, actor, state, chosen, hall.say("preset_set", name=called))


async def _set(hall: Hall, pressed: Pressed, actor: str, state: Table, chosen: Any, done: str) -> None:
    outcome = await hall.submit(pressed.update, state.id, actor, SetOptions(chosen))
    told = done if isinstance(outcome, Done) else refusal(hall.texts, outcome)
    await hall.out.toast(pressed.query, told)


# Invitations, for tables that are played in private chats


async def invitation(hall: Hall, table: str) -> Post:
    """What can be sent on to friends: the link by which they take a seat. It names no table and cannot be guessed."""
    token = await hall.directory.first("invites", table, f"{INVITED}{secrets.token_urlsafe(18)}")
    await hall.directory.first("invited", token, table)
    link = f"https://t.me/{hall.username}?start={token}"
    share = f"https://t.me/share/url?url={quote(link, safe='')}"
    return Post(escape(hall.say("invitation", link=link)), ((Link(hall.say("button_share"), share),),))


async def join(hall: Hall, said: Said, actor: str) -> None:
    """`/start join_…`: somebody who was invited takes a seat, and sees the lobby in his own private chat."""
    name = await hall.directory.get("invited", said.text)
    state = None if name is None else await hall.readable(name)
    if name is None or state is None:
        await hall.answer(said, hall.say("no_invitation"))
        return
    if state.phase != "lobby":
        seated = seat_of(state, actor) is not None
        code = "table_is_over" if state.phase == "over" else "hand_here" if seated else "invitation_late"
        await hall.answer(said, hall.say(code))
    elif await members.was_sent_away(hall, name, actor):
        await hall.answer(said, hall.say("sent_away"))
        return
    elif seat_of(state, actor) is None:
        outcome = await hall.submit(said.update, name, actor, Join())
        done = hall.say("joined") if isinstance(outcome, Done) else refusal(hall.texts, outcome)
        await hall.answer(said, done)
        if not isinstance(outcome, Done):
            return
    await hall.places.set_focus(actor, name)
    await hall.views.repost(name, actor, str(said.update))


# Once more


async def _rematch(hall: Hall, pressed: Pressed, actor: str, state: Table) -> None:
    """A new lobby of the same people and options; one a table, whoever presses and how often."""
    if state.phase != "over" or seat_of(state, actor) is None:
        code = "old_button" if state.phase != "over" else "rematch_by_players"
        await hall.out.toast(pressed.query, hall.say(code))
        return
    if (closed := await hall.engine.door(actor, Join())) is not None:
        await hall.out.toast(pressed.query, refusal(hall.texts, closed), alert=True)
        return
    name = await hall.directory.get("rematches", state.id)
    if name is None:
        made = await hall.directory.new_table(home(state.id))
        name = await hall.directory.first("rematches", state.id, made)
    await hall.places.set_thread(name, await hall.places.thread(state.id))
    await hall.views.begin(name)
    await _seat_again(hall, name, actor, state)
    await hall.out.toast(pressed.query, hall.say("rematch_open"))
    await hall.views.repost(name, TABLE, str(pressed.update))


async def _seat_again(hall: Hall, name: str, actor: str, old: Table) -> None:
    """Opens the table and seats everybody in the order of play, from whoever asked on, but those who had left, had to
    go, or can be reached no more: their seats are free."""

    async def submit(who: str, act: Act, step: str) -> bool:
        outcome = await hall.engine.submit(name, who, act, f"rematch:{old.id}:{step}")
        return isinstance(outcome, Done)

    first = seat_of(old, actor)
    assert first is not None, "whoever asks for it was there"
    opened = await submit(actor, Open(old.rules.slug, old.options, seated=True), "open")
    held = await hall.readable(name)
    if not opened and (held is None or held.phase != "lobby" or held.host != actor):
        return  # somebody else's press has opened it
    seats = [*old.seats[first + 1 :], *old.seats[:first]]
    for number, seat in enumerate(seats):
        if seat.computer:
            await submit(actor, AddComputer(seat.owner.partition(":")[2]), str(number))
        elif not seat.left and not seat.kicked and await _reached(hall, old, seat.owner):
            await submit(seat.owner, Join(), str(number))
    hall.seated.note(name, await hall.readable(name))
    hall.views.touch(name)


async def _reached(hall: Hall, table: Table, actor: str) -> bool:
    """Whether a player is still known, and in the table's group, or (without one) lets us write to him."""
    user, chat = await hall.places.user(actor), hall.places.chat(table.id)
    if user is None or chat is None:
        return False
    if chat > 0:
        return await hall.places.private(actor) is not None
    return await hall.rights.standing(chat, user, fresh=True) != "out"
