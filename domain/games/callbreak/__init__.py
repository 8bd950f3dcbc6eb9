"""Call Break: the rules of `rules.py`, clause by clause (CB-1 ...), gathered in one Game record."""

from __future__ import annotations

from typing import Any

from domain import cards
from domain.game import Game, Setup
from domain.games.callbreak import (
    breaches,
    events,
    judging,
    moves,
    options,
    penalties,
    plans,
    player,
    rules,
    state,
    view,
)


def _extra(final: state.Set) -> dict[str, Any]:
    """`trump` in every set; `reasons` where the deal was voided (records, `extra`)."""
    found: dict[str, Any] = {"trump": cards.SUITS[final.trump]}
    if final.reasons:
        found["reasons"] = [[seat, reason] for seat, reason in final.reasons]
    return found


def _packs(setup: Setup) -> dict[str, tuple[int, ...]]:
    return {f"deal:{setup.deal}": cards.PACK}


def _accuses(move: moves.Move) -> int | None:
    return move.seat if type(move) is moves.Accuse else None


def _open_ended(move: moves.Move) -> bool:
    return type(move) is moves.Accuse


CALLBREAK = Game(
    slug="callbreak",
    ruleset="callbreak/1",
    seats=(4, 4),
    options=options.Options,
    presets=options.PRESETS,
    implied=options.implied,
    check=options.check,
    events=events.EVENTS,
    away_after=3,
    examples={
        "call": "call 4",
        "play": "play QS",
        "accuse": "accuse 2 5",
        "vote": "vote guilty",
        "confirm": "confirm",
    },
    plans=plans.PLANS,
    open_refusals=frozenset(
        {
            *("call_out_of_range", "calls_are_over", "calls_first", "not_a_number"),
            *("bad_accusation", "honour_only", "not_an_accusation", "no_vote", "nothing_to_confirm"),
        }
    ),
    clauses={
        "seats": "CB-1",
        "pack": "CB-3",
        "first_dealer": "CB-5",
        "totals": "CB-6",
        "deal": "CB-10",
        "shuffle": "CB-11",
        "extra.trump": "CB-12",
        "extra.reasons": "CB-15",
        "redeal": "CB-15",
        "low_calls": "CB-22",
        "void_cheating": "CB-51",
        "accusation": "CB-64",
        "moves": "CB-30",
        "scored": "CB-30",
        "scores": "CB-40",
        "rows": "CB-41",
        "next_dealer": "CB-42",
        "target": "CB-43",
        "winners": "CB-44",
        "max_sets": "CB-45",
        "timeout": "CB-60",
        "away": "CB-61",
        "too_few_players": "CB-62",
    },
    first_dealer=rules.first_dealer,
    start=state.start,
    opening=rules.opening,
    to_act=rules.to_act,
    legal=rules.legal,
    decide=rules.decide,
    evolve=state.evolve,
    public_move=state.public_move,
    timeout=rules.timeout,
    penal=penalties.penal,
    accuses=_accuses,
    accusable=judging.accusable,
    penalise=judging.penalise,
    contestable=judging.contestable,
    closing=frozenset({events.Called}),
    late=events.LATE,
    confirming=judging.confirming,
    entry=state.entry,
    breaches=breaches.breaches,
    open_ended=_open_ended,
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
    extra=_extra,
    packs=_packs,
    card_name=cards.name,
    tenths=rules.tenths,
)
