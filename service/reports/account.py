"""What an account of a table holds: plain values, the same whether they become text, JSON or a page."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

FORMAT = "tabletalk-audit/1"

DealIs = Literal["verified", "fits", "sealed", "wrong"]
"""`verified`: the seed is the one that was promised and the cards were dealt from it; `fits`: it is the one that was
promised, but the shuffle was not done again; `sealed`: it is not revealed yet; `wrong`: it is another one."""
MovesAre = Literal["right", "unjudged", "wrong"]


class Fault(msgspec.Struct, frozen=True):
    """The first thing that is wrong. `kind`: `chain` (`gap` or `hash` in `code`), `form` (two readers might see two
    things: `not_as_stored`, `command_again`, `time_out_of_bounds`), `unreadable` (an event that this release does not
    know), `senseless` (the rules can make nothing of it) or `rules` (a finding of the audit)."""

    kind: Literal["chain", "form", "unreadable", "senseless", "rules"]
    code: str
    version: int | None = None
    set: int | None = None
    move: int | None = None
    clause: str | None = None
    values: dict[str, Any] = {}


class Automatic(msgspec.Struct, frozen=True):
    """A move that the clock made for a seat, as a record tells it."""

    version: int
    seat: int
    move: str


class Offence(msgspec.Struct, frozen=True):
    """A move against the rules: whose, what it is called, the move and its version, the card that proves it, the move
    that showed that card and its version (None: the cards were opened); whether the table convicted the seat."""

    seat: int
    what: str
    move: str
    version: int | None
    card: str
    shown_by: str
    shown_at: int | None
    convicted: bool


class Accusation(msgspec.Struct, frozen=True):
    """That a seat called another one's conduct in question."""

    version: int
    seat: int
    accused: int
    move: str


class Penalty(msgspec.Struct, frozen=True):
    """A row of the score sheet that is a penalty: for which set, in which set's row, a value a seat. `due`: the rules
    say it; `version`: where it was written (None: it is missing); `evidence`: the events that it follows from, as they
    are stored."""

    set: int
    row: int
    kind: str
    values: tuple[int | None, ...]
    due: bool
    version: int | None
    evidence: tuple[dict[str, Any], ...] = ()


class Act(msgspec.Struct, frozen=True):
    """What somebody did by right of office: `act` (`pause`, `void`, ...), who, and what followed (tags of events).

    `reason`: the SHA-256 (hex) of its words; `why`: the words, where they are kept and fit it; `what`: the move that
    names what a penalty is for."""

    version: int
    time: int
    set: int
    actor: str
    act: str
    reason: str
    effects: tuple[str, ...]
    why: str = ""
    what: str = ""


class SetAccount(msgspec.Struct, frozen=True):
    """A set: one deal, from 1. `commitment` was published before it, `seed` (hex) revealed at the version `revealed`.

    `open`: it is still played, or its conduct may still be questioned: until then nobody is told what its cards prove.
    """

    set: int
    version: int
    dealer: int
    deal: int
    commitment: str
    deal_is: DealIs
    moves: int
    moves_are: MovesAre
    seed: str | None = None
    revealed: int | None = None
    outcome: str | None = None
    scores: tuple[int | None, ...] | None = None
    void: bool = False
    undone: bool = False
    open: bool = False
    automatic: tuple[Automatic, ...] = ()
    accusations: tuple[Accusation, ...] = ()
    offences: tuple[Offence, ...] = ()


class SeatAccount(msgspec.Struct, frozen=True):
    """Who has a seat in the end: an opaque id."""

    seat: int
    owner: str


class Account(msgspec.Struct, frozen=True):
    """The whole. `verdict`: `right`, `wrong` (`fault` says what first), or `unjudged`: chain and promises hold, and the
    deals as far as they could be made again (`deal_is`), but the ruleset is none that is known here. `words_unjudged`:
    dictionaries that this release does not have."""

    table: str
    game: str
    ruleset: str
    options: dict[str, Any]
    verdict: Literal["right", "wrong", "unjudged"]
    commits: int
    fingerprint: str
    began: int
    last: int
    seats: tuple[SeatAccount, ...] = ()
    fault: Fault | None = None
    words_unjudged: tuple[str, ...] = ()
    sets: tuple[SetAccount, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    acts: tuple[Act, ...] = ()
    ended: str | None = None
    winners: tuple[int, ...] = ()
    tenths: bool = False
