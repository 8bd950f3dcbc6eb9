"""CB-60 to CB-63 and CB-66: time, absence, leaving, coming back."""

from __future__ import annotations

import pytest

from domain import cards, table
from domain.clock import Quiet, Stop
from domain.commands import Expire, Join, Leave, Move, NoteOutage, Return
from domain.decide import legal
from domain.events import Asked, Expired, Left, OutageNoted, Over, Present, Returned, SeedRevealed
from domain.game import Rejected
from domain.games.callbreak import CALLBREAK, rules
from domain.games.callbreak.events import Called, CardPlayed
from domain.games.callbreak.moves import Call
from tests.domain.callbreak.positions import dealt, hand, trick_of
from tests.domain.play import PERSONS, Sitting, started

S = cards.SUITS.index("S")
DAY = 86_400_000


# What the clock does


@pytest.mark.parametrize(
    ("held", "tricks"),
    [
        ("AS KS QS 2H 3H 4H 5D 6D 7D 8C 9C 2C 3C", 3),  # three sure trumps
        ("KS QS JS 2H 3H 4H 5D 6D 7D 8C 9C 2C 3C", 2),
        ("2S AH KH 4H AD KD 7D QC KC 9C 2C 3C 4C", 5),  # two side aces, three side kings in company
        ("2S 3S 4S AH KD 3C 4C 5C 6C 7C 8C 9C TC", 4),  # ace; a king alone; two trumps ruff hearts, two diamonds
        ("2S 3H 4H 5H 6D 7D 8D 9D 2C 3C 4C 5C 6C", 0),
        ("2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS", 13),
    ],
)
def test_cb_60_an_absent_seat_calls_by_the_estimate(held: str, tricks: int) -> None:
    assert rules.estimate(hand(held), S) == tricks


@pytest.mark.parametrize(("least", "most", "number"), [(1, 13, 3), (4, 13, 4), (1, 2, 2)])
def test_cb_60_the_estimate_is_kept_within_the_range(least: int, most: int, number: int) -> None:
    hands = (
        "AS KS QS 2H 3H 4H 5D 6D 7D 8C 9C 2C 3C",
        "2S 3S 4S AH KH QH AD KD QD AC KC QC JC",
        "5S 6S 7S JH TH 9H JD TD 9D TC 7C 6C 5C",
        "8S 9S TS JS 5H 6H 7H 8H 2D 3D 4D 8D 4C",
    )
    state = dealt(hands, dealer=3, min_call=least, max_call=most, redeal=())
    assert rules.timeout(state, 0) == Call(number)


@pytest.mark.parametrize(
    ("held", "certain"), [("AS KS QS", 3), ("KS QS JS", 2), ("AS JS TS 9S", 2), ("2S 3S 4S 5S 6S 7S 8S", 1), ("", 0)]
)
def test_cb_56_sure_tricks_are_those_that_no_distinct_higher_trump_can_take(held: str, certain: int) -> None:
    assert rules.certain_tricks(hand(held), S) == certain


@pytest.mark.parametrize(
    ("held", "played", "card"),
    [
        ("KC QC 3C", "JC", "QC"),
        ("2S 9H 3D 3C", "", "3D"),
        ("2S 3H 3D 3C", "", "3H"),
        ("4S 2S", "KD", "2S"),
        ("AH 2C", "7S", "2C"),
    ],
)
def test_cb_60_an_absent_seat_plays_the_smallest_legal_card_trumps_last(held: str, played: str, card: str) -> None:
    state, seat = trick_of(held, played)
    assert CALLBREAK.notation(rules.timeout(state, seat)) == f"play {card}"


def test_cb_60_when_a_turn_is_over_the_clock_calls_and_plays_and_it_says_so() -> None:
    sitting = started(dealer=0)
    seat = sitting.asked()
    wanted = rules.timeout(sitting.state.set, seat)
    events = sitting.expire()
    assert events[:2] == (Expired(sitting.state.decisions[0].id - 1, (seat,), True), Called(seat, wanted.number, True))  # type: ignore[union-attr]
    assert CALLBREAK.public_move(events[1]) == f"{seat} auto call {wanted.number}"  # type: ignore[union-attr]
    sitting.steady(lambda state: state.set.called == 4)
    seat, wanted = sitting.asked(), rules.timeout(sitting.state.set, sitting.asked())
    events = sitting.expire()
    assert events[1] == CardPlayed(seat, wanted.card, True)  # type: ignore[union-attr]
    assert str(CALLBREAK.public_move(events[1])).startswith(f"{seat} auto play ")


def test_cb_60_a_turn_has_a_day() -> None:
    """Rounds of a slow game never end; a clock of one or two days is wanted (grifferz/pah-irc#48)."""
    sitting = started()
    (decision,) = sitting.state.decisions
    assert table.deadline(sitting.state, decision) == sitting.time + DAY


def test_cb_60_before_its_time_a_decision_does_not_expire() -> None:
    sitting = started()
    sitting.time += DAY - 1
    with pytest.raises(Rejected, match="not_due"):
        sitting.do("clock", Expire(sitting.state.decisions[0].id))


