"""The rules of Tai Chi Chuan, clause by clause: who is asked what, what a move causes, when the game ends."""

from __future__ import annotations

from typing import Any, assert_never

from domain.game import PLAIN, Brought, Deal, FirstDealer, Gone, Rejected, SetEnded, Standing, Verdict
from domain.games.taichi.asking import legal, refusal
from domain.games.taichi.course import Course
from domain.games.taichi.events import (
    BetForfeited,
    BetsReturned,
    CardOpened,
    Challenged,
    Declined,
    DuelPassed,
    NoWord,
    Objected,
    Passed,
    Readied,
    SeatBack,
    SeatGone,
    Stopped,
    TurnSkipped,
    Voted,
)
from domain.games.taichi.moves import (
    AGREE,
    DECLINE,
    DISAGREE,
    NO_WORD,
    OBJECT,
    PASS,
    STOP,
    TURN,
    Do,
    Move,
    Word,
)
from domain.games.taichi.options import Options
from domain.games.taichi.saying import say
from domain.games.taichi.seats import asked_in_window, following, objectors, voters
from domain.games.taichi.state import Set
from domain.shuffle import Source

TRIES_APART = 3000
"""Milliseconds between two tries of a word (TC-25)."""
AWAY_AFTER = 2
"""Own turns in a row that the clock ended (TC-70)."""

OPEN_REFUSALS = frozenset(
    {
        *("turn_first", "word_first", "turn_or_stop", "not_awaited", "answered_already", "nothing_to_bet"),
        *("wrong_initial", "letter_missing", "letter_short", "already_said", "same_family", "overruled"),
        *("not_in_dictionary", "plural", "verb_form", "plural_or_verb_form", "comparative", "feminine", "proper_noun"),
        *("abbreviation", "numeral", "too_short", "not_letters", "open_first"),
        *("no_objections", "objection_open", "nothing_to_object", "nobody_to_judge"),
    }
)
"""All but `own_card_missing`, which tells of a card that others do not see yet."""


def decide(state: Set, seat: int, move: Move, brought: Brought = PLAIN) -> tuple[Any, ...]:
    """The facts that a move causes, or Rejected: `not_your_turn`, `turn_first`, `word_first`, `turn_or_stop`,
    `not_awaited`, what `judging` says of a word, ...
    """
    course = Course(state, brought.source)
    if isinstance(move, Word):
        say(course, seat, move, brought)
    else:
        _do(course, seat, move, brought)
    course.settle()
    return tuple(course.facts)


def _do(course: Course, seat: int, move: Do, brought: Brought) -> None:
    state, auto = course.state, brought.auto
    by_clock = auto and move == PASS and state.phase == "ready" and (not state.bets or seat in asked_in_window(state))
    if move == OBJECT:
        _object(course, seat)
        return
    if move not in legal(state, seat) and not by_clock:
        raise refusal(state, seat, move)
    match move.what:
        case "turn":
            course.turn(auto)
        case "no_word":
            course.add(NoWord(seat, auto))
        case "stop":
            course.add(Stopped(seat, auto))
        case "challenge":
            course.add(Challenged(seat))
        case "decline":
            course.add(Declined(seat, auto))
        case "ready":
            course.add(Readied(seat))
        case "open":
            course.add(CardOpened(seat, brought.at))
        case "pass" if by_clock:
            course.unready(seat)
        case "pass" if state.phase == "rescue":
            course.add(Passed(seat, auto))
        case "pass":
            course.add(DuelPassed(seat, auto))
        case "agree" | "disagree":
            assert state.objection is not None
            course.add(Voted(seat, move == AGREE, refused=_aboutrefusal(state), auto=auto))
        case "object":
            raise AssertionError("an objection has its own way")
        case _:
            assert_never(move.what)


def _object(course: Course, seat: int) -> None:
    """An objection to the last verdict (TC-43)."""
    state = course.state
    spoken = state.spoken
    if not state.options.objections:
        raise Rejected("no_objections", clause="TC-43")
    if state.objection is not None:
        raise Rejected("objection_open", clause="TC-43")
    if spoken is None or state.phase not in ("word", "choose", "rescue"):
        raise Rejected("nothing_to_object", clause="TC-43")
    if seat not in objectors(state):
        raise Rejected("nobody_to_judge", clause="TC-43")
    course.add(Objected(seat, voters(state, spoken.seat, seat), refused=not spoken.accepted))


def _aboutrefusal(state: Set) -> bool:
    assert state.spoken is not None, "an objection is about a verdict"
    return not state.spoken.accepted


