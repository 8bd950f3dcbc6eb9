"""Games at random with words, wrong ones, objections, duels, absences: the laws hold at every step, and each game's
record and history are as the rules say."""

from __future__ import annotations

import contextlib
import os
import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from domain import events, table
from domain.audit_history import Commit, audit_history
from domain.commands import Leave, Return
from domain.decide import legal
from domain.game import Rejected
from domain.games.taichi.deck import LETTERS_OF
from domain.games.taichi.moves import OBJECT, Word
from domain.shuffle import NO_MOVES, Seeded
from tests.domain.play import Sitting, started
from tests.domain.taichi.lexicon import FEW, WORDS
from tests.domain.test_random_games import Watch

COUNT = int(os.environ.get("RANDOM_GAMES", "6"))


def _bytes(value: Any) -> bytes:
    return msgspec.json.encode(msgspec.structs.asdict(value) if isinstance(value, msgspec.Struct) else value)


def _no_word(cards: Sequence[int]) -> Word:
    """What fits the cards and stands in no dictionary."""
    return Word("".join(LETTERS_OF[card][0] for card in cards) + "qq")


def _something(sitting: Sitting, rng: random.Random, restless: float, sleepy: float) -> None:
    """A move of somebody who is asked, a word right or wrong, an objection, or time goes by."""
    state = sitting.state
    rules = state.rules
    sitting.time += rng.randrange(4000)
    sitting.order = rng.randrange(10**6)
    chance = rng.random()
    asked = [seat for ask in rules.to_act(state.set) for seat in ask.seats]
    if chance < restless:
        seat = rng.randrange(len(state.seats))
        act = Return() if table.away(state, seat) else Leave()
        with contextlib.suppress(Rejected):
            sitting.do(state.seats[seat].owner, rng.choice([act, Return()]), seat)
        return
    if chance < restless + sleepy and any(decision.seconds is not None for decision in state.decisions):
        sitting.expire()
        return
    seat = rng.choice(asked)
    seen = rules.observe(state.set, seat)
    assert rules.speaker is not None
    chance = rng.random()
    if chance < 0.15:
        with contextlib.suppress(Rejected):  # one may say and object what one likes
            wild = [Word(rng.choice(WORDS)), _no_word(state.set.open), OBJECT]
            sitting.move(rng.choice(wild), rng.randrange(len(state.seats)))
    elif chance < 0.3 and not seen.may_say:
        sitting.move(rng.choice(legal(state, seat)), seat)
    else:
        sitting.move(rules.speaker("steady", seen, FEW), seat)


def _check(sitting: Sitting, choice: bytes) -> None:
    """The laws of every game (tests/domain/test_every_game.py), in positions that are reached by words."""
    state = sitting.state
    rules, held = state.rules, state.set
    asked = {seat for ask in rules.to_act(held) for seat in ask.seats} if state.phase == "playing" else set()
    seats = range(len(state.seats))
    if state.phase == "playing":
        assert {seat for seat in seats if rules.legal(held, seat)} == asked != set()
    for seat in (*seats, None):
        seen = rules.observe(held, seat)
        other = rules.guess(seen, Seeded(choice, NO_MOVES))
        assert rules.observe(other, seat) == seen
        if state.phase == "playing":
            assert [rules.legal(other, player) for player in seats] == [rules.legal(held, player) for player in seats]
        elsewhere = msgspec.structs.replace(state, set=other, seed=b"another", next_seed=b"yet another")
        assert _bytes(table.observe(elsewhere, seat)) == _bytes(table.observe(state, seat))
        assert msgspec.json.encode(rules.scene(rules.observe(other, seat))) == msgspec.json.encode(rules.scene(seen))


def _play(number: int) -> Sitting:
    rng = random.Random(number)
    sitting = started(
        "taichi",
        f"words {number}",
        seats=rng.randint(2, 6),
        language=rng.choice(["en", "fr"]),
        duel=rng.choice(["live", "own_clock"]),
        unchallenged=rng.choice(["letter", "symbol"]),
        lenient=rng.choice(["true", "false"]),
    )
    watch = Watch("taichi")
    restless, sleepy = rng.choice((0.0, 0.004, 0.02)), rng.choice((0.0, 0.01, 0.1, 0.5))
    public = None
    seen = 0

    def step() -> None:
        nonlocal public, seen
        _something(sitting, rng, restless, sleepy)
        watch.look(sitting)
        for commit in sitting.commits[seen:]:
            stored = events.encode(commit.events)
            assert events.decode(stored) == commit.events
            public = table.fold(sitting.name, public, commit.events)
        seen = len(sitting.commits)
        assert public is not None
        assert _bytes(table.observe(public, None)) == _bytes(table.observe(sitting.state, None))
        if rng.random() < 0.15:
            _check(sitting, bytes([rng.randrange(256)]))

    return sitting.play(step)


@pytest.mark.parametrize("number", range(COUNT))
def test_a_random_game_of_words_keeps_the_laws_and_is_as_the_rules_say(number: int) -> None:
    sitting = _play(number)
    assert sitting.state.phase == "over"
    assert audit_history([Commit(one.time, one.actor, one.events) for one in sitting.commits]) is None
