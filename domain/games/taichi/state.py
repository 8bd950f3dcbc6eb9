"""One game of Tai Chi Chuan: its state, its events, and `evolve`, which applies what happened and never refuses."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, assert_never

import msgspec

from domain.game import SALT, Decided, Setup
from domain.games.taichi.deck import HIDDEN, PACKS
from domain.games.taichi.events import (
    Answered,
    AnswerHidden,
    AnswerTold,
    Awarded,
    BetForfeited,
    BetsReturned,
    CardOpened,
    CardShown,
    CardTurned,
    Challenged,
    Declined,
    DuelBegan,
    DuelCalled,
    DuelPassed,
    Event,
    Gain,
    NoWord,
    Objected,
    ObjectionDecided,
    Passed,
    PileEmpty,
    Readied,
    Reshuffled,
    SeatBack,
    SeatGone,
    Stopped,
    TurnSkipped,
    Voted,
    Why,
    WordRefused,
    WordSaid,
)
from domain.games.taichi.options import Options
from domain.shuffle import Source
from domain.veiled import Veiled

Phase = Literal["card", "word", "choose", "rescue", "ask", "ready", "duel", "over"]
"""What is awaited: the turn's first card, a word of the active player, his choice to go on or to stop; the words of
the others (TC-28); who challenges (TC-30), who is ready, who is quickest (TC-35)."""


class Said(Veiled, frozen=True):
    """A word of this turn that counts, and the families that it belongs to."""

    _shown: ClassVar[tuple[str, ...]] = ("seat", "word")

    seat: int
    word: str
    families: tuple[int, ...] = ()


class Answer(Veiled, frozen=True):
    """A valid word in a duel. `word` is None for whoever cannot know it yet; `order` is its message's, `tenths` the
    tenths of a second that it took by one's own clock, `salt` hides it until the duel is over."""

    _shown: ClassVar[tuple[str, ...]] = ("seat",)

    seat: int
    word: str | None
    order: int = 0
    tenths: int | None = None
    shown: str = ""
    salt: bytes = b""


class Ending(msgspec.Struct, frozen=True):
    """How a turn ended: why, who took which cards, who won a challenge (-1: the active player, or there was none), and
    the words that did it: (seat, word)."""

    why: Why
    gains: tuple[Gain, ...]
    winner: int
    words: tuple[tuple[int, str], ...]


class Spoken(msgspec.Struct, frozen=True):
    """The last verdict on a word, to which one may object (TC-43). `reason`, `of`: why it was refused, if it was."""

    seat: int
    word: str
    accepted: bool
    reason: str = ""
    of: str = ""
    families: tuple[int, ...] = ()
    shown: str = ""


class Objection(msgspec.Struct, frozen=True):
    """Somebody objects to the last verdict: who, who has a say, and their votes."""

    seat: int
    voters: tuple[int, ...]
    votes: tuple[tuple[int, bool], ...] = ()


