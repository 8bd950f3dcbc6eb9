"""What one seat may know of a round of Chinchón (section 6), states that fit it, and what to show of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from domain import cards
from domain.games.chinchon import melds, rules
from domain.games.chinchon.melds import CHINCHON
from domain.games.chinchon.moves import notation
from domain.games.chinchon.options import Options
from domain.games.chinchon.state import HAND, HandsOpened, Seated, Set
from domain.scene import Choice, Fact, Placed, Scene, Zone
from domain.shuffle import Source
from domain.veiled import Veiled


class Observation(Veiled, frozen=True):
    """All that `seat` (None: a spectator) may know: public facts, and his own hand, legal moves and cuts."""

    _shown: ClassVar[tuple[str, ...]] = ("seat", "phase")

    seat: int | None
    options: Options
    seats: int
    dealer: int
    playing: tuple[int, ...]
    totals: tuple[int, ...]  # at the deal
    phase: str
    turn: int
    turns: int
    left: int  # cards in the stock
    pile: tuple[int, ...]  # from the bottom; its top alone under `pile_history=top_only`
    piled: int  # cards in the pile
    drew: str
    taken: int  # the card that the seat whose turn it is took from the pile
    known: tuple[Seated, ...]  # what everybody saw a seat take and it still has; nothing under `top_only`
    counts: tuple[int, ...]
    reshuffles: int
    gone: tuple[int, ...]
    cutter: int
    closing: int
    opened: HandsOpened | None
    hand: tuple[int, ...] | None  # the seat's own cards, by melds, the loose ones last
    groups: tuple[int, ...]  # where its melds and its loose cards begin
    loose: int | None  # the points of its loose cards
    drawn: int  # the card it drew in this turn
    cuts: tuple[tuple[int, int], ...]  # what it may shed with a cut, and the result
    legal: tuple[str, ...]  # its own legal moves, in notation


def observe(state: Set, seat: int | None) -> Observation:
    """The observation of a seat, or of a spectator (None): an allow-list of fields."""
    options = state.options
    own = None
    if seat is not None and state.hands is not None and seat in state.playing:
        own = state.hands[seat]
    row, groups, loose = laid_out(own, options) if own is not None else (None, (), None)
    mine = seat is not None and seat == state.turn
    counts = [0] * state.seats
    for other in state.playing:
        counts[other] = HAND + (other == state.turn and state.drew != "")
    history = options.pile_history == "on"
    return Observation(
        seat=seat,
        options=options,
        seats=state.seats,
        dealer=state.dealer,
        playing=state.playing,
        totals=state.totals,
        phase=phase(state),
        turn=state.turn,
        turns=state.turns,
        left=state.left,
        pile=state.pile if history else state.pile[-1:],
        piled=len(state.pile),
        drew=state.drew,
        taken=state.drawn if state.drew == "pile" else -1,
        known=tuple((s, cards.cards(held)) for s, held in enumerate(state.known) if held) if history else (),
        counts=tuple(counts),
        reshuffles=state.reshuffles,
        gone=state.gone,
        cutter=state.cutter,
        closing=state.closing,
        opened=state.opened,
        hand=row,
        groups=groups,
        loose=loose,
        drawn=state.drawn if mine else -1,
        cuts=tuple(sorted(rules.cuts(state).items())) if mine else (),
        legal=() if seat is None else tuple(notation(move) for move in rules.legal(state, seat)),
    )


def phase(state: Set) -> str:
    """`draw`, `discard`, or `over` when nobody is to act any more."""
    if state.turn < 0:
        return "over"
    return "discard" if state.drew else "draw"


def laid_out(hand: int, options: Options) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """A hand by its best arrangement: its melds, then the loose cards from the lowest; where each group begins; and the
    points of the loose cards (CH-34)."""
    best = melds.arrangement(hand, options)
    rows = [melds.in_order(meld, options) for meld in sorted(best.melds)]
    rows.append(_by_rank(cards.cards(best.loose)))
    return *_joined(rows), best.points


def _by_rank(row: Iterable[int]) -> tuple[int, ...]:
    """Cards from the ace to the king, jokers last."""
    return tuple(sorted(row, key=lambda card: (card >= 52, (card + 1) % 13, card)))


def _joined(rows: Iterable[tuple[int, ...]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Some rows in one, and where each begins."""
    found: list[int] = []
    groups = []
    for row in rows:
        if row:
            groups.append(len(found))
            found += row
    return tuple(found), tuple(groups)


