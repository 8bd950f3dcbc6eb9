"""The computer player `steady`: sensible, and blind to what a person cannot see."""

from __future__ import annotations

import random
from typing import Any

import pytest

from domain.games.chitchat import CHITCHAT, guess
from domain.games.chitchat.player import player
from domain.games.chitchat.view import observe
from domain.shuffle import NO_MOVES, Seeded
from tests.domain.chitchat.positions import at, listed
from tests.domain.play import Sitting, started


def plays(seq: str, held: str, other: str = "2H 2D 2S 3H 3D 3S", **changes: Any) -> str:
    """What he plays in a position, as seat 0 where no turn is named."""
    state = at(seq, held, other, **changes)
    move = CHITCHAT.notation(player("steady", observe(state, state.turn)))
    assert move in listed(state)
    return move


def test_he_blocks_a_point_that_would_win() -> None:
    assert plays("4H0^ AD1 3H0^", "AD 2H 5H 6S 6S", turn=1, points=("4H", "")) == "argue 5H"


def test_he_blocks_the_third_point_of_a_topic_that_cannot_be_the_others_pet() -> None:
    move = plays("4H0^ AD1 3H0^", "AD 2H 3H 6S 6S", turn=1, points=("5H 5H", ""), pets="KS KH KD")
    assert move == "argue 3H"


def test_he_threatens_when_nothing_can_block() -> None:
    move = plays("4H0^ AD1", "6H 6S 2D AS", points=("", ""), pets="KH KS KD", discards="6H")
    assert move == "argue 6H"


def test_he_wins_with_a_point_of_his_pet_topic() -> None:
    assert plays("4H0^ AD1", "6H AD AS 2S", points=("5H", ""), pets="KH KS KD", discards="6H") == "argue 6H"


def test_he_does_not_give_a_card_of_his_hand_away_for_nothing() -> None:
    assert not plays("5S", "4H 5H 6D 6D 3S 2S").startswith("change")


def test_he_takes_small_talk_up_to_clear_a_line_that_threatens_to_lose() -> None:
    move = plays("2H 6H1^ AD0 2S1", "AS AD AS 3D 3D 4S", points=("", "5H 4H"), pets="KH KS KD")
    assert move == "talk AS"


def test_he_changes_the_topic_rather_than_leave_the_other_a_winning_threat() -> None:
    move = plays("2H 6H1^", "AS AD AS 3D 3D 4S", points=("", "5H 4H"), pets="KH KS KD")
    assert move.startswith("change")


@pytest.mark.parametrize("seat", [0, 1])
def test_he_never_gives_up(seat: int) -> None:
    sitting = started("chitchat", f"never {seat}", persons=0)
    sitting.steady()
    assert sitting.state.ended in {"points", "lag"}


def _wins(games: int) -> int:
    """How many games he wins against moves at random, in either seat."""
    won = 0
    for number in range(games):
        sitting = started("chitchat", f"match {number}", persons=0)
        rng = random.Random(number)
        mine = number % 2
        while sitting.state.phase == "playing":
            if sitting.asked() == mine:
                sitting.steady_move()
            else:
                sitting.any_move(rng)
        won += sitting.state.winners == (mine,)
    return won


def test_he_beats_moves_at_random_nearly_always() -> None:
    assert _wins(40) >= 37


def test_two_of_him_mostly_end_by_points() -> None:
    ends = [started("chitchat", f"pair {number}", persons=0).steady().state.ended for number in range(30)]
    assert ends.count("points") > 15
    assert set(ends) <= {"points", "lag"}


def test_no_card_that_he_cannot_see_changes_his_move() -> None:
    sitting: Sitting = started("chitchat", "blind", persons=0)
    for number in range(60):
        state = sitting.state.set
        if sitting.state.phase != "playing":
            break
        seen = observe(state, state.turn)
        other = guess.guess(seen, Seeded(bytes([number]), NO_MOVES))
        assert player("steady", observe(other, state.turn)) == player("steady", seen)
        sitting.steady_move()
    assert sitting.state.set.moves > 20


def test_he_plays_on_when_the_discards_are_not_open() -> None:
    for number in range(5):
        sitting = started("chitchat", f"closed {number}", persons=0, open_discards="false").steady()
        assert sitting.state.ended in {"points", "lag"}
