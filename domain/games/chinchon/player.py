"""Computer players of Chinchón. They are handed an observation, so they cannot see more than a person does."""

from __future__ import annotations

from domain import cards
from domain.cards import BIT, RANK_MASK, SUIT_MASK
from domain.games.chinchon import melds
from domain.games.chinchon.closing import best
from domain.games.chinchon.melds import CHINCHON
from domain.games.chinchon.moves import DRAW_PILE, DRAW_STOCK, Cut, Discard, Move, read
from domain.games.chinchon.options import Options
from domain.games.chinchon.state import after
from domain.games.chinchon.view import Observation

# Points, as they did well in some thousand rounds against players with others.
_CUT = 15.0  # that ending the round is worth beside the result of the cut
_CHINCHON = 100.0
_PAIR = 0.25  # that a card is worth which would make a meld of two loose ones
_SHOWN = 1.0  # that it costs to let everybody see what one takes
_FEED = 0.3  # that a meld costs which a discard might make for the next player


def player(level: str, seen: Observation) -> Move:
    """The move of the computer player (level `steady`) who sees `seen` and is to act."""
    assert level == "steady"
    assert seen.hand is not None
    assert seen.legal
    if seen.phase == "melds":
        assert seen.seat is not None
        return best(seen.shown, seen.declared, seen.seat, seen.cutter, seen.options)
    if len(seen.legal) == 1:
        return read(seen.legal[0])
    if seen.phase == "draw":
        return DRAW_PILE if _takes(seen) else DRAW_STOCK
    card = _cuts_with(seen)
    return Cut(card) if card is not None else Discard(_sheds(seen))


def _unseen(seen: Observation) -> list[int]:
    """The cards that may be in the stock: not one's own, not in the pile, not such as everybody knows another has."""
    gone = cards.mask(seen.hand or ()) | cards.mask(seen.pile)
    for _, held in (*seen.known, *seen.exposed):
        gone |= cards.mask(held)
    return [card for card in melds.pack(seen.options) if not gone >> card & 1]


def _takes(seen: Observation) -> bool:
    """Whether the top card of the pile goes into a meld, or into the last hand before a cut, and does more there than a
    card of the stock does on average."""
    hand, card, options = cards.mask(seen.hand or ()), seen.pile[-1], seen.options
    eight = hand | BIT[card]
    if melds.arrangement(eight, options).loose & BIT[card] and not melds.cuts(eight, options):
        return False
    unseen = _unseen(seen)
    return _after_draw(hand, card, options) < _after_any_draw(hand, unseen, options) - _SHOWN


def _after_any_draw(hand: int, unseen: list[int], options: Options) -> float:
    return sum(_after_draw(hand, card, options) for card in unseen) / max(1, len(unseen))


def _after_draw(hand: int, card: int, options: Options) -> float:
    """What a hand of seven comes to with one card more, in points, the fewer the better."""
    eight = hand | BIT[card]
    closing = melds.cuts(eight, options)
    if closing:
        best = min(closing.values())
        return -_CHINCHON if best == CHINCHON else best - _CUT
    laid = melds.arrangement(eight, options)
    return laid.points - max((melds.value(one, options) for one in cards.cards(laid.loose)), default=0)


def _sheds(seen: Observation) -> int:
    """The card without which the hand is best off after the next draw; a loose one where there is any."""
    options = seen.options
    hand = cards.mask(seen.hand or ())
    allowed = [move.card for move in map(read, seen.legal) if isinstance(move, Discard)]
    loose = melds.arrangement(hand, options).loose
    unseen = _unseen(seen)
    live = cards.mask(unseen)
    wanted = _wanted(seen)

    def worth(card: int) -> tuple[float, int]:
        kept = hand & ~BIT[card]
        later = _after_any_draw(kept, unseen, options)
        outs = _outs(melds.arrangement(kept, options).loose, live, options)
        return later - _PAIR * outs + _FEED * _feeds(card, live, wanted, options), card

    return min([card for card in allowed if loose >> card & 1] or allowed, key=worth)


def _wanted(seen: Observation) -> int:
    """What the next player was seen to take and still has, or his whole hand where it lies open."""
    assert seen.seat is not None
    return cards.mask(dict((*seen.known, *seen.exposed)).get(after(seen.seat, seen.playing), ()))


def _outs(loose: int, live: int, options: Options) -> int:
    """How many of the cards that may still come would make a meld of two loose ones."""
    found = 0
    held = cards.cards(loose)
    for at, one in enumerate(held):
        for other in held[at + 1 :]:
            pair = BIT[one] | BIT[other]
            found += _completing(pair, live, options)
    return found


def _completing(pair: int, live: int, options: Options) -> int:
    one, other = cards.cards(pair)
    if other >= 52:
        return 4
    if one % 13 == other % 13:
        return (live & RANK_MASK[cards.RANKS[one % 13]]).bit_count()
    if one // 13 != other // 13:
        return 0
    return sum(melds.is_meld(pair | BIT[card], options) for card in cards.cards(live & SUIT_MASK[one // 13]))


def _feeds(card: int, live: int, wanted: int, options: Options) -> int:
    """How many melds the card makes with one that the next player is known to hold and one that he may hold."""
    found = 0
    for one in cards.cards(wanted):
        pair = BIT[card] | BIT[one]
        found += _completing(pair, live | wanted & ~pair, options)
    return found


def _cuts_with(seen: Observation) -> int | None:
    """The card to cut with, only such as the rules allow, whatever the table takes; None to play on, also where the
    cutter himself would be at the target then (CH-52)."""
    lawful = melds.cuts(cards.mask(seen.hand or ()), seen.options)
    found = [(card, result) for card, result in sorted(lawful.items()) if f"cut {cards.name(card)}" in seen.legal]
    if not found:
        return None
    card, result = min(found, key=lambda cut: cut[1])
    if result == CHINCHON:
        return card
    assert seen.seat is not None
    if seen.totals[seen.seat] + result >= seen.options.target:
        return None
    return card
