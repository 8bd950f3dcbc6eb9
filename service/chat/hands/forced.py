"""Moves to which there is no alternative, made for those who wish so, after as long as a person would take."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from domain import premoves
from domain.commands import Move
from domain.table import Table, decision_of
from service.chat.people.customs import Habits
from service.clock import Clock
from service.engine import Engine

LEAST, MOST = 2_000, 7_000  # ms


class Forced:
    """Looks after tables at which somebody wishes it (`Habits.forced`); which moves those are: `premoves.forced`."""

    def __init__(self, engine: Engine, clock: Clock, habits: Callable[[str], Habits]) -> None:
        self._engine = engine
        self._clock = clock
        self._habits = habits

    async def look(self, name: str) -> int | None:
        """Makes the forced moves that are due at the table; gives when the next one is (ms UTC).

        The command's id names the commit that it follows on, so that two processes make it once.
        """
        held = await self._engine.held(name)
        state, nearest = held.state, None
        if state is None or state.phase != "playing" or state.paused is not None:
            return None
        for seat, one in enumerate(state.seats):
            if one.computer or not self._habits(one.owner).forced:
                continue
            question, move = decision_of(state, seat), premoves.forced(state, seat)
            if question is None or move is None:
                continue
            due = _since(state, question.start) + takes(state, seat, question.id)
            if due > self._clock.now():
                nearest = due if nearest is None else min(due, nearest)
            else:
                command = f"forced:{name}:{held.version}:{seat}"
                await self._engine.submit(name, one.owner, Move(move), command, decision=question.id)
                return self._clock.now()  # the table has moved on
        return nearest


def takes(state: Table, seat: int, question: int) -> int:
    """Milliseconds until the answer: the same whoever asks, and foreseen by nobody who does not know the owner's id."""
    drawn = hashlib.sha256(f"{state.id} {question} {state.seats[seat].owner} forced".encode()).digest()
    return LEAST + int.from_bytes(drawn[:4], "big") % (MOST - LEAST + 1)


def _since(state: Table, start: int) -> int:
    """From when on somebody could answer: a pause or an outage in between is no time to think."""
    return max([start, *(stop.end for stop in state.stops if stop.end > start)])
