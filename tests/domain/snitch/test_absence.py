"""SN-70 to SN-74: clocks, who is away, who leaves."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from domain import record
from domain.audit import audit_record
from domain.commands import Leave, Return
from domain.events import Asked, Dealt, Expired, Over
from domain.game import SetEnded, Verdict
from domain.games.snitch import SNITCH, rules
from domain.games.snitch.moves import notation
from domain.games.snitch.state import ChallengeWon, Discarded, SeatGone, Stopped, Yielded, evolve
from domain.table import away
from tests.domain.play import PERSONS, Sitting, started
from tests.domain.snitch.positions import LOOSE, listed, moved, round_of, row, standing

KINGS = {1: ["7S 7H", "KC KD"]}


def _first_of(sitting: Sitting, order: Sequence[str]) -> str:
    """A legal move of whoever is asked, of the kind that comes first in `order`."""
    legal = [SNITCH.notation(move) for move in SNITCH.legal(sitting.state.set, sitting.asked())]
    return next(move for kind in order for move in legal if move.startswith(kind))


_ANGRY = ("challenge", "defend", "set", "take", "yield", "discard")


def _until_challenged(**texts: Any) -> Sitting:
    """A table in the middle of its first open challenge."""
    sitting = started("snitch", "absent", seats=3, **texts)
    return sitting.play(lambda: sitting.moves(_first_of(sitting, _ANGRY)), lambda state: state.set.target >= 0)


# The clock


def test_sn_c40_the_window_over_a_defender_with_cards_gives_up_and_draws_up_normally() -> None:
    state, _ = moved(round_of("KS 2S X1", "KH 2H X2", LOOSE, stacks=KINGS), "challenge 1 KS", "defend KH", "press 2S")
    due = rules.timeout(state, 1)
    assert notation(due) == "yield"
    assert due in rules.legal(state, 1)
    sitting = _until_challenged()
    defender = sitting.asked()
    before = sitting.state.set
    facts = sitting.expire()
    assert [type(fact) for fact in facts] == [Expired, Yielded, ChallengeWon, Asked]
    assert facts[1] == Yielded(defender, True)
    assert SNITCH.public_move(facts[1]) == f"{defender} auto yield"
    assert sitting.state.set.counts == (3, 3, 3)
    assert len(sitting.state.set.stacks[before.turn]) == len(before.stacks[before.turn]) + 1


def test_sn_c42_the_clock_of_a_turn_discards_the_card_with_the_fewest_points_and_draws() -> None:
    state = round_of("5S KD 2H", LOOSE, "4S 8H JD")
    assert notation(rules.timeout(state, 0)) == "discard 5S"
    sitting = started("snitch", "slow", seats=3)
    seat = sitting.asked()
    facts = sitting.expire()
    assert [type(fact) for fact in facts] == [Expired, Discarded, Asked]
    assert facts[1].auto
    assert facts[1].drew == 1
    assert SNITCH.public_move(facts[1]) == f"{seat} auto discard {SNITCH.card_name(facts[1].card)}"


@pytest.mark.parametrize(
    ("hand", "due"),
    [
        ("KD TS JC", "discard TS"),
        ("9S 3C 3D", "discard 3D"),
        ("AS 2S KC", "discard KC"),
        ("2C 2S X1", "discard 2S"),
        ("X3 X2 X4", "discard X2"),
        ("AC AH AD", "discard AH"),
    ],
)
def test_sn_72_fewest_points_naturals_before_wilds_then_rank_then_suit(hand: str, due: str) -> None:
    state = round_of(hand, LOOSE, "4S 8H JD")
    assert notation(rules.timeout(state, 0)) == due
    assert due in listed(state)


def test_sn_70_the_challengers_window_over_he_stops() -> None:
    state, _ = moved(round_of("KS 2S X1", "KH 2H X2", LOOSE, stacks=KINGS), "challenge 1 KS", "defend KH")
    assert notation(rules.timeout(state, 0)) == "stop"
    (ask,) = rules.to_act(state)
    assert (ask.seats, ask.seconds, ask.counts) == ((0,), 28800, False)


def test_sn_70_turns_and_windows_have_their_own_clocks() -> None:
    sitting = _until_challenged(turn_seconds="7200", defend_seconds="600")
    asked = [decision for event in sitting.events if isinstance(event, Asked) for decision in event.open]
    assert {decision.seconds for decision in asked if "." not in decision.key} == {7200}
    assert {decision.seconds for decision in asked if "." in decision.key} == {600}


def test_sn_72_a_turn_may_have_no_clock_and_the_window_still_has_one() -> None:
    sitting = _until_challenged(turn_seconds="0")
    asked = [decision for event in sitting.events if isinstance(event, Asked) for decision in event.open]
    assert {decision.seconds for decision in asked if "." not in decision.key} == {None}
    assert sitting.state.decisions[0].seconds == 28800


def test_sn_72_two_automatic_turns_in_a_row_make_a_seat_away_and_then_it_has_a_minute() -> None:
    sitting = started("snitch", "slow", seats=3)
    slow = sitting.asked()

    def step() -> None:
        if sitting.asked() == slow:
            sitting.expire()
        else:
            sitting.move(rules.timeout(sitting.state.set, sitting.asked()))

    sitting.play(step, lambda state: away(state, slow))
    expired = [event for event in sitting.events if isinstance(event, Expired)]
    assert len(expired) == 2
    assert sitting.state.set.live == (0, 1, 2)
    sitting.play(step, lambda state: sitting.asked() == slow)
    assert sitting.state.decisions[0].seconds == 60
    sitting.do(PERSONS[slow], Return())
    assert sitting.state.decisions[0].seconds == 86400


def test_sn_72_letting_windows_pass_is_no_automatic_turn() -> None:
    sitting = _until_challenged()
    defender = sitting.asked()
    facts = sitting.expire()
    assert facts[0] == Expired(facts[0].decision, (defender,), False)
    assert sitting.state.seats[defender].expiries == 0


def test_sn_72_an_away_defender_gives_up_after_a_minute() -> None:
    sitting = started("snitch", "slow", seats=3)
    slow = sitting.asked()
    peaceful = ("set", "take", "discard")
    sitting.play(lambda: sitting.moves(_first_of(sitting, peaceful)), lambda state: bool(state.set.stacks[slow]))

    def step() -> None:
        if sitting.asked() == slow:
            sitting.expire()
        elif away(sitting.state, slow):
            sitting.moves(_first_of(sitting, (f"challenge {slow}", "set", "take", "discard")))
        else:
            sitting.moves(_first_of(sitting, ("discard",)))

    sitting.play(step, lambda state: state.set.target == slow)
    (asked,) = sitting.state.decisions
    assert (asked.seats, asked.seconds) == ((slow,), 60)
    assert Yielded(slow, True) in sitting.expire()


def test_sn_72_acting_ends_being_away() -> None:
    sitting = started("snitch", "slow", seats=3)
    slow = sitting.asked()
    sitting.expire()
    assert sitting.state.seats[slow].expiries == 1
    sitting.play(lambda: sitting.move(rules.timeout(sitting.state.set, sitting.asked())), lambda _: False)
    assert sitting.state.seats[slow].expiries == 0


def test_a_table_that_everybody_forgot_ends_by_the_clock() -> None:
    sitting = started("snitch", "forgotten", seats=4)
    sitting.play(sitting.expire)
    assert sitting.state.ended == "rounds"
    assert sitting.state.totals == (0, 0, 0, 0)
    assert audit_record(record.write(record.record(sitting.events))) is None


# Leaving


def test_sn_73_hand_and_stack_are_out_of_play_and_the_turn_goes_on() -> None:
    state = round_of("9D KS 2S", LOOSE, "4S 8H JD", stacks={0: ["AS AH", "5S 5H"], **KINGS})
    facts = rules.gone(state, 0, "left")
    assert facts == (SeatGone(0),)
    after = evolve(state, facts[0])
    assert (after.turn, after.live, after.stacks[0]) == (1, (1, 2), ())
    assert after.removed == row("AS AH 5S 5H")
    assert not any(move.startswith("challenge 0") for move in listed(after))
    assert after.left == state.left
    assert (rules.legal(after, 0), rules.gone(after, 0, "left")) == ((), ())


def test_sn_73_his_row_is_empty() -> None:
    state = round_of("9D", "KS", "", stock="", stacks={0: ["AS AH"], 1: ["7S 7H"]})
    after = evolve(state, rules.gone(state, 0, "left")[0])
    _, facts = moved(after, "discard KS")
    assert facts[-1] == SetEnded("scored", (None, 10, 0))


def test_sn_73_the_last_hand_with_cards_that_leaves_ends_the_round() -> None:
    state = round_of("9D", "", "", stock="", stacks={0: ["AS AH"], 1: ["7S 7H"]})
    assert rules.gone(state, 0, "left") == (SeatGone(0), SetEnded("scored", (None, 10, 0)))


def test_sn_73_somebody_who_is_not_in_turn_leaves_and_the_turn_stays() -> None:
    state = round_of("9D KS 2S", LOOSE, "4S 8H JD")
    after = evolve(state, rules.gone(state, 2, "left")[0])
    assert (after.turn, after.turns) == (0, 10)


def test_sn_73_who_is_away_or_back_changes_nothing_in_the_round() -> None:
    state = round_of("9D KS 2S", LOOSE, "4S 8H JD")
    assert rules.gone(state, 0, "away") == rules.gone(state, 0, "returned") == ()


def test_sn_74_a_leaver_who_defends_gives_up_first() -> None:
    """Somebody leaves during the decision, and points are given twice (ajanata/PretendYoureXyzzy#33)."""
    state, _ = moved(round_of("KS 2S X1", "KH 2H X2", LOOSE, stacks=KINGS), "challenge 1 KS", "defend KH", "press 2S")
    facts = rules.gone(state, 1, "left")
    assert facts == (ChallengeWon(0, 1, row("KC KD KS KH 2S"), 2, 1), SeatGone(1))
    for fact in facts:
        state = evolve(state, fact)
    assert state.stacks == ((row("KC KD KS KH 2S"),), (), ())
    assert state.removed == row("7S 7H")
    assert (state.turn, state.target, state.live) == (2, -1, (0, 2))


def test_sn_74_a_leaver_with_an_open_challenge_of_his_own_loses_it_first() -> None:
    state, _ = moved(round_of("KS 2S X1", "KH 2H X2", LOOSE, stacks=KINGS), "challenge 1 KS")
    facts = rules.gone(state, 0, "left")
    assert facts == (ChallengeWon(1, 1, row("KC KD KS"), 1, 0), SeatGone(0))
    for fact in facts:
        state = evolve(state, fact)
    assert state.stacks == ((), (row("7S 7H"), row("KC KD KS")), ())
    assert (state.turn, state.live) == (1, (1, 2))


def test_sn_74_a_third_player_leaves_and_the_challenge_stays_open() -> None:
    state, _ = moved(round_of("KS 2S X1", "KH 2H X2", LOOSE, stacks={2: ["5S 5H"], **KINGS}), "challenge 1 KS")
    facts = rules.gone(state, 2, "left")
    assert facts == (SeatGone(2),)
    after = evolve(state, facts[0])
    assert (after.target, after.laid, after.awaits) == (1, row("KS"), 1)


def test_sn_73_two_left_play_on_and_one_left_wins() -> None:
    assert rules.too_few(standing(0, 0, 0, left=[1])) is None
    assert rules.too_few(standing(0, 0, 0, left=[1, 2])) == Verdict("last_left", (0,))
    sitting = started("snitch", "leavers", seats=3)
    sitting.do(PERSONS[0], Leave())
    assert sitting.state.phase == "playing"
    for _ in range(5):
        sitting.any_move(random.Random(1))
    sitting.do(PERSONS[2], Leave())
    assert sitting.events[-1] == Over("last_left", (1,))


def test_sn_73_who_has_left_cannot_win_and_is_not_dealt_in() -> None:
    assert rules.after_set(standing(500, 10, 30, left=[0])) == Verdict("rounds", (2,))
    assert rules.after_set(standing(1500, 10, 30, left=[0], match="points")) is None
    sitting = started("snitch", "gone", seats=4, rounds="2")
    sitting.do(PERSONS[3], Leave())
    sitting.random(random.Random(2), lambda state: state.sets == 2)
    assert next(event for event in reversed(sitting.events) if isinstance(event, Dealt)).playing == (0, 1, 2)
    assert sitting.state.rows[0].values[3] is None


def test_sn_73_who_comes_back_in_the_same_round_waits_for_the_next_deal() -> None:
    sitting = started("snitch", "back", seats=4, rounds="2")
    sitting.do(PERSONS[3], Leave())
    sitting.do(PERSONS[3], Return())
    assert sitting.state.set.live == (0, 1, 2)
    assert SNITCH.observe(sitting.state.set, 3).hand is None
    sitting.random(random.Random(2), lambda state: state.sets == 2)
    assert sitting.state.set.live == (0, 1, 2, 3)


def test_sn_73_a_round_that_all_have_left_is_abandoned_and_the_next_is_dealt_to_those_who_are_back() -> None:
    sitting = started("snitch", "all gone", seats=3)
    for person in PERSONS[:2]:
        sitting.do(person, Leave())
        sitting.do(person, Return())
    facts = sitting.do(PERSONS[2], Leave())
    assert SetEnded("abandoned", None, void=True) in facts
    assert sitting.state.rows == ()
    assert (sitting.state.sets, sitting.state.scored, sitting.state.set.live) == (2, 0, (0, 1))
    sitting.random(random.Random(3))
    assert sitting.state.ended == "rounds"
    found = record.record(sitting.events)
    assert [(one["outcome"], one["scores"] is None) for one in found["sets"]] == [
        ("abandoned", True),
        ("scored", False),
    ]
    assert audit_record(record.write(found)) is None


def test_sn_70_a_challenger_who_is_late_stops_by_the_clock() -> None:
    sitting = started("snitch", "pressing", seats=3)
    sitting.play(lambda: sitting.moves(_first_of(sitting, _ANGRY)), lambda state: len(state.set.laid) == 2)
    seat = sitting.asked()
    facts = sitting.expire()
    assert facts[1] == Stopped(seat, True)
    assert SNITCH.public_move(facts[1]) == f"{seat} auto stop"
    assert sitting.state.seats[seat].expiries == 0
