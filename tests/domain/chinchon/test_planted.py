"""Tables of honour (CH-61, CH-62): planted offences of all kinds, judged by the rules and by a second referee."""

from __future__ import annotations

import os
import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from domain import cards, options, record, table
from domain.audit import audit_record
from domain.audit_history import Commit, audit_history
from domain.game import Rejected, SetEnded
from domain.games.chinchon import CHINCHON, closing, melds
from domain.games.chinchon.moves import CUTS, LAY_NEXT, LAYS, Meld
from domain.games.chinchon.options import Options
from domain.games.chinchon.state import to_show
from domain.table import Table
from tests.domain.chinchon import referee
from tests.domain.play import Sitting, started

ROUNDS = int(os.environ.get("HONOUR_SETS", "200"))
BLOCKS = 2


def _options(rng: random.Random) -> dict[str, Any]:
    return {
        "enforcement": "honour",
        "declare": rng.choice(["auto", "manual", "manual"]),
        "invalid_cut": rng.choice(["fine50", "own20", "play_on"]),
        "deck": rng.choice(["52", "52", "40"]),
        "jokers": rng.choice(["0", "0", "2"]),
        "ace": rng.choice(["both", "low"]),
        "meld_max": rng.choice(["4", "4", "7"]),
        "cut_rule": rng.choice(["two_melds", "threshold"]),
        "cut_max": rng.choice(["5", "20"]),
        "chinchon_pays": rng.choice(["win", "-25"]),
        "noncutter_complete": rng.choice(["20", "-10"]),
        "reshuffle": rng.choice(["all", "keep_top"]),
        "pile_history": rng.choice(["on", "top_only"]),
        "target": "150",
        "max_turns": "20",
    }


def _step(sitting: Sitting, rng: random.Random, often: float) -> None:
    """A move of whoever is asked: sensible, or now and then one that is against the rules."""
    state = sitting.state
    held, seat = state.set, sitting.asked()
    if to_show(held):
        _show(sitting, rng, seat, often)
        return
    wrong = [card for card in closing.accepted(held) if card not in closing.cuts(held)]
    if wrong and rng.random() < often:
        sitting.move(CUTS[rng.choice(wrong)])
    else:
        sitting.steady_move()


def _show(sitting: Sitting, rng: random.Random, seat: int, often: float) -> None:
    held = sitting.state.set
    hand = dict(held.shown)[seat]
    if rng.random() < 0.2:  # nothing hangs on what is laid out before
        sitting.move(LAYS[rng.choice(hand)], seat)
        if rng.random() < 0.5:
            sitting.move(LAY_NEXT, seat)
    if rng.random() < 0.4 + often:
        sitting.move(Meld(_any_groups(hand, held.options, rng)), seat)
    else:
        sitting.steady_move()


def _any_groups(hand: tuple[int, ...], chosen: Options, rng: random.Random) -> tuple[tuple[int, ...], ...]:
    """Some melds of a hand, true ones or not, apart from one another or not."""
    true = [some for size in (3, 4) for some in combinations(hand, size) if melds.is_meld(cards.mask(some), chosen)]
    found = rng.sample(true, min(len(true), rng.choice([0, 1, 2, 2])))
    if rng.random() < 0.3:
        found.append(tuple(rng.sample(hand, rng.randint(1, 4))))
    return tuple(found)


def _in_sets(sitting: Sitting) -> list[list[tuple[int, str]]]:
    """By the index of a set what its cards prove at its end, as anybody knows it who has no key."""
    state: Table | None = None
    found: list[list[tuple[int, str]]] = []
    for event in sitting.events:
        if isinstance(event, SetEnded):
            assert state is not None
            found.append([(one.seat, one.what) for one in CHINCHON.breaches(state.set)])
        state = table.fold(sitting.name, state, [event])
    return found


@pytest.mark.parametrize("block", range(BLOCKS))
def test_every_planted_offence_is_found_none_is_invented_and_every_fine_is_right(block: int) -> None:
    rng = random.Random(f"honour {block}")
    rounds, offences, outcomes = 0, Counter[tuple[str, str]](), Counter[str]()
    while rounds < ROUNDS / BLOCKS:
        texts = _options(rng)
        seats = rng.randint(2, 4)
        sitting = started("chinchon", f"planted {rng.random()}", seats=seats, persons=seats, **texts)
        often = rng.choice([0.02, 0.1, 0.3])
        sitting.play(lambda sitting=sitting, often=often: _step(sitting, rng, often))  # type: ignore[misc]
        document = record.record(sitting.events)
        chosen = options.stored(Options, document["options"])
        proved = _in_sets(sitting)
        for index, told in enumerate(document["sets"]):
            judged = referee.Round(told, seats, chosen)
            assert (told["outcome"], told["scores"]) == (judged.outcome, judged.scores), index
            assert proved[index] == judged.offences
            outcomes[told["outcome"]] += 1
            offences.update((what, texts["invalid_cut"]) for _, what in judged.offences)
        assert audit_record(record.write(document)) is None
        assert audit_history([Commit(one.time, one.actor, one.events) for one in sitting.commits]) is None
        rounds += len(document["sets"])
    assert {what for what, _ in offences} == {"invalid_cut", "not_a_meld", "card_in_two_melds"}
    assert {effect for what, effect in offences if what == "invalid_cut"} == {"fine50", "own20", "play_on"}
    assert {"cut", "invalid_cut"} <= set(outcomes)


def test_a_computer_player_commits_no_offence() -> None:
    for number, effect in enumerate(("fine50", "own20", "play_on")):
        sitting = started(
            "chinchon", f"honest {number}", persons=0, enforcement="honour", declare="manual", invalid_cut=effect
        ).steady()
        assert sitting.state.phase == "over"
        assert not any(_in_sets(sitting))
        assert any(type(event).__name__ == "MeldsShown" for event in sitting.events)


def test_a_strict_table_takes_no_offence() -> None:
    rng = random.Random("strict")
    refused = Counter[str]()
    for number in range(6):
        sitting = started("chinchon", f"strict {number}", seats=2, declare="manual", target="60")

        def step(sitting: Sitting = sitting) -> Any:
            if not to_show(sitting.state.set):
                return sitting.steady_move()
            seat = sitting.asked()
            try:
                return sitting.move(Meld(_any_groups(dict(sitting.state.set.shown)[seat], Options(), rng)), seat)
            except Rejected as refusal:
                refused[refusal.code] += 1
                return sitting.steady_move()

        sitting.play(step)
        assert not any(_in_sets(sitting))
    assert set(refused) == {"not_a_meld", "card_in_two_melds"}
