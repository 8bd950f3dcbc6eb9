"""What happens in a game of Tai Chi Chuan: its events, and how they read as moves."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from domain.game import PLAIN, SALT, Brought, Hidden, Ruling
from domain.games.taichi.moves import AGREE, DISAGREE, OBJECT, OPEN, PASS, Move, Word, notation, read


class CardTurned(msgspec.Struct, frozen=True, tag="taichi.card_turned", omit_defaults=True):
    """The active player turned the top card (TC-20, TC-26). `after`: the pile was empty when he wanted it."""

    seat: int
    card: int
    auto: bool = False
    after: bool = False


class PileEmpty(msgspec.Struct, frozen=True, tag="taichi.pile_empty", omit_defaults=True):
    """The active player wanted a card and there was none; what follows says whether there is one yet (TC-51)."""

    seat: int
    auto: bool = False


class Reshuffled(msgspec.Struct, frozen=True, tag="taichi.reshuffled", omit_defaults=True):
    """The discards, so many of them, were shuffled into the second deck (TC-51)."""

    number: int


class WordSaid(msgspec.Struct, frozen=True, tag="taichi.word_said", omit_defaults=True):
    """A seat said a valid word, in its turn (TC-22) or in a rescue round (TC-28). `shown`: with its accents."""

    seat: int
    word: str
    families: tuple[int, ...] = ()
    shown: str = ""


class WordRefused(msgspec.Struct, frozen=True, tag="taichi.word_refused", omit_defaults=True):
    """A word that fits the cards was refused for its own sake, where one may object to that (TC-43)."""

    seat: int
    word: str
    reason: str
    of: str = ""
    families: tuple[int, ...] = ()
    shown: str = ""


class NoWord(msgspec.Struct, frozen=True, tag="taichi.no_word", omit_defaults=True):
    """The active player finds no word: a rescue round begins (TC-28); `auto`: his time was over (TC-70),
    `left`: he left in the middle of his turn (TC-71)."""

    seat: int
    auto: bool = False
    left: bool = False


class Passed(msgspec.Struct, frozen=True, tag="taichi.passed", omit_defaults=True):
    """A seat gives no word in a rescue round."""

    seat: int
    auto: bool = False


class Stopped(msgspec.Struct, frozen=True, tag="taichi.stopped", omit_defaults=True):
    """The active player stopped after a valid word (TC-30)."""

    seat: int
    auto: bool = False


class Challenged(msgspec.Struct, frozen=True, tag="taichi.challenged", omit_defaults=True):
    """A seat challenges, and bets the card that it won last (TC-33)."""

    seat: int


class Declined(msgspec.Struct, frozen=True, tag="taichi.declined", omit_defaults=True):
    """A seat does not challenge."""

    seat: int
    auto: bool = False


class DuelCalled(msgspec.Struct, frozen=True, tag="taichi.duel_called", omit_defaults=True):
    """All have said whether they challenge, and some do: those who take part say when they are ready (TC-35)."""

    seats: tuple[int, ...]


class Readied(msgspec.Struct, frozen=True, tag="taichi.readied", omit_defaults=True):
    """A seat is ready for the next card; `auto`: the active player counts so when the time is over."""

    seat: int
    auto: bool = False


class BetForfeited(msgspec.Struct, frozen=True, tag="taichi.bet_forfeited", omit_defaults=True):
    """A challenger who did not say that he is ready, or who left (TC-71), lost his bet: it is discarded."""

    seat: int
    card: int


class DuelBegan(msgspec.Struct, frozen=True, tag="taichi.duel_began", omit_defaults=True):
    """The next card is turned; None where everybody opens it for himself (TC-35)."""

    card: int | None = None


class CardOpened(msgspec.Struct, frozen=True, tag="taichi.card_opened", omit_defaults=True):
    """A seat looks at the duel's card: its own clock runs from `at` (milliseconds)."""

    seat: int
    at: int = 0


