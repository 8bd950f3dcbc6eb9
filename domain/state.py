"""The state of a table: what is known of one game, its seats and its score sheet after a number of commits."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from domain.clock import Stop
from domain.events import Decision
from domain.game import Game, Row, Verdict
from domain.shuffle import NO_MOVES
from domain.veiled import Veiled

__all__ = ["STAND_IN", "Proposal", "Row", "Seat", "Table"]


class Seat(msgspec.Struct, frozen=True):
    """A seat: its owner (`person:<id>`, `computer:<level>`), expiries in a row, whether the owner has left, or had to.

    `vacation` is the last one that its owner took, which may lie ahead, be over or be running; `vacations` are those
    before that an open decision may still know of, `spent` the milliseconds of those that none does.
    """

    owner: str
    expiries: int = 0
    left: bool = False
    cut: bool = False
    kicked: bool = False
    vacation: Stop | None = None
    vacations: tuple[Stop, ...] = ()
    spent: int = 0

    @property
    def computer(self) -> bool:
        """Whether a computer player owns it."""
        return self.owner.startswith("computer:")


class Proposal(msgspec.Struct, frozen=True):
    """What somebody proposed and who has agreed so far."""

    what: str
    by: str
    seat: int | None
    agreed: tuple[int, ...] = ()


class Table(Veiled, frozen=True):
    """A table's state after a number of commits. `seed` and `next_seed` are None for whoever has no key."""

    _shown: ClassVar[tuple[str, ...]] = ("id", "phase")

    id: str
    rules: Game
    options: Any
    host: str
    commitment: bytes
    phase: str = "lobby"  # lobby, playing, over
    host_left: bool = False  # the host gave his seat in the lobby up
    seats: tuple[Seat, ...] = ()
    digest: bytes = NO_MOVES
    seed: bytes | None = None
    next_commitment: bytes = b""
    next_seed: bytes | None = None
    deals: int = 0  # dealt under the current seed
    sets: int = 0  # sets begun, void ones too
    scored: int = 0  # sets that were not void: one seed each
    unscored: int = 0  # sets in a row without scores
    best: int = 0  # the highest total there has been
    since_best: int = 0  # sets with scores since then
    dealer: int = -1
    set: Any = None
    decisions: tuple[Decision, ...] = ()
    held: tuple[Decision, ...] = ()  # those that are interrupted: their clocks stand still
    held_since: int = 0
    asked: int = 0  # the last decision's id
    rows: tuple[Row, ...] = ()
    totals: tuple[int, ...] = ()
    stops: tuple[Stop, ...] = ()
    paused: str | None = None  # by whom: agreement, admin, clock
    paused_at: int = 0
    paused_why: str = ""  # the SHA-256 (hex) of the clock's reason
    stand_in: bool = False  # a computer player takes the seat of an absent owner until he is back
    proposal: Proposal | None = None
    last_set: tuple[str, tuple[int | None, ...] | None] | None = None
    """The last set that ended: its outcome and scores."""
    contested: Any = None  # the last state of an earlier set whose conduct may still be questioned
    contested_set: int = -1  # its index
    questioned: int = 0  # facts about anybody's conduct there have been (`Game.late`)
    pending: Verdict | None = None  # the result that waits to be confirmed
    unpunished: tuple[int, ...] = ()  # the totals before the penalties of the last set, where there are any
    ended: str | None = None
    winners: tuple[int, ...] = ()


STAND_IN = "computer:steady"
"""The computer player that takes the seat of an absent owner (`Table.stand_in`)."""
