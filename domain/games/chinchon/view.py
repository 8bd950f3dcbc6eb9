"""What one seat may know of a round of Chinchón (section 6), and states that fit it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from domain import cards
from domain.cards import SUIT_MASK
from domain.games.chinchon import closing, melds, rules
from domain.games.chinchon.events import Groups, HandsOpened, MeldsShown, Seated
from domain.games.chinchon.moves import notation
from domain.games.chinchon.options import Options, hints
from domain.games.chinchon.state import HAND, Set, to_show
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
    exposed: tuple[Seated, ...]  # hands that lie open though the round goes on (CH-61)
    counts: tuple[int, ...]
    reshuffles: int
    gone: tuple[int, ...]
    cutter: int
    closing: int
    opened: HandsOpened | None
    shown: tuple[Seated, ...]  # hands that were opened, while their owners say which melds they have (CH-62)
    laying: tuple[tuple[int, Groups], ...]
    declared: tuple[MeldsShown, ...]
    hand: tuple[int, ...] | None  # the seat's own cards, by melds, the loose ones last; by suits where nothing hints
    groups: tuple[int, ...]  # where its melds and its loose cards begin, or its suits
    loose: int | None  # the points of its loose cards; None where nothing hints
    drawn: int  # the card that was drawn in this turn, its own or by a hand that lies open
    cuts: tuple[tuple[int, int], ...]  # what it may shed with a cut, and the result; nothing where nothing hints
    legal: tuple[str, ...]  # its own legal moves, in notation


def observe(state: Set, seat: int | None) -> Observation:
    """The observation of a seat, or of a spectator (None): an allow-list of fields."""
    options = state.options
    own = None
    if seat is not None and state.hands is not None and seat in state.playing:
        own = state.hands[seat]
    row, groups, loose = _in_hand(own, options) if own is not None else (None, (), None)
    mine = seat is not None and seat == state.turn
    counts = [0] * state.seats
    for other in state.playing:
        counts[other] = HAND + (other == state.turn and state.drew != "")
    history = options.pile_history == "on"
    known = [(other, cards.cards(held)) for other, held in enumerate(state.known)]
    open_turn = state.turn in state.exposed
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
        known=tuple(one for one in known if one[0] not in state.exposed and one[1]) if history else (),
        exposed=tuple(one for one in known if one[0] in state.exposed),
        counts=tuple(counts),
        reshuffles=state.reshuffles,
        gone=state.gone,
        cutter=state.cutter,
        closing=state.closing,
        opened=state.opened,
        shown=state.shown,
        laying=state.laying,
        declared=state.declared,
        hand=row,
        groups=groups,
        loose=loose,
        drawn=state.drawn if mine or open_turn else -1,
        cuts=tuple(sorted(closing.cuts(state).items())) if mine and hints(options) else (),
        legal=() if seat is None else tuple(notation(move) for move in rules.legal(state, seat)),
    )


def phase(state: Set) -> str:
    """`draw`, `discard`, `melds` while hands are shown, or `over` when nobody is to act any more."""
    if state.turn < 0:
        return "melds" if to_show(state) else "over"
    return "discard" if state.drew else "draw"


def _in_hand(hand: int, options: Options) -> tuple[tuple[int, ...], tuple[int, ...], int | None]:
    """A hand as its owner sees it: by its melds, or by suits from the ace to the king."""
    if hints(options):
        return laid_out(hand, options)
    suits = [by_rank(cards.cards(hand & suit)) for suit in (*SUIT_MASK, melds.JOKERS)]
    return *joined(suits), None


def laid_out(hand: int, options: Options) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """A hand by its best arrangement: its melds, then the loose cards from the lowest; where each group begins; and the
    points of the loose cards (CH-34)."""
    best = melds.arrangement(hand, options)
    rows = [melds.in_order(meld, options) for meld in sorted(best.melds)]
    rows.append(by_rank(cards.cards(best.loose)))
    return *joined(rows), best.points


def by_rank(row: Iterable[int]) -> tuple[int, ...]:
    """Cards from the ace to the king, jokers last."""
    return tuple(sorted(row, key=lambda card: (card >= 52, (card + 1) % 13, card)))


def joined(rows: Iterable[tuple[int, ...]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
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
    for seat, held in seen.exposed:
        known[seat] = hands[seat] = cards.mask(held)
    for seat, held in (*seen.shown, *(seen.opened.hands if seen.opened is not None else ())):
        hands[seat] = cards.mask(held)
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
        exposed=tuple(seat for seat, _ in seen.exposed),
        shown=seen.shown,
        laying=seen.laying,
        declared=seen.declared,
        totals=seen.totals,
    )


def _drawn(seen: Observation, hands: list[int], known: list[int]) -> int:
    """The card that the seat whose turn it is has drawn: its own affair where it came from the stock."""
    if seen.taken >= 0 or seen.drawn >= 0 or not seen.drew:
        return max(seen.taken, seen.drawn)
    return cards.cards(hands[seen.turn] & ~known[seen.turn])[0]
