"""The golden logs of Chinchón: each way a game can end, and each outcome a set can have."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from domain import cards
from domain.commands import Answer, Close, Leave, Propose, Return
from domain.events import RowWritten
from domain.games.chinchon.closing import cuts
from domain.games.chinchon.events import CutFailed, HandsOpened, MeldsShown, Reshuffled, SeatBack
from domain.games.chinchon.moves import CUTS, DISCARDS, DRAW_PILE, DRAW_STOCK, LAY_BACK, LAY_NEXT, LAYS, NO_MELD, Meld
from domain.games.chinchon.rules import timeout
from domain.games.chinchon.state import to_show
from domain.table import Table, away
from tests.domain.play import PERSONS, Sitting, started

ENDS = {"target", "chinchon", "last_left", "too_few_players", "vote", "closed"}
OUTCOMES = {"cut", "chinchon", "dead", "invalid_cut"}


def target() -> Sitting:
    """Ended at the target by three seats, with cuts of the cards; one leaves and comes back in the same round, and the
    stock runs out in the second."""
    sitting = started("chinchon", "golden target", persons=2, seats=3, target="60", cuts={0: 17, 1: 50})
    sitting.do(PERSONS[1], Leave())
    _play(sitting, lambda state: state.set.turns == 5)
    sitting.do(PERSONS[1], Return())
    _play(sitting, lambda state: state.sets == 2)
    sitting.random(random.Random(1), lambda state: state.set.reshuffles == 1)
    assert _has(sitting, Reshuffled)
    assert _has(sitting, SeatBack)
    return sitting.steady()


def chinchon() -> Sitting:
    """Ended by seven cards in a row."""
    sitting = started("chinchon", "golden chinchon", persons=1, seats=2)
    return _collect(sitting, lambda state: False)


def closed() -> Sitting:
    """Seven cards in a row under `chinchon_pays=-25`, jokers in the pack; closed by the operator in the next round."""
    sitting = started("chinchon", "golden closed", persons=2, seats=2, chinchon_pays="-25", jokers="2")
    _collect(sitting, lambda state: state.sets == 2)
    for _ in range(9):
        sitting.steady_move()
    sitting.do("operator", Close())
    return sitting


def last_left() -> Sitting:
    """Ended by elimination under the preset `spanish`, by four seats of whom one enters again, with cards laid off
    and a turn of the clock."""
    sitting = started("chinchon", "golden elimination", persons=3, preset="spanish", target="40", rebuy="highest")
    _play(sitting, lambda state: sitting.asked() == 0)
    sitting.expire()
    sitting.steady()
    assert any(type(event) is HandsOpened and event.laid_off for event in sitting.events)
    assert any(type(event) is RowWritten and event.kind == "rebuy" for event in sitting.events)
    return sitting


def leavers() -> Sitting:
    """Ended because one of three is left: the others went in the first round and in the second, one of them by not
    being there for three turns in a row."""
    sitting = started("chinchon", "golden leavers", persons=3, seats=3, reshuffle="keep_top", no_return="true")
    sitting.do(PERSONS[0], Leave())
    _play(sitting, lambda state: state.sets == 2)
    while not away(sitting.state, 2):
        if sitting.asked() == 2:
            sitting.expire()
        else:
            sitting.move(timeout(sitting.state.set, sitting.asked()))
    return _play(sitting)


def too_few_players() -> Sitting:
    """Ended because nobody is left."""
    sitting = started("chinchon", "golden nobody", persons=2, seats=2, first_dealer="random")
    sitting.steady_move()
    for person in PERSONS[:2]:
        sitting.do(person, Leave())
    return sitting


def vote() -> Sitting:
    """Ended by a vote of all, after a first round that was dead, in the second."""
    sitting = started("chinchon", "golden vote", persons=2, seats=2, max_turns="10", deck="48")
    sitting.play(lambda: sitting.move(timeout(sitting.state.set, sitting.asked())), lambda state: state.sets == 2)
    sitting.steady_move()
    sitting.do(PERSONS[1], Propose("end"))
    sitting.do(PERSONS[0], Answer(True))
    return sitting


def honour() -> Sitting:
    """A table of honour where somebody cuts again and again with cards that do not allow it: it ends at the target."""
    sitting = started("chinchon", "golden honour", persons=2, seats=3, enforcement="honour", invalid_cut="own20")

    def step() -> Any:
        held = sitting.state.set
        cheats = sitting.asked() == 0 and held.drew and not cuts(held)
        return sitting.move(CUTS[held.drawn]) if cheats else sitting.steady_move()

    return sitting.play(step)


def shown() -> Sitting:
    """Players say themselves which melds they have, and a cut that is none lets the round go on with an open hand; one
    lays out card by card, one shows too much, for one the clock shows."""
    options: dict[str, Any] = {"enforcement": "honour", "declare": "manual", "invalid_cut": "play_on", "target": "60"}
    sitting = started("chinchon", "golden shown", persons=3, seats=3, **options)
    _play(sitting, lambda state: bool(state.set.drew) and not cuts(state.set))
    sitting.move(CUTS[sitting.state.set.drawn])
    _play(sitting, lambda state: bool(to_show(state.set)))
    first, second, _ = to_show(sitting.state.set)
    hand = dict(sitting.state.set.shown)
    for move in (LAYS[hand[first][0]], LAY_BACK, LAYS[hand[first][0]], LAY_NEXT, LAYS[hand[first][1]]):
        sitting.move(move, first)
    sitting.move(NO_MELD, first)
    sitting.move(Meld((hand[second][:3], hand[second][2:5])), second)
    sitting.expire()
    assert _has(sitting, CutFailed)
    assert {event.wrong for event in sitting.events if type(event) is MeldsShown} & {"card_in_two_melds"}
    return _play(sitting)


def _has(sitting: Sitting, kind: type) -> bool:
    return any(type(event) is kind for event in sitting.events)


def _play(sitting: Sitting, until: Callable[[Table], bool] = lambda state: False) -> Sitting:
    """Sensible play of whoever is there, and the clock for the others."""

    def step() -> Any:
        return sitting.expire() if away(sitting.state, sitting.asked()) else sitting.steady_move()

    return sitting.play(step, until)


def _collect(sitting: Sitting, until: Callable[[Table], bool]) -> Sitting:
    """Seat 0 collects the seven in a row that it has most of, none of them in the other's hand, who sheds what he
    draws; then it cuts."""
    hands = sitting.state.set.hands
    line = "A23456789TJQKA"
    rows = [
        cards.mask(cards.card_of(rank + suit) for rank in line[low : low + 7]) for suit in "SHDC" for low in range(8)
    ]
    goal = max((row for row in rows if not row & hands[1]), key=lambda row: (row & hands[0]).bit_count())

    def step() -> Any:
        held = sitting.state.set
        if sitting.asked() == 1:
            return sitting.move(timeout(held, 1))
        if not held.drew:
            wanted = held.pile and goal >> held.pile[-1] & 1
            return sitting.move(DRAW_PILE if wanted else DRAW_STOCK)
        spare = next(card for card in cards.cards(held.hands[0]) if not goal >> card & 1)
        complete = held.hands[0] & goal == goal
        assert not complete or spare in cuts(held)
        return sitting.move(CUTS[spare] if complete else DISCARDS[spare])

    return sitting.play(step, until)


LOGS = (target, chinchon, closed, last_left, leavers, too_few_players, vote, honour, shown)
