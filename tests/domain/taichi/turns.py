"""Turns in the middle, for the tests: who holds what, which cards come next; moves in notation, judged as in games."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from domain.game import SALT, Brought, Hidden, Rejected, Ruling, SetEnded
from domain.games.taichi import asking, rules
from domain.games.taichi.deck import card_of, names
from domain.games.taichi.events import AnswerHidden, Awarded, Reshuffled
from domain.games.taichi.moves import Word, notation, read
from domain.games.taichi.options import Options
from domain.games.taichi.state import Set, evolve, unveil
from tests.domain.taichi.lexicon import FEW


class AsItIs(msgspec.Struct, frozen=True):
    """A shuffle that leaves the cards in ascending order."""

    def order(self, label: str, items: Sequence[int]) -> tuple[int, ...]:
        return tuple(items)


class Turns:
    """Some turns of a game whose cards are known: seat 0 begins."""

    def __init__(
        self,
        pile: str,
        seats: int = 3,
        *,
        won: str = "U:P",
        deck: int = 1,
        discards: str = "",
        stacks: dict[int, str] | None = None,
        **options: Any,
    ) -> None:
        cards = tuple(map(card_of, pile.split()))
        held = {seat: tuple(map(card_of, won.split())) for seat in range(seats)}
        held |= {seat: tuple(map(card_of, told.split())) for seat, told in (stacks or {}).items()}
        self.state = Set(
            options=Options(**options),
            seats=seats,
            dealer=seats - 1,
            turn=0,
            stacks=tuple(held[seat] for seat in range(seats)),
            piled=len(cards),
            pile=cards,
            deck=deck,
            discards=tuple(map(card_of, discards.split())),
        )
        self.at = 1_000_000
        self.order = 100
        self.ended: SetEnded | None = None

    def do(self, line: str, *, order: int | None = None, auto: bool = False, after: int = 5000) -> tuple[Any, ...]:
        """The facts of a move, `1 word sun`; Rejected passes through. `after`: milliseconds since the last one."""
        seat, _, text = line.partition(" ")
        move = read(text)
        self.at += after
        self.order += 1
        brought = Brought(
            auto=auto,
            verdict=FEW.rule(move.word) if isinstance(move, Word) else None,
            at=self.at,
            order=self.order if order is None else order,
            source=AsItIs(),
        )
        choice = rules.hides(self.state, move)
        if choice is not None:
            salted = bytes([7]) * SALT + choice
            hidden = Hidden(hashlib.sha256(salted).digest(), salted)
            brought = msgspec.structs.replace(brought, salt=salted[:SALT], hidden=hidden)
        return self.apply(rules.decide(self.state, int(seat), move, brought))

    def apply(self, facts: tuple[Any, ...]) -> tuple[Any, ...]:
        """Facts happen."""
        for fact in facts:
            if isinstance(fact, SetEnded):
                self.ended = fact
                continue
            self.state = evolve(self.state, fact, AsItIs() if isinstance(fact, Reshuffled) else None)
            if isinstance(fact, AnswerHidden):
                self.state = unveil(self.state, fact, fact.sealed)
        return facts

    def play(self, *lines: str) -> tuple[Any, ...]:
        """Several moves; the facts of the last one."""
        facts: tuple[Any, ...] = ()
        for line in lines:
            facts = self.do(line)
        return facts

    def refused(self, line: str) -> Rejected:
        """Why a move is refused; nothing happens."""
        with pytest.raises(Rejected) as refusal:
            self.do(line)
        return refusal.value

    def expire(self, key: str) -> tuple[Any, ...]:
        """The clock answers for all who are asked this, as the table lets it."""
        found: tuple[Any, ...] = ()
        asks = [ask for ask in asking.to_act(self.state) if ask.key.startswith(key)]
        assert asks, asking.to_act(self.state)
        for seat in asks[0].seats:
            while any(ask.key == asks[0].key and seat in ask.seats for ask in asking.to_act(self.state)):
                move = rules.timeout(self.state, seat)
                facts = rules.decide(self.state, seat, move, Brought(auto=True, at=self.at, source=AsItIs()))
                found += self.apply(facts)
        return found

    def gone(self, seat: int, what: Any = "left") -> tuple[Any, ...]:
        """A seat's owner leaves, is away, or is back."""
        return self.apply(rules.gone(self.state, seat, what))

    def asked(self) -> dict[str, tuple[int, ...]]:
        """Who is asked, by the first word of the question's key."""
        return {ask.key.partition(":")[0]: ask.seats for ask in asking.to_act(self.state)}

    def legal(self, seat: int) -> list[str]:
        """The seat's listed moves."""
        return [notation(move) for move in asking.legal(self.state, seat)]

    def stack(self, seat: int) -> list[str]:
        """The cards of a seat, from the bottom."""
        return names(self.state.stacks[seat])


def awarded(facts: Sequence[Any]) -> Awarded:
    """How the turn ended."""
    return next(fact for fact in facts if isinstance(fact, Awarded))


def gains(facts: Sequence[Any]) -> dict[int, list[str]]:
    """Who took which open cards."""
    return {gain.seat: names(gain.cards) for gain in awarded(facts).gains}


def verdict(word: str) -> Ruling:
    """That it is a word, whatever a dictionary says."""
    return Ruling(word, True)
