"""Cards as people read them."""

from __future__ import annotations

import pytest

from domain.scene import Placed, Zone
from service.text import language, languages
from service.text.cards import FACES, LETTERS, RANKS, SUITS, card, hand, move, row

EN, FR = language("en"), language("fr")


@pytest.mark.parametrize(
    ("notation", "shown"), [("TH", "10♥"), ("AS", "A♠"), ("2C", "2♣"), ("KD", "K♦"), ("X1", "★1"), ("XX", "XX")]
)
def test_a_card_is_shown_with_its_suits_symbol(notation: str, shown: str) -> None:
    assert card(EN, notation) == shown


def test_a_hand_has_a_wider_gap_between_its_suits() -> None:
    names = ("AS", "7S", "QH", "TH", "2D")
    zone = Zone("hand", tuple(Placed(name, 0) for name in names), 0, (0, 2, 4))
    assert hand(EN, zone) == "A♠ 7♠  Q♥ 10♥  2♦"


def test_an_empty_hand_is_nothing() -> None:
    assert hand(EN, Zone("hand", (), 0)) == ""
    assert row(EN, []) == ""


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
    assert move(EN, notation) == shown


@pytest.mark.parametrize(
    ("notation", "shown"),
    [("KS", "R♠"), ("QH", "D♥"), ("JC", "V♣"), ("AD", "A♦"), ("TH", "10♥"), ("2C", "2♣"), ("X1", "★1"), ("KK", "KK")],
)
def test_a_french_reader_sees_the_letters_of_a_french_pack(notation: str, shown: str) -> None:
    assert card(FR, notation) == shown


def test_a_card_with_letters_to_make_words_of_is_no_court_card() -> None:
    """`K:P` is the letter K of Tai Chi Chuan: nobody's king."""
    assert card(FR, "K:P") == "K☂"
    assert card(FR, "J/Q:L") == "J/Q❀"


def test_hands_rows_and_moves_have_the_readers_letters() -> None:
    zone = Zone("hand", (Placed("KS", 0), Placed("JS", 0), Placed("QH", 0)), 0, (0, 2))
    assert hand(FR, zone) == "R♠ V♠  D♥"
    assert row(FR, ["JHQHKH", "TS"]) == "V♥D♥R♥ 10♠"
    assert move(FR, "play QS") == "D♠"
    assert move(FR, "challenge 2 KH") == "challenge 2 R♥"


@pytest.mark.parametrize("code", ["en", "es", "hi", "ne"])
def test_packs_with_a_k_q_j_are_shown_so(code: str) -> None:
    assert row(language(code), ["AS", "KS", "QS", "JS"]) == "A♠ K♠ Q♠ J♠"


def test_no_letter_of_a_language_stands_for_another_rank_elsewhere() -> None:
    """A move is typed as it is shown by whoever reads it, in whatever language his group is spoken to."""
    known: dict[str, str] = {rank: rank for rank in RANKS}
    for code, letters in LETTERS.items():
        assert code in languages()
        for rank, letter in letters.items():
            assert rank in RANKS
            assert len(letter) == 1
            assert letter in FACES
            assert known.setdefault(letter, rank) == rank


@pytest.mark.parametrize("code", languages())
def test_no_two_cards_look_alike(code: str) -> None:
    every = [rank + suit for rank in RANKS for suit in SUITS]
    assert len({card(language(code), one) for one in every}) == 52
