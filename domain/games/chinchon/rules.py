"""The rules of Chinchón, clause by clause: what is legal, what a move causes, when a game ends, who deals next."""

from __future__ import annotations

from collections.abc import Sequence

from domain import cards
from domain.cards import BIT
from domain.game import (
    PLAIN,
    Adjustment,
    Ask,
    Brought,
    Deal,
    FirstDealer,
    Gone,
    Rejected,
    SetEnded,
    Standing,
    Verdict,
)
from domain.games.chinchon import closing, melds
from domain.games.chinchon.events import (
    Discarded,
    DrewPile,
    DrewStock,
    Event,
    SeatBack,
    SeatGone,
    TurnedUp,
)
from domain.games.chinchon.melds import CHINCHON
from domain.games.chinchon.moves import (
    CUTS,
    DISCARDS,
    DRAW_PILE,
    DRAW_STOCK,
    Cut,
    Discard,
    DrawPile,
    DrawStock,
    Lay,
    LayBack,
    LayNext,
    Meld,
    Move,
)
from domain.games.chinchon.options import Options
from domain.games.chinchon.state import Set, after, to_show
from domain.shuffle import Source

_SEVEN = cards.RANKS.index("7")
_DRAWS: dict[tuple[bool, bool], tuple[Move, ...]] = {
    (True, True): (DRAW_STOCK, DRAW_PILE),
    (True, False): (DRAW_STOCK,),
    (False, True): (DRAW_PILE,),
    (False, False): (),
}


# A turn


def opening(state: Set) -> tuple[Event | SetEnded, ...]:
    """The card that is turned up after the deal (CH-13)."""
    assert state.pile, "only whoever holds the seed can say what follows from a deal"
    return (TurnedUp(state.pile[0]),)


def to_act(state: Set) -> tuple[Ask, ...]:
    """The one seat whose turn it is; drawing and discarding are one question with one clock (CH-70). After a cut with
    `declare=manual` everybody who has yet to show his melds."""
    if state.turn < 0:
        seats = to_show(state)
        return (Ask("melds", seats, state.options.turn_seconds or None),) if seats else ()
    return (Ask(str(state.turns), (state.turn,), state.options.turn_seconds or None),)


def legal(state: Set, seat: int) -> tuple[Move, ...]:
    """The moves of the seat: a draw (CH-21), then a discard (CH-22) or a cut (CH-24), after a cut what it may do to
    show its melds (CH-62); empty when it is not asked."""
    if seat != state.turn:
        return closing.showing(state, seat)
    if not state.drew:
        return _DRAWS[state.left > 0, bool(state.pile)]
    if state.hands is None:
        return ()
    hand = state.hands[seat]
    found: list[Move] = []
    allowed = hand & ~BIT[state.drawn] if _may_not_return(state, state.drawn) else hand
    while allowed:
        low = allowed & -allowed
        found.append(DISCARDS[low.bit_length() - 1])
        allowed ^= low
    found += [CUTS[card] for card in closing.accepted(state)]
    return tuple(found)


def _may_not_return(state: Set, card: int) -> bool:
    """Whether the card was taken from the pile and may not go back there (CH-22, `no_return`)."""
    return state.options.no_return and state.drew == "pile" and card == state.drawn


def decide(state: Set, seat: int, move: Move, brought: Brought = PLAIN) -> tuple[Event | SetEnded, ...]:
    """The facts that a move causes, or Rejected: `not_your_turn`, `draw_first`, `already_drew`, `pile_empty`,
    `not_your_card`, `no_return`, `no_cut_first_lap`, `cannot_cut`; after a cut those of `closing.show`.

    `cannot_cut` and `not_your_card` tell of the seat's hand: they are for its owner alone (section 6).
    """
    if isinstance(move, Meld | Lay | LayNext | LayBack):
        return closing.show(state, seat, move, brought.auto)
    if seat != state.turn:
        raise Rejected("not_your_turn", clause="CH-21")
    match move:
        case Discard(card=card):
            _holds(state, seat, card)
            return _discard(state, seat, card, brought.auto)
        case DrawStock():
            _may_draw(state, state.left > 0)
            return (DrewStock(seat, brought.auto, _shown_draw(state, seat)),)
        case DrawPile():
            _may_draw(state, bool(state.pile))
            return (DrewPile(seat, state.pile[-1], brought.auto),)
        case Cut(card=card):
            if state.drew and closing.first_lap(state):  # first what everybody can see
                raise Rejected("no_cut_first_lap", clause="CH-24")
            _holds(state, seat, card)
            return closing.cut(state, seat, card, brought.auto)


