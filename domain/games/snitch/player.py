"""Computer players of Snitch. They are handed an observation, so they cannot see more than a person does."""

from __future__ import annotations

from collections import Counter
from math import comb

from domain.games.snitch.moves import Challenge, Defend, Discard, LaySet, Move, Press, Stop, TakeTop, Yield, read
from domain.games.snitch.pack import POINTS, RANK, WILD, in_order, joins, points
from domain.games.snitch.state import HAND
from domain.games.snitch.view import Observation, unseen

# Found by playing thousands of rounds against itself with other figures, and against simpler players.
_KEPT = {5: 4.5, 10: 9.0, 15: 13.5, 20: 32.0, 50: 90.0}  # what a card in the hand is worth, by its points
_FRESH = 4.0  # what a card that is drawn will be worth
_PLENTY = 10  # cards in the stock from which a hand keeps its worth
_WILLING = 0.85  # how likely somebody plays a card that joins when he has one
_STOLEN = 0.9  # how likely another player challenges a top set for which he has a card
_COVERED = 0.25  # the part of an old top set's danger that a new one on it takes away
_RIVAL = 0.05  # how far points that another has count against me


def player(level: str, seen: Observation) -> Move:
    """The move of the computer player (level `steady`) who sees `seen` and is to act."""
    assert level == "steady"
    moves = [read(move) for move in seen.legal]
    if len(moves) == 1:
        return moves[0]
    return max(moves, key=_Mind(seen).worth)


class _Mind:
    """What he makes of what he sees: how likely the others hold cards that join, what a move is worth in points."""

    def __init__(self, seen: Observation) -> None:
        assert seen.seat is not None
        assert seen.hand is not None
        self.seen, self.seat, self.hand = seen, seen.seat, seen.hand
        pool = unseen(seen)
        self.number = len(pool)
        self.ranks = Counter(RANK[card] for card in pool)
        self.others = [seat for seat in seen.live if seat != seen.seat]
        self.late = min(1.0, seen.left / _PLENTY)

    def has(self, cards: int, rank: int) -> float:
        """How likely a hand of so many unseen cards has one that joins a set of the rank."""
        free = self.number - self.ranks[rank] - self.ranks[WILD]
        return 1.0 - comb(free, cards) / comb(self.number, cards) if cards <= self.number else 1.0

    def kept(self, card: int) -> float:
        """What a card is worth in the hand: less towards the end, when nothing may come any more to go with it."""
        goes = RANK[card] == WILD or self.joining((card,)) > 1  # itself, and another one
        return _KEPT[POINTS[card]] * max(self.late, 0.5 if goes else 0.0)

    def joining(self, laid: tuple[int, ...]) -> int:
        """How many cards of the hand join a set."""
        return sum(joins(card, laid) for card in self.hand)

    def fresh(self, played: int) -> float:
        """What is drawn for so many cards."""
        return _FRESH * min(played, self.seen.left, HAND) * self.late

    def danger(self, rank: int) -> float:
        """How likely a top set of the rank is stolen before its owner's next turn."""
        safe = 1.0
        for other in self.others:
            safe *= 1.0 - _STOLEN * self.has(self.seen.counts[other], rank)
        return 1.0 - safe

    def covering(self) -> float:
        """What it is worth to lay something on one's own top set."""
        stack = self.seen.stacks[self.seat]
        return _COVERED * points(stack[-1]) * self.danger(RANK[stack[-1][0]]) if stack else 0.0

    def laid(self, pair: tuple[int, ...]) -> float:
        """What a set on top of one's own stack is worth."""
        return points(pair) * (1.0 - self.danger(RANK[pair[0]])) + self.covering()

    def worth(self, move: Move) -> float:
        """What a move is worth in points, as far as he can tell."""
        match move:
            case Discard(card=card):
                return self.fresh(1) - self.kept(card)
            case LaySet(first=first, second=second):
                return self.laid((first, second)) + self.fresh(2) - self.kept(first) - self.kept(second)
            case TakeTop(card=card):
                return self.laid(in_order(card, self.seen.discards[-1])) + self.fresh(1) - self.kept(card)
            case Challenge(seat=seat, card=card):
                stolen = self.seen.stacks[seat][-1]
                return self._fought(card, stolen, seat) + self.covering() + self.fresh(1)
            case Defend(card=card):
                return self._fought(card, self._pot(), self.seen.turn)
            case Press(card=card):
                return self._fought(card, self._pot(), self.seen.target)
            case Yield() | Stop():
                return -_RIVAL * points(self._pot())

    def _pot(self) -> tuple[int, ...]:
        """The set that is challenged, with all that was played for it."""
        return (*self.seen.stacks[self.seen.target][-1], *self.seen.laid)

    def _fought(self, card: int, pot: tuple[int, ...], other: int) -> float:
        """What it is worth to play a card for a set, against a seat that may answer with one, and I again."""
        rank, cards = RANK[pot[0]], self.seen.counts[other]
        lost = _WILLING * self.has(cards, rank) if cards else 0.0
        if self.joining(pot) > 1 and cards:
            lost *= _WILLING * self.has(cards - 1, rank) if cards > 1 else 0.0
        at_stake = points(pot) + POINTS[card]
        won = at_stake * (1.0 - self.danger(rank)) + _RIVAL * points(pot)
        return (1.0 - lost) * won - lost * _RIVAL * at_stake - self.kept(card)
