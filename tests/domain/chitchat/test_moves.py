"""The notation of moves, and what a person may type for them."""

from __future__ import annotations

import pytest

from domain.game import Rejected
from domain.games.chitchat import CHITCHAT, view
from domain.games.chitchat.moves import parse
from tests.domain.chitchat.positions import at

SEEN = view.observe(at("4S", "2H 2D 3D 3S 5H AS"), 0)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("talk 2h", "talk 2H"),
        ("small talk 2H", "talk 2H"),
        ("Smalltalk 2♥", "talk 2H"),
        ("small_talk two of hearts", "talk 2H"),
        ("argue 3 of spades", "argue 3S"),
        ("continue 3S", "argue 3S"),
        ("continue the argument ♠3", "argue 3S"),
        ("ARGUE 1s", "argue AS"),
        ("argue one of spades", "argue AS"),
        ("change 2D 3D", "change 2D 3D"),
        ("change the topic to 3d, 2d", "change 3D 2D"),
        ("change topic 2D+3D", "change 2D 3D"),
        ("change of topic 2D then 3D", "change 2D 3D"),
        ("change two of diamonds and three of diamonds", "change 2D 3D"),
        ("change 2D3D", "change 2D 3D"),
        ("2h", "talk 2H"),
        ("2♥️", "talk 2H"),
        ("3S", "argue 3S"),
        ("  a ♠ ", "argue AS"),
        ("2D 3D", "change 2D 3D"),
        ("3d 2d", "change 3D 2D"),
        ("resign", "resign"),
        ("Give Up", "resign"),
        ("talk 6S", "talk 6S"),
    ],
)
def test_what_a_person_types_is_read(text: str, move: str) -> None:
    assert CHITCHAT.notation(parse(text, SEEN)) == move


@pytest.mark.parametrize(("text", "move"), [("5", "talk 5H"), ("argue 3", "argue 3S"), ("change 2 3", "change 2D 3D")])
def test_a_rank_alone_will_do_where_one_legal_move_is_left(text: str, move: str) -> None:
    seen = view.observe(at("5S", "2H 2D 3D 3S 5H AS"), 0)
    assert CHITCHAT.notation(parse(text, seen)) == move


def test_a_rank_alone_that_may_be_several_cards_is_ambiguous() -> None:
    with pytest.raises(Rejected) as refusal:
        parse("2", SEEN)
    assert (refusal.value.kind, refusal.value.code) == ("ambiguous", "which_card")
    assert sorted(refusal.value.values["candidates"]) == ["talk 2D", "talk 2H"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "not_a_move"),
        ("talk", "not_a_move"),
        ("change", "not_a_move"),
        ("hello there", "not_a_card"),
        ("talk 2H 3H", "not_a_card"),
        ("change 2D", "not_a_card"),
        ("change 2D 3D 4D", "not_a_card"),
        ("KH", "not_a_conversation_card"),
        ("talk 7H", "not_a_conversation_card"),
        ("argue 2C", "not_a_conversation_card"),
        ("change 2D KD", "not_a_conversation_card"),
        ("x" * 500, "not_a_move"),
    ],
)
def test_what_is_no_move_is_malformed(text: str, code: str) -> None:
    with pytest.raises(Rejected) as refusal:
        parse(text, SEEN)
    assert (refusal.value.kind, refusal.value.code) == ("malformed", code)


@pytest.mark.parametrize("text", ["talk KH", "talk 7S", "change 2D", "Talk 2H", "talk  2H", "resign ", "talk", "2H"])
def test_the_exact_form_is_exact(text: str) -> None:
    with pytest.raises(Rejected, match="not_a_move"):
        CHITCHAT.read(text)


def test_a_change_keeps_the_order_of_its_cards() -> None:
    assert CHITCHAT.read("change 2D 3D") != CHITCHAT.read("change 3D 2D")
    assert CHITCHAT.notation(CHITCHAT.read("change 3D 2D")) == "change 3D 2D"


def test_a_spectator_may_name_a_card_in_full() -> None:
    assert CHITCHAT.notation(parse("3S", view.observe(at("4S"), None))) == "argue 3S"
