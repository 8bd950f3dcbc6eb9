"""CC-12 to CC-14: who sees what; states that fit an observation; what is shown of one."""

from __future__ import annotations

import random
from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain import cards
from domain.games.chitchat import guess, rules, view
from domain.games.chitchat.options import Options
from domain.games.chitchat.pack import PACK
from domain.games.chitchat.state import Set
from domain.shuffle import NO_MOVES, Seeded
from tests.domain.chitchat.positions import after, at, hand
from tests.domain.play import Sitting, started


@st.composite
def tables(draw: st.DrawFn) -> Sitting:
    """A table somewhere in a random game."""
    shown = draw(st.sampled_from(["true", "false"]))
    sitting = started("chitchat", str(draw(st.integers(0, 10**6))), open_discards=shown)
    rng = random.Random(draw(st.integers(0, 10**6)))
    for _ in range(draw(st.integers(0, 60))):
        if sitting.state.phase == "playing":
            sitting.any_move(rng)
    return sitting


@settings(max_examples=80, deadline=None)
@given(sitting=tables(), choice=st.integers(0, 10**6))
def test_a_guess_has_every_card_once_and_goes_on_as_the_game_did(sitting: Sitting, choice: int) -> None:
    state: Set = sitting.state.set
    for seat in (0, 1, None):
        seen = view.observe(state, seat)
        other = guess.guess(seen, Seeded(str(choice).encode(), NO_MOVES))
        assert other.hands is not None
        assert other.pets is not None
        everything = [*(other.pile or ()), *other.discards, *(laid.card for laid in other.seq)]
        everything += [card for held in (*other.hands, *other.points) for card in held]
        assert sorted(everything) == list(PACK)
        assert sorted(map(cards.name, other.pets)) == ["KD", "KH", "KS"]
        assert view.observe(other, seat) == seen
        if sitting.state.phase == "playing":
            assert not rules.ends_at_once(other)
            assert len(rules.legal(other, other.turn)) > 1
            assert not any(rules.wins(made, pet) for made, pet in zip(other.points, other.pets, strict=False))


@settings(max_examples=60, deadline=None)
@given(sitting=tables(), choice=st.integers(0, 10**6))
def test_what_is_held_for_sure_is_held(sitting: Sitting, choice: int) -> None:
    state: Set = sitting.state.set
    for seat in (0, 1):
        seen = view.observe(state, seat)
        sure = Counter(guess.held_for_sure(seen))
        assert state.hands is not None
        assert not sure - Counter(state.hands[1 - seat])
        other = guess.guess(seen, Seeded(str(choice).encode(), NO_MOVES))
        assert other.hands is not None
        assert not sure - Counter(other.hands[1 - seat])


def test_right_after_a_reshuffle_the_other_hand_is_known_to_who_counts() -> None:
    for word in range(20):
        sitting = started("chitchat", f"count {word}", persons=0)
        sitting.steady(lambda state: state.set.reshuffles == 1)
        state: Set = sitting.state.set
        if state.turn >= 0 and state.hands is not None:
            seen = view.observe(state, state.turn)
            assert guess.held_for_sure(seen) == state.hands[1 - state.turn]
            return
    raise AssertionError("twenty games without a reshuffle")


@pytest.mark.parametrize("choice", range(5))
@pytest.mark.parametrize("seat", [0, None])
def test_cc_35_who_waits_for_an_answer_to_a_winning_threat_guesses_a_block(seat: int | None, choice: int) -> None:
    used = "2S 2S 3S 3S 4S 4S 5S 5S 6S 6S AS AS 2D 2D 3D 3D 4D 4D 5D 5D 6D 6D 2H 2H 3H 3H 4H"
    state = msgspec.structs.replace(
        at("4H0^ AD1 5H0^", "6H AH", "AH AD", turn=1, pile="5H 6H", points=("4H", ""), pets="KH KS KD"),
        discards=hand(used),
    )
    other = guess.guess(view.observe(state, 0), Seeded(bytes([choice]), NO_MOVES))
    assert other.hands is not None
    assert {"5H", "6H"} & {cards.name(card) for card in other.hands[1]}


@pytest.mark.parametrize("choice", range(5))
def test_cc_35_who_is_asked_to_block_and_cannot_knows_what_the_others_pet_topic_is_not(choice: int) -> None:
    state = at("4H0^ AD1 5H0^", "AH AD", "6H 2S", turn=1, points=("4H", ""), pets="KS KD KH", discards="")
    other = guess.guess(view.observe(state, 1), Seeded(bytes([choice]), NO_MOVES))
    assert other.pets is not None
    assert cards.name(other.pets[0]) != "KH"


def test_a_hand_of_one_card_is_guessed_so_that_it_can_be_played() -> None:
    state = at("AS", "AH", "2D 3D 4D 5D", turn=1, pile="6H 6D 5H 5D 4H 4D 3H 3D 2H 2D")
    for choice in range(20):
        other = guess.guess(view.observe(state, 0), Seeded(bytes([choice]), NO_MOVES))
        assert len(rules.legal(other, 1)) > 1


