from __future__ import annotations

import random

import pytest

from domain import premoves
from domain.decide import legal
from domain.games import GAMES
from domain.games.snitch.moves import Challenge, LaySet
from domain.premoves import Plan
from domain.rejected import Rejected
from domain.table import Table, decision_of
from tests.domain.play import SHORT, Sitting, started


def at_play(word: str = "plan", cards: int = 0) -> Sitting:
    """Call Break after the calls and some cards."""
    sitting = started("callbreak", word, redeal="", min_total_calls="0")
    sitting.moves(*["call 2"] * 4)
    rng = random.Random(word)
    for _ in range(cards):
        sitting.any_move(rng)
    return sitting


def asked(state: Table) -> int:
    return state.rules.to_act(state.set)[0].seats[0]


def plan(state: Table, *wishes: str) -> Plan:
    return Plan("p", state.sets, state.asked - 1, wishes)


def test_the_first_wish_that_is_legal_is_the_move() -> None:
    state = at_play(cards=1).state
    seat = asked(state)
    able = [state.rules.notation(move) for move in legal(state, seat)]
    held = {f"play {name}" for name in map(state.rules.card_name, state.rules.observe(state.set, seat).hand)}
    not_able = sorted(held - set(able))
    wishes = (*not_able[:2], able[-1], able[0])
    assert state.rules.notation(premoves.move(state, seat, plan(state, *wishes))) == able[-1]


def test_a_plan_without_a_legal_wish_means_nothing() -> None:
    state = at_play(cards=1).state
    seat = asked(state)
    able = {state.rules.notation(move) for move in legal(state, seat)}
    others = [f"play {name}" for name in ("2S", "3S", "4S", "2H", "3H", "2D", "2C") if f"play {name}" not in able]
    assert premoves.move(state, seat, plan(state, *others)) is None
    assert premoves.move(state, seat, plan(state, "play nonsense")) is None


@pytest.mark.parametrize("letter", ["", "_S", "_H", "_D", "_C"])
def test_low_is_the_lowest_of_the_suit_led_and_nothing_where_another_is_led(letter: str) -> None:
    met = 0
    for number in range(60):
        state = at_play(f"low {number}", cards=1 + number % 3).state
        seat = asked(state)
        led = "SHDC"[state.set.trick[0] // 13] if state.set.trick else ""
        able = [move.card for move in legal(state, seat) if led and "SHDC"[move.card // 13] == led]
        move = premoves.move(state, seat, plan(state, premoves.own(f"low{letter}")))
        if able and letter in ("", f"_{led}"):
            met += 1
            assert move is not None
            assert move.card == min(able)
        else:
            assert move is None
    assert met


def test_a_plan_is_for_the_next_question_of_its_set_alone() -> None:
    state = at_play(cards=1).state
    seat = asked(state)
    question = decision_of(state, seat)
    assert question is not None
    assert premoves.applies(state, seat, Plan("p", state.sets, question.id - 1, ()))
    assert not premoves.applies(state, seat, Plan("p", state.sets, question.id, ()))
    assert not premoves.applies(state, seat, Plan("p", state.sets + 1, question.id - 1, ()))
    assert not premoves.applies(state, (seat + 1) % 4, Plan("p", state.sets, question.id - 1, ()))


def refused(state: Table, seat: int, wish: str) -> str:
    with pytest.raises(Rejected) as found:
        premoves.check(state, seat, wish)
    return found.value.code


def test_what_cannot_be_planned_is_refused() -> None:
    state = at_play(cards=1).state
    seat = asked(state)
    other = (seat + 1) % 4
    assert refused(state, seat, "play QS") == "plan_your_turn"
    assert refused(state, other, "if high") == "no_such_plan"
    assert refused(state, other, "play 1S") == "not_a_card"
    assert premoves.check(state, other, "play QS") == "play QS"
    chat = started("chitchat", "plan").state
    assert refused(chat, 1 - asked(chat), "resign") == "plan_gives_up"
    words = started("taichi", "plan").state
    assert refused(words, (asked(words) + 1) % len(words.seats), "turn") == "no_plans_here"


def test_a_forced_move_is_the_only_legal_one_and_never_one_that_gives_up() -> None:
    rng, met = random.Random("forced"), 0
    for game in sorted(GAMES):
        for number in range(6):
            sitting = started(game, f"forced {number}", **SHORT.get(game, {}))
            for _ in range(80):
                state = sitting.state
                if state.phase != "playing":
                    break
                for seat in range(len(state.seats)):
                    move = premoves.forced(state, seat)
                    assert move is None or legal(state, seat) == (move,)
                    assert move not in state.rules.gives_up
                    met += move is not None
                sitting.any_move(rng)
    assert met > 50


def test_no_word_is_ever_said_or_left_unsaid_for_somebody() -> None:
    sitting = started("taichi", "forced")
    rng = random.Random("forced")
    for _ in range(100):
        if sitting.state.phase != "playing":
            break
        assert [premoves.forced(sitting.state, seat) for seat in range(len(sitting.state.seats))] == [None] * len(
            sitting.state.seats
        )
        sitting.any_move(rng)


def challenged(number: int) -> Sitting:
    """Snitch with a challenge that is open."""
    sitting = started("snitch", f"guarded {number}")
    for _ in range(100):
        state = sitting.state
        if state.set.target >= 0:
            return sitting
        able = legal(state, asked(state))
        wanted = [move for kind in (Challenge, LaySet) for move in able if isinstance(move, kind)]
        sitting.move((wanted or list(able))[0])
    raise AssertionError("nobody challenges anybody")


def test_whoever_cannot_defend_a_set_gives_it_up_himself() -> None:
    """Reports: who is quick to give a set up shows that he holds nothing to defend it with."""
    alone = 0
    for number in range(30):
        state = challenged(number).state
        seat = asked(state)
        alone += len(legal(state, seat)) == 1
        assert premoves.forced(state, seat) is None
    assert alone, "some had nothing but to give up"


def test_wishes_follow_one_another_each_once_and_not_without_end() -> None:
    state = at_play(cards=1).state
    other = (asked(state) + 1) % 4
    known = Plan("p", state.sets, state.asked, ("play QS",))
    assert premoves.extended(state, other, known, ["play KS", "play QS", "if low"]) == ("play QS", "play KS", "if low")
    assert premoves.extended(state, other, Plan("p", state.sets - 1, 0, ("play QS",)), ["play KS"]) == ("play KS",)
    many = [f"play {rank}S" for rank in "23456789"]
    with pytest.raises(Rejected, match="plan_too_long"):
        premoves.extended(state, other, None, many)
