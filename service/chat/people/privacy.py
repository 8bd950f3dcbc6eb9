"""What is kept of somebody, and that it is forgotten when he asks for it."""

from __future__ import annotations

from html import escape

import structlog

from domain.commands import Leave
from service.chat.api.incoming import Said
from service.chat.api.post import Post, Press
from service.chat.api.tokens import WishToken
from service.chat.hall import Hall
from service.chat.tables import finding
from service.forgetting import remove

log = structlog.get_logger()


async def privacy(hall: Hall, said: Said) -> None:
    """What is stored, in a few sentences."""
    await hall.answer(said, hall.say("privacy"))


async def forget(hall: Hall, said: Said) -> None:
    """Asks back; then gives up the person's seats and removes all that the directory says of him. What others play at a
    table of his private chat goes on in the chat of one of them."""
    actor = await finding.actor(hall, said)
    if actor is None:
        return
    if not said.private:
        await hall.answer(said, hall.say("forget_in_private"))
        return
    tables = hall.seated.tables_of(actor)
    if not said.sure:
        await hall.wishes.keep(actor, said)
        buttons = (
            Press(hall.say("button_yes"), WishToken(said.update, "yes")),
            Press(hall.say("button_no"), WishToken(said.update, "no")),
        )
        question = hall.say("sure_forget_playing" if tables else "sure_forget", number=len(tables))
        await hall.tell(said.update, "sure", said.chat, Post(escape(question), (buttons,)))
        return
    for name in tables:
        await hall.submit(said.update, name, actor, Leave())
    await hall.answer(said, hall.say("forgotten"))
    heirs = await _heirs(hall, said.chat, actor)
    await hall.places.stopped(actor)  # from now on nothing more is shown to him, and noted
    hall.places.forget(said.chat, heirs)
    await hall.views.sent()
    await remove(hall.directory, actor, heirs)
    await hall.preferences.load()
    for name in heirs:
        hall.views.touch(name)
    log.info("forgotten", actor=actor)


async def _heirs(hall: Hall, chat: int, actor: str) -> dict[str, int]:
    """The tables of a private chat at which others sit, each with the private chat of one of them: of whoever can be
    written to before others."""
    found = {}
    for name in {*await hall.places.tables(chat), *hall.places.inherited(chat)}:
        state = await hall.readable(name)
        if state is None or await hall.directory.get("live", name) is None:
            continue  # over, and everything about it is shown
        others = [seat.owner for seat in state.seats if not seat.computer and not seat.left and seat.owner != actor]
        open_chats = [private for owner in others if (private := await hall.places.private(owner)) is not None]
        chats = open_chats or [user for owner in others if (user := await hall.places.user(owner)) is not None]
        if chats:
            found[name] = chats[0]
    return found
