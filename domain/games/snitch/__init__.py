"""Snitch: the rules of `rules.py`, clause by clause (SN-1 ...), gathered in one Game record."""

from __future__ import annotations

from domain import cards
from domain.game import Game
from domain.games.snitch import moves, options, player, rules, state, view
from domain.games.snitch.pack import PACK

SNITCH = Game(
    slug="snitch",
    ruleset="snitch/1",
    seats=(3, 8),
    options=options.Options,
    presets=options.PRESETS,
    implied=options.implied,
    check=options.check,
    events=state.EVENTS,
    away_after=2,
    examples=moves.EXAMPLES,
    open_refusals=frozenset(
        {
            *("no_challenge", "answer_challenge", "go_on_or_stop", "not_a_pair", "pile_closed", "pile_empty"),
            *("own_set", "no_set_there", "does_not_join", "joins_no_set"),
        }
    ),
    clauses={
        "seats": "SN-1",
        "pack": "SN-2",
        "shuffle": "SN-3",
        "first_dealer": "SN-4",
        "next_dealer": "SN-4",
        "moves": "SN-15",
        "scored": "SN-44",
        "scores": "SN-50",
        "rows": "SN-60",
        "totals": "SN-60",
        "rounds": "SN-60",
        "target": "SN-60",
        "winners": "SN-61",
        "timeout": "SN-72",
        "away": "SN-73",
        "last_left": "SN-73",
        "abandoned": "SN-73",
    },
    first_dealer=rules.first_dealer,
    host_names_dealer=False,
    start=state.start,
    opening=rules.opening,
    to_act=rules.to_act,
    guarded=rules.guarded,
    legal=rules.legal,
    decide=rules.decide,
    evolve=state.evolve,
    public_move=state.public_move,
    timeout=rules.timeout,
    gone=rules.gone,
    too_few=rules.too_few,
    after_set=rules.after_set,
    next_deal=rules.next_deal,
    observe=view.observe,
    guess=view.guess,
    scene=view.scene,
    parse=moves.parse,
    notation=moves.notation,
    read=moves.read,
    player=player.player,
    packs=lambda setup: {f"deal:{setup.deal}": PACK},
    extra=lambda final: {},
    card_name=cards.name,
    tenths=lambda options: False,
)
