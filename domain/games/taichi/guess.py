"""A full state that fits what a seat may know of a game of Tai Chi Chuan: for search, and for tests."""

from __future__ import annotations

from collections import Counter

from domain.games.taichi.deck import PACKS
from domain.games.taichi.state import Answer, Said, Set
from domain.games.taichi.view import Observation
from domain.shuffle import Source


def unseen(seen: Observation) -> tuple[int, ...]:
    """The cards that lie where the observer does not see them, ascending: in the pile, in stacks, or out of play."""
    left = Counter(PACKS[seen.options.language])
    left.subtract((*seen.open, *seen.discards))
    if seen.card is not None:
        left.subtract((seen.card,))
    return tuple(sorted(left.elements()))


def guess(seen: Observation, source: Source) -> Set:
    """A full state that fits the observation: the unseen cards dealt by the source to stacks, bets and pile; hidden
    answers of others are left out, for all that anybody can tell they have passed."""
    order = list(source.order("guess", unseen(seen)))

    def draw(number: int) -> tuple[int, ...]:
        drawn = tuple(order[:number])
        del order[:number]
        return drawn

    card = seen.card
    if seen.hidden and card is None:
        (card,) = draw(1)
    stacks = tuple(draw(count) for count in seen.counts)
    bets = tuple((seat, draw(1)[0]) for seat in seen.bets)
    pile = draw(seen.piled)
    return Set(
        options=seen.options,
        seats=seen.seats,
        dealer=seen.dealer,
        turn=seen.turn,
        stacks=stacks,
        piled=seen.piled,
        bets=bets,
        pile=pile,
        deck=seen.deck,
        phase=seen.phase,  # type: ignore[arg-type]  # a phase, told as a text
        turns=seen.turns,
        open=seen.open,
        auto_turned=seen.auto_turned,
        words=tuple(Said(seat, word) for seat, word in seen.words),
        discards=seen.discards,
        done=seen.done,
        found=seen.found,
        card=card,
        opened=tuple((seat, 0) for seat in seen.opened),
        answers=_answers(seen),
        left=seen.left,
        out=tuple(order),
        away=seen.away,
        ending=seen.ending,
        spoken=seen.spoken,
        objection=seen.objection,
        objections=seen.objections,
        turned_over=seen.turned_over,
        ruled=seen.ruled,
    )


def _answers(seen: Observation) -> tuple[Answer, ...]:
    if seen.answer is not None and seen.seat is not None:
        return (Answer(seen.seat, seen.answer, tenths=0),)
    return tuple(Answer(seat, word, order) for order, (seat, word) in enumerate(seen.answers))
