"""What somebody wants to be played as soon as he is asked again: wishes in order, the first that is legal then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.decide import legal
from domain.rejected import Rejected
from domain.table import Table, decision_of
from domain.veiled import Veiled

MOST = 6
"""Wishes of one plan."""
_OWN = "if "


class Plan(Veiled, frozen=True):
    """Wishes for the one next question of a set: a move's notation, or `if <word>`, a plan that the game itself knows
    (`Game.plans`). `set` numbers the set, `asked` is the last question's id when the plan was made, `id` names it."""

    id: str
    set: int
    asked: int
    wishes: tuple[str, ...]


def own(word: str) -> str:
    """The wish that stands for a plan that the game knows."""
    return f"{_OWN}{word}"


def word_of(wish: str) -> str | None:
    """The word of such a wish; None for a plain move."""
    return wish.removeprefix(_OWN) if wish.startswith(_OWN) else None


def check(state: Table, seat: int, wish: str) -> str:
    """The wish in exact notation. Rejected `not_started`, `table_over`, `plan_your_turn` (he is asked now),
    `no_plans_here` (a game of words), `plan_gives_up`, `no_such_plan`, and as the game's `read` does."""
    rules = state.rules
    if state.phase != "playing":
        raise Rejected("table_over" if state.phase == "over" else "not_started")
    if decision_of(state, seat) is not None:
        raise Rejected("plan_your_turn")
    if rules.word_of is not None:
        raise Rejected("no_plans_here")
    word = word_of(wish)
    if word is not None:
        if word not in rules.plans:
            raise Rejected("no_such_plan")
        return wish
    move = rules.read(wish)
    if move in rules.gives_up:
        raise Rejected("plan_gives_up")
    return rules.notation(move)


def extended(state: Table, seat: int, known: Plan | None, wishes: Sequence[str]) -> tuple[str, ...]:
    """The wishes of a plan with more of them at its end (of another set's plan nothing is left), each once.

    Rejected as `check` says, and `plan_too_long`.
    """
    checked = [check(state, seat, wish) for wish in wishes]
    before = () if known is None or known.set != state.sets else known.wishes
    wanted = tuple(dict.fromkeys((*before, *checked)))
    if len(wanted) > MOST:
        raise Rejected("plan_too_long", most=MOST)
    return wanted


def applies(state: Table, seat: int, plan: Plan) -> bool:
    """Whether the seat is asked the question that the plan is for."""
    question = decision_of(state, seat)
    return question is not None and plan.set == state.sets and question.id > plan.asked


def move(state: Table, seat: int, plan: Plan) -> Any | None:
    """The move that the plan means now: the first wish that is legal. None when there is none: nothing is played."""
    able = legal(state, seat)
    seen = state.rules.observe(state.set, seat)
    for wish in plan.wishes:
        found = _of(state, wish, seen)
        if found is not None and found in able and found not in state.rules.gives_up:
            return found
    return None


def forced(state: Table, seat: int) -> Any | None:
    """The only move that the seat has, where making it for its owner tells nobody anything; else None.

    Nothing where a result may still be objected to, where words can be said beside the listed moves, where answers race
    or stay hidden for now, or where the game guards its answers (`Game.guarded`): there the time that an answer takes
    may tell of a hand.
    """
    rules, able = state.rules, legal(state, seat)
    if len(able) != 1 or able[0] in rules.gives_up or rules.word_of is not None or state.pending is not None:
        return None
    for closed in (rules.races, rules.alone, rules.guarded):
        if closed is not None and closed(state.set):
            return None
    return able[0]


def _of(state: Table, wish: str, seen: Any) -> Any | None:
    word = word_of(wish)
    if word is None:
        try:
            return state.rules.read(wish)
        except Rejected:
            return None
    known = state.rules.plans.get(word)
    return None if known is None else known(seen)
