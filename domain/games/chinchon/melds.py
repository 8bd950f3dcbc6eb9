"""What a hand is worth: its best arrangement in melds (CH-30 to CH-34), and the cuts that it allows (CH-40).

Hands are masks (`domain.cards`) of at most eight cards, so no more than two melds of a hand can be disjoint. A meld is
a pair: its weight, and its cards as a mask. Weights order arrangements as CH-34 does: sixteen times the points of the
cards and one for each card, so the heaviest disjoint melds leave the smallest (points, number of loose cards).
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from domain import cards
from domain.cards import BIT
from domain.games.chinchon.options import Options
from domain.veiled import Veiled

Meld = tuple[int, int]

CHINCHON = -1000
"""The result of a cut with a chinchón, better than any number of points."""
JOKERS = 3 << 52
_SUIT = 0x1FFF
_COLUMN = 1 | 1 << 13 | 1 << 26 | 1 << 39  # a rank in all four suits
_ACE = 12
_WITHOUT: dict[str, tuple[int, ...]] = {"52": (), "48": (8,), "40": (6, 7, 8)}  # ranks that a short pack has not


class Arrangement(Veiled, frozen=True):
    """A hand laid out: the points of its loose cards, those cards (a mask), and its melds (masks)."""

    points: int
    loose: int
    melds: tuple[int, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether no card is loose."""
        return not self.loose


class _Tables(msgspec.Struct, frozen=True):
    """What follows from the options for the thirteen cards of a suit, by the mask of those held."""

    weights: tuple[int, ...]  # of one card, by rank
    totals: tuple[int, ...]  # of all cards held
    runs: tuple[tuple[Meld, ...], ...]  # every run held
    nearly: tuple[tuple[Meld, ...], ...]  # all but one card of a run: what a joker completes; empty without jokers
    sevens: tuple[int, ...]  # the chinchóns


def pack(options: Options) -> tuple[int, ...]:
    """The cards of the game (CH-11), ascending, jokers last."""
    short = _WITHOUT[options.deck]
    return (*(card for card in cards.PACK if card % 13 not in short), *range(52, 52 + options.jokers))


def line(options: Options) -> tuple[int, ...]:
    """The ranks as a run goes through them (CH-31)."""
    return _line(options.deck, options.ace)


def value(card: int, options: Options) -> int:
    """What a loose card costs (CH-34)."""
    if card >= 52:
        return options.joker_value
    rank = card % 13
    return options.ace_value if rank == _ACE else min(rank + 2, 10)


def _line(deck: str, ace: str) -> tuple[int, ...]:
    """The ranks as runs go (CH-31): the ace before the two, and after the king too where it is both."""
    middle = tuple(rank for rank in range(12) if rank not in _WITHOUT[deck])
    return (_ACE, *middle, _ACE) if ace == "both" else (_ACE, *middle)


@lru_cache(maxsize=16)
def _tables(deck: str, ace: str, meld_max: int, ace_value: int, jokers: bool) -> _Tables:
    order = _line(deck, ace)
    weights = tuple(16 * (ace_value if rank == _ACE else min(rank + 2, 10)) + 1 for rank in range(13))
    windows = {
        size: [sum(1 << rank for rank in order[begin : begin + size]) for begin in range(len(order) - size + 1)]
        for size in range(3, 8)
    }
    whole = [window for size in range(3, meld_max + 1) for window in windows[size]]
    partial = {window & ~(1 << rank) for window in whole for rank in range(13) if window >> rank & 1}
    totals = [0]
    for held in range(1, 1 << 13):
        low = (held & -held).bit_length() - 1
        totals.append(totals[held & held - 1] + weights[low])
    return _Tables(
        weights,
        tuple(totals),
        _held_by_mask(whole, totals),
        _held_by_mask(sorted(partial), totals) if jokers else (),
        tuple(windows[7]),
    )


def _held_by_mask(wanted: list[int], totals: list[int]) -> tuple[tuple[Meld, ...], ...]:
    """For each mask of a suit those of the `wanted` masks that lie within it."""
    by_lowest: dict[int, list[Meld]] = {}
    for mask in wanted:
        by_lowest.setdefault(mask & -mask, []).append((totals[mask], mask))
    found: list[tuple[Meld, ...]] = [()]
    for held in range(1, 1 << 13):
        rest = found[held & held - 1]
        new = tuple(meld for meld in by_lowest.get(held & -held, ()) if meld[1] & held == meld[1])
        found.append(rest + new if new else rest)
    return tuple(found)


def _of(options: Options) -> _Tables:
    return _tables(options.deck, options.ace, options.meld_max, options.ace_value, options.jokers > 0)


