"""What somebody asks of a table: a command, and the acts it may carry."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from domain.clock import Quiet, Stop
from domain.game import Hidden, Ruling
from domain.veiled import Veiled


class Fresh(msgspec.Struct, frozen=True):
    """A new seed, of which only its SHA-256 and its sealed form may be seen; the service draws it, never the rules."""

    commitment: bytes
    sealed: bytes


class Open(msgspec.Struct, frozen=True):
    """Opens a table of a game with these options (the game's struct). The actor is the host and takes the first seat
    unless `seated` is false (an operator who lets computer players play)."""

    game: str
    options: Any
    seated: bool = True


class Join(msgspec.Struct, frozen=True):
    """The actor takes a seat in the lobby."""


class AddComputer(msgspec.Struct, frozen=True):
    """A computer player takes a seat in the lobby."""

    level: str = "steady"


class RemoveComputer(msgspec.Struct, frozen=True):
    """The last computer player leaves the lobby."""


class SetOptions(msgspec.Struct, frozen=True):
    """The table's options, all of them (the game's struct), until it starts."""

    options: Any


class CutDeck(msgspec.Struct, frozen=True):
    """The actor cuts the cards before the first deal: a number from 0 to 51 that goes into every shuffle."""

    number: int


class Start(msgspec.Struct, frozen=True):
    """The game starts; the first dealer is `dealer`, or found by the game's own rule from the seed (CB-5)."""

    dealer: int | None = None


class Move(msgspec.Struct, frozen=True):
    """A move of the game, by the seat the actor owns."""

    move: Any


class Leave(msgspec.Struct, frozen=True):
    """The actor leaves: the lobby's seat is free again; in a running game the seat is played by the clock (CB-61)."""


class Return(msgspec.Struct, frozen=True):
    """The actor is back at his seat."""


class Expire(msgspec.Struct, frozen=True):
    """A decision's time may be over. `outages` are intervals in which no clock ran, recorded before it is judged."""

    decision: int
    outages: tuple[Stop, ...] = ()


class NoteOutage(msgspec.Struct, frozen=True):
    """The service was down for an interval; clocks did not run."""

    stop: Stop


class Propose(msgspec.Struct, frozen=True):
    """A proposal that the other owners must agree to: `end` the game (CB-45), or `seat`: the actor, a newcomer, takes
    `seat` over (CB-61, option `substitute`)."""

    what: str
    seat: int | None = None


class Answer(msgspec.Struct, frozen=True):
    """The actor agrees, or not, to the open proposal; who made it or agreed to it takes that back by not agreeing."""

    agree: bool


class Close(msgspec.Struct, frozen=True):
    """The lobby, or the game, is closed without a winner."""


Act = (
    Open
    | Join
    | AddComputer
    | RemoveComputer
    | SetOptions
    | CutDeck
    | Start
    | Move
    | Leave
    | Return
    | Expire
    | NoteOutage
    | Propose
    | Answer
    | Close
)


class Command(Veiled, frozen=True):
    """What somebody asks for. `time` is integer milliseconds UTC; `id` makes it happen once; `decision` the open
    question it answers (None: whatever the seat is asked now); `seat` tells apart the seats of one owner (computer
    players); `fresh` is the next seed, used where a set starts; `quiet` the chat's quiet hours in force. What a move
    brings beside itself (`domain.game.Brought`): `verdict` (a word's), `order` (a message's id), `hidden`, `salt`."""

    _shown: ClassVar[tuple[str, ...]] = ("table", "actor", "time", "id")

    table: str
    actor: str
    time: int
    id: str
    act: Act
    decision: int | None = None
    seat: int | None = None
    fresh: Fresh | None = None
    quiet: Quiet | None = None
    verdict: Ruling | None = None
    order: int = 0
    salt: bytes = b""
    hidden: Hidden | None = None
