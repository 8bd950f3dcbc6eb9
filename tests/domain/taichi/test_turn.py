"""TC-20 to TC-29, TC-40 to TC-42: a turn, its words, and the rescue round."""

from __future__ import annotations

import pytest

from domain import record
from domain.game import Ask
from domain.games.taichi import asking, rules
from domain.games.taichi.deck import names
from domain.games.taichi.events import CardTurned, NoWord, Passed, WordRefused, WordSaid
from tests.domain.play import PERSONS, started
from tests.domain.taichi.turns import Turns, awarded, gains

SOURCE = "S:P T:Y A:L A:Y R:Y C:L E:P"


def test_everybody_has_a_card_that_nobody_knows_and_the_dealers_neighbour_begins() -> None:
    sitting = started("taichi", seats=5, dealer=2)
    held = sitting.state.set
    assert [len(stack) for stack in held.stacks] == [1] * 5
    assert held.piled == 40
    assert held.turn == 3
    for seat in range(5):
        seen = sitting.state.rules.observe(held, seat)
        assert seen.counts == (1,) * 5
        assert not hasattr(seen, "stacks")


def test_cards_are_dealt_from_the_seat_after_the_dealer_and_the_rest_is_the_pile() -> None:
    sitting = started("taichi", seats=3, dealer=1)
    held = sitting.state.set
    assert held.pile is not None
    dealt = [held.stacks[seat][0] for seat in (2, 0, 1)]
    sitting.play(sitting.expire)
    deck = record.record(sitting.events)["sets"][0]["deck"]
    assert deck == names([*dealt, *held.pile])


def test_the_source_example_is_a_turn_of_four_words() -> None:
    turns = Turns(SOURCE)
    facts = turns.play(
        *("0 turn", "0 word south", "0 turn", "0 word site", "0 turn", "0 word satellite"),
        *("0 turn", "0 word satisfactory"),
    )
    assert facts[0] == WordSaid(0, "satisfactory", facts[0].families)
    assert [said.word for said in turns.state.words] == ["south", "site", "satellite", "satisfactory"]
    assert turns.legal(0) == ["turn", "stop"]


def test_a_card_is_turned_before_anything_is_said_and_a_word_said_before_the_next() -> None:
    turns = Turns(SOURCE)
    assert turns.legal(0) == ["turn"]
    assert turns.refused("0 word south").code == "turn_first"
    assert turns.refused("0 stop").code == "turn_first"
    assert turns.refused("0 no_word").code == "turn_first"
    assert turns.refused("1 turn").code == "not_your_turn"
    assert isinstance(turns.do("0 turn")[0], CardTurned)
    assert turns.legal(0) == ["no_word"]
    assert turns.refused("0 turn").code == "word_first"
    assert turns.refused("0 stop").clause == "TC-30"
    turns.do("0 word sun")
    assert turns.refused("0 word salt").code == "turn_or_stop"


@pytest.mark.parametrize(
    ("word", "code", "clause"),
    [
        ("table", "wrong_initial", "TC-21"),
        ("sun", "letter_missing", "TC-22"),
        ("south", "already_said", "TC-41"),
        ("southern", "same_family", "TC-41"),
        ("strzt", "not_in_dictionary", "TC-40"),
        ("satellites", "plural", "TC-40"),
    ],
)
def test_a_wrong_word_costs_nothing_and_the_reason_is_named(word: str, code: str, clause: str) -> None:
    """A word is refused, and nobody says why (lexica/lexica#207)."""
    turns = Turns(SOURCE, objections=False)
    turns.play("0 turn", "0 word south", "0 turn")
    refusal = turns.refused(f"0 word {word}")
    assert (refusal.code, refusal.clause) == (code, clause)
    assert refusal.code in rules.OPEN_REFUSALS
    turns.do("0 word site")
    assert turns.state.phase == "choose"


def test_what_a_word_is_a_form_of_is_told() -> None:
    turns = Turns("M:P", objections=False)
    turns.do("0 turn")
    assert turns.refused("0 word mice").values == {"word": "mice", "of": "mouse"}


def test_a_word_of_the_family_of_an_earlier_one_counts_in_the_next_turn() -> None:
    turns = Turns("S:P S:Y O:L", 2)
    turns.play("0 turn", "0 word south", "0 stop", "1 decline", "1 turn", "1 word southern")
    assert turns.state.phase == "choose"


@pytest.mark.parametrize(("word", "card"), [("ran", "R:P"), ("runs", "R:P"), ("paris", "P:Y")])
def test_beginners_may_take_verb_forms_and_proper_nouns(word: str, card: str) -> None:
    strict, lenient = Turns(card, objections=False), Turns(card, objections=False, lenient=True)
    strict.do("0 turn")
    strict.refused(f"0 word {word}")
    lenient.play("0 turn", f"0 word {word}")
    assert lenient.state.phase == "choose"


