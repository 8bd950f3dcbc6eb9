"""The cards of Snitch, two packs of 52 and four jokers (SN-2): what they are worth and what they go with."""

from __future__ import annotations

from collections.abc import Iterable

from domain import cards

SIZE = 56
"""Different cards: those of one pack of 52, and the four jokers."""
PACK: tuple[int, ...] = (*cards.PACK, *cards.PACK, *range(52, SIZE))

WILD = 0
RANK: tuple[int, ...] = tuple(WILD if card >= 52 else card % 13 for card in range(SIZE))
"""The rank of each card, from 1 for a three to 12 for an ace; WILD for twos and jokers (SN-2)."""

_FIVES, _TENS = range(1, 8), range(8, 12)  # 3 to 9, ten to king


def _points(card: int) -> int:
    if card >= 52:
        return 50
    rank = RANK[card]
    return 20 if rank == WILD else 5 if rank in _FIVES else 10 if rank in _TENS else 15


POINTS: tuple[int, ...] = tuple(map(_points, range(SIZE)))
"""The points of each card in a set (SN-50)."""

# Fewest points, naturals before wilds, then the order of ranks 3 to ace, then S H D C (SN-72); jokers by their numbers.
_THROWN = sorted(range(SIZE), key=lambda card: (POINTS[card], RANK[card] == WILD, RANK[card], card))
THROW: tuple[int, ...] = tuple(_THROWN.index(card) for card in range(SIZE))
"""The place of each card in the order in which the clock throws cards away (SN-72)."""


def is_pair(one: int, other: int) -> bool:
    """Whether two cards make a set: of a rank, or one of them wild; two wild cards do not (SN-11)."""
    first, second = RANK[one], RANK[other]
    return first == second != WILD or (first == WILD) != (second == WILD)


def in_order(one: int, other: int) -> tuple[int, int]:
    """Two cards as a set is written: a natural card before a wild one, else by suits S H D C."""
    return min((one, other), (other, one), key=lambda pair: (RANK[pair[0]] == WILD, pair))


def rank_of(laid: tuple[int, ...]) -> int:
    """The rank of a set (SN-11), whose first card is a natural one for as long as there is the set (SN-24)."""
    return RANK[laid[0]]


def joins(card: int, laid: tuple[int, ...]) -> bool:
    """Whether a card may be played in a challenge for a set (SN-12)."""
    return RANK[card] == WILD or RANK[card] == RANK[laid[0]]


def points(some: Iterable[int]) -> int:
    """The points of some cards (SN-50)."""
    return sum(POINTS[card] for card in some)
