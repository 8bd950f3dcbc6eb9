"""Carries out an act that somebody wrote a command for, and says what came of it."""

from __future__ import annotations

from domain.commands import Act
from domain.table import Table, seat_of
from service.chat import finding
from service.chat.hall import Hall
from service.chat.incoming import Said
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