def test_beginners_may_take_no_plurals_and_one_family_is_one_family() -> None:
    turns = Turns("M:P", objections=False, lenient=True)
    turns.do("0 turn")
    assert turns.refused("0 word mice").code == "plural"
    turns = Turns("R:P U:Y", objections=False, lenient=True)
    turns.play("0 turn", "0 word run", "0 turn")
    assert turns.refused("0 word runs").values == {"word": "runs", "of": "run"}


def test_each_card_has_a_clock_and_a_wrong_attempt_does_not_restart_it() -> None:
    turns = Turns(SOURCE, word_seconds=180)
    first = asking.to_act(turns.state)
    turns.do("0 turn")
    word = asking.to_act(turns.state)
    assert word[0].key != first[0].key
    assert word == (Ask(word[0].key, (0,), 180),)
    turns.do("0 word satellites")  # refused, for everybody to see
    assert asking.to_act(turns.state) == word
    turns.play("0 word sun", "0 turn")
    assert asking.to_act(turns.state)[0].key not in (first[0].key, word[0].key)


def test_the_clock_turns_the_first_card_and_then_says_no_word_in_one_go() -> None:
    turns = Turns(SOURCE)
    facts = turns.expire("card")
    assert [type(fact) for fact in facts[:2]] == [CardTurned, NoWord]
    assert turns.asked() == {"rescue": (1, 2)}


def test_the_clock_stops_after_a_valid_word() -> None:
    turns = Turns(SOURCE)
    turns.play("0 turn", "0 word sun")
    turns.expire("choose")
    assert turns.asked() == {"ask": (1, 2)}


# The rescue round


def test_each_who_finds_a_word_takes_a_card_clockwise_and_the_active_player_none() -> None:
    turns = Turns("S:P T:Y A:L", 4)
    turns.play("0 turn", "0 word sun", "0 turn", "0 word salt", "0 turn", "0 no_word")
    assert turns.asked() == {"rescue": (1, 2, 3)}
    turns.play("3 word satellite", "1 pass")
    facts = turns.do("2 word star")
    assert gains(facts) == {2: ["S:P"], 3: ["T:Y"]}
    assert names(awarded(facts).cards) == ["A:L"]
    assert awarded(facts).next == turns.state.turn == 1
    assert turns.stack(2) == ["U:P", "S:P"]


def test_too_few_cards_go_to_the_earlier_seats() -> None:
    turns = Turns("S:P T:P", 4)
    turns.play("0 turn", "0 no_word", "3 word sun", "2 word salt")
    assert gains(turns.do("1 word son")) == {1: ["S:P"]}


def test_a_rescuers_word_is_gone_for_the_others_and_so_is_its_family() -> None:
    """Of two words at almost the same time only one counts, and the loser is not told why.

    Reports: stuartizon/anagrabble#24.
    """
    turns = Turns("S:P", 4, objections=False)
    turns.play("0 turn", "0 no_word", "1 word south")
    assert turns.refused("2 word south").values["seat"] == 1
    assert turns.refused("2 word southern").code == "same_family"
    assert turns.refused("1 word sun").code == "answered_already"
    assert turns.refused("0 word sun").code == "not_your_turn"


def test_the_words_of_the_turn_are_gone_too() -> None:
    turns = Turns("S:P T:P", 2)
    turns.play("0 turn", "0 word site", "0 turn", "0 no_word")
    assert turns.refused("1 word site").code == "already_said"


def test_the_clock_passes_for_those_who_say_nothing() -> None:
    turns = Turns("S:P T:P", 3)
    turns.play("0 turn", "0 no_word", "2 word sun")
    facts = turns.expire("rescue")
    assert facts[0] == Passed(1, auto=True)
    assert gains(facts) == {2: ["S:P"]}


def test_nobody_finds_a_word_and_all_is_discarded() -> None:
    turns = Turns("S:P T:P", 2)
    turns.play("0 turn", "0 no_word")
    facts = turns.do("1 pass")
    assert gains(facts) == {}
    assert names(turns.state.discards) == ["S:P"]


def test_a_refusal_that_may_be_objected_to_is_a_fact() -> None:
    turns = Turns("M:P", 3)
    turns.do("0 turn")
    (refused,) = turns.do("0 word mice")
    assert refused == WordRefused(0, "mice", "plural", "mouse", refused.families)


def test_a_whole_turn_at_a_table_is_in_the_record() -> None:
    sitting = started("taichi", "whole", seats=2, dealer=1)
    sitting.moves("turn")
    assert sitting.state.set.phase == "word"
    sitting.moves("no_word", "pass", "turn")
    lines = [sitting.state.rules.public_move(event) for event in sitting.events]
    found = [line for line in lines if line]
    assert found == ["0 turn", "0 no_word", "1 pass", "1 turn"]
    assert sitting.state.seats[0].owner == PERSONS[0]
