"""What a group and a person choose for themselves, by buttons and in words: `/settings` and `/language`."""

from __future__ import annotations

import re
from functools import cache
from html import escape

import msgspec
import structlog
from babel import Locale

from service.chat.api.incoming import Pressed, Said
from service.chat.api.post import Button, Post, Press, grid
from service.chat.api.tokens import CustomToken
from service.chat.bells import reminders
from service.chat.hall import Hall
from service.chat.people.customs import Customs, zone_of
from service.text import draft, languages, nearest

log = structlog.get_logger()

_HOURS = re.compile(r"([01]?\d|2[0-3]):?([0-5]\d)?\s*[-–]\s*([01]?\d|2[0-3]):?([0-5]\d)?")
_QUIET = ("none", "21:00-07:00", "22:00-08:00", "23:00-07:00")  # what is offered as buttons
_YES, _NO = ("yes", "on", "true"), ("no", "off", "false")
SETTINGS = ("language", "zone", "quiet", "pin")


async def settings(hall: Hall, said: Said) -> None:
    """`/settings` shows a group's settings with their buttons; `/settings zone=Europe/Madrid quiet=22:00-08:00` sets
    them. For administrators; in a private chat for whoever's it is."""
    if not await _may(hall, said):
        await hall.answer(said, hall.say("admins_only"))
        return
    home = await hall.places.home(said.chat)
    customs = hall.preferences.of_home(home)
    for word in said.text.split():
        name, separator, value = word.partition("=")
        read = _with(customs, name.lower(), value) if separator else None
        if read is None:
            await hall.answer(said, hall.say("settings_form", text=word[:40]))
            return
        customs = read
    if said.text:
        await _set(hall, home, customs, "the group" if said.user is None else await hall.actor(said.user))
    await hall.answer(said, _shown(hall, customs))


async def language(hall: Hall, said: Said) -> None:
    """`/language fr`: a person's own in his private chat; in a group the group's, by an administrator."""
    if not said.text:
        offered = hall.say("language_which") if said.private else hall.say("language_of_group")
        await hall.answer(said, Post(escape(offered), grid(_languages(hall, "own" if said.private else "language"), 3)))
        return
    code = _language(said.text)
    if code is None:
        await hall.answer(said, hall.say("no_language", names=", ".join(_marked(hall, code) for code in languages())))
    elif said.private and said.user is not None:
        await _speak_to(hall, await hall.actor(said.user), said.chat, code)
        await hall.answer(said, hall.say("language_set", name=_marked(hall, code)))
    elif not await _may(hall, said):
        await hall.answer(said, hall.say("admins_only"))
    else:
        home = await hall.places.home(said.chat)
        customs = msgspec.structs.replace(hall.preferences.of_home(home), language=code)
        await _set(hall, home, customs, "the group" if said.user is None else await hall.actor(said.user))
        await hall.answer(said, hall.say("language_set", name=_marked(hall, code)))


async def press(hall: Hall, pressed: Pressed, name: str, value: str) -> None:
    """A button of `/settings` or `/language`; rights are looked at when it is pressed."""
    if name == reminders.REMINDERS:
        await reminders.press(hall, pressed, value)
        return
    actor = await hall.actor(pressed.user)
    if name == "own":
        code = _language(value)
        if code is None or not pressed.private:
            await hall.out.toast(pressed.query, hall.say("old_button"))
            return
        await _speak_to(hall, actor, pressed.chat, code)
        await hall.out.toast(pressed.query, hall.say("language_set", name=_marked(hall, code)))
        return
    if not pressed.private and not await hall.rights.admin(pressed.chat, pressed.user.id):
        await hall.out.toast(pressed.query, hall.say("admins_only"))
        return
    home = await hall.places.home(pressed.chat)
    customs = _with(hall.preferences.of_home(home), name, value)
    if customs is None:
        await hall.out.toast(pressed.query, hall.say("old_button"))
        return
    await _set(hall, home, customs, actor)
    hall.speak(hall.preferences.spoken_at(home))
    await hall.out.toast(pressed.query, hall.say("setting_set"))
    await hall.show_again(pressed, _shown(hall, customs))


async def _may(hall: Hall, said: Said) -> bool:
    if said.private or said.group:
        return True
    return said.user is not None and await hall.rights.admin(said.chat, said.user.id)


