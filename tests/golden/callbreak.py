"""The golden logs of Call Break: each way a game can end, and each outcome a set can have."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable

from domain.commands import (
    Answer,
    AwayUntil,
    Close,
    Kick,
    Leave,
    Move,
    Pause,
    Propose,
    Replace,
    Resume,
    Return,
    SetStandIn,
    Void,
)
from domain.game import SetEnded
from domain.games.callbreak import rules
from domain.games.callbreak.moves import CONFIRM
from domain.table import STAND_IN, Table, away, stood_in
from tests.domain.callbreak.test_accusations import accuse, honour, revoke
from tests.domain.play import PERSONS, Sitting, started

ENDS = {"target", "max_sets", "vote", "too_few_players", "closed"}
OUTCOMES = {"scored", "redeal", "low_calls", "void_admin", "void_cheating"}


def target() -> Sitting:
    """Ended at the target; with a leaver who comes back and moves of the clock."""
    sitting = started(word="golden target", persons=3, target="50", dealer=1)
    sitting.do(PERSONS[2], Leave())
    sitting.expire()
    return sitting.steady()


def max_sets() -> Sitting:
    """Ended at the cap, under the preset `app` (decimal scores), with a cut of the cards."""
    return started(word="golden cap", persons=2, preset="app", max_sets="1", cuts={0: 17, 1: 50}).steady()


def vote() -> Sitting:
    """Ended by a vote of all, in the middle of the second set."""
    sitting = started(word="golden vote", trump_mode="last_card")
    sitting.steady(lambda state: len(state.rows) == 1 and state.set.called == 4)
    sitting.do(PERSONS[0], Propose("end"))
    for person in PERSONS[1:4]:
        sitting.do(person, Answer(True))
    return sitting


def too_few_players() -> Sitting:
    """Ended because three of four have left."""
    sitting = started(word="golden leavers", dealer=0)
    for person in PERSONS[:3]:
        sitting.do(person, Leave())
    return sitting


def closed() -> Sitting:
    """Closed by the operator in the first set."""
    sitting = started(word="golden closed", persons=0)
    for _ in range(9):
        sitting.steady_move()
    sitting.do("operator", Close())
    return sitting


def redeal() -> Sitting:
    """A first deal that may not be played, then one set."""
    return _first(lambda sitting: sitting, "redeal")


def low_calls() -> Sitting:
    """A first set whose calls are too few, then one set."""

    def call(sitting: Sitting) -> Sitting:
        if sitting.state.sets == 1:
            sitting.moves("call 1", "call 2", "call 2", "call 1")
        return sitting

    return _first(call, "low_calls")


def paused() -> Sitting:
    """Paused by agreement, by an administrator, and by the clock; resumed by those who may."""
    sitting = _short("paused", persons=2)
    ann, bob = PERSONS[:2]
    sitting.do(ann, Propose("pause"))
    sitting.do(bob, Answer(True))
    _wait(sitting)
    sitting.do(bob, Resume())
    for who, admin in (("person:zed", True), ("clock", False), ("operator", False)):
        sitting.steady_move()
        sitting.do(who, Pause(_REASON), admin=admin)
        _wait(sitting)
        sitting.do(who, Resume(), admin=admin)
    return sitting.steady()


def vacation() -> Sitting:
    """A vacation that ends with a move, one that is cut short, and one that ends by itself."""
    sitting = _short("vacation", persons=2)
    for person, back in ((PERSONS[0], False), (PERSONS[1], True), (PERSONS[0], False)):
        sitting.play(sitting.steady_move, lambda state, person=person: _asks(state, person))  # type: ignore[misc]
        sitting.do(person, AwayUntil(sitting.time + 3 * _DAY))
        _wait(sitting)
        if back:
            sitting.do(person, Return())
        sitting.steady_move()
    sitting.time += 4 * _DAY
    return sitting.steady()


def stand_in() -> Sitting:
    """A computer player stands in for one who has left, until he is back, and for one who lets the clock run out."""
    sitting = _short("stand-in", persons=3)
    sitting.do(PERSONS[2], Propose("stand_in_on"))
    for person in PERSONS[:2]:
        sitting.do(person, Answer(True))
    sitting.do(PERSONS[1], Leave())
    sitting.play(lambda: _stood_in_move(sitting), lambda state: state.set.called == 4 and len(state.set.tricks) == 2)
    sitting.do(PERSONS[1], Return())
    sitting.play(
        lambda: sitting.expire() if _asks(sitting.state, PERSONS[0]) else _stood_in_move(sitting),
        lambda state: stood_in(state, 0),
    )
    return sitting.play(lambda: _stood_in_move(sitting))


def replaced() -> Sitting:
    """One who has to go by a vote and gets his seat back, and one who has to go and whose seat another takes."""
    sitting = _short("replaced", persons=4)
    ann, bob, cat, dan, eve = PERSONS[:5]
    sitting.do(ann, Propose("kick", 1))
    for person in (cat, dan):
        sitting.do(person, Answer(True))
    _around(sitting)
    sitting.do("person:zed", Replace(1, bob, _REASON), admin=True)
    sitting.do("person:zed", Kick(2, _REASON), admin=True)
    _around(sitting)
    sitting.do("operator", Replace(2, eve))
    return sitting.steady()


def void_admin() -> Sitting:
    """A set that an administrator voids in the middle of a trick, and stand-ins that he sets."""
    sitting = _short("void", persons=2)
    sitting.play(sitting.steady_move, lambda state: len(state.set.tricks) == 6 and len(state.set.trick) == 2)
    sitting.do("person:zed", SetStandIn(True), admin=True)
    sitting.do("person:zed", Void(_REASON), admin=True)
    return sitting.steady()


def void_cheating() -> Sitting:
    """A revoke that somebody accuses, which a later card proves: the set is void, a positive row turns negative."""
    for number in range(100):
        sitting = honour(f"golden cheat {number}", max_sets="2", tie="shared")
        sitting.steady(lambda state: state.sets == 2)
        seat, trick = revoke(sitting)
        if (sitting.state.rows[0].values[seat] or 0) > 0 and sitting.state.sets == 2:
            accuse(sitting, (seat + 1) % 4, seat, trick)
            return sitting.steady()
    raise AssertionError("no cheater with a positive row")


def undone() -> Sitting:
    """A revoke that is accused when the next set has been dealt: its row is taken out again."""
    sitting = honour("golden undone", max_sets="1", target="0", tie="shared", false_accusation="minus10")
    seat, trick = revoke(sitting)
    sitting.steady(lambda state: state.pending is not None)
    sitting.move(CONFIRM, seat)
    accuse(sitting, seat, (seat + 1) % 4, 13)
    accuse(sitting, (seat + 2) % 4, seat, trick)
    return sitting.steady()


def late() -> Sitting:
    """The same in the middle of a game, before the first call of the next set."""
    sitting = honour("golden late", max_sets="2", tie="shared")
    seat, trick = revoke(sitting)
    sitting.steady(lambda state: state.sets == 2)
    accuse(sitting, (seat + 2) % 4, seat, trick)
    return sitting.steady()


def auto() -> Sitting:
    """The referee convicts by himself; decimal scores, the call of the void set fails."""
    sitting = honour("golden auto", audit="auto", penalty="fail_call", scoring="decimal", max_sets="2", tie="shared")
    revoke(sitting)
    return sitting.steady()


def false_accusation() -> Sitting:
    """Two accusations that prove false at trick 13, one of them costs; a leaver, and a result that time confirms."""
    sitting = honour("golden false", false_accusation="mirror", max_sets="2", tie="shared")
    sitting.steady(lambda state: state.sets == 2 and len(state.set.tricks) == 4)
    accuse(sitting, 1, 2, 1)
    accuse(sitting, 1, 3, 4)
    sitting.steady(lambda state: state.pending is not None)
    sitting.do(PERSONS[0], Leave())
    while sitting.state.phase == "playing":
        sitting.expire()
    return sitting


def hidden_call() -> Sitting:
    """A dealer who calls far less than his cards are worth."""
    return _hidden("estimate").steady()


def hidden_call_vote() -> Sitting:
    """The same, and the three others vote on it."""
    return _hidden("vote").steady()


def _hidden(test: str) -> Sitting:
    for number in range(500):
        word = f"golden hidden {test} {number}"
        sitting = started(word=word, dealer=3, redeal="", hidden_call_test=test, max_sets="1", tie="shared")
        if rules.estimate(sitting.state.set.hands[3], 0) >= 5:
            sitting.moves("call 2", "call 2", "call 2", "call 1")
            return sitting
    raise AssertionError("no dealer with a good hand")


_REASON = hashlib.sha256(b"because").hexdigest()
_DAY = 86_400_000


def _short(word: str, persons: int) -> Sitting:
    return started(word=f"golden {word}", persons=persons, dealer=0, max_sets="1", tie="shared")


def _wait(sitting: Sitting) -> None:
    sitting.time += _DAY // 2


def _asks(state: Table, person: str) -> bool:
    return any(state.seats[seat].owner == person for decision in state.decisions for seat in decision.seats)


def _around(sitting: Sitting) -> None:
    """A trick's worth of moves, the clock's for whoever is away."""
    for _ in range(4):
        sitting.expire() if away(sitting.state, sitting.asked()) else sitting.steady_move()


def _stood_in_move(sitting: Sitting) -> None:
    state, seat = sitting.state, sitting.asked()
    if not stood_in(state, seat):
        sitting.steady_move()
        return
    sitting.do(STAND_IN, Move(state.rules.player("steady", state.rules.observe(state.set, seat))), seat)


def _first(begin: Callable[[Sitting], Sitting], outcome: str) -> Sitting:
    """The first game, of those of numbered words, whose first set ended so."""
    for number in range(1000):
        sitting = begin(started(word=f"golden {outcome} {number}", persons=0, max_sets="1", tie="shared"))
        ends = [event.outcome for event in sitting.events if isinstance(event, SetEnded)]
        if ends == [outcome]:
            return sitting.random(random.Random(number))
    raise AssertionError(f"no {outcome} among a thousand games")


LOGS = (
    *(target, max_sets, vote, too_few_players, closed, redeal, low_calls),
    *(paused, vacation, stand_in, replaced, void_admin),
    *(void_cheating, undone, late, auto, false_accusation, hidden_call, hidden_call_vote),
)
