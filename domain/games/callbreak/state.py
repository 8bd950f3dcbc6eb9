"""One set of Call Break: its state, its events, and `evolve`, which applies what happened and never refuses."""

from __future__ import annotations

from typing import Any, ClassVar, assert_never

import msgspec

from domain import cards
from domain.cards import BIT
from domain.game import Setup
from domain.games.callbreak.events import (
    Accused,
    Called,
    CallJudged,
    CardPlayed,
    Confirmed,
    Convicted,
    DealerChecked,
    Dealing,
    DealVoided,
    FoundFalse,
    HandsOpened,
    Judging,
    TrickTaken,
    TrumpShown,
    Voted,
    VoteOpened,
)
from domain.games.callbreak.options import Options
from domain.shuffle import Source
from domain.veiled import Veiled

SEATS = 4
TRICKS = 13
NEXT = (1, 2, 3, 0)  # the player on one's right (CB-2)


class Trick(msgspec.Struct, frozen=True):
    """A trick that was taken: who led, the cards in the order played, who took it."""

    leader: int
    cards: tuple[int, ...]
    winner: int


class Accusation(msgspec.Struct, frozen=True, array_like=True):
    """That `seat` accused another of what he played to a trick (from 1), and whether it has been found false."""

    seat: int
    accused: int
    trick: int
    false: bool = False


class Set(Veiled, frozen=True):
    """A set. `hands` (masks) is None for whoever cannot know the deal; `trump` is -1 until it is known; a call of 0 is
    none yet."""

    _shown: ClassVar[tuple[str, ...]] = ("dealer", "moves")

    options: Options
    dealer: int
    trump: int
    turn: int
    leader: int
    hands: tuple[int, int, int, int] | None = None
    calls: tuple[int, ...] = (0, 0, 0, 0)
    called: int = 0
    trick: tuple[int, ...] = ()
    top: int = -1  # the card now winning the trick
    winner: int = -1  # who played it
    won: tuple[int, ...] = (0, 0, 0, 0)
    tricks: tuple[Trick, ...] = ()
    moves: int = 0
    shown: int = -1  # the trump card that the dealer showed (CB-12)
    reasons: tuple[tuple[int, str], ...] = ()
    opened: tuple[tuple[int, tuple[int, ...]], ...] = ()  # hands shown to all: (seat, cards)
    accusations: tuple[Accusation, ...] = ()  # CB-55, in the order in which they were made
    convicted: tuple[int, ...] = ()  # CB-51
    votes: tuple[tuple[int, bool], ...] | None = None  # (seat, guilty) while the dealer is judged by vote (CB-56)
    confirmed: tuple[int, ...] | None = None  # the seats that have confirmed the result, while it is asked for


_replace = msgspec.structs.replace


def start(setup: Setup, source: Source | None) -> Set:
    """The set after the deal (CB-10): card i of the pack to seat (dealer + 1 + i) mod 4. Without a source no hands."""
    options: Options = setup.options
    first = NEXT[setup.dealer]
    hands: tuple[int, int, int, int] | None = None
    trump = -1 if options.trump_mode == "last_card" else cards.SUITS.index(options.fixed_trump)
    shown = -1
    if source is not None:
        pack = source.order(f"deal:{setup.deal}", cards.PACK)
        dealt = [cards.mask(pack[index::SEATS]) for index in range(SEATS)]
        hands = (
            dealt[(0 - first) % SEATS],
            dealt[(1 - first) % SEATS],
            dealt[(2 - first) % SEATS],
            dealt[(3 - first) % SEATS],
        )
        if options.trump_mode == "last_card":
            shown = pack[-1]
            trump = cards.suit(shown)
    return Set(options, setup.dealer, trump, first, first, hands=hands, shown=shown)


