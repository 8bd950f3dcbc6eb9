"""The rules beside their peers: random play in player moves per CPU second, by the same driver loop for all."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

from tests.bench import callbreak, peers
from tests.bench.peers import Player
from tests.bench.rows import Row, at_least

_ROUNDS = 7
_SECONDS = 0.3  # of CPU, a round
_Make = Callable[[Callable[[], float]], Player]
# Ours, the peer, how the peer is called when it is missing, and the goal: ours at least so many times the peer's.
_PAIRS: tuple[tuple[_Make, _Make, str, float | None], ...] = (
    (callbreak.table, peers.spades, "OpenSpiel", 0.8),
    (callbreak.table, peers.bridge, "RLCard", 10.0),
    (callbreak.table, peers.spades_new_states, "OpenSpiel", None),
    (callbreak.rules, peers.spades, "OpenSpiel", None),
    (callbreak.table_whole, peers.spades_whole, "OpenSpiel", None),
    (callbreak.table_whole, peers.bridge_whole, "RLCard", None),
)


def run() -> list[Row]:
    """A round of each player in turn, so that a noisy minute falls on all of them; the medians of the rounds."""
    dice = random.Random(1).random
    players: dict[_Make, Player] = {}
    for ours, peer, _, _ in _PAIRS:
        for make in (ours, peer):
            try:
                players[make] = players.get(make) or make(dice)
            except ModuleNotFoundError:
                if make is ours:
                    raise
    figures: dict[_Make, list[float]] = {make: [] for make in players}
    for _ in range(_ROUNDS):
        for make, player in players.items():
            figures[make].append(moves_per_second(player, _SECONDS))
    medians = {make: statistics.median(values) for make, values in figures.items()}
    rows = []
    for ours, peer, package, goal in _PAIRS:
        name = players[peer].name if peer in players else f"{package} not installed: pip install -e .[bench]"
        what = f"random play: {players[ours].name}"
        rows.append(at_least(goal, what, medians[ours], "moves/CPU s", name, medians.get(peer)))
    return rows


def moves_per_second(player: Player, seconds: float, clock: Callable[[], float] = time.process_time) -> float:
    """Plays whole deals until `seconds` of play are on the clock; what `player.deal` takes is not counted."""
    moves, played = 0, 0.0
    while played < seconds:
        state = player.deal()
        begin = clock()
        moves += player.play(state)
        played += clock() - begin
    return moves / played