def _melds(hand: int, tables: _Tables, options: Options) -> list[Meld]:
    """Every meld that the hand holds (CH-30, CH-31)."""
    spades, hearts = hand & _SUIT, hand >> 13 & _SUIT
    diamonds, clubs = hand >> 26 & _SUIT, hand >> 39 & _SUIT
    runs = tables.runs
    found: list[Meld] = []
    if row := runs[spades]:
        found += row
    if row := runs[hearts]:
        found += [(weight, mask << 13) for weight, mask in row]
    if row := runs[diamonds]:
        found += [(weight, mask << 26) for weight, mask in row]
    if row := runs[clubs]:
        found += [(weight, mask << 39) for weight, mask in row]
    threes = spades & hearts & (diamonds | clubs) | diamonds & clubs & (spades | hearts)
    while threes:
        low = threes & -threes
        threes ^= low
        group = hand & low * _COLUMN
        weight = tables.weights[low.bit_length() - 1]
        if group.bit_count() == 3:
            found.append((3 * weight, group))
        else:
            found.append((4 * weight, group))
            found += [(3 * weight, group ^ low << shift) for shift in (0, 13, 26, 39)]
    if hand & JOKERS:
        found += _with_joker(hand, tables, options)
    return found


def _with_joker(hand: int, tables: _Tables, options: Options) -> list[Meld]:
    """The melds in which a joker stands for one card; never more than one in a meld."""
    parts: list[Meld] = []
    for shift in (0, 13, 26, 39):
        parts += [(weight, mask << shift) for weight, mask in tables.nearly[hand >> shift & _SUIT]]
    for rank in range(13):
        group = hand & (1 << rank) * _COLUMN
        parts += [(part.bit_count() * tables.weights[rank], part) for part in _twos_and_threes(group)]
    own = 16 * options.joker_value + 1
    return [(weight + own, mask | joker) for joker in (BIT[52], BIT[53]) if hand & joker for weight, mask in parts]


def _twos_and_threes(group: int) -> list[int]:
    held = [BIT[card] for card in cards.cards(group)]
    pairs = [one | other for at, one in enumerate(held) for other in held[at + 1 :]]
    match len(held):
        case 3:
            return [*pairs, group]
        case 4:
            return [*pairs, *(group ^ bit for bit in held)]
        case _:
            return pairs


def _weight(hand: int, tables: _Tables, options: Options) -> int:
    totals = tables.totals
    found = totals[hand & _SUIT] + totals[hand >> 13 & _SUIT] + totals[hand >> 26 & _SUIT] + totals[hand >> 39 & _SUIT]
    if hand & JOKERS:
        found += (hand & JOKERS).bit_count() * (16 * options.joker_value + 1)
    return found


def arrangement(hand: int, options: Options) -> Arrangement:
    """The arrangement of a hand over all sets of disjoint melds: the smallest (points, number of loose cards) (CH-34).

    Of several as good the first is taken that `_melds` lists, so that the same hand is always laid out alike.
    """
    tables = _of(options)
    melds = _melds(hand, tables, options)
    total = _weight(hand, tables, options)
    if not melds:
        return Arrangement(total >> 4, hand)
    best, first, second = 0, 0, 0
    for at, (weight, mask) in enumerate(melds):
        if weight > best:
            best, first, second = weight, mask, 0
        for other, more in melds[at + 1 :]:
            if weight + other > best and not mask & more:
                best, first, second = weight + other, mask, more
    return Arrangement(total - best >> 4, hand & ~(first | second), (first, second) if second else (first,))


def arrangements(hand: int, options: Options) -> list[Arrangement]:
    """Every set of disjoint melds of a hand, none of them too."""
    tables = _of(options)
    melds = _melds(hand, tables, options)
    total = _weight(hand, tables, options)
    found = [Arrangement(total >> 4, hand)]
    for at, (weight, mask) in enumerate(melds):
        found.append(Arrangement(total - weight >> 4, hand & ~mask, (mask,)))
        for other, more in melds[at + 1 :]:
            if not mask & more:
                found.append(Arrangement(total - weight - other >> 4, hand & ~(mask | more), (mask, more)))
    return found


def is_meld(hand: int, options: Options) -> bool:
    """Whether the cards together are one meld (CH-30, CH-31)."""
    return any(mask == hand for _, mask in _melds(hand, _of(options), options))


def is_chinchon(hand: int, options: Options) -> bool:
    """Whether the cards are seven consecutive ones of a suit, without a joker (CH-33)."""
    sevens = _of(options).sevens
    return any(hand == seven << shift for shift in (0, 13, 26, 39) for seven in sevens)


def may_be_shown(group: int, options: Options) -> bool:
    """Whether the cards together may be shown as a meld, or as a chinchón (CH-62)."""
    return is_meld(group, options) or is_chinchon(group, options)


