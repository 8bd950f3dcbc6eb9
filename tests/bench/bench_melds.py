"""Chinchón's hands: the best arrangement of seven cards, and all cuts of eight, beside the plain enumeration."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence

from domain import options
from domain.cards import mask
from domain.games import GAMES
from domain.games.chinchon import melds
from domain.games.chinchon.options import Options
from tests.bench.rows import Row, at_least, at_most
from tests.domain.chinchon import plain

_HANDS = 5_000
_ROUNDS = 5
_LIMIT = 15.0  # microseconds a hand


def run(number: int = _HANDS) -> list[Row]:
    """Random hands of the source's pack and of the Spanish one, the rounds of both ways taken in turn."""
    rows = []
    for name in ("source", "spanish"):
        chosen: Options = options.read(GAMES["chinchon"], {}, name)
        pack = melds.pack(chosen)
        dice = random.Random(1)
        for size, what, ours, peer in (
            (7, "arrangement of 7 cards", melds.arrangement, plain.best),
            (8, "all cuts of 8 cards", melds.cuts, plain.cuts),
        ):
            hands = [mask(dice.sample(pack, size)) for _ in range(number)]
            mine, theirs = [], []
            for _ in range(_ROUNDS):
                mine.append(_microseconds(ours, hands, chosen))
                theirs.append(_microseconds(peer, hands, chosen))
            one, other = statistics.median(mine), statistics.median(theirs)
            label = f"{what}, {name}"
            rows.append(at_most(_LIMIT, label, one, "µs a hand"))
            rows.append(at_least(None, label, 1e6 / one, "hands/CPU s", "plain enumeration", 1e6 / other))
    return rows


def _microseconds(judge: Callable[[int, Options], object], hands: Sequence[int], chosen: Options) -> float:
    """The average time for a hand."""
    begin = time.process_time()
    for hand in hands:
        judge(hand, chosen)
    return (time.process_time() - begin) / len(hands) * 1e6