class Answered(msgspec.Struct, frozen=True, tag="taichi.answered", omit_defaults=True):
    """A seat gave a valid word in a live duel; `order` is its message's, which decides (TC-35).

    `tenths`: in a record of a duel by one's own clock.
    """

    seat: int
    word: str
    order: int = 0
    tenths: int | None = None
    shown: str = ""


class AnswerHidden(msgspec.Struct, frozen=True, tag="taichi.answer_hidden", omit_defaults=True):
    """A seat gave a valid word by its own clock, in so many tenths of a second; it is hidden until all are done."""

    seat: int
    tenths: int
    commitment: bytes
    sealed: bytes


class DuelPassed(msgspec.Struct, frozen=True, tag="taichi.duel_passed", omit_defaults=True):
    """A seat gives no word in a duel."""

    seat: int
    auto: bool = False


class CardShown(msgspec.Struct, frozen=True, tag="taichi.card_shown", omit_defaults=True):
    """The card of a duel by everybody's own clock lies open."""

    card: int


class AnswerTold(msgspec.Struct, frozen=True, tag="taichi.answer_told", omit_defaults=True):
    """An answer of a duel that is over, the quickest first; `word` "" where a seat passed.

    `tenths`, `salt`: of an answer that was hidden.
    """

    seat: int
    word: str = ""
    tenths: int | None = None
    salt: bytes = b""
    auto: bool = False
    shown: str = ""


class Gain(msgspec.Struct, frozen=True):
    """Open cards that a seat takes, in the order turned."""

    seat: int
    cards: tuple[int, ...]


Why = Literal["unchallenged", "rescue", "stood", "beaten", "nobody", "last_word", "out_of_cards"]


class Awarded(msgspec.Struct, frozen=True, tag="taichi.awarded", omit_defaults=True):
    """The turn is over: who takes which open cards; all the others, and the lost bets, are discarded (`cards`).

    `why`: nobody challenged (TC-31), a rescue round (TC-28), the challenge was stood (TC-36) or won by `winner`
    (TC-37), nobody is left to win it, the last card had a word (TC-52), there was no card to turn (TC-51).
    `next`: whose turn it is, -1 for nobody's.
    """

    why: Why
    gains: tuple[Gain, ...] = ()
    cards: tuple[int, ...] = ()
    winner: int = -1
    next: int = -1


class BetsReturned(msgspec.Struct, frozen=True, tag="taichi.bets_returned", omit_defaults=True):
    """There is no challenge after all: every bet goes back (TC-54, TC-71)."""


class TurnSkipped(msgspec.Struct, frozen=True, tag="taichi.turn_skipped", omit_defaults=True):
    """The active player left before he turned a card: it is the turn of `next` (-1: of nobody)."""

    next: int = -1


class Objected(msgspec.Struct, frozen=True, tag="taichi.objected", omit_defaults=True):
    """A seat objects to the last verdict (TC-43); `voters` decide. `refused`: it was a refusal."""

    seat: int
    voters: tuple[int, ...]
    refused: bool = False


class Voted(msgspec.Struct, frozen=True, tag="taichi.voted", omit_defaults=True):
    """A seat agrees with an objection, or does not."""

    seat: int
    agrees: bool
    refused: bool = False
    auto: bool = False


class ObjectionDecided(msgspec.Struct, frozen=True, tag="taichi.objection_decided", omit_defaults=True):
    """Whether the verdict is turned over, and whether the word counts now (`accepted`); `of`: the word of whose family
    it was said to be, where that was the question."""

    seat: int
    word: str
    accepted: bool
    turned_over: bool
    of: str = ""


class SeatGone(msgspec.Struct, frozen=True, tag="taichi.seat_gone", omit_defaults=True):
    """A seat's owner is away (TC-70), or has left: then its cards are out of play (TC-71)."""

    seat: int
    why: Literal["away", "left"]


class SeatBack(msgspec.Struct, frozen=True, tag="taichi.seat_back", omit_defaults=True):
    """A seat's owner is back."""

    seat: int


