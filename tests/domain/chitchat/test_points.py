"""CC-31 to CC-45: threats, blocks, points, and how a game ends."""

from __future__ import annotations

import itertools

import pytest

from domain import cards
from domain.game import SetEnded, Standing
from domain.games.chitchat import rules, sequence
from domain.games.chitchat.options import Options
from domain.games.chitchat.pack import CONVERSATION, VALUE
from domain.games.chitchat.state import Argued, Conceded, PointMade, Resigned, Shown, Talked, TopicChanged
from tests.domain.chitchat.positions import after, at, ended, facts_of, hand, listed, shown

THREAT = "4H0^ AD1 3H0^"
"""Seat 0 threatens with the three of hearts; the four would be its point."""


def _card(name: str) -> int:
    return cards.card_of(name)


def test_cc_31_the_second_step_in_a_row_by_argument_is_a_threat_and_no_point_yet() -> None:
    state = after(at("2H0 5H0^ 5S1", "6H AH"), "argue 6H")
    assert sequence.threat(state.seq) == 0
    assert state.points == ((), ())


@pytest.mark.parametrize("seq", ["3H 4H0^ 2S1 2D0 AS1", "3H 4H0^ 2S1", "3H 4H0^ 3H1"])
def test_cc_31_cards_in_line_of_either_seat_do_not_break_the_run(seq: str) -> None:
    assert sequence.threat(after(at(seq, "4H"), "argue 4H").seq) == 0


def test_cc_31_a_step_of_the_other_seat_breaks_the_run() -> None:
    state = after(at("3H 4H0^ 5H1^", "6H"), "argue 6H")
    assert (shown(state.seq), sequence.threat(state.seq)) == ("3H 4H0^ 5H1^ 6H0^", None)


@pytest.mark.parametrize(("seq", "move"), [("5S 4H0", "talk 4H"), ("5S 4H0", "change 4D 5D")])
def test_cc_31_a_step_by_a_new_topic_may_be_the_first_of_two_never_the_second(seq: str, move: str) -> None:
    begun = after(at(seq, "4H 4D 5D 6H", "AS AD AH 6S", turn=1), move)
    assert sequence.threat(begun.seq) is None
    talked = after(begun, "talk AS")
    suit = cards.SUITS[sequence.topic(talked.seq)]
    threatening = after(at(shown(talked.seq), f"6{suit}", turn=1), f"argue 6{suit}")
    assert sequence.threat(threatening.seq) == 1


def test_cc_31_a_step_before_and_a_step_by_a_new_topic_are_no_threat() -> None:
    state = after(at("3H 4H0^ AS1", "AS 2D 3D"), "change 2D 3D")
    assert sequence.threat(state.seq) is None


def test_cc_32_the_point_is_the_topic_card_before_the_last_whoever_laid_it() -> None:
    state = at("4H0^ 2H1 3H0^", "AD 2H", turn=1)
    assert facts_of(state, "talk AD")[0] == PointMade(0, _card("2H"))
    left = after(state, "talk AD")
    assert (shown(left.seq), left.points, left.discards) == ("3H0 AD1", ((_card("2H"),), ()), (_card("4H"),))


def test_cc_32_the_last_card_stays_alone_and_neutral_and_the_other_seat_plays_on() -> None:
    state = after(at(THREAT, "AS AH 2D", turn=1), "argue AH")
    assert shown(state.seq) == "3H0 AH1"
    assert state.turn == 0
    assert sequence.last_step(state.seq) is None


@pytest.mark.parametrize("card", ["3H", "4H", "6H"])
def test_cc_33_an_argument_as_high_as_the_last_card_blocks(card: str) -> None:
    state = at(THREAT, card, turn=1)
    assert facts_of(state, f"argue {card}") == (Argued(1, _card(card), True),)
    blocked = after(state, f"argue {card}")
    assert sequence.threat(blocked.seq) is None
    assert blocked.points == ((), ())


@pytest.mark.parametrize("move", ["talk AD", "talk AS", "argue 2H", "change 5D 6D", "change AD 6D"])
def test_cc_34_any_other_play_concedes_the_point_first(move: str) -> None:
    state = at(THREAT, "AD AS 2H 5D 6D 6H", turn=1)
    point, play = facts_of(state, move)
    assert point == PointMade(0, _card("4H"))
    assert type(play) in (Talked, Argued, TopicChanged)


def test_cc_34_a_player_who_can_block_need_not() -> None:
    state = at(THREAT, "AD 6H 5S", turn=1)
    assert listed(state) == ["talk AD", "argue 6H"]
    assert ended(state, "talk AD") is None


def test_cc_35_the_plays_are_the_same_before_and_after_the_point_is_taken() -> None:
    held = "AS 3S 2H 3H 4D 5D"
    before = at(THREAT, held, turn=1)
    assert listed(before) == listed(at(shown(sequence.alone(before.seq)), held, turn=1))


def test_cc_35_a_winning_point_that_cannot_be_blocked_ends_the_game_with_the_threat() -> None:
    state = at("4H0^ AD1", "3H 5S", "2H 6D", points=("2H", ""), pets="KH KS KD", pile="AS 2S")
    facts = facts_of(state, "argue 3H")
    assert facts[:2] == (Argued(0, _card("3H"), True), PointMade(0, _card("4H")))
    assert facts[2] == Shown(((0, hand("5S AS")), (1, hand("2H 6D"))), hand("KH") + hand("KS") + hand("KD"))
    assert facts[3] == SetEnded("points", (1, 0))


