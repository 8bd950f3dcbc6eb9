"""What happened in a set, in lines for a telephone: trick by trick or turn by turn, made of the commits alone.

No key is used, so no hidden card can be told; answers that others still have to give too are held back until then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from domain import events, table
from domain.events import Dealt, Over, RowWritten
from domain.game import SetEnded
from domain.table import Seat, Table
from service.text import Texts, board, history, people
from service.text.words import Words, words

Named = Callable[[Texts, tuple[Seat, ...], Mapping[str, str]], list[str]]
"""What seats are called, of (texts, seats, known names by actor): `people.names_of`, or as a chat shows them."""

UNTOLD = frozenset({"table.opened", "table.seed_revealed"})
"""Tags that have no line here: the result of a set tells of its seed, and whoever reads of a table knows that it is."""
_MOST_LINES = 18  # a page
_MOST_CHARACTERS = 2_400  # a page; Bot API, sendMessage: 4,096
_LONGEST_LINE = 600
_LONGEST_SHARED = 160  # characters of a line that several events share
_JOINED = " · "
_DECIDED = "table.admin_acted"  # what follows says what was decided


class Stored(NamedTuple):
    """A commit as it is told: when it was made (ms UTC), and its events as they are stored."""

    time: int
    events: bytes


class Chapter(NamedTuple):
    """A set as it is told: its number (0: what was before the first deal), how many sets there are, its lines."""

    game: str
    number: int
    sets: int
    lines: tuple[str, ...]


def owners(commits: Iterable[Stored]) -> list[str]:
    """The people that ever had a seat."""
    found = (getattr(event, "owner", "") for commit in commits for event in events.decode(commit.events))
    return sorted({owner for owner in found if owner.startswith("person:")})


def chapter(
    texts: Texts,
    name: str,
    commits: Sequence[Stored],
    known: Mapping[str, str],
    number: int | None = None,
    named: Named = people.names_of,
    day: Callable[[int], str] | None = None,
) -> Chapter:
    """What happened in the set `number` of the table `name` (None: the last one; too high or too low: the nearest).

    `commits` are all of the table's, in order; `day` gives the day of a moment in the reader's words, which then heads
    what happened on it.
    """
    happened = [(commit.time, events.decode(commit.events)) for commit in commits]
    sets = sum(type(event) is Dealt for _time, facts in happened for event in facts)
    wanted = sets if number is None else max(0, min(number, sets))
    state: Table | None = None
    teller = _Teller(texts, known, named)
    at = 0
    for time, event in ((time, event) for time, facts in happened for event in facts):
        before, state = state, table.evolve(name, state, event)
        at += type(event) is Dealt
        if at > wanted:
            break
        if at == wanted:
            teller.tell(before, event, state, "" if day is None else day(time))
    assert state is not None, "a table begins with table.opened"
    running = state.phase == "playing" and at == sets
    return Chapter(state.rules.slug, wanted, sets, tuple(teller.lines(running=running)))


def pages(lines: Iterable[str]) -> list[list[str]]:
    """The lines in pages, each of which a message holds; one empty page for no lines."""
    found: list[list[str]] = [[]]
    room = _MOST_CHARACTERS
    for line in lines:
        shown = line if len(line) <= _LONGEST_LINE else line[: _LONGEST_LINE - 1] + "…"
        if found[-1] and (len(found[-1]) == _MOST_LINES or len(shown) + 1 > room):
            found.append([])
            room = _MOST_CHARACTERS
        found[-1].append(shown)
        room -= len(shown) + 1
    return found


class _Teller:
    """Gathers lines: what belongs to one turn, and what a trick's row says, shares a line."""

    def __init__(self, texts: Texts, known: Mapping[str, str], named: Named) -> None:
        self._texts = texts
        self._known = known
        self._named = named
        self._names: dict[tuple[str, ...], list[str]] = {}
        self._lines: list[str] = []
        self._last: tuple[str, int | None] = ("", None)  # tag and seat of what the last line tells
        self._row: list[str] = []  # moves that a row will tell: the trick that is not taken yet
        self._late: list[str] = []  # for whom of them the clock moved
        self._day = ""  # of what is told now
        self._told_day = ""  # of the last line
        self._held: int | None = None  # from which line on answers are told that others still have to give

    def lines(self, *, running: bool) -> Iterator[str]:
        """The lines so far; `running`: the set is not over, and what must not be told yet is left out."""
        if running and self._held is not None:
            yield from self._lines[: self._held]
            yield self._texts.gettext("(some answers are told when all have answered)")
            return
        yield from self._lines
        if self._row:
            yield _JOINED.join(self._row)

    def tell(self, before: Table | None, event: Any, state: Table, day: str) -> None:
        """The event that led to `state`, on this day."""
        rules, kind = state.rules, history.tag(event)
        self._hold(before, event)
        self._day = day
        if kind in UNTOLD or (isinstance(event, RowWritten) and not rules.sheet):
            return
        names, known = self._called(state.seats), words(rules.slug)
        if self._row and isinstance(event, SetEnded | Over):  # a trick that nobody will take
            self._append(_JOINED.join(self._row))
            self._row, self._late, self._last = [], [], ("", None)
        if kind in known.with_zone:
            self._tell_row(state, event, known, names)
            return
        tenths = rules.tenths(state.options)
        said = history.lines(self._texts, rules, event, names, tenths)
        if kind in known.silent and known.with_zone:
            self._row += said
            if getattr(event, "auto", False):
                self._late.append(names[event.seat])
            return
        if isinstance(event, RowWritten):
            said.append(history.total_line(self._texts, state.totals, names, tenths))
            if event.kind == "score":
                said += history.settled(self._texts, rules, state.options, event.values, state.totals, names)
        seat = getattr(event, "seat", None) if type(event) in rules.events else None
        for line in said:
            self._add(line, kind, seat, kind in known.in_one_line, names)

    def _hold(self, before: Table | None, event: Any) -> None:
        """Notes where answers begin that are nobody else's business yet (`Game.alone`), and when they are told."""
        if before is None or before.set is None or before.rules.alone is None or not before.rules.alone(before.set):
            self._held = None
        elif type(event) in before.rules.events and before.rules.public_move(event) is not None:
            self._held = None  # what closes such a window states the answers
        elif self._held is None and type(event) in before.rules.events:
            self._held = len(self._lines)

    def _tell_row(self, state: Table, event: Any, known: Words, names: list[str]) -> None:
        zone_name, template = known.with_zone[history.tag(event)]
        scene = state.rules.scene(state.rules.observe(state.set, None))
        row = next(board.played(self._texts, zone, names) for zone in scene.zones if zone.name == zone_name)
        line = self._texts.gettext(template).format(row=row, **history.values(self._texts, state.rules, event, names))
        if self._late:
            by_clock = self._texts.gettext("{what} (by the clock: {seats})")
            line = by_clock.format(what=line, seats=", ".join(dict.fromkeys(self._late)))
        self._row, self._late, self._last = [], [], ("", None)
        self._append(line)

    def _add(self, line: str, kind: str, seat: int | None, in_one_line: bool, names: list[str]) -> None:
        """A line, or more of the last one: for an event of a kind that shares one, or of a seat that goes on."""
        before, other = self._last
        self._last = kind, seat
        same_day = bool(self._lines) and self._day == self._told_day
        room = same_day and len(self._lines[-1]) + len(line) < _LONGEST_SHARED and self._held is None
        if room and before == _DECIDED:
            self._lines[-1] += f" {line}"
        elif room and before == kind and in_one_line:
            self._lines[-1] += _JOINED + line
        elif room and seat is not None and seat == other:
            self._lines[-1] += _JOINED + line.removeprefix(names[seat]).lstrip(" ")
        else:
            self._append(line)

    def _append(self, line: str) -> None:
        """A line of its own, the first of a day below the day's name."""
        if self._day != self._told_day:
            self._lines.append(f"— {self._day} —")
            self._told_day = self._day
        self._lines.append(line)

    def _called(self, seats: tuple[Seat, ...]) -> list[str]:
        key = tuple(seat.owner for seat in seats)
        if key not in self._names:
            self._names[key] = self._named(self._texts, seats, self._known)
        return self._names[key]
