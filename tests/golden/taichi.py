"""The golden logs of Tai Chi Chuan: each way a game can end, both duels, words that are objected to, people who go."""

from __future__ import annotations

import random
from collections.abc import Callable

from domain import record
from domain.commands import Answer, Close, Leave, Propose, Return
from domain.game import SetEnded
from domain.games.taichi.deck import LETTERS_OF
from domain.games.taichi.events import AnswerTold, ObjectionDecided, WordRefused
from domain.games.taichi.moves import AGREE, CHALLENGE, DECLINE, OBJECT, PASS, STOP, TURN, Word, read
from domain.table import away
from tests.domain.play import PERSONS, Sitting, started
from tests.domain.taichi.lexicon import FEW

ENDS = {"played_out", "out_of_cards", "abandoned", "last_left", "vote", "closed"}
OUTCOMES = {"played_out", "out_of_cards", "abandoned"}


def played_out() -> Sitting:
    """Three computer players to the last card of the second deck, with challenges and a cut of the cards."""
    sitting = started("taichi", "golden played out", seats=3, cuts={0: 7, 2: 51})
    return _words(sitting)


def own_clock() -> Sitting:
    """Duels by everybody's own clock, the cards of the commonest symbol for who is not challenged."""
    sitting = started("taichi", "golden own clock", seats=4, duel="own_clock", unchallenged="symbol")
    _words(sitting)
    assert any(isinstance(event, AnswerTold) and event.salt for event in sitting.events)
    return sitting


def french() -> Sitting:
    """The French deck, eight seats."""
    return _words(started("taichi", "golden french", seats=8, language="fr"))


def objected() -> Sitting:
    """A refusal that is turned over, a word that is turned over, and one that stays as it was."""
    sitting = started("taichi", "golden objected", seats=4, dealer=3, lenient="true")
    sitting.moves("turn")
    letter = LETTERS_OF[sitting.state.set.open[0]][0]
    sitting.move(Word(letter + "qq"), 0)
    assert isinstance(sitting.commits[-1].events[0], WordRefused)
    _vote(sitting, 0, agree=3)
    sitting.move(TURN, 0)
    _say(sitting)
    _vote(sitting, 1, agree=2)
    _say(sitting)
    _vote(sitting, 2, agree=1)
    assert sum(isinstance(event, ObjectionDecided) and event.turned_over for event in sitting.events) == 2
    return _words(sitting)


def rescued() -> Sitting:
    """Nobody ever finds a word in his own turn; the others often do, for the last card too."""

    def step() -> None:
        state = sitting.state.set
        wanted = state.phase == "rescue" and (state.last or state.turns % 3)
        word = _found(sitting) if wanted else None
        if state.phase == "word":
            sitting.moves("no_word")
        elif state.phase == "rescue":
            sitting.move(PASS if word is None else Word(word))
        else:
            sitting.move(TURN)

    sitting = started("taichi", "golden rescued", seats=3)
    return sitting.play(step)


def out_of_cards() -> Sitting:
    """Everybody stops with one card and nobody challenges: nothing is ever discarded, so there is no second deck."""

    def step() -> None:
        match sitting.state.set.phase:
            case "card":
                sitting.move(TURN)
            case "word":
                _say(sitting)
            case "choose":
                sitting.move(STOP)
            case _:
                sitting.move(DECLINE)

    sitting = started("taichi", "golden out of cards", seats=5)
    return sitting.play(step)


def abandoned() -> Sitting:
    """All fall silent, one after the other."""
    sitting = started("taichi", "golden abandoned", seats=3, preset="live")
    return sitting.play(sitting.expire)


