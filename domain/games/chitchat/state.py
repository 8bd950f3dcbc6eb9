"""One set of Chit Chat: its state, its events, and `evolve`, which applies what happened and never refuses."""

from __future__ import annotations

import bisect
from typing import Any, ClassVar, assert_never

import msgspec

from domain import cards
from domain.game import Setup
from domain.games.chitchat import sequence
from domain.games.chitchat.moves import ARGUES, CHANGES, TALKS, Argue, Talk, notation
from domain.games.chitchat.options import Options
from domain.games.chitchat.pack import KINGS, PACK
from domain.games.chitchat.sequence import Laid
from domain.shuffle import Source
from domain.veiled import Veiled

SEATS = 2
NEXT = (1, 0)
HAND = 6  # cards dealt to each (CC-4)

Hands = tuple[tuple[int, ...], tuple[int, ...]]


class Set(Veiled, frozen=True):
    """A set. `hands` (ascending), `pile` (top first) and `pets` (kings: seat 0's, seat 1's, the one set aside) are None
    for whoever cannot know the deal; `counts` and `piled` are their public sizes. `turn` is -1 when the set is over."""

    _shown: ClassVar[tuple[str, ...]] = ("dealer", "moves")

    options: Options
    dealer: int
    turn: int
    hands: Hands | None = None
    pile: tuple[int, ...] | None = None
    pets: tuple[int, ...] | None = None
    counts: tuple[int, int] = (HAND, HAND)
    piled: int = len(PACK) - SEATS * HAND
    seq: sequence.Sequence = ()
    discards: tuple[int, ...] = ()
    points: Hands = ((), ())
    pool: tuple[int, ...] = ()  # what the pile was made of when it was last shuffled; () before that
    reshuffles: int = 0
    stocks: tuple[tuple[int, ...], ...] = ()  # each new pile, top first, where they are known
    silent: tuple[int, int] = (0, 0)  # moves in a row that the clock made for each seat (CC-62, CC-63)
    moves: int = 0
    opened: tuple[tuple[int, tuple[int, ...]], ...] = ()  # the hands shown at the end
    kings: tuple[int, ...] = ()  # all three, shown at the end, in the order of `pets`


class Turned(msgspec.Struct, frozen=True, tag="chitchat.turned", omit_defaults=True):
    """The top card of the pile was turned: the first of the sequence (CC-5)."""

    card: int


class Talked(msgspec.Struct, frozen=True, tag="chitchat.talked", omit_defaults=True):
    """A seat made small talk (CC-22). `follows`: it took up the other's suit, which is the new topic, and `step` says
    whether the card was shifted (CC-23). `draws`: the seat drew the top card of the pile after it, as a turn goes
    (CC-29); `auto`: the clock made the move (CC-62)."""

    seat: int
    card: int
    follows: bool = False
    step: bool = False
    draws: bool = True
    auto: bool = False


class Argued(msgspec.Struct, frozen=True, tag="chitchat.argued", omit_defaults=True):
    """A seat continued the argument, with a step towards it or in line (CC-25)."""

    seat: int
    card: int
    step: bool = False
    draws: bool = True
    auto: bool = False


class TopicChanged(msgspec.Struct, frozen=True, tag="chitchat.topic_changed", omit_defaults=True):
    """A seat changed the topic with two cards, in the order laid (CC-27)."""

    seat: int
    cards: tuple[int, int]
    step: bool = False
    draws: bool = True
    auto: bool = False


class PointMade(msgspec.Struct, frozen=True, tag="chitchat.point_made", omit_defaults=True):
    """A seat's threat was not blocked: it took this card of the sequence, of which the last one stays (CC-32)."""

    seat: int
    card: int


class Drew(msgspec.Struct, frozen=True, tag="chitchat.drew", omit_defaults=True):
    """A seat drew the top card of a pile that was made anew between its play and its draw (CC-52)."""

    seat: int