def test_cc_12_a_seat_sees_its_own_hand_and_king_and_of_the_other_only_sizes() -> None:
    sitting = started("chitchat", "sees")
    state: Set = sitting.state.set
    assert state.hands is not None
    assert state.pets is not None
    for seat in (0, 1):
        seen = view.observe(state, seat)
        assert (seen.hand, seen.pet) == (state.hands[seat], state.pets[seat])
        assert (seen.counts, seen.piled, seen.kings, seen.opened) == ((6, 6), 23, (), ())


def test_cc_14_a_spectator_sees_no_hand_no_king_and_no_hints() -> None:
    seen = view.observe(started("chitchat").state.set, None)
    assert (seen.hand, seen.pet, seen.legal) == (None, None, ())
    scene = view.scene(seen)
    assert {zone.name for zone in scene.zones} == {"sequence"}
    assert scene.choices == ()


def test_cc_14_hints_are_for_the_player_in_turn_alone() -> None:
    state: Set = started("chitchat").state.set
    assert [bool(view.observe(state, seat).legal) for seat in (0, 1)] == [state.turn == 0, state.turn == 1]


def test_cc_13_discards_are_listed_or_only_counted() -> None:
    state = at("2S", "2D 3D", discards="4H 5H")
    seen = view.observe(state, 1)
    assert (seen.discards, seen.discarded) == (state.discards, 2)
    assert [zone.name for zone in view.scene(seen).zones if zone.name == "discards"] == ["discards"]
    closed = view.observe(msgspec.structs.replace(state, options=Options(open_discards=False)), 1)
    assert (closed.discards, closed.pool, closed.discarded) == (None, None, 2)
    assert "discards" not in {zone.name for zone in view.scene(closed).zones}


def test_cc_14_at_the_end_both_hands_and_all_three_kings_are_shown_to_all() -> None:
    state = after(at("2S", "2D 3D", "4H 5H"), "resign")
    for seat in (0, 1, None):
        seen = view.observe(state, seat)
        assert seen.opened == ((0, hand("2D 3D")), (1, hand("4H 5H")))
        assert list(map(cards.name, seen.kings)) == ["KS", "KD", "KH"]
        zones = [(zone.name, zone.owner) for zone in view.scene(seen).zones]
        assert zones == [("sequence", None), ("opened", 0), ("opened", 1), ("pet", 0), ("pet", 1), ("aside", None)]


def test_the_scene_has_the_line_with_its_steps_and_the_facts_of_the_conversation() -> None:
    state = at("2S 2H0 3S1^", "4S 5H", points=("6H", ""), discards="4D")
    scene = view.scene(view.observe(state, 0))
    line = scene.zones[0]
    assert (line.name, line.shape) == ("sequence", "line")
    assert [(card.card, card.by, card.step) for card in line.cards] == [
        ("2S", None, None),
        ("2H", 0, None),
        ("3S", 1, 1),
    ]
    facts = {fact.name: fact.value for fact in scene.facts}
    assert facts == {"topic": "S", "current": "3S", "beat": 3, "pile": 9, "discarded": 1, "dealer": 1}
    assert [[(fact.name, fact.value) for fact in seat] for seat in scene.seats] == [
        [("cards", 2), ("points", 1)],
        [("cards", 6), ("points", 0)],
    ]
    private = {zone.name for zone in scene.zones if zone.private}
    assert private == {"pet", "hand"}
    assert {zone.name: zone.owner for zone in scene.zones} == {
        "sequence": None,
        "points": 0,
        "discards": None,
        "pet": 0,
        "hand": 0,
    }


def test_an_open_threat_is_a_fact_and_the_question_is_to_block() -> None:
    scene = view.scene(view.observe(at("4H0^ AD1 3H0^", "AS 2H 3H", turn=1), 1))
    assert {fact.name: fact.value for fact in scene.facts}["threat"] == 0
    assert scene.prompt == "block"
    assert view.scene(view.observe(at("4H0^ AD1"), 0)).prompt == "talk"


def test_the_choices_say_what_they_do() -> None:
    scene = view.scene(view.observe(at("5S 4S0^ 4H1", "AS 4H 5D 6D 4H"), 0))
    found = {choice.move: (choice.kind, choice.value, choice.note) for choice in scene.choices}
    assert found == {
        "talk 4H": ("talk", "4H", "topic"),
        "argue AS": ("argue", "AS", "threat"),
        "change 4H 4H": ("change", "4H 4H", "step"),
        "change 5D 6D": ("change", "5D 6D", "step"),
        "change 6D 5D": ("change", "6D 5D", ""),
    }
    blocking = view.scene(view.observe(at("4H0^ AD1 3H0^", "AD 2H 3H", turn=1), 1))
    assert {choice.move: choice.note for choice in blocking.choices} == {
        "talk AD": "",
        "argue 2H": "",
        "argue 3H": "block",
    }


def test_a_hand_is_sorted_by_topics_high_cards_first_the_ace_last() -> None:
    row, groups = view.suited(hand("AS 2S 6H AH 3D"))
    assert [cards.name(card) for card in row] == ["6H", "AH", "2S", "AS", "3D"]
    assert groups == (0, 2, 4)
    assert view.suited(()) == ((), ())
