"""Computer players of Chit Chat. They are handed an observation, so they cannot see more than a person does."""

from __future__ import annotations

import math
from collections.abc import Sequence

from domain.games.chitchat import rules, sequence
from domain.games.chitchat.guess import held_for_sure, unseen
from domain.games.chitchat.moves import Argue, Change, Move, Resign, Talk, read
from domain.games.chitchat.pack import KINGS, SUITS, VALUE
from domain.games.chitchat.state import NEXT
from domain.games.chitchat.view import Observation

# What things are worth to `steady`, in points that do not win; a game is worth ten. Found by playing against itself and
# simpler players.
_GAME = 10.0
_FIRST, _SECOND = 0.8, 1.0  # a first and a second point of a topic that is not the pet
_PET = 0.5  # a first point of the pet topic is worth so much more
_STEP = 0.13  # the part of a point that a first step is worth, at best
_BROKEN = 1.0  # how far a card that can break the run takes that away
_DANGER = 1.0  # how much of a point is lost to a threat that the other can make now
_BEGUN = 0.4  # and of one for which he has to make two steps
_TALKED_OF = 0.4  # that my pet topic is talked about, or the other's is not
_SMALLER = 2.5  # a card less in hand, with six of them; in proportion more with fewer
_PET_TALK, _HIGH_TALK = 0.2, 0.03  # small talk with a card of the pet topic; and for each of its value


def player(level: str, seen: Observation) -> Move:
    """The move of the computer player (level `steady`) who sees `seen` and is to act."""
    assert level == "steady"
    mind = _Mind(seen)
    plays = [move for move in map(read, seen.legal) if not isinstance(move, Resign)]
    return max(plays, key=mind.worth)


class _Mind:
    """What he makes of what he sees: who holds what, how likely; what a point of each topic is worth to each."""

    def __init__(self, seen: Observation) -> None:
        assert seen.seat is not None
        assert seen.hand is not None
        self.seen, self.seat, self.other = seen, seen.seat, NEXT[seen.seat]
        self.hand = seen.hand
        self.sure = held_for_sure(seen)
        self.loose = tuple((unseen(seen)).elements())
        self.held = seen.counts[self.other]
        self.mine = [self._point(self.seat, suit, float(seen.pet == KINGS[suit])) for suit in SUITS]
        self.pets = self._pets()
        self.theirs = [self._point(self.other, suit, self.pets[suit]) for suit in SUITS]

    def _pets(self) -> list[float]:
        """How likely each topic is the other's pet: not mine, and none of which he has two points and has not won."""
        made = [card // 13 for card in self.seen.points[self.other]]
        able = [self.seen.pet != KINGS[suit] and made.count(suit) < 2 for suit in SUITS]
        return [flag / max(1, sum(able)) for flag in able]

    def _point(self, seat: int, suit: int, pet: float) -> float:
        """What the next point of a topic is worth to a seat whose pet topic it is with a likelihood of `pet`."""
        made = sum(card // 13 == suit for card in self.seen.points[seat])
        if made == 0:
            return _FIRST + _PET * pet
        return pet * _GAME + (1 - pet) * (_SECOND if made == 1 else _GAME)

    def _has(self, cards: Sequence[int]) -> float:
        """How likely the other holds one of these cards, which he does not see."""
        if any(card in self.sure for card in cards):
            return 1.0
        total, wanted = len(self.loose), len(cards)
        drawn = min(self.held, total)
        return 1.0 - math.comb(total - wanted, drawn) / math.comb(total, drawn)

    def _able(self, suit: int, least: int) -> float:
        """How likely the other can argue about a topic with a card of so high a value."""
        return self._has([card for card in self.loose if card // 13 == suit and VALUE[card] >= least])

    def worth(self, move: Move) -> float:
        """What a play is worth to him, as far as he can tell."""
        seen, seq = self.seen, self.seen.seq
        worth = 0.0
        if seen.threat is not None and not (isinstance(move, Argue) and rules.blocks(seq, move.card)):
            worth -= self.theirs[seen.topic]
            seq = sequence.alone(seq)
        rest = list(self.hand)
        match move:
            case Argue(card=card):
                rest.remove(card)
                step = sequence.steps(seq, card)
                threat = step and sequence.last_step(seq) == self.seat
                last = self.seat if step else sequence.last_step(seq)
                return worth + self._after(rest, card // 13, VALUE[card], VALUE[card], last, threat)
            case Talk(card=card):
                rest.remove(card)
                worth -= self._given_up(card)
                if sequence.follows(seq, card):
                    last = self.seat if sequence.steps_on(card, seq[-1].card) else None
                    return worth + self._after(rest, card // 13, VALUE[card], VALUE[card], last)
                limit = VALUE[sequence.current(seq)]
                return worth + self._after(rest, sequence.topic(seq), limit, 0, sequence.last_step(seq))
            case Change(first=first, second=second):
                rest.remove(first)
                rest.remove(second)
                worth -= _SMALLER * 6 / len(self.hand)
                last = self.seat if sequence.steps_on(second, first) else None
                return worth + self._after(rest, second // 13, VALUE[second], VALUE[second], last)
            case Resign():
                return -_GAME

    def _given_up(self, card: int) -> float:
        """What it costs to talk a card away that could have argued."""
        return _PET_TALK * (self.seen.pet == KINGS[card // 13]) + _HIGH_TALK * VALUE[card]

    def _after(
        self, rest: list[int], topic: int, limit: int, beat: int, last: int | None, threat: bool = False
    ) -> float:
        """What the conversation is worth after a play: the topic, the value of its current card, the value to beat,
        who made the last step, whether the play threatens."""
        own = [VALUE[card] for card in rest if card // 13 == topic]
        able = self._able(topic, beat)
        worth = _TALKED_OF * ((self.seen.pet == KINGS[topic]) - self.pets[topic])
        worth += self._stuck(topic, limit) * _GAME
        if threat:
            worth += (1 - able) * self.mine[topic]
        elif last == self.seat:
            worth += _STEP * self.mine[topic] * (1 - _BROKEN * able) * min(1.0, 0.2 + 0.4 * len(own))
        guard = 0.0 if not own else 0.25 if max(own) < 4 else 0.5 if max(own) < 6 else 0.8
        danger = _DANGER if last == self.other else _BEGUN
        if not threat:
            worth -= danger * able * (1 - guard) * self.theirs[topic]
        return worth

    def _stuck(self, topic: int, limit: int) -> float:
        """How likely the other has no play at all (CC-43): with one or two cards, all off the topic and too high."""
        if self.held > 2 or not self.loose:
            return 0.0
        high = [card for card in self.loose if card // 13 != topic and VALUE[card] > limit]
        part = len(high) / len(self.loose)
        return part if self.held == 1 else part * part / 2
