"""Chit Chat: the rules of `rules.py`, clause by clause (CC-1 ...), gathered in one Game record."""

from __future__ import annotations

from typing import Any

from domain import cards
from domain.game import Game, Setup
from domain.games.chitchat import guess, moves, options, pack, player, rules, state, view


def _packs(setup: Setup) -> dict[str, tuple[int, ...]]:
    return {f"deal:{setup.deal}": pack.PACK, f"pets:{setup.deal}": pack.KINGS}


def _reshuffles(final: state.Set) -> tuple[tuple[int, ...], ...]:
    return final.stocks


def _extra(final: state.Set) -> dict[str, Any]:
    """Nothing beside the kings, which are a pack (records, `extra`)."""
    return {}


CHITCHAT = Game(
    slug="chitchat",
    ruleset="chitchat/1",
    seats=(2, 2),
    options=options.Options,
    presets=options.PRESETS,
    implied=options.implied,
    check=options.check,
    events=state.EVENTS,
    away_after=3,
    examples={"talk": "talk 2H", "argue": "argue 3S", "change": "change 2D 3D", "resign": "resign"},
    open_refusals=frozenset(
        {"not_a_conversation_card", "on_topic", "too_high", "off_topic", "not_one_suit", "topic_unchanged"}
    ),
    gives_up=(moves.RESIGN,),
    clauses={
        "seats": "CC-3",
        "pack": "CC-1",
        "first_dealer": "CC-3",
        "totals": "CC-41",
        "deal": "CC-4",
        "shuffle": "CC-4",
        "reshuffle": "CC-51",
        "moves": "CC-20",
        "scores": "CC-41",
        "rows": "CC-41",
        "next_dealer": "CC-3",
        "winners": "CC-41",
        "points": "CC-41",
        "lag": "CC-43",
        "resign": "CC-45",
        "timeout": "CC-62",
        "abandoned": "CC-63",
        "away": "CC-63",
    },
    first_dealer=rules.first_dealer,
    host_names_dealer=False,
    start=state.start,
    opening=rules.opening,
    to_act=rules.to_act,
    legal=rules.legal,
    decide=rules.decide,
    brings=True,
    evolve=state.evolve,
    shuffles=frozenset({state.Reshuffled}),
    public_move=state.public_move,
    timeout=rules.timeout,
    gone=rules.gone,
    too_few=rules.too_few,
    after_set=rules.after_set,
    next_deal=rules.next_deal,
    observe=view.observe,
    guess=guess.guess,
    scene=view.scene,
    parse=moves.parse,
    notation=moves.notation,
    read=moves.read,
    player=player.player,
    packs=_packs,
    reshuffles=_reshuffles,
    extra=_extra,
    sheet=False,
    card_name=cards.name,
    tenths=rules.tenths,
)
