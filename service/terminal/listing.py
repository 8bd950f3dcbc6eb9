"""The command tables: every table of a deployment, or those of a chat, of a player, those where nothing happens."""

from __future__ import annotations

import re

import msgspec

from domain import table
from domain.table import Table
from eventstore import chain
from eventstore.chain import BrokenChain
from eventstore.store import home
from service.clock import SystemClock
from service.directory import Directory
from service.engine import Unreadable
from service.terminal import finding
from service.terminal.looking import Sight, folded
from service.terminal.screen import rows
from service.text import board, faults, moments, operating, people

_SPAN = re.compile(r"([1-9][0-9]{0,3})([hdw])")
_UNITS = {"h": 3_600_000, "d": 86_400_000, "w": 604_800_000}


class Choice(msgspec.Struct, frozen=True):
    """Which tables are meant: those of a chat (its number), of a player (as `forget` takes him), and those that go on
    though nothing happened for `stale` ms."""

    chat: str | None = None
    player: str | None = None
    stale: int | None = None

    @property
    def all(self) -> bool:
        """Whether every table is meant."""
        return self == Choice()


_EVERY = Choice()


def read_span(text: str) -> int | None:
    """`12h`, `3d`, `2w` in milliseconds; None for anything else."""
    found = _SPAN.fullmatch(text.strip().casefold())
    return None if found is None else int(found[1]) * _UNITS[found[2]]


async def tables(sight: Sight, choice: Choice = _EVERY) -> None:
    """Prints a line for each table, or for those that are chosen. Raises Wrong: no such chat, or player."""
    texts = sight.screen.texts
    _ = texts.gettext
    names = [] if sight.store is None else await sight.store.tables()
    if sight.store is None or not names:
        sight.screen.say(faults.no_tables(texts))
        return
    directory = Directory(sight.store)
    of = None if choice.player is None else await finding.person_named(directory, texts, choice.player)
    if choice.chat is not None:
        at = await finding.home_named(directory, texts, choice.chat)
        names = [name for name in names if home(name) == at]
    before = None if choice.stale is None else SystemClock().now() - choice.stale
    states: list[Table] = []
    last: dict[str, int] = {}
    broken: list[str] = []
    for name, commits in (await sight.store.read_many(names)).items():
        if not commits:
            continue
        try:
            chain.verify(commits)
            state = folded(name, commits)
            if of is not None and all(seat.owner != of for seat in state.seats):
                continue
            if before is not None and (state.phase == "over" or commits[-1].time > before):
                continue
            states.append(state)
            last[name] = commits[-1].time
        except (BrokenChain, Unreadable) as fault:
            broken.append(faults.unreadable(texts, str(fault)))
    known = await sight.known(states)
    listed: list[tuple[str, ...]] = []
    for state in states:
        view = table.observe(state, None)
        seats = people.seat_names(texts, view, known)
        turn = ", ".join(seats[seat] for seat in view.waiting)
        phase = board.phase(texts, view.phase) if view.paused is None else operating.paused(texts)
        row: tuple[str, ...] = (view.table, view.game, phase, str(view.sets), ", ".join(seats), turn)
        listed.append(row if choice.stale is None else (*row[:4], moments.stamp(last[view.table]), *row[4:]))
    titles: tuple[str, ...] = (_("TABLE"), _("GAME"), _("PHASE"), _("SET"), _("PLAYERS"), _("TURN"))
    if choice.stale is not None:
        titles = (*titles[:4], _("LAST"), *titles[4:])
    if not listed and not choice.all:
        sight.screen.say(operating.nothing_such(texts))
    else:
        sight.screen.say(*rows(titles, sorted(listed)))
    sight.screen.say(*broken)
