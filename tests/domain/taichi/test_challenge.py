"""TC-30 to TC-38: stopping, the challenge, and the duel."""

from __future__ import annotations

from typing import Any

import pytest

from domain.game import Ask
from domain.games.taichi import asking, rules
from domain.games.taichi.deck import card_of, names
from domain.games.taichi.events import Answered, AnswerTold, BetForfeited, Declined, DuelBegan, DuelCalled, Readied
from domain.games.taichi.state import Set
from tests.domain.taichi.turns import Turns, awarded, gains


def _stopped(seats: int = 3, pile: str = "S:P T:P E:L R:Y O:Y", **options: Any) -> Turns:
    """Seat 0 has turned S and T and stopped."""
    turns = Turns(pile, seats, **options)
    turns.play("0 turn", "0 word sun", "0 turn", "0 word site", "0 stop")
    return turns


def _duel(seats: int = 3, **options: Any) -> Turns:
    """Everybody but seat 0 has challenged, all are ready; E is the new card."""
    turns = _stopped(seats, **options)
    turns.play(*(f"{seat} challenge" for seat in range(1, seats)), *(f"{seat} ready" for seat in range(seats)))
    return turns


# Stopping


def test_all_others_with_a_card_are_asked_together() -> None:
    turns = _stopped(4)
    (ask,) = asking.to_act(turns.state)
    assert ask == Ask(ask.key, (1, 2, 3), 43200, counts=False)
    assert turns.legal(2) == ["challenge", "decline"]
    assert turns.legal(0) == []


def test_tc_c56_a_player_with_no_card_cannot_take_part() -> None:
    turns = _stopped(3, stacks={1: ""})
    assert turns.asked() == {"ask": (2,)}
    assert turns.legal(1) == []
    refusal = turns.refused("1 challenge")
    assert (refusal.code, refusal.clause) == ("nothing_to_bet", "TC-33")


def test_nobody_can_challenge_and_the_active_player_is_paid_at_once() -> None:
    turns = Turns("S:P T:P", 2, stacks={1: ""})
    turns.play("0 turn", "0 word sun")
    assert gains(turns.do("0 stop")) == {0: ["S:P"]}


def test_unchallenged_the_card_with_the_commonest_letter_is_taken_and_the_rest_discarded() -> None:
    turns = _stopped()
    turns.do("1 decline")
    facts = turns.do("2 decline")
    assert awarded(facts).why == "unchallenged"
    assert gains(facts) == {0: ["T:P"]}
    assert names(turns.state.discards) == ["S:P"]
    assert turns.state.turn == 1


def test_unchallenged_by_symbol_all_of_it_are_taken() -> None:
    turns = _stopped(unchallenged="symbol")
    assert gains(turns.play("1 decline", "2 decline")) == {0: ["S:P", "T:P"]}


def test_silence_declines() -> None:
    turns = _stopped()
    turns.do("2 decline")
    facts = turns.expire("ask")
    assert facts[0] == Declined(1, auto=True)
    assert awarded(facts).why == "unchallenged"


# The bet, and who is ready


def test_a_challenger_bets_the_card_that_he_won_last() -> None:
    turns = _stopped(3, stacks={1: "A:P M:Y"})
    turns.do("1 challenge")
    assert turns.stack(1) == ["A:P"]
    assert [(seat, *names((card,))) for seat, card in turns.state.bets] == [(1, "M:Y")]


def test_those_who_take_part_are_asked_whether_they_are_ready() -> None:
    turns = _stopped(4)
    turns.play("3 challenge", "1 decline")
    assert turns.do("2 challenge")[-1] == DuelCalled((0, 2, 3))
    assert turns.asked() == {"ready": (0, 2, 3)}
    assert asking.to_act(turns.state)[0].seconds == 7200
    assert turns.legal(3) == ["ready"]
    assert turns.refused("0 word site").code == "not_awaited"
    turns.play("2 ready", "0 ready")
    assert turns.asked() == {"ready": (3,)}
    facts = turns.do("3 ready")
    assert facts == (Readied(3), DuelBegan(card_of("E:L")))


def test_who_is_not_ready_in_time_loses_his_bet_and_the_active_player_counts_as_ready() -> None:
    turns = _stopped(4)
    turns.play("1 challenge", "2 challenge", "3 challenge", "2 ready")
    facts = turns.expire("ready")
    assert {type(fact) for fact in facts} == {Readied, BetForfeited, DuelBegan}
    assert Readied(0, auto=True) in facts
    assert [fact.seat for fact in facts if isinstance(fact, BetForfeited)] == [1, 3]
    assert turns.asked() == {"duel": (0, 2)}
    assert names(turns.state.discards) == ["U:P", "U:P"]


def test_when_no_challenger_is_ready_the_next_card_counts_all_the_same() -> None:
    turns = _stopped(2)
    turns.do("1 challenge")
    facts = turns.expire("ready")
    assert awarded(facts).why == "stood"
    assert gains(facts) == {0: ["S:P", "T:P"]}
    assert sorted(names(turns.state.discards)) == ["E:L", "U:P"]
    assert turns.stack(1) == []


