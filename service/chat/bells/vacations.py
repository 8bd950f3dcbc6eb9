"""`/away until 5 December`: a vacation at all of one's tables at once, and `/back`, which ends it."""

from __future__ import annotations

from domain.commands import Act, AwayUntil, Return
from domain.table import Table, on_vacation, seat_of
from eventstore.store import home
from service.chat.api.incoming import Said
from service.chat.board.around import Around, moment
from service.chat.hall import Hall
from service.chat.tables import dials, finding, lobby
from service.engine import Refused
from service.text import dates, moments
from service.text.refusals import refusal


async def leave_until(hall: Hall, said: Said) -> None:
    """A vacation until the end of a day, or for some days, at every game that its taker plays.

    Says what it could not read, and at how many tables it was refused and why (in private: at which); a game that is
    played at one sitting knows no vacation.
    """
    actor = await finding.actor(hall, said)
    if actor is None:
        return
    names = await _noted(hall, said, "away", [state.id for state in await _playing(hall, actor)])
    if not names:
        await hall.answer(said, hall.say("no_tables_of_yours"))
        return
    where = await hall.places.home(said.chat) if not said.private else home(names[0])
    zone, now = hall.preferences.of_home(where).zone, hall.engine.clock.now()
    read = dates.until(said.text, now, moments.zone_of(zone))
    note = await hall.once.decided(said.update, "until", "" if read is None else str(read))
    if not note:
        await hall.answer(said, hall.say("away_form"))
        return
    until = int(note)
    refused = await _everywhere(hall, said, actor, names, AwayUntil(until))
    lines = []
    if len(refused) < len(names):
        said_until = moment(hall.texts, until, Around(now=now, zone=zone))
        lines.append(hall.say("away_until", until=said_until))
    for name, why in refused.items():
        lines.append(f"{await finding.label(hall, name)}: {why}" if said.private else why)
    await hall.answer(said, "\n".join(dict.fromkeys(lines)))


async def back(hall: Hall, said: Said) -> None:
    """Ends the vacation at all tables, and takes every seat again that the clock played meanwhile; without a vacation
    the seat at one table."""
    actor = await finding.actor(hall, said)
    if actor is None:
        return
    now = hall.engine.clock.now()
    resting = []
    for state in await _playing(hall, actor):
        seat = seat_of(state, actor)
        if seat is not None and on_vacation(state, seat, now):
            resting.append(state.id)
    names = await _noted(hall, said, "back", resting)
    if not names:
        await lobby.back(hall, said)
        return
    refused = await _everywhere(hall, said, actor, names, Return())
    lines = [hall.say("vacation_over")] if len(refused) < len(names) else []
    await hall.answer(said, "\n".join(dict.fromkeys([*lines, *refused.values()])))


async def _playing(hall: Hall, actor: str) -> list[Table]:
    states = [await hall.readable(name) for name in hall.seated.tables_of(actor)]
    return [state for state in states if state is not None and state.phase == "playing"]


async def _noted(hall: Hall, said: Said, what: str, names: list[str]) -> list[str]:
    """The tables that are meant, the same when the update comes again."""
    return (await hall.once.decided(said.update, what, " ".join(names))).split()


async def _everywhere(hall: Hall, said: Said, actor: str, names: list[str], act: Act) -> dict[str, str]:
    """Carries the act out at each table; gives where it was refused, and why, in words."""
    refused: dict[str, str] = {}
    for name in names:
        state = await hall.readable(name)
        if isinstance(act, AwayUntil) and state is not None and dials.short(state.options):
            refused[name] = hall.say("no_vacation_here")
            continue
        outcome = await hall.submit(said.update, name, actor, act)
        if isinstance(outcome, Refused):
            refused[name] = refusal(hall.texts, outcome)
    return refused
