"""A table at which no person is present any more ends, whatever its options."""

from __future__ import annotations

import pytest

from domain import record, table
from domain.audit import audit_record
from domain.audit_history import Commit, audit_history
from domain.commands import Leave
from domain.events import Over, SeedRevealed
from domain.game import SetEnded
from domain.games.callbreak.moves import Call
from tests.domain.play import PERSONS, Sitting, started


def _judge(sitting: Sitting) -> None:
    history = [Commit(commit.time, commit.actor, commit.events) for commit in sitting.commits]
    assert audit_history(history) is None
    assert audit_record(record.write(record.record(sitting.events))) is None


def _low(sitting: Sitting) -> None:
    """A call of one, of whoever is asked."""
    sitting.move(Call(1))


def test_a_table_of_computer_players_is_closed_after_sixty_sets_without_scores() -> None:
    sitting = started(persons=0, min_total_calls="26", max_call="7")
    sitting.play(lambda: _low(sitting))
    ends = [event for event in sitting.events if isinstance(event, SetEnded)]
    assert len(ends) == 60
    assert {end.scores for end in ends} == {None}
    assert (sitting.state.ended, sitting.state.winners) == ("closed", ())
    last = sitting.commits[-1].events
    assert isinstance(last[-2], SeedRevealed)
    assert last[-1] == Over("closed", ())
    _judge(sitting)


def test_as_long_as_a_person_is_there_it_goes_on() -> None:
    sitting = started(persons=1, min_total_calls="26", max_call="7", turn_seconds="0")
    sitting.play(lambda: _low(sitting), lambda state: state.sets > 70)
    assert sitting.state.phase == "playing"
    assert sitting.state.unscored >= 70
    sitting.do(PERSONS[0], Leave())
    while sitting.state.phase == "playing":
        if table.away(sitting.state, sitting.asked()):
            sitting.expire()
        else:
            _low(sitting)
    assert sitting.state.ended == "closed"
    assert sitting.state.sets <= 72
    _judge(sitting)


def test_a_set_with_scores_starts_the_count_again() -> None:
    sitting = started(persons=0, min_total_calls="26", max_call="7", target="0", max_sets="2")
    sitting.play(lambda: _low(sitting), lambda state: state.unscored == 50 and state.set.called == 0)
    sitting.moves("call 7", "call 7", "call 7", "call 7")
    sitting.steady(lambda state: state.scored == 1)
    assert sitting.state.unscored < 10  # forbidden deals may have followed
    sitting.play(lambda: _low(sitting))
    assert sitting.state.ended == "closed"
    assert sitting.state.sets > 110


def test_a_table_that_everybody_forgot_is_closed_when_its_scores_lead_nowhere() -> None:
    """Calls of thirteen fail for ever: every set is scored, and no total ever reaches the target."""
    sitting = started(min_call="13", redeal="")
    sitting.play(sitting.expire)
    assert sitting.state.ended == "closed"
    assert (sitting.state.scored, sitting.state.since_best) == (200, 200)


@pytest.mark.parametrize("sets", ["60", "100"])
def test_as_many_sets_as_an_option_asks_for_are_played_without_anybody(sets: str) -> None:
    sitting = started(persons=0, min_call="13", redeal="", target="0", max_sets=sets, tie="shared").steady()
    assert sitting.state.ended == "max_sets"
    assert sitting.state.scored == int(sets)
