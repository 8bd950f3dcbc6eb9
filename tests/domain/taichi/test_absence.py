"""TC-70, TC-71: clocks that run out, who is away, who leaves."""

from __future__ import annotations

from domain import record
from domain.audit import audit_record
from domain.audit_history import Commit, audit_history
from domain.commands import Leave, Return
from domain.events import Expired
from domain.game import SetEnded
from domain.games.taichi import asking
from domain.games.taichi.deck import names
from domain.games.taichi.events import AnswerTold, BetForfeited, BetsReturned, NoWord, SeatBack, SeatGone, TurnSkipped
from domain.games.taichi.moves import read
from tests.domain.play import Sitting, started
from tests.domain.taichi.turns import Turns, awarded, gains

PILE = "S:P T:P E:L R:Y O:Y"


def _stopped(seats: int = 4) -> Turns:
    turns = Turns(PILE, seats)
    turns.play("0 turn", "0 word sun", "0 turn", "0 word site", "0 stop")
    return turns


# Away


def _silent_round(sitting: Sitting) -> None:
    """The others find no word; of seat 0 nothing is heard, unless nobody waits for it."""
    while sitting.state.set.phase == "rescue":
        there = [seat for seat in (1, 2) if asking.legal(sitting.state.set, seat)]
        if there:
            sitting.move(read("pass"), there[0])
        else:
            sitting.expire()


def _away() -> Sitting:
    """Three seats: seat 0 has let two turns of his own end by the clock; nobody finds a word."""
    sitting = started("taichi", "away", seats=3, dealer=2)
    sitting.expire()
    _silent_round(sitting)
    while sitting.state.set.turn != 0:
        sitting.moves("turn", "no_word")
        _silent_round(sitting)
    sitting.expire()
    _silent_round(sitting)
    return sitting


def test_two_own_turns_running_that_the_clock_ended_make_a_seat_away() -> None:
    sitting = started("taichi", "away", seats=3, dealer=2)
    happened = sitting.expire()
    assert isinstance(happened[0], Expired)
    assert [seat.expiries for seat in sitting.state.seats] == [1, 0, 0]
    assert not any(isinstance(event, SeatGone) for event in happened)
    sitting = _away()
    assert sitting.state.set.away == (0,)


def test_any_move_in_between_starts_the_count_anew() -> None:
    sitting = started("taichi", "away", seats=3, dealer=2)
    sitting.expire()
    sitting.moves("pass", "pass", "turn", "no_word")
    sitting.move(read("pass"), 0)
    assert [seat.expiries for seat in sitting.state.seats] == [0, 0, 0]


def test_the_turns_of_who_is_away_are_skipped_without_a_card() -> None:
    sitting = _away()
    turns = [sitting.state.set.turn]
    for _ in range(4):
        sitting.moves("turn", "no_word")
        _silent_round(sitting)
        turns.append(sitting.state.set.turn)
    assert turns == [1, 2, 1, 2, 1]


def test_who_is_away_may_give_a_word_in_a_rescue_round_and_nobody_waits_for_it() -> None:
    turns = Turns(PILE, 3)
    turns.gone(1, "away")
    turns.play("0 turn", "0 no_word")
    assert turns.asked() == {"rescue": (1, 2)}
    assert gains(turns.do("2 word sun")) == {2: ["S:P"]}


def test_who_is_away_is_not_asked_in_challenges() -> None:
    turns = Turns(PILE, 3)
    turns.gone(1, "away")
    turns.play("0 turn", "0 word sun", "0 stop")
    assert turns.asked() == {"ask": (2,)}


def test_any_move_brings_back_who_is_away() -> None:
    sitting = _away()
    sitting.moves("turn", "no_word")
    happened = sitting.move(read("pass"), 0)
    assert SeatBack(0) in happened
    assert sitting.state.set.away == ()


def test_everybody_away_and_the_game_is_abandoned() -> None:
    sitting = started("taichi", "nobody", seats=2)
    sitting.play(sitting.expire)
    assert sitting.state.ended == "abandoned"
    assert sitting.state.winners == ()
    found = record.record(sitting.events)
    assert found["sets"][0]["scores"] is None
    assert {"away": 0} in found["sets"][0]["moves"]
    assert audit_record(record.write(found)) is None


def test_a_seat_that_comes_back_by_command_takes_its_next_turn() -> None:
    sitting = _away()
    sitting.do(sitting.state.seats[0].owner, Return(), 0)
    sitting.moves("turn", "no_word", "pass", "pass", "turn", "no_word", "pass", "pass")
    assert sitting.state.set.turn == 0


