"""One round of Chinchón: its state, its events, and `evolve`, which applies what happened and never refuses."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, assert_never

import msgspec

from domain import cards
from domain.cards import BIT
from domain.game import Setup
from domain.games.chinchon.melds import pack
from domain.games.chinchon.options import Options
from domain.shuffle import Source
from domain.veiled import Veiled

HAND = 7
"""Cards in a hand between turns (CH-20)."""

Seated = tuple[int, tuple[int, ...]]
"""A seat and cards of its own."""


class TurnedUp(msgspec.Struct, frozen=True, tag="chinchon.turned_up", omit_defaults=True):
    """The top card of the stock was turned up and starts the discard pile (CH-13)."""

    card: int


class DrewStock(msgspec.Struct, frozen=True, tag="chinchon.drew_stock", omit_defaults=True):
    """A seat drew the top card of the stock, unseen by the others (CH-21); `auto`: the clock drew for it (CH-70)."""

    seat: int
    auto: bool = False


class DrewPile(msgspec.Struct, frozen=True, tag="chinchon.drew_pile", omit_defaults=True):
    """A seat took the top card of the discard pile, as everybody saw (CH-21)."""

    seat: int
    card: int
    auto: bool = False


class Discarded(msgspec.Struct, frozen=True, tag="chinchon.discarded", omit_defaults=True):
    """A seat shed a card, and its turn ended (CH-22); `auto`: the clock did (CH-70)."""

    seat: int
    card: int
    auto: bool = False


class Reshuffled(msgspec.Struct, frozen=True, tag="chinchon.reshuffled", omit_defaults=True):
    """The stock had run out, and `count` cards of the discard pile became the new one (CH-25)."""

    count: int


class CutMade(msgspec.Struct, frozen=True, tag="chinchon.cut_made", omit_defaults=True):
    """A seat cut with the seven cards it kept; `card` is the closing card (CH-24, CH-41)."""

    seat: int
    card: int
    auto: bool = False


class HandsOpened(msgspec.Struct, frozen=True, tag="chinchon.hands_opened", omit_defaults=True):
    """After a cut all hands were opened, with the melds that count and what was laid off on the cutter's (CH-50)."""

    hands: tuple[Seated, ...]
    melds: tuple[tuple[int, tuple[tuple[int, ...], ...]], ...]
    laid_off: tuple[Seated, ...] = ()


class SeatGone(msgspec.Struct, frozen=True, tag="chinchon.seat_gone", omit_defaults=True):
    """The clock plays a seat until the round ends: its owner has left or was late too often (CH-71)."""

    seat: int


class SeatBack(msgspec.Struct, frozen=True, tag="chinchon.seat_back", omit_defaults=True):
    """A seat's owner is back before the round has ended (CH-71)."""

    seat: int


Event = TurnedUp | DrewStock | DrewPile | Discarded | Reshuffled | CutMade | HandsOpened | SeatGone | SeatBack
EVENTS: tuple[type, ...] = Event.__args__


class Set(Veiled, frozen=True):
    """A round. `hands` (masks) and `stock` are None for whoever cannot know the deal.

    `stock` is the whole of it as it was shuffled, in drawing order; the last `left` of its cards are still there.
    `drew` says where the seat whose turn it is has drawn from, `drawn` the card (-1: none yet, or unknown). `known`
    holds for each seat the cards that everybody saw it take and that it still has. `stocks` are the new stocks of
    reshuffles.
    """

    _shown: ClassVar[tuple[str, ...]] = ("dealer", "turns")

    options: Options
    seats: int
    dealer: int
    playing: tuple[int, ...]
    turn: int  # -1: the round is over
    left: int
    known: tuple[int, ...]
    hands: tuple[int, ...] | None = None
    stock: tuple[int, ...] | None = None
    pile: tuple[int, ...] = ()  # from the bottom
    turns: int = 0  # that have ended
    drew: Literal["", "stock", "pile"] = ""
    drawn: int = -1
    reshuffles: int = 0
    stocks: tuple[tuple[int, ...], ...] = ()
    gone: tuple[int, ...] = ()
    cutter: int = -1
    closing: int = -1
    opened: HandsOpened | None = None
    totals: tuple[int, ...] = ()  # at the deal: whoever plays looks at them, the rules do not


_replace = msgspec.structs.replace


def after(seat: int, playing: tuple[int, ...]) -> int:
    """The next of the seats that play, clockwise (CH-14)."""
    for other in playing:
        if other > seat:
            return other
    return playing[0]


