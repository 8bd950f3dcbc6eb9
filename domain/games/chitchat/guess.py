"""A full state that fits what a seat may know of a set of Chit Chat: for search, and for tests."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence

from domain.games.chitchat import rules
from domain.games.chitchat.pack import KINGS, PACK
from domain.games.chitchat.state import NEXT, SEATS, Set
from domain.games.chitchat.view import Observation
from domain.shuffle import Source

_TRIES = 12  # deals at random, before the cards that matter are put where they must be


def unseen(seen: Observation) -> Counter[int]:
    """How often each conversation card lies where the observer does not see it."""
    left = Counter(PACK)
    left.subtract(laid.card for laid in seen.seq)
    for cards in (*seen.points, seen.discards or (), *_known_hands(seen).values()):
        left.subtract(cards)
    return left


def held_for_sure(seen: Observation) -> tuple[int, ...]:
    """Cards that the other seat holds whatever it drew: unseen, and not among those that the pile was last made of.

    When a pile is made anew all cards that are not in it lie open or are held, so who counts knows the hand (CC-51).
    """
    if seen.hand is None or not seen.pool or seen.opened:
        return ()
    return tuple(sorted((unseen(seen) - Counter(seen.pool)).elements()))


def guess(seen: Observation, source: Source) -> Set:
    """A full state that fits the observation: the unseen cards dealt by the source, in such a way that the set goes on
    as it does (no point has won; the seat in turn has a play, and a block where a point would win)."""
    for state in _deals(seen, source):
        if seen.turn < 0 or not seen.seq or _goes_on(state):
            return state
    raise AssertionError("the deal itself fits what is seen of it")


def _goes_on(state: Set) -> bool:
    pets = state.pets or ()
    won = any(rules.wins(points, pet) for points, pet in zip(state.points, pets, strict=False))
    return not won and not rules.ends_at_once(state)


def _deals(seen: Observation, source: Source) -> Iterator[Set]:
    """First at random; then the kings in every order, and any two cards with the seat in turn. One of these fits, since
    a play, or a block, takes two cards at most."""
    sure = held_for_sure(seen)
    loose = tuple(sorted((unseen(seen) - Counter(sure)).elements()))
    kings = tuple(king for king in KINGS if king != seen.pet)
    for attempt in range(_TRIES):
        order = source.order(f"guess:{attempt}", loose)
        yield _state(seen, (*sure, *order), source.order(f"guess_pets:{attempt}", kings))
    order = source.order("guess", loose)
    room = seen.counts[seen.turn] - len(sure)
    for size in range(min(room, 2) + 1):
        for wanted in itertools.combinations(range(len(order)), size):
            rest = [card for index, card in enumerate(order) if index not in wanted]
            for pets in itertools.permutations(kings):
                yield _state(seen, (*sure, *(order[index] for index in wanted), *rest), pets)


def _known_hands(seen: Observation) -> dict[int, tuple[int, ...]]:
    if seen.opened:
        return dict(seen.opened)
    if seen.seat is None or seen.hand is None:
        return {}
    return {seen.seat: seen.hand}


def _state(seen: Observation, order: Sequence[int], kings: Sequence[int]) -> Set:
    """The state in which the unseen cards are dealt in this order: to the seat in turn, to the other one, to the pile,
    to the discards where these are not open."""
    known = _known_hands(seen)
    left = list(order)
    hands = [known.get(seat, ()) for seat in range(SEATS)]
    first = max(seen.turn, 0)
    for seat in (first, NEXT[first]):
        if seat not in known:
            hands[seat] = tuple(sorted(left[: seen.counts[seat]]))
            del left[: seen.counts[seat]]
    pets = list(kings)
    if seen.kings:
        pets = list(seen.kings)
    elif seen.seat is not None and seen.pet is not None:
        pets.insert(seen.seat, seen.pet)
    discards = tuple(left[seen.piled :]) if seen.discards is None else seen.discards
    return Set(
        options=seen.options,
        dealer=seen.dealer,
        turn=seen.turn,
        hands=(hands[0], hands[1]),
        pile=tuple(left[: seen.piled]),
        pets=tuple(pets),
        counts=seen.counts,
        piled=seen.piled,
        seq=seen.seq,
        discards=discards,
        points=seen.points,
        pool=seen.pool or (),
        reshuffles=seen.reshuffles,
        silent=seen.silent,
        moves=seen.moves,
        opened=seen.opened,
        kings=seen.kings,
    )
