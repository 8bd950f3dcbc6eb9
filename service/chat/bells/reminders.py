"""`/reminders`: when somebody wants to be reminded that a game waits for him. What rings when: `calls`."""

from __future__ import annotations

from html import escape
from typing import get_args

import msgspec

from service.chat.api.incoming import Pressed, Said
from service.chat.api.post import Post, Press, grid
from service.chat.api.tokens import CustomToken
from service.chat.hall import Hall
from service.chat.people.customs import Reminders
from service.chat.tables import finding

REMINDERS = "reminders"
_CHOICES: tuple[Reminders, ...] = get_args(Reminders)


async def reminders(hall: Hall, said: Said) -> None:
    """`/reminders half` chooses, `/reminders` shows the choice and its buttons (which are the presser's own)."""
    actor = await finding.actor(hall, said)
    if actor is None:
        return
    wanted = next((choice for choice in _CHOICES if choice == said.text.strip().casefold()), None)
    if said.text and wanted is None:
        await hall.answer(said, hall.say("reminders_form"))
        return
    if wanted is not None:
        await _choose(hall, actor, wanted)
        await hall.answer(said, hall.say(f"reminders_{wanted}"))
        return
    now = hall.preferences.of_person(actor).reminders
    buttons = [Press(hall.say(f"button_reminders_{choice}"), CustomToken(REMINDERS, choice)) for choice in _CHOICES]
    said_now = escape(hall.say("reminders_now", now=hall.say(f"reminders_{now}")))
    await hall.answer(said, Post(said_now, grid(buttons, 2)))


async def press(hall: Hall, pressed: Pressed, value: str) -> None:
    """A button of `/reminders`: whoever presses chooses for himself."""
    actor = await hall.actor(pressed.user)
    wanted = next((choice for choice in _CHOICES if choice == value), None)
    if wanted is None:
        await hall.out.toast(pressed.query, hall.say("old_button"))
        return
    await _choose(hall, actor, wanted)
    await hall.out.toast(pressed.query, hall.say(f"reminders_{wanted}"))


async def _choose(hall: Hall, actor: str, wanted: Reminders) -> None:
    habits = msgspec.structs.replace(hall.preferences.of_person(actor), reminders=wanted)
    await hall.preferences.set_person(actor, habits)
    for name in hall.seated.tables_of(actor):
        hall.views.touch(name)  # what rings next may be another bell
