"""A computer player that takes the seat of an absent owner until he is back: with that seat's eyes, in his name."""

from __future__ import annotations

import random
from typing import Any

import pytest

from domain import record, table
from domain.audit import audit_record
from domain.audit_history import audit_history
from domain.commands import AddComputer, Answer, Kick, Leave, Move, Propose, Return, SetStandIn, Start
from domain.decide import legal
from domain.events import Agreed, Expired, Present, Proposed, Returned, StandInSet
from domain.game import Rejected
from domain.games import GAMES
from domain.table import STAND_IN
from tests.domain.eventful import REASON, history
from tests.domain.play import PERSONS, Sitting, lobby, started

ANN, BOB, CAT, DAN = PERSONS[:4]
HAL = PERSONS[7]


def _stand_in_moves(sitting: Sitting) -> int:
    seat, rules = sitting.asked(), sitting.state.rules
    sitting.do(STAND_IN, Move(rules.player("steady", rules.observe(sitting.state.set, seat))), seat)
    return seat


def _on(game: str = "callbreak", word: str = "word", seats: int | None = None, **texts: Any) -> Sitting:
    """A table with stand-ins, at which everybody is still there."""
    sitting = started(game, word, seats=seats, dealer=0 if game == "callbreak" else None, **texts)
    sitting.do(HAL, SetStandIn(True), admin=True)
    return sitting


def test_it_is_an_option_of_the_table_for_whoever_arranges_the_lobby() -> None:
    sitting = lobby(seats=3)
    sitting.do(ANN, AddComputer())
    with pytest.raises(Rejected, match="not_allowed"):
        sitting.do(HAL, SetStandIn(True))
    assert sitting.do(BOB, SetStandIn(True)) == (StandInSet(True),)
    with pytest.raises(Rejected, match="already_so"):
        sitting.do(ANN, SetStandIn(True))
    sitting.do(ANN, Start(0))
    assert table.observe(sitting.state, None).stand_in
    with pytest.raises(Rejected, match="not_allowed"):
        sitting.do(ANN, SetStandIn(False))
    assert audit_history(history(sitting)) is None


def test_in_a_running_game_the_players_agree_to_it() -> None:
    """Fixed limits throw friends out who would have been waited for (yairm210/Unciv#6956, yairm210/Unciv#13923)."""
    sitting = started(persons=2, dealer=0)
    assert sitting.do(ANN, Propose("stand_in_on")) == (Proposed("stand_in_on", ANN), Agreed(0))
    assert StandInSet(True) in sitting.do(BOB, Answer(True))
    sitting.do(BOB, Propose("stand_in_off"))
    sitting.do(ANN, Answer(True))
    assert not sitting.state.stand_in
    assert audit_history(history(sitting)) is None


def test_a_computer_player_moves_for_whoever_has_left_and_no_clock_runs_for_it() -> None:
    sitting = _on()
    seat = sitting.asked()
    sitting.do(sitting.state.seats[seat].owner, Leave())
    assert table.stood_in(sitting.state, seat)
    assert table.deadline(sitting.state, sitting.state.decisions[0]) is None
    assert _stand_in_moves(sitting) == seat
    assert sitting.state.seats[seat].left
    assert sitting.asked() != seat


def test_it_moves_for_nobody_who_is_there() -> None:
    sitting = _on()
    seat = sitting.asked()
    with pytest.raises(Rejected, match="not_seated"):
        _stand_in_moves(sitting)
    sitting.do(sitting.state.seats[seat].owner, Leave())
    for wrong in (seat - 1, 4, -1):
        with pytest.raises(Rejected, match="not_seated"):
            sitting.do(STAND_IN, Move(legal(sitting.state, seat)[0]), wrong)
    sitting.do(HAL, SetStandIn(False), admin=True)
    with pytest.raises(Rejected, match="not_seated"):
        _stand_in_moves(sitting)


def test_its_owner_takes_the_seat_back_with_all_his_time() -> None:
    sitting = _on()
    seat = sitting.asked()
    owner = sitting.state.seats[seat].owner
    sitting.do(owner, Leave())
    sitting.time += 5_000
    facts = sitting.do(owner, Return())
    assert facts[0] == Returned(seat)
    (decision,) = sitting.state.decisions
    assert (decision.start, decision.seconds) == (sitting.time, sitting.state.options.turn_seconds)
    with pytest.raises(Rejected, match="not_seated"):
        _stand_in_moves(sitting)


