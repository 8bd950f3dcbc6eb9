"""TC-27, TC-43: the clock of what was asked stands still while an objection is decided, and begins no new one."""

from __future__ import annotations

from domain import record
from domain.audit import audit_record
from domain.audit_history import Commit, audit_history
from domain.commands import Leave
from domain.events import Decision
from domain.games.taichi.deck import LETTERS_OF
from domain.games.taichi.moves import AGREE, DISAGREE, NO_WORD, OBJECT, PASS, TURN, Word
from domain.table import deadline
from tests.domain.play import PERSONS, Sitting, started
from tests.domain.taichi.lexicon import FEW

HOUR = 3_600_000


def _turned(seats: int = 4) -> Sitting:
    """Seat 0 has turned his first card, an hour ago."""
    sitting = started("taichi", "interrupted", seats=seats, dealer=seats - 1)
    sitting.moves("turn")
    sitting.time += HOUR
    return sitting


def _wrong(sitting: Sitting, seat: int = 0) -> Word:
    """A word that fits, and that no dictionary has."""
    letters = "".join(LETTERS_OF[card][0] for card in sitting.state.set.open)
    sitting.move(Word(f"{letters}qq"), seat)
    return Word(f"{letters}qq")


def _right(sitting: Sitting) -> None:
    (first,) = sitting.state.set.open
    sitting.move(Word(FEW.common(LETTERS_OF[first][0])[0]), 0)


def _vote(sitting: Sitting, objector: int, agree: bool, after: int) -> None:
    sitting.move(OBJECT, objector)
    sitting.time += after
    voters = sitting.state.set.objection.voters
    for seat in voters:
        sitting.move(AGREE if agree else DISAGREE, seat)


def _only(sitting: Sitting) -> Decision:
    (decision,) = sitting.state.decisions
    return decision


def _due(sitting: Sitting) -> int:
    due = deadline(sitting.state, _only(sitting))
    assert due is not None
    return due


def _judged(sitting: Sitting) -> None:
    sitting.play(sitting.expire)
    assert audit_history([Commit(one.time, one.actor, one.events) for one in sitting.commits]) is None
    assert audit_record(record.write(record.record(sitting.events))) is None


def test_after_an_objection_the_word_has_the_time_that_was_left() -> None:
    sitting = _turned()
    before, due = _only(sitting), _due(sitting)
    _wrong(sitting)
    sitting.move(OBJECT, 1)
    assert _only(sitting).key.startswith("objection")
    assert list(sitting.state.held) == [before]
    sitting.time += 3 * HOUR
    sitting.move(DISAGREE, 2)
    sitting.move(DISAGREE, 3)
    assert _only(sitting) == before
    assert _due(sitting) == due + 3 * HOUR
    assert not sitting.state.held
    sitting.move(NO_WORD, 0)
    _judged(sitting)


def test_two_objections_take_their_own_time_and_nothing_more() -> None:
    sitting = _turned()
    due = _due(sitting)
    for hours in (2, 4):
        _wrong(sitting)
        _vote(sitting, 1, agree=False, after=hours * HOUR)
        sitting.time += HOUR
    assert _due(sitting) == due + 6 * HOUR
    _judged(sitting)


def test_a_word_that_is_turned_over_gives_no_new_time() -> None:
    sitting = _turned()
    _right(sitting)
    choice, due = _only(sitting), _due(sitting)
    sitting.time += HOUR
    _vote(sitting, 1, agree=True, after=HOUR)
    assert sitting.state.set.phase == "word"
    assert _only(sitting) == choice
    assert _due(sitting) == due + HOUR
    sitting.time = _due(sitting)
    sitting.expire()
    assert sitting.state.set.phase == "rescue"
    _judged(sitting)


def test_a_word_that_counts_after_all_is_followed_by_a_choice_with_its_own_time() -> None:
    sitting = _turned()
    _wrong(sitting)
    _vote(sitting, 1, agree=True, after=HOUR)
    assert sitting.state.set.phase == "choose"
    assert _only(sitting).start == sitting.time
    assert sitting.state.stops == ()
    sitting.move(TURN, 0)
    _judged(sitting)


def test_a_rescue_round_goes_on_with_the_time_that_was_left() -> None:
    sitting = _turned()
    sitting.move(NO_WORD, 0)
    before, due = _only(sitting), _due(sitting)
    sitting.time += HOUR
    _wrong(sitting, 1)
    _vote(sitting, 1, agree=False, after=5 * HOUR)
    assert _only(sitting) == before
    assert _due(sitting) == due + 5 * HOUR
    for seat in (1, 2, 3):
        sitting.move(PASS, seat)
    _judged(sitting)


def test_who_leaves_during_the_objection_is_asked_no_more_and_the_clock_goes_on() -> None:
    sitting = _turned()
    due = _due(sitting)
    _wrong(sitting)
    sitting.move(OBJECT, 1)
    sitting.time += HOUR
    sitting.do(PERSONS[2], Leave(), 2)
    sitting.do(PERSONS[3], Leave(), 3)
    assert sitting.state.set.objection is None
    assert _due(sitting) == due + HOUR
    _judged(sitting)


def test_the_set_that_ends_during_an_objection_takes_its_clocks_with_it() -> None:
    sitting = _turned(3)
    _wrong(sitting)
    sitting.move(OBJECT, 1)
    for seat in (1, 0):
        sitting.do(PERSONS[seat], Leave(), seat)
    assert sitting.state.phase == "over"
    assert [*sitting.state.decisions, *sitting.state.held] == []
