"""CC-45, CC-61 to CC-64: the clock, silence, leaving, giving up."""

from __future__ import annotations

import random

import pytest

from domain import cards, record, table
from domain.audit import audit_record
from domain.audit_history import Commit, audit_history
from domain.commands import Leave, Move, Return
from domain.decide import legal
from domain.events import Expired, Left, Over, RowWritten, SeedRevealed
from domain.game import Rejected, SetEnded
from domain.games.chitchat import CHITCHAT, rules
from domain.games.chitchat.moves import RESIGN
from domain.games.chitchat.state import Resigned, Shown
from tests.domain.chitchat.positions import after, at, ended
from tests.domain.play import PERSONS, Sitting, started

DAY = 86_400_000


def _judge(sitting: Sitting) -> list[str | dict[str, int]]:
    """The moves of the last set, of a history and a record that are found to be right."""
    history = [Commit(commit.time, commit.actor, commit.events) for commit in sitting.commits]
    assert audit_history(history) is None
    document = record.record(sitting.events)
    assert audit_record(record.write(document)) is None
    moves: list[str | dict[str, int]] = document["sets"][-1]["moves"]
    return moves


def test_cc_61_one_question_is_open_and_names_its_move() -> None:
    sitting = started("chitchat")
    (ask,) = CHITCHAT.to_act(sitting.state.set)
    assert (ask.key, ask.seats, ask.seconds) == ("0", (sitting.state.set.turn,), 86400)
    sitting.steady_move()
    (ask,) = CHITCHAT.to_act(sitting.state.set)
    assert (ask.key, ask.seats) == ("1", (sitting.state.set.turn,))


@pytest.mark.parametrize(("seconds", "wait"), [("86400", DAY), ("3600", 3_600_000), ("259200", 3 * DAY)])
def test_cc_62_a_move_has_its_time(seconds: str, wait: int) -> None:
    sitting = started("chitchat", turn_seconds=seconds)
    (decision,) = sitting.state.decisions
    assert table.deadline(sitting.state, decision) == sitting.time + wait


def test_cc_62_who_lets_the_time_run_out_loses() -> None:
    sitting = started("chitchat")
    seat = sitting.asked()
    events = sitting.expire()
    scores = (1, 0) if seat == 1 else (0, 1)
    assert isinstance(events[0], Expired)
    assert events[1] == Resigned(seat, True)
    assert isinstance(events[2], Shown)
    assert events[3:5] == (SetEnded("timeout", scores), RowWritten(0, scores))
    assert isinstance(events[5], SeedRevealed)
    assert events[6] == Over("timeout", (1 - seat,))
    assert _judge(sitting) == [f"{seat} auto resign"]


@pytest.mark.parametrize(
    ("seq", "held", "move"),
    [
        ("5S", "6S 4D 4H 5D", "talk 4H"),
        ("3S", "2S 2D 5H", "talk 2D"),
        ("AS", "6S 3S 5D 5H", "argue 3S"),
        ("AS", "6D 3D 4H 3H", "change 3H 4H"),
        ("AS", "6D 3D 6H 3H", "change 3H 6H"),
        ("AH", "6D 3D 6S 3S", "change 3D 6D"),
        ("AS", "6D 6D", "change 6D 6D"),
    ],
)
def test_cc_62_autoplay_makes_the_least_play(seq: str, held: str, move: str) -> None:
    state = at(seq, held, on_timeout="autoplay")
    assert CHITCHAT.notation(rules.timeout(state, 0)) == move


def test_cc_62_the_third_time_in_a_row_loses_also_with_autoplay() -> None:
    state = at("5S", silent=(2, 0), on_timeout="autoplay")
    assert rules.timeout(state, 0) == RESIGN
    assert ended(state, "resign", auto=True) == ("timeout", (0, 1))
    assert rules.timeout(at("5S", silent=(1, 2), on_timeout="autoplay"), 0) != RESIGN


def test_cc_62_a_move_of_his_own_forgets_the_silence() -> None:
    state = after(at("5S", "4H 3H 2H", silent=(2, 1)), "talk 4H")
    assert state.silent == (0, 1)
    state = after(at("5S", "4H 3H 2H", silent=(1, 1)), "talk 4H", auto=True)
    assert state.silent == (2, 1)


def test_cc_62_three_silent_turns_in_a_row_in_a_real_game() -> None:
    sitting = started("chitchat", "silent", on_timeout="autoplay")
    seat = sitting.asked()
    for _ in range(2):
        sitting.expire()
        assert sitting.state.phase == "playing"
        sitting.steady_move()
        assert sitting.asked() == seat
    sitting.expire()
    assert (sitting.state.ended, sitting.state.winners) == ("timeout", (1 - seat,))
    moves = _judge(sitting)
    assert [move for move in moves if isinstance(move, str) and " auto " in move][-1] == f"{seat} auto resign"
    assert len(moves) == 5


