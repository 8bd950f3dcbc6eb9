"""Pauses and vacations: when clocks stand still, who may have it so, and that nobody gains time by it."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain import clock, table
from domain.audit_history import audit_history
from domain.clock import Quiet, Stop
from domain.commands import (
    Answer,
    AwayUntil,
    Command,
    Expire,
    Leave,
    Move,
    NoteOutage,
    Pause,
    Propose,
    Replace,
    Resume,
    Return,
    Start,
)
from domain.decide import decide, legal
from domain.events import (
    AdminActed,
    Agreed,
    Asked,
    Expired,
    OnVacation,
    Paused,
    Present,
    ProposalOff,
    Proposed,
    Resumed,
    VacationEnded,
)
from domain.game import Rejected
from domain.games import GAMES
from domain.pausing import VACATION_DAYS, vacation_left
from tests.domain.eventful import REASON, history
from tests.domain.play import PERSONS, Sitting, lobby, started
from tests.domain.tiny_game import TINY
from tests.domain.tiny_game import Move as Tiny

ANN, BOB, CAT, DAN = PERSONS[:4]
HOUR = 3_600_000
DAY = 24 * HOUR


def _due(sitting: Sitting) -> int | None:
    return table.deadline(sitting.state, sitting.state.decisions[0])


def _paused(sitting: Sitting) -> str | None:
    return sitting.state.paused


def _turn(sitting: Sitting) -> str:
    return sitting.state.seats[sitting.asked()].owner


def _others(sitting: Sitting) -> list[str]:
    return [seat.owner for seat in sitting.state.seats if seat.owner != _turn(sitting)]


# Pauses


def test_while_a_table_is_paused_no_clock_runs_and_what_was_left_is_left_afterwards() -> None:
    sitting = started(dealer=0)
    due = _due(sitting)
    assert due is not None
    sitting.time += HOUR
    assert sitting.do(ANN, Pause(REASON), admin=True) == (AdminActed("pause", REASON), Paused("admin", sitting.time))
    assert _paused(sitting) == table.observe(sitting.state, None).paused == "admin"
    assert (_due(sitting), table.observe(sitting.state, 0).due) == (None, None)
    sitting.time += 40 * DAY
    with pytest.raises(Rejected, match="not_due"):
        sitting.do("clock", Expire(sitting.state.decisions[0].id))
    sitting.do(BOB, Resume(), admin=True)
    assert _paused(sitting) is None
    assert _due(sitting) == due + 40 * DAY
    sitting.expire()
    assert sitting.time == due + 40 * DAY


@pytest.mark.parametrize("game", GAMES)
def test_in_a_pause_no_move_is_legal_and_each_is_refused(game: str) -> None:
    sitting = started(game, word="paused")
    seat = sitting.asked()
    moves = legal(sitting.state, seat)
    sitting.do("clock", Pause())
    assert moves
    for index in range(len(sitting.state.seats)):
        assert legal(sitting.state, index) == ()
    assert table.observe(sitting.state, seat).waiting == ()
    for move in moves:
        with pytest.raises(Rejected, match=r"^paused$"):
            sitting.move(move, seat)
    sitting.do("clock", Resume())
    assert legal(sitting.state, seat) == moves
    sitting.move(moves[0], seat)


def test_players_pause_by_agreement_of_everybody_and_any_of_them_lets_the_table_go_on() -> None:
    """Holidays are to stop the clock (zond/diplicity#90, lichess-org/lila#148, lichess-org/lila#2698)."""
    sitting = started(persons=3, dealer=0)
    assert sitting.do(ANN, Propose("pause")) == (Proposed("pause", ANN), Agreed(0))
    sitting.do(BOB, Answer(True))
    assert _paused(sitting) is None
    assert sitting.do(CAT, Answer(True)) == (Agreed(2), Paused("agreement", sitting.time))
    assert sitting.state.proposal is None
    with pytest.raises(Rejected, match="already_paused"):
        sitting.do(ANN, Propose("pause"))
    with pytest.raises(Rejected, match="not_seated"):
        sitting.do("person:zed", Resume())
    sitting.do(BOB, Leave())
    with pytest.raises(Rejected, match="you_are_away"):
        sitting.do(BOB, Resume())
    sitting.time += 5
    assert sitting.do(CAT, Resume()) == (Resumed(sitting.time),)


def test_one_who_declines_keeps_the_table_going() -> None:
    sitting = started(persons=2, dealer=0)
    sitting.do(ANN, Propose("pause"))
    sitting.do(BOB, Answer(False))
    assert (sitting.state.paused, sitting.state.proposal) == (None, None)


@pytest.mark.parametrize(
    ("paused_by", "actor", "admin", "code"),
    [
        ("admin", ANN, False, "paused_by_admin"),
        ("admin", "clock", False, "paused_by_admin"),
        ("admin", ANN, True, None),
        ("admin", "operator", False, None),
        ("admin", "chat", False, None),
        ("clock", ANN, True, "paused_by_service"),
        ("clock", "chat", False, "paused_by_service"),
        ("clock", "clock", False, None),
        ("clock", "operator", False, None),
        ("agreement", "clock", False, "not_seated"),
        ("agreement", "person:zed", True, None),
        ("agreement", ANN, False, None),
    ],
)
def test_who_may_let_a_table_go_on(paused_by: str, actor: str, admin: bool, code: str | None) -> None:
    sitting = started(persons=1, dealer=0)
    match paused_by:
        case "admin":
            sitting.do(DAN, Pause(), admin=True)
        case "clock":
            sitting.do("clock", Pause())
        case _:
            sitting.do(ANN, Propose("pause"))  # nobody else has a say
    assert _paused(sitting) == paused_by
    if code is None:
        sitting.do(actor, Resume(), admin=admin)
        assert _paused(sitting) is None
        assert audit_history(history(sitting)) is None
    else:
        with pytest.raises(Rejected, match=f"^{code}$"):
            sitting.do(actor, Resume(), admin=admin)


def test_what_may_not_be_paused_or_resumed() -> None:
    waiting = lobby()
    with pytest.raises(Rejected, match="not_started"):
        waiting.do("clock", Pause())
    sitting = started(dealer=0)
    with pytest.raises(Rejected, match="not_allowed"):
        sitting.do(ANN, Pause())
    with pytest.raises(Rejected, match="bad_reason_hash"):
        sitting.do(ANN, Pause("because I say so"), admin=True)
    with pytest.raises(Rejected, match="not_paused"):
        sitting.do(ANN, Resume(), admin=True)
    sitting.do("clock", Pause(REASON))
    assert sitting.state.paused_why == REASON
    for actor in ("clock", ANN):
        with pytest.raises(Rejected, match="already_paused"):
            sitting.do(actor, Pause(), admin=True)


def test_an_open_vote_to_end_outlives_a_pause_and_may_be_carried_in_it() -> None:
    sitting = started(persons=2, dealer=0)
    sitting.do(ANN, Propose("end"))
    sitting.do("clock", Pause())
    sitting.do(BOB, Answer(True))
    assert (sitting.state.ended, sitting.state.paused) == ("vote", None)


def test_whoever_leaves_and_comes_back_in_a_pause_has_all_his_time_after_it() -> None:
    sitting = started(dealer=0)
    actor = _turn(sitting)
    sitting.do("clock", Pause())
    sitting.time += HOUR
    sitting.do(actor, Leave())
    assert _due(sitting) is None
    sitting.time += HOUR
    sitting.do(actor, Return())
    begun = sitting.state.decisions[0]
    sitting.time += HOUR
    sitting.do("clock", Resume())
    assert begun.seconds is not None
    assert _due(sitting) == sitting.time + begun.seconds * 1000


@settings(max_examples=60)
@given(
    stops=st.lists(st.tuples(st.integers(0, 9 * HOUR), st.integers(0, 30 * HOUR)), max_size=6),
    quiet=st.sampled_from([None, Quiet(22 * 60, 7 * 60, "Asia/Kathmandu"), Quiet(13 * 60, 15 * 60, "UTC")]),
    outages=st.booleans(),
)
def test_pausing_however_often_gives_nobody_more_time_than_he_was_asked_for(
    stops: list[tuple[int, int]], quiet: Quiet | None, outages: bool
) -> None:
    """A pause, or an outage, takes nothing from a clock and adds nothing: with the pauses cut out the budget is used up
    to the millisecond, and it never ends within one, or within quiet hours."""
    sitting = _asked_in(quiet)
    decision = sitting.state.decisions[0]
    held: list[Stop] = []
    for wait, length in stops:
        sitting.time += wait
        due = _due(sitting)
        if due is None or sitting.time >= due:
            break
        begun = sitting.time
        if outages:
            sitting.time += length
            if length:
                sitting.do("clock", NoteOutage(Stop(begun, sitting.time)))
        else:
            sitting.do("clock", Pause())
            sitting.time += length
            sitting.do("clock", Resume())
        held.append(Stop(begun, sitting.time))
    due = _due(sitting)
    assert due == clock.deadline(decision.start, decision.seconds, held, quiet)
    assert due is not None
    assert not any(one.start < due <= one.end for one in held)
    if quiet is None:
        stood = sum(one.end - one.start for one in held)
        assert decision.seconds is not None
        assert due == decision.start + decision.seconds * 1000 + stood
    sitting.time = max(sitting.time, due - 1)
    if sitting.time < due:
        with pytest.raises(Rejected, match="not_due"):
            sitting.do("clock", Expire(decision.id))
    sitting.time = due
    assert sitting.do("clock", Expire(decision.id))[0] == Expired(decision.id, decision.seats)


def _asked_in(quiet: Quiet | None) -> Sitting:
    sitting = lobby()
    sitting.quiet = quiet
    sitting.time = 1_796_000_000_000
    sitting.do(ANN, Start(0))
    assert sitting.state.decisions[0].quiet == quiet
    return sitting


# Quiet hours


def test_a_change_of_quiet_hours_holds_for_what_is_asked_from_then_on_and_moves_no_clock_that_runs() -> None:
    sitting = _asked_in(None)
    due = _due(sitting)
    sitting.quiet = Quiet(0, 23 * 60, "UTC")
    assert sitting.do(_others(sitting)[0], Propose("end"))
    assert _due(sitting) == due
    sitting.any_move(random.Random(1))
    assert sitting.state.decisions[0].quiet == sitting.quiet
    assert audit_history(history(sitting)) is None


# Vacations


def test_on_vacation_the_clock_stands_still_for_what_is_asked_of_that_seat_alone() -> None:
    sitting = started(dealer=0)
    actor, seat, due = _turn(sitting), sitting.asked(), _due(sitting)
    assert due is not None
    sitting.time += HOUR
    until = sitting.time + 10 * DAY
    assert sitting.do(actor, AwayUntil(until)) == (OnVacation(seat, sitting.time, until),)
    assert _due(sitting) == due + 10 * DAY
    other = _others(sitting)[0]
    sitting.do(other, AwayUntil(until + DAY))
    assert _due(sitting) == due + 10 * DAY


def test_a_vacation_ends_with_a_move_and_its_days_are_not_lost() -> None:
    sitting = started(dealer=0)
    actor, seat = _turn(sitting), sitting.asked()
    sitting.do(actor, AwayUntil(sitting.time + 20 * DAY))
    sitting.time += 2 * DAY
    facts = sitting.move(legal(sitting.state, seat)[0], seat)
    assert facts[0] == VacationEnded(seat, sitting.time)
    assert isinstance(facts[-1], Asked)
    assert vacation_left(sitting.state.seats[seat], sitting.time + 9 * DAY) == (VACATION_DAYS - 2) * DAY
    assert audit_history(history(sitting)) is None


def test_a_vacation_ends_when_its_owner_says_that_he_is_back_and_his_time_runs_on() -> None:
    sitting = started(dealer=0)
    actor, seat, due = _turn(sitting), sitting.asked(), _due(sitting)
    assert due is not None
    sitting.do(actor, AwayUntil(sitting.time + 20 * DAY))
    sitting.time += 3 * DAY
    assert sitting.do(actor, Return()) == (VacationEnded(seat, sitting.time),)
    assert _due(sitting) == due + 3 * DAY
    with pytest.raises(Rejected, match="not_away"):
        sitting.do(actor, Return())


def test_a_vacation_has_a_budget_for_the_whole_game() -> None:
    """Holidays are to stop the clock (zond/diplicity#90, lichess-org/lila#148, lichess-org/lila#2698)."""
    sitting = started(dealer=0)
    actor = _turn(sitting)
    with pytest.raises(Rejected, match="no_vacation_left") as refused:
        sitting.do(actor, AwayUntil(sitting.time + VACATION_DAYS * DAY + 1))
    assert refused.value.values == {"days": VACATION_DAYS}
    for until in (sitting.time, sitting.time - 1, -(10**30)):
        with pytest.raises(Rejected, match="not_in_future"):
            sitting.do(actor, AwayUntil(until))
    with pytest.raises(Rejected, match="no_vacation_left"):
        sitting.do(actor, AwayUntil(10**30))
    sitting.do(actor, AwayUntil(sitting.time + VACATION_DAYS * DAY))
    sitting.time += 20 * DAY
    with pytest.raises(Rejected, match="no_vacation_left"):
        sitting.do(actor, AwayUntil(sitting.time + DAY + 1))
    sitting.do(actor, AwayUntil(sitting.time + DAY))
    sitting.time += 30 * DAY
    with pytest.raises(Rejected, match="no_vacation_left") as refused:
        sitting.do(actor, AwayUntil(sitting.time + 1))
    assert refused.value.values == {"days": 0}


@settings(max_examples=60)
@given(steps=st.lists(st.tuples(st.integers(0, 5 * DAY), st.integers(1, 9 * DAY), st.booleans()), max_size=12))
def test_however_vacations_are_cut_and_strung_together_no_more_days_are_taken_than_there_are(
    steps: list[tuple[int, int, bool]],
) -> None:
    """Excuses are used to drag a live game out (kestasjk/webDiplomacy#485)."""
    sitting = started(dealer=0)
    seat, actor, due = sitting.asked(), _turn(sitting), _due(sitting)
    assert due is not None
    begun = sitting.time
    for wait, length, back in steps:
        sitting.time += wait
        if sitting.time >= (_due(sitting) or 0):
            break
        if length > vacation_left(sitting.state.seats[seat], sitting.time):
            with pytest.raises(Rejected, match="no_vacation_left"):
                sitting.do(actor, AwayUntil(sitting.time + length))
            continue
        sitting.do(actor, AwayUntil(sitting.time + length))
        if back:
            sitting.time += length // 2
            sitting.do(actor, Return())
    now = _due(sitting)
    assert now is not None
    assert due <= now <= due + VACATION_DAYS * DAY
    left = vacation_left(sitting.state.seats[seat], begun + 10**12)
    assert now - due <= VACATION_DAYS * DAY - left


def test_the_days_of_a_vacation_stay_spent_when_no_decision_knows_of_it_any_more() -> None:
    sitting = started(dealer=0)
    seat, actor = sitting.asked(), _turn(sitting)
    for _ in range(VACATION_DAYS):
        sitting.do(actor, AwayUntil(sitting.time + DAY))
        sitting.time += DAY + 1
        while sitting.asked() != seat or not legal(sitting.state, seat):
            sitting.any_move(random.Random(1))
        sitting.any_move(random.Random(1))
    held = sitting.state.seats[seat]
    assert vacation_left(held, sitting.time) == 0
    assert len(held.vacations) < 3


def test_whoever_had_let_the_clock_play_is_there_again_by_asking_for_a_vacation() -> None:
    sitting = started(dealer=0)
    seat, actor = sitting.asked(), _turn(sitting)
    sitting.expire()
    facts = sitting.do(actor, AwayUntil(sitting.time + DAY))
    assert facts == (Present(seat), OnVacation(seat, sitting.time, sitting.time + DAY))


def test_a_leaver_has_no_vacation_and_one_who_leaves_in_it_is_played_at_once() -> None:
    sitting = started(dealer=0)
    actor, seat = _turn(sitting), sitting.asked()
    sitting.do(actor, AwayUntil(sitting.time + DAY))
    sitting.do(actor, Leave())
    assert _due(sitting) == sitting.time
    with pytest.raises(Rejected, match="already_left"):
        sitting.do(actor, AwayUntil(sitting.time + DAY))
    sitting.do(actor, Return())
    assert not table.on_vacation(sitting.state, seat, sitting.time)
    assert audit_history(history(sitting)) is None


def test_nobody_has_a_vacation_before_the_game_or_without_a_seat() -> None:
    with pytest.raises(Rejected, match="not_started"):
        lobby().do(ANN, AwayUntil(10**10))
    with pytest.raises(Rejected, match="not_seated"):
        started().do("person:zed", AwayUntil(10**10))


def test_a_proposal_may_be_answered_from_a_vacation_that_goes_on() -> None:
    sitting = started(persons=2, dealer=0)
    sitting.do(BOB, AwayUntil(sitting.time + DAY))
    sitting.do(ANN, Propose("pause"))
    sitting.time += 1
    sitting.do(BOB, Answer(True))
    assert _paused(sitting) == "agreement"
    assert table.on_vacation(sitting.state, 1, sitting.time)


def test_a_proposal_for_which_nobody_is_left_is_off() -> None:
    sitting = started(persons=2, dealer=0)
    sitting.do(ANN, Propose("pause"))
    assert ProposalOff("nobody_left") in sitting.do(ANN, Leave()) + sitting.do(BOB, Leave())


def test_what_may_not_be_asked_of_a_table_that_is_not_there() -> None:
    for act in (Pause(), Resume(), AwayUntil(1)):
        with pytest.raises(Rejected, match="no_such_table"):
            decide(None, Command("t", "clock", 0, "c", act))


def test_a_move_in_a_vacation_that_is_over_ends_nothing() -> None:
    sitting = started(dealer=0)
    seat, actor = sitting.asked(), _turn(sitting)
    sitting.do(actor, AwayUntil(sitting.time + HOUR))
    sitting.time += HOUR
    move = legal(sitting.state, seat)[0]
    assert not any(isinstance(fact, VacationEnded) for fact in sitting.do(actor, Move(move)))


def test_a_window_of_several_closes_without_whoever_is_on_vacation_and_that_does_not_count_against_him(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(GAMES, "tiny", TINY)
    sitting = started("tiny")
    sitting.move(Tiny("stop"))
    (window,) = sitting.state.decisions
    away = window.seats[0]
    due = table.deadline(sitting.state, window)
    sitting.do(sitting.state.seats[away].owner, AwayUntil(sitting.time + DAY))
    assert table.deadline(sitting.state, window) == due
    assert sitting.expire()[0] == Expired(window.id, window.seats, counts=False)
    assert sitting.state.seats[away].expiries == 0
    assert audit_history(history(sitting)) is None


def test_whoever_takes_a_seat_whose_owner_is_on_vacation_is_not_on_vacation_and_has_days_of_his_own() -> None:
    sitting = started(dealer=0)
    actor, seat, due = _turn(sitting), sitting.asked(), _due(sitting)
    assert due is not None
    sitting.do(actor, AwayUntil(sitting.time + 20 * DAY))
    sitting.time += 2 * DAY
    sitting.do("operator", Replace(seat, PERSONS[5]))
    assert _due(sitting) == due + 2 * DAY
    assert vacation_left(sitting.state.seats[seat], sitting.time) == VACATION_DAYS * DAY
    sitting.do(PERSONS[5], AwayUntil(sitting.time + VACATION_DAYS * DAY))
    assert _due(sitting) == due + (2 + VACATION_DAYS) * DAY
    assert audit_history(history(sitting)) is None
