"""The notation of Chinchón's moves, and what people type for them."""

from __future__ import annotations

import pytest

from domain.game import Rejected
from domain.games.chinchon import CHINCHON
from domain.games.chinchon.moves import (
    CUTS,
    DISCARDS,
    DRAW_PILE,
    DRAW_STOCK,
    LAY_BACK,
    LAY_NEXT,
    LAYS,
    NO_MELD,
    Meld,
    Move,
    notation,
    parse,
    read,
)
from domain.games.chinchon.view import observe
from tests.domain.chinchon.positions import round_of

HELD = "5H QS QD 2C 3C TS X1 KD"
OTHER = "3S 5D 7C 9H JS AH 2H"
EVERY: tuple[Move, ...] = (
    DRAW_STOCK,
    DRAW_PILE,
    LAY_NEXT,
    LAY_BACK,
    NO_MELD,
    *DISCARDS,
    *CUTS,
    *LAYS,
    *(Meld(((2, 3, 4),)), Meld(((2, 3, 4), (5, 18, 31, 44))), Meld(((2, 52, 2), (53,)))),
)


def _typed(text: str, held: str = HELD, pile: str = "3D") -> Move:
    return parse(text, observe(round_of(held, OTHER, pile=pile, drew="stock", jokers=2), 0))


def _refused(text: str, held: str = HELD, pile: str = "3D") -> Rejected:
    with pytest.raises(Rejected) as refusal:
        _typed(text, held, pile)
    return refusal.value


@pytest.mark.parametrize("move", EVERY)
def test_every_move_reads_back_from_its_notation(move: Move) -> None:
    assert read(notation(move)) == move


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "draw",
            "draw  stock",
            "Draw stock",
            "draw deck",
            "discard",
            "discard 5h",
            "discard 5H ",
            "cut",
            "cut 5H 6H",
        ),
        *("X1", "discard X3", "play 5H", "lay", "lay 5h", "lay 5H6H", "meld", "meld ", "meld 4h5h6h", "meld 4H5"),
        *("meld 4H5H6H  7S7D7C", "meld 4H5H6H, 7S7D7C", "meld X3", f"meld {'4H' * 15}", f"meld {'4H ' * 99}"),
    ],
)
def test_only_the_exact_notation_is_read(text: str) -> None:
    with pytest.raises(Rejected) as refusal:
        read(text)
    assert refusal.value.kind == "malformed"


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("stock", "draw stock"),
        ("draw from the stock", "draw stock"),
        ("take the pile", "draw pile"),
        ("PILE", "draw pile"),
        ("pot", "draw stock"),
        ("draw shack", "draw pile"),
        ("5h", "discard 5H"),
        ("5♥", "discard 5H"),
        ("ten of spades", "discard TS"),
        ("discard 10s", "discard TS"),
        ("shed king", "discard KD"),
        ("discard queen of spades", "discard QS"),
        ("cut KD", "cut KD"),
        ("cut with the king of diamonds", "cut KD"),
        ("close 5", "cut 5H"),
        ("joker", "discard X1"),
        ("cut x1", "cut X1"),
        ("discard joker 2", "discard X2"),
    ],
)
def test_people_may_write_it_in_many_ways(text: str, move: str) -> None:
    assert notation(_typed(text)) == move


def test_draw_alone_could_mean_two_things_while_the_pile_is_there() -> None:
    refusal = _refused("draw")
    assert (refusal.code, refusal.kind) == ("which_draw", "ambiguous")
    assert refusal.values["candidates"] == ["draw stock", "draw pile"]
    assert _typed("draw", pile="") == DRAW_STOCK


def test_a_rank_alone_could_mean_two_cards() -> None:
    refusal = _refused("queen")
    assert (refusal.code, refusal.kind) == ("which_card", "ambiguous")
    assert refusal.values["candidates"] == ["QS", "QD"]
    jokers = _refused("discard joker", "X1 X2 5H 6H 7H 8H 2C 3C")
    assert jokers.values["candidates"] == ["X1", "X2"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("draw 5H", "not_a_move"),
        ("", "not_a_move"),
        ("the", "not_a_move"),
        ("x" * 99, "not_a_move"),
        ("discard", "not_a_card"),
        ("cut everything", "not_a_card"),
        ("hello", "not_a_card"),
        ("lay", "not_a_card"),
        ("meld", "not_melds"),
        ("meld four fives", "not_melds"),
        ("meld 4H5H6", "not_melds"),
        ("meld , ,", "not_melds"),
        ("meld 4H5H6H nothing", "not_melds"),
    ],
)
def test_what_cannot_be_read_is_malformed(text: str, code: str) -> None:
    refusal = _refused(text)
    assert (refusal.code, refusal.kind) == (code, "malformed")


def test_each_word_of_the_notation_has_its_example() -> None:
    assert {notation(move).partition(" ")[0] for move in EVERY} == set(CHINCHON.examples)
    assert all(notation(read(example)) == example for example in CHINCHON.examples.values())


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("meld 4h5h6h 7s7d7c", "meld 4H5H6H 7S7D7C"),
        ("MELD 4♥5♥6♥  7♠7♦7♣", "meld 4H5H6H 7S7D7C"),
        ("meld 4♥ 5♥ 6♥, 7♠ 7♦ 7♣ 7♥", "meld 4H5H6H 7S7D7C7H"),
        ("show 9H10HJH | x1 qs qd", "meld 9HTHJH X1QSQD"),
        ("meld 4h 5h 6h", "meld 4H5H6H"),
        ("declare None", "meld none"),
        ("lay 10♠", "lay TS"),
        ("lay king", "lay KD"),
        ("Lay Next", "lay next"),
        ("lay back", "lay back"),
    ],
)
def test_melds_are_read_as_people_write_them(text: str, move: str) -> None:
    assert notation(_typed(text)) == move


def test_more_single_cards_than_a_meld_has_could_be_parted_in_several_ways() -> None:
    refusal = _refused("meld 4h 5h 6h 7s 7d 7c")
    assert (refusal.code, refusal.kind) == ("which_melds", "ambiguous")