def test_cb_60_turn_seconds_0_is_no_clock() -> None:
    """No time limit is wanted: the game goes on when all have answered.

    Reports: GreyWolfDev/Werewolf#17, jh0ker/mau_mau_bot#132.
    """
    sitting = started(turn_seconds="0")
    (decision,) = sitting.state.decisions
    assert decision.seconds is None
    sitting.time += 1000 * DAY
    with pytest.raises(Rejected, match="not_due"):
        sitting.do("clock", Expire(decision.id))


def test_an_expiry_that_fires_twice_does_nothing_more() -> None:
    """Somebody leaves during the decision, and points are given twice (ajanata/PretendYoureXyzzy#33)."""
    sitting = started()
    number = sitting.state.decisions[0].id
    sitting.expire()
    with pytest.raises(Rejected, match="stale"):
        sitting.do("clock", Expire(number))


def test_only_the_clock_expires_decisions_and_notes_outages() -> None:
    sitting = started()
    sitting.time += DAY
    for act in (Expire(sitting.state.decisions[0].id), NoteOutage(Stop(1, 2))):
        with pytest.raises(Rejected, match="not_allowed"):
            sitting.do(PERSONS[0], act)


def test_an_outage_is_recorded_before_a_deadline_is_judged() -> None:
    sitting = started()
    (decision,) = sitting.state.decisions
    outage = Stop(sitting.time + 1000, sitting.time + 61_000)
    sitting.time += DAY
    assert sitting.do("clock", Expire(decision.id, (outage,))) == (OutageNoted(outage),)
    assert table.deadline(sitting.state, decision) == sitting.time + 60_000
    sitting.time += 59_999
    with pytest.raises(Rejected, match="not_due"):
        sitting.do("clock", Expire(decision.id, (outage,)))
    sitting.time += 1
    assert isinstance(sitting.do("clock", Expire(decision.id, (outage,)))[0], Expired)


def test_quiet_hours_in_force_are_kept_with_the_decision() -> None:
    sitting = started(turn_seconds="3600")
    sitting.quiet = Quiet(0, 60, "UTC")
    sitting.steady_move()
    (decision,) = sitting.state.decisions
    assert decision.quiet == Quiet(0, 60, "UTC")
    sitting.quiet = None
    assert table.deadline(sitting.state, decision) == 3_600_000 + 3_600_000  # from 0:16 UTC: held until 1:00


# Absence


def _expiries(sitting: Sitting, times: int) -> int:
    """Lets the first seat that is asked run out of time so often, the others move; gives the seat."""
    seat = sitting.asked()
    for _ in range(times):
        sitting.expire()
        sitting.steady(lambda state: state.set.turn == seat)
    return seat


def test_cb_61_after_three_expiries_in_a_row_the_clock_plays_at_once() -> None:
    """Who is absent keeps the others from playing; a vote or a hard limit is wanted (myano/jenni#252)."""
    sitting = started(dealer=0)
    seat = _expiries(sitting, 2)
    assert not table.away(sitting.state, seat)
    assert sitting.state.decisions[0].seconds == 86400
    sitting.expire()
    assert table.away(sitting.state, seat)
    sitting.steady(lambda state: state.set.turn == seat)
    (decision,) = sitting.state.decisions
    assert (decision.seats, decision.seconds) == ((seat,), 0)
    assert table.deadline(sitting.state, decision) == decision.start
    before = sitting.time
    events = sitting.expire()
    assert sitting.time == before
    assert events[0] == Expired(decision.id, (seat,), False)


def test_cb_61_a_move_in_time_forgets_the_expiries() -> None:
    sitting = started(dealer=0)
    seat = _expiries(sitting, 2)
    assert sitting.state.seats[seat].expiries == 2
    assert sitting.steady_move()[0] == Present(seat)
    assert sitting.state.seats[seat].expiries == 0


def test_cb_61_three_expiries_do_not_make_a_leaver() -> None:
    sitting = started(dealer=0)
    seat = _expiries(sitting, 3)
    assert not sitting.state.seats[seat].left
    assert not [event for event in sitting.events if isinstance(event, Left)]


def test_cb_61_an_absent_player_may_come_back_by_moving_at_any_moment() -> None:
    sitting = started(dealer=0)
    seat = _expiries(sitting, 3)
    events = sitting.steady_move()
    assert events[0] == Present(seat)
    assert not table.away(sitting.state, seat)


def test_cb_61_an_absent_player_who_says_he_is_back_has_his_whole_time_again() -> None:
    sitting = started(dealer=0)
    seat = _expiries(sitting, 3)
    sitting.time += 5
    events = sitting.do(sitting.state.seats[seat].owner, Return())
    assert events[0] == Present(seat)
    assert isinstance(events[1], Asked)
    assert (events[1].open[0].seconds, events[1].open[0].start) == (86400, sitting.time)
    with pytest.raises(Rejected, match="not_away"):
        sitting.do(sitting.state.seats[seat].owner, Return())