async def _set(hall: Hall, home: str, customs: Customs, actor: str) -> None:
    await hall.preferences.set_home(home, customs)
    log.info("settings of a chat", home=home, actor=actor)
    chat = hall.places.chat_of(home)
    hall.speak(hall.preferences.spoken_at(home))
    for table in [] if chat is None else await hall.places.tables(chat):
        hall.views.touch(table)


async def _speak_to(hall: Hall, actor: str, chat: int, code: str) -> None:
    habits = msgspec.structs.replace(hall.preferences.of_person(actor), language=code)
    await hall.preferences.set_person(actor, habits)
    at = await hall.places.home(chat)  # the private one: what he plays there is shown in his language too
    await hall.preferences.set_home(at, msgspec.structs.replace(hall.preferences.of_home(at), language=code))
    hall.speak(hall.preferences.spoken_to(actor))
    for table in hall.seated.tables_of(actor):
        hall.views.touch(table)


def _with(customs: Customs, name: str, value: str) -> Customs | None:
    """The customs with one of them changed; None for a name or a value that is none."""
    replace = msgspec.structs.replace
    if name == "language":
        code = _language(value)
        return None if code is None else replace(customs, language=code)
    if name == "zone":
        zone = zone_of(value)
        return None if zone is None else replace(customs, zone=zone)
    if name == "quiet":
        if value.lower() in ("none", *_NO):
            return replace(customs, quiet=None)
        hours = _hours(value)
        return None if hours is None else replace(customs, quiet=hours)
    if name == "pin" and value.lower() in (*_YES, *_NO):
        return replace(customs, pin=value.lower() in _YES)
    return None


def _hours(text: str) -> tuple[int, int] | None:
    """`22:00-08:00`, `22-8`: minutes after midnight; None for no hours, or for none at all between them."""
    found = _HOURS.fullmatch(text.strip())
    if found is None:
        return None
    start, end = int(found[1]) * 60 + int(found[2] or 0), int(found[3]) * 60 + int(found[4] or 0)
    return None if start == end else (start, end)


def _written(hours: tuple[int, int]) -> str:
    return "-".join(f"{minute // 60:02}:{minute % 60:02}" for minute in hours)


def _language(text: str) -> str | None:
    """The language of a code or of its name in any of our languages (`fr`, `Français`, `French`), or None."""
    wanted = text.strip().casefold()
    named = next((code for code in languages() if wanted in _names(code)), None)
    return named or (nearest(wanted) if nearest(wanted) != "en" else None)


@cache
def _names(code: str) -> frozenset[str]:
    """What somebody may write who means a language, folded."""
    called = (Locale.parse(code).get_display_name(reader) or code for reader in languages())
    return frozenset({code.casefold(), *(name.casefold() for name in called)})


def _name(code: str) -> str:
    """What a language calls itself."""
    return str(Locale.parse(code).get_display_name() or code).capitalize()


def _marked(hall: Hall, code: str) -> str:
    """A language's own name; of a draft with a word that it is one."""
    return hall.say("language_draft", name=_name(code)) if draft(code) else _name(code)


def _languages(hall: Hall, name: str) -> list[Button]:
    return [Press(_marked(hall, code), CustomToken(name, code)) for code in languages()]


def _shown(hall: Hall, customs: Customs) -> Post:
    quiet = "none" if customs.quiet is None else _written(customs.quiet)
    values = {
        "language": _marked(hall, customs.language or "en"),
        "zone": customs.zone,
        "quiet": hall.say("quiet_none") if customs.quiet is None else quiet,
        "pin": hall.say("word_yes" if customs.pin else "word_no"),
    }
    hours: list[Button] = [
        Press(
            hall.say("quiet_none") if hours == "none" else f"🌙 {hours}", CustomToken("quiet", hours.replace(":00", ""))
        )
        for hours in _QUIET
        if hours != quiet
    ]
    pin = Press(
        hall.say("button_unpin" if customs.pin else "button_pin"), CustomToken("pin", "no" if customs.pin else "yes")
    )
    rows = (*grid(_languages(hall, "language"), 3), *grid(hours, 2), (pin,))
    return Post(escape(hall.say("settings", **values)), rows)
