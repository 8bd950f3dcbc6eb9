"""Tai Chi Chuan: the rules of `rules.py`, clause by clause (TC-1 ...), gathered in one Game record."""

from __future__ import annotations

from typing import Any

from domain.game import Decided, Game, Setup
from domain.games.taichi import asking, course, deck, events, guess, moves, options, player, rules, state, view


def _packs(setup: Setup) -> dict[str, tuple[int, ...]]:
    return {f"deal:{setup.deal}": deck.PACKS[setup.options.language]}


def _reshuffles(final: state.Set) -> tuple[tuple[int, ...], ...]:
    return final.stocks


def _extra(final: state.Set) -> dict[str, Any]:
    """The dictionary, with its version, and what players decided against it before a word counted, which does not stand
    among the moves (records, `extra`)."""
    found: dict[str, Any] = {"words": options.dictionary(final.options)}
    overruled = (*final.kept, *(one for one in final.ruled if one.counts))
    if overruled:
        found["overruled"] = [[one.word, one.of, one.counts] for one in overruled]
    return found


def _decided(final: state.Set) -> tuple[Decided, ...]:
    return final.ruled


TAICHI = Game(
    slug="taichi",
    ruleset="taichi/1",
    seats=(2, 8),
    options=options.Options,
    presets=options.PRESETS,
    implied=options.implied,
    check=options.check,
    events=events.EVENTS,
    away_after=rules.AWAY_AFTER,
    examples={
        "turn": "turn",
        "word": "word satellite",
        "no_word": "no_word",
        "stop": "stop",
        "challenge": "challenge",
        "decline": "decline",
        "ready": "ready",
        "open": "open",
        "pass": "pass",
        "object": "object",
        "agree": "agree",
        "disagree": "disagree",
    },
    open_refusals=rules.OPEN_REFUSALS,
    clauses={
        "seats": "TC-3",
        "pack": "TC-2",
        "first_dealer": "TC-3",
        "next_dealer": "TC-3",
        "shuffle": "TC-4",
        "deal": "TC-4",
        "moves": "TC-20",
        "timeout": "TC-70",
        "away": "TC-70",
        "scores": "TC-60",
        "rows": "TC-60",
        "totals": "TC-60",
        "winners": "TC-60",
        "played_out": "TC-52",
        "out_of_cards": "TC-51",
        "abandoned": "TC-70",
        "last_left": "TC-71",
        "extra.words": "TC-40",
        "extra.overruled": "TC-43",
    },
    first_dealer=rules.first_dealer,
    start=state.start,
    opening=rules.opening,
    to_act=asking.to_act,
    asked_after=asking.asked_after,
    legal=asking.legal,
    decide=rules.decide,
    races=rules.races,
    alone=rules.alone,
    open_ended=rules.open_ended,
    tries_apart=rules.TRIES_APART,
    brings=True,
    word_of=rules.word_of,
    dictionary=options.dictionary,
    decides=frozenset({events.ObjectionDecided}),
    decided=_decided,
    hides=rules.hides,
    secrets=frozenset({events.AnswerHidden}),
    unveil=state.unveil,
    hidden_move=events.hidden_move,
    revealed=events.revealed,
    evolve=state.evolve,
    shuffles=frozenset({events.Reshuffled}),
    public_move=events.public_move,
    move_of=events.move_of,
    untold=course.untold,
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
    speaker=player.speaker,
    pace=player.pace,
    packs=_packs,
    reshuffles=_reshuffles,
    extra=_extra,
    sheet=False,
    card_name=deck.name,
    tenths=rules.tenths,
)
