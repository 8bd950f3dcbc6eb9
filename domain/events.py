"""What happened at a table: the facts of the table itself, and the one form in which all events are stored.

A fact is declared storage: its tag, field names and meaning stay for ever (a second version is a tag with `.2`). A
field at its default is not stored, so a later field with a default changes no bytes; the structs that are stored as
arrays (a decision, a stop, quiet hours) keep the fields they have.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, Union

import msgspec

from domain.clock import Quiet, Stop
from domain.game import Decided, Game, SetEnded
from domain.games import GAMES


class Opened(msgspec.Struct, frozen=True, tag="table.opened", omit_defaults=True):
    """A table was opened; `options` are those that differ from the ruleset's defaults. Holds the first seed, sealed."""

    game: str
    ruleset: str
    options: dict[str, Any]
    host: str
    commitment: bytes
    sealed: bytes


class Joined(msgspec.Struct, frozen=True, tag="table.joined", omit_defaults=True):
    """`owner` took the next free seat."""

    owner: str


class Unseated(msgspec.Struct, frozen=True, tag="table.unseated", omit_defaults=True):
    """The lobby's seat is free again; later seats move up."""

    seat: int


class OptionsSet(msgspec.Struct, frozen=True, tag="table.options_set", omit_defaults=True):
    """The options that now differ from the defaults."""

    options: dict[str, Any]


class DeckCut(msgspec.Struct, frozen=True, tag="table.deck_cut", omit_defaults=True):
    """A seat cut the cards."""

    seat: int
    number: int


class Started(msgspec.Struct, frozen=True, tag="table.started", omit_defaults=True):
    """The game began; `how` the first dealer was found: `host`, or from the seed (label `dealer`) `random` or `seven`;
    and the cards that were drawn for it."""

    how: str
    dealer: int
    draws: tuple[int, ...] = ()


class Dealt(msgspec.Struct, frozen=True, tag="table.dealt", omit_defaults=True):
    """Cards were dealt: the shuffle `deal:<deal>` of the current seed. The first deal of a seed brings the next one.

    `playing`: the seats dealt in, where some are out. `kept`: what earlier tables of the home decided about words.
    """

    dealer: int
    deal: int
    commitment: bytes = b""
    sealed: bytes = b""
    playing: tuple[int, ...] = ()
    kept: tuple[Decided, ...] = ()


class Decision(msgspec.Struct, frozen=True, array_like=True):
    """An open question: its id, the game's key for it, who is asked, since when and for how long (None: no clock)."""

    id: int
    key: str
    seats: tuple[int, ...]
    start: int
    seconds: int | None = None
    quiet: Quiet | None = None


class Asked(msgspec.Struct, frozen=True, tag="table.asked", omit_defaults=True):
    """The decisions that are open from now on, all of them. `held`: those that are interrupted, whose clocks stand
    still; `stop`: when they did, now that they are open again."""

    open: tuple[Decision, ...]
    held: tuple[Decision, ...] = ()
    stop: Stop | None = None


class Expired(msgspec.Struct, frozen=True, tag="table.expired", omit_defaults=True):
    """A decision's time was over for these seats; the game's own rule acts for them. `counts`: it makes them away in
    the end (they were not before, and the game says that it does)."""

    decision: int
    seats: tuple[int, ...]
    counts: bool = True


class Present(msgspec.Struct, frozen=True, tag="table.present", omit_defaults=True):
    """A seat whose time had run out acted again: its expiries in a row are forgotten."""

    seat: int


class Left(msgspec.Struct, frozen=True, tag="table.left", omit_defaults=True):
    """A seat's owner left the game."""

    seat: int


class Returned(msgspec.Struct, frozen=True, tag="table.returned", omit_defaults=True):
    """A seat's owner who had left is back."""

    seat: int


class OutageNoted(msgspec.Struct, frozen=True, tag="table.outage_noted", omit_defaults=True):
    """Clocks did not run in this interval."""

    stop: Stop


class Proposed(msgspec.Struct, frozen=True, tag="table.proposed", omit_defaults=True):
    """A proposal was made: `end`, `pause`, `stand_in_on`, `stand_in_off`, `kick`: the owner of `seat` has to go, or
    `seat`: the proposer takes it over."""

    what: str
    by: str
    seat: int | None = None


class Agreed(msgspec.Struct, frozen=True, tag="table.agreed", omit_defaults=True):
    """A seat agreed to the open proposal."""

    seat: int


class Declined(msgspec.Struct, frozen=True, tag="table.declined", omit_defaults=True):
    """A seat declined the open proposal, or took its agreement back; the proposal is off."""

    seat: int


class ProposalOff(msgspec.Struct, frozen=True, tag="table.proposal_off", omit_defaults=True):
    """The open proposal is off: `withdrawn` by whoever made it, or `nobody_left` to agree to it."""

    why: Literal["withdrawn", "nobody_left"]


