"""How the peers of the rules play at random: OpenSpiel's spades and RLCard's bridge, from the package group `bench`."""

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


def spades(random: Callable[[], float]) -> Player:
    """OpenSpiel's spades (C++, driven from Python): four players, four bids and thirteen tricks a deal."""
    game = importlib.import_module("pyspiel").load_game("spades")

    def deal() -> Any:
        state = game.new_initial_state()
        while state.is_chance_node():
            actions = state.legal_actions()
            state.apply_action(actions[int(random() * len(actions))])
        return state

    def play(state: Any) -> int:
        moves = 0
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(random() * len(actions))])
            moves += 1
        return moves

    return Player("OpenSpiel spades", deal, play)


def spades_whole(random: Callable[[], float]) -> Player:
    """The same, dealt within the time of play, by the loop of OpenSpiel's own example.py (chance outcomes, numpy)."""
    game = importlib.import_module("pyspiel").load_game("spades")
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

    return Player("OpenSpiel spades, as its example deals", game.new_initial_state, play)


def spades_new_states(random: Callable[[], float]) -> Player:
    """The same with a new state for each move and the old one left as it was, which is how ours works."""
    plain = spades(random)

    def play(state: Any) -> int:
        moves = 0
        while not state.is_terminal():
            actions = state.legal_actions()
            state = state.child(actions[int(random() * len(actions))])
            moves += 1
        return moves

    return Player("OpenSpiel spades, a new state a move", plain.deal, play)


def bridge(random: Callable[[], float]) -> Player:
    """RLCard's bridge (Python) by its environment: bids, then thirteen tricks; a step also encodes the next state."""
    env = importlib.import_module("rlcard").make("bridge")

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

    return Player("RLCard bridge", deal, play)


def bridge_whole(random: Callable[[], float]) -> Player:
    """The same by RLCard's own `env.run` with its random agents, deals and payoffs within the time."""
    rlcard = importlib.import_module("rlcard")
    agents = importlib.import_module("rlcard.agents")
    env = rlcard.make("bridge", config={"seed": int(random() * 2**31)})
    env.set_agents([agents.RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def play(_: Any) -> int:
        trajectories, _ = env.run(is_training=False)
        return sum((len(states) - 1) // 2 for states in trajectories)

    return Player("RLCard bridge, by its own run", lambda: None, play)
