"""Buttons that belong to no table: an answer to what we asked back, a game to open, a custom to set."""

from __future__ import annotations

from html import escape
from typing import assert_never

import msgspec

from domain.games import GAMES
from service.chat import talk
from service.chat.api.incoming import Pressed, Said
from service.chat.api.post import Post
from service.chat.api.rights import GROUP_ANONYMOUS
from service.chat.api.tokens import CustomToken, NewToken, WishToken
from service.chat.hall import Hall
from service.chat.people import choices
from service.chat.tables import lobby
from service.chat.tables.wishes import CHAT, Wish
from service.text.words import game_name


async def handle(hall: Hall, pressed: Pressed, token: WishToken | NewToken | CustomToken) -> None:
    """Does what such a button says, or says why not."""
    if pressed.user.id == GROUP_ANONYMOUS:
        await hall.out.toast(pressed.query, hall.say("press_as_yourself"), alert=True)
        return
    match token:
        case WishToken(update, answer):
            await _answered(hall, pressed, update, answer)
        case NewToken(slug):
            if slug not in GAMES:
                await hall.out.toast(pressed.query, hall.say("old_button"))
                return
            await hall.out.toast(pressed.query, hall.say("opened"))
            await lobby.open_table(hall, _said(pressed, slug), slug)
            if not pressed.private:  # what follows is read by everybody
                hall.speak(hall.preferences.spoken_at(await hall.places.home(pressed.chat)))
            chosen = hall.say("game_chosen", game=game_name(hall.texts, slug))
            await hall.show_again(pressed, Post(escape(chosen)))
        case CustomToken(name, value):
            await choices.press(hall, pressed, name, value)
        case _:
            assert_never(token)


def _said(pressed: Pressed, command: str) -> Said:
    """The press as if the command had been written."""
    return Said(pressed.update, pressed.chat, pressed.private, pressed.user, command, "", pressed.thread)


async def _answered(hall: Hall, pressed: Pressed, update: int, answer: str) -> None:
    """Carries out the presser's own wish, or (an administrator's press) that of the group."""
    whose, wish = await _wish(hall, pressed, update)
    if wish is None or wish.said.chat != pressed.chat or not wish.takes(answer):
        await hall.out.toast(pressed.query, hall.say("old_button" if whose else "asked_another"))
        return
    if not await hall.wishes.answered(update, whose, wish, pressed.update, answer):
        await hall.out.toast(pressed.query, hall.say("answered_before"))
        return
    await hall.out.toast(pressed.query, hall.say("never_mind" if answer == "no" else "understood"))
    said = msgspec.structs.replace(wish.said, update=pressed.update)
    if not pressed.private:  # what follows is read by everybody
        hall.speak(hall.preferences.spoken_at(await hall.places.home(pressed.chat)))
    if answer == "no":
        shown = hall.say("never_mind")
    elif wish.tables:
        shown = f"→ {await hall.pairs.of(answer)}"
        if said.private and said.user is not None:
            await hall.places.set_focus(await hall.actor(said.user), answer)
        await talk.carry_out(hall, msgspec.structs.replace(said, table=answer))
    else:
        shown = hall.say("understood")
        await talk.carry_out(hall, msgspec.structs.replace(said, sure=True))
    await hall.show_again(pressed, Post(shown))


async def _wish(hall: Hall, pressed: Pressed, update: int) -> tuple[str, Wish | None]:
    actor = await hall.actor(pressed.user)
    wish = await hall.wishes.get(update, actor)
    if wish is not None:
        return actor, wish
    groups = await hall.wishes.get(update, CHAT)
    if groups is None:
        return "", None
    admin = not pressed.private and await hall.rights.admin(pressed.chat, pressed.user.id)
    return (CHAT, groups) if admin else ("", None)