class SeatTaken(msgspec.Struct, frozen=True, tag="table.seat_taken", omit_defaults=True):
    """Another person took over a seat, its cards and its column."""

    seat: int
    owner: str


class AdminActed(msgspec.Struct, frozen=True, tag="table.admin_acted", omit_defaults=True):
    """What follows in this commit, its actor did as an administrator, the operator or the chat: `pause`, `resume`,
    `stand_in`, `kick`, `replace`, `void`, `penalty` or `close`. `reason`: the SHA-256 (hex) of the words it was given;
    `what`: the move that names what a penalty is for, in notation."""

    act: str
    reason: str = ""
    what: str = ""


class Paused(msgspec.Struct, frozen=True, tag="table.paused", omit_defaults=True):
    """The table paused at `start` (milliseconds UTC), by `agreement` of the players, an `admin` or the `clock`.

    `why`: the SHA-256 (hex) of the clock's reason; an administrator's is in `table.admin_acted`."""

    by: Literal["agreement", "admin", "clock"]
    start: int
    why: str = ""


class Resumed(msgspec.Struct, frozen=True, tag="table.resumed", omit_defaults=True):
    """The table goes on; no clock ran from the pause's start until `end` (milliseconds UTC)."""

    end: int


class OnVacation(msgspec.Struct, frozen=True, tag="table.vacation", omit_defaults=True):
    """A seat's owner is on vacation: until then (milliseconds UTC) no clock runs for what is asked of it alone. One
    that was running ends where this one starts."""

    seat: int
    start: int
    until: int


class VacationEnded(msgspec.Struct, frozen=True, tag="table.vacation_ended", omit_defaults=True):
    """A seat's owner is back before his vacation's end, at `end` (milliseconds UTC)."""

    seat: int
    end: int


class StandInSet(msgspec.Struct, frozen=True, tag="table.stand_in_set", omit_defaults=True):
    """Whether a computer player takes the seat of an absent owner until he is back."""

    on: bool


class Kicked(msgspec.Struct, frozen=True, tag="table.kicked", omit_defaults=True):
    """A seat's owner had to go: he has left, and does not come back by himself."""

    seat: int


class RowWritten(msgspec.Struct, frozen=True, tag="table.row_written", omit_defaults=True):
    """A row of the score sheet: the set's index (from 0, void ones too) and a value a seat (None: an empty cell)."""

    set: int
    values: tuple[int | None, ...]
    kind: str = "score"


class ResultAwaited(msgspec.Struct, frozen=True, tag="table.result_awaited", omit_defaults=True):
    """The game is over, why and with which winners, unless somebody objects before the seats have confirmed it."""

    ended: str
    winners: tuple[int, ...]


class SetUndone(msgspec.Struct, frozen=True, tag="table.set_undone", omit_defaults=True):
    """A set that had been scored (its index, from 0) counts no more: its scores are taken out of the sheet."""

    set: int
    outcome: str


class SeedRevealed(msgspec.Struct, frozen=True, tag="table.seed_revealed", omit_defaults=True):
    """The seed whose commitment was published before the deal."""

    seed: bytes


class Over(msgspec.Struct, frozen=True, tag="table.over", omit_defaults=True):
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
    | ProposalOff
    | SeatTaken
    | AdminActed
    | Paused
    | Resumed
    | OnVacation
    | VacationEnded
    | StandInSet
    | Kicked
    | SetEnded
    | RowWritten
    | ResultAwaited
    | SetUndone
    | SeedRevealed
    | Over
)
TABLE_EVENTS: tuple[type, ...] = TableEvent.__args__
EVERY_EVENT: tuple[type, ...] = TABLE_EVENTS + tuple(kind for game in GAMES.values() for kind in game.events)

Decoder = msgspec.json.Decoder[tuple[Any, ...]]
_encoder = msgspec.json.Encoder()


class UnknownEvent(Exception):
    """Stored bytes that this release cannot read: an event it does not know, or no events at all."""


def decoder(games: Iterable[Game]) -> Decoder:
    """A decoder of the table's events and those of some games, for `decode`."""
    kinds = TABLE_EVENTS + tuple(kind for game in games for kind in game.events)
    return msgspec.json.Decoder(tuple[Union[kinds], ...])  # type: ignore[valid-type]  # noqa: UP007


_every_game = decoder(GAMES.values())


def encode(events: Iterable[Any]) -> bytes:
    """The stored bytes of the events of a commit: a JSON list of tagged objects."""
    return _encoder.encode(tuple(events))


def decode(data: bytes, known: Decoder | None = None) -> tuple[Any, ...]:
    """The events of stored bytes, of every game where no decoder is named; raises UnknownEvent."""
    try:
        return (known or _every_game).decode(data)
    except msgspec.DecodeError as error:
        raise UnknownEvent(str(error)) from None
