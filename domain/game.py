"""The Game record that every game fills: a record of functions, not a base class.

A game's state is one set: one deal played to its end. Seats, rows, seeds and the order of sets belong to the table
(`domain.table`), which asks the game through this record and knows nothing else of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import msgspec

from domain.rejected import Rejected
from domain.scene import Scene
from domain.shuffle import Source
from domain.veiled import Veiled

__all__ = [
    "BY_CLOCK",
    "CLAUSES",
    "PLAIN",
    "Adjustment",
    "Ask",
    "Brought",
    "Deal",
    "Decided",
    "FirstDealer",
    "Game",
    "Gone",
    "Hidden",
    "Lexicon",
    "Rejected",
    "Row",
    "Ruling",
    "SetEnded",
    "Setup",
    "Standing",
    "Verdict",
    "asked",
]


class Decided(msgspec.Struct, frozen=True, array_like=True):
    """What players decided about a word, against a dictionary: whether it counts; `of`: the word of whose family it was
    said to be, where that was the question."""

    word: str
    of: str
    counts: bool


class Setup(msgspec.Struct, frozen=True):
    """What a set starts from. `deal` numbers the deals under one seed, from 1: the pack's label is `deal:<deal>`.

    `playing` are the seats that are dealt in, ascending; all of them where none is named. `totals` are those at the
    deal (all zero where none are named): nothing that follows from the rules may hang on them, only how one plays.
    `kept` is what the players of earlier tables of the home decided about words.
    """

    options: Any
    seats: int
    dealer: int
    deal: int
    playing: tuple[int, ...] = ()
    totals: tuple[int, ...] = ()
    kept: tuple[Decided, ...] = ()

    def __post_init__(self) -> None:
        if not self.playing:
            msgspec.structs.force_setattr(self, "playing", tuple(range(self.seats)))
        if not self.totals:
            msgspec.structs.force_setattr(self, "totals", (0,) * self.seats)


class Ask(msgspec.Struct, frozen=True):
    """A question that is open: `seats` are asked and have `seconds` to answer (None: no clock).

    `key` names the question within its set. As long as it stays the same it is the same question, though some of the
    seats may have answered; a new key is a new question, with a clock of its own. `counts`: whether letting it expire
    makes a seat away in the end; `away_seconds`: the time of a seat that is away already. `interrupts`: as long as it
    is open the clocks of what had been asked before stand still.
    """

    key: str
    seats: tuple[int, ...]
    seconds: int | None
    counts: bool = True
    away_seconds: int = 0
    interrupts: bool = False


class SetEnded(msgspec.Struct, frozen=True, tag="table.set_ended", omit_defaults=True):
    """The set is over. `scores` one a seat (integers; tenths where the game keeps decimals; None for a seat that was
    out), or None: no row is written. `void`: the set does not count, and its seed serves the next deal too."""

    outcome: str
    scores: tuple[int | None, ...] | None = None
    void: bool = False


class Row(msgspec.Struct, frozen=True, array_like=True):
    """A row of the score sheet: set index, a value a seat (None: empty), kind `score`, `penalty` or `negated`."""

    set: int
    values: tuple[int | None, ...]
    kind: str


class Adjustment(msgspec.Struct, frozen=True):
    """A row of the score sheet beside those of the scores: its kind, and a value a seat (None: an empty cell).

    `set`: the index of the set that it belongs to (None: the set that has ended). One of the kind `negated` takes the
    place of the seat's score of that set.
    """

    kind: str
    values: tuple[int | None, ...]
    set: int | None = None


class Standing(Veiled, frozen=True):
    """What a game may look at between sets, and when somebody has left.

    `outcome` and `scores` are those of the set that has just ended ("" and None while one is being played), `totals`
    include them, `scored_sets` counts the sets that were not void, `left` says whose owner has left and is still away,
    `final` is the game's own state (after the set, its last), `adjusted` the rows there are beside those of the scores.
    `rows` is the whole sheet, `set` the index of the set that it is about.
    """

    options: Any
    outcome: str
    scores: tuple[int | None, ...] | None
    totals: tuple[int, ...]
    scored_sets: int
    left: tuple[bool, ...]
    final: Any
    adjusted: tuple[Adjustment, ...] = ()
    rows: tuple[Row, ...] = ()
    set: int = -1


class Breach(msgspec.Struct, frozen=True):
    """A move against the rules that cards on the table prove: whose, what it is called, the move in notation, the card
    that proves it, and the move that showed that card ("" where the cards were opened, or it was shown before).

    `settled`: it has cost what the rules say, without anybody objecting."""

    seat: int
    what: str
    move: str
    card: int
    shown_by: str = ""
    settled: bool = False


class Verdict(msgspec.Struct, frozen=True):
    """The game's end: why (`target`, `max_sets`, ...) and the winning seats, ascending."""

    ended: str
    winners: tuple[int, ...]


