"""What happened at a table: the facts of the table itself, and the one form in which all events are stored.

A fact is declared storage: its tag, field names and meaning stay for ever (a second version is a tag with `.2`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Union

import msgspec

from domain.clock import Quiet, Stop
from domain.game import SetEnded
from domain.games import GAMES


class Opened(msgspec.Struct, frozen=True, tag="table.opened", omit_defaults=True):
    """A table was opened; `options` are those that differ from the ruleset's defaults. Holds the first seed, sealed."""

    game: str
    ruleset: str
    options: dict[str, Any]
    host: str
    commitment: bytes
    sealed: bytes


class Joined(msgspec.Struct, frozen=True, tag="table.joined"):
    """`owner` took the next free seat."""

    owner: str


class Unseated(msgspec.Struct, frozen=True, tag="table.unseated"):
    """The lobby's seat is free again; later seats move up."""

    seat: int


class OptionsSet(msgspec.Struct, frozen=True, tag="table.options_set"):
    """The options that now differ from the defaults."""

    options: dict[str, Any]


class DeckCut(msgspec.Struct, frozen=True, tag="table.deck_cut"):
    """A seat cut the cards."""

    seat: int
    number: int


class Started(msgspec.Struct, frozen=True, tag="table.started"):
    """The game began; `how` the first dealer was found: `host` or `random` (from the seed, label `dealer`)."""

    how: str
    dealer: int


class Dealt(msgspec.Struct, frozen=True, tag="table.dealt", omit_defaults=True):
    """Cards were dealt: the shuffle `deal:<deal>` of the current seed. The first deal of a seed brings the next one."""

    dealer: int
    deal: int
    commitment: bytes = b""
    sealed: bytes = b""


class Decision(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """An open question: its id, the game's key for it, who is asked, since when and for how long (None: no clock)."""

    id: int
    key: str
    seats: tuple[int, ...]
    start: int
    seconds: int | None = None
    quiet: Quiet | None = None


class Asked(msgspec.Struct, frozen=True, tag="table.asked"):
    """The decisions that are open from now on, all of them."""

    open: tuple[Decision, ...]


class Expired(msgspec.Struct, frozen=True, tag="table.expired"):
    """A decision's time was over for these seats; the game's own rule acts for them. `counts`: not away before."""

    decision: int
    seats: tuple[int, ...]
    counts: bool


class Present(msgspec.Struct, frozen=True, tag="table.present"):
    """A seat whose time had run out acted again: its expiries in a row are forgotten."""

    seat: int


class Left(msgspec.Struct, frozen=True, tag="table.left"):
    """A seat's owner left the game."""

    seat: int


class Returned(msgspec.Struct, frozen=True, tag="table.returned"):
    """A seat's owner who had left is back."""

    seat: int


class OutageNoted(msgspec.Struct, frozen=True, tag="table.outage_noted"):
    """Clocks did not run in this interval."""

    stop: Stop


class Proposed(msgspec.Struct, frozen=True, tag="table.proposed", omit_defaults=True):
    """A proposal was made: `end`, or `seat`: the proposer takes it over."""

    what: str
    by: str
    seat: int | None = None


class Agreed(msgspec.Struct, frozen=True, tag="table.agreed"):
    """A seat agreed to the open proposal."""

    seat: int


class Declined(msgspec.Struct, frozen=True, tag="table.declined"):
    """A seat declined the open proposal, which is off."""

    seat: int


class SeatTaken(msgspec.Struct, frozen=True, tag="table.seat_taken"):
    """Another person took over a seat, its cards and its column."""

    seat: int
    owner: str


class RowWritten(msgspec.Struct, frozen=True, tag="table.row_written"):
    """A row of the score sheet: the set's index (from 0, void ones too) and a value a seat (None: an empty cell)."""

    set: int
    values: tuple[int | None, ...]
    kind: str = "score"


class SeedRevealed(msgspec.Struct, frozen=True, tag="table.seed_revealed"):
    """The seed whose commitment was published before the deal."""

    seed: bytes


class Over(msgspec.Struct, frozen=True, tag="table.over"):
    """The game is over: why, and the winning seats."""

    ended: str
    winners: tuple[int, ...]


TableEvent = (
    Opened
    | Joined
    | Unseated
    | OptionsSet
    | DeckCut
    | Started
    | Dealt
    | Asked
    | Expired
    | Present
    | Left
    | Returned
    | OutageNoted
    | Proposed
    | Agreed
    | Declined
    | SeatTaken
    | SetEnded
    | RowWritten
    | SeedRevealed
    | Over
)
TABLE_EVENTS: tuple[type, ...] = TableEvent.__args__
EVERY_EVENT: tuple[type, ...] = TABLE_EVENTS + tuple(kind for game in GAMES.values() for kind in game.events)

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[tuple[Any, ...]] = msgspec.json.Decoder(tuple[Union[EVERY_EVENT], ...])  # type: ignore[valid-type]  # noqa: UP007


class UnknownEvent(Exception):
    """Stored bytes that this release cannot read: an event it does not know, or no events at all."""


def encode(events: Iterable[Any]) -> bytes:
    """The stored bytes of the events of a commit: a JSON list of tagged objects."""
    return _encoder.encode(tuple(events))


def decode(data: bytes) -> tuple[Any, ...]:
    """The events of stored bytes; raises UnknownEvent."""
    try:
        return _decoder.decode(data)
    except msgspec.DecodeError as error:
        raise UnknownEvent(str(error)) from None
