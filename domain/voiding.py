"""A set that an administrator voids: it does not count, whatever the game, and the next one is dealt."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from domain.game import Game, Gone, SetEnded, Standing, Verdict

OUTCOME = "void_admin"
VOIDED = SetEnded(OUTCOME, None, void=True)


def verdict(rules: Game, standing: Standing, unpunished: tuple[int, ...] = ()) -> Verdict | None:
    """Whether the game is over after a set. A game of one set is over with it, however it ended; but a set that does
    not count leaves it to be played. `unpunished`: the totals before the set's penalties, which make no winner."""
    if unpunished and rules.after_set(msgspec.structs.replace(standing, totals=unpunished)) is None:
        return None
    found = rules.after_set(standing)
    return None if found is not None and found.ended == OUTCOME else found


def absent(rules: Game, state: Any, gone: Iterable[tuple[int, Gone]]) -> tuple[Any, ...]:
    """What follows in a set that was just dealt after a voided one from those who are gone already: a game need not
    remember them from set to set."""
    facts: tuple[Any, ...] = ()
    for seat, what in gone:
        if facts and type(facts[-1]) is SetEnded:
            break
        found = rules.gone(state, seat, what)
        for fact in found:
            if type(fact) is not SetEnded:
                state = rules.evolve(state, fact, None)
        facts += found
    return facts
