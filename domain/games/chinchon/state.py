"""One round of Chinchón: its state, its events, and `evolve`, which applies what happened and never refuses."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, assert_never

import msgspec

from domain import cards
from domain.cards import BIT
from domain.game import Setup
from domain.games.chinchon import melds, moves
from domain.games.chinchon.events import (
    CardLaid,
    CutFailed,
    CutMade,
    Discarded,
    DrewPile,
    DrewStock,
    Groups,
    HandsOpened,
    HandsShown,
    LaidBack,
    MeldLaid,
    MeldsShown,
    Rare,
    Reshuffled,
    SeatBack,
    Seated,
    SeatGone,
    TurnedUp,
)
from domain.games.chinchon.options import Options
from domain.shuffle import Source
from domain.veiled import Veiled

HAND = 7
"""Cards in a hand between turns (CH-20)."""


class FailedCut(msgspec.Struct, frozen=True):
    """A cut that the cards did not allow: its closing card, and the seven that everybody saw then."""

    seat: int
    card: int
    cards: tuple[int, ...]


class Set(Veiled, frozen=True):
    """A round. `hands` (masks) and `stock` are None for whoever cannot know the deal.

    `stock` is the whole of it as it was shuffled, in drawing order; the last `left` of its cards are still there.
    `drew` says where the seat whose turn it is has drawn from, `drawn` the card (-1: none yet, or unknown). `known`
    holds for each seat the cards that everybody saw it take and that it still has: the whole hand of a seat that is
    `exposed` (CH-61). `stocks` are the new stocks of reshuffles.

    `failed` are the cuts that were none. With `declare=manual`, after a cut: the hands that were
    `shown`, what each seat is `laying` out, and what it has `declared`.
    """

    _shown: ClassVar[tuple[str, ...]] = ("dealer", "turns")

    options: Options
    seats: int
    dealer: int
    playing: tuple[int, ...]
    turn: int  # -1: nobody draws or discards any more
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
    exposed: tuple[int, ...] = ()
    failed: tuple[FailedCut, ...] = ()
    shown: tuple[Seated, ...] = ()
    laying: tuple[tuple[int, Groups], ...] = ()
    declared: tuple[MeldsShown, ...] = ()
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
    every = melds.pack(options)
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
        return _drew_stock(state, event.seat, event.card)
    if kind is DrewPile:
        return _drew_pile(state, event.seat, event.card)
    rare: Rare = event
    match rare:
        case TurnedUp(card=card):
            return _replace(state, pile=(card,))
        case Reshuffled():
            return _reshuffled(state, source)
        case CutMade(seat=seat, card=card):
            hands = state.hands if state.hands is None else _without(state.hands, seat, card)
            known = _without(state.known, seat, card)
            return _replace(state, hands=hands, known=known, cutter=seat, closing=card, turn=-1, drew="", drawn=-1)
        case CutFailed(seat=seat, card=card, cards=held):
            known = (*state.known[:seat], cards.mask(held), *state.known[seat + 1 :])
            exposed = state.exposed if seat in state.exposed else (*state.exposed, seat)
            failed = (*state.failed, FailedCut(seat, card, held))
            return _discarded(_replace(state, known=known, exposed=exposed, failed=failed), seat, card)
        case HandsShown(hands=held):
            return _replace(state, shown=held)
        case CardLaid(seat=seat, card=card):
            groups = laid_by(state, seat) or ((),)
            return _laying(state, seat, (*groups[:-1], (*groups[-1], card)))
        case MeldLaid(seat=seat):
            return _laying(state, seat, (*laid_by(state, seat), ()))
        case LaidBack(seat=seat):
            return _laying(state, seat, ())
        case MeldsShown(seat=seat):
            return _replace(_laying(state, seat, ()), declared=(*state.declared, rare))
        case HandsOpened(hands=held):
            return _replace(state, opened=rare, failed=_failed(state, dict(held).get(state.cutter)))
        case SeatGone(seat=seat):
            return _replace(state, gone=(*state.gone, seat))
        case SeatBack(seat=seat):
            return _replace(state, gone=tuple(other for other in state.gone if other != seat))
        case _:
            assert_never(rare)


def _failed(state: Set, kept: tuple[int, ...] | None) -> tuple[FailedCut, ...]:
    """The cuts that were none, with this one where the cards that the cutter kept do not allow it."""
    if kept is None or melds.closing(cards.mask(kept), state.options) is not None:
        return state.failed
    return (*state.failed, FailedCut(state.cutter, state.closing, kept))


def laid_by(state: Set, seat: int) -> Groups:
    """What the seat is laying out: the melds that it has finished, and last the one that it is at."""
    return dict(state.laying).get(seat, ())


def to_show(state: Set) -> tuple[int, ...]:
    """The seats that have yet to show their melds (CH-62); a cutter with a chinchón has shown all there is (CH-42)."""
    if not state.shown or state.opened is not None:
        return ()
    hands = dict(state.shown)
    done = {one.seat for one in state.declared}
    if melds.is_chinchon(cards.mask(hands[state.cutter]), state.options):
        done.add(state.cutter)
    return tuple(seat for seat in state.playing if seat not in done)


def _laying(state: Set, seat: int, groups: Groups) -> Set:
    others = tuple(one for one in state.laying if one[0] != seat)
    return _replace(state, laying=tuple(sorted((*others, (seat, groups)))) if groups else others)


def _drew_stock(state: Set, seat: int, seen: int) -> Set:
    if seen >= 0:
        state = _replace(state, known=_with(state.known, seat, seen), drawn=seen)
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
    if isinstance(event, CutFailed):
        return f"{_LINES['cut ', False][event.seat]}{cards.NAMES[event.card]}"
    if isinstance(event, MeldsShown):
        return f"{_LINES['meld ', event.auto][event.seat]}{moves.grouped(event.groups)}"
    return None


def laying_of(event: Any) -> tuple[int, str] | None:
    """The move that an event was of which no record tells, for nothing hangs on it: seat and notation; else None."""
    match event:
        case CardLaid(seat=seat, card=card):
            return seat, f"lay {cards.NAMES[card]}"
        case MeldLaid(seat=seat):
            return seat, "lay next"
        case LaidBack(seat=seat):
            return seat, "lay back"
        case _:
            return None


_LINES = {
    (word, auto): tuple(f"{seat} {'auto ' if auto else ''}{word}" for seat in range(4))
    for word in ("draw stock", "draw pile", "discard ", "cut ", "meld ")
    for auto in (False, True)
}
