"""How any game of the registry plays at random in the bench: by the code that judges real games, in the loop that the
peers get."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from domain import options
from domain.commands import Act, Command, Fresh, Join, Move, Open, Start
from domain.decide import decide, legal
from domain.game import PLAIN, Brought, SetEnded
from domain.games import GAMES
from domain.shuffle import NO_MOVES, Seeded, commitment
from domain.table import Table, evolve, fold
from tests.bench.peers import Player

_OWNERS = tuple(f"person:{number}" for number in range(8))
# One set is played. Where a set is no whole game the next deal falls into the time of play, unless the table ends with
# the set, as here; the rules of play are the source's.
_OPTIONS: dict[str, Mapping[str, str]] = {"callbreak": {"max_sets": "1", "min_total_calls": "0", "tie": "shared"}}


def table(game: str, random: Callable[[], float]) -> Player:
    """The whole judge: every move a command of its seat to the table, decided and applied to the table's state."""
    rules = GAMES[game]
    seats = rules.seats[0]
    chosen = options.read(rules, _OPTIONS.get(game, {}))
    gives_up = rules.gives_up

    def fresh() -> Fresh:
        seed = int(random() * 2**52).to_bytes(32, "big")
        return Fresh(commitment(seed), seed)

    def deal() -> Table:
        brought = fresh()
        host, *guests = _OWNERS[:seats]
        acts: list[tuple[str, Act]] = [(host, Open(game, chosen))]
        acts += [(guest, Join()) for guest in guests]
        acts += [(host, Start(seats - 1 if rules.host_names_dealer else None))]
        state: Table | None = None
        for owner, act in acts:
            command = Command("bench-1", owner, 0, "bench", act, fresh=brought)
            state = fold("bench-1", state, decide(state, command), lambda _, sealed: sealed)
        assert state is not None
        return state

    def play(state: Table) -> int:
        moves = 0
        sets = state.sets
        brought = fresh()
        while state.phase == "playing" and state.sets == sets:
            decision = state.decisions[0]
            seat = decision.seats[0]
            if len(state.decisions) > 1 or len(decision.seats) > 1:  # a window, in which some may have answered
                seat = rules.to_act(state.set)[0].seats[0]
                decision = next(one for one in state.decisions if seat in one.seats)
            choice = _pick(legal(state, seat), gives_up, random)
            command = Command("bench-1", _OWNERS[seat], 0, "bench", Move(choice), decision=decision.id, fresh=brought)
            for fact in decide(state, command):
                state = evolve("bench-1", state, fact)
            moves += 1
        return moves

    return Player(game, deal, play)


def table_whole(game: str, random: Callable[[], float]) -> Player:
    """The same, with the opening of the table and the deal within the time of play."""
    judge = table(game, random)
    return Player(f"{game}, deals timed", lambda: None, lambda _: judge.play(judge.deal()))


def rules_alone(game: str, random: Callable[[], float]) -> Player:
    """The rules of the set alone, from a deal of the table's: `legal`, `decide`, `evolve` and no table around them."""
    rules = GAMES[game]
    gives_up, shuffles = rules.gives_up, rules.shuffles

    def play(state: Table) -> int:
        current: Any = state.set
        assert state.seed is not None
        source = Seeded(state.seed, NO_MOVES)
        brought = Brought(source=source) if rules.brings else PLAIN
        moves = 0
        while True:
            seat = rules.to_act(current)[0].seats[0]
            choice = _pick(rules.legal(current, seat), gives_up, random)
            facts = rules.decide(current, seat, choice, brought)
            moves += 1
            for fact in facts:
                if type(fact) is SetEnded:
                    return moves
                current = rules.evolve(current, fact, source if type(fact) in shuffles else None)

    return Player(f"{game}, rules alone", table(game, random).deal, play)


def _pick(choices: tuple[Any, ...], gives_up: tuple[Any, ...], random: Callable[[], float]) -> Any:
    """Any of the choices but those that give up, each as likely as the next."""
    choice = choices[int(random() * len(choices))]
    if choice in gives_up:
        others = [other for other in choices if other not in gives_up]
        return others[int(random() * len(others))]
    return choice