def cuts(hand: int, options: Options) -> dict[int, int]:
    """Of eight cards, each that may be shed with a cut, and the best result for the cutter (CH-40, CH-42): the value of
    the loose card, `bonus_complete`, or CHINCHON."""
    tables = _of(options)
    melds = _melds(hand, tables, options)
    if options.cut_rule == "threshold":
        found = _below_threshold(hand, melds, tables, options)
    else:
        found = _two_melds(hand, melds, options) if len(melds) > 1 else {}
    if len(melds) > 4:  # seven in a row hold no fewer
        for shift in (0, 13, 26, 39):
            if (hand >> shift & _SUIT).bit_count() >= 7:
                for seven in tables.sevens:
                    if (hand >> shift & seven) == seven:
                        found[(hand & ~(seven << shift)).bit_length() - 1] = CHINCHON
    return found


def _two_melds(hand: int, melds: list[Meld], options: Options) -> dict[int, int]:
    """Two disjoint melds of six cards leave two: either is shed, the other is loose. Of seven, none is loose."""
    found: dict[int, int] = {}
    for at, (_, mask) in enumerate(melds):
        for _, more in melds[at + 1 :]:
            if mask & more:
                continue
            rest = hand & ~(mask | more)
            if not rest:
                continue
            low = rest & -rest
            card = low.bit_length() - 1
            if rest == low:
                found[card] = min(found.get(card, 99), options.bonus_complete)
                continue
            other = (rest ^ low).bit_length() - 1
            found[card] = min(found.get(card, 99), value(other, options))
            found[other] = min(found.get(other, 99), value(card, options))
    return found


def _below_threshold(hand: int, melds: list[Meld], tables: _Tables, options: Options) -> dict[int, int]:
    """Every set of melds, and every loose card that may be shed so that the others cost no more than `cut_max`."""
    found: dict[int, int] = {}
    total = _weight(hand, tables, options)
    dearest = 16 * (max(10, options.joker_value) + options.cut_max + 1) + 8
    for covered, weight in _covers(melds):
        left = total - weight
        if left >= dearest:
            continue
        rest = hand & ~covered
        for card in cards.cards(rest):
            points = (left >> 4) - value(card, options)
            if points <= options.cut_max:
                result = options.bonus_complete if rest == BIT[card] else points
                found[card] = min(found.get(card, 99), result)
    return found


def _covers(melds: list[Meld]) -> list[tuple[int, int]]:
    """What no meld, one, or two disjoint ones cover: cards and weight."""
    found = [(0, 0)]
    for at, (weight, mask) in enumerate(melds):
        found.append((mask, weight))
        found += [(mask | more, weight + other) for other, more in melds[at + 1 :] if not mask & more]
    return found


def closing(kept: int, options: Options) -> tuple[int, Arrangement] | None:
    """Of the seven cards that a cutter keeps the best result and its arrangement; None: they may not cut (CH-40)."""
    if is_chinchon(kept, options):
        return CHINCHON, arrangement(kept, options)
    found = None
    for laid in arrangements(kept, options):
        if allows_cut(laid, options):
            result = options.bonus_complete if laid.complete else laid.points
            if found is None or result < found[0]:
                found = result, laid
    return found


def allows_cut(laid: Arrangement, options: Options) -> bool:
    """Whether seven cards that are laid out like this allow a cut (CH-40)."""
    if options.cut_rule == "threshold":
        return laid.complete or laid.points <= options.cut_max
    return len(laid.melds) == 2 and laid.loose.bit_count() <= 1


def laid_out(hand: int, found: tuple[int, ...], options: Options) -> Arrangement:
    """A hand laid out with melds (masks) that somebody chose; what is in none of them is loose."""
    loose = hand
    for meld in found:
        loose &= ~meld
    return Arrangement(_weight(loose, _of(options), options) >> 4, loose, found)


def in_order(meld: int, options: Options) -> tuple[int, ...]:
    """The cards of a meld as they are laid down: a set by suits, a run from its low end, a joker where it stands."""
    naturals = cards.cards(meld & ~JOKERS)
    jokers = cards.cards(meld & JOKERS)
    if len({card % 13 for card in naturals}) == 1:
        return (*naturals, *jokers)
    ranks_in_line, suit = line(options), naturals[0] // 13 * 13
    ranks = {card % 13 for card in naturals}
    size = len(naturals) + len(jokers)
    for begin in range(len(ranks_in_line) - size + 1):
        window = ranks_in_line[begin : begin + size]
        if ranks <= set(window):
            free = iter(jokers)
            return tuple(suit + rank if rank in ranks else next(free) for rank in window)
    return (*naturals, *jokers)
