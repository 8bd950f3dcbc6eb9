"""The course of a turn: facts being gathered, with the state they lead to, and what follows from them at once."""

from __future__ import annotations

from typing import Any

from domain.game import Rejected, SetEnded
from domain.games.taichi import awards
from domain.games.taichi.events import (
    AnswerTold,
    Awarded,
    BetForfeited,
    BetsReturned,
    CardShown,
    CardTurned,
    DuelBegan,
    DuelCalled,
    DuelPassed,
    Gain,
    ObjectionDecided,
    PileEmpty,
    Readied,
    Reshuffled,
    Why,
    WordSaid,
)
from domain.games.taichi.moves import PASS, TURN, Move, Word
from domain.games.taichi.seats import asked_in_window, clockwise, following, open_votes, waited_for
from domain.games.taichi.state import Answer, Set, evolve, unveil
from domain.shuffle import Source


class Course:
    """Facts in order. `source`: the shuffles as they are after the line of the move that causes them."""

    def __init__(self, state: Set, source: Source | None = None) -> None:
        self.state = state
        self.facts: list[Any] = []
        self._source = source
        self._unready: int | None = None  # the seat for which the time to be ready was over last

    def add(self, *facts: Any) -> None:
        """More facts, in order."""
        for fact in facts:
            if type(fact) is not SetEnded:
                self.state = evolve(self.state, fact, self._source if type(fact) is Reshuffled else None)
            self.facts.append(fact)

    def learn(self, found: bytes) -> None:
        """The salt and the word of the answer that was hidden last: whoever closes the duel with it knows them."""
        self.state = unveil(self.state, self.facts[-1], found)

    def settle(self) -> None:
        """Whatever follows while nobody is asked: a window that all have answered closes (TC-28, TC-30, TC-35)."""
        while self._settled():
            pass

    def _settled(self) -> bool:
        """Whether something followed."""
        state = self.state
        before = len(self.facts)
        if state.objection is not None:
            if not open_votes(state):
                self._decide_objection()
        elif state.phase == "choose" and state.last:
            self._award("last_word", awards.one_symbol(state.turn, state.open))  # TC-52
        elif state.phase == "ask" and state.deck == 2 and state.piled == 1:
            if state.bets:
                self.add(BetsReturned())
            self._award("unchallenged", self._unchallenged())  # TC-53
        elif state.phase in ("ready", "duel") and not state.bets:
            self._unopposed()
        elif state.phase in ("rescue", "ask", "ready", "duel") and not waited_for(state):
            match state.phase:
                case "rescue":
                    found = [seat for seat in clockwise(state) if seat in state.found]
                    self._award("rescue", awards.rescue(found, state.open))
                case "ask":
                    self._close_ask()
                case "ready":
                    self._begin_duel()
                case "duel":
                    self._close_duel()
        return len(self.facts) > before

    # Cards

    def turn(self, auto: bool) -> None:
        """The active player turns a card (TC-20, TC-26), or there is none to turn (TC-51)."""
        state = self.state
        seat = state.turn
        if state.piled:
            self.add(CardTurned(seat, self._top(), auto))
        else:
            self.add(PileEmpty(seat, auto))
            if not state.discards:
                self._out_of_cards()
                return
            self.add(Reshuffled(len(state.discards)))
            self.add(CardTurned(seat, self._top(), auto, after=True))
        self._renew()

    def _top(self) -> int:
        pile = self.state.pile
        assert pile is not None, "only whoever holds the seed can turn a card"
        return pile[0]

    def _renew(self) -> None:
        """The first deck is empty: the discards become the second one at once, if there are any (TC-51)."""
        state = self.state
        if state.deck == 1 and not state.piled and state.discards:
            self.add(Reshuffled(len(state.discards)))

    def _out_of_cards(self) -> None:
        """Nothing can be turned: the active player is paid as for the last card, and the game is over (TC-51)."""
        state = self.state
        gains = awards.one_symbol(state.turn, state.open)
        self.add(Awarded("out_of_cards", gains, awards.discarded(state.open, gains)))
        self._end("out_of_cards")

    # The challenge

    def _unchallenged(self) -> tuple[Gain, ...]:
        state = self.state
        return awards.unchallenged(state.options, state.turn, state.open)

    def _close_ask(self) -> None:
        state = self.state
        if not state.bets:
            self._award("unchallenged", self._unchallenged())
            return
        self._renew()
        if self.state.deck == 2 and self.state.piled == 1:
            return  # TC-53
        if not self.state.piled:  # TC-54
            self.add(BetsReturned())
            self._out_of_cards()
        else:
            self.add(DuelCalled(state.fighters))

    def unready(self, seat: int) -> None:
        """The time to be ready is over for a seat: the active player counts as ready, another loses his bet (TC-35)."""
        state = self.state
        self._unready = seat
        if seat == state.turn:
            self.add(Readied(seat, auto=True))
        else:
            self.add(BetForfeited(seat, dict(state.bets)[seat]))

    def _begin_duel(self) -> None:
        """The next card is turned (TC-34)."""
        state = self.state
        card = self._top()
        self.add(DuelBegan(None if state.options.duel == "own_clock" and state.bets else card))
        self._renew()

    def _unopposed(self) -> None:
        """No challenger is left: the challenge is stood; the next card counts in any case (TC-35)."""
        if self.state.phase == "ready":
            self._begin_duel()
        elif self.state.card is not None:
            self.add(CardShown(self.state.card))
        if self._unready is not None:  # that the window closed is told
            seat = self._unready if self.state.turn in self.state.left else self.state.turn
            self.add(AnswerTold(seat, auto=True))
        self._stood()

    def _close_duel(self) -> None:
        """All answers are told, the quickest first; the first of them has won (TC-35)."""
        state = self.state
        if state.card is not None:
            self.add(CardShown(state.card))
        ranked = sorted(state.answers, key=self._rank)
        self.add(*(self._told(answer) for answer in ranked))
        passed = [AnswerTold(seat) for seat, auto in sorted(state.passed) if not auto]
        if not ranked and not passed:
            passed = [AnswerTold(seat, auto=True) for seat in state.fighters[:1]]  # that the window closed is told
        self.add(*passed)
        if not ranked or ranked[0].seat == state.turn:
            self._stood()
            return
        winner = ranked[0].seat
        active = None if state.turn in state.left else state.turn
        self._award("beaten", awards.beaten(winner, active, self.state.open), winner)

    def _rank(self, answer: Answer) -> tuple[int, int]:
        """By message; by one's own clock the time it took, then the order of the table from the active player."""
        if answer.tenths is None:
            return answer.order, answer.seat
        return answer.tenths, (answer.seat - self.state.turn) % self.state.seats

    def _told(self, answer: Answer) -> AnswerTold:
        if answer.word is None:  # it is not what was hidden that is told: only a history can be like that
            raise Rejected("answer_unknown", clause="TC-35")
        return AnswerTold(answer.seat, answer.word, answer.tenths, answer.salt, shown=answer.shown)

    def _stood(self) -> None:
        """The challenge was stood, by a word or because there was none (TC-36)."""
        state = self.state
        if state.turn in state.left:
            self._award("nobody", ())
        else:
            self._award("stood", awards.one_symbol(state.turn, state.open))

    # The end of a turn

    def _award(self, why: Why, gains: tuple[Gain, ...], winner: int = -1) -> None:
        """The turn is over: cards are taken, the rest and the lost bets discarded; the next turn, or the end."""
        state = self.state
        lost = tuple(card for seat, card in state.bets if seat != winner)
        upcoming = -1 if state.last else following(state)
        self.add(Awarded(why, gains, (*awards.discarded(state.open, gains), *lost), winner, upcoming))
        if state.last:
            self._end("played_out")
        elif upcoming < 0:
            self.add(SetEnded("abandoned"))  # everybody is away (TC-70)

    def _end(self, outcome: str) -> None:
        """The set ends; a score is the number of cards that a seat has (TC-60), None for one that left (TC-71)."""
        state = self.state
        scores = (None if seat in state.left else len(stack) for seat, stack in enumerate(state.stacks))
        self.add(SetEnded(outcome, tuple(scores)))

    # Objections

    def _decide_objection(self) -> None:
        """More agree than do not: the verdict is turned over; on a tie the dictionary is right (TC-43)."""
        state = self.state
        held, spoken = state.objection, state.spoken
        assert held is not None
        assert spoken is not None
        agree = sum(agrees for _, agrees in held.votes)
        over = 2 * agree > len(held.votes)
        of = spoken.of if spoken.reason == "same_family" else ""
        self.add(ObjectionDecided(spoken.seat, spoken.word, spoken.accepted != over, over, of))
        if over and not spoken.accepted:
            self.add(WordSaid(spoken.seat, spoken.word, spoken.families, spoken.shown))

    # What a record does not tell

    def close_ready(self) -> None:
        """The time to be ready ends for all who have not said so."""
        for seat in asked_in_window(self.state):
            self.unready(seat)
        self.settle()

    def close_duel(self) -> None:
        """The time for an answer ends for all who have not given one."""
        for seat in asked_in_window(self.state):
            self.add(DuelPassed(seat, auto=True))
        self.settle()


def untold(state: Set, seat: int, move: Move | None) -> tuple[Any, ...]:
    """What has happened, though a record does not tell it, before a move or (None) before somebody comes or goes.

    A record has neither the end of the time to be ready nor that of a duel (TC-35): an answer shows the one; the
    answers of a duel, which it tells when that is over, or the next player's card show the other.
    """
    course = Course(state)
    answers = isinstance(move, Word) or move == PASS
    if state.phase == "ready" and move == TURN:
        course.close_ready()
    elif state.phase == "ready" and answers and seat in state.fighters:
        if any(challenger in state.done for challenger, _ in state.bets):
            course.close_ready()
        else:  # nobody was ready to answer; that this is told closes the window
            course.add(*(BetForfeited(other, card) for other, card in state.bets if other != seat))
    over = move == TURN or (move is None and bool(state.answers or state.passed))
    if course.state.phase == "duel" and over:
        course.close_duel()
    return tuple(course.facts)
