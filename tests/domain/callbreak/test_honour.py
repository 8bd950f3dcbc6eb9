"""Tables of honour (CB-50 to CB-55): planted offences of all kinds, judged by the rules and by a second referee."""

from __future__ import annotations

import contextlib
import os
import random
from collections import Counter
from typing import Any

import pytest

from domain import record, table
from domain.audit import audit_record
from domain.audit_history import Commit, audit_history
from domain.commands import Leave, Move, Return
from domain.game import Rejected, SetEnded
from domain.games.callbreak import offences, rules
from domain.games.callbreak.events import Convicted
from domain.games.callbreak.moves import PLAYS, Accuse
from domain.games.callbreak.view import lawful, observe
from tests.domain.callbreak import referee
from tests.domain.play import Sitting, started

SETS = int(os.environ.get("HONOUR_SETS", "300"))
BLOCKS = 3


def _options(rng: random.Random) -> dict[str, Any]:
    return {
        "enforcement": "honour",
        "audit": rng.choice(["accuse", "accuse", "auto"]),
        "false_accusation": rng.choice(["none", "minus10", "mirror"]),
        "penalty": rng.choice(["negate_best", "negate_best", "fail_call", "redeal_only"]),
        "hidden_call_test": rng.choice(["estimate", "certain", "off", "vote"]),
        "must_beat": rng.choice(["true", "true", "false"]),
        "must_trump": rng.choice(["always", "always", "if_beats", "never"]),
        "trump_mode": rng.choice(["fixed", "last_card"]),
        "scoring": rng.choice(["points", "points", "decimal"]),
        "redeal": rng.choice(["four_aces,no_trump,no_court", ""]),
        "target": rng.choice(["0", "60"]),
        "max_sets": "4",
        "tie": rng.choice(["play_on", "shared"]),
    }


def _cheat_or_play(sitting: Sitting, rng: random.Random, cheaters: set[int], often: float) -> None:
    """A card of whoever is asked: now and then one that is against the rules, if he cheats and has one."""
    state = sitting.state
    seat = rng.choice([seat for ask in rules.to_act(state.set) for seat in ask.seats])
    seen = observe(state.set, seat)
    if seen.phase != "play":
        legal = [move for move in rules.legal(state.set, seat) if getattr(move, "number", 2) <= 4]
        sitting.move(rng.choice(legal), seat)
        return
    allowed = lawful(seen)
    wrong = [card for card in seen.hand or () if not allowed >> card & 1]
    cheats = seat in cheaters and wrong and rng.random() < often
    right = [card for card in seen.hand or () if allowed >> card & 1]
    sitting.move(PLAYS[rng.choice(wrong if cheats else right)], seat)


def _accuse(sitting: Sitting, rng: random.Random) -> None:
    """Somebody says something of somebody, often with reason."""
    state = sitting.state
    about = state.set if state.contested is None else state.contested
    seat, accused, trick = rng.randrange(4), rng.randrange(4), rng.randint(1, 13)
    guilty = [] if about.hands is None else list(offences.truly(about, about.hands).items())
    if guilty and rng.random() < 0.5:
        accused, committed = rng.choice(guilty)
        trick = rng.choice(committed).trick
    with contextlib.suppress(Rejected):
        sitting.do(state.seats[seat].owner, Move(Accuse(accused, trick)), seat)


def _cheated_game(rng: random.Random) -> Sitting:
    sitting = started("callbreak", str(rng.random()), **_options(rng))
    often = rng.choice([0.05, 0.2, 0.5])
    cheaters = set(rng.sample(range(4), rng.randint(1, 3)))
    while sitting.state.phase == "playing":
        if sitting.state.sets > 6:
            cheaters = set()  # or it would never end
        if rng.random() < 0.06:
            _accuse(sitting, rng)
        elif rng.random() < 0.01:
            seat = sitting.state.seats[3]
            sitting.do(seat.owner, Return() if seat.left else Leave())
        elif table.away(sitting.state, sitting.asked()):
            sitting.expire()
        else:
            _cheat_or_play(sitting, rng, cheaters, often)
    return sitting


def _in_whole_points(document: dict[str, Any]) -> list[list[list[Any]]]:
    unit = 10 if document["options"]["scoring"] == "decimal" else 1
    return [[[index, round(value * unit), kind] for index, value, kind in column] for column in document["rows"]]


@pytest.mark.parametrize("block", range(BLOCKS))
def test_every_planted_offence_is_found_none_is_invented_and_every_penalty_is_right(block: int) -> None:
    """Two tricks later somebody notices what should have been played (rbtying/shengji#105)."""
    rng = random.Random(f"honour {block}")
    sets, labels, outcomes = 0, Counter[str](), Counter[str]()
    while sets < SETS / BLOCKS:
        sitting = _cheated_game(rng)
        document = record.record(sitting.events)
        played, columns = referee.judged(document)
        convictions, finals = _found_in(sitting)
        for index, (told, ours) in enumerate(zip(document["sets"], played, strict=True)):
            entries = [entry for entry in told["moves"] if isinstance(entry, dict) and "convicted" in entry]
            assert entries == ours.convicted
            assert (told["outcome"] == "void_cheating") == ours.void
            true = {(play["seat"], play["trick"], play["label"]) for play in ours.plays if play["label"]}
            if index in finals:
                assert finals[index] == true, "by trick 13 the cards on the table prove what was done, and no more"
            if ours.void:
                assert convictions[index] == true
            outcomes[told["outcome"]] += 1
            labels.update(label for _, _, label in true)
        assert [sorted(column, key=lambda cell: cell[0]) for column in columns] == _in_whole_points(document)
        assert audit_record(record.write(document)) is None
        commits = [Commit(one.time, one.actor, one.events) for one in sitting.commits]
        assert audit_history(commits) is None
        sets += len(played)
    assert set(labels) == {"revoke", "fail_to_trump", "fail_to_beat"}
    assert {"scored", "void_cheating"} <= set(outcomes)


Found = dict[int, set[tuple[int, int, str]]]


def _found_in(sitting: Sitting) -> tuple[Found, Found]:
    """By the index of a set: what seats were convicted of, and what the cards prove of a set that was played out."""
    convictions: Found = {}
    finals: Found = {}
    state: table.Table | None = None
    for event in sitting.events:
        before = state
        state = table.fold(sitting.name, state, [event], sitting.unseal)
        if before is None:
            continue
        about = before.sets - 1 if before.contested is None else before.contested_set
        if isinstance(event, Convicted):
            found = {(event.seat, one.trick, one.label) for one in event.offences}
            convictions[about] = convictions.get(about, set()) | found
        if isinstance(event, SetEnded) and len(before.set.tricks) == 13:
            finals[about] = {(one.seat, one.offence.trick, one.offence.label) for one in offences.proved(before.set)}
    return convictions, finals