def evolve(state: Set, event: Any, source: Source | None = None) -> Set:
    """The state after an event of this set. Nothing random happens after the deal (CB-63)."""
    kind = type(event)
    if kind is CardPlayed:
        return _played(state, event.seat, event.card)
    if kind is TrickTaken:
        winner = event.seat
        won = state.won
        return _replace(
            state,
            won=(*won[:winner], won[winner] + 1, *won[winner + 1 :]),
            tricks=(*state.tricks, Trick(state.leader, state.trick, winner)),
            trick=(),
            top=-1,
            winner=-1,
            leader=winner,
            turn=winner if event.trick < TRICKS else -1,
        )
    rare: Dealing | Judging = event
    match rare:
        case Called(seat=seat, call=call):
            calls = state.calls
            return _replace(
                state,
                calls=(*calls[:seat], call, *calls[seat + 1 :]),
                called=state.called + 1,
                turn=NEXT[seat],
                moves=state.moves + 1,
            )
        case TrumpShown(card=card):
            return _replace(state, shown=card, trump=cards.suit(card))
        case DealVoided(reasons=reasons, hands=hands):
            return _replace(state, reasons=reasons, opened=hands, turn=-1)
        case DealerChecked(seat=seat, cards=opened):
            return _replace(state, opened=((seat, opened),), turn=-1)
        case Accused(seat=seat, accused=accused, trick=trick):
            return _replace(state, accusations=(*state.accusations, Accusation(seat, accused, trick)))
        case FoundFalse(seat=seat, accused=accused, trick=trick):
            before, after = Accusation(seat, accused, trick), Accusation(seat, accused, trick, True)
            return _replace(state, accusations=tuple(after if one == before else one for one in state.accusations))
        case Convicted(seat=seat):
            return _replace(state, convicted=(*state.convicted, seat), turn=-1, confirmed=None)
        case HandsOpened(hands=hands):
            return _replace(state, opened=hands)
        case VoteOpened():
            return _replace(state, votes=())
        case Voted(seat=seat, guilty=guilty):
            return _replace(state, votes=(*(state.votes or ()), (seat, guilty)))
        case CallJudged():
            return _replace(state, votes=None)
        case Confirmed(seat=seat):
            return _replace(state, confirmed=(*(state.confirmed or ()), seat))
        case _:
            assert_never(rare)


def _played(state: Set, seat: int, card: int) -> Set:
    hands = state.hands
    if hands is not None:
        a, b, c, d = hands
        bit = BIT[card]
        if seat == 0:
            hands = (a & ~bit, b, c, d)
        elif seat == 1:
            hands = (a, b & ~bit, c, d)
        elif seat == 2:
            hands = (a, b, c & ~bit, d)
        else:
            hands = (a, b, c, d & ~bit)
    top, winner = state.top, state.winner
    if top < 0 or beats(card, top, state.trump):
        top, winner = card, seat
    trick = (*state.trick, card)
    return _replace(
        state,
        hands=hands,
        trick=trick,
        top=top,
        winner=winner,
        turn=NEXT[seat] if len(trick) < SEATS else -1,
        moves=state.moves + 1,
    )


def beats(card: int, top: int, trump: int) -> bool:
    """Whether `card` beats `top`, now winning (CB-37): higher in its suit, or a trump on a plain suit (CB-13)."""
    if card // 13 == top // 13:
        return card > top
    return card // 13 == trump


def phase(state: Set) -> str:
    """`calls`, `play`, `vote`, `result` while it is to be confirmed, or `over` when nobody is to act any more."""
    if state.turn < 0:
        if state.votes is not None:
            return "vote"
        return "over" if state.confirmed is None or len(state.confirmed) == SEATS else "result"
    return "calls" if state.called < SEATS else "play"


_CALL_LINES = tuple(
    tuple(tuple(f"{seat} {auto}call {number}" for number in range(14)) for seat in range(SEATS))
    for auto in ("", "auto ")
)
_PLAY_LINES = tuple(
    tuple(tuple(f"{seat} {auto}play {cards.name(card)}" for card in range(52)) for seat in range(SEATS))
    for auto in ("", "auto ")
)


def public_move(event: Any) -> str | None:
    """The line of a record for an event that is a move (`3 play QS`, `0 auto call 2`); None for other facts."""
    if isinstance(event, CardPlayed):
        return _PLAY_LINES[event.auto][event.seat][event.card]
    if isinstance(event, Called):
        return _CALL_LINES[event.auto][event.seat][event.call]
    match event:
        case Accused(seat=seat, accused=accused, trick=trick):
            return f"{seat} accuse {accused} {trick}"
        case Voted(seat=seat, guilty=guilty, auto=auto):
            return f"{seat} {'auto ' if auto else ''}vote {'guilty' if guilty else 'innocent'}"
        case Confirmed(seat=seat, auto=auto):
            return f"{seat} {'auto ' if auto else ''}confirm"
        case _:
            return None


def entry(event: Any) -> dict[str, Any] | None:
    """What a record says of a conviction: who, and the play that completed the proof, (trick, seat)."""
    if isinstance(event, Convicted):
        return {"convicted": event.seat, "proof": [event.trick, event.by]}
    return None
