"""`/plan` and the buttons around it: says what to play as soon as one is asked. In the private chat only."""

from __future__ import annotations

import msgspec

from domain.rejected import Rejected
from domain.table import Table, decision_of, seat_of
from service.chat.api.incoming import Pressed, Said
from service.chat.api.tokens import PlanToken
from service.chat.hall import Hall
from service.chat.hands import moving, premoves
from service.chat.tables import acts, finding
from service.text.refusals import refusal

_ON = ("on", "yes")
_OFF = ("off", "no", "cancel", "-")


async def plan(hall: Hall, said: Said) -> None:
    """`/plan` offers what can be planned, `/plan QS, KS` plans, `/plan off` calls it off."""
    if not said.private:
        await hall.answer(said, hall.say("plan_in_private"))
        return
    actor = await finding.actor(hall, said)
    state = None if actor is None else await finding.table(hall, said, actor)
    if state is None or actor is None or said.forwarded or await _again(hall, said.update):
        return
    try:
        seat = _seat(state, actor)
        if said.text.casefold() in _OFF:
            off = await hall.plans.drop(state.id, actor)
            await hall.answer(said, hall.say("plan_off" if off else "plan_none"))
        elif said.text:
            wishes = premoves.read(moving.reader_of(hall, state, actor), state, seat, said.text)
            await hall.plans.add(state, actor, wishes)
            await hall.answer(said, hall.say("plan_made"))
        else:
            await hall.answer(said, premoves.panel(hall.texts, state, seat))
    except Rejected as rejected:
        await acts.refuse(hall, said, rejected)


async def forced(hall: Hall, said: Said) -> None:
    """`/forced on`: moves to which there is no alternative are made for whoever says so; `/forced` says how it is.

    In the private chat: whoever knows it of another can tell by the silence that he has a choice.
    """
    if not said.private:
        await hall.answer(said, hall.say("plan_in_private"))
        return
    actor = await finding.actor(hall, said)
    if actor is None:
        return
    habits, wanted = hall.preferences.of_person(actor), said.text.casefold()
    if wanted in (*_ON, *_OFF):
        habits = msgspec.structs.replace(habits, forced=wanted in _ON)
        await hall.preferences.set_person(actor, habits)
        for name in hall.seated.tables_of(actor):
            hall.forced.touch(name)
    await hall.answer(said, hall.say("forced_on" if habits.forced else "forced_off"))


async def press(hall: Hall, pressed: Pressed, actor: str, state: Table, token: PlanToken) -> None:
    """A step in planning; the buttons of a set that is over, or pressed in a group, do nothing any more."""
    if not pressed.private or token.number != state.sets:
        await hall.out.toast(pressed.query, hall.say("old_button"))
        return
    if await _again(hall, pressed.update):
        await hall.out.toast(pressed.query, "")
        return
    try:
        seat = _seat(state, actor)
        if token.step == "off":
            off = await hall.plans.drop(state.id, actor)
            await hall.out.toast(pressed.query, hall.say("plan_off" if off else "plan_none"))
        elif token.step == "new":
            await hall.out.toast(pressed.query, "")
            await hall.tell(pressed.update, "panel", pressed.chat, premoves.panel(hall.texts, state, seat))
        else:
            made = await hall.plans.add(state, actor, [token.step.removeprefix("+")])
            wishes = premoves.shown(hall.texts, state, made)
            await hall.out.toast(pressed.query, hall.say("planned", wishes=wishes))
    except Rejected as rejected:
        await hall.out.toast(pressed.query, refusal(hall.texts, rejected))


def _seat(state: Table, actor: str) -> int:
    """The seat of whoever may plan now. Rejected otherwise."""
    seat = seat_of(state, actor)
    if seat is None:
        raise Rejected("not_seated")
    if state.phase != "playing":
        raise Rejected("table_over" if state.phase == "over" else "not_started")
    if decision_of(state, seat) is not None:
        raise Rejected("plan_your_turn")
    return seat


async def _again(hall: Hall, update: int) -> bool:
    """Whether this was done before: what was planned and played is not planned anew when the update comes again."""
    return not await hall.once.claim(update, "plan")
