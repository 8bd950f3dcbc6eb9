"""The golden logs of Chit Chat: each way a game can end, and each outcome a set can have."""

from __future__ import annotations

import random
from collections.abc import Callable

from domain.commands import Answer, Close, Leave, Propose
from domain.games.chitchat import rules, sequence
from domain.games.chitchat.moves import Argue
from domain.games.chitchat.state import Conceded, Drew, Reshuffled
from tests.domain.play import PERSONS, Sitting, started

ENDS = {"points", "lag", "resign", "timeout", "abandoned", "vote", "closed"}
OUTCOMES = {"points", "lag", "resign", "timeout", "abandoned"}


def points() -> Sitting:
    """Ended by points with a threat that could not be blocked, after a reshuffle, with cuts of the cards."""
    return _first("points", lambda it: it.steady(), lambda it: _has(it, Reshuffled) and not _has(it, Conceded))


def conceded() -> Sitting:
    """Ended by a point that could have been blocked: the card that conceded it was not laid."""
    return _first("conceded", _conceding, lambda it: _has(it, Conceded))


def lag() -> Sitting:
    """Ended by a hand without a play, the discards only counted."""
    return _first("lag", _at_random, lambda it: it.state.ended == "lag", open_discards="false")


def drawn_anew() -> Sitting:
    """A draw that found the pile empty and the discards of its own play: shuffled first, then drawn."""
    return _first("drawn anew", _calm, lambda it: _has(it, Drew))


def resign() -> Sitting:
    """Given up in the middle."""
    sitting = started("chitchat", "golden resign")
    sitting.steady(lambda state: state.set.moves == 8)
    sitting.moves("resign")
    return sitting


def left() -> Sitting:
    """Ended by a seat that left when it was not its turn."""
    sitting = started("chitchat", "golden left")
    sitting.steady(lambda state: state.set.moves == 5)
    sitting.do(PERSONS[1 - sitting.asked()], Leave())
    return sitting


def timeout() -> Sitting:
    """Lost by the clock, the third time in a row under `on_timeout=autoplay`."""
    sitting = started("chitchat", "golden timeout", on_timeout="autoplay", turn_seconds="3600")
    sitting.steady(lambda state: state.set.moves == 4)
    for _ in range(2):
        sitting.expire()
        sitting.steady_move()
    sitting.expire()
    return sitting


def late() -> Sitting:
    """Lost by the clock at once, as the defaults have it."""
    sitting = started("chitchat", "golden late")
    sitting.steady(lambda state: state.set.moves == 3)
    sitting.expire()
    return sitting


def abandoned() -> Sitting:
    """Both fell silent: no result."""
    sitting = started("chitchat", "golden abandoned", on_timeout="autoplay")
    sitting.steady_move()
    return sitting.play(sitting.expire)


def vote() -> Sitting:
    """Ended by agreement."""
    sitting = started("chitchat", "golden vote")
    sitting.steady(lambda state: state.set.moves == 6)
    sitting.do(PERSONS[0], Propose("end"))
    sitting.do(PERSONS[1], Answer(True))
    return sitting


def closed() -> Sitting:
    """Closed by the operator."""
    sitting = started("chitchat", "golden closed", persons=1)
    sitting.steady(lambda state: state.set.moves == 3)
    sitting.do("operator", Close())
    return sitting


def _conceding(sitting: Sitting) -> Sitting:
    """Whoever is to block makes another play."""
    while sitting.state.phase == "playing":
        state = sitting.state.set
        others = [move for move in rules.legal(state, state.turn)[:-1] if not isinstance(move, Argue)]
        if sequence.threat(state.seq) is not None and others:
            sitting.move(others[0])
        else:
            sitting.steady_move()
    return sitting


def _calm(sitting: Sitting) -> Sitting:
    """Two who keep the line as long as they can, so that nothing is there to be shuffled when the pile runs out."""
    while sitting.state.phase == "playing":
        state = sitting.state.set
        ways = [(sitting.copy(), move) for move in rules.legal(state, state.turn)[:-1]]
        for copy, move in ways:
            copy.move(move)
        sitting.move(min(ways, key=lambda way: len(way[0].state.set.discards))[1])
    return sitting


def _at_random(sitting: Sitting) -> Sitting:
    return sitting.random(random.Random(sitting.word))


def _first(
    word: str,
    play: Callable[[Sitting], Sitting],
    fits: Callable[[Sitting], bool],
    open_discards: str = "true",
) -> Sitting:
    """The first of many games that is as wanted."""
    for number in range(500):
        cuts = {0: number % 52, 1: 17}
        sitting = play(started("chitchat", f"golden {word} {number}", cuts=cuts, open_discards=open_discards))
        if fits(sitting):
            return sitting
    raise AssertionError(f"no game of five hundred is {word}")


def _has(sitting: Sitting, kind: type) -> bool:
    return any(type(event) is kind for event in sitting.events)


LOGS: tuple[Callable[[], Sitting], ...] = (
    points,
    conceded,
    lag,
    drawn_anew,
    resign,
    left,
    timeout,
    late,
    abandoned,
    vote,
    closed,
)
