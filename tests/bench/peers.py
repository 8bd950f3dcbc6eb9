"""How the peers of the rules play at random: games of OpenSpiel and of RLCard, from the package group `bench`."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import msgspec


class Player(msgspec.Struct, frozen=True):
    """Something that plays at random: `deal` gives a state where nobody has moved, `play` ends it, counting moves."""

    name: str
    deal: Callable[[], Any]
    play: Callable[[Any], int]


def open_spiel(game: str, random: Callable[[], float]) -> Player:
    """OpenSpiel (C++, driven from Python). `spades`: four players, four bids and thirteen tricks a deal; `gin_rummy`:
    two players, a draw and a discard a turn, cards of the stock drawn as the play wants them."""
    rules = importlib.import_module("pyspiel").load_game(game)

    def deal() -> Any:
        state = rules.new_initial_state()
        while state.is_chance_node():
            actions = state.legal_actions()
            state.apply_action(actions[int(random() * len(actions))])
        return state

    def play(state: Any) -> int:
        moves = 0
        while not state.is_terminal():
            actions = state.legal_actions()
            drawn = state.is_chance_node()
            state.apply_action(actions[int(random() * len(actions))])
            moves += not drawn
        return moves

    return Player(f"OpenSpiel {game}", deal, play)


def open_spiel_whole(game: str, random: Callable[[], float]) -> Player:
    """The same, dealt within the time of play, by the loop of OpenSpiel's own example.py (chance outcomes, numpy)."""
    rules = importlib.import_module("pyspiel").load_game(game)
    choose = importlib.import_module("numpy").random.default_rng(int(random() * 2**32)).choice

    def play(state: Any) -> int:
        moves = 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(choose(actions, p=chances))
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(random() * len(actions))])
                moves += 1
        return moves

    return Player(f"OpenSpiel {game}, as its example deals", rules.new_initial_state, play)


def open_spiel_new_states(game: str, random: Callable[[], float]) -> Player:
    """The same with a new state for each move and the old one left as it was, which is how ours works."""
    plain = open_spiel(game, random)

    def play(state: Any) -> int:
        moves = 0
        while not state.is_terminal():
            actions = state.legal_actions()
            drawn = state.is_chance_node()
            state = state.child(actions[int(random() * len(actions))])
            moves += not drawn
        return moves

    return Player(f"OpenSpiel {game}, a new state a move", plain.deal, play)


def rlcard(game: str, random: Callable[[], float]) -> Player:
    """RLCard (Python) by its environment, where a step also encodes the next state. `bridge`: bids, then thirteen
    tricks; `gin-rummy`: two players."""
    env = importlib.import_module("rlcard").make(game)

    def deal() -> Any:
        state, _ = env.reset()
        return state

    def play(state: Any) -> int:
        moves = 0
        while not env.is_over():
            actions = list(state["legal_actions"])
            state, _ = env.step(actions[int(random() * len(actions))])
            moves += 1
        return moves

    return Player(f"RLCard {game}", deal, play)


def rlcard_whole(game: str, random: Callable[[], float]) -> Player:
    """The same by RLCard's own `env.run` with its random agents, deals and payoffs within the time."""
    package = importlib.import_module("rlcard")
    agents = importlib.import_module("rlcard.agents")
    env = package.make(game, config={"seed": int(random() * 2**31)})
    env.set_agents([agents.RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def play(_: Any) -> int:
        trajectories, _ = env.run(is_training=False)
        return sum((len(states) - 1) // 2 for states in trajectories)

    return Player(f"RLCard {game}, by its own run", lambda: None, play)
