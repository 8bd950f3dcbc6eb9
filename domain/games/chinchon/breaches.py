"""What an account of a table tells of a round: invalid cuts and wrong showings, as the open hands prove them (CH-61,
CH-62). The game itself has settled them when they happened."""

from __future__ import annotations

from domain import cards
from domain.game import Breach
from domain.games.chinchon import melds
from domain.games.chinchon.events import MeldsShown
from domain.games.chinchon.moves import grouped
from domain.games.chinchon.options import Options
from domain.games.chinchon.scores import FINED
from domain.games.chinchon.state import FailedCut, Set


def breaches(state: Set) -> tuple[Breach, ...]:
    """Every offence of the round, in the order in which they happened; the card is one that lay loose, or stood in the
    meld that was none."""
    cuts = [_cut(one, state.options) for one in state.failed]
    return (*cuts, *(_showing(one, state.options) for one in state.declared if one.wrong in FINED))


def _cut(one: FailedCut, options: Options) -> Breach:
    loose = cards.cards(melds.arrangement(cards.mask(one.cards), options).loose)
    dearest = max(loose, key=lambda card: (melds.value(card, options), card))
    return Breach(one.seat, "invalid_cut", f"cut {cards.name(one.card)}", dearest, settled=True)


def _showing(one: MeldsShown, options: Options) -> Breach:
    named = [card for group in one.groups for card in group]
    twice = [card for at, card in enumerate(named) if card in named[:at]]
    untrue = [group[0] for group in one.groups if not melds.may_be_shown(cards.mask(group), options)]
    return Breach(one.seat, one.wrong, f"meld {grouped(one.groups)}", (*twice, *untrue)[0], settled=True)
