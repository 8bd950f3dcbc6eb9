"""A set whose conduct is called in question: while it is played, while its result waits to be confirmed, and after it,
until somebody acts in the next one (`Game.contestable`)."""

from __future__ import annotations

from typing import Any

import msgspec

from domain import voiding
from domain.authority import by_authority
from domain.commands import Command, Penalty
from domain.draft import Draft, ask_on, running
from domain.events import ResultAwaited, SetUndone
from domain.game import PLAIN, Game, SetEnded
from domain.presence import be_present
from domain.rejected import Rejected
from domain.settling import deal_on, go_on, punish, standing
from domain.table import Table


def accuse(state: Table, command: Command, seat: int, move: Any, accused: int) -> tuple[Any, ...]:
    """An accusation by a seat; it answers no question. Rejected `bad_accusation`, and whatever the game refuses."""
    rules = state.rules
    draft = Draft(state, command)
    be_present(draft, seat)
    state = draft.state
    late = state.contested is not None
    facts = rules.decide(state.contested if late else state.set, seat, move, PLAIN)
    if state.seats[accused].computer:
        raise Rejected("bad_accusation", clause=rules.clauses["accusation"], why="computer")
    _follow(draft, facts)
    return tuple(draft.facts)


def accusing(rules: Game, seat: int, which: str) -> Any | None:
    """The move by which a game accuses a seat of what it did in `which` (a trick's number); None: there is none."""
    for word, example in rules.examples.items():
        try:
            if rules.accuses(rules.read(example)) is not None:
                return rules.read(f"{word} {seat} {which[:10]}")
        except Rejected:
            continue
    return None


def penalise(state: Table, command: Command, act: Penalty) -> tuple[Any, ...]:
    """A penalty by right of office: as an accusation that is proved, made by no seat. Rejected `not_allowed`,
    `not_proved`, `no_penalties`, `bad_accusation`, ..."""
    draft = Draft(running(state), command)
    rules = state.rules
    by = by_authority(command, "penalty", act.reason_hash)
    accused = rules.accuses(act.move)
    if accused is None:
        raise Rejected("no_penalties")
    facts = rules.penalise(state.set if state.contested is None else state.contested, act.move)
    if state.seats[accused].computer:
        raise Rejected("bad_accusation", clause=rules.clauses["accusation"], why="computer")
    draft.add(msgspec.structs.replace(by, what=rules.notation(act.move)))
    _follow(draft, facts)
    return tuple(draft.facts)


def _follow(draft: Draft, facts: tuple[Any, ...]) -> None:
    """Goes on from what was found of a set that is played, or of one that has ended."""
    if draft.state.contested is None and draft.state.pending is None:
        draft.add(*facts)
        go_on(draft)
    else:
        _afterwards(draft, facts)


def _afterwards(draft: Draft, facts: tuple[Any, ...]) -> None:
    """What an accusation causes that comes after its set: the set may be undone, a result that waits with it."""
    state = draft.state
    waits = state.contested is None
    index = state.sets - 1 if waits else state.contested_set
    assert state.last_set is not None
    before = SetEnded(*state.last_set)
    undone = facts[-1] if type(facts[-1]) is SetEnded else None
    facts = facts if undone is None else facts[:-1]
    draft.add(*facts)
    final = draft.state.set if waits else draft.state.contested
    if undone is not None:
        draft.add(SetUndone(index, undone.outcome))
    punish(draft, facts, index, final)
    if waits and undone is not None:
        deal_on(draft, undone)
    elif waits:
        _judge_again(draft, before)
    ask_on(draft)


def _judge_again(draft: Draft, ended: SetEnded) -> None:
    """A result that waits may have become another one, or none."""
    state = draft.state
    verdict = voiding.verdict(state.rules, standing(state, ended), state.unpunished)
    if verdict is None:
        deal_on(draft, ended)
    elif verdict != state.pending:
        draft.add(ResultAwaited(verdict.ended, verdict.winners))