class Reshuffled(msgspec.Struct, frozen=True, tag="chitchat.reshuffled", omit_defaults=True):
    """The discards, so many of them, were shuffled into a new pile (CC-51)."""

    number: int


class Conceded(msgspec.Struct, frozen=True, tag="chitchat.conceded", omit_defaults=True):
    """A seat's play did not block, and the point that it conceded ended the game: its cards stay in the hand (CC-42).

    `play` is the move's word, `cards` its cards.
    """

    seat: int
    play: str
    cards: tuple[int, ...]
    auto: bool = False


class Resigned(msgspec.Struct, frozen=True, tag="chitchat.resigned", omit_defaults=True):
    """A seat gave up (CC-45), or its clock ran out for good (`auto`, CC-62)."""

    seat: int
    auto: bool = False


class Shown(msgspec.Struct, frozen=True, tag="chitchat.shown", omit_defaults=True):
    """The set is over: both hands and all three kings were shown (CC-14)."""

    hands: tuple[tuple[int, tuple[int, ...]], ...]
    kings: tuple[int, ...]


Event = Turned | Talked | Argued | TopicChanged | PointMade | Drew | Reshuffled | Conceded | Resigned | Shown
EVENTS: tuple[type, ...] = (
    Turned,
    Talked,
    Argued,
    TopicChanged,
    PointMade,
    Drew,
    Reshuffled,
    Conceded,
    Resigned,
    Shown,
)

_replace = msgspec.structs.replace


def start(setup: Setup, source: Source | None) -> Set:
    """The set after the deal (CC-4): six cards each, one at a time from the non-dealer, and the kings under `pets`.

    Without a source no hands. The card that is turned next still lies on the pile (CC-5).
    """
    first = NEXT[setup.dealer]  # CC-3
    if source is None:
        return Set(setup.options, setup.dealer, first)
    pack = source.order(f"deal:{setup.deal}", PACK)
    pets = source.order(f"pets:{setup.deal}", KINGS)
    dealt = SEATS * HAND
    theirs, dealers = tuple(sorted(pack[0:dealt:2])), tuple(sorted(pack[1:dealt:2]))
    hands = (theirs, dealers) if first == 0 else (dealers, theirs)
    return Set(setup.options, setup.dealer, first, hands=hands, pile=pack[dealt:], pets=pets)


def evolve(state: Set, event: Any, source: Source | None = None) -> Set:
    """The state after an event of this set. A reshuffle needs the source; without it the order of the pile is lost."""
    kind = type(event)
    if kind is Argued:
        seat, card = event.seat, event.card
        laid = Laid(card, seat, seat if event.step else None)
        return _turn(state, event, (card,), (*state.seq, laid), state.discards)
    if kind is Talked:
        seat, card, seq, discards = event.seat, event.card, state.seq, state.discards
        laid = Laid(card, seat, seat if event.step else None)
        if event.follows:
            discards = (*discards, *[gone.card for gone in seq[:-1]])
            seq = sequence.alone(seq)
        return _turn(state, event, (card,), (*seq, laid), discards)
    if kind is TopicChanged:
        seat, (first, second) = event.seat, event.cards
        discards = (*state.discards, *[gone.card for gone in state.seq])
        seq = (Laid(first, seat), Laid(second, seat, seat if event.step else None))
        return _turn(state, event, event.cards, seq, discards)
    rare: Turned | PointMade | Drew | Reshuffled | Conceded | Resigned | Shown = event
    match rare:
        case PointMade(seat=seat, card=card):
            return _point(state, seat, card)
        case Drew(seat=seat):
            return _drew(state, seat)
        case Reshuffled(number=number):
            return _reshuffled(state, number, source)
        case Turned(card=card):
            pile = None if state.pile is None else state.pile[1:]
            return _replace(state, seq=(Laid(card),), pile=pile, piled=state.piled - 1)
        case Conceded() | Resigned():
            return _replace(state, turn=-1, moves=state.moves + 1)
        case Shown(hands=hands, kings=kings):
            return _replace(state, turn=-1, opened=hands, kings=kings)
        case _:
            assert_never(rare)


