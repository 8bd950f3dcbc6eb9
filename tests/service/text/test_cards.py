"""Cards as people read them."""

from __future__ import annotations

import pytest

from domain.scene import Placed, Zone
from service.text.cards import card, hand, move, row


@pytest.mark.parametrize(
    ("notation", "shown"), [("TH", "10♥"), ("AS", "A♠"), ("2C", "2♣"), ("KD", "K♦"), ("X1", "★1"), ("XX", "XX")]
)
def test_a_card_is_shown_with_its_suits_symbol(notation: str, shown: str) -> None:
    assert card(notation) == shown


def test_a_hand_has_a_wider_gap_between_its_suits() -> None:
    names = ("AS", "7S", "QH", "TH", "2D")
    zone = Zone("hand", tuple(Placed(name, 0) for name in names), 0, (0, 2, 4))
    assert hand(zone) == "A♠ 7♠  Q♥ 10♥  2♦"


def test_an_empty_hand_is_nothing() -> None:
    assert hand(Zone("hand", (), 0)) == ""
    assert row([]) == ""


@pytest.mark.parametrize(
    ("notation", "shown"),
    [
        ("discard 5H", "discard 5♥"),
        ("play QS", "Q♠"),
        ("meld 4H5HTH X17D7C", "meld 4♥5♥10♥ ★17♦7♣"),
        ("meld none", "meld none"),
        ("word satellite", "word satellite"),
    ],
)
def test_a_move_is_shown_with_its_cards(notation: str, shown: str) -> None:
    assert move(notation) == shown
