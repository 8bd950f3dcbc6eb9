"""Who may know which card since when: followed commit by commit, from what each seat's own observation shows it."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Container, Iterable, Sequence
from functools import cache
from typing import Any

from domain import events, table
from domain.table import Table, observe
from eventstore.record import Commit
from service.sandbox.state import Sight
from service.sealing import Sealer
from service.text import history, language
from service.text.cards import FACES, LETTERS
from tests.month import examples

_SUITS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
_RANKS = {"10": "T", **{one: rank for letters in LETTERS.values() for rank, one in letters.items()}}
_SHOWN = re.compile(rf"(?<![0-9A-Za-z])(10|[{FACES}])([♠♥♦♣])")
_NOTATION = re.compile(r"(?<![A-Za-z0-9])([2-9TJQKA][SHDC])(?![A-Za-z0-9])")
_IN_SUITS = re.compile(rf"([♠♥♦♣])((?: ?(?:10|[{FACES}]))+)(?![\w♠♥♦♣])")

EVERYBODY = ""
_ON_THEIR_WAY = 400  # sights: of messages that were made before the set began
_SENTENCES = frozenset({"message", "edit", "file", "toast"})
_HAND = re.compile(rf"(?: *(?:(?:10|[{FACES}])[♠♥♦♣]|🃏|\*))+ *")
About = Callable[[int, Sight], Collection[tuple[str, str]]]
"""Of a sight (its number, itself) the tables that it may be about, each with whose eyes it is for."""


class Witness:
    """Holds every table as somebody with the key sees it. `now` counts what people have seen so far."""

    def __init__(self, sealer: Sealer, now: Callable[[], int]) -> None:
        self._sealer, self._now = sealer, now
        self.states: dict[str, Table] = {}
        self.commits: dict[str, list[Commit]] = {}
        self.owners: dict[str, set[str]] = {}  # table -> whoever has had a seat
        self.spans: dict[str, tuple[int, int | None]] = {}  # table -> at which sight it was opened, and was over
        self._since: dict[tuple[str, int, str, str], int] = {}  # table, set, whose eyes, card -> first sight
        self._sets: dict[str, list[int]] = {}  # table -> at which sight each set began

    def saw(self, commit: Commit) -> None:
        """Follows a commit, event by event."""
        name = commit.table
        self.commits.setdefault(name, []).append(commit)
        for event in events.decode(commit.events):
            state = table.fold(name, self.states.get(name), [event], self._open)
            assert state is not None
            self.states[name] = state
            self.owners.setdefault(name, set()).update(seat.owner for seat in state.seats)
            self._note_public(state, event)
            self._note(state)
        opened, over = self.spans.get(name, (self._now(), None))
        if over is None and self.states[name].phase == "over":
            over = self._now()
        self.spans[name] = opened, over

    def _open(self, commitment: bytes, sealed: bytes) -> bytes:
        return self._sealer.open(sealed, commitment)

    def _note_public(self, state: Table, event: Any) -> None:
        """What an event says in clear is everybody's: a hand that voids a deal, cards drawn for the first dealer."""
        names = [str(number) for number in range(len(state.seats))]
        said = " ".join(history.lines(language(), state.rules, event, names))
        for card in named(said):
            self._since.setdefault((state.id, state.sets, EVERYBODY, card), self._now())

    def _note(self, state: Table) -> None:
        if state.set is None:
            return
        begun = self._sets.setdefault(state.id, [])
        while len(begun) < state.sets:
            begun.append(self._now())
        eyes: list[tuple[str, int | None]] = [(EVERYBODY, None)]
        eyes += [(seat.owner, number) for number, seat in enumerate(state.seats) if not seat.computer]
        for owner, seat in eyes:
            for card in _visible(state, seat):
                self._since.setdefault((state.id, state.sets, owner, card), self._now())

    def asked(self, actor: str) -> list[tuple[str, int]]:
        """The tables that wait for somebody, each with his seat."""
        found = []
        for name, state in self.states.items():
            if state.phase != "playing" or state.paused is not None:
                continue
            seat = table.seat_of(state, actor)
            if seat is not None and table.decision_of(state, seat) is not None:
                found.append((name, seat))
        return found

    def leaks(self, sights: Sequence[Sight], known: Container[str], bot: int, about: About) -> list[str]:
        """What somebody saw of a card before he could know it; `known` texts are examples, or what people wrote.

        Sentences and files may tell of earlier sets, a record of those that are over, with all cards. A button, an
        alert, what is listed to be played, a line that holds nothing but cards show a hand: that of the set which is
        played, but for those on their way.
        """
        found = []
        for number, sight in enumerate(sights):
            cards = named(sight.text)
            if not cards or sight.user_id == bot or sight.text in known:
                continue
            tables = about(number, sight)
            if sight.kind == "file" and (told := _sets_of(sight.text)) is not None:
                if told > max((self._over(name, number) for name, _ in tables), default=0):
                    found.append(f"a record tells of a set that is played: {sight} ({number})")
                continue
            hand = _held(sight.text) if sight.kind in _SENTENCES else cards
            found += [
                f"{card} was seen too early: {sight} ({number})"
                for card in sorted(cards)
                if not any(
                    self._known(name, owner, card, number, set_)
                    for name, owner in tables
                    for set_ in self._told(name, number, sight.kind, strict=card in hand)
                )
            ]
        return found

    def known(self, name: str, owner: str, number: int | None = None) -> set[str]:
        """The cards that somebody (or EVERYBODY) has come to know in a set (without one: in that which is played)."""
        wanted = name, self.states[name].sets if number is None else number, owner
        return {card for *found, card in self._since if tuple(found) == wanted}

    def fresh(self, name: str) -> bool:
        """Whether a table's set has just begun, so that messages may tell of the one before."""
        sets = self._sets.get(name, [])
        return len(sets) > 1 and self._now() - sets[-1] <= _ON_THEIR_WAY

    def _over(self, name: str, at: int) -> int:
        """How many sets of a table were over by then."""
        begun, over = bisect_right(self._sets.get(name, []), at), self.spans[name][1]
        return begun if over is not None and over <= at else max(0, begun - 1)

    def _told(self, name: str, at: int, kind: str, *, strict: bool) -> Iterable[int]:
        """The sets of which somebody may be told."""
        sets = self._sets.get(name, [])
        begun = bisect_right(sets, at)
        if not strict or kind == "file":
            return range(begun + 1)
        on_its_way = begun > 0 and at - sets[begun - 1] <= _ON_THEIR_WAY
        return (begun, begun - 1) if on_its_way else (begun,)

    def _known(self, name: str, owner: str, card: str, at: int, number: int) -> bool:
        return any(self._since.get((name, number, eyes, card), at + 1) <= at for eyes in {owner, EVERYBODY})


