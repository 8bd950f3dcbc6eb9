"""The computer player `steady`: what he calls, leads and follows with, and that he makes most of his calls."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from domain import cards
from domain.games.callbreak import CALLBREAK, rules
from domain.games.callbreak.moves import notation
from domain.games.callbreak.player import player, worth
from domain.games.callbreak.state import Set
from domain.games.callbreak.view import observe
from tests.domain.callbreak.positions import chosen, hand, trick_of
from tests.domain.play import started

# A hand with three certain tricks and little else.
PLAIN = "AS 4S 2S AH 7H 5H 3H AD 9D 6D TC 8C 4C"
# One without a card that counts.
POOR = "5S 2S 9H 7H 5H 3H 9D 8D 6D 4D TC 8C 4C"


def calls(held: str, *earlier: int, trump: int = 0, **values: Any) -> int:
    """What he calls with a hand after the `earlier` calls, seat 3 being the dealer."""
    seat = len(earlier)
    hands = [0, 0, 0, 0]
    hands[seat] = hand(held)
    state = Set(
        chosen(**values),
        3,
        trump,
        seat,
        0,
        hands=(hands[0], hands[1], hands[2], hands[3]),
        calls=(*earlier, *[0] * (4 - seat)),
        called=seat,
    )
    return int(notation(player("steady", observe(state, seat))).split()[1])


def plays(held: str, played: str = "", **values: Any) -> str:
    state, seat = trick_of(held, played, **values)
    return notation(player("steady", observe(state, seat))).removeprefix("play ")


@pytest.mark.parametrize(
    ("held", "number"),
    [
        (PLAIN, 3),
        (POOR, 1),
        ("AS KS QS JS 3S AH KH 2H AD KD 4D 3C 2C", 7),
        ("AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S", 13),
        ("7S 6S 5S 4S 3S AH KH QH 9D 8D 7D 4C 3C", 4),
    ],
)
def test_he_calls_what_his_hand_is_worth(held: str, number: int) -> None:
    assert calls(held) == number


def test_the_trumps_count_whatever_their_suit() -> None:
    swapped = PLAIN.translate(str.maketrans("SH", "HS"))
    assert worth(hand(PLAIN), 0) == worth(hand(swapped), 1)
    assert calls(swapped, trump=1) == calls(PLAIN)


def test_he_keeps_to_the_numbers_that_may_be_called() -> None:
    assert calls(POOR, min_call=2) == 2
    assert calls("AS KS QS JS TS 9S 8S AH KH 2H AD KD 3C", max_call=8) == 8


def test_the_dealer_calls_one_more_where_the_set_would_not_be_played_without_it() -> None:
    assert calls(PLAIN, 2, 2, 2) == 3
    assert calls(PLAIN, 2, 2, 1) == 4
    assert calls(POOR, 2, 2, 3) == 2


def test_a_dealer_whose_call_voids_the_set_calls_no_less_than_is_expected_of_him() -> None:
    held = "5S 4S 3S 2S AH KH QH 9H 8H 7H 6H 2D 3C"
    assert calls(held, 1, 1, 1) == rules.estimate(hand(held), 0) == 6
    assert calls(held, 4, 4, 4) == 4


def test_he_leads_what_nobody_can_beat_and_keeps_the_trumps_for_later() -> None:
    assert plays("AS 3S AH 2H 5C") == "AH"


@pytest.mark.parametrize("called", [1, 5])
def test_he_takes_sure_tricks_also_when_his_call_is_made(called: int) -> None:
    assert plays("3S AD 4C 2H", calls=(called, 3, 3, 3)) == "AD"


def test_without_a_sure_trick_he_leads_his_lowest_plain_card() -> None:
    assert plays("QS KH 7H 4C 5D") == "4C"


def test_last_in_hand_he_takes_the_trick_as_cheaply_as_will_do() -> None:
    assert plays("AH QH JH 2C", "9H 4H TH") == "JH"


def test_he_ruffs_with_his_lowest_trump_and_gives_low_cards_away() -> None:
    assert plays("KS 4S 2S AD", "AH 2H") == "2S"
    assert plays("KD 3D 9C", "AH 2H") == "3D"
    assert plays("KH 3H 9C", "2H 4S") == "3H"


def test_four_of_him_make_most_of_their_calls_and_hardly_ever_void_a_set() -> None:
    sets = []
    for word in ("one", "two", "three", "four"):
        sitting = started(word=f"steady {word}", persons=0, target="0", max_sets="25")
        while sitting.state.phase == "playing":
            before = sitting.state
            ended = [event for event in sitting.steady_move() if type(event).__name__ == "SetEnded"]
            sets += [(before.set.calls, event) for event in ended]
    scored = [event.scores for _, event in sets if event.outcome == "scored"]
    made = [score > 0 for scores in scored for score in scores]
    assert len(scored) == 100
    assert sum(made) / len(made) > 0.8
    assert sum(event.outcome == "low_calls" for _, event in sets) <= 3


def test_no_card_that_he_cannot_see_changes_his_move() -> None:
    rng = random.Random(7)
    sitting = started(word="blind", persons=0)
    for _ in range(120):
        state = sitting.state.set
        seat = sitting.asked()
        others = [card for index in range(4) if index != seat for card in cards.cards(state.hands[index])]
        rng.shuffle(others)
        dealt = [
            held if index == seat else cards.mask([others.pop() for _ in range(held.bit_count())])
            for index, held in enumerate(state.hands)
        ]
        other = msgspec.structs.replace(state, hands=tuple(dealt))
        move = player("steady", observe(state, seat))
        assert player("steady", observe(other, seat)) == move
        assert CALLBREAK.notation(move) in observe(state, seat).legal
        sitting.move(move, seat)