@pytest.mark.parametrize(
    ("points", "pets", "other"),
    [("2H", "KH KS KD", "2H 3H"), ("2H", "KS KH KD", "2H 6D"), ("", "KH KS KD", "2H 6D")],
)
def test_cc_35_with_a_block_or_without_a_win_the_game_waits(points: str, pets: str, other: str) -> None:
    state = at("4H0^ AD1", "3H 5S", other, points=(points, ""), pets=pets)
    assert len(facts_of(state, "argue 3H")) == 1


def test_cc_36_the_maker_of_a_point_draws_with_his_threat_and_the_other_with_his_play() -> None:
    threatening = after(at("4H0^ AD1", "3H 5S", "AH 6D AD"), "argue 3H")
    assert threatening.counts == (2, 3)
    assert after(threatening, "talk AD").counts == (2, 3)


@pytest.mark.parametrize(
    ("points", "pet", "wins"),
    [
        ("6H 2H", "KH", True),
        ("6H 2H", "KS", False),
        ("6H 2H 3H", "KS", True),
        ("6D 2D 3H", "KH", False),
        ("6D 2D 3H 4S 5S", "KH", False),
        ("6D 2D 3H 3H", "KH", True),
        ("", "KH", False),
    ],
)
def test_cc_41_two_points_of_the_pet_topic_or_three_of_another_win(points: str, pet: str, wins: bool) -> None:
    assert rules.wins(hand(points), _card(pet)) == wins


def test_cc_42_a_winning_point_leaves_the_card_that_conceded_it_in_the_hand() -> None:
    state = at(THREAT, "5H 2D 6D", turn=1, points=("2H", ""), pets="KH KS KD")
    facts = facts_of(state, "change 2D 6D")
    assert facts[:2] == (Conceded(1, "change", (_card("2D"), _card("6D"))), PointMade(0, _card("4H")))
    assert facts[-1] == SetEnded("points", (1, 0))
    over = after(state, "change 2D 6D")
    assert (shown(over.seq), over.counts, over.turn) == ("3H0", (6, 3), -1)
    assert dict(over.opened)[1] == hand("5H 2D 6D")


def test_cc_43_who_has_no_play_loses_before_he_is_asked() -> None:
    state = at("2S", "AS 6D", "2H", pile="3D")
    facts = facts_of(state, "argue AS")
    assert facts == (
        Argued(0, _card("AS")),
        Shown(((0, hand("3D 6D")), (1, hand("2H"))), (_card("KS"), _card("KD"), _card("KH"))),
        SetEnded("lag", (1, 0)),
    )


def test_cc_43_an_open_threat_is_settled_before_the_lag() -> None:
    state = at("4H0^ AD1", "AH 5S", "6D")
    facts = facts_of(state, "argue AH")
    assert facts[1] == PointMade(0, _card("4H"))
    assert facts[-1] == SetEnded("lag", (1, 0))
    assert after(state, "argue AH").points == ((_card("4H"),), ())


def test_cc_43_a_hand_that_has_become_empty_lags() -> None:
    state = at("2S", "2H", "", pile="3D")
    assert ended(state, "talk 2H") == ("lag", (1, 0))


def _stuck(size: int) -> tuple[int, int]:
    """How many hands of a size can play nothing, of all hands on all topic cards."""
    stuck = total = 0
    for card in CONVERSATION:
        for held in itertools.combinations_with_replacement(CONVERSATION, size):
            if max(held.count(one) for one in held) > 2:
                continue
            total += 1
            stuck += not rules.plays(held, card // 13, VALUE[card])
    return stuck, total


def test_cc_43_of_324_hands_of_one_card_90_are_stuck() -> None:
    assert _stuck(1) == (90, 324)


def test_cc_43_of_3078_hands_of_two_cards_165_are_stuck() -> None:
    assert _stuck(2) == (165, 3078)


def test_cc_43_no_hand_of_three_cards_is_stuck() -> None:
    stuck, total = _stuck(3)
    assert stuck == 0
    assert total > 18_000
    assert all(rules.has_play(held, 0, 1) for held in [(13, 14, 26), (0, 1, 2)])


def test_cc_44_a_point_that_wins_goes_before_the_lag_of_the_same_moment() -> None:
    state = at("4H0^ AD1", "AH 5S", "6D", points=("2H", ""), pets="KH KS KD")
    assert ended(state, "argue AH") == ("points", (1, 0))


@pytest.mark.parametrize("turn", [0, 1])
def test_cc_45_who_resigns_loses(turn: int) -> None:
    state = at("2S", turn=turn)
    facts = facts_of(state, "resign")
    assert facts[0] == Resigned(turn)
    assert facts[-1] == SetEnded("resign", (turn, 1 - turn))
    assert after(state, "resign").turn == -1


@pytest.mark.parametrize("outcome", ["points", "lag", "resign", "timeout"])
def test_a_game_is_one_set_and_its_winner_has_a_point(outcome: str) -> None:
    standing = Standing(Options(), outcome, (0, 1), (0, 1), 1, (False, False), at("2S"))
    verdict = rules.after_set(standing)
    assert (verdict.ended, verdict.winners) == (outcome, (1,))


def test_cc_3_in_a_rematch_the_loser_deals() -> None:
    state = at("2S", turn=1)
    for scores, dealer in (((0, 1), 0), ((1, 0), 1)):
        assert rules.next_deal(Standing(Options(), "lag", scores, scores, 1, (False, False), state)).dealer == dealer
    nobody = Standing(Options(), "abandoned", None, (0, 0), 1, (False, False), state)
    assert rules.next_deal(nobody).dealer == 1 - state.dealer
