"""What to show of an observation of a round of Chinchón."""

from __future__ import annotations

from collections.abc import Iterable

from domain import cards
from domain.games.chinchon.events import HandsOpened
from domain.games.chinchon.melds import CHINCHON
from domain.games.chinchon.moves import grouped
from domain.games.chinchon.options import hints
from domain.games.chinchon.view import Observation, by_rank, joined
from domain.scene import Choice, Fact, Placed, Scene, Zone


def scene(seen: Observation) -> Scene:
    """Zones `pile` (from its top), `known`, `exposed`, `closing`, `opened`, `laid_off`, `hand`; facts `stock`,
    `dealer`, the own `drawn` card and `loose` points; a seat's `out`, `drew_stock`, `took` or `showed`; prompts `draw`,
    `discard`, `melds`."""
    may_take = "draw pile" in seen.legal
    pile = tuple(Placed(cards.name(card), playable=may_take and not at) for at, card in enumerate(seen.pile[::-1]))
    zones = [Zone("pile", pile, groups=(0, 1) if len(pile) > 1 else (0,))]
    facts = [Fact("stock", seen.left), Fact("dealer", seen.dealer)]
    if seen.reshuffles:
        facts.append(Fact("reshuffles", seen.reshuffles))
    if seen.cutter >= 0:
        zones.append(Zone("closing", _placed((seen.closing,), seen.cutter), seen.cutter))
    if seen.opened is not None:
        zones += _opened(seen.opened)
    elif seen.shown:
        zones += _shown(seen)
        if seen.hand is not None and seen.legal:
            zones.append(_hand(seen, seen.hand))
    else:
        zones += [Zone("known", _placed(held, seat), seat) for seat, held in seen.known if seat != seen.seat]
        others = [(seat, held) for seat, held in seen.exposed if seat != seen.seat]
        zones += [Zone("exposed", _placed(by_rank(held), seat), seat) for seat, held in others]
        if seen.hand is not None:
            zones.append(_hand(seen, seen.hand))
        if seen.drawn >= 0 and seen.seat == seen.turn:
            facts.append(Fact("drawn", cards.name(seen.drawn), private=True))
        if seen.loose is not None:
            facts.append(Fact("loose", seen.loose, private=True))
    seats = tuple(_seat_facts(seen, seat) for seat in range(seen.seats))
    return Scene(tuple(zones), tuple(facts), seats, _choices(seen), "" if seen.phase == "over" else seen.phase)


def _hand(seen: Observation, hand: tuple[int, ...]) -> Zone:
    playable = {move.partition(" ")[2] for move in seen.legal if seen.phase in ("discard", "melds")}
    shown = tuple(Placed(name, seen.seat, name in playable) for name in map(cards.name, hand))
    return Zone("hand", shown, seen.seat, seen.groups, private=True)


def _seat_facts(seen: Observation, seat: int) -> tuple[Fact, ...]:
    if seat not in seen.playing:
        return (Fact("out", 1),)
    if seen.phase == "melds":
        told = next((one for one in seen.declared if one.seat == seat), None)
        return () if told is None else (Fact("showed", len(told.groups)),)
    if seat != seen.turn or not seen.drew:
        return ()
    return (Fact("took", cards.name(seen.taken)) if seen.taken >= 0 else Fact("drew_stock", 1),)


def _placed(row: Iterable[int], seat: int) -> tuple[Placed, ...]:
    return tuple(Placed(cards.name(card), seat) for card in row)


def _opened(opened: HandsOpened) -> list[Zone]:
    """Every hand by the melds that counted, its loose cards, and last what was laid off."""
    laid = dict(opened.melds)
    off = dict(opened.laid_off)
    found = []
    for seat, hand in opened.hands:
        rows = list(laid[seat])
        loose = set(hand) - {card for row in rows for card in row} - set(off.get(seat, ()))
        row, groups = joined([*rows, by_rank(loose)])
        found.append(Zone("opened", _placed(row, seat), seat, groups))
        if seat in off:
            found.append(Zone("laid_off", _placed(off[seat], seat), seat))
    return found


def _shown(seen: Observation) -> list[Zone]:
    """Every hand as it lies open: the melds that its owner has shown or is laying out, and the rest by suits."""
    laid = {**dict(seen.laying), **{one.seat: one.groups for one in seen.declared}}
    found = []
    for seat, hand in seen.shown:
        rows, left = [], set(hand)
        for group in laid.get(seat, ()):  # a card that stands in two of them lies in the first
            rows.append(tuple(card for card in group if card in left))
            left -= set(group)
        row, groups = joined([*rows, by_rank(left)])
        found.append(Zone("opened", _placed(row, seat), seat, groups))
    return found


def _choices(seen: Observation) -> tuple[Choice, ...]:
    if seen.phase == "draw":
        found = [Choice(move, move.replace(" ", "_")) for move in seen.legal]
        top = cards.name(seen.pile[-1]) if seen.pile else ""
        return tuple(Choice(c.move, c.kind, top) if c.kind == "draw_pile" else c for c in found)
    if seen.phase == "melds":
        return _melds(seen)
    results = {cards.name(card): "chinchon" if result == CHINCHON else str(result) for card, result in seen.cuts}
    found = []
    for kind in ("discard", "cut"):
        for name in map(cards.name, seen.hand or ()):
            if f"{kind} {name}" in seen.legal:
                plain = kind == "discard" or not hints(seen.options)
                code = f"{kind}_any" if plain and kind == "cut" else kind
                found.append(Choice(f"{kind} {name}", code, name, "" if plain else results[name]))
    return tuple(found)


def _melds(seen: Observation) -> tuple[Choice, ...]:
    """To lay out one's melds card by card: which card comes next, the next meld, back, and that it is all."""
    if not seen.legal:
        return ()
    found = [
        Choice(move, "lay", move[4:])
        for name in map(cards.name, seen.hand or ())
        if (move := f"lay {name}") in seen.legal
    ]
    found += [Choice(move, move.replace(" ", "_")) for move in ("lay next", "lay back") if move in seen.legal]
    laid = tuple(filter(None, dict(seen.laying).get(-1 if seen.seat is None else seen.seat, ())))
    if laid:
        return (*found, Choice(f"meld {grouped(laid)}", "meld", grouped(laid)))
    return (*found, Choice("meld none", "meld_none"))
