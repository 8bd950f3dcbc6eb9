"""The tables that wait for somebody, wherever he plays, in the order in which they began to wait."""

from __future__ import annotations

from domain.table import Table, decision_of, seat_of
from service.chat.api.incoming import Pressed
from service.chat.hall import Hall


async def tables(hall: Hall, actor: str) -> list[str]:
    """The ids of the tables that wait for a move of the actor, the longest waiting first."""
    found: list[tuple[int, str]] = []
    for name in hall.seated.tables_of(actor):
        state = await hall.readable(name)
        since = None if state is None else waits_since(state, actor)
        if since is not None:
            found.append((since, name))
    return [name for _since, name in sorted(found)]


def waits_since(state: Table, actor: str) -> int | None:
    """Since when the table waits for a move of the actor (ms UTC); None: it does not."""
    seat = seat_of(state, actor)
    decision = None if seat is None or state.phase != "playing" else decision_of(state, seat)
    return None if decision is None else decision.start


def following(names: list[str], current: str) -> str | None:
    """The table after the current one, the first after the last; the longest waiting, if the current one is none of
    them; None: no other one waits."""
    others = [name for name in names if name != current]
    if not others:
        return None
    return names[(names.index(current) + 1) % len(names)] if current in names else others[0]


async def show_next(hall: Hall, pressed: Pressed, actor: str, current: str) -> None:
    """Shows the hand at the next table that waits, further down in the private chat."""
    name = await hall.once.known(pressed.update, "next")
    if name is None:
        found = following(await tables(hall, actor), current)
        name = await hall.once.decided(pressed.update, "next", found or "")
    if not name:
        await hall.out.toast(pressed.query, hall.say("none_waits"))
        return
    await hall.places.set_focus(actor, name)
    await hall.out.toast(pressed.query, hall.say("seat_chosen"))
    await hall.views.repost(name, actor, str(pressed.update))
