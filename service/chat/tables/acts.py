"""Carries out an act that somebody wrote a command for, and says what came of it."""

from __future__ import annotations

from html import escape

import msgspec

from domain.commands import Act
from domain.table import Table, seat_of
from service.chat.api.incoming import Said
from service.chat.api.post import Post, Press
from service.chat.api.tokens import WishToken
from service.chat.hall import Hall
from service.chat.tables import finding
from service.engine import Done, Outcome
from service.text.refusals import Refusal, refusal


async def simple(hall: Hall, said: Said, act: Act, done: str, lobby: str = "", **values: object) -> None:
    """Carries out an act and says so: `done`, in a lobby `lobby`, which may name whoever it was."""
    actor = await finding.actor(hall, said)
    state = None if actor is None else await finding.table(hall, said, actor)
    if state is None or actor is None:
        return
    seat = seat_of(state, actor)
    name = "" if seat is None else (await hall.views.names(state))[seat]
    code = lobby if lobby and state.phase == "lobby" else done
    await carry_out(hall, said, state, actor, act, hall.say(code, name=name, **values))


async def carry_out(hall: Hall, said: Said, state: Table, actor: str, act: Act, done: str) -> Outcome:
    """Carries out an act, once for the update; a refusal is said, and so is `done` unless it is empty."""
    outcome = await hall.submit(said.update, state.id, actor, act)
    if not isinstance(outcome, Done):
        await refuse(hall, said, outcome)
    elif done:
        await hall.answer(said, done)
    return outcome


async def refuse(hall: Hall, said: Said, refused: Refusal) -> None:
    """Says why something was refused, in the chat where it was asked for."""
    await hall.answer(said, refusal(hall.texts, refused))


async def ask_back(hall: Hall, said: Said, whose: str, table: str, question: str) -> None:
    """Asks by buttons whether it is meant; the answer Yes carries the same out again, `sure` now, at this table."""
    await hall.wishes.keep(whose, msgspec.structs.replace(said, table=table))
    buttons = (
        Press(hall.say("button_yes"), WishToken(said.update, "yes")),
        Press(hall.say("button_no"), WishToken(said.update, "no")),
    )
    await hall.tell(said.update, "sure", said.chat, Post(escape(question), (buttons,)), said.thread)


async def show_proposal(hall: Hall, said: Said, table: str) -> None:
    """Shows everybody what is proposed, with the buttons that answer it; who proposed it in private hears that it was
    done."""
    state = await hall.readable(table)
    if state is not None and state.proposal is not None and said.private:
        await hall.answer(said, hall.say("proposed"))
    await hall.views.repost_all(table, str(said.update))
