"""Positions of Chinchón written in notation, for the tests of its rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain import cards
from domain.cards import card_of, mask
from domain.game import Adjustment, Rejected, SetEnded, Standing
from domain.games.chinchon import CHINCHON, rules
from domain.games.chinchon.events import CutMade
from domain.games.chinchon.moves import notation, read
from domain.games.chinchon.options import Options
from domain.games.chinchon.state import Set, evolve
from domain.shuffle import Source


def hand(text: str) -> int:
    """A hand, `AS KH 2C`."""
    return mask(map(card_of, text.split()))


def row(text: str) -> tuple[int, ...]:
    """Some cards in order."""
    return tuple(map(card_of, text.split()))


def round_of(
    *hands: str,
    turn: int = 0,
    pile: str = "3D",
    stock: str = "8C QD 4S TC 2H",
    drew: str = "",
    drawn: str = "",
    turns: int = 40,
    gone: Sequence[int] = (),
    dealer: int | None = None,
    options: Options | None = None,
    **values: Any,
) -> Set:
    """A round in which it is the turn of `turn`; an empty hand is a seat that is out. The pile is written from its
    bottom, the stock in drawing order."""
    seats = len(hands)
    return Set(
        options=Options(**values) if options is None else options,
        seats=seats,
        dealer=seats - 1 if dealer is None else dealer,
        playing=tuple(seat for seat, held in enumerate(hands) if held),
        turn=turn,
        left=len(stock.split()),
        known=(0,) * seats,
        hands=tuple(map(hand, hands)),
        stock=row(stock),
        pile=row(pile),
        turns=turns,
        drew=drew,  # type: ignore[arg-type]
        drawn=card_of(drawn) if drawn else -1,
        gone=tuple(gone),
        totals=(0,) * seats,
    )


LOOSE = "2S 4D 6C 8H TS QH KC"
"""Seven cards of which no two belong together."""
TWO_SETS = "5S 5H 5D 8S 8H 8D"
COMPLETE = "2H 3H 4H 5H 9S 9H 9D"


def listed(state: Set, seat: int | None = None) -> set[str]:
    """The legal moves of the seat whose turn it is, or of another."""
    return {notation(move) for move in rules.legal(state, state.turn if seat is None else seat)}


def moved(state: Set, *moves: str, source: Source | None = None) -> tuple[Set, tuple[Any, ...]]:
    """The round after some moves in turn, and what the last of them caused."""
    facts: tuple[Any, ...] = ()
    for move in moves:
        facts = rules.decide(state, state.turn, read(move))
        for fact in facts:
            if type(fact) in CHINCHON.events:
                state = evolve(state, fact, source)
    return state, facts


def refused(state: Set, move: str, seat: int | None = None) -> Rejected:
    """The refusal of a move that must be refused, and is not listed."""
    seat = state.turn if seat is None else seat
    assert read(move) not in rules.legal(state, seat)
    try:
        facts = rules.decide(state, seat, read(move))
    except Rejected as refusal:
        return refusal
    raise AssertionError(f"taken: {facts}")


def cut_by(*hands: str, cutter: int = 0, **values: Any) -> tuple[Set, SetEnded]:
    """The round after `cutter` has cut, keeping the seven cards written for him; and how it ended."""
    shed = next(card for card in ("JC", "JS", "8S", "6S") if not any(card in held for held in hands))
    held = [f"{text} {shed}" if seat == cutter else text for seat, text in enumerate(hands)]
    state = round_of(*held, turn=cutter, drew="stock", drawn=shed, **values)
    state, facts = moved(state, f"cut {shed}")
    ended = facts[-1]
    assert isinstance(ended, SetEnded)
    return state, ended


def scored(*hands: str, **values: Any) -> tuple[int | None, ...]:
    """The scores when seat 0 cuts (or `cutter`)."""
    _, ended = cut_by(*hands, **values)
    assert ended.scores is not None
    return ended.scores


def standing(
    totals: Sequence[int],
    *,
    outcome: str = "cut",
    scores: Sequence[int | None] | None = (),
    left: Sequence[int] = (),
    gone: Sequence[int] = (),
    out: Sequence[int] = (),
    cutter: int = 0,
    dealer: int = 0,
    adjusted: Sequence[Adjustment] = (),
    **values: Any,
) -> Standing:
    """How things stand after a round: `totals` include it, `out` were not dealt in."""
    seats = len(totals)
    hands = ["" if seat in out else LOOSE for seat in range(seats)]
    final = round_of(*hands, turn=-1, gone=gone, dealer=dealer, **values)
    final = evolve_cutter(final, cutter)
    written = None if scores is None else tuple(scores) or (0,) * seats
    return Standing(
        final.options,
        outcome,
        written,
        tuple(totals),
        1,
        tuple(seat in left for seat in range(seats)),
        final,
        tuple(adjusted),
    )


def evolve_cutter(state: Set, cutter: int) -> Set:
    """The round as cut by a seat (-1: by nobody)."""
    if cutter < 0:
        return state
    return evolve(state, CutMade(cutter, cards.cards(hand(LOOSE))[0]))