def test_cc_63_leaving_is_giving_up_whoever_is_in_turn() -> None:
    for offset in (0, 1):
        sitting = started("chitchat", f"leaves {offset}")
        sitting.steady_move()
        seat = sitting.asked() ^ offset
        events = sitting.do(PERSONS[seat], Leave())
        assert events[0] == Left(seat)
        assert isinstance(events[1], Shown)
        assert events[-1] == Over("resign", (1 - seat,))
        assert _judge(sitting)[-1] == {"left": seat}


def test_cc_63_both_silent_for_two_clocks_is_a_game_without_a_result() -> None:
    sitting = started("chitchat", "both silent", on_timeout="autoplay")
    for number in range(4):
        assert sitting.state.phase == "playing", number
        sitting.expire()
    assert (sitting.state.ended, sitting.state.winners, sitting.state.totals) == ("abandoned", (), (0, 0))
    assert all(isinstance(move, str) and " auto " in move for move in _judge(sitting))


def test_cc_63_it_takes_two_clocks_of_each() -> None:
    silent = at("5S", "4H 3H 2H", silent=(1, 2))
    assert ended(silent, "talk 4H", auto=True) == ("abandoned", None)
    assert ended(silent, "talk 4H") is None
    assert ended(at("5S", "4H 3H 2H", silent=(1, 1)), "talk 4H", auto=True) is None


def test_cc_63_after_the_end_nothing_follows_from_leaving() -> None:
    over = after(at("5S"), "resign")
    assert rules.gone(over, 0, "left") == ()
    assert rules.gone(at("5S"), 0, "away") == rules.gone(at("5S"), 0, "returned") == ()


def test_cc_64_the_second_of_two_moves_finds_its_question_answered() -> None:
    sitting = started("chitchat")
    seat, number = sitting.asked(), sitting.state.decisions[0].id
    first, second = legal(sitting.state, seat)[:2]
    sitting.do(PERSONS[seat], Move(first), seat, decision=number)
    with pytest.raises(Rejected, match="stale"):
        sitting.do(PERSONS[seat], Move(second), seat, decision=number)


def test_cc_45_giving_up_ends_a_real_game() -> None:
    sitting = started("chitchat", "gives up")
    seat = sitting.asked()
    sitting.moves("resign")
    assert (sitting.state.ended, sitting.state.winners) == ("resign", (1 - seat,))
    assert _judge(sitting) == [f"{seat} resign"]


def test_a_computer_player_has_no_clock_and_a_person_who_leaves_loses_to_it() -> None:
    sitting = started("chitchat", "alone", persons=1)
    sitting.steady(lambda state: state.set.moves == 2)
    sitting.do(PERSONS[0], Leave())
    assert sitting.state.winners == (1,)


def test_coming_back_needs_no_words_of_the_game() -> None:
    sitting = started("chitchat", "back", on_timeout="autoplay")
    seat = sitting.asked()
    sitting.expire()
    with pytest.raises(Rejected, match="not_away"):
        sitting.do(PERSONS[seat], Return())


@pytest.mark.parametrize("outcome", ["points", "lag"])
def test_finished_games_are_right_in_their_history_and_their_record(outcome: str) -> None:
    for number in range(200):
        sitting = started("chitchat", f"{outcome} {number}", persons=0)
        if outcome == "lag":
            sitting.random(random.Random(number))
        else:
            sitting.steady()
        if sitting.state.ended == outcome:
            assert _judge(sitting)
            document = record.record(sitting.events)
            assert document["rows"] == [[], []]
            assert sorted(document["totals"]) == [0, 1]
            assert set(document["sets"][0]["extra"]) == {"pets"}
            return
    raise AssertionError(f"no game ended by {outcome}")


def test_a_move_that_was_not_held_is_found_in_a_record() -> None:
    sitting = started("chitchat", "wrong", persons=0).steady()
    document = record.record(sitting.events)
    seat = document["sets"][0]["moves"][0][0]
    document["sets"][0]["moves"][0] = f"{seat} talk KH"
    finding = audit_record(record.write(document))
    assert finding is not None
    assert (finding.code, finding.set, finding.move) == ("not_a_move", 1, 1)


def test_swapped_kings_are_found_in_a_record() -> None:
    for number in range(50):
        sitting = started("chitchat", f"kings {number}", persons=0).steady()
        document = record.record(sitting.events)
        if sitting.state.ended != "points":
            continue
        pets = document["sets"][0]["extra"]["pets"]
        winner = sitting.state.winners[0]
        made = [cards.SUITS[card // 13] for card in sitting.state.set.points[winner]]
        if made.count(pets[winner][1]) != 2 or len(made) > 2:
            continue
        pets[winner], pets[2] = pets[2], pets[winner]
        finding = audit_record(record.write(document))
        assert finding is not None
        assert finding.code in {"moves_missing", "move_after_end"}
        return
    raise AssertionError("no game was won by two points of a pet topic")
