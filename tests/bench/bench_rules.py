"""The rules beside their peers: random play in player moves per CPU second, by the same driver loop for all.

Every game of the registry is played: by the whole judge with deals untimed and timed, and by its rules alone.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

import msgspec

from domain.games import GAMES
from tests.bench import ours, peers
from tests.bench.peers import Player
from tests.bench.rows import Row, at_least

_ROUNDS = 7
_SECONDS = 0.3  # of CPU, a round
_UNIT = "moves/CPU s"
_Make = Callable[[str, Callable[[], float]], Player]
_Which = tuple[_Make, str]  # and the game, as whoever plays it calls it


class Beside(msgspec.Struct, frozen=True):
    """One of our ways to play, a peer's, and the goal: ours at least so many times the peer's (None: only shown)."""

    ours: _Make
    peer: _Make
    game: str
    goal: float | None = None


_PEERS: dict[str, tuple[Beside, ...]] = {
    "callbreak": (
        Beside(ours.table, peers.open_spiel, "spades", 0.8),
        Beside(ours.table, peers.rlcard, "bridge", 10.0),
        Beside(ours.table, peers.open_spiel_new_states, "spades"),
        Beside(ours.rules_alone, peers.open_spiel, "spades"),
        Beside(ours.table_whole, peers.open_spiel_whole, "spades"),
        Beside(ours.table_whole, peers.rlcard_whole, "bridge"),
    ),
    "chinchon": (
        Beside(ours.table, peers.open_spiel, "gin_rummy"),
        Beside(ours.table, peers.rlcard, "gin-rummy"),
        Beside(ours.table, peers.open_spiel_new_states, "gin_rummy"),
        Beside(ours.rules_alone, peers.open_spiel, "gin_rummy"),
        Beside(ours.table_whole, peers.open_spiel_whole, "gin_rummy"),
        Beside(ours.table_whole, peers.rlcard_whole, "gin-rummy"),
    ),
}
# What the whole judge shall reach with deals untimed, for games whose goal is a figure of its own.
_GOALS = {"chinchon": 30_000, "chitchat": 60_000, "snitch": 60_000}
_OURS = (ours.table, ours.table_whole, ours.rules_alone)


def run() -> list[Row]:
    """A round of each player in turn, so that a noisy minute falls on all of them; the medians of the rounds."""
    dice = random.Random(1).random
    players: dict[_Which, Player] = {(make, game): make(game, dice) for game in GAMES for make in _OURS}
    missing: dict[_Which, str] = {}
    for game in GAMES:
        for beside in _PEERS.get(game, ()):
            try:
                players[beside.peer, beside.game] = beside.peer(beside.game, dice)
            except ModuleNotFoundError as error:
                missing[beside.peer, beside.game] = f"{error.name} is not installed: pip install -e .[bench]"
    figures: dict[_Which, list[float]] = {which: [] for which in players}
    for _ in range(_ROUNDS):
        for which, player in players.items():
            figures[which].append(moves_per_second(player, _SECONDS))
    medians = {which: statistics.median(values) for which, values in figures.items()}
    names = missing | {which: player.name for which, player in players.items()}
    return [row for game in GAMES for row in _rows(game, names, medians)]


def _rows(game: str, names: dict[_Which, str], medians: dict[_Which, float]) -> list[Row]:
    """The game's goal where it has one, then each comparison, then what is compared with nothing."""
    besides = _PEERS.get(game, ())
    rows = []
    for make in _OURS:
        what, figure = f"random play: {names[make, game]}", medians[make, game]
        if make is ours.table and game in _GOALS:
            rows.append(at_least(1.0, what, figure, _UNIT, "goal", _GOALS[game]))
        elif make not in [beside.ours for beside in besides]:
            rows.append(at_least(None, what, figure, _UNIT, "", None))
    for beside in besides:
        what, figure = f"random play: {names[beside.ours, game]}", medians[beside.ours, game]
        peer = (beside.peer, beside.game)
        rows.append(at_least(beside.goal, what, figure, _UNIT, names[peer], medians.get(peer)))
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