def timeout(state: Set, seat: int) -> Move:
    """What the clock does (TC-27, TC-28, TC-30, TC-35, TC-70): it turns the first card, says "no word", stops after a
    valid word, passes, declines, and leaves every verdict as it is."""
    if state.objection is not None:
        return DISAGREE
    match state.phase:
        case "card":
            return TURN
        case "word":
            return NO_WORD
        case "choose":
            return STOP
        case "ask":
            return DECLINE
        case "rescue" | "ready" | "duel" | "over":
            return PASS
        case _:
            assert_never(state.phase)


def gone(state: Set, seat: int, what: Gone) -> tuple[Any, ...]:
    """Who is away is not asked in windows and his turns are skipped (TC-70). The cards of whoever leaves are out of
    play, his bet is discarded; where it was his turn, the others may rescue his cards, unless a challenge is under way:
    that goes on without him (TC-71)."""
    if state.phase == "over":
        return ()
    course = Course(state)
    match what:
        case "returned":
            if seat not in state.left and seat not in state.away:
                return ()
            course.add(SeatBack(seat))
        case "away":
            if seat in state.away or seat in state.left:
                return ()
            course.add(SeatGone(seat, "away"))
        case "left":
            if seat in state.left:
                return ()
            _leave(course, seat)
        case _:
            assert_never(what)
    if len(course.state.left) <= state.seats - 2:
        course.settle()
    return tuple(course.facts)


def _leave(course: Course, seat: int) -> None:
    state = course.state
    bet = dict(state.bets).get(seat)
    if bet is not None:
        course.add(BetForfeited(seat, bet))
    if seat == state.turn and state.phase == "ask" and course.state.bets:
        course.add(BetsReturned())
    course.add(SeatGone(seat, "left"))
    if len(course.state.left) > state.seats - 2:
        return  # the one who is left has won, and the set is cut short
    if seat != state.turn or state.phase in ("rescue", "ready", "duel"):
        return
    if state.phase == "card":
        course.add(TurnSkipped(following(course.state)))
        if course.state.turn < 0:
            course.add(SetEnded("abandoned"))
    else:
        course.add(NoWord(seat, left=True))


def too_few(standing: Standing) -> Verdict | None:
    """One player left: he wins (TC-71)."""
    there = tuple(seat for seat, left in enumerate(standing.left) if not left)
    return Verdict("last_left", there) if len(there) < 2 else None


def after_set(standing: Standing) -> Verdict:
    """A game is one set: who has most cards has won, all who share that (TC-60)."""
    return Verdict(standing.outcome, winners(standing.scores or ()))


def winners(scores: tuple[int | None, ...]) -> tuple[int, ...]:
    """The seats with the most cards (TC-60); a seat that is out has none."""
    most = max((score for score in scores if score is not None), default=None)
    return () if most is None else tuple(seat for seat, score in enumerate(scores) if score == most)


def next_deal(standing: Standing) -> Deal:
    """In a rematch the next seat begins."""
    return Deal((standing.final.dealer + 1) % standing.final.seats)


def first_dealer(options: Options, seats: int, source: Source) -> FirstDealer:
    """The first of the seats in the order that the seed gives them; the next one begins (TC-3)."""
    return FirstDealer("random", source.order("dealer", range(seats))[0])


def races(state: Set) -> bool:
    """Whether answers are compared by message: in a live duel (TC-35)."""
    return state.phase == "duel" and state.options.duel == "live"


def alone(state: Set) -> bool:
    """Whether answers are given in private: by one's own clock they stay hidden until all are done (TC-35)."""
    return state.phase == "duel" and state.options.duel == "own_clock"


def hides(state: Set, move: Move) -> bytes | None:
    """The word of an answer by one's own clock (TC-35)."""
    if isinstance(move, Word) and state.phase == "duel" and state.options.duel == "own_clock":
        return move.word.encode()
    return None


def word_of(state: Set, move: Move) -> str | None:
    """The word that a dictionary has to judge (TC-40)."""
    return move.word if isinstance(move, Word) else None


def open_ended(move: Move) -> bool:
    """Words and objections are not listed: nobody can list words, and whoever objects was not asked (TC-43)."""
    return isinstance(move, Word) or move == OBJECT


def tenths(options: Options) -> bool:
    """Scores are whole."""
    return False


def opening(state: Set) -> tuple[Any, ...]:
    """Nothing follows from the deal: the first player turns his card himself (TC-20)."""
    return ()
