"""Pause and vacation: when a table, or the clock of one seat, stands still, and who may have it so."""

from __future__ import annotations

from typing import Any

from domain.agreeing import go_on_after
from domain.authority import by_authority, reason_hash, rules_here
from domain.commands import AwayUntil, Command, Pause, Resume
from domain.draft import Draft, running, seated
from domain.events import OnVacation, Paused, Resumed
from domain.presence import be_present
from domain.rejected import Rejected
from domain.table import Seat, Table, has_say

VACATION_DAYS = 21
"""The days of vacation that an owner of a seat may take at one table, all together."""
_DAY = 86_400_000


def pause(state: Table, command: Command, act: Pause) -> tuple[Any, ...]:
    """No clock runs and nobody moves from now on. Rejected `already_paused`, `not_allowed`, ..."""
    playing = running(state)
    if command.actor == "clock":
        facts: tuple[Any, ...] = (Paused("clock", command.time, reason_hash(act.reason_hash)),)
    else:
        facts = (by_authority(command, "pause", act.reason_hash), Paused("admin", command.time))
    if playing.paused is not None:
        raise Rejected("already_paused")
    return facts


def resume(state: Table, command: Command, act: Resume) -> tuple[Any, ...]:
    """The table goes on. What an administrator paused, an administrator resumes; what the players agreed to pause, any
    of them, or an administrator; what the clock paused, the clock, or the operator. Rejected `not_paused`,
    `you_are_away`, `paused_by_admin`, `paused_by_service`, `not_seated`."""
    playing = running(state)
    resumed = Resumed(max(command.time, playing.paused_at))
    match playing.paused:
        case None:
            raise Rejected("not_paused")
        case "clock":
            if command.actor == "clock":
                return (resumed,)
            if command.actor != "operator":
                raise Rejected("paused_by_service")
        case "agreement":
            if not rules_here(command):
                if not has_say(playing, seated(playing, command)):
                    raise Rejected("you_are_away")
                return (resumed,)
        case _:
            if not rules_here(command):
                raise Rejected("paused_by_admin")
    return by_authority(command, "resume", act.reason_hash), resumed


def take_vacation(state: Table, command: Command, act: AwayUntil) -> tuple[Any, ...]:
    """The actor is on vacation until then; asked for again, until another time. Whoever had let the clock play for him
    is there again by it. Rejected `not_in_future`, `no_vacation_left`, `already_left`, `not_seated`, ..."""
    playing = running(state)
    seat = seated(playing, command)
    if playing.seats[seat].left:
        raise Rejected("already_left")
    if act.until <= command.time:
        raise Rejected("not_in_future")
    left = vacation_left(playing.seats[seat], command.time)
    if act.until - command.time > left:
        raise Rejected("no_vacation_left", days=left // _DAY)
    draft = Draft(playing, command)
    be_present(draft, seat)
    draft.add(OnVacation(seat, command.time, act.until))
    go_on_after(draft)
    return tuple(draft.facts)


def vacation_left(seat: Seat, time: int) -> int:
    """The milliseconds of vacation that the seat's owner may still take at `time`, were a running one to end then."""
    taken = seat.vacations if seat.vacation is None else (*seat.vacations, seat.vacation)
    spent = seat.spent + sum(max(0, min(one.end, time) - one.start) for one in taken)
    return max(0, VACATION_DAYS * _DAY - spent)