def _turn(
    state: Set,
    event: Talked | Argued | TopicChanged,
    played: tuple[int, ...],
    seq: sequence.Sequence,
    discards: tuple[int, ...],
) -> Set:
    """The state after a play and its draw: it is the other seat's turn."""
    seat, draws = event.seat, event.draws
    (zero, one), (quiet, other) = state.counts, state.silent
    hands, pile = state.hands, state.pile
    change = draws - len(played)
    if hands is not None:
        hand = hands[seat]
        for card in played:
            at = hand.index(card)
            hand = hand[:at] + hand[at + 1 :]
        if draws:
            assert pile is not None
            hand, pile = _with(hand, pile[0]), pile[1:]
        hands = (hands[0], hand) if seat else (hand, hands[1])
    return _replace(
        state,
        turn=NEXT[seat],
        hands=hands,
        pile=pile,
        counts=(zero, one + change) if seat else (zero + change, one),
        piled=state.piled - draws,
        seq=seq,
        discards=discards,
        silent=(quiet, other + 1 if event.auto else 0) if seat else (quiet + 1 if event.auto else 0, other),
        moves=state.moves + 1,
    )


def _with(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    at = bisect.bisect(hand, card)
    return (*hand[:at], card, *hand[at:])


def _drew(state: Set, seat: int) -> Set:
    (zero, one), hands, pile = state.counts, state.hands, state.pile
    counts = (zero, one + 1) if seat else (zero + 1, one)
    if hands is None or pile is None:
        return _replace(state, hands=None, counts=counts, piled=state.piled - 1)
    hand = _with(hands[seat], pile[0])
    return _replace(
        state,
        hands=(hands[0], hand) if seat else (hand, hands[1]),
        counts=counts,
        pile=pile[1:],
        piled=state.piled - 1,
    )


def _point(state: Set, seat: int, card: int) -> Set:
    gone = [laid.card for laid in state.seq[:-1]]
    gone.remove(card)  # of equal cards any: they cannot be told apart (CC-6)
    zero, one = state.points
    points = ((*zero, card), one) if seat == 0 else (zero, (*one, card))
    return _replace(state, seq=sequence.alone(state.seq), discards=(*state.discards, *gone), points=points)


def _reshuffled(state: Set, number: int, source: Source | None) -> Set:
    pool = tuple(sorted(state.discards))
    count = state.reshuffles + 1
    if source is None:
        return _replace(state, pile=None, piled=number, discards=(), pool=pool, reshuffles=count)
    pile = source.order(f"reshuffle:{count}", pool)
    return _replace(
        state, pile=pile, piled=number, discards=(), pool=pool, reshuffles=count, stocks=(*state.stocks, pile)
    )


def _lines(moves: tuple[Talk, ...] | tuple[Argue, ...]) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """The line of each card's move, by whether the clock made it and by seat."""
    return tuple(
        tuple(tuple(f"{seat} {auto}{notation(move)}" for move in moves) for seat in range(SEATS))
        for auto in ("", "auto ")
    )


_TALKED, _ARGUED = _lines(TALKS), _lines(ARGUES)


def public_move(event: Any) -> str | None:
    """The line of a record for an event that is a move (`1 change 2D 3D`, `0 auto resign`); None for other facts."""
    kind = type(event)
    if kind is Argued:
        argued: str = _ARGUED[event.auto][event.seat][event.card]
        return argued
    if kind is Talked:
        talked: str = _TALKED[event.auto][event.seat][event.card]
        return talked
    if kind is TopicChanged:
        first, second = event.cards
        return f"{event.seat} {'auto ' if event.auto else ''}{notation(CHANGES[first][second])}"
    if kind is Conceded:
        named = " ".join(map(cards.name, event.cards))
        return f"{event.seat} {'auto ' if event.auto else ''}{event.play} {named}"
    if kind is Resigned:
        return f"{event.seat} {'auto ' if event.auto else ''}resign"
    return None
