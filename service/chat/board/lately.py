"""What happened lately at a table, as everybody may know it: a short tail of its stream, the same after a restart."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from domain import events
from domain.events import Dealt, Left, Returned, RowWritten, SeatTaken
from domain.game import Game
from domain.table import Table
from service.engine import Engine
from service.text import Texts, history
from service.text.words import words

_COMMITS = 40  # of a table that are looked at
_MOST_TABLES = 2000  # that are held in memory
_OF_A_TABLE = (Left, Returned, SeatTaken, RowWritten)
_NAMED = 3  # events that a message tells


class Happened(NamedTuple):
    """An event that everybody knows of, in the commit `version` that `actor` caused."""

    version: int
    actor: str
    event: Any


class Lately:
    """The tails, held in memory; what is missing there is read from the store."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._tails: OrderedDict[str, tuple[int, list[Happened]]] = OrderedDict()  # table -> read up to where, and what

    async def of(self, state: Table, version: int) -> list[Happened]:
        """What happened in the table's last commits up to `version`. Raises StoreDown."""
        known, tail = self._tails.get(state.id, (0, []))
        oldest = max(version - _COMMITS, 0)
        if known > version:  # perhaps of a store that has lost commits since
            known, tail = 0, []
        if known < version:
            found = []
            for commit in await self._engine.store.read(state.id, max(known, oldest)):
                facts = events.decode(commit.events)
                found += [
                    Happened(commit.version, commit.actor, one) for one in facts if known_to_all(state.rules, one)
                ]
                known = commit.version
            tail = [*tail, *found]
            self._tails[state.id] = known, [one for one in tail if one.version > known - _COMMITS]
            self._tails.move_to_end(state.id)
            while len(self._tails) > _MOST_TABLES:
                self._tails.popitem(last=False)
        return [one for one in tail if oldest < one.version <= version]

    def forget(self, name: str) -> None:
        """The table is over and shown."""
        self._tails.pop(name, None)


def known_to_all(rules: Game, event: Any) -> bool:
    """Whether everybody may know of the event: a move that stands in the record, or what concerns the table itself.

    Answers that count by message, or that stay hidden, have no line in the record while they are a secret
    (`Game.public_move`).
    """
    kind = type(event)
    if kind is Dealt or kind in _OF_A_TABLE:
        return True
    return kind in rules.events and kind not in rules.secrets and rules.public_move(event) is not None


def moves(texts: Texts, rules: Game, tail: Sequence[Happened], names: Sequence[str], tenths: bool) -> list[str]:
    """The last moves of the set that is being played, oldest first; none that the table shows anyway (a trick)."""
    dealt = max((at for at, one in enumerate(tail) if type(one.event) is Dealt), default=-1)
    found = [one for one in tail[dealt + 1 :] if type(one.event) is not RowWritten]
    return _lines(texts, rules, found[-_NAMED:], names, tenths)


def since(
    texts: Texts, rules: Game, tail: Sequence[Happened], names: Sequence[str], tenths: bool, actor: str, looked: int
) -> list[str]:
    """The last of what others did since `actor` looked (at that version), or did something himself."""
    own = max((one.version for one in tail if one.actor == actor), default=0)
    found = [one for one in tail if one.version > max(own, looked) and one.actor != actor]
    return _lines(texts, rules, found, names, tenths)[-_NAMED:]


def _lines(texts: Texts, rules: Game, tail: Iterable[Happened], names: Sequence[str], tenths: bool) -> list[str]:
    silent, found = words(rules.slug).silent, []
    for one in tail:
        automatic = getattr(one.event, "auto", False)
        if type(one.event) is Dealt or (history.tag(one.event) in silent and not automatic):
            continue
        if type(one.event) is RowWritten and not rules.sheet:
            continue
        line = history.line(texts, rules, one.event, names, tenths)
        if line:
            found.append(line)
    return found
