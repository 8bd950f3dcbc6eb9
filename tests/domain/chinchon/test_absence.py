"""CH-70 and CH-71: the clock, who is gone when a round ends, who comes back before."""

from __future__ import annotations

import pytest

from domain import record
from domain.audit import audit_record
from domain.cards import card_of
from domain.commands import Leave, Return
from domain.events import Dealt, Expired, Over
from domain.game import SetEnded, Verdict
from domain.games.chinchon import CHINCHON, rules
from domain.games.chinchon.events import CutMade, Discarded, DrewStock, SeatBack, SeatGone
from domain.games.chinchon.moves import notation
from domain.table import away
from tests.domain.chinchon.positions import COMPLETE, LOOSE, moved, round_of, standing
from tests.domain.play import PERSONS, Sitting, started

OTHER = "3S 5D 7C 9H JS AH 2C"


# The clock


def _due(*hands: str, moves: tuple[str, ...] = (), **values: object) -> str:
    state, _ = moved(round_of(*hands, **values), *moves)  # type: ignore[arg-type]
    move = rules.timeout(state, 0)
    assert move in rules.legal(state, 0)
    return notation(move)


def test_ch_70_before_drawing_the_clock_draws_from_the_stock() -> None:
    assert _due(LOOSE, OTHER) == "draw stock"
    assert _due(LOOSE, OTHER, pile="") == "draw stock"


def test_ch_70_after_drawing_it_sheds_the_card_drawn() -> None:
    assert _due(LOOSE, OTHER, moves=("draw stock",)) == "discard 8C"
    assert _due(LOOSE, OTHER, moves=("draw pile",)) == "discard 3D"


@pytest.mark.parametrize(
    ("held", "due"),
    [
        (LOOSE, "discard TS"),  # ten, queen and king cost the same: spades first
        ("AS KS 2D 4D 6C 8H 9C", "discard AS"),  # in a suit from the ace up
        ("5S 5H 5D 8S 8H 8C 2D", "discard 2D"),
        ("2S 3S 4S 6C 7C 8C 9C", "discard 9C"),  # nothing is loose but the card taken: the rest stays two melds
    ],
)
def test_ch_70_under_no_return_it_sheds_the_dearest_loose_card(held: str, due: str) -> None:
    assert _due(held, OTHER, pile="QD", moves=("draw pile",), no_return=True) == due


def test_ch_70_the_clock_never_cuts_but_with_a_chinchon() -> None:
    assert _due(COMPLETE, OTHER, moves=("draw stock",)) == "discard 8C"
    assert _due("2C 3C 4C 5C 6C 7C 8C", OTHER, stock="KD", moves=("draw stock",)) == "cut KD"
    assert _due("2C 3C 4C 5C 6C 7C KH", OTHER, stock="8C", moves=("draw stock",)) == "cut KH"
    assert _due("3C 4C 5C 6C 7C 8C 9C", OTHER, stock="2C", moves=("draw stock",)) == "cut 2C"
    early = _due("2C 3C 4C 5C 6C 7C 8C", OTHER, stock="KD", moves=("draw stock",), turns=0, no_cut_first_lap=True)
    assert early == "discard KD"


def test_ch_70_draw_and_discard_are_one_question_with_one_clock() -> None:
    sitting = started("chinchon", "clock", seats=2, turn_seconds="60")
    (asked,) = sitting.state.decisions
    assert asked.seconds == 60
    sitting.moves("draw stock")
    assert sitting.state.decisions == (asked,)
    seat = sitting.asked()
    facts = sitting.expire()
    assert [type(fact) for fact in facts[:2]] == [Expired, Discarded]
    assert sitting.asked() != seat


def test_ch_70_one_expiry_is_the_whole_turn_and_the_moves_are_the_clocks() -> None:
    sitting = started("chinchon", "clock", seats=2)
    seat = sitting.asked()
    expired, drew, shed, _ = sitting.expire()
    assert expired.seats == (seat,)
    assert drew == DrewStock(seat, True)
    assert isinstance(shed, Discarded)
    assert shed.auto
    assert CHINCHON.public_move(shed) == f"{seat} auto discard {CHINCHON.card_name(shed.card)}"


def test_ch_70_without_a_clock_nobody_is_timed() -> None:
    sitting = started("chinchon", "clock", seats=2, turn_seconds="0")
    assert sitting.state.decisions[0].seconds is None


# Who is gone


def _whole_turn(sitting: Sitting) -> None:
    """A turn of whoever is asked, who sheds what he draws."""
    seat, state = sitting.asked(), sitting.state
    if away(state, seat):
        sitting.expire()
        return
    turns = state.set.turns, state.sets
    while (sitting.state.set.turns, sitting.state.sets) == turns and sitting.state.phase == "playing":
        sitting.move(rules.timeout(sitting.state.set, seat))


