"""What a group is told of a refused move would be the same whatever the player holds, in every game."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from domain.commands import Move
from domain.decide import decide
from domain.games import GAMES
from domain.rejected import Rejected
from domain.shuffle import NO_MOVES, Seeded
from domain.table import Table
from service.chat.hands import reading
from service.chat.hands.moving import public
from tests.domain.play import SHORT, Sitting, started

RANKS = ("2", "4", "7", "10", "queen", "king", "ace", "a", "5 5", "4 6", "2h", "kd", "5h 5c", "ace of spades", "joker")
LETTERS = ("d", "as", "9c", "DC", "R♠", "2 d", "rt", "d v")
FOREIGN = ("reina", "rey", "dame", "la reina de picas", "valet", "dix", "as de pique", "quen of spades")


def _texts(game: str, ranks: Sequence[str]) -> list[str]:
    """Moves as people write them: with ranks alone, with cards named in full, with nothing."""
    seats = [f"{seat} " for seat in range(3)]
    return [
        f"{word} {seat}{rank}".strip()
        for word in (*GAMES[game].examples, "")
        for rank in ranks
        for seat in ("", *(seats if word == "challenge" else ()))
    ]


def _told(sitting: Sitting, state: Table, seat: int, text: str, reader: str) -> Any:
    """What the group reads: `accepted`, a public refusal with its values, or the neutral sentence."""
    try:
        move = reading.read(state, seat, text, reader)
        decide(state, sitting.command(state.seats[seat].owner, Move(move), seat))
    except Rejected as refused:
        shown = public(state, text, refused, reader)
        return "neutral" if shown is None else (shown.code, shown.values)
    return "accepted"


@pytest.mark.parametrize(("reader", "ranks"), [("en", ("", *RANKS, *FOREIGN)), ("fr", LETTERS)])
@pytest.mark.parametrize("game", [game for game in GAMES if not GAMES[game].word_of])
def test_a_refusal_in_a_group_is_the_same_for_every_hand(game: str, reader: str, ranks: Sequence[str]) -> None:
    different = 0
    for number in range(25):
        rng = random.Random(number)
        sitting = started(game, f"public {number}", **SHORT.get(game, {}))
        for _ in range(rng.randint(0, 40)):
            if sitting.state.phase == "playing":
                sitting.any_move(rng)
        state = sitting.state
        if state.phase != "playing":
            continue
        rules, seat = state.rules, sitting.asked()
        other = rules.guess(rules.observe(state.set, None), Seeded(bytes([number]), NO_MOVES))
        elsewhere = msgspec.structs.replace(state, set=other)
        for text in _texts(game, ranks):
            told = [_told(sitting, found, seat, text, reader) for found in (state, elsewhere)]
            if "accepted" not in told:
                assert told[0] == told[1], f"{text!r}"
            different += told[0] != told[1]
    assert different > 10, "the hands were not different at all"
