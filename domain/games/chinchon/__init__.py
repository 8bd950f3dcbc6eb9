"""Chinchón: the rules of `rules.py` and `closing.py`, clause by clause (CH-10 ...), gathered in one Game record."""

from __future__ import annotations

from domain import cards
from domain.game import Game, Setup
from domain.games.chinchon import breaches, events, melds, moves, options, player, rules, scene, state, view


def _packs(setup: Setup) -> dict[str, tuple[int, ...]]:
    return {f"deal:{setup.deal}": melds.pack(setup.options)}


def _open_ended(move: moves.Move) -> bool:
    return type(move) is moves.Meld and move != moves.NO_MELD


CHINCHON = Game(
    slug="chinchon",
    ruleset="chinchon/1",
    seats=(2, 4),
    options=options.Options,
    presets=options.PRESETS,
    implied=options.implied,
    check=options.check,
    events=events.EVENTS,
    away_after=3,
    examples=moves.EXAMPLES,
    open_refusals=frozenset({"draw_first", "already_drew", "pile_empty", "no_cut_first_lap", "nothing_to_show"}),
    clauses={
        "seats": "CH-10",
        "pack": "CH-11",
        "first_dealer": "CH-12",
        "deal": "CH-13",
        "next_dealer": "CH-15",
        "moves": "CH-20",
        "shuffle": "CH-13",
        "reshuffle": "CH-25",
        "dead": "CH-27",
        "cut": "CH-40",
        "chinchon": "CH-43",
        "invalid_cut": "CH-61",
        "scores": "CH-50",
        "rows": "CH-52",
        "totals": "CH-52",
        "target": "CH-52",
        "winners": "CH-53",
        "timeout": "CH-70",
        "away": "CH-71",
        "last_left": "CH-71",
        "too_few_players": "CH-71",
    },
    first_dealer=rules.first_dealer,
    host_names_dealer=False,
    start=state.start,
    opening=rules.opening,
    to_act=rules.to_act,
    legal=rules.legal,
    decide=rules.decide,
    evolve=state.evolve,
    shuffles=frozenset({events.Reshuffled}),
    public_move=state.public_move,
    untold_move=state.laying_of,
    breaches=breaches.breaches,
    open_ended=_open_ended,
    timeout=rules.timeout,
    gone=rules.gone,
    too_few=rules.too_few,
    adjust=rules.adjust,
    after_set=rules.after_set,
    next_deal=rules.next_deal,
    observe=view.observe,
    guess=view.guess,
    scene=scene.scene,
    parse=moves.parse,
    notation=moves.notation,
    read=moves.read,
    player=player.player,
    packs=_packs,
    reshuffles=lambda final: final.stocks,
    extra=lambda final: {},
    card_name=cards.name,
    tenths=lambda options: False,
)