Event = (
    CardTurned
    | PileEmpty
    | Reshuffled
    | WordSaid
    | WordRefused
    | NoWord
    | Passed
    | Stopped
    | Challenged
    | Declined
    | DuelCalled
    | Readied
    | BetForfeited
    | DuelBegan
    | CardOpened
    | Answered
    | AnswerHidden
    | DuelPassed
    | CardShown
    | AnswerTold
    | Awarded
    | BetsReturned
    | TurnSkipped
    | Objected
    | Voted
    | ObjectionDecided
    | SeatGone
    | SeatBack
)
EVENTS: tuple[type, ...] = Event.__args__

_WORDS: dict[type, str] = {
    CardTurned: "turn",
    PileEmpty: "turn",
    NoWord: "no_word",
    Passed: "pass",
    Stopped: "stop",
    Challenged: "challenge",
    Declined: "decline",
}


def public_move(event: Any) -> str | None:
    """The line of a record for an event that is a move (`1 word satellite`, `0 auto stop`); None for other facts.

    Answers of a duel stand there as they are told at its end; what only concerns a word that does not count (that it
    was refused, or that somebody objected to its being refused) does not stand there.
    """
    happened: Event = event
    match happened:
        case CardTurned(after=True) | NoWord(left=True):
            return None
        case CardTurned() | PileEmpty() | NoWord() | Passed() | Stopped() | Declined():
            auto = "auto " if happened.auto else ""
            return f"{happened.seat} {auto}{_WORDS[type(happened)]}"
        case Challenged(seat=seat):
            return f"{seat} challenge"
        case WordSaid(seat=seat, word=word):
            return f"{seat} word {word}"
        case Readied(seat=seat, auto=auto):
            return None if auto else f"{seat} ready"
        case AnswerTold(seat=seat, word="", auto=auto):
            return f"{seat} {'auto ' if auto else ''}pass"
        case AnswerTold(seat=seat, word=word, tenths=tenths):
            return f"{seat} {notation(Word(word, tenths))}"
        case Objected(seat=seat, refused=False):
            return f"{seat} object"
        case Voted(seat=seat, agrees=agrees, refused=False, auto=auto):
            return f"{seat} {'auto ' if auto else ''}{'agree' if agrees else 'disagree'}"
        case _:
            return None


def move_of(event: Any) -> tuple[int, Move, Brought] | None:
    """The move that an event was, with the verdict and the message's number that it brought; None for what followed."""
    happened: Event = event
    match happened:
        case WordSaid(seat=seat, word=word, families=families, shown=shown):
            return seat, Word(word), Brought(verdict=Ruling(word, True, families=families, shown=shown))
        case WordRefused(seat=seat, word=word, reason=reason, of=of, families=families, shown=shown):
            counts = reason in ("same_family", "overruled")
            ruling = Ruling(word, counts, "" if counts else reason, of, families, shown)
            return seat, Word(word), Brought(verdict=ruling)
        case Answered(seat=seat, word=word, order=order, shown=shown):
            return seat, Word(word), Brought(verdict=Ruling(word, True, shown=shown), order=order)
        case CardOpened(seat=seat):
            return seat, OPEN, PLAIN
        case DuelPassed(seat=seat):
            return seat, PASS, PLAIN
        case Objected(seat=seat):
            return seat, OBJECT, PLAIN
        case Voted(seat=seat, agrees=agrees):
            return seat, AGREE if agrees else DISAGREE, PLAIN
        case AnswerTold():
            return None
        case _:
            line = public_move(event)
            if line is None:
                return None
            return int(line.partition(" ")[0]), read(line.rpartition(" ")[2]), PLAIN


def hidden_move(event: AnswerHidden, found: bytes) -> tuple[int, Move, Brought]:
    """The move that an answer was, now that its salt and its word are known."""
    salt, word = found[:SALT], found[SALT:].decode()
    hidden = Hidden(event.commitment, event.sealed)
    return event.seat, Word(word), Brought(verdict=Ruling(word, True), salt=salt, hidden=hidden)


def revealed(event: Any) -> bytes | None:
    """The salt and the word of an answer that was hidden and is told; None for other facts."""
    if isinstance(event, AnswerTold) and event.salt:
        return event.salt + event.word.encode()
    return None
