"""Who sits at which live table, and who did something lately; in memory, made anew at each start."""

from __future__ import annotations

from collections import defaultdict

from domain.table import Table
from service.clock import Clock

ABSENT = 120.0  # s without a word or a press


class Seated:
    """People by the tables they play at."""

    def __init__(self, clock: Clock, absent: float = ABSENT) -> None:
        self._clock = clock
        self.absence = round(absent * 1000)  # ms without a word or a press, after which somebody counts as not here
        self._since = clock.now()
        self._seats: dict[str, tuple[str, ...]] = {}  # live table -> its people
        self._at: dict[str, set[str]] = defaultdict(set)  # person -> live tables
        self._heard: dict[str, int] = {}  # person -> when he last did something, ms UTC

    def note(self, name: str, state: Table | None) -> None:
        """Remembers who plays at the table."""
        for actor in self._seats.pop(name, ()):
            self._at[actor].discard(name)
        if state is not None and state.phase != "over":
            self._seats[name] = tuple(seat.owner for seat in state.seats if not seat.computer)
            for actor in self._seats[name]:
                self._at[actor].add(name)

    def tables_of(self, actor: str) -> list[str]:
        """The live tables at which somebody sits."""
        return sorted(self._at.get(actor, ()))

    def heard(self, actor: str) -> None:
        """Somebody did something just now."""
        self._heard[actor] = self._clock.now()

    def absent(self, actor: str) -> bool:
        """Whether somebody has not been heard of for a while (counted from our own start)."""
        return self._clock.now() > self.absent_from(actor)

    def absent_from(self, actor: str) -> int:
        """When somebody counts as not here, unless he does something until then (ms UTC)."""
        return self._heard.get(actor, self._since) + self.absence
