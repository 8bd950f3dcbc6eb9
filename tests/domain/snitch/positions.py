"""Positions of Snitch written in notation, for the tests of its rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from domain.cards import card_of
from domain.game import Rejected, SetEnded, Standing
from domain.games.snitch import SNITCH, rules
from domain.games.snitch.moves import notation, read
from domain.games.snitch.options import Options
from domain.games.snitch.state import ChallengeWon, Set, evolve

STOCK = "5C 5D 6H TH QH 3D 4D"
LOOSE = "3C 6C TD"
"""Three cards of which no two belong together."""


def row(text: str) -> tuple[int, ...]:
    """Some cards in order."""
    return tuple(map(card_of, text.split()))


def round_of(
    *hands: str,
    turn: int = 0,
    stacks: Mapping[int, Sequence[str]] | None = None,
    pile: str = "9S",
    stock: str = STOCK,
    target: int = -1,
    laid: str = "",
    awaits: int | None = None,
    gone: Sequence[int] = (),
    turns: int = 10,
    dealer: int | None = None,
    **values: Any,
) -> Set:
    """A round in which it is the turn of `turn`. The pile is written from its bottom, a stack too, the stock in drawing
    order; with a `target` its top set is challenged, and `laid` was played for it."""
    seats = len(hands)
    stacks = stacks or {}
    return Set(
        options=Options(**values),
        seats=seats,
        dealer=(turn - 1) % seats if dealer is None else dealer,
        playing=tuple(range(seats)),
        live=tuple(seat for seat in range(seats) if seat not in gone),
        turn=turn,
        awaits=turn if awaits is None else awaits,
        left=len(stock.split()),
        counts=tuple(len(hand.split()) for hand in hands),
        stacks=tuple(tuple(map(row, stacks.get(seat, ()))) for seat in range(seats)),
        hands=tuple(tuple(sorted(row(hand))) for hand in hands),
        stock=row(stock),
        discards=row(pile),
        target=target,
        laid=row(laid),
        turns=turns,
    )


def public(state: Set) -> Set:
    """The round as it is for whoever has no key."""
    return msgspec.structs.replace(state, hands=None, stock=None)


def listed(state: Set, seat: int | None = None) -> set[str]:
    """The legal moves of the seat that is awaited, or of another."""
    return {notation(move) for move in rules.legal(state, state.awaits if seat is None else seat)}


def moved(state: Set, *moves: str) -> tuple[Set, tuple[Any, ...]]:
    """The round after some moves, each by whoever is awaited, and what the last of them caused."""
    facts: tuple[Any, ...] = ()
    for move in moves:
        assert read(move) in rules.legal(state, state.awaits)
        facts = rules.decide(state, state.awaits, read(move))
        for fact in facts:
            if type(fact) in SNITCH.events:
                state = evolve(state, fact)
    return state, facts


def refused(state: Set, move: str, seat: int | None = None) -> Rejected:
    """The refusal of a move that must be refused, and is not listed."""
    seat = state.awaits if seat is None else seat
    assert read(move) not in rules.legal(state, seat)
    try:
        facts = rules.decide(state, seat, read(move))
    except Rejected as refusal:
        return refusal
    raise AssertionError(f"taken: {facts}")


def won(facts: Sequence[Any]) -> ChallengeWon:
    """How a challenge was decided."""
    (found,) = (fact for fact in facts if isinstance(fact, ChallengeWon))
    return found


def ended(facts: Sequence[Any]) -> SetEnded:
    """How the round ended."""
    assert isinstance(facts[-1], SetEnded), facts
    return facts[-1]


def standing(
    *totals: int, rounds_played: int = 1, left: Sequence[int] = (), dealer: int = 0, **values: Any
) -> Standing:
    """How things stand after a round; `totals` include it."""
    seats = len(totals)
    final = round_of(*([""] * seats), stock="", dealer=dealer)
    leavers = tuple(seat in left for seat in range(seats))
    return Standing(Options(**values), "scored", totals, totals, rounds_played, leavers, final)
