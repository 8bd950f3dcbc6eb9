"""What somebody asks of a table: a command, and the acts it may carry."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from domain.clock import Quiet, Stop
from domain.game import Decided, Hidden, Ruling
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
    """A proposal that the other owners must agree to: `end` the game (CB-45), `pause` it, `stand_in_on` or
    `stand_in_off`, `kick` the owner of `seat` out, or `seat`: the actor, a newcomer, takes `seat` over (CB-61, where
    no option `substitute` forbids it)."""

    what: str
    seat: int | None = None


class Answer(msgspec.Struct, frozen=True):
    """The actor agrees, or not, to the open proposal; who made it or agreed to it takes that back by not agreeing."""

    agree: bool


# Acts of an administrator (`Command.admin`), of the operator or the chat; some are open to others too. A reason's text
# is kept elsewhere and may be forgotten there; its SHA-256 (hex, "" for none) stays in the history.


class Close(msgspec.Struct, frozen=True):
    """The lobby, or the game, is closed without a winner."""

    reason_hash: str = ""


class Pause(msgspec.Struct, frozen=True):
    """The table pauses: no clock runs and nobody moves. By an administrator, or by the clock (the chat is gone,
    maintenance); players agree to it by `Propose`."""

    reason_hash: str = ""


class Resume(msgspec.Struct, frozen=True):
    """The table goes on: by an administrator; where the players paused it by any of them; where the clock did by it."""

    reason_hash: str = ""


class AwayUntil(msgspec.Struct, frozen=True):
    """The actor's seat is on vacation until then (milliseconds UTC): questions to it alone have their clock stopped."""

    until: int


class SetStandIn(msgspec.Struct, frozen=True):
    """Whether a computer player takes an absent owner's seat until he is back: in the lobby by whoever arranges it, in
    a running game by an administrator (players agree to it by `Propose`)."""

    on: bool
    reason_hash: str = ""


class Kick(msgspec.Struct, frozen=True):
    """The owner of a seat has to go, and cannot come back by himself."""

    seat: int
    reason_hash: str = ""


class Replace(msgspec.Struct, frozen=True):
    """The seat goes to another person (`person:<id>`), cards, column and history with it."""

    seat: int
    owner: str
    reason_hash: str = ""


class Void(msgspec.Struct, frozen=True):
    """The set that is being played does not count."""

    reason_hash: str = ""


class Penalty(msgspec.Struct, frozen=True):
    """What a seat did is punished as the rules say, on the evidence of the cards on the table: `move` names it as an
    accusation would. As long as it may be objected to, and only where it is proved."""

    move: Any
    reason_hash: str = ""


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
    | Pause
    | Resume
    | AwayUntil
    | SetStandIn
    | Kick
    | Replace
    | Void
    | Penalty
)


class Command(Veiled, frozen=True):
    """What somebody asks for. `time` is integer milliseconds UTC; `id` makes it happen once; `decision` the open
    question it answers (None: whatever the seat is asked now); `seat` tells apart the seats of one owner (computer
    players); `fresh` is the next seed, used where a set starts; `quiet` the chat's quiet hours in force; `admin`: the
    service found the actor to be an administrator of the chat. What a move brings beside itself
    (`domain.game.Brought`): `verdict` (a word's), `order` (a message's id), `hidden`, `salt`. `kept`: what a deal
    brings of earlier tables (`domain.game.Setup`)."""

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
    admin: bool = False
    kept: tuple[Decided, ...] = ()