def _visible(state: Table, seat: int | None) -> set[str]:
    """The cards that the scene of a seat (None: of everybody) shows, in notation."""
    view = observe(state, seat)
    scene = state.rules.scene(view.set)
    shown = {placed.card for zone in scene.zones for placed in zone.cards}
    words = " ".join(str(getattr(fact, "value", "")) for fact in scene.facts)
    return shown | named(words)


def _sets_of(text: str) -> int | None:
    """How many sets a record tells of, all cards included; None for any other file."""
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return len(found["sets"]) if isinstance(found, dict) and "sets" in found else None


@cache
def _held(text: str) -> frozenset[str]:
    """The cards in lines of a text that hold nothing but cards."""
    return named("\n".join(line for line in text.splitlines() if _HAND.fullmatch(line)))


@cache
def named(text: str) -> frozenset[str]:
    """The cards that a text names, in notation; what callback data and links say too."""
    plain = examples.without(text)
    found = {_RANKS.get(rank, rank) + _SUITS[suit] for rank, suit in _SHOWN.findall(plain)}
    for suit, ranks in _IN_SUITS.findall(plain):
        found |= {_RANKS.get(rank, rank) + _SUITS[suit] for rank in ranks.split()}
    return frozenset(found | set(_NOTATION.findall(plain.replace("_", " ").replace("-", " ").replace(":", " "))))