def _shown_draw(state: Set, seat: int) -> int:
    """The card of the stock that everybody sees, for it comes into a hand that lies open (CH-61); else -1."""
    if seat not in state.exposed:
        return -1
    assert state.stock is not None, "only whoever holds the seed can turn up a card"
    return state.stock[-state.left]


def _may_draw(state: Set, cards_there: bool) -> None:
    if state.drew:
        raise Rejected("already_drew", clause="CH-21")
    if not cards_there:
        raise Rejected("pile_empty", clause="CH-21")


def _holds(state: Set, seat: int, card: int) -> None:
    if not state.drew:
        raise Rejected("draw_first", clause="CH-21")
    assert state.hands is not None, "only whoever holds the seed can judge a card"
    if not state.hands[seat] & BIT[card]:
        raise Rejected("not_your_card", clause="CH-22", card=cards.name(card))


def _discard(state: Set, seat: int, card: int, auto: bool) -> tuple[Event | SetEnded, ...]:
    if _may_not_return(state, card):
        raise Rejected("no_return", clause="CH-22", card=cards.name(card))
    return (Discarded(seat, card, auto), *closing.turn_ended(state))


# Absence


def timeout(state: Set, seat: int) -> Move:
    """What the clock does for a seat (CH-70): draw from the stock, shed the card drawn; cut only with a chinchón; show
    the melds that cost its owner least."""
    if state.turn < 0:
        return closing.best(state.shown, state.declared, seat, state.cutter, state.options)
    if not state.drew:
        return DRAW_STOCK
    assert state.hands is not None
    winning = [card for card, result in closing.cuts(state).items() if result == CHINCHON]
    if winning:
        return CUTS[state.drawn if state.drawn in winning else min(winning, key=_by_suit)]
    if _may_not_return(state, state.drawn):
        return DISCARDS[_dearest_loose(state.hands[seat], state.drawn, state.options)]
    return DISCARDS[state.drawn]


def _by_suit(card: int) -> tuple[int, int]:
    """The order S H D C, in each suit from the ace to the king (CH-70)."""
    return card // 13, (card + 1) % 13


def _dearest_loose(hand: int, taken: int, options: Options) -> int:
    """The loose card of highest value but the one taken (CH-70); without any, the card that the hand misses least."""
    loose = cards.cards(melds.arrangement(hand, options).loose & ~BIT[taken])
    if loose:
        return min(loose, key=lambda card: (-melds.value(card, options), _by_suit(card)))

    def missed(card: int) -> tuple[int, int, int, tuple[int, int]]:
        left = melds.arrangement(hand & ~BIT[card], options)
        return left.points, left.loose.bit_count(), -melds.value(card, options), _by_suit(card)

    return min(cards.cards(hand & ~BIT[taken]), key=missed)


def gone(state: Set, seat: int, what: Gone) -> tuple[Event, ...]:
    """The round remembers who was gone when it ended: he is removed then, unless he came back before (CH-71)."""
    if (state.turn < 0 and not to_show(state)) or seat not in state.playing:
        return ()
    if what == "returned":
        return (SeatBack(seat),) if seat in state.gone else ()
    return () if seat in state.gone else (SeatGone(seat),)


# From round to round


def _present(standing: Standing) -> list[int]:
    """The seats of the round whose owners are there: only they can win and play on (CH-71)."""
    final: Set | None = standing.final
    if final is None:
        return [seat for seat, left in enumerate(standing.left) if not left]
    return [seat for seat in final.playing if not standing.left[seat] and seat not in final.gone]


