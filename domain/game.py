"""The Game record that every game fills: a record of functions, not a base class.

A game's state is one set: one deal played to its end. Seats, rows, the next dealer and the end of the game belong to
the table (`domain.table`), which asks the game through this record and knows nothing else of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from domain.rejected import Rejected
from domain.scene import Scene
from domain.shuffle import Source

__all__ = ["Ask", "Game", "Rejected", "SetEnded", "Setup", "Standing", "Verdict"]


class Setup(msgspec.Struct, frozen=True):
    """What a set starts from. `deal` numbers the deals under one seed, from 1: the pack's label is `deal:<deal>`."""

    options: Any
    seats: int
    dealer: int
    deal: int


class Ask(msgspec.Struct, frozen=True):
    """A question that is open: `seats` are asked and have `seconds` to answer (None: no clock).

    `key` names the question within its set. As long as it stays the same it is the same question, though some of the
    seats may have answered; a new key is a new question, with a clock of its own.
    """

    key: str
    seats: tuple[int, ...]
    seconds: int | None


class SetEnded(msgspec.Struct, frozen=True, tag="table.set_ended"):
    """The set is over. `scores` one a seat (integers; tenths where the game keeps decimals), None: it is not scored."""

    outcome: str
    scores: tuple[int | None, ...] | None = None


class Standing(msgspec.Struct, frozen=True):
    """What a game may look at to say whether the whole game is over: after a set that was scored."""

    options: Any
    outcome: str
    totals: tuple[int, ...]
    scored_sets: int
    away: tuple[bool, ...]  # whose owner has left and is still away


class Verdict(msgspec.Struct, frozen=True):
    """The game's end: why (`target`, `max_sets`, ...) and the winning seats, ascending."""

    ended: str
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One game: its identity, its options, and the functions that hold its rules.

    `State`, `Move` and events are the game's own frozen structs, opaque to everybody else.
    """

    slug: str
    ruleset: str  # `<slug>/<n>`, written into every table; never edited, only followed by a new one
    seats: tuple[int, int]  # fewest and most
    options: type[msgspec.Struct]
    presets: Mapping[str, Mapping[str, str]]
    implied: Callable[[Mapping[str, Any]], Mapping[str, Any]]
    """Options that follow from those somebody chose and did not choose himself."""
    check: Callable[[Any], None]
    """Refuses options that do not go together, or are not on offer: Rejected `bad_options`, ..."""
    events: tuple[type, ...]
    away_after: int  # how many expiries in a row make a seat away
    clauses: Mapping[str, str]
    """The clause for what may be wrong in a record around its moves: `pack`, `scores`, an outcome's name (audit)."""

    start: Callable[[Setup, Source | None], Any]
    """The state after a deal; without a source (nobody holds the seed) the public part of it."""
    opening: Callable[[Any], tuple[Any, ...]]
    """The facts that follow from the deal at once: a card shown, a hand that cannot be played (then SetEnded too)."""
    to_act: Callable[[Any], tuple[Ask, ...]]
    legal: Callable[[Any, int], tuple[Any, ...]]
    """The moves the seat may make now; empty when it is not asked. `decide` accepts exactly these."""
    decide: Callable[[Any, int, Any, bool], tuple[Any, ...]]
    """The facts that a seat's move causes (the last argument: made by the clock); Rejected with code and clause."""
    evolve: Callable[[Any, Any, Source | None], Any]
    shuffles: frozenset[type]
    """Events for which `evolve` wants a source (a reshuffle in the middle of a set)."""
    public_move: Callable[[Any], str | None]
    """The event as a move in a record (`3 play QS`, `0 auto call 2`); None for events that are not moves."""
    timeout: Callable[[Any, int], Any]
    """The move that the clock makes for a seat that is asked."""
    next_dealer: Callable[[Any], int]
    """Who deals after this set."""
    after_set: Callable[[Standing], Verdict | None]
    observe: Callable[[Any, int | None], Any]
    """What one seat (None: a spectator) may know: built up from an allow-list, never filtered down."""
    guess: Callable[[Any, Source], Any]
    """A full state that fits an observation, the unknown dealt by the source; for search and for tests."""
    scene: Callable[[Any], Scene]
    parse: Callable[[str, Any], Any]
    """The move that a person means, read with his observation; Rejected malformed or ambiguous."""
    notation: Callable[[Any], str]
    read: Callable[[str], Any]
    """The move of an exact notation, as records hold it; Rejected `not_a_move`."""
    player: Callable[[str, Any], Any]
    """The move of a computer player of a level (`steady`), who is handed an observation and nothing else."""
    extra: Callable[[Any], dict[str, Any]]
    """What a record says of a finished set beside its moves (`extra` there)."""
    pack: Callable[[Setup], tuple[int, ...]]
    """The cards that `deal:<n>` orders, in any order."""
    card_name: Callable[[int], str]
    tenths: Callable[[Any], bool]
    """Whether scores under these options are integer tenths, written with one decimal."""


def asked(asks: Sequence[Ask], seat: int) -> Ask | None:
    """The question that the seat is asked, or None."""
    for ask in asks:
        if seat in ask.seats:
            return ask
    return None