# The live duel


def test_all_who_take_part_look_for_a_word_with_the_new_card() -> None:
    turns = _duel()
    assert turns.asked() == {"duel": (0, 1, 2)}
    assert rules.races(turns.state)
    assert asking.to_act(turns.state)[0].seconds == 600
    assert turns.refused("1 word salt").code == "letter_missing"
    assert turns.refused("1 word site").code == "already_said"
    assert turns.refused("1 word satellites").code == "plural"  # wrong answers do not eliminate
    assert isinstance(turns.do("1 word satellite")[0], Answered)


def test_the_lowest_message_wins_whatever_came_first() -> None:
    turns = _duel()
    turns.do("1 word state", order=105)
    assert turns.asked() == {"late": (0, 2)}
    assert asking.to_act(turns.state)[0].seconds == 3
    facts = turns.do("2 word satellite", order=103)
    assert turns.asked() == {"late": (0,)}
    facts = turns.expire("late")
    told = [fact for fact in facts if isinstance(fact, AnswerTold)]
    assert told == [AnswerTold(2, "satellite"), AnswerTold(1, "state")]
    assert awarded(facts).winner == 2


def test_two_may_give_the_same_word_in_a_duel() -> None:
    turns = _duel()
    turns.do("1 word state", order=105)
    turns.do("2 word state", order=104)
    assert awarded(turns.expire("late")).winner == 2


def test_each_answers_once() -> None:
    turns = _duel()
    turns.do("1 word state")
    assert turns.refused("1 word steel").code == "answered_already"


def test_bystanders_do_not_count() -> None:
    turns = _stopped(4)
    turns.play("1 challenge", "2 challenge", "3 decline", "0 ready", "1 ready", "2 ready")
    assert turns.refused("3 word state").code == "not_your_turn"


def test_the_challenged_player_wins_all_cards_of_a_symbol_and_the_bets_are_lost() -> None:
    turns = _duel()
    turns.play("1 pass", "0 word state")
    facts = turns.expire("late")
    assert awarded(facts).why == "stood"
    assert gains(facts) == {0: ["S:P", "T:P"]}
    assert sorted(names(turns.state.discards)) == ["E:L", "U:P", "U:P"]
    assert (turns.stack(1), turns.stack(2)) == ([], [])


def test_a_challenger_who_wins_keeps_his_bet_below_a_symbol_and_the_challenged_takes_another() -> None:
    turns = _duel(pile="S:P T:P E:L R:Y")
    turns.play("2 pass", "0 pass")
    facts = turns.do("1 word state")
    assert awarded(facts).why == "beaten"
    assert gains(facts) == {1: ["S:P", "T:P"], 0: ["E:L"]}
    assert turns.stack(1) == ["U:P", "S:P", "T:P"]
    assert names(turns.state.discards) == ["U:P"]
    assert turns.state.turn == 1


def test_nothing_is_left_for_the_challenged_where_all_cards_are_of_one_symbol() -> None:
    turns = _duel(pile="S:P T:P E:P R:Y")
    turns.play("2 pass", "0 pass")
    assert gains(turns.do("1 word state")) == {1: ["S:P", "T:P", "E:P"]}


def test_nobody_answers_and_the_challenged_wins_as_by_forfeit() -> None:
    turns = _duel()
    facts = turns.expire("duel")
    assert awarded(facts).why == "stood"
    assert [fact for fact in facts if isinstance(fact, AnswerTold)] == [AnswerTold(0, auto=True)]


def test_a_pass_is_told_only_where_somebody_passed() -> None:
    turns = _duel(4)
    turns.do("2 pass")
    facts = turns.expire("duel")
    assert [fact for fact in facts if isinstance(fact, AnswerTold)] == [AnswerTold(2)]


@pytest.mark.parametrize("order", [(1, 2, 0), (0, 1, 2), (2, 0, 1)])
def test_an_answer_hangs_on_no_other(order: tuple[int, ...]) -> None:
    """However the messages arrive, it is the same who wins."""
    turns = _duel()
    sent = {0: ("state", 12), 1: ("steel", 11), 2: ("satellite", 13)}
    for seat in order:
        word, number = sent[seat]
        turns.do(f"{seat} word {word}", order=number)
    assert turns.state.turn == 1
    assert turns.stack(1) == ["U:P", "S:P", "T:P"]


def test_a_stop_and_a_duel_leave_every_card_somewhere() -> None:
    turns = _duel()
    cards = _all(turns.state)
    turns.play("0 pass", "1 pass", "2 word state")
    assert _all(turns.state) == cards


def _all(state: Set) -> list[int]:
    bets = [card for _, card in state.bets]
    return sorted([*(state.pile or ()), *state.open, *state.discards, *sum(state.stacks, ()), *bets])
