"""Who wrote, and which table is meant."""

from __future__ import annotations

from domain.table import Table, seat_of
from service.chat import show
from service.chat.hall import Hall
from service.chat.incoming import Said
from service.engine import Unreadable

MOST_TABLES = 20  # of a chat's newest that are looked at


async def actor(hall: Hall, said: Said) -> str | None:
    """The actor; whoever writes in the name of the group is told that a seat belongs to a person."""
    if said.user is None:
        await hall.answer(said, hall.say("anonymous"))
        return None
    return await hall.actor(said.user)


async def table(hall: Hall, said: Said, actor: str | None) -> Table | None:
    """The table that is meant, the same when the update comes again; whoever means none is told so."""
    name = await hall.once.known(said.update, "table")
    if name is None:
        name = await (_own(hall, said, actor) if said.private and actor is not None else newest(hall, said, actor))
        name = await hall.once.decided(said.update, "table", name or "")
    state = await hall.state(name) if name else None
    if state is None and not (said.private and actor is not None and len(hall.seated.tables_of(actor)) > 1):
        await hall.answer(said, hall.say("no_table_for_you" if said.private else "no_table"))
    return state


async def newest(hall: Hall, said: Said, actor: str | None) -> str | None:
    """The group's newest table that goes on: of those, one where the actor sits; else the newest that is over."""
    going: list[Table] = []
    last: str | None = None
    parked: str | None = None
    for name in (await hall.places.tables(said.chat))[:MOST_TABLES]:
        try:
            state = await hall.state(name)
        except Unreadable:
            parked = parked or name
            continue
        if state is not None and state.phase != "over":
            going.append(state)
        elif state is not None:
            last = last or name
    seated = [state for state in going if actor is not None and seat_of(state, actor) is not None]
    return next((state.id for state in [*seated, *going]), parked or last)


async def _own(hall: Hall, said: Said, actor: str) -> str | None:
    """The table at which somebody sits; the one he chose if there are several, which he is asked to do."""
    names = hall.seated.tables_of(actor)
    if len(names) <= 1:
        return names[0] if names else await newest(hall, said, actor)
    chosen = await hall.places.focus(actor)
    if chosen in names:
        return chosen
    labels = []
    for name in names:
        state = await hall.readable(name)
        others = [] if state is None else await hall.views.names(state)
        labels.append((name, ", ".join(others)[:60] or name))
    await hall.answer(said, show.choose(hall.texts, labels))
    return None
