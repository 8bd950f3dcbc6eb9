"""The computer player `steady`: what it takes, keeps, sheds, and when it cuts."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from domain.cards import BIT, card_of
from domain.game import SetEnded, Setup
from domain.games.chinchon import rules
from domain.games.chinchon.moves import notation
from domain.games.chinchon.options import Options
from domain.games.chinchon.player import player
from domain.games.chinchon.state import Set, evolve, start
from domain.games.chinchon.view import observe
from domain.shuffle import Seeded
from tests.domain.chinchon.positions import LOOSE, TWO_SETS, moved, round_of
from tests.domain.play import started

OTHER = "3S 5D 7C 9H JS AH 2C"


def _does(state: Set) -> str:
    move = player("steady", observe(state, state.turn))
    assert move in rules.legal(state, state.turn)
    return notation(move)


def test_it_takes_the_card_that_makes_a_meld_and_leaves_one_that_makes_none() -> None:
    assert _does(round_of("5S 5H 9C JD KD 2S 7H", OTHER, pile="5D")) == "draw pile"
    assert _does(round_of("5S 5H 9C JD KD 2S 7H", OTHER, pile="3C")) == "draw stock"
    assert _does(round_of("5S 6S 9C JD KD 2S 8H", OTHER, pile="7S")) == "draw pile"
    assert _does(round_of("5S 5H 9C JD KD 2S 7H", OTHER, pile="")) == "draw stock"


def test_it_takes_a_small_card_for_a_dear_one_when_that_lets_it_cut() -> None:
    assert _does(round_of(f"{TWO_SETS} KD", OTHER, pile="2D")) == "draw pile"


def test_it_sheds_what_belongs_to_nothing_and_keeps_melds_pairs_and_neighbours() -> None:
    state, _ = moved(round_of("5S 5H 5D 9C 9H 2D 3D", OTHER, stock="KC"), "draw stock")
    assert _does(state) == "discard KC"
    state, _ = moved(round_of("TS JS KC KD 5H 6H 7H", OTHER, stock="9D"), "draw stock")
    assert _does(state) == "discard 9D"


def test_it_does_not_shed_what_the_next_player_is_seen_to_collect() -> None:
    state = round_of("5H 6H 7H 2C 4S 8D QD", "3S 5D 7C 9H QS QH AC", stock="JC")
    state, _ = moved(state, "draw stock")
    assert _does(state) in ("discard JC", "discard QD")
    queens = BIT[card_of("QS")] | BIT[card_of("QH")]
    warned = msgspec.structs.replace(state, known=(0, queens))
    assert _does(warned) == "discard JC"


def test_it_cuts_as_well_as_it_can() -> None:
    state, _ = moved(round_of(f"{TWO_SETS} KD", OTHER, stock="2D"), "draw stock")
    assert _does(state) == "cut KD"
    state, _ = moved(round_of("2C 3C 4C 5C 6C 7C 8C", OTHER, stock="KD"), "draw stock")
    assert _does(state) == "cut KD"


def test_it_does_not_cut_when_that_would_take_it_to_the_target() -> None:
    state, _ = moved(round_of(f"{TWO_SETS} KD", OTHER, stock="QC"), "draw stock")
    assert _does(state) == "cut KD"
    nearly = msgspec.structs.replace(state, totals=(90, 20))
    assert _does(nearly).startswith("discard")
    chinchon, _ = moved(round_of("2C 3C 4C 5C 6C 7C 8C", OTHER, stock="KD"), "draw stock")
    assert _does(msgspec.structs.replace(chinchon, totals=(99, 0))) == "cut KD"


def test_the_totals_at_the_deal_are_those_of_the_table() -> None:
    sitting = started("chinchon", "totals", seats=2, persons=0).steady(lambda state: state.sets == 2)
    assert sitting.state.set.totals == sitting.state.totals != (0, 0)


def _round(number: int, options: Options, seats: int, sensible: set[int]) -> tuple[int, ...]:
    """The scores of a round in which only the `sensible` seats are played by the computer, the others at random."""
    rng = random.Random(number)
    source = Seeded(str(number).encode(), bytes(32))
    state = start(Setup(options, seats, number % seats, 1), source)
    while True:
        seat = state.turn
        move = player("steady", observe(state, seat)) if seat in sensible else rng.choice(rules.legal(state, seat))
        assert move in rules.legal(state, seat)
        for fact in rules.decide(state, seat, move):
            if isinstance(fact, SetEnded):
                return tuple(score or 0 for score in fact.scores or (0,) * seats)
            state = evolve(state, fact, source)


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"jokers": 2, "meld_max": 7, "no_return": True},
        {"deck": "40", "cut_rule": "threshold", "cut_max": 0, "pile_history": "top_only", "reshuffle": "keep_top"},
        {"ace": "low", "ace_value": 1, "no_cut_first_lap": True, "chinchon_pays": "-25", "max_turns": 0},
    ],
)
def test_it_plays_legally_under_any_options(values: dict[str, Any]) -> None:
    """With the ace high and low, bots meld KC KD AD (ichabod801/t_games#487)."""
    for seats in (2, 3, 4):
        for number in range(3):
            _round(number, Options(**values), seats, set(range(seats)))


def test_it_beats_whoever_plays_at_random() -> None:
    mine = theirs = 0
    for number in range(12):
        one, other = _round(number, Options(), 2, {0})
        mine, theirs = mine + one, theirs + other
    assert mine + 200 < theirs


def test_a_card_of_the_hand_decides_nothing_that_is_not_seen() -> None:
    state, _ = moved(round_of(LOOSE, OTHER), "draw stock")
    elsewhere = msgspec.structs.replace(state, hands=((state.hands or ())[0], BIT[0]), stock=None)
    assert _does(state) == notation(player("steady", observe(elsewhere, 0)))
