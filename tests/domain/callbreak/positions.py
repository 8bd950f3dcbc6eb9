"""Positions of Call Break written in notation, for the tests of its rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain import cards
from domain.cards import card_of, mask
from domain.game import Rejected, Setup
from domain.games.callbreak import CALLBREAK, rules
from domain.games.callbreak.events import CardPlayed
from domain.games.callbreak.moves import notation, read
from domain.games.callbreak.options import Options
from domain.games.callbreak.state import Set, evolve, start
from domain.shuffle import Given


def hand(text: str) -> int:
    """A hand, `AS KH 2C`."""
    return mask(card_of(card) for card in text.split())


def chosen(**values: Any) -> Options:
    """Options as a table has them, `hidden_call_test=off` unless the test is about that."""
    return Options(**{"hidden_call_test": "off", **values})


def trick_of(
    held: str, played: str, *, trump: str = "S", leader: int = 0, calls: Sequence[int] = (3, 3, 3, 3), **values: Any
) -> tuple[Set, int]:
    """A set in which `played` lies on the table, led by `leader`, and the next seat holds `held`; with that seat."""
    table = played.split()
    seat = (leader + len(table)) % 4
    hands = [0, 0, 0, 0]
    hands[seat] = hand(held)
    state = Set(
        chosen(**values),
        3,
        cards.SUITS.index(trump),
        leader,
        leader,
        hands=(hands[0], hands[1], hands[2], hands[3]),
        calls=tuple(calls),
        called=4,
        moves=4,
    )
    for index, card in enumerate(table):
        state = evolve(state, CardPlayed((leader + index) % 4, card_of(card)))
    return state, seat


def allowed(held: str, played: str, *, trump: str = "S", **values: Any) -> set[str]:
    """The cards that may be played, in notation."""
    state, seat = trick_of(held, played, trump=trump, **values)
    return {notation(move).removeprefix("play ") for move in rules.legal(state, seat)}


def refused(state: Set, seat: int, move: str) -> Rejected:
    """The refusal of a move that must be refused."""
    try:
        facts = rules.decide(state, seat, read(move))
    except Rejected as refusal:
        return refusal
    raise AssertionError(f"taken: {facts}")


PLAYABLE: tuple[str, ...] = (
    "AS QS 9S 6S 2S KH TH 4H JD 8D 3D QC 5C",
    "KS JS 8S 5S AH QH 9H 3H TD 7D 2D JC 4C",
    "TS 7S 4S JH 8H 2H AD QD 9D 6D KC TC 3C",
    "3S 7H 6H 5H KD 5D 4D AC 9C 8C 7C 6C 2C",
)
"""Four hands that may be played; no two hands share a card and together they are the pack."""


def pack_of(hands: Sequence[str], dealer: int) -> tuple[int, ...]:
    """The pack that deals these hands (CB-10)."""
    left = [[card_of(card) for card in text.split()] for text in hands]
    return tuple(left[(dealer + 1 + index) % 4][index // 4] for index in range(52))


def dealt(hands: Sequence[str] = PLAYABLE, *, dealer: int = 0, **values: Any) -> Set:
    """The set after the deal of these hands, before anybody called; what follows from the deal is applied."""
    setup = Setup(chosen(**values), 4, dealer, 1)
    state = start(setup, Given({"deal:1": pack_of(hands, dealer)}))
    for fact in rules.opening(state):
        if type(fact) in CALLBREAK.events:
            state = evolve(state, fact)
    return state


def called(state: Set, *numbers: int) -> tuple[Set, tuple[Any, ...]]:
    """The set after calls in turn, and what the last one caused."""
    facts: tuple[Any, ...] = ()
    for number in numbers:
        facts = rules.decide(state, state.turn, read(f"call {number}"))
        for fact in facts:
            if type(fact) in CALLBREAK.events:
                state = evolve(state, fact)
    return state, facts
