"""A word that is said: in a turn, in a rescue round, in a duel (TC-25, TC-28, TC-35)."""

from __future__ import annotations

from domain.game import Brought, Rejected
from domain.games.taichi.asking import may_say, refused_word
from domain.games.taichi.course import Course
from domain.games.taichi.events import (
    Answered,
    AnswerHidden,
    WordRefused,
    WordSaid,
)
from domain.games.taichi.judging import Against, judge
from domain.games.taichi.moves import (
    Word,
    notation,
)
from domain.games.taichi.seats import asked_in_window, voters

_LONGEST = 999_999
"""Tenths of a second that a record can tell."""


def say(course: Course, seat: int, move: Word, brought: Brought) -> None:
    """What follows from a word; Rejected where none is awaited of the seat, or where this one does not count.

    A dictionary's refusal to which somebody may object is a fact, for all must know it (TC-43); any other is not, nor
    is one of a word that a record tells: only valid ones stand there.
    """
    state = course.state
    hidden = state.phase == "duel" and state.options.duel == "own_clock"
    if move.tenths is not None:
        if not hidden or not brought.told:
            raise Rejected("not_a_move", kind="malformed", text=notation(move), forms=("word satellite",))
        _answer_told(course, seat, move, brought)
        return
    if not may_say(state, seat):
        raise refused_word(state, seat)
    against = judge(state, move.word, brought)
    ruling = brought.verdict
    families = () if ruling is None else ruling.families
    shown = "" if ruling is None or ruling.shown == move.word else ruling.shown
    if against is not None:
        if brought.told or state.phase == "duel" or not state.options.objections or not voters(state, seat, seat):
            _must_count(against, move.word)
        course.add(WordRefused(seat, move.word, against.code, against.of, families, shown))
    elif hidden:
        _answer_hidden(course, seat, move.word, brought)
    elif state.phase == "duel":
        course.add(Answered(seat, move.word, brought.order, shown=shown))
    else:
        course.add(WordSaid(seat, move.word, families, shown))


def _must_count(against: Against | None, word: str) -> None:
    """Rejected for a word that is refused for its own sake."""
    if against is not None:
        clause = "TC-41" if against.code == "same_family" else "TC-40"
        raise Rejected(against.code, clause=clause, word=word, of=against.of)


def _answer_hidden(course: Course, seat: int, word: str, brought: Brought) -> None:
    """A valid word by one's own clock, in tenths of a second: what is equal in a record is equal (TC-35).

    The table's clock ends the three minutes, and stands still while the service does; the time of an answer does not.
    """
    tenths = min(_LONGEST, max(0, brought.at - dict(course.state.opened)[seat]) // 100)
    assert brought.hidden is not None, "the service hides what `hides` names"
    course.add(AnswerHidden(seat, tenths, brought.hidden.commitment, brought.hidden.sealed))
    course.learn(brought.salt + word.encode())


def _answer_told(course: Course, seat: int, move: Word, brought: Brought) -> None:
    """An answer by one's own clock as a record tells it, the quickest first."""
    if seat not in asked_in_window(course.state):
        raise refused_word(course.state, seat)
    _must_count(judge(course.state, move.word, brought), move.word)
    if any((answer.tenths or 0) > (move.tenths or 0) for answer in course.state.answers):
        raise Rejected("not_quickest_first", clause="TC-35", word=move.word)
    course.add(Answered(seat, move.word, tenths=move.tenths))