def away_and_back() -> Sitting:
    """One falls silent, is skipped, comes back with a word in a rescue round; another by command."""
    sitting = started("taichi", "golden away", seats=3, preset="live")
    rng = random.Random(3)

    def step() -> None:
        sitting.time += 1500
        seats = [seat for ask in sitting.state.rules.to_act(sitting.state.set) for seat in ask.seats]
        gone = [seat for seat in range(3) if away(sitting.state, seat)]
        if gone and gone[0] in seats and rng.random() < 0.5:
            sitting.move(PASS, gone[0])
        elif gone and rng.random() < 0.1:
            sitting.do(PERSONS[gone[0]], Return(), gone[0])
        elif (0 in seats and rng.random() < 0.7) or not set(seats) - set(gone):
            sitting.expire()
        else:
            sitting.steady_move()

    sitting.play(step)
    assert {"away": 0} in _record(sitting)
    assert {"returned": 0} in _record(sitting)
    return sitting


def left() -> Sitting:
    """One leaves in the middle of his turn, a challenger in a duel; one comes back; the others play on to the end."""
    sitting = started("taichi", "golden left", seats=5, dealer=4)
    sitting.moves("turn")
    sitting.do(PERSONS[0], Leave(), 0)
    _words(sitting, lambda: _choosing(sitting))
    sitting.move(STOP)
    for seat in (2, 3, 4):
        sitting.move(CHALLENGE, seat)
    sitting.do(PERSONS[3], Leave(), 3)
    sitting.do(PERSONS[0], Return(), 0)
    return _words(sitting)


def last_left() -> Sitting:
    """All but one leave, the last of them while a challenge is being answered."""
    sitting = started("taichi", "golden last left", seats=3, dealer=2)
    _words(sitting, lambda: _choosing(sitting))
    active = sitting.state.set.turn
    others = [seat for seat in range(3) if seat != active]
    sitting.move(STOP)
    sitting.move(CHALLENGE, others[0])
    sitting.do(PERSONS[active], Leave(), active)
    sitting.do(PERSONS[others[1]], Leave(), others[1])
    return sitting


def vote() -> Sitting:
    """Ended by agreement, after a game that had begun."""
    sitting = started("taichi", "golden vote", seats=2)
    _words(sitting, lambda: sitting.state.set.turns == 4)
    sitting.do(PERSONS[0], Propose("end"))
    sitting.do(PERSONS[1], Answer(True))
    return sitting


def closed() -> Sitting:
    """Closed by the operator."""
    sitting = started("taichi", "golden closed", persons=1, seats=3)
    _words(sitting, lambda: sitting.state.set.turns == 3)
    sitting.do("operator", Close())
    return sitting


def _words(sitting: Sitting, until: Callable[[], bool] = lambda: False) -> Sitting:
    """Everybody plays as the computer player does; messages are numbered and take their time."""

    def step() -> None:
        sitting.time += 1300
        sitting.order += 3
        sitting.steady_move()

    return sitting.play(step, lambda state: until())


def _choosing(sitting: Sitting) -> bool:
    state = sitting.state.set
    return state.phase == "choose" and all(state.stacks[seat] for seat in range(state.seats) if seat not in state.left)


def _found(sitting: Sitting) -> str | None:
    """A word that the seat which is asked may say."""
    rules, seat = sitting.state.rules, sitting.asked()
    assert rules.speaker is not None
    move = rules.speaker("steady", rules.observe(sitting.state.set, seat), FEW)
    return move.word if isinstance(move, Word) else None


def _say(sitting: Sitting) -> None:
    word = _found(sitting)
    assert word is not None
    sitting.move(Word(word))


def _vote(sitting: Sitting, objector: int, agree: int) -> None:
    """An objection, with which so many agree."""
    sitting.move(OBJECT, objector)
    for number, seat in enumerate(sitting.state.set.objection.voters):
        sitting.move(AGREE if number < agree else read("disagree"), seat)


def _record(sitting: Sitting) -> list[str | dict[str, int]]:
    assert any(isinstance(event, SetEnded) for event in sitting.events)
    moves: list[str | dict[str, int]] = record.record(sitting.events)["sets"][0]["moves"]
    return moves


LOGS: tuple[Callable[[], Sitting], ...] = (
    played_out,
    own_clock,
    french,
    objected,
    rescued,
    out_of_cards,
    abandoned,
    away_and_back,
    left,
    last_left,
    vote,
    closed,
)
