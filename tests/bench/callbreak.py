"""How Call Break plays at random in the bench: by the code that judges real games, in the loop that the peers get."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.commands import Act, Command, Fresh, Join, Move, Open, Start
from domain.decide import decide, legal
from domain.game import PLAIN, SetEnded
from domain.games.callbreak import CALLBREAK
from domain.games.callbreak.options import Options
from domain.shuffle import commitment
from domain.table import Table, evolve, fold
from tests.bench.peers import Player

_OWNERS = tuple(f"person:{number}" for number in range(4))
# One set a table, so that no deal falls into the time of play; the rules of play are the source's.
_OPTIONS = Options(hidden_call_test="off", max_sets=1, min_total_calls=0, tie="shared")


def table(random: Callable[[], float]) -> Player:
    """The whole judge: every move a command of its seat to the table, decided and applied to the table's state."""

    def deal() -> Table:
        seed = int(random() * 2**52).to_bytes(32, "big")
        fresh = Fresh(commitment(seed), seed)
        host, *guests = _OWNERS
        acts: list[tuple[str, Act]] = [(host, Open("callbreak", _OPTIONS))]
        acts += [(guest, Join()) for guest in guests]
        acts += [(host, Start(dealer=3))]
        state: Table | None = None
        for owner, act in acts:
            command = Command("bench-1", owner, 0, "bench", act, fresh=fresh)
            state = fold("bench-1", state, decide(state, command), lambda _, sealed: sealed)
        assert state is not None
        return state

    def play(state: Table) -> int:
        moves = 0
        while state.phase == "playing":
            decision = state.decisions[0]
            seat = decision.seats[0]
            choices = legal(state, seat)
            choice = choices[int(random() * len(choices))]
            command = Command("bench-1", _OWNERS[seat], 0, "bench", Move(choice), decision=decision.id)
            for fact in decide(state, command):
                state = evolve("bench-1", state, fact)
            moves += 1
        return moves

    return Player("Call Break", deal, play)


def table_whole(random: Callable[[], float]) -> Player:
    """The same, with the opening of the table and the deal within the time of play."""
    judge = table(random)
    return Player("Call Break, deals timed", lambda: None, lambda _: judge.play(judge.deal()))


def rules(random: Callable[[], float]) -> Player:
    """The rules of the set alone, from a deal of the table's: `legal`, `decide`, `evolve` and no table around them."""
    dealt = table(random).deal

    def play(state: Table) -> int:
        current: Any = state.set
        moves = 0
        while True:
            seat = current.turn
            choices = CALLBREAK.legal(current, seat)
            facts = CALLBREAK.decide(current, seat, choices[int(random() * len(choices))], PLAIN)
            moves += 1
            for fact in facts:
                if type(fact) is SetEnded:
                    return moves
                current = CALLBREAK.evolve(current, fact, None)

    return Player("Call Break, rules alone", dealt, play)
