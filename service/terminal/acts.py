"""What an operator may do to a table, by commands like an administrator's: written into its history for all to see."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from dataclasses import dataclass

from domain import contesting, sheet
from domain.commands import Act, Close, Kick, Pause, Penalty, Replace, Resume, Void
from domain.table import Table
from service.chat.people.customs import Preferences
from service.chat.tables.pairs import Pairs
from service.directory import opaque
from service.engine import Done, Refused
from service.terminal.finding import person_named
from service.terminal.looking import REASONS, Wrong
from service.terminal.screen import Screen
from service.terminal.tables import OPERATOR
from service.text import faults, operating, people
from service.wiring import Service

_LONGEST_REASON = 200  # characters


@dataclass(frozen=True, slots=True)
class Wanted:
    """An act (`void`, `kick` ...) at a table (its id, or the two words it is called by); `seat`: a number from 1 or a
    name; `other`: who takes it, or the trick that a penalty is for; `sure`: nobody is asked whether it is meant."""

    what: str
    table: str
    reason: str = ""
    seat: str = ""
    other: str = ""
    sure: bool = False


async def carry_out(service: Service, screen: Screen, wanted: Wanted, ask: Callable[[str], str] = input) -> None:
    """Asks once whether it is meant; then does it, and says in which commit. Raises Wrong, Unreadable, StoreDown."""
    texts = screen.texts
    name = await _table(service, screen, wanted.table)
    preferences = Preferences(service.directory)
    await preferences.load()
    service.engine.quiet = preferences.quiet
    state = (await service.engine.fresh(name)).state
    assert state is not None, "it was found"
    seat, called = await _seat(service, screen, state, wanted.seat) if wanted.seat else (0, "")
    owner, move = "", None
    if wanted.what == "replace":
        owner = await person_named(service.directory, texts, wanted.other, new=True)
    elif wanted.what == "penalty" and (move := contesting.accusing(state.rules, seat, wanted.other)) is None:
        raise Wrong(operating.no_such_move(texts, wanted.other))
    question = operating.question(texts, wanted.what, name, called, wanted.other)
    if not wanted.sure and not _means_it(question, screen, ask):
        raise Wrong(operating.not_done(texts))
    why = " ".join(wanted.reason.split())[:_LONGEST_REASON]
    reason = hashlib.sha256(why.encode()).hexdigest() if why else ""
    if reason:
        await service.directory.put(REASONS, f"{name} {reason}", why)
    act = Penalty(move, reason) if wanted.what == "penalty" else _act(wanted.what, seat, owner, reason)
    outcome = await service.engine.submit(name, OPERATOR, act, f"operator:{opaque()}", admin=True)
    if not isinstance(outcome, Done):
        raise Wrong(_refused(screen, outcome, state, (seat, called), wanted.what))
    screen.say(operating.done(texts, wanted.what, name, called, wanted.other, outcome.version))


def _refused(screen: Screen, outcome: Refused, state: Table, whom: tuple[int, str], what: str) -> str:
    """Why it was refused; a penalty that is written already, in this set or the one before, is told with it."""
    told = operating.refused(screen.texts, outcome)
    if what != "penalty":
        return told
    seat, name = whom
    late = [row.set for row in state.rows if row.kind in sheet.PENAL and row.values[seat] is not None]
    index = max(late, default=-1)
    if index < 0 or index < state.sets - 2:
        return told
    return f"{told} {operating.punished(screen.texts, name, index + 1)}"


def _act(what: str, seat: int, owner: str, reason: str) -> Act:
    acts: dict[str, Callable[[], Act]] = {
        "void": lambda: Void(reason),
        "kick": lambda: Kick(seat, reason),
        "replace": lambda: Replace(seat, owner, reason),
        "pause": lambda: Pause(reason),
        "resume": lambda: Resume(reason),
        "close": lambda: Close(reason),
    }
    return acts[what]()


def _means_it(question: str, screen: Screen, ask: Callable[[str], str]) -> bool:
    if ask is input and (sys.stdin is None or not sys.stdin.isatty()):
        raise Wrong(operating.ask_or_yes(screen.texts))
    try:
        return operating.is_yes(screen.texts, ask(question))
    except EOFError:
        return False


async def _table(service: Service, screen: Screen, called: str) -> str:
    """The table's id. Raises Wrong when there is none, or several are called so."""
    if called.isascii() and await service.store.read(called):
        return called
    found = await Pairs(service.directory).find(called.casefold(), await service.store.tables())
    if len(found) > 1:
        raise Wrong(operating.several_tables(screen.texts, called, found))
    if not found:
        raise Wrong(faults.no_such_table(screen.texts, called))
    return found[0]


async def _seat(service: Service, screen: Screen, state: Table, said: str) -> tuple[int, str]:
    """A seat and what it is called, by its number (from 1) or its name. Raises Wrong."""
    owners = [seat.owner for seat in state.seats if seat.owner.startswith("person:")]
    names = people.names_of(screen.texts, state.seats, await service.directory.names(owners))
    for seat, name in enumerate(names):
        if said.casefold() in (str(seat + 1), name.casefold()):
            return seat, name
    raise Wrong(operating.no_such_seat(screen.texts, names))
