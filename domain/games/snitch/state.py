"""One round of Snitch: its state, its events, and `evolve`, which applies what happened and never refuses."""

from __future__ import annotations

from typing import Any, ClassVar, assert_never

import msgspec

from domain import cards
from domain.game import Setup
from domain.games.snitch.options import Options
from domain.games.snitch.pack import PACK
from domain.shuffle import Source
from domain.veiled import Veiled

HAND = 3
"""Cards to which a hand is filled up (SN-3, SN-23)."""

Laid = tuple[int, ...]
"""A set on the table: its natural card first, then in the order in which its cards came to it."""


class TurnedUp(msgspec.Struct, frozen=True, tag="snitch.turned_up", omit_defaults=True):
    """A card was turned and starts the discard pile (SN-3)."""

    card: int


class Discarded(msgspec.Struct, frozen=True, tag="snitch.discarded", omit_defaults=True):
    """A seat discarded a card (SN-10) and drew `drew` (SN-23); `auto`: the clock did (SN-72)."""

    seat: int
    card: int
    drew: int = 0
    auto: bool = False


class SetLaid(msgspec.Struct, frozen=True, tag="snitch.set_laid", omit_defaults=True):
    """A seat laid a set of two cards of its hand on its stack (SN-11) and drew `drew`."""

    seat: int
    cards: tuple[int, int]
    drew: int = 0


class TopTaken(msgspec.Struct, frozen=True, tag="snitch.top_taken", omit_defaults=True):
    """A seat laid a set of a card of its hand and the top discard (SN-13); `cards`: these two. It drew `drew`."""

    seat: int
    card: int
    cards: tuple[int, int]
    drew: int = 0


class Challenged(msgspec.Struct, frozen=True, tag="snitch.challenged", omit_defaults=True):
    """A seat challenged the top set of another with a card (SN-20)."""

    seat: int
    target: int
    card: int


class Defended(msgspec.Struct, frozen=True, tag="snitch.defended", omit_defaults=True):
    """The challenged seat answered with a card (SN-20)."""

    seat: int
    card: int


class Pressed(msgspec.Struct, frozen=True, tag="snitch.pressed", omit_defaults=True):
    """The challenger went on with another card (SN-21)."""

    seat: int
    card: int


class Yielded(msgspec.Struct, frozen=True, tag="snitch.yielded", omit_defaults=True):
    """The challenged seat gave the set up (SN-20); `auto`: its time was over (SN-70)."""

    seat: int
    auto: bool = False


class Stopped(msgspec.Struct, frozen=True, tag="snitch.stopped", omit_defaults=True):
    """The challenger went no further (SN-21); `auto`: its time was over (SN-70)."""

    seat: int
    auto: bool = False


class ChallengeWon(msgspec.Struct, frozen=True, tag="snitch.challenge_won", omit_defaults=True):
    """A challenge is decided: the set, with all cards that were played for it, lies on the winner's stack (SN-24).

    `target`: the seat that was challenged; `drew`, `target_drew`: what the challenger and then that seat drew (SN-23).
    """

    seat: int
    target: int
    cards: Laid
    drew: int = 0
    target_drew: int = 0


class SeatGone(msgspec.Struct, frozen=True, tag="snitch.seat_gone", omit_defaults=True):
    """A seat's owner has left: its hand and its stack are out of play (SN-73)."""

    seat: int


Event = (
    TurnedUp
    | Discarded
    | SetLaid
    | TopTaken
    | Challenged
    | Defended
    | Pressed
    | Yielded
    | Stopped
    | ChallengeWon
    | SeatGone
)
EVENTS: tuple[type, ...] = Event.__args__


class Set(Veiled, frozen=True):
    """A round. `hands` (sorted) and `stock` are None for whoever cannot know the deal.

    Equal cards of the two packs have equal numbers (SN-6).

    `turn` is the active player, `awaits` who is to act now: one and the same outside a challenge, -1 when the round is
    over. `stock` is the whole of it as it was shuffled, in drawing order; the last `left` of its cards are still there.
    `stacks` have a seat's sets from the bottom. Of a seat that is in `playing` and not in `live` the owner has left: it
    keeps its hand, which nobody saw; its stack is in `removed`.
    """

    _shown: ClassVar[tuple[str, ...]] = ("dealer", "turns")

    options: Options
    seats: int
    dealer: int
    playing: tuple[int, ...]
    live: tuple[int, ...]
    turn: int
    awaits: int
    left: int
    counts: tuple[int, ...]  # cards in each hand
    stacks: tuple[tuple[Laid, ...], ...]
    hands: tuple[tuple[int, ...], ...] | None = None
    stock: tuple[int, ...] | None = None
    discards: tuple[int, ...] = ()  # from the bottom
    target: int = -1  # the seat whose top set is challenged
    laid: tuple[int, ...] = ()  # played in the open challenge: challenger, defender, challenger ...
    turns: int = 0  # that have ended
    removed: tuple[int, ...] = ()


_replace = msgspec.structs.replace


def after(seat: int, playing: tuple[int, ...]) -> int:
    """The next of the seats that play, clockwise (SN-4)."""
    for other in playing:
        if other > seat:
            return other
    return playing[0]


def following(live: tuple[int, ...], counts: tuple[int, ...], seat: int) -> int:
    """The next seat with cards, clockwise from `seat` and itself the last (SN-42, SN-43); -1 when no hand has any."""
    for other in live:
        if other > seat and counts[other]:
            return other
    for other in live:
        if counts[other]:
            return other
    return -1