def test_cb_61_who_leaves_is_played_at_once_until_he_returns() -> None:
    sitting = started(dealer=0)
    seat = sitting.asked()
    owner = sitting.state.seats[seat].owner
    events = sitting.do(owner, Leave())
    assert events[0] == Left(seat)
    assert sitting.state.decisions[0].seconds == 0
    with pytest.raises(Rejected, match="already_left"):
        sitting.do(owner, Leave())
    sitting.expire()
    assert sitting.state.set.called == 1
    assert sitting.do(owner, Return()) == (Returned(seat),)
    assert not sitting.state.seats[seat].left


def test_cb_61_a_leaver_who_moves_is_back() -> None:
    sitting = started(dealer=0)
    seat = sitting.asked()
    sitting.do(sitting.state.seats[seat].owner, Leave())
    events = sitting.steady_move()
    assert events[0] == Returned(seat)
    assert not sitting.state.seats[seat].left


def test_cb_61_leaving_out_of_turn_leaves_the_others_question_as_it_is() -> None:
    sitting = started(dealer=0)
    asked = sitting.state.decisions
    other = (sitting.asked() + 2) % 4
    assert sitting.do(sitting.state.seats[other].owner, Leave()) == (Left(other),)
    assert sitting.state.decisions == asked


def test_cb_61_a_leaver_who_is_away_at_the_end_does_not_win() -> None:
    for word in map(str, range(20)):
        sitting = started(word=word, max_sets="1", tie="shared")
        sitting.steady(lambda state: len(state.set.tricks) == 12)
        best = sitting.copy().steady().state.winners
        if len(best) == 1:
            sitting.do(sitting.state.seats[best[0]].owner, Leave())
            while sitting.state.phase == "playing":
                if table.away(sitting.state, sitting.asked()):
                    sitting.expire()
                else:
                    sitting.steady_move()
            assert sitting.state.winners != best
            assert best[0] not in sitting.state.winners
            return
    raise AssertionError("no lone winner among twenty sets")


def test_cb_62_fewer_than_two_who_have_not_left_end_the_game_without_a_winner() -> None:
    sitting = started(dealer=0)
    for person in PERSONS[:2]:
        sitting.do(person, Leave())
        assert sitting.state.phase == "playing"
    events = sitting.do(PERSONS[2], Leave())
    assert isinstance(events[1], SeedRevealed)
    assert events[2] == Over("too_few_players", ())
    assert sitting.state.winners == ()
    with pytest.raises(Rejected, match="table_over"):
        sitting.do(PERSONS[3], Move(Call(3)))


def test_cb_62_a_computers_seat_counts_as_staying() -> None:
    sitting = started(dealer=0, persons=1)
    sitting.do(PERSONS[0], Leave())
    assert sitting.state.phase == "playing"


def test_cb_62_an_absent_seat_has_not_left() -> None:
    sitting = started(dealer=0)
    for _ in range(4 * 13):
        sitting.expire()
    assert all(table.away(sitting.state, seat) for seat in range(4))
    assert sitting.state.phase == "playing"


def test_cb_60_a_table_that_everybody_forgot_goes_on_by_the_clock_to_its_end() -> None:
    sitting = started(max_sets="1", tie="shared", min_total_calls="0")
    while sitting.state.phase == "playing":
        sitting.expire()
    assert sitting.state.ended == "max_sets"


def test_a_computer_player_has_no_clock() -> None:
    sitting = started(persons=0)
    assert [decision.seconds for decision in sitting.state.decisions] == [None]


# Order of arrival


def test_cb_63_after_the_deal_nothing_is_random() -> None:
    one, other = started(word="same"), started(word="same")
    one.steady(lambda state: bool(state.rows))
    other.steady(lambda state: bool(state.rows))
    assert one.commits == other.commits


def test_cb_66_a_second_different_card_is_out_of_turn() -> None:
    sitting = started(dealer=0)
    sitting.steady(lambda state: state.set.called == 4)
    seat = sitting.asked()
    first, second = legal(sitting.state, seat)[:2]
    sitting.move(first, seat)
    with pytest.raises(Rejected, match="not_your_turn"):
        sitting.move(second, seat)


def test_cb_66_an_answer_to_a_question_that_is_closed_is_stale() -> None:
    """Two messages one after the other move the game on twice (owenjones/MafiaBot#11)."""
    sitting = started(dealer=0)
    seat, number = sitting.asked(), sitting.state.decisions[0].id
    owner = sitting.state.seats[seat].owner
    sitting.do(owner, Move(Call(3)), decision=number)
    with pytest.raises(Rejected, match="stale"):
        sitting.do(owner, Move(Call(4)), decision=number)


def test_a_strangers_move_is_refused() -> None:
    sitting = started()
    with pytest.raises(Rejected, match="not_seated"):
        sitting.do("person:stranger", Move(Call(3)))
    with pytest.raises(Rejected, match="not_seated"):
        sitting.do(PERSONS[0], Move(Call(3)), seat=1)
    with pytest.raises(Rejected, match="already_started"):
        sitting.do("person:stranger", Join())