class Set(Veiled, frozen=True):
    """A game. `pile` (top first) is None and cards are HIDDEN for whoever cannot know the deal.

    `turn` is the active player, -1 when the game is over. `stacks` have each seat's cards from the bottom. `words`:
    those of this turn. `done`: the seats that have answered what is asked now; `found`: those of them that gave a word
    in a rescue round. `bets`: (seat, card), in the order of the table from the active player. `opened`: (seat, when)
    of those who look at the duel's `card`, which nobody else knows. `left`, `away`: seats whose owners are not there;
    the cards of those in `left` are out of play.
    """

    _shown: ClassVar[tuple[str, ...]] = ("dealer", "turns")

    options: Options
    seats: int
    dealer: int
    turn: int
    stacks: tuple[tuple[int, ...], ...]
    piled: int
    pile: tuple[int, ...] | None = None
    deck: int = 1
    phase: Phase = "card"
    turns: int = 0
    open: tuple[int, ...] = ()
    auto_turned: bool = False  # the clock turned the only open card
    words: tuple[Said, ...] = ()
    discards: tuple[int, ...] = ()
    stocks: tuple[tuple[int, ...], ...] = ()
    done: tuple[int, ...] = ()
    found: tuple[int, ...] = ()
    bets: tuple[tuple[int, int], ...] = ()
    card: int | None = None
    opened: tuple[tuple[int, int], ...] = ()
    answers: tuple[Answer, ...] = ()
    passed: tuple[tuple[int, bool], ...] = ()
    told: tuple[tuple[int, str], ...] = ()  # the answers of a duel that is over: seat, word; the quickest first
    ending: Ending | None = None  # of the turn before
    left: tuple[int, ...] = ()
    out: tuple[int, ...] = ()  # their cards
    away: tuple[int, ...] = ()
    spoken: Spoken | None = None
    objection: Objection | None = None
    objections: int = 0
    turned_over: bool = False  # the word for the last card: another one is wanted
    ruled: tuple[Decided, ...] = ()  # what objections have decided in this game (TC-43)
    kept: tuple[Decided, ...] = ()  # and in earlier ones of the home

    @property
    def last(self) -> bool:
        """Whether the last card of the second deck has been turned (TC-52)."""
        return self.deck == 2 and self.piled == 0

    @property
    def fighters(self) -> tuple[int, ...]:
        """Who takes part in the challenge, the active player first, then clockwise (TC-34)."""
        active = () if self.turn in self.left else (self.turn,)
        return (*active, *(seat for seat, _ in self.bets))


_replace = msgspec.structs.replace


def start(setup: Setup, source: Source | None) -> Set:
    """The state after the deal (TC-4): a card each, which nobody looks at, from the seat after the dealer's; the rest
    is the pile. Without a source the cards are HIDDEN."""
    seats, first = setup.seats, (setup.dealer + 1) % setup.seats
    pack = PACKS[setup.options.language]
    rest = len(pack) - seats
    if source is None:
        return Set(setup.options, seats, setup.dealer, first, ((HIDDEN,),) * seats, rest, kept=setup.kept)
    deck = source.order(f"deal:{setup.deal}", pack)
    stacks = tuple((deck[(seat - first) % seats],) for seat in range(seats))
    return Set(setup.options, seats, setup.dealer, first, stacks, rest, deck[seats:], kept=setup.kept)


def evolve(state: Set, event: Any, source: Source | None = None) -> Set:
    """The state after an event of this game. A reshuffle needs the source; without it the order of the pile is lost."""
    happened: Event = event
    match happened:
        case CardTurned(card=card, auto=auto):
            pile = _drawn(state)
            return _replace(
                state,
                phase="word",
                pile=pile,
                piled=state.piled - 1,
                open=(*state.open, card),
                auto_turned=auto and not state.open,
                turned_over=False,
                spoken=None,
            )
        case PileEmpty() | DuelCalled() | Reshuffled() | BetsReturned() | TurnSkipped() | Awarded():
            return _table(state, happened, source)
        case WordSaid(seat=seat, word=word, families=families, shown=shown):
            words = (*state.words, Said(seat, word, families))
            spoken = Spoken(seat, word, True, families=families, shown=shown)
            state = _replace(state, words=words, spoken=spoken)
            if state.phase == "rescue":
                return _replace(state, done=(*state.done, seat), found=(*state.found, seat))
            return _replace(state, phase="choose")
        case WordRefused(seat=seat, word=word, reason=reason, of=of, families=families, shown=shown):
            return _replace(state, spoken=Spoken(seat, word, False, reason, of, families, shown))
        case NoWord():
            return _replace(state, phase="rescue", spoken=None, objection=None, done=())
        case Stopped():
            return _replace(state, phase="ask", spoken=None, done=())
        case Passed(seat=seat) | Declined(seat=seat) | Readied(seat=seat):
            return _replace(state, done=(*state.done, seat))
        case Challenged(seat=seat):
            bet = (seat, state.stacks[seat][-1])
            return _replace(
                state,
                done=(*state.done, seat),
                bets=tuple(sorted((*state.bets, bet), key=lambda bet: (bet[0] - state.turn) % state.seats)),
                stacks=_with(state.stacks, seat, state.stacks[seat][:-1]),
            )
        case BetForfeited() | DuelBegan() | CardOpened() | Answered() | AnswerHidden() | DuelPassed():
            return _duel(state, happened)
        case CardShown(card=card):
            return _replace(state, open=(*state.open, card), card=None)
        case AnswerTold(seat=seat, word=word, shown=shown):
            return _replace(state, told=(*state.told, (seat, shown or word))) if word else state
        case Objected() | Voted() | ObjectionDecided():
            return _objection(state, happened)
        case SeatGone() | SeatBack():
            return _presence(state, happened)
        case _:
            assert_never(happened)