def start(setup: Setup, source: Source | None) -> Set:
    """The round after the deal (CH-13): seven cards each, one at a time from the dealer's left, then the card that is
    turned up, then the stock. Without a source no cards."""
    options: Options = setup.options
    playing = setup.playing
    first = after(setup.dealer, playing)
    every = pack(options)
    dealt = HAND * len(playing)
    nobody = (0,) * setup.seats
    left = len(every) - dealt - 1
    state = Set(options, setup.seats, setup.dealer, playing, first, left, nobody, totals=setup.totals)
    if source is None:
        return state
    deck = source.order(f"deal:{setup.deal}", every)
    at = playing.index(first)
    hands = list(nobody)
    for index, seat in enumerate((*playing[at:], *playing[:at])):
        hands[seat] = cards.mask(deck[index : dealt : len(playing)])
    return _replace(state, hands=tuple(hands), pile=(deck[dealt],), stock=deck[dealt + 1 :])


def evolve(state: Set, event: Any, source: Source | None = None) -> Set:
    """The state after an event of this round. A reshuffle wants the source (`reshuffle:<k>`, over the pile that is
    shuffled, from its bottom); without one the new stock stays unknown."""
    kind = type(event)
    if kind is Discarded:
        return _discarded(state, event.seat, event.card)
    if kind is DrewStock:
        return _drew_stock(state, event.seat)
    if kind is DrewPile:
        return _drew_pile(state, event.seat, event.card)
    rare: TurnedUp | Reshuffled | CutMade | HandsOpened | SeatGone | SeatBack = event
    match rare:
        case TurnedUp(card=card):
            return _replace(state, pile=(card,))
        case Reshuffled():
            return _reshuffled(state, source)
        case CutMade(seat=seat, card=card):
            hands = state.hands if state.hands is None else _without(state.hands, seat, card)
            known = _without(state.known, seat, card)
            return _replace(state, hands=hands, known=known, cutter=seat, closing=card, turn=-1, drew="", drawn=-1)
        case HandsOpened():
            return _replace(state, opened=rare)
        case SeatGone(seat=seat):
            return _replace(state, gone=(*state.gone, seat))
        case SeatBack(seat=seat):
            return _replace(state, gone=tuple(other for other in state.gone if other != seat))
        case _:
            assert_never(rare)


def _drew_stock(state: Set, seat: int) -> Set:
    if state.stock is None or state.hands is None:
        return _replace(state, left=state.left - 1, drew="stock")
    card = state.stock[-state.left]
    return _replace(state, hands=_with(state.hands, seat, card), left=state.left - 1, drew="stock", drawn=card)


def _drew_pile(state: Set, seat: int, card: int) -> Set:
    hands = state.hands if state.hands is None else _with(state.hands, seat, card)
    known = _with(state.known, seat, card)
    return _replace(state, hands=hands, pile=state.pile[:-1], known=known, drew="pile", drawn=card)


def _discarded(state: Set, seat: int, card: int) -> Set:
    turns = state.turns + 1
    options = state.options
    playing = state.playing
    turn = after(seat, playing)
    if options.max_turns and turns >= options.max_turns * len(playing):
        turn = -1  # CH-27
    known = state.known
    if known[seat] & BIT[card]:
        known = _without(known, seat, card)
    hands = state.hands if state.hands is None else _without(state.hands, seat, card)
    pile = (*state.pile, card)
    return _replace(state, hands=hands, pile=pile, known=known, turns=turns, turn=turn, drew="", drawn=-1)


def _reshuffled(state: Set, source: Source | None) -> Set:
    keep = 1 if state.options.reshuffle == "keep_top" else 0
    shuffled = state.pile[: len(state.pile) - keep]
    number = state.reshuffles + 1
    state = _replace(state, left=len(shuffled), pile=state.pile[len(shuffled) :], reshuffles=number, stock=None)
    if source is None:
        return state
    stock = source.order(f"reshuffle:{number}", shuffled)
    return _replace(state, stock=stock, stocks=(*state.stocks, stock))


def _with(hands: tuple[int, ...], seat: int, card: int) -> tuple[int, ...]:
    return (*hands[:seat], hands[seat] | BIT[card], *hands[seat + 1 :])


def _without(hands: tuple[int, ...], seat: int, card: int) -> tuple[int, ...]:
    return (*hands[:seat], hands[seat] & ~BIT[card], *hands[seat + 1 :])


def public_move(event: Any) -> str | None:
    """The line of a record for an event that is a move (`3 draw stock`, `0 auto discard QS`); None for other facts."""
    if isinstance(event, Discarded):
        return f"{_LINES['discard ', event.auto][event.seat]}{cards.NAMES[event.card]}"
    if isinstance(event, DrewStock):
        return _LINES["draw stock", event.auto][event.seat]
    if isinstance(event, DrewPile):
        return _LINES["draw pile", event.auto][event.seat]
    if isinstance(event, CutMade):
        return f"{_LINES['cut ', event.auto][event.seat]}{cards.NAMES[event.card]}"
    return None


_LINES = {
    (word, auto): tuple(f"{seat} {'auto ' if auto else ''}{word}" for seat in range(4))
    for word in ("draw stock", "draw pile", "discard ", "cut ")
    for auto in (False, True)
}
