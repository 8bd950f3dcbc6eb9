"""The melds of Chinchón counted out in the plainest way, subset by subset: what the fast tables are held against."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import combinations

from domain import cards
from domain.cards import card_of, mask
from domain.games.chinchon.options import Options

WIN = "chinchon"
_LINES = {"52": "23456789TJQK", "48": "23456789JQK", "40": "234567JQK"}


def line(options: Options) -> str:
    """The ranks of a run, in order (CH-31)."""
    return "A" + _LINES[options.deck] + ("A" if options.ace == "both" else "")


def pack(options: Options) -> list[str]:
    """The cards of the game, by name."""
    ranks = "A" + _LINES[options.deck]
    return [rank + suit for suit in "SHDC" for rank in ranks] + ["X1", "X2"][: options.jokers]


def value(card: str, options: Options) -> int:
    """What a loose card costs (CH-34)."""
    if card[0] == "X":
        return options.joker_value
    if card[0] == "A":
        return options.ace_value
    return 10 if card[0] in "TJQK" else int(card[0])


def is_meld(some: Collection[str], options: Options) -> bool:
    """CH-30: three or four of a rank, or consecutive cards of a suit, three to `meld_max`; one joker may stand in."""
    naturals = [card for card in some if card[0] != "X"]
    jokers = len(some) - len(naturals)
    if jokers > 1 or len(some) < 3:
        return False
    ranks, suits = {card[0] for card in naturals}, {card[1] for card in naturals}
    if len(ranks) == 1:
        return len(some) <= 4
    if len(suits) > 1 or len(some) > options.meld_max:
        return False
    order = line(options)
    windows = [order[begin : begin + len(some)] for begin in range(len(order) - len(some) + 1)]
    return any(len(ranks & set(window)) == len(naturals) for window in windows)


def is_chinchon(some: Collection[str], options: Options) -> bool:
    """CH-33: seven consecutive cards of a suit, without a joker."""
    order = line(options)
    sevens = [set(order[begin : begin + 7]) for begin in range(len(order) - 6)]
    return len({card[1] for card in some}) == 1 and {card[0] for card in some} in sevens


@lru_cache(maxsize=32)
def every_meld(options: Options) -> tuple[int, ...]:
    """Every meld that the pack holds, as masks: all subsets of a suit or of a rank that are one."""
    naturals = [card for card in pack(options) if card[0] != "X"]
    rows = [[card for card in naturals if card[1] == suit] for suit in "SHDC"]
    columns = [[card for card in naturals if card[0] == rank] for rank in line(options)]
    largest = max(4, options.meld_max)
    found = set()
    for some in rows + columns:
        for joker in [[], *([card] for card in pack(options) if card[0] == "X")]:
            for size in range(2, min(largest, len(some)) + 1):
                found |= {
                    frozenset(joker + list(c)) for c in combinations(some, size) if is_meld(joker + list(c), options)
                }
    return tuple(sorted(mask(map(card_of, meld)) for meld in found))


def melds(hand: int, options: Options) -> list[int]:
    """Every subset that is a meld."""
    return [meld for meld in every_meld(options) if meld & hand == meld]


def covers(found: Sequence[int]) -> list[tuple[int, int]]:
    """What no meld, one, or two disjoint ones cover: how many melds, and the cards."""
    pairs = [(2, one | other) for at, one in enumerate(found) for other in found[at + 1 :] if not one & other]
    return [(0, 0), *((1, one) for one in found), *pairs]


def loose(left: int, options: Options) -> int:
    """The points of some loose cards."""
    return sum(value(name, options) for name in cards.names(left))


def best(hand: int, options: Options) -> tuple[int, int]:
    """CH-34: the smallest (points, number of loose cards)."""
    left = [hand & ~covered for _, covered in covers(melds(hand, options))]
    return min((loose(rest, options), rest.bit_count()) for rest in left)


def cut_value(kept: int, found: Sequence[int], options: Options) -> int | str | None:
    """CH-40: what seven cards with these melds are worth to a cutter; None when they may not cut."""
    if is_chinchon(cards.names(kept), options):
        return WIN
    values = []
    for number, covered in covers(found):
        left = kept & ~covered
        if options.cut_rule == "threshold":
            allowed = not left or loose(left, options) <= options.cut_max
        else:
            allowed = number == 2 and left.bit_count() <= 1
        if allowed:
            values.append(loose(left, options) if left else options.bonus_complete)
    return min(values, default=None)


def cuts(hand: int, options: Options) -> dict[str, int | str]:
    """CH-40: of eight cards those that may be shed with a cut, each with its result."""
    every = melds(hand, options)
    found = {}
    for shed in cards.cards(hand):
        result = cut_value(hand & ~(1 << shed), [meld for meld in every if not meld >> shed & 1], options)
        if result is not None:
            found[cards.name(shed)] = result
    return found
