"""What a cut scores (CH-50, CH-51), laying off on the cutter's melds included (CH-35)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from domain import cards
from domain.cards import BIT
from domain.games.chinchon import melds
from domain.games.chinchon.events import MeldsShown
from domain.games.chinchon.melds import JOKERS, Arrangement
from domain.games.chinchon.options import Options

WRONG = 10
"""What it costs to show a meld that is none, or a card twice (CH-62)."""
FINED = ("not_a_meld", "card_in_two_melds")


class Result(msgspec.Struct, frozen=True):
    """What one hand comes to at a cut: its points, its melds (masks), the cards laid off (a mask)."""

    points: int
    melds: tuple[int, ...]
    laid_off: int = 0


class _Place(msgspec.Struct, frozen=True):
    """A meld of the cutter's that may grow: a set of `rank` (`suit` is -1), or a run in `suit` from `low` to `high` of
    the line."""

    rank: int
    suit: int
    low: int
    high: int
    size: int
    joker: bool


def results(hands: Mapping[int, int], cutter: int, options: Options) -> dict[int, Result]:
    """What each seat gets when `cutter` cuts, by the seven cards (masks) of each (CH-50).

    With `chinchon_pays=win` a cutter's chinchón gets 0 here: no scores are written then (CH-43).
    """
    return shown(hands, cutter, (), options)


def shown(hands: Mapping[int, int], cutter: int, declared: Sequence[MeldsShown], options: Options) -> dict[int, Result]:
    """What each seat gets where some have said which melds they have (CH-62): what they showed counts, as far as
    nothing is wrong with it, else what the hand is worth; who showed a meld that is none pays WRONG for it too."""
    laid = closed(hands[cutter], cutter, declared, options)
    points = options.bonus_complete if laid.complete else laid.points
    if melds.is_chinchon(hands[cutter], options):
        points = 0 if options.chinchon_pays == "win" else int(options.chinchon_pays)
    told = {one.seat: one for one in declared}
    found = {}
    for seat, hand in hands.items():
        if seat == cutter:
            result = Result(points, laid.melds)
        else:
            result = noncutter(hand, laid, options, _told(hand, told.get(seat), options))
        if seat in told and told[seat].wrong in FINED:
            result = msgspec.structs.replace(result, points=result.points + WRONG)
        found[seat] = result
    return found


def closed(hand: int, cutter: int, declared: Sequence[MeldsShown], options: Options) -> Arrangement:
    """How the cutter's hand counts: as he showed it, else as it is best for him (CH-42)."""
    told = next((one for one in declared if one.seat == cutter), None)
    own = _told(hand, told, options)
    if own is not None:
        return own
    best = melds.closing(hand, options)
    assert best is not None, "who cuts may cut"
    return best[1]


def _told(hand: int, told: MeldsShown | None, options: Options) -> Arrangement | None:
    """The hand as its owner showed it; None where he has not, or where something was wrong with it."""
    if told is None or told.wrong:
        return None
    return melds.laid_out(hand, tuple(map(cards.mask, told.groups)), options)


def noncutter(hand: int, cutter: Arrangement, options: Options, told: Arrangement | None = None) -> Result:
    """What a hand gets that did not cut: 20 for a complete one, 50 for a chinchón (before any laying off), else the sum
    of its loose cards, with `laying_off` after the best use of the cutter's melds, unless nothing of his is loose.

    `told`: how its owner laid it out; else it is laid out as it is best for him.
    """
    laid = told or melds.arrangement(hand, options)
    if melds.is_chinchon(hand, options):
        return Result(options.noncutter_chinchon, laid.melds)
    if laid.complete:
        return Result(options.noncutter_complete, laid.melds)
    if not options.laying_off or cutter.complete:
        return Result(laid.points, laid.melds)
    places = tuple(_place(meld, options) for meld in cutter.melds)
    best = None
    for own in melds.arrangements(hand, options) if told is None else (told,):
        off, saved = _most(own.loose, places, options)
        left = own.points - saved, (own.loose & ~off).bit_count()
        if best is None or left < best[0]:
            best = left, Result(left[0], own.melds, off)
    assert best is not None
    return best[1]


def _place(meld: int, options: Options) -> _Place:
    row = melds.in_order(meld, options)
    joker = bool(meld & JOKERS)
    naturals = [card for card in row if card < 52]
    rank, suit = naturals[0] % 13, naturals[0] // 13
    if all(card % 13 == rank for card in naturals):
        return _Place(rank, -1, 0, 0, len(row), joker)
    line = melds.line(options)
    ranks = {card % 13 for card in naturals}
    low = next(at for at in range(len(line) - len(row) + 1) if ranks <= set(line[at : at + len(row)]))
    return _Place(-1, suit, low, low + len(row) - 1, len(row), joker)


def _most(loose: int, places: tuple[_Place, ...], options: Options) -> tuple[int, int]:
    """Of some loose cards those that together save the most when they are laid off, and their points."""
    best = 0, 0
    for card in cards.cards(loose):
        for at, place in enumerate(places):
            for grown in _grown(place, card, options):
                others = (*places[:at], grown, *places[at + 1 :])
                off, saved = _most(loose ^ BIT[card], others, options)
                saved += melds.value(card, options)
                if saved > best[1]:
                    best = off | BIT[card], saved
    return best


def _grown(place: _Place, card: int, options: Options) -> list[_Place]:
    """The meld with the card added, each way there is: a set up to four cards, a run at either end, of any length."""
    joker = card >= 52
    if joker and place.joker:
        return []
    grow = msgspec.structs.replace
    if place.suit < 0:
        fits = place.size < 4 and (joker or card % 13 == place.rank)
        return [grow(place, size=place.size + 1, joker=place.joker or joker)] if fits else []
    if not joker and card // 13 != place.suit:
        return []
    line = melds.line(options)
    found = []
    if place.low > 0 and (joker or line[place.low - 1] == card % 13):
        found.append(grow(place, low=place.low - 1, joker=place.joker or joker))
    if place.high + 1 < len(line) and (joker or line[place.high + 1] == card % 13):
        found.append(grow(place, high=place.high + 1, joker=place.joker or joker))
    return found
