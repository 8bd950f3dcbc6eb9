"""`/accuse` and its buttons: somebody says that another did not play by the rules, at a table that plays on its honour.

Whoever may say so, what there is to say and what comes of it are the same whatever anybody holds (`Game.accusable`).
"""

from __future__ import annotations

from typing import Any

from domain.commands import Move
from domain.rejected import Rejected
from domain.table import Table, observe, seat_of
from service.chat.api.incoming import Pressed, Said
from service.chat.api.tokens import AccuseToken
from service.chat.board import show
from service.chat.hall import Hall
from service.chat.hands import moving
from service.chat.tables import acts, finding
from service.engine import Done
from service.text.refusals import refusal


async def accuse(hall: Hall, said: Said) -> None:
    """`/accuse Bob 5` is a move like any other; `/accuse` alone asks whom, about the last trick."""
    if said.text:
        await moving.play(hall, said)
        return
    actor = await finding.actor(hall, said)
    state = None if actor is None else await finding.table(hall, said, actor)
    if state is None or actor is None or said.forwarded:
        return
    if seat_of(state, actor) is None:
        await acts.refuse(hall, said, Rejected("not_seated"))
        return
    view = observe(state, None)
    if not show.accused(view)[1]:
        await hall.answer(said, hall.say("accuse_nobody"))
        return
    await hall.answer(said, show.accuse(hall.texts, view, await hall.views.names(state)))


async def press(hall: Hall, pressed: Pressed, actor: str, state: Table, token: AccuseToken) -> None:
    """Asks whom, or makes the accusation; the button of a set that is closed does nothing any more."""
    if seat_of(state, actor) is None:
        await _toast(hall, pressed, Rejected("not_seated"))
        return
    view = observe(state, None)
    number, moves = show.accused(view)
    known = await hall.engine.store.commit_of(state.id, hall.command(pressed.update, state.id))
    if token.number != number and known is None:
        await hall.out.toast(pressed.query, hall.say("old_button"))
    elif token.step == "new":
        await hall.out.toast(pressed.query, "" if moves else hall.say("accuse_nobody"))
        if moves:
            panel = show.accuse(hall.texts, view, await hall.views.names(state))
            await hall.tell(pressed.update, "accuse", pressed.chat, panel, pressed.thread)
    else:
        await _say(hall, pressed, actor, state, token.step)


async def _say(hall: Hall, pressed: Pressed, actor: str, state: Table, notation: str) -> None:
    try:
        move = state.rules.read(notation)
    except Rejected as rejected:
        await _toast(hall, pressed, rejected)
        return
    if state.rules.accuses(move) is None:  # a forged button
        await hall.out.toast(pressed.query, hall.say("old_button"))
        return
    outcome = await hall.submit(pressed.update, state.id, actor, Move(move))
    if not isinstance(outcome, Done):
        await _toast(hall, pressed, outcome)
        return
    await hall.out.toast(pressed.query, hall.say("accused"))


async def _toast(hall: Hall, pressed: Pressed, refused: Any) -> None:
    await hall.out.toast(pressed.query, refusal(hall.texts, refused))