def guess(seen: Observation, source: Source) -> Set:
    """A full state that fits the observation: what is not known is dealt to the other hands, below the top of the pile
    where only that is seen, and to the stock."""
    hands = [0] * seen.seats
    known = [0] * seen.seats
    for seat, held in seen.known:
        known[seat] = hands[seat] = cards.mask(held)
    if seen.taken >= 0:
        known[seen.turn] |= 1 << seen.taken
        hands[seen.turn] |= 1 << seen.taken
    if seen.seat is not None and seen.hand is not None:
        hands[seen.seat] = cards.mask(seen.hand)
    for seat, opened in seen.opened.hands if seen.opened is not None else ():
        hands[seat] = cards.mask(opened)
    gone = cards.mask(seen.pile) | (1 << seen.closing if seen.closing >= 0 else 0)
    for hand in hands:
        gone |= hand
    pool = [card for card in source.order("guess", melds.pack(seen.options)) if not gone >> card & 1]
    for seat in seen.playing:
        while hands[seat].bit_count() < seen.counts[seat]:
            hands[seat] |= 1 << pool.pop()
    below = tuple(pool.pop() for _ in range(seen.piled - len(seen.pile)))
    return Set(
        options=seen.options,
        seats=seen.seats,
        dealer=seen.dealer,
        playing=seen.playing,
        turn=seen.turn,
        left=seen.left,
        known=tuple(known),
        hands=tuple(hands),
        stock=tuple(pool),
        pile=(*below, *seen.pile),
        turns=seen.turns,
        drew=seen.drew,  # type: ignore[arg-type]
        drawn=_drawn(seen, hands, known),
        reshuffles=seen.reshuffles,
        gone=seen.gone,
        cutter=seen.cutter,
        closing=seen.closing,
        opened=seen.opened,
        totals=seen.totals,
    )


def _drawn(seen: Observation, hands: list[int], known: list[int]) -> int:
    """The card that the seat whose turn it is has drawn: its own affair where it came from the stock."""
    if seen.taken >= 0 or seen.drawn >= 0 or not seen.drew:
        return max(seen.taken, seen.drawn)
    return cards.cards(hands[seen.turn] & ~known[seen.turn])[0]


# What to show


def scene(seen: Observation) -> Scene:
    """Zones `pile` (from its top), `known`, `closing`, `opened`, `laid_off`, `hand`; facts `stock`, `dealer`, the own
    `drawn` card and `loose` points; a seat's `out`, `drew_stock` or `took`; prompts `draw`, `discard`."""
    may_take = "draw pile" in seen.legal
    pile = tuple(Placed(cards.name(card), playable=may_take and not at) for at, card in enumerate(seen.pile[::-1]))
    zones = [Zone("pile", pile, groups=(0, 1) if len(pile) > 1 else (0,))]
    facts = [Fact("stock", seen.left), Fact("dealer", seen.dealer)]
    if seen.reshuffles:
        facts.append(Fact("reshuffles", seen.reshuffles))
    if seen.opened is not None:
        zones.append(Zone("closing", _placed((seen.closing,), seen.cutter), seen.cutter))
        zones += _opened(seen.opened)
    else:
        zones += [Zone("known", _placed(held, seat), seat) for seat, held in seen.known if seat != seen.seat]
        if seen.hand is not None:
            zones.append(_hand(seen, seen.hand))
        if seen.drawn >= 0:
            facts.append(Fact("drawn", cards.name(seen.drawn), private=True))
        if seen.loose is not None:
            facts.append(Fact("loose", seen.loose, private=True))
    seats = tuple(_seat_facts(seen, seat) for seat in range(seen.seats))
    return Scene(tuple(zones), tuple(facts), seats, _choices(seen), "" if seen.phase == "over" else seen.phase)


def _hand(seen: Observation, hand: tuple[int, ...]) -> Zone:
    playable = {move.partition(" ")[2] for move in seen.legal if seen.phase == "discard"}
    shown = tuple(Placed(name, seen.seat, name in playable) for name in map(cards.name, hand))
    return Zone("hand", shown, seen.seat, seen.groups, private=True)


def _seat_facts(seen: Observation, seat: int) -> tuple[Fact, ...]:
    if seat not in seen.playing:
        return (Fact("out", 1),)
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
        row, groups = _joined([*rows, _by_rank(loose)])
        found.append(Zone("opened", _placed(row, seat), seat, groups))
        if seat in off:
            found.append(Zone("laid_off", _placed(off[seat], seat), seat))
    return found


def _choices(seen: Observation) -> tuple[Choice, ...]:
    if seen.phase == "draw":
        found = [Choice(move, move.replace(" ", "_")) for move in seen.legal]
        top = cards.name(seen.pile[-1]) if seen.pile else ""
        return tuple(Choice(c.move, c.kind, top) if c.kind == "draw_pile" else c for c in found)
    results = {cards.name(card): "chinchon" if result == CHINCHON else str(result) for card, result in seen.cuts}
    found = []
    for kind in ("discard", "cut"):
        for name in map(cards.name, seen.hand or ()):
            if f"{kind} {name}" in seen.legal:
                found.append(Choice(f"{kind} {name}", kind, name, results[name] if kind == "cut" else ""))
    return tuple(found)