def too_few(standing: Standing) -> Verdict | None:
    """Nobody who plays is there any more; with one, the round is played to its end first (CH-71)."""
    return None if _present(standing) else Verdict("too_few_players", ())


def after_set(standing: Standing) -> Verdict | None:
    """Whether the game is over: by a chinchón (CH-43), because one player is left (CH-71, `end_mode=elimination`), or
    because somebody has reached the target (CH-52, CH-53). Whoever was gone when the round ended cannot win, not with a
    chinchón that the clock cut either, and ends the game for nobody else (CH-71)."""
    final: Set = standing.final
    options: Options = standing.options
    present = _present(standing)
    if standing.outcome == "chinchon" and standing.scores is None and final.cutter in present:
        return Verdict("chinchon", (final.cutter,))
    if not present:
        return Verdict("too_few_players", ())
    if len(present) == 1:
        return Verdict("last_left", tuple(present))
    if standing.scores is None:
        return None
    if options.end_mode == "elimination":
        below = [seat for seat in present if standing.totals[seat] < options.target]
        if len(below) > 1:
            return None
        return Verdict("last_left", _lowest(standing, below or present))
    if any(standing.totals[seat] >= options.target for seat in present):
        return Verdict("target", _lowest(standing, present))
    return None


def _lowest(standing: Standing, seats: Sequence[int]) -> tuple[int, ...]:
    """Who has the lowest total; of several the cutter, or all of them (CH-53)."""
    best = min(standing.totals[seat] for seat in seats)
    lowest = tuple(seat for seat in seats if standing.totals[seat] == best)
    return (standing.final.cutter,) if standing.final.cutter in lowest else lowest


def losers(standing: Standing, winners: Sequence[int]) -> tuple[int, ...]:
    """Who has lost with this round: after a chinchón everybody else, else whoever has reached the target and has not
    won (section 5); in an elimination those who drop out."""
    playing: tuple[int, ...] = standing.final.playing
    if standing.outcome == "chinchon" and standing.scores is None:
        return tuple(seat for seat in playing if seat not in winners)
    if standing.scores is None:
        return ()
    return tuple(s for s in playing if standing.totals[s] >= standing.options.target and s not in winners)


def adjust(standing: Standing) -> tuple[Adjustment, ...]:
    """Who reaches the target enters again, once a game, as long as somebody is below it: at the highest total of those
    who are, or at the second highest where there are two (`rebuy`, CH-52)."""
    options: Options = standing.options
    if options.rebuy == "none":
        return ()
    present = _present(standing)
    totals = standing.totals
    below = sorted((totals[seat] for seat in present if totals[seat] < options.target), reverse=True)
    rows = [row.values for row in standing.adjusted if row.kind == "rebuy"]
    before = {seat for values in rows for seat, value in enumerate(values) if value is not None}
    again = [seat for seat in present if totals[seat] >= options.target and seat not in before]
    if not below or not again:
        return ()
    entry = below[0] if options.rebuy == "highest" else below[:2][-1]
    values = tuple(entry - total if seat in again else None for seat, total in enumerate(totals))
    return (Adjustment("rebuy", values),)


def next_deal(standing: Standing) -> Deal:
    """The next dealer, clockwise, and the seats that are dealt in: neither those who were gone when the round ended
    (CH-71) nor who has dropped out (CH-15)."""
    final: Set = standing.final
    options: Options = standing.options
    playing = tuple(
        seat
        for seat in _present(standing)
        if options.end_mode != "elimination" or standing.totals[seat] < options.target
    )
    return Deal(after(final.dealer, playing), playing) if playing else Deal(final.dealer)


def first_dealer(options: Options, seats: int, source: Source) -> FirstDealer:
    """The first to draw a seven, one card each in turn from seat 0, none put back (CH-12); or any seat."""
    if options.first_dealer == "random":
        return FirstDealer("random", source.order("dealer", range(seats))[0])
    pack = source.order("dealer", melds.pack(options))
    drawn = next(at for at, card in enumerate(pack) if card < 52 and card % 13 == _SEVEN) + 1
    return FirstDealer("seven", (drawn - 1) % seats, pack[:drawn])
