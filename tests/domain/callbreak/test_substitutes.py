"""CB-61: a newcomer takes over the seat of somebody who is away."""

from __future__ import annotations

from typing import Any

import pytest

from domain import table
from domain.commands import Answer, Leave, Propose, Return
from domain.events import SeatTaken
from domain.game import Rejected
from tests.domain.play import PERSONS, Sitting, started


def _with_free_seat(**texts: Any) -> tuple[Sitting, int]:
    sitting = started(dealer=0, **{"substitute": "true", **texts})
    sitting.do(PERSONS[1], Leave())
    return sitting, 1


def test_cb_61_a_newcomer_takes_the_seat_if_the_other_three_agree() -> None:
    sitting, seat = _with_free_seat()
    hand_before = sitting.state.set.hands[seat]
    sitting.do("person:new", Propose("seat", seat))
    for person in (PERSONS[0], PERSONS[2]):
        sitting.do(person, Answer(True))
        assert sitting.state.seats[seat].owner == PERSONS[1]
    events = sitting.do(PERSONS[3], Answer(True))
    assert SeatTaken(seat, "person:new") in events
    assert sitting.state.seats[seat].owner == "person:new"
    assert not table.away(sitting.state, seat)
    assert sitting.state.set.hands[seat] == hand_before
    assert sitting.state.proposal is None
    if sitting.asked() == seat:
        assert sitting.state.decisions[0].seconds == 86400
    with pytest.raises(Rejected, match="not_seated"):
        sitting.do(PERSONS[1], Return())


def test_cb_61_one_of_three_who_declines_is_enough_to_refuse_the_newcomer() -> None:
    sitting, seat = _with_free_seat()
    sitting.do("person:new", Propose("seat", seat))
    sitting.do(PERSONS[0], Answer(True))
    sitting.do(PERSONS[2], Answer(False))
    assert sitting.state.proposal is None
    assert sitting.state.seats[seat].owner == PERSONS[1]
    with pytest.raises(Rejected, match="no_proposal"):
        sitting.do(PERSONS[3], Answer(True))


def test_cb_61_there_are_no_substitutes_unless_the_option_says_so() -> None:
    sitting, seat = _with_free_seat(substitute="false")
    with pytest.raises(Rejected, match="no_substitutes"):
        sitting.do("person:new", Propose("seat", seat))


def test_cb_61_the_seat_of_somebody_who_is_there_is_not_free() -> None:
    sitting, _ = _with_free_seat()
    with pytest.raises(Rejected, match="seat_not_free"):
        sitting.do("person:new", Propose("seat", 2))
    with pytest.raises(Rejected, match="no_such_seat"):
        sitting.do("person:new", Propose("seat", 4))
    with pytest.raises(Rejected, match="already_seated"):
        sitting.do(PERSONS[0], Propose("seat", 1))


def test_cb_61_an_owner_who_comes_back_keeps_his_seat() -> None:
    sitting, seat = _with_free_seat()
    sitting.do("person:new", Propose("seat", seat))
    sitting.do(PERSONS[1], Return())
    assert sitting.state.proposal is None
    with pytest.raises(Rejected, match="no_proposal"):
        sitting.do(PERSONS[0], Answer(True))


def test_cb_61_the_absent_owner_has_no_say() -> None:
    sitting, seat = _with_free_seat()
    sitting.do("person:new", Propose("seat", seat))
    with pytest.raises(Rejected, match="not_asked"):
        sitting.do(PERSONS[1], Answer(False))
