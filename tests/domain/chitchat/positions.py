"""Positions of Chit Chat written in notation, for the tests of its rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from domain import cards
from domain.cards import card_of
from domain.game import Brought, Rejected, SetEnded
from domain.games.chitchat import rules
from domain.games.chitchat.moves import Move, notation, read
from domain.games.chitchat.options import Options
from domain.games.chitchat.sequence import Laid
from domain.games.chitchat.state import Set, evolve

ANY_HAND = "AS AH AD 6S 6H 6D"
"""A hand that has a play and a block whatever lies there."""
ANY_PILE = "2S 2H 2D 3S 3H 3D 4S 4H 4D"


def hand(text: str) -> tuple[int, ...]:
    """Cards, `AS 2H 2H`, ascending."""
    return tuple(sorted(map(card_of, text.split())))


def sequence(text: str) -> tuple[Laid, ...]:
    """A sequence: `2S` turned or neutral, `2H0` laid by seat 0 in line, `3S1^` laid by seat 1 with a step."""
    found = []
    for word in text.split():
        by = int(word[2]) if len(word) > 2 else None
        found.append(Laid(card_of(word[:2]), by, by if word.endswith("^") else None))
    return tuple(found)


def shown(seq: Sequence[Laid]) -> str:
    """A sequence as `sequence` reads it."""
    return " ".join(
        f"{cards.name(laid.card)}{'' if laid.by is None else laid.by}{'' if laid.step is None else '^'}" for laid in seq
    )


def at(
    seq: str,
    held: str = ANY_HAND,
    other: str = ANY_HAND,
    *,
    turn: int = 0,
    pile: str = ANY_PILE,
    discards: str = "",
    points: Sequence[str] = ("", ""),
    pets: str = "KS KD KH",
    silent: tuple[int, int] = (0, 0),
    **values: Any,
) -> Set:
    """A set in which it is the turn of `turn`, who holds `held`; the pile from its top."""
    hands = (hand(held), hand(other)) if turn == 0 else (hand(other), hand(held))
    stock = tuple(map(card_of, pile.split()))
    return Set(
        options=Options(**values),
        dealer=1 - turn,
        turn=turn,
        hands=hands,
        pile=stock,
        pets=tuple(map(card_of, pets.split())),
        counts=(len(hands[0]), len(hands[1])),
        piled=len(stock),
        seq=sequence(seq),
        discards=tuple(map(card_of, discards.split())),
        points=(tuple(map(card_of, points[0].split())), tuple(map(card_of, points[1].split()))),
        silent=silent,
    )


class Reversed(msgspec.Struct, frozen=True):
    """A shuffle that anybody can foresee: the last card comes first."""

    def order(self, label: str, items: Sequence[int]) -> tuple[int, ...]:
        return tuple(reversed(items))


def facts_of(state: Set, move: str, *, auto: bool = False) -> tuple[Any, ...]:
    """What the move of the seat in turn causes."""
    return rules.decide(state, state.turn, read(move), Brought(auto=auto, source=Reversed()))


def after(state: Set, *moves: str, auto: bool = False) -> Set:
    """The set after moves of whoever is in turn."""
    for move in moves:
        for fact in facts_of(state, move, auto=auto):
            if type(fact) is not SetEnded:
                state = evolve(state, fact, Reversed())
    return state


def ended(state: Set, move: str, *, auto: bool = False) -> tuple[str, tuple[int | None, ...] | None] | None:
    """How the set ends by a move: outcome and scores; None where it goes on."""
    last = facts_of(state, move, auto=auto)[-1]
    return (last.outcome, last.scores) if type(last) is SetEnded else None


def listed(state: Set) -> list[str]:
    """The plays of the seat in turn, in notation, without giving up."""
    return [notation(move) for move in rules.legal(state, state.turn)][:-1]


def refused(state: Set, move: str | Move, seat: int | None = None) -> Rejected:
    """The refusal of a move that must be refused."""
    made = read(move) if isinstance(move, str) else move
    try:
        facts = rules.decide(state, state.turn if seat is None else seat, made)
    except Rejected as refusal:
        return refusal
    raise AssertionError(f"taken: {facts}")
