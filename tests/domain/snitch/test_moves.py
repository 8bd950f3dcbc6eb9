"""Snitch's notation, exact and as people type it."""

from __future__ import annotations

import pytest

from domain.game import Rejected
from domain.games.snitch import SNITCH
from domain.games.snitch.moves import DISCARDS, notation, parse, read
from domain.games.snitch.view import Observation, observe
from tests.domain.snitch.positions import LOOSE, moved, round_of

STACKS = {1: ["7S 7H", "KC KD"], 2: ["KH 2C"]}


def _seen(hand: str = "9D KS 2S", phase: str = "turn", pile: str = "9S") -> Observation:
    state = round_of(hand, "KH 2H 7D", LOOSE, stacks=STACKS, pile=pile)
    if phase == "turn":
        return observe(state, 0)
    state, _ = moved(round_of("KS KD X1", hand, LOOSE, stacks=STACKS), "challenge 1 KS")
    if phase == "defend":
        return observe(state, 1)
    state, _ = moved(round_of(f"KS {hand}", "KH 2H 7D", LOOSE, stacks=STACKS), "challenge 1 KS", "defend KH")
    return observe(state, 0)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("discard 9D", "discard 9D"),
        ("Throw nine of diamonds", "discard 9D"),
        ("drop king", "discard KS"),
        ("discard 10h", "discard TH"),
        ("set 2S 9D", "set 9D 2S"),
        ("set 9D+2S", "set 9D 2S"),
        ("lay 9♦ and 2♠", "set 9D 2S"),
        ("pair nine two", "set 9D 2S"),
        ("set king of spades 2 of spades", "set KS 2S"),
        ("9D 2S", "set 9D 2S"),
        ("K 2", "set KS 2S"),
        ("take 9D", "take 9D"),
        ("take the 9♦", "take 9D"),
        ("take nine", "take 9D"),
        ("challenge 1 KS", "challenge 1 KS"),
        ("challenge P2 KS", "challenge 1 KS"),
        ("challenge:P2:KS", "challenge 1 KS"),
        ("CHALLENGE KS 2", "challenge 2 KS"),
        ("attack seat 2 with the king of spades", "challenge 2 KS"),
        ("steal king 1", "challenge 1 KS"),
        ("defend KC", "defend KC"),
        ("press k♦", "press KD"),
        ("continue KD", "press KD"),
        ("give up", "yield"),
        ("give_up", "yield"),
        ("Yield", "yield"),
        ("stop", "stop"),
        ("9D 9D", "set 9D 9D"),
    ],
)
def test_what_people_type_is_read(typed: str, meant: str) -> None:
    assert notation(parse(typed, _seen())) == meant


def test_a_card_alone_answers_a_challenge() -> None:
    defending = _seen("KH 2H 7D", "defend")
    assert notation(parse("KH", defending)) == "defend KH"
    assert notation(parse("two", defending)) == "defend 2H"
    assert notation(parse("x1", _seen("KD X1", "press"))) == "press X1"
    assert notation(parse("joker", _seen("KD X3", "press"))) == "press X3"


def test_a_card_alone_in_a_turn_is_discarded_if_nothing_else_can_be_done_with_it() -> None:
    assert notation(parse("4H", _seen("4H 9D 5S"))) == "discard 4H"
    assert notation(parse("QC", _seen())) == "discard QC"
    with pytest.raises(Rejected, match="which_move") as refusal:
        parse("KS", _seen())
    assert refusal.value.kind == "ambiguous"
    assert refusal.value.values["candidates"] == ["discard KS", "set KS 2S", "challenge 1 KS", "challenge 2 KS"]


def test_a_challenge_without_a_seat_or_a_card_is_read_where_it_can_mean_one_thing() -> None:
    with pytest.raises(Rejected, match="which_move") as refusal:
        parse("challenge KS", _seen())
    assert refusal.value.values["candidates"] == ["challenge 1 KS", "challenge 2 KS"]
    with pytest.raises(Rejected, match="which_move") as refusal:
        parse("challenge 1", _seen())
    assert refusal.value.values["candidates"] == ["challenge 1 2S", "challenge 1 KS"]
    assert notation(parse("challenge 1", _seen("KS 9D 3S"))) == "challenge 1 KS"
    state = round_of("KS 9D 3S", "KH 2H 7D", LOOSE, stacks={1: ["KC KD"]})
    assert notation(parse("challenge king", observe(state, 0))) == "challenge 1 KS"
    with pytest.raises(Rejected, match="joins_no_set") as refusal:
        parse("challenge 9D", observe(state, 0))
    assert refusal.value.kind == "malformed"


def test_take_alone_is_read_where_only_one_card_goes_with_the_top_of_the_pile() -> None:
    assert notation(parse("take", _seen("9D KS 3S"))) == "take 9D"
    assert notation(parse("take 9S", _seen("9D KS 3S"))) == "take 9D"  # he names what he takes
    with pytest.raises(Rejected, match="which_move"):
        parse("take", _seen())
    with pytest.raises(Rejected, match="not_a_move"):
        parse("take", _seen("4H 5H 6H"))
    assert notation(parse("take 4C", _seen("4H 5H 6H"))) == "take 4C"  # the rules refuse it, not the reader


def test_cards_named_by_rank_alone_are_those_of_the_hand() -> None:
    assert notation(parse("set K K", _seen("KS KD 4H"))) == "set KS KD"
    assert notation(parse("set 10 ten", _seen("TS TS 4H"))) == "set TS TS"
    with pytest.raises(Rejected, match="which_card"):
        parse("discard K", _seen("KS KD 4H"))
    with pytest.raises(Rejected, match="which_move"):
        parse("set K 2", _seen("KS KD 2S"))
    with pytest.raises(Rejected, match="which_card"):
        parse("challenge 1 K", _seen("KS KD 4H"))


@pytest.mark.parametrize(
    "typed",
    [
        "",
        " ",
        "set",
        "set 5H",
        "discard",
        "discard cow",
        "challenge",
        "challenge me",
        "yield KC",
        "stop now",
        "5H 6H 7H",
    ],
)
def test_what_cannot_be_read_is_malformed(typed: str) -> None:
    with pytest.raises(Rejected) as refusal:
        parse(typed, _seen())
    assert refusal.value.kind == "malformed"
    assert refusal.value.code in ("not_a_move", "not_a_card")


@pytest.mark.parametrize(
    "text",
    [
        "discard 5h",
        "discard  5H",
        "Discard 5H",
        "challenge 8 KH",
        "challenge KH 2",
        "set 5H",
        "yield now",
        "take",
        " stop",
    ],
)
def test_only_the_exact_form_is_a_record(text: str) -> None:
    with pytest.raises(Rejected) as refusal:
        read(text)
    assert refusal.value.code in ("not_a_move", "not_a_card")


def test_a_set_is_one_move_in_whatever_order_its_cards_are_named() -> None:
    assert read("set 2S 9D") == read("set 9D 2S")
    assert notation(read("set X1 AS")) == "set AS X1"
    assert notation(read("set 5C 5H")) == "set 5H 5C"


def test_every_word_has_an_example_that_reads() -> None:
    assert {notation(read(example)) for example in SNITCH.examples.values()} == set(SNITCH.examples.values())
    assert read("discard 3S") is DISCARDS[1]