def test_when_time_runs_out_too_often_the_game_moves_once_more_and_from_then_on_the_computer_player() -> None:
    sitting = _on(word="late")
    seat = sitting.asked()
    owner = sitting.state.seats[seat].owner
    for _ in range(sitting.state.rules.away_after):
        while sitting.asked() != seat:
            sitting.steady_move()
        sitting.expire()
    assert isinstance([fact for fact in sitting.events if isinstance(fact, Expired)][-1], Expired)
    assert table.stood_in(sitting.state, seat)
    while sitting.asked() != seat:
        sitting.steady_move()
    _stand_in_moves(sitting)
    while sitting.asked() != seat:
        sitting.steady_move()
    assert sitting.do(owner, Move(legal(sitting.state, seat)[0]))[0] == Present(seat)
    sitting.steady()
    found = record.record(sitting.events)
    told = [entry for played in found["sets"] for entry in played["moves"] if isinstance(entry, dict)]
    assert told == [{"stand_in": seat}, {"returned": seat}]
    assert audit_record(record.write(found)) is None
    assert audit_history(history(sitting)) is None


def test_to_a_game_a_seat_that_a_computer_player_takes_is_not_gone() -> None:
    """Chinchón puts whoever is gone out when the round ends (CH-71): not the seat that somebody plays."""
    sitting = _on("chinchon", "late", turn_seconds="3600")
    seat = sitting.asked()
    for _ in range(sitting.state.rules.away_after):
        while sitting.asked() != seat:
            sitting.steady_move()
        sitting.expire()
    assert table.away(sitting.state, seat)
    assert sitting.state.set.gone == ()
    sitting.do(HAL, SetStandIn(False, REASON), admin=True)
    assert sitting.state.set.gone == (seat,)
    sitting.do(HAL, SetStandIn(True), admin=True)
    assert sitting.state.set.gone == ()
    assert audit_history(history(sitting)) is None


@pytest.mark.parametrize("game", GAMES)
def test_a_game_whose_people_have_all_stayed_away_is_played_to_its_end_by_those_who_stand_in(game: str) -> None:
    sitting = _on(game, "nobody there", seats=GAMES[game].seats[0])
    rng = random.Random(1)
    for _ in range(4000):
        state = sitting.state
        if state.phase == "over":
            break
        asked = [seat for ask in state.rules.to_act(state.set) for seat in ask.seats]
        if any(table.stood_in(state, seat) for seat in asked):
            seat = next(seat for seat in asked if table.stood_in(state, seat))
            sitting.do(STAND_IN, Move(state.rules.player("steady", state.rules.observe(state.set, seat))), seat)
        elif rng.random() < 0.8:
            sitting.expire()
        else:
            sitting.any_move(rng)
    found = record.record(sitting.events)
    assert found["sets"]
    assert audit_record(record.write(found)) is None
    assert audit_history(history(sitting)) is None


def test_it_plays_for_whoever_was_kicked_until_another_takes_the_seat() -> None:
    sitting = _on()
    seat = sitting.asked()
    sitting.do(HAL, Kick(seat), admin=True)
    assert _stand_in_moves(sitting) == seat


@pytest.mark.parametrize("entry", [{"stand_in": 7}, {"stand_in": "1"}, {"stand_in": True}])
def test_a_record_that_tells_of_a_stand_in_for_no_seat_is_wrong(entry: dict[str, object]) -> None:
    sitting = started(word="told", dealer=0, max_sets="1", tie="shared").steady()
    found = record.record(sitting.events)
    found["sets"][0]["moves"].insert(3, entry)
    finding = audit_record(record.write(found))
    assert finding is not None
    assert finding.code == "no_such_seat"


def test_a_leavers_move_that_nobody_is_said_to_make_for_him_is_found_in_a_record() -> None:
    sitting = _on(word="untold", max_sets="1", tie="shared")
    seat = sitting.asked()
    sitting.do(sitting.state.seats[seat].owner, Leave())
    sitting.play(lambda: _stand_in_moves(sitting) if sitting.asked() == seat else sitting.steady_move())
    found = record.record(sitting.events)
    assert audit_record(record.write(found)) is None
    found["sets"][0]["moves"].remove({"stand_in": seat})
    finding = audit_record(record.write(found))
    assert finding is not None
    assert finding.code == "left_seat_moved"