def start(setup: Setup, source: Source | None) -> Set:
    """The round after the deal (SN-3): three cards each, one at a time from the dealer's left, then the card that is
    turned, then the stock. Without a source no cards."""
    playing = setup.playing
    first = after(setup.dealer, playing)
    dealt = HAND * len(playing)
    nothing: tuple[Any, ...] = ((),) * setup.seats
    state = Set(
        options=setup.options,
        seats=setup.seats,
        dealer=setup.dealer,
        playing=playing,
        live=playing,
        turn=first,
        awaits=first,
        left=len(PACK) - dealt - 1,
        counts=tuple(HAND * (seat in playing) for seat in range(setup.seats)),
        stacks=nothing,
    )
    if source is None:
        return state
    deck = source.order(f"deal:{setup.deal}", PACK)
    at = playing.index(first)
    hands = list(nothing)
    for index, seat in enumerate((*playing[at:], *playing[:at])):
        hands[seat] = tuple(sorted(deck[index : dealt : len(playing)]))
    return _replace(state, hands=tuple(hands), discards=(deck[dealt],), stock=deck[dealt + 1 :])


def evolve(state: Set, event: Any, source: Source | None = None) -> Set:
    """The state after an event of this round."""
    known: Event = event
    match known:
        case Discarded(seat=seat, card=card, drew=drew):
            after_it = _spent(state, seat, (card,), drew)
            return _turn_over(after_it, discards=(*state.discards, card))
        case SetLaid(seat=seat, cards=pair, drew=drew):
            return _turn_over(_spent(state, seat, pair, drew), stacks=_on_top(state.stacks, seat, pair))
        case TopTaken(seat=seat, card=card, cards=pair, drew=drew):
            after_it = _spent(state, seat, (card,), drew)
            return _turn_over(after_it, discards=state.discards[:-1], stacks=_on_top(state.stacks, seat, pair))
        case Challenged(seat=seat, target=target, card=card):
            return _replace(_spent(state, seat, (card,), 0), target=target, laid=(card,), awaits=target)
        case Defended(seat=seat, card=card):
            return _replace(_spent(state, seat, (card,), 0), laid=(*state.laid, card), awaits=state.turn)
        case Pressed(seat=seat, card=card):
            return _replace(_spent(state, seat, (card,), 0), laid=(*state.laid, card), awaits=state.target)
        case Yielded() | Stopped():
            return state  # what comes of it is told by `ChallengeWon`
        case ChallengeWon():
            return _won(state, known)
        case TurnedUp(card=card):
            return _replace(state, discards=(card,))
        case SeatGone(seat=seat):
            return _gone(state, seat)
        case _:
            assert_never(known)


def _spent(state: Set, seat: int, shed: tuple[int, ...], drew: int) -> Set:
    """A seat has played some cards of its hand, and drawn so many."""
    counts = state.counts
    counts = (*counts[:seat], counts[seat] - len(shed) + drew, *counts[seat + 1 :])
    left, hands = state.left, state.hands
    if hands is not None:
        hand = list(hands[seat])
        for card in shed:
            hand.remove(card)
        if drew:
            assert state.stock is not None
            at = len(state.stock) - left
            hand += state.stock[at : at + drew]
            hand.sort()
        hands = (*hands[:seat], tuple(hand), *hands[seat + 1 :])
    return _replace(state, counts=counts, hands=hands, left=left - drew)


def _turn_over(state: Set, **changes: Any) -> Set:
    """The turn of the active player has ended; `state` is the one after he has drawn."""
    turn = following(state.live, state.counts, state.turn)
    return _replace(state, turn=turn, awaits=turn, turns=state.turns + 1, **changes)


def _on_top(stacks: tuple[tuple[Laid, ...], ...], seat: int, laid: Laid) -> tuple[tuple[Laid, ...], ...]:
    return (*stacks[:seat], (*stacks[seat], laid), *stacks[seat + 1 :])


def _won(state: Set, event: ChallengeWon) -> Set:
    target = event.target
    stacks = state.stacks
    stacks = (*stacks[:target], stacks[target][:-1], *stacks[target + 1 :])
    stacks = _on_top(stacks, event.seat, event.cards)
    state = _spent(_spent(state, state.turn, (), event.drew), target, (), event.target_drew)
    return _turn_over(state, stacks=stacks, target=-1, laid=())


def _gone(state: Set, seat: int) -> Set:
    live = tuple(other for other in state.live if other != seat)
    stacks = state.stacks
    removed = (*state.removed, *(card for laid in stacks[seat] for card in laid))
    stacks = (*stacks[:seat], (), *stacks[seat + 1 :])
    state = _replace(state, live=live, stacks=stacks, removed=removed)
    return _turn_over(state) if state.turn == seat else state


def public_move(event: Any) -> str | None:
    """The line of a record for an event that is a move (`3 set 5H 5C`, `0 auto yield`); None for other facts."""
    kind = type(event)
    names = cards.NAMES
    if kind is Discarded:
        auto = "auto " if event.auto else ""
        return f"{event.seat} {auto}discard {names[event.card]}"
    if kind is SetLaid:
        first, second = event.cards
        return f"{event.seat} set {names[first]} {names[second]}"
    if kind is TopTaken:
        return f"{event.seat} take {names[event.card]}"
    if kind is Challenged:
        return f"{event.seat} challenge {event.target} {names[event.card]}"
    word = _WORDS.get(kind)
    if word is None:
        return None
    if kind is Defended or kind is Pressed:
        return f"{event.seat} {word} {names[event.card]}"
    return f"{event.seat} {'auto ' if event.auto else ''}{word}"


_WORDS: dict[type, str] = {Defended: "defend", Pressed: "press", Yielded: "yield", Stopped: "stop"}
