"""CC-10, CC-11, CC-20 to CC-29: the three plays and the sequence."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain import cards
from domain.game import SetEnded
from domain.games.chitchat import rules, sequence, view
from domain.games.chitchat.moves import RESIGN, notation
from domain.games.chitchat.pack import PACK
from domain.games.chitchat.state import Argued, PointMade, Set, Talked, TopicChanged
from tests.domain.chitchat import rulebook
from tests.domain.chitchat.positions import after, at, facts_of, listed, refused, shown
from tests.domain.chitchat.positions import sequence as laid
from tests.domain.play import started


def test_cc_11_the_topic_is_the_suit_of_the_card_nearest_the_pile() -> None:
    assert sequence.topic(laid("2S 2H0 3S1^")) == cards.SUITS.index("S")


def test_cc_11_the_current_topic_card_is_the_last_of_its_suit() -> None:
    assert cards.name(sequence.current(laid("2S 5S0^ AH1 AD0"))) == "5S"


@pytest.mark.parametrize(("seq", "value"), [("5S", 5), ("5S AH0", 0), ("5S AH0 3S1^", 3), ("AS", 1)])
def test_cc_11_small_talk_counts_zero_to_beat(seq: str, value: int) -> None:
    assert sequence.beat(laid(seq)) == value


@pytest.mark.parametrize(
    ("seq", "seat"),
    [
        ("2S", None),
        ("2S 3S0^", None),
        ("2S 3S0^ AH1 4S0^", 0),
        ("2S 3S0^ 4S1^ 5S0^", None),
        ("2S 3S0^ AH1 4S0^ 5S1^", None),
        ("2S 3S0^ AH1 4S0^ AD1", None),
        ("2S 3S1^ AH0 AS1^", 1),
    ],
)
def test_cc_11_a_threat_is_two_steps_of_one_seat_the_second_of_them_last(seq: str, seat: int | None) -> None:
    assert sequence.threat(laid(seq)) == seat


def test_cc_20_all_three_kinds_are_listed_and_no_other_move() -> None:
    state = at("3S", "2H 4H 5S 6D")
    assert listed(state) == ["talk 2H", "argue 5S", "change 2H 4H", "change 4H 2H"]
    assert rules.legal(state, 0)[-1] == RESIGN
    assert rules.legal(state, 1) == ()


def test_cc_20_who_is_not_in_turn_is_refused() -> None:
    refusal = refused(at("3S", "5S"), "argue 5S", seat=1)
    assert (refusal.code, refusal.clause) == ("not_your_turn", "CC-20")


@pytest.mark.parametrize("move", ["talk 2H", "argue 6S", "change 2H 4H"])
def test_cc_20_a_card_that_is_not_held_is_refused(move: str) -> None:
    refusal = refused(at("3S", "2D 4H 5S"), move)
    assert (refusal.code, refusal.clause) == ("not_held", "CC-20")


def test_cc_21_small_talk_is_of_another_suit() -> None:
    refusal = refused(at("3S", "2S 2H"), "talk 2S")
    assert (refusal.code, refusal.clause, refusal.values) == ("on_topic", "CC-21", {"card": "2S"})


def test_cc_21_small_talk_is_no_higher_than_the_current_topic_card_not_than_the_last_card() -> None:
    state = at("5S 2H0", "5D 6D 4H", turn=1)
    assert [move for move in listed(state) if move.startswith("talk")] == ["talk 4H", "talk 5D"]
    refusal = refused(state, "talk 6D")
    assert (refusal.code, refusal.clause, refusal.values) == ("too_high", "CC-21", {"card": "6D", "top": "5S"})


def test_cc_21_on_an_ace_only_an_ace_is_small_talk() -> None:
    assert listed(at("AS", "AH 3S 2D")) == ["talk AH", "argue 3S"]


def test_cc_22_small_talk_is_laid_in_line_and_the_topic_stays() -> None:
    state = at("2S", "2H 3H")
    assert facts_of(state, "talk 2H") == (Talked(0, cards.card_of("2H")),)
    assert shown(after(state, "talk 2H").seq) == "2S 2H0"


@pytest.mark.parametrize(("card", "seq"), [("2H", "4H0 2H1"), ("4H", "4H0 4H1^"), ("5H", "4H0 5H1^")])
def test_cc_23_small_talk_of_the_suit_just_talked_is_the_new_topic(card: str, seq: str) -> None:
    state = after(at("5S AD1 4H0", f"{card} 6D", turn=1), f"talk {card}")
    assert shown(state.seq) == seq
    assert sorted(cards.name(gone) for gone in state.discards) == ["5S", "AD"]


def test_cc_23_following_compares_face_values_and_not_zero() -> None:
    (fact,) = facts_of(at("5S 4H0", "3H 6D", turn=1), "talk 3H")
    assert (fact.follows, fact.step) == (True, False)


def test_cc_23_only_the_last_card_can_be_followed() -> None:
    state = after(at("5S 4H0 2D1", "4H"), "talk 4H")
    assert shown(state.seq) == "5S 4H0 2D1 4H0"


def test_cc_24_a_follower_keeps_to_the_current_card_of_the_old_topic() -> None:
    refusal = refused(at("5S 4H0", "6H", turn=1), "talk 6H")
    assert (refusal.code, refusal.clause) == ("too_high", "CC-21")


@pytest.mark.parametrize(
    ("seq", "card", "step"),
    [
        ("5S", "3S", False),
        ("5S", "5S", True),
        ("5S", "6S", True),
        ("5S AH1", "AS", True),
        ("2S AH1 3S0^ 2H1", "AS", True),
    ],
)
def test_cc_25_an_argument_steps_when_it_is_as_high_as_the_last_card(seq: str, card: str, step: bool) -> None:
    state = at(seq, card)
    assert facts_of(state, f"argue {card}") == (Argued(0, state.hands[0][0], step),)  # type: ignore[index]


def test_cc_25_a_lower_argument_becomes_the_current_topic_card() -> None:
    state = after(at("5S", "3S"), "argue 3S")
    assert shown(state.seq) == "5S 3S0"
    assert cards.name(view.observe(state, None).current) == "3S"


def test_cc_25_a_card_of_another_suit_does_not_continue_the_argument() -> None:
    refusal = refused(at("3S", "4H"), "argue 4H")
    assert (refusal.code, refusal.clause, refusal.values) == ("off_topic", "CC-25", {"card": "4H"})


def test_cc_26_after_a_follow_both_cards_are_of_the_topic_with_their_face_value() -> None:
    seq = laid("4H0 4H1^")
    assert (sequence.topic(seq), sequence.beat(seq), sequence.threat(seq)) == (cards.SUITS.index("H"), 4, None)


@pytest.mark.parametrize(
    ("move", "seq"),
    [("change 2D 3D", "2D0 3D0^"), ("change 3D 2D", "3D0 2D0"), ("change 6D 6D", "6D0 6D0^")],
)
def test_cc_27_a_change_leaves_its_two_cards_in_the_order_chosen(move: str, seq: str) -> None:
    state = after(at("2S 2H0 3S1^", "2D 3D 6D 6D"), move)
    assert shown(state.seq) == seq
    assert sorted(cards.name(gone) for gone in state.discards) == ["2H", "2S", "3S"]


def test_cc_27_a_change_takes_two_cards_of_one_suit_that_is_not_the_topic() -> None:
    state = at("2S", "3S 4S 5D 6H")
    assert listed(state) == ["argue 3S", "argue 4S"]
    assert refused(state, "change 5D 6H").code == "not_one_suit"
    assert refused(state, "change 3S 4S").code == "topic_unchanged"


def test_cc_27_the_same_card_twice_takes_two_copies() -> None:
    assert listed(at("AS", "6D 6D")) == ["change 6D 6D"]
    refusal = refused(at("AS", "6D 5D"), "change 6D 6D")
    assert (refusal.code, refusal.values) == ("held_once", {"card": "6D"})


def test_cc_28_a_step_may_be_declined_in_the_source_but_nobody_is_asked() -> None:
    low, high = laid("2D 3D")
    assert sequence.steps_on(high.card, low.card)
    assert not sequence.steps_on(high.card, low.card, step=False)
    assert [move for move in listed(at("AS", "2D 3D")) if move.endswith("2D 3D")] == ["change 2D 3D"]


def test_cc_29_after_a_play_one_card_is_drawn_and_a_change_makes_the_hand_smaller() -> None:
    state = at("2S", "2H 2D 3D 4D 5D 6D", pile="6H 5H 4H")
    talked = after(state, "talk 2H")
    assert (talked.counts, cards.names(cards.mask(talked.hands[0]))) == (  # type: ignore[index]
        (6, 6),
        ["6H", "2D", "3D", "4D", "5D", "6D"],
    )
    changed = after(state, "change 2D 3D")
    assert (changed.counts, changed.piled) == ((5, 6), 2)
    assert after(changed, "argue 6D").counts == (5, 6)


def test_cc_6_equal_cards_are_listed_once() -> None:
    assert listed(at("3S", "2H 2H 5S 5S")) == ["talk 2H", "argue 5S", "change 2H 2H"]


@settings(max_examples=300, deadline=None)
@given(
    order=st.permutations(PACK),
    held=st.integers(1, 6),
    length=st.integers(1, 6),
)
def test_what_is_legal_agrees_with_the_rule_text(order: list[int], held: int, length: int) -> None:
    names = [cards.name(card) for card in order]
    table, hand = names[:length], names[length : length + held]
    line = " ".join([table[0], *(f"{card}{index % 2}" for index, card in enumerate(table[1:]))])
    seq = [(card, None, None) for card in table]
    state = at(line, " ".join(hand))
    assert len(listed(state)) == len(set(listed(state)))
    assert set(listed(state)) == rulebook.plays(hand, seq)  # type: ignore[arg-type]


@pytest.mark.parametrize("word", [str(number) for number in range(12)])
def test_games_go_on_as_the_rule_text_says(word: str) -> None:
    """Until the pile has run out once: sequence, hands, discards and points after every move."""
    sitting = started("chitchat", word)
    rng = random.Random(word)
    while sitting.state.phase == "playing":
        before = sitting.state.set
        if before.piled < 2:
            break
        move = rng.choice(rules.legal(before, before.turn)[:-1])
        events = sitting.move(move)
        if any(type(event) is SetEnded for event in events):
            break
        expected = rulebook.play(_written(before), before.turn, notation(move))
        ours = _written(sitting.state.set)
        assert ours.seq == expected.seq
        assert [sorted(held) for held in ours.hands] == [sorted(held) for held in expected.hands]
        assert sorted(ours.discards) == sorted(expected.discards)
        assert ours.points == expected.points
        kinds = {Talked, Argued, TopicChanged}
        assert len([event for event in events if type(event) in kinds]) == 1
        assert any(type(event) is PointMade for event in events) == (ours.points != _written(before).points)
    assert sitting.state.set.moves > 3


def _written(state: Set) -> rulebook.Position:
    assert state.hands is not None
    return rulebook.Position(
        [(cards.name(laid.card), laid.by, laid.step) for laid in state.seq],
        [_names(held) for held in state.hands],
        _names(state.pile or ()),
        _names(state.discards),
        [_names(made) for made in state.points],
    )


def _names(held: tuple[int, ...]) -> list[str]:
    return [cards.name(card) for card in held]