def test_ch_71_a_leavers_seat_is_played_by_the_clock_until_the_round_ends_then_the_other_wins() -> None:
    sitting = started("chinchon", "leaver", seats=2, max_turns="10")
    facts = sitting.do(PERSONS[0], Leave())
    assert SeatGone(0) in facts
    assert sitting.state.phase == "playing"
    sitting.play(lambda: _whole_turn(sitting))
    assert sitting.events[-1] == Over("last_left", (1,))
    assert sitting.state.sets == 1
    kept = record.write(record.record(sitting.events))
    assert audit_record(kept) is None


def test_ch_71_the_third_expiry_in_a_row_is_like_leaving() -> None:
    sitting = started("chinchon", "late", seats=2, max_turns="10")

    def step() -> None:
        if sitting.asked() == 0:
            sitting.expire()
        else:
            _whole_turn(sitting)

    sitting.play(step)
    assert [event for event in sitting.events if isinstance(event, SeatGone)] == [SeatGone(0)]
    assert sitting.events[-1] == Over("last_left", (1,))
    kept = record.record(sitting.events)
    assert {"left": 0} in kept["sets"][0]["moves"]
    assert audit_record(record.write(kept)) is None


def test_ch_71_he_may_return_before_the_round_ends_and_then_nothing_has_happened() -> None:
    sitting = started("chinchon", "back", seats=2, max_turns="10")
    sitting.do(PERSONS[0], Leave())
    _whole_turn(sitting)
    assert SeatBack(0) in sitting.do(PERSONS[0], Return())
    sitting.play(lambda: _whole_turn(sitting), lambda state: state.sets == 2)
    assert sitting.state.phase == "playing"
    assert sitting.state.set.playing == (0, 1)


def test_ch_71_with_more_players_the_seat_is_removed_and_the_rest_play_on() -> None:
    sitting = started("chinchon", "removed", seats=3, max_turns="10")
    sitting.do(PERSONS[1], Leave())
    sitting.play(lambda: _whole_turn(sitting), lambda state: state.sets == 2)
    assert sitting.state.set.playing == (0, 2)
    assert next(event for event in reversed(sitting.events) if isinstance(event, Dealt)).playing == (0, 2)
    assert rules.legal(sitting.state.set, 1) == ()
    sitting.do(PERSONS[1], Return())  # too late: he may look on
    assert sitting.state.set.playing == (0, 2)
    sitting.do(PERSONS[0], Leave())
    sitting.play(lambda: _whole_turn(sitting))
    assert sitting.events[-1] == Over("last_left", (2,))


def test_ch_71_who_is_removed_cannot_win() -> None:
    assert rules.after_set(standing([120, 3, 50], gone=[1])) == Verdict("target", (2,))
    assert rules.after_set(standing([120, 3, 50], left=[1])) == Verdict("target", (2,))
    assert rules.after_set(standing([120, 3, 50], out=[1])) == Verdict("target", (2,))
    assert rules.after_set(standing([120, 3], gone=[1])) == Verdict("last_left", (0,))


def test_ch_71_nobody_is_left_when_the_last_one_goes() -> None:
    assert rules.too_few(standing([0, 0], left=[0])) is None
    assert rules.too_few(standing([0, 0], left=[0], gone=[1])) == Verdict("too_few_players", ())
    assert rules.after_set(standing([0, 0, 0], gone=[0, 1], out=[2])) == Verdict("too_few_players", ())
    sitting = started("chinchon", "nobody", seats=2)
    sitting.do(PERSONS[0], Leave())
    facts = sitting.do(PERSONS[1], Leave())
    assert facts[-1] == Over("too_few_players", ())


def test_ch_71_a_computer_player_stays() -> None:
    sitting = started("chinchon", "computer", seats=2, persons=1)
    sitting.do(PERSONS[0], Leave())
    assert sitting.state.phase == "playing"

    def step() -> None:
        if sitting.asked() == 0:
            sitting.expire()
        else:
            sitting.steady_move()

    sitting.play(step)
    assert sitting.state.winners == (1,)


def test_ch_71_a_chinchon_that_the_clock_cuts_with_ends_the_round_but_whoever_is_gone_cannot_win() -> None:
    state, facts = moved(round_of("2C 3C 4C 5C 6C 7C 8C", OTHER, stock="KD", gone=[0]), "draw stock", "cut KD")
    assert facts[-1] == SetEnded("chinchon")
    assert isinstance(facts[0], CutMade)
    assert facts[0].card == card_of("KD")
    after = standing([0, 0], outcome="chinchon", scores=None, gone=[0])
    assert state.gone == (0,)
    assert rules.after_set(after) == Verdict("last_left", (1,))
    three = standing([0, 0, 0], outcome="chinchon", scores=None, gone=[0])
    assert rules.after_set(three) is None, "the others play on"
    late = standing([0, 0], outcome="chinchon", scores=None)
    assert rules.after_set(late) == Verdict("chinchon", (late.final.cutter,)), "who was only late wins"


def test_ch_71_whoever_is_gone_ends_the_game_for_nobody_by_reaching_the_target() -> None:
    assert rules.after_set(standing([3, 120, 50], gone=[1])) is None
    assert rules.after_set(standing([3, 120, 50])) == Verdict("target", (0,))
