"""How a round is closed: cuts, also such as the cards do not allow (CH-40 to CH-43, CH-61), and hands whose owners say
themselves which melds they have (CH-62)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from domain import cards
from domain.cards import BIT
from domain.game import Rejected, SetEnded
from domain.games.chinchon import melds, scores
from domain.games.chinchon.events import (
    CardLaid,
    CutFailed,
    CutMade,
    Event,
    Groups,
    HandsOpened,
    HandsShown,
    LaidBack,
    MeldLaid,
    MeldsShown,
    Reshuffled,
    Seated,
    Wrong,
)
from domain.games.chinchon.melds import CHINCHON, Arrangement
from domain.games.chinchon.moves import LAY_BACK, LAY_NEXT, LAYS, NO_MELD, Lay, LayBack, LayNext, Meld, Move
from domain.games.chinchon.options import Options
from domain.games.chinchon.state import Set, laid_by, to_show

FINE = 50  # of an invalid cut (CH-61)
OWN = 20  # of one, beside the loose cards
_MELDS = 2  # of seven cards, at most


def cuts(state: Set) -> dict[int, int]:
    """The cards with which the seat whose turn it is may cut now by the rules, each with its result (CH-24, CH-40)."""
    if state.hands is None or not state.drew or first_lap(state):
        return {}
    return melds.cuts(state.hands[state.turn], state.options)


def accepted(state: Set) -> tuple[int, ...]:
    """The cards with which it can cut, ascending: a table that plays on its honour takes any (CH-61)."""
    if state.options.enforcement == "strict":
        return tuple(sorted(cuts(state)))
    if state.hands is None or not state.drew or first_lap(state):
        return ()
    return cards.cards(state.hands[state.turn])


def first_lap(state: Set) -> bool:
    """Whether nobody may cut yet (CH-24, `no_cut_first_lap`)."""
    return state.options.no_cut_first_lap and state.turns < len(state.playing)


def turn_ended(state: Set) -> tuple[Event | SetEnded, ...]:
    """What follows when a card has been shed: a round that is dead (CH-27), a new stock (CH-25), or nothing."""
    most = state.options.max_turns * len(state.playing)
    if most and state.turns + 1 >= most:
        return (SetEnded("dead"),)
    if not state.left:
        kept = 1 if state.options.reshuffle == "keep_top" else 0
        return (Reshuffled(len(state.pile) + 1 - kept),)
    return ()


def cut(state: Set, seat: int, card: int, auto: bool) -> tuple[Event | SetEnded, ...]:
    """The facts that follow from a cut; Rejected `cannot_cut` on a strict table."""
    options = state.options
    assert state.hands is not None
    hands = {other: state.hands[other] & ~BIT[card] for other in state.playing}
    found = cuts(state).get(card)
    if found is None:
        if options.enforcement == "strict":
            raise Rejected("cannot_cut", clause="CH-40", card=cards.name(card))
        return _invalid(state, seat, card, hands)
    chinchon = found == CHINCHON
    if options.declare == "manual" and not (chinchon and options.chinchon_pays == "win"):
        return (CutMade(seat, card, auto), HandsShown(_seated(hands)))
    return (CutMade(seat, card, auto), *_settled(state, hands, scores.results(hands, seat, options), chinchon))


def _invalid(state: Set, seat: int, card: int, hands: Mapping[int, int]) -> tuple[Event | SetEnded, ...]:
    """A cut whose seven cards do not allow it: proved by the cards themselves, with no accusation (CH-61)."""
    options = state.options
    if options.invalid_cut == "play_on":
        return (CutFailed(seat, card, cards.cards(hands[seat])), *turn_ended(state))
    laid = {other: melds.arrangement(hand, options) for other, hand in hands.items()}
    fine = FINE if options.invalid_cut == "fine50" else laid[seat].points + OWN
    row = tuple((fine if other == seat else 0) if other in hands else None for other in range(state.seats))
    opened = HandsOpened(_seated(hands), tuple((other, _rows(one.melds, options)) for other, one in laid.items()))
    return (CutMade(seat, card), opened, SetEnded("invalid_cut", row))


def _settled(
    state: Set, hands: Mapping[int, int], found: Mapping[int, scores.Result], chinchon: bool
) -> tuple[Event | SetEnded, ...]:
    """The hands with the melds that count, and what the round scores (CH-43, CH-50)."""
    options = state.options
    opened = HandsOpened(
        _seated(hands),
        tuple((seat, _rows(result.melds, options)) for seat, result in found.items()),
        tuple((seat, cards.cards(result.laid_off)) for seat, result in found.items() if result.laid_off),
    )
    row = None
    if not chinchon or options.chinchon_pays != "win":
        row = tuple(found[seat].points if seat in found else None for seat in range(state.seats))
    return (opened, SetEnded("chinchon" if chinchon else "cut", row))


def _seated(hands: Mapping[int, int]) -> tuple[Seated, ...]:
    return tuple((seat, cards.cards(hand)) for seat, hand in hands.items())


def _rows(found: Sequence[int], options: Options) -> Groups:
    return tuple(melds.in_order(meld, options) for meld in found)


# Showing one's melds


def showing(state: Set, seat: int) -> tuple[Move, ...]:
    """What a seat that has yet to show its melds may do, beside showing some: that cannot be listed."""
    if seat not in to_show(state):
        return ()
    groups = laid_by(state, seat)
    found: list[Move] = [LAYS[card] for card in dict(state.shown)[seat] if not groups or card not in groups[-1]]
    if groups and groups[-1] and len(groups) < _MELDS:
        found.append(LAY_NEXT)
    if groups:
        found.append(LAY_BACK)
    return (*found, NO_MELD)


def show(state: Set, seat: int, move: Meld | Lay | LayNext | LayBack, auto: bool) -> tuple[Event | SetEnded, ...]:
    """The facts that follow when a seat shows its melds, or lays them out; Rejected `nothing_to_show`, `not_your_card`,
    `already_laid`, `nothing_laid`, and on a strict table `not_a_meld` and `card_in_two_melds`."""
    if seat not in to_show(state):
        raise Rejected("nothing_to_show", clause="CH-62")
    hand = dict(state.shown)[seat]
    groups = laid_by(state, seat)
    match move:
        case Lay(card=card):
            _hold(hand, (card,))
            if groups and card in groups[-1]:
                raise Rejected("already_laid", clause="CH-62", card=cards.name(card))
            return (CardLaid(seat, card),)
        case LayNext():
            if not groups or not groups[-1] or len(groups) == _MELDS:
                raise Rejected("nothing_laid", clause="CH-62")
            return (MeldLaid(seat),)
        case LayBack():
            if not groups:
                raise Rejected("nothing_laid", clause="CH-62")
            return (LaidBack(seat),)
        case Meld(groups=shown):
            _hold(hand, [card for group in shown for card in group])
            return _shown(state, MeldsShown(seat, shown, _wrong(state, seat, shown), auto))


def _hold(hand: Sequence[int], named: Sequence[int]) -> None:
    for card in named:
        if card not in hand:
            raise Rejected("not_your_card", clause="CH-62", card=cards.name(card))


def _shown(state: Set, event: MeldsShown) -> tuple[Event | SetEnded, ...]:
    options = state.options
    if options.enforcement == "strict" and event.wrong in scores.FINED:
        code = "not_a_meld" if event.wrong == "not_a_meld" else "card_in_two_melds"
        raise Rejected(code, clause="CH-62")
    if to_show(state) != (event.seat,):
        return (event,)
    hands = {seat: cards.mask(hand) for seat, hand in state.shown}
    found = scores.shown(hands, state.cutter, (*state.declared, event), options)
    return (event, *_settled(state, hands, found, melds.is_chinchon(hands[state.cutter], options)))


def _wrong(state: Set, seat: int, groups: Groups) -> Wrong:
    """What is wrong with a showing, as the open hand proves it."""
    options = state.options
    named = [card for group in groups for card in group]
    if len(set(named)) < len(named):
        return "card_in_two_melds"
    if not all(melds.may_be_shown(cards.mask(group), options) for group in groups):
        return "not_a_meld"
    hand = cards.mask(dict(state.shown)[seat])
    laid = melds.laid_out(hand, tuple(map(cards.mask, groups)), options)
    if not laid.complete and melds.arrangement(hand, options).complete:
        return "complete"
    if seat == state.cutter and not melds.allows_cut(laid, options):
        return "no_cut"
    return ""


def best(shown: Sequence[Seated], declared: Sequence[MeldsShown], seat: int, cutter: int, options: Options) -> Meld:
    """The melds with which a hand costs its owner least."""
    hands = {other: cards.mask(hand) for other, hand in shown}
    closed: Arrangement = scores.closed(hands[cutter], cutter, declared, options)
    if seat == cutter:
        laid = melds.closing(hands[seat], options)
        assert laid is not None, "who has cut may cut"
        return Meld(_rows(laid[1].melds, options))
    return Meld(_rows(scores.noncutter(hands[seat], closed, options).melds, options))