def _drawn(state: Set) -> tuple[int, ...] | None:
    return None if state.pile is None else state.pile[1:]


def _with(stacks: tuple[tuple[int, ...], ...], seat: int, stack: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return (*stacks[:seat], stack, *stacks[seat + 1 :])


def _table(
    state: Set,
    event: PileEmpty | DuelCalled | Reshuffled | BetsReturned | TurnSkipped | Awarded,
    source: Source | None,
) -> Set:
    match event:
        case PileEmpty():
            return state
        case Reshuffled(number=number):
            state = _replace(state, deck=2, piled=number, pile=None)
            if source is None:
                return _replace(state, discards=())
            pile = source.order("reshuffle:1", tuple(sorted(state.discards)))
            return _replace(state, discards=(), pile=pile, stocks=(pile,))
        case DuelCalled():
            return _replace(state, phase="ready", done=())
        case BetsReturned():
            stacks = state.stacks
            for seat, card in state.bets:
                stacks = _with(stacks, seat, (*stacks[seat], card))
            return _replace(state, stacks=stacks, bets=())
        case TurnSkipped(next=following):
            return _next_turn(state, following)
        case Awarded(gains=gains, cards=cards, winner=winner, next=following):
            stacks = state.stacks
            for seat, card in state.bets:
                if seat == winner:
                    stacks = _with(stacks, seat, (*stacks[seat], card))
            for gain in gains:
                stacks = _with(stacks, gain.seat, (*stacks[gain.seat], *gain.cards))
            ending = _ending(state, event)
            state = _replace(state, stacks=stacks, discards=(*state.discards, *cards), ending=ending)
            return _next_turn(state, following)
        case _:
            assert_never(event)


def _ending(state: Set, event: Awarded) -> Ending:
    match event.why:
        case "rescue":
            words = tuple((said.seat, said.word) for said in state.words if said.seat in state.found)
        case "stood" | "beaten":
            words = state.told[:1]
        case "nobody":
            words = ()
        case "unchallenged" | "last_word" | "out_of_cards":
            words = tuple((said.seat, said.word) for said in state.words[-1:])
        case _:
            assert_never(event.why)
    return Ending(event.why, event.gains, event.winner, words)


def _next_turn(state: Set, seat: int) -> Set:
    return _replace(
        state,
        turn=seat,
        phase="over" if seat < 0 else "card",
        turns=state.turns + 1,
        open=(),
        auto_turned=False,
        turned_over=False,
        words=(),
        done=(),
        found=(),
        bets=(),
        card=None,
        opened=(),
        answers=(),
        passed=(),
        told=(),
        spoken=None,
        objection=None,
    )


def _duel(state: Set, event: BetForfeited | DuelBegan | CardOpened | Answered | AnswerHidden | DuelPassed) -> Set:
    match event:
        case BetForfeited(seat=seat, card=card):
            return _replace(
                state,
                bets=tuple(bet for bet in state.bets if bet[0] != seat),
                discards=(*state.discards, card),
            )
        case DuelBegan(card=card):
            hidden = None if card is not None else HIDDEN if state.pile is None else state.pile[0]
            shown = (*state.open, card) if card is not None else state.open
            pile = _drawn(state)
            return _replace(state, phase="duel", pile=pile, piled=state.piled - 1, open=shown, card=hidden, done=())
        case CardOpened(seat=seat, at=at):
            return _replace(state, opened=(*state.opened, (seat, at)))
        case Answered(seat=seat, word=word, order=order, tenths=tenths, shown=shown):
            answer = Answer(seat, word, order, tenths, shown)
            return _replace(state, answers=(*state.answers, answer), done=(*state.done, seat))
        case AnswerHidden(seat=seat, tenths=tenths):
            answer = Answer(seat, None, tenths=tenths)
            return _replace(state, answers=(*state.answers, answer), done=(*state.done, seat))
        case DuelPassed(seat=seat, auto=auto):
            return _replace(state, done=(*state.done, seat), passed=(*state.passed, (seat, auto)))
        case _:
            assert_never(event)


def _objection(state: Set, event: Objected | Voted | ObjectionDecided) -> Set:
    match event:
        case Objected(seat=seat, voters=voters):
            return _replace(state, objection=Objection(seat, voters), objections=state.objections + 1)
        case Voted(seat=seat, agrees=agrees):
            held = state.objection
            assert held is not None, "a vote follows an objection"
            return _replace(state, objection=_replace(held, votes=(*held.votes, (seat, agrees))))
        case ObjectionDecided(seat=seat, word=word, accepted=accepted, turned_over=turned_over, of=of):
            state = _replace(state, objection=None, spoken=None)
            if not turned_over:
                return state
            state = _replace(state, ruled=(*state.ruled, Decided(word, of, accepted)))
            if accepted:
                return state  # that it was said follows
            words = tuple(said for said in state.words if said.word != word)
            if state.phase == "rescue":
                done = tuple(other for other in state.done if other != seat)
                found = tuple(other for other in state.found if other != seat)
                return _replace(state, words=words, done=done, found=found)
            return _replace(state, words=words, phase="word", turned_over=True)
        case _:
            assert_never(event)


def _presence(state: Set, event: SeatGone | SeatBack) -> Set:
    match event:
        case SeatGone(seat=seat, why="away"):
            return _replace(state, away=(*state.away, seat))
        case SeatGone(seat=seat):
            objection, spoken = state.objection, state.spoken
            if spoken is not None and spoken.seat == seat:
                objection = spoken = None
            elif objection is not None:
                voters = tuple(other for other in objection.voters if other != seat)
                votes = tuple(vote for vote in objection.votes if vote[0] != seat)
                objection = _replace(objection, voters=voters, votes=votes)
            return _replace(
                state,
                left=(*state.left, seat),
                away=tuple(other for other in state.away if other != seat),
                stacks=_with(state.stacks, seat, ()),
                out=(*state.out, *state.stacks[seat]),
                done=tuple(other for other in state.done if other != seat),
                found=tuple(other for other in state.found if other != seat),
                answers=tuple(answer for answer in state.answers if answer.seat != seat),
                passed=tuple(passed for passed in state.passed if passed[0] != seat),
                spoken=spoken,
                objection=objection,
            )
        case SeatBack(seat=seat):
            # A window that is open without him stays so: nobody was going to ask him.
            unasked = state.phase == "ask" or (state.phase in ("rescue", "ready", "duel") and seat in state.left)
            return _replace(
                state,
                done=(*state.done, seat) if unasked and seat not in state.done else state.done,
                left=tuple(other for other in state.left if other != seat),
                away=tuple(other for other in state.away if other != seat),
            )
        case _:
            assert_never(event)


def unveil(state: Set, event: Any, found: bytes | None) -> Set:
    """The state of somebody who knows the word of an answer that is hidden (AnswerHidden): its salt, then the word."""
    if found is None:
        return state
    salt, word = found[:SALT], found[SALT:].decode()
    return _replace(
        state,
        answers=tuple(
            _replace(answer, word=word, salt=salt) if answer.seat == event.seat else answer for answer in state.answers
        ),
    )
