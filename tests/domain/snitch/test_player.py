"""The computer player: sensible moves, and better than players without sense."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from domain.game import SetEnded, Setup
from domain.games.snitch import rules
from domain.games.snitch.moves import Move, notation, read
from domain.games.snitch.options import Options
from domain.games.snitch.player import player
from domain.games.snitch.state import Set, evolve, start
from domain.games.snitch.view import Observation, observe
from domain.shuffle import NO_MOVES, Seeded
from tests.domain.snitch.positions import LOOSE, moved, round_of

Player = Callable[[Observation], Move]


def _steady(seen: Observation) -> Move:
    return player("steady", seen)


def _choice(state: Set) -> str:
    return notation(_steady(observe(state, state.awaits)))


def test_he_lays_a_set_rather_than_throwing_cards_away() -> None:
    assert _choice(round_of("9D 9C 4S", "4S 8H JD", LOOSE, pile="KS")) == "set 9D 9C"


def test_he_takes_the_card_that_makes_a_set() -> None:
    assert _choice(round_of("AD 4S 6H", "4S 8H JD", LOOSE, pile="AS")) == "take AD"


def test_he_throws_away_what_is_worth_least_and_goes_with_nothing() -> None:
    assert _choice(round_of("X1 AD 4S", "4S 8H JD", LOOSE, pile="KS")).startswith("discard 4S")


def test_he_steals_a_great_set_from_an_empty_hand() -> None:
    state = round_of("KS 9D 9C", "", LOOSE, stock="", stacks={1: ["KC X1 KD X2"]})
    assert _choice(state) == "challenge 1 KS"


def test_he_defends_a_great_set_and_lets_a_small_one_go_for_a_joker() -> None:
    great, _ = moved(round_of("KS 4D 5D", "KH 4H 6D", LOOSE, stacks={1: ["KC X1 KD X2"]}), "challenge 1 KS")
    assert _choice(great) == "defend KH"
    small, _ = moved(round_of("3S 3D 5D", "X1 4H 6D", LOOSE, stacks={1: ["3C 3H"]}), "challenge 1 3S")
    assert _choice(small) == "yield"


@pytest.mark.parametrize("seats", [3, 5, 8])
def test_he_is_much_better_than_chance(seats: int) -> None:
    rng = random.Random(seats)
    ours, others = 0, 0
    for number in range(40):
        seat = number % seats
        players: list[Player] = [lambda seen: read(rng.choice(seen.legal))] * seats
        players[seat] = _steady
        scores = _round(players, number)
        ours += scores[seat]
        others += sum(scores) - scores[seat]
    assert ours > 2 * others / (seats - 1)


def _round(players: list[Player], number: int) -> tuple[int, ...]:
    """The scores of a round."""
    seats = len(players)
    state = start(Setup(Options(), seats, number % seats, 1), Seeded(str(number).encode(), NO_MOVES))
    while True:
        seat = state.awaits
        for fact in rules.decide(state, seat, players[seat](observe(state, seat))):
            if isinstance(fact, SetEnded):
                return tuple(score or 0 for score in fact.scores or ())
            state = evolve(state, fact)
