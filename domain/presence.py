"""Who is there: leaving, and coming back from having left, from being away, from a vacation."""

from __future__ import annotations

from typing import Any

from domain.agreeing import go_on_after, go_on_without
from domain.commands import Command, Leave, Return
from domain.draft import Draft, running, seated
from domain.events import Left, Present, Returned, Unseated, VacationEnded
from domain.rejected import Rejected
from domain.settling import CLOSED, end
from domain.table import Table, away, on_vacation


def leave(state: Table, command: Command, _: Leave) -> tuple[Any, ...]:
    """The lobby's seat is free again; in a running game the rest is the game's affair. Rejected `already_left`, ..."""
    seat = seated(state, command)
    if state.phase == "over":
        raise Rejected("table_over")
    draft = Draft(state, command)
    if state.phase == "lobby":
        draft.add(Unseated(seat))
        if all(held.computer for held in draft.state.seats):
            end(draft, CLOSED)
        return tuple(draft.facts)
    if state.seats[seat].left:
        raise Rejected("already_left")
    draft.add(Left(seat))
    draft.add(*state.rules.gone(draft.state.set, seat, "left"))
    go_on_without(draft)
    return tuple(draft.facts)


def come_back(state: Table, command: Command, _: Return) -> tuple[Any, ...]:
    """The actor is at his seat again, with all the time a question gives. Rejected `not_seated`, `not_away`."""
    playing = running(state)
    seat = seated(playing, command)
    if not away(playing, seat) and not on_vacation(playing, seat, command.time):
        raise Rejected("not_away")
    draft = Draft(playing, command)
    be_present(draft, seat)
    go_on_after(draft)
    return tuple(draft.facts)


def be_present(draft: Draft, seat: int) -> None:
    """Whoever acts is there: his vacation is over, expiries are forgotten, a leaver is back."""
    if on_vacation(draft.state, seat, draft.command.time):
        draft.add(VacationEnded(seat, draft.command.time))
    state = draft.state
    held = state.seats[seat]
    if not held.left and not held.expiries:
        return
    was_away = away(state, seat)
    draft.add(Returned(seat) if held.left else Present(seat))
    if was_away:
        draft.add(*state.rules.gone(state.set, seat, "returned"))