# Leaving


def test_the_cards_of_whoever_leaves_are_out_of_play() -> None:
    turns = Turns(PILE, 3)
    assert turns.gone(2) == (SeatGone(2, "left"),)
    assert turns.stack(2) == []
    assert names(turns.state.out) == ["U:P"]
    assert turns.state.discards == ()


def test_leaving_before_a_card_is_turned_passes_the_turn_on() -> None:
    turns = Turns(PILE, 3)
    assert turns.gone(0) == (SeatGone(0, "left"), TurnSkipped(1))
    assert turns.asked() == {"card": (1,)}


def test_leaving_in_mid_turn_begins_a_rescue_round() -> None:
    turns = Turns(PILE, 3)
    turns.play("0 turn", "0 word sun")
    facts = turns.gone(0)
    assert facts == (SeatGone(0, "left"), NoWord(0, left=True))
    assert asking.to_act(turns.state)[0].seats == (1, 2)
    turns.do("1 word site")
    assert turns.refused("2 word sun").code == "already_said"
    assert gains(turns.do("2 pass")) == {1: ["S:P"]}
    assert turns.state.turn == 1


def test_leaving_after_a_stop_returns_the_bets_and_begins_a_rescue_round() -> None:
    turns = _stopped(3)
    turns.do("1 challenge")
    facts = turns.gone(0)
    assert [type(fact) for fact in facts] == [BetsReturned, SeatGone, NoWord]
    assert turns.stack(1) == ["U:P"]
    assert turns.asked() == {"rescue": (1, 2)}


def test_a_challenger_who_leaves_loses_his_bet() -> None:
    turns = _stopped()
    turns.play("1 challenge", "2 challenge", "3 challenge")
    facts = turns.gone(2)
    assert isinstance(facts[0], BetForfeited)
    assert names(turns.state.discards) == ["U:P"]
    assert turns.asked() == {"ready": (0, 1, 3)}


def test_no_challenger_is_left_and_the_challenged_wins() -> None:
    turns = _stopped()
    turns.play("1 challenge", "2 decline", "3 decline", "0 ready", "1 ready", "0 word state")
    facts = turns.gone(1)
    assert awarded(facts).why == "stood"
    assert not any(isinstance(fact, AnswerTold) for fact in facts)


def test_the_challenged_leaves_and_the_challenge_goes_on_without_him() -> None:
    turns = _stopped()
    turns.play("1 challenge", "2 challenge", "3 decline", "0 ready", "1 ready", "2 ready")
    turns.gone(0)
    assert turns.asked() == {"duel": (1, 2)}
    turns.do("1 pass")
    facts = turns.do("2 word state")
    assert gains(facts) == {2: ["S:P", "T:P"]}
    assert turns.state.turn == 1


def test_the_challenged_leaves_and_nobody_finds_a_word() -> None:
    turns = _stopped()
    turns.play("1 challenge", "2 decline", "3 decline", "0 ready", "1 ready")
    turns.gone(0)
    facts = turns.do("1 pass")
    assert awarded(facts).why == "nobody"
    assert sorted(names(turns.state.discards)) == ["E:L", "S:P", "T:P", "U:P"]


def test_who_comes_back_has_no_cards_and_takes_his_turns() -> None:
    turns = Turns(PILE, 3)
    turns.gone(2)
    assert turns.gone(2, "returned") == (SeatBack(2),)
    assert turns.stack(2) == []
    turns.play("0 turn", "0 no_word", "1 pass")
    assert turns.asked() == {"rescue": (2,)}


def test_a_window_that_is_open_stays_without_who_comes_back() -> None:
    turns = _stopped(3)
    turns.gone(1)
    turns.gone(1, "returned")
    assert turns.asked() == {"ask": (2,)}


def test_one_player_left_has_won() -> None:
    sitting = started("taichi", "one left", seats=3, dealer=0)
    sitting.moves("turn")
    sitting.do(sitting.state.seats[1].owner, Leave(), 1)
    assert sitting.state.phase == "playing"
    sitting.do(sitting.state.seats[0].owner, Leave(), 0)
    assert (sitting.state.ended, sitting.state.winners) == ("last_left", (2,))
    assert audit_history([Commit(one.time, one.actor, one.events) for one in sitting.commits]) is None


def test_who_has_left_has_no_score() -> None:
    turns = Turns("S:P", 3, deck=2)
    turns.gone(1)
    turns.play("0 turn", "0 word sun")
    assert turns.ended == SetEnded("played_out", (2, None, 1))