class Deal(msgspec.Struct, frozen=True):
    """Who deals the next set, and the seats that are dealt in (all where none is named)."""

    dealer: int
    playing: tuple[int, ...] = ()


class FirstDealer(msgspec.Struct, frozen=True):
    """How the first dealer was found (`random`, `seven`, `host`), who it is, and the cards drawn for it, in order."""

    how: str
    seat: int
    draws: tuple[int, ...] = ()


class Ruling(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a dictionary says of a word. `word`: folded to the letters a to z; `reason`: a code where it is refused
    (`not_in_dictionary`, `plural`, `proper_noun`, ...), `of`: the word that it is a form of; `families`: ids, of which
    two words of one family share one; `shown`: the word as it is written, with its accents ("": as folded)."""

    word: str
    accepted: bool
    reason: str = ""
    of: str = ""
    families: tuple[int, ...] = ()
    shown: str = ""


class Lexicon(Protocol):
    """A dictionary: `name` says which, and its version (`en-1`)."""

    name: str

    def rule(self, word: str) -> Ruling:
        """The verdict on whatever somebody wrote."""
        ...

    def common(self, initial: str) -> Sequence[str]:
        """Headwords, folded, that begin with a letter, the most frequent first; none that one would not suggest."""
        ...


class Hidden(Veiled, frozen=True):
    """A choice that nobody may know yet: SHA-256(salt || choice), and (salt || choice), sealed by the service."""

    commitment: bytes
    sealed: bytes


SALT = 16
"""Bytes of a hidden choice's salt."""


class Brought(Veiled, frozen=True):
    """What a move brings beside itself. `auto`: the clock makes it; `verdict`: what a dictionary says of its word (None
    where none is asked: a record tells valid words alone); `at`: milliseconds UTC; `order`: what decides between
    simultaneous answers (a message's id); `hidden`, `salt`: of a choice that stays hidden; `source`: the shuffles as
    they are after this move's own line, to look ahead with; `told`: a record tells the move, in its own order."""

    auto: bool = False
    verdict: Ruling | None = None
    at: int = 0
    order: int = 0
    salt: bytes = b""
    source: Source | None = None
    hidden: Hidden | None = None
    told: bool = False


CLAUSES = (
    *("seats", "first_dealer", "next_dealer", "pack", "shuffle", "moves", "timeout", "away"),
    *("scores", "rows", "totals", "winners"),
)
"""What every game names a clause for (`Game.clauses`)."""
PLAIN = Brought()
BY_CLOCK = Brought(auto=True)
Gone = Literal["left", "away", "returned"]


def _no_facts(state: Any, seat: int, what: Gone) -> tuple[Any, ...]:
    return ()


def _no_adjustments(standing: Standing) -> tuple[Adjustment, ...]:
    return ()


def _listed(move: Any) -> bool:
    return False


def _unveiled(state: Any, event: Any, choice: bytes | None) -> Any:
    return state


def _not_hidden(event: Any) -> bytes | None:
    return None


def _nothing_decided(state: Any) -> tuple[Decided, ...]:
    return ()


def _nothing_untold(state: Any, seat: int, move: Any) -> tuple[Any, ...]:
    return ()


def _of_no_set(final: Any) -> bool:
    return False


def _as_it_is(final: Any) -> Any:
    return final


def _no_penalties(standing: Standing, event: Any) -> tuple[Adjustment, ...]:
    return ()


def _nothing_to_punish(state: Any, move: Any) -> tuple[Any, ...]:
    raise Rejected("no_penalties")


def _no_breaches(state: Any) -> tuple[Breach, ...]:
    return ()


def _no_entry(event: Any) -> dict[str, Any] | None:
    return None


def _nothing_to_accuse(seen: Any) -> tuple[Any, ...]:
    return ()


def _always_told(event: Any) -> tuple[int, str] | None:
    return None


def _nobody(move: Any) -> int | None:
    return None


def _no_reshuffles(final: Any) -> tuple[tuple[int, ...], ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One game: its identity, its options, and the functions that hold its rules.

    `State`, `Move` and events are the game's own frozen structs, opaque to everybody else. States and observations are
    `Veiled`: they hold hands.
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
    examples: Mapping[str, str]
    """Each word that begins a move, with a move to show how: {"call": "call 4", "play": "play QS"}."""
    open_refusals: frozenset[str] = frozenset()
    """Codes of the game's own refusals that tell nothing of a hand: they may be said in front of everybody."""
    gives_up: tuple[Any, ...] = ()
    """Moves that give the game up: whoever plays at random, or searches, leaves them out."""
    clauses: Mapping[str, str]
    """The clause for what may be wrong in a record around its moves: CLAUSES, each outcome of a set, each end of a game
    that the rules themselves know, and `extra.<key>` where that is not `moves` (audit)."""

    first_dealer: Callable[[Any, int, Source], FirstDealer]
    """Who deals first, of (options, seats); whatever is drawn for it is drawn under the label `dealer`."""
    host_names_dealer: bool = True
    """Whether the host may name the first dealer instead."""
    start: Callable[[Setup, Source | None], Any]
    """The state after a deal; without a source (nobody holds the seed) the public part of it."""
    opening: Callable[[Any], tuple[Any, ...]]
    """The facts that follow from the deal at once: a card shown, a hand that cannot be played (then SetEnded too)."""
    to_act: Callable[[Any], tuple[Ask, ...]]
    asked_after: Callable[[Any], int] | None = None
    """Of a state the seat from which on those who are asked are named, in the order of the table; else from seat 0."""
    legal: Callable[[Any, int], tuple[Any, ...]]
    """The moves the seat may make now; empty when it is not asked. `decide` accepts exactly these."""
    decide: Callable[[Any, int, Any, Brought], tuple[Any, ...]]
    """The facts that a seat's move causes; Rejected with code and clause."""
    races: Callable[[Any], bool] | None = None
    """Whether the answers that are awaited now are compared by message: then they belong into the table's own chat."""
    alone: Callable[[Any], bool] | None = None
    """Whether the answers that are awaited now are nobody else's business yet: they belong into a private chat."""
    open_ended: Callable[[Any], bool] = _listed
    """Whether a move is of a kind that cannot be listed (a word): `decide` may take it though `legal` has it not."""
    plans: Mapping[str, Callable[[Any], Any | None]] = field(default_factory=dict)
    """Plans for a next move that the game knows, by word: of an observation the move that the plan means there, None
    where it means none (`low`: the lowest of the suit led)."""
    guarded: Callable[[Any], bool] | None = None
    """Whether the time that an answer takes may tell of a hand now (who cannot defend a set is not to be known by the
    quickness with which he gives it up): then nothing is answered for anybody."""
    tries_apart: int = 0
    """Milliseconds between two words of a person that a dictionary judges; a refused one leaves no trace in a state."""
    brings: bool = False
    """Whether `decide` looks at more of `Brought` than `auto`; only then the rest is filled in."""
    word_of: Callable[[Any, Any], str | None] | None = None
    """Of (state, move) the word that a dictionary has to judge; the verdict comes with the move."""
    dictionary: Callable[[Any], str] | None = None
    """Of options, which dictionary and which version of it the ruleset plays with (`en-1`). A set of a record names it
    in `extra.words`, and what players decided against it in `extra.overruled`."""
    decides: frozenset[type] = frozenset()
    """Events by which players decide something that the home keeps."""
    decided: Callable[[Any], tuple[Decided, ...]] = _nothing_decided
    """What the players have decided in this set, in order."""
    hides: Callable[[Any, Any], bytes | None] | None = None
    """Of (state, move) the choice that must stay hidden for now; what seals it comes with the move."""
    secrets: frozenset[type] = frozenset()
    """Events that hold a hidden choice, in fields `commitment` and `sealed`."""
    unveil: Callable[[Any, Any, bytes | None], Any] = _unveiled
    """The state after such an event for whoever knows its salt and choice, one after the other (None: it stays hidden);
    applied after `evolve`."""
    revealed: Callable[[Any], bytes | None] = _not_hidden
    """The salt and choice, one after the other, that an event tells when it need not be hidden any more."""
    hidden_move: Callable[[Any, bytes], tuple[int, Any, Brought]] | None = None
    """Of (such an event, its salt and choice) the move that it was: as `move_of`."""
    evolve: Callable[[Any, Any, Source | None], Any]
    shuffles: frozenset[type] = frozenset()
    """Events for which `evolve` wants a source (a reshuffle in the middle of a set)."""
    public_move: Callable[[Any], str | None]
    """The event as a move in a record (`3 play QS`, `0 auto call 2`); None for events that are not moves.

    One event is one line at most. Answers that count by message (`Brought.order`) and not by arrival have no line when
    they come; what closes their window states them, one event an answer, in the order of the record.
    """
    move_of: Callable[[Any], tuple[int, Any, Brought] | None] | None = None
    """The move that an event was when somebody made it: seat, move and what it brought (a history is judged with it).
    Only for games in which that is not just what `public_move` says."""
    untold: Callable[[Any, int, Any], tuple[Any, ...]] = _nothing_untold
    """Of (state, seat, move) what must have happened, though a record does not tell it, before the next move in it, or
    (move None) before the seat's owner came or went: a window that closed without a word."""
    untold_move: Callable[[Any], tuple[int, str] | None] = _always_told
    """The move that an event was of which no record tells, for nothing that counts hangs on it (a card laid out before
    all of it is shown): seat and notation; None for every other event."""
    timeout: Callable[[Any, int], Any]
    """The move that the clock makes for a seat that is asked: as many, one after the other, as the question wants."""
    gone: Callable[[Any, int, Gone], tuple[Any, ...]] = _no_facts
    """What follows at once when a seat's owner has left, is away (expired too often), or is back: nothing that the seat
    did, so no line for it in the record (answers of a window that this closes may be stated). May end the set. A seat
    that a computer player takes when time ran out too often is not away to the game; `returned` may come for a seat of
    which it heard nothing, and after a voided set whoever is gone is said to be so once more."""
    too_few: Callable[[Standing], Verdict | None]
    """Whether the game is over because of those who have left; asked when somebody leaves."""
    adjust: Callable[[Standing], tuple[Adjustment, ...]] = _no_adjustments
    """The rows that follow from a set's scores (a seat that dropped out comes in again), written after them and before
    `after_set` is asked. Their kinds are the game's own."""
    penal: Callable[[Standing, Any], tuple[Adjustment, ...]] = _no_penalties
    """The rows that follow from one event of a set beside its scores: a penalty. They never make a winner: where the
    game would not be over without them it goes on."""
    accuses: Callable[[Any], int | None] = _nobody
    """The seat whose conduct a move calls in question, None for every other move. Whoever has a seat may make it, asked
    or not; a computer player's conduct is beyond question (`bad_accusation`, clause `accusation`)."""
    accusable: Callable[[Any], tuple[Any, ...]] = _nothing_to_accuse
    """Of an observation the accusations that are offered with a button: those of the latest conduct that can be
    questioned, whatever anybody holds."""
    penalise: Callable[[Any, Any], tuple[Any, ...]] = _nothing_to_punish
    """Of (state, accusing move) the facts that follow where it is proved though nobody in the game made it: what an
    administrator may have punished. Rejected `not_proved`, `no_penalties`, and what an accusation is refused with."""
    contestable: Callable[[Any], bool] = _of_no_set
    """Whether a finished set's conduct may still be questioned: its accusations are decided on this last state of it,
    until an event of `closing` in a later set. If it ended the game, the result waits for the seats to confirm it. A
    set that such an accusation undoes ends once more: its scores are taken out again."""
    closing: frozenset[type] = frozenset()
    """Events after which nobody questions the set before any more."""
    late: frozenset[type] = frozenset()
    """Events that may be about the set before: as long as it is contestable they are."""
    confirming: Callable[[Any], Any] = _as_it_is
    """Of the last state of a set that ended the game, the same state as it asks the seats to confirm the result."""
    breaches: Callable[[Any], tuple[Breach, ...]] = _no_breaches
    """Of a set everything that was played against the rules as far as public cards prove it, in the order of play;
    whether anybody objected or not. An account of a table tells it."""
    entry: Callable[[Any], dict[str, Any] | None] = _no_entry
    """What a record says of an event that is no move but must be told, in braces between the moves."""
    after_set: Callable[[Standing], Verdict | None]
    """Whether the game is over; asked after every set, void ones too."""
    next_deal: Callable[[Standing], Deal]
    """Who deals after this set, and to whom."""
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
    speaker: Callable[[str, Any, Lexicon], Any] | None = None
    """The computer player of a game of words, handed a dictionary too; `player` is then one who knows no word."""
    pace: Callable[[Any], tuple[int, int]] | None = None
    """The least and the most milliseconds that a computer player takes for an answer where people wait for it too."""
    packs: Callable[[Setup], Mapping[str, tuple[int, ...]]]
    """The cards that the deal orders, in any order, by label: `deal:<n>` is a record's `deck`; another label's cards
    stand in its `extra` under the word before the colon (`pets:<n>`: `pets`)."""
    reshuffles: Callable[[Any], tuple[tuple[int, ...], ...]] = _no_reshuffles
    """Of a finished set, each new stock in drawing order; the k-th, from 1, was ordered under `reshuffle:<k>`."""
    extra: Callable[[Any], dict[str, Any]]
    """What a record says of a finished set beside its moves and packs (`extra` there)."""
    sheet: bool = True
    """Whether records show the rows, or only totals."""
    card_name: Callable[[int], str]
    tenths: Callable[[Any], bool]
    """Whether scores under these options are integer tenths, written with one decimal."""


def asked(asks: Sequence[Ask], seat: int) -> Ask | None:
    """The question that the seat is asked, or None."""
    for ask in asks:
        if seat in ask.seats:
            return ask
    return None
