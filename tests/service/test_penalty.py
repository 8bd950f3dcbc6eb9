"""`Penalty`: what an administrator may have punished, and how it stands in history, record, audit and account."""

from __future__ import annotations

import json

import msgspec
import pytest

from domain import events, record
from domain.audit import audit_record
from domain.commands import Pause, Penalty
from domain.events import AdminActed, RowWritten, SetUndone
from domain.games.callbreak.events import Accused, Convicted
from domain.games.callbreak.moves import CALLS, Accuse
from domain.games.callbreak.offences import proved
from domain.table import Table
from eventstore.record import Commit
from service.engine import Done, Refused
from service.reports.telling import account_of
from service.text import accounts, language
from tests.service.reports import honour
from tests.service.reports.honour import CHEAT, TABLE
from tests.service.tables import World, new_world, steady_seeds
from tests.service.tampering import changed, made_right

ADMIN = "person:eve"


def proofs(state: Table) -> list[int]:
    about = state.set if state.contested is None else state.contested
    return [found.offence.trick for found in proved(about) if found.seat == CHEAT]


async def proved_in_play() -> World:
    """A table of honour in whose first set something is proved that nobody has objected to."""
    world = await new_world(steady_seeds)
    await world.started(TABLE, {"enforcement": "honour", "max_sets": "2", "target": "0", "hidden_call_test": "off"})
    state = await world.state(TABLE)
    while state.set.called < 4 or not proofs(state):
        state = await honour.honest_or_not(world, cheats=True)
    assert state.sets == 1
    return world


async def penalise(world: World, seat: int, trick: int, *, admin: bool = True) -> Done | Refused:
    act = Penalty(Accuse(seat, trick))
    command = f"penalty {seat} {trick} {admin} {(await world.engine.held(TABLE)).version}"
    return await world.engine.submit(TABLE, ADMIN, act, command, admin=admin)


def written(commits: list[Commit]) -> dict[str, object]:
    return record.record(event for commit in commits for event in events.decode(commit.events))


async def test_what_the_cards_prove_is_punished_as_the_rules_say_without_an_accuser() -> None:
    world = await proved_in_play()
    trick = proofs(await world.state(TABLE))[0]
    done = await penalise(world, CHEAT, trick)
    assert isinstance(done, Done)
    assert done.events[0] == AdminActed("penalty", "", f"accuse {CHEAT} {trick}")
    assert not any(isinstance(event, Accused) for event in done.events)
    assert [event.seat for event in done.events if isinstance(event, Convicted)] == [CHEAT]
    (row,) = [event for event in done.events if isinstance(event, RowWritten)]
    assert (row.kind, row.values) == ("penalty", (None, -30, None, None)), "no row to negate: his call failed (CB-53)"
    commits = await honour.finished(world)
    found = account_of(TABLE, commits)
    assert found.verdict == "right"
    assert [(act.act, act.set, act.what) for act in found.acts] == [("penalty", 1, f"accuse {CHEAT} {trick}")]
    assert all(one.convicted for one in found.sets[0].offences)
    told = accounts.lines(language(), found, accounts.names(language(), found, {}), {ADMIN: "Eve"})
    assert any("Eve had a penalty written that the rules say" in line for line in told)


async def test_a_set_that_has_been_scored_is_undone_as_long_as_it_may_be_objected_to() -> None:
    world = await honour.until_offence()
    state = await world.state(TABLE)
    assert state.contested is None, "the first call of the next set has closed it"
    assert isinstance(await penalise(world, CHEAT, 1), Refused)
    world = await new_world(steady_seeds)
    await world.started(TABLE, {"enforcement": "honour", "max_sets": "2", "target": "0", "hidden_call_test": "off"})
    state = await world.state(TABLE)
    while state.sets == 1:
        state = await honour.honest_or_not(world, cheats=True)
    done = await penalise(world, CHEAT, proofs(state)[0])
    assert isinstance(done, Done)
    assert any(isinstance(event, SetUndone) for event in done.events)
    commits = await honour.finished(world)
    found = account_of(TABLE, commits)
    assert (found.verdict, found.sets[0].undone, found.acts[0].set) == ("right", True, 1)
    document = written(commits)
    assert audit_record(record.write(document)) is None
    first = document["sets"][0]  # type: ignore[index]
    assert {"penalty": f"accuse {CHEAT} {proofs(state)[0]}"} in first["moves"]


async def test_what_is_not_proved_or_no_business_of_the_rules_is_refused() -> None:
    world = await proved_in_play()
    trick = proofs(await world.state(TABLE))[0]
    for seat, at, code in ((0, trick, "not_proved"), (CHEAT, 13, "bad_accusation"), (9, 1, "bad_accusation")):
        refused = await penalise(world, seat, at)
        assert isinstance(refused, Refused)
        assert refused.code == code
    refused = await penalise(world, CHEAT, trick, admin=False)
    assert isinstance(refused, Refused)
    assert refused.code == "not_allowed"
    refused = await world.engine.submit(TABLE, ADMIN, Penalty(CALLS[3]), "a call is no penalty", admin=True)
    assert isinstance(refused, Refused)
    assert refused.code == "no_penalties"
    assert isinstance(await world.engine.submit(TABLE, ADMIN, Pause(), "pause", admin=True), Done)
    assert isinstance(await penalise(world, CHEAT, trick), Done), "an administrator acts in a pause, too"


async def test_a_strict_table_has_nothing_to_punish() -> None:
    world = await new_world(steady_seeds)
    await world.started(TABLE)
    refused = await penalise(world, CHEAT, 1)
    assert isinstance(refused, Refused)
    assert refused.code == "honour_only"


@pytest.mark.parametrize("what", ["accuse 0 1", "accuse 1 13", "call 3", "nonsense", ""])
async def test_a_penalty_that_was_made_up_is_found_by_the_audit(what: str) -> None:
    world = await proved_in_play()
    trick = proofs(await world.state(TABLE))[0]
    done = await penalise(world, CHEAT, trick)
    assert isinstance(done, Done)
    commits = await honour.finished(world)
    index = done.version - 1
    kept = events.decode(commits[index].events)
    forged = events.encode((msgspec.structs.replace(kept[0], what=what), *kept[1:]))
    found = account_of(TABLE, made_right(changed(commits, index, events=forged)))
    assert found.fault is not None
    assert found.fault.version == done.version


@pytest.mark.parametrize(
    "change", [{"penalty": "accuse 0 1"}, {"penalty": "call 3"}, {"penalty": 7}, {"penalty": "accuse 9 1"}, None]
)
async def test_a_record_whose_penalty_was_changed_is_found(change: object) -> None:
    world = await proved_in_play()
    await penalise(world, CHEAT, proofs(await world.state(TABLE))[0])
    document = json.loads(record.write(written(await honour.finished(world))))
    assert audit_record(json.dumps(document).encode()) is None
    moves = document["sets"][0]["moves"]
    (at,) = [index for index, entry in enumerate(moves) if isinstance(entry, dict) and "penalty" in entry]
    moves[at : at + 1] = [] if change is None else [change]
    found = audit_record(json.dumps(document).encode())
    assert found is not None
    assert found.set == 1
