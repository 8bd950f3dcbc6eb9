"""Games that were finished and stored long ago read today as they did then."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain import events, record, table
from domain.audit import audit_record
from domain.audit_history import Commit, audit_history
from domain.events import SeedRevealed
from domain.games import GAMES
from domain.shuffle import commitment
from tests.golden.make import of_game

HERE = Path(__file__).parent
LOGS = sorted(HERE.glob("*/*.json"))


class _Log(msgspec.Struct):
    commits: list[tuple[int, str, msgspec.Raw]]
    record: dict[str, Any]


def _read(path: Path) -> _Log:
    return msgspec.json.decode(path.read_bytes(), type=_Log)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_stored_game_folds_to_the_result_it_had(path: Path) -> None:
    log = _read(path)
    stored = [events.decode(bytes(raw)) for _, _, raw in log.commits]
    assert [events.encode(commit) for commit in stored] == [bytes(raw) for _, _, raw in log.commits]
    everything = [event for commit in stored for event in commit]
    seeds = {commitment(event.seed): event.seed for event in everything if isinstance(event, SeedRevealed)}
    state = table.fold("golden", None, everything, lambda promised, _: seeds.get(promised))
    assert state is not None
    assert state.phase == "over"
    assert (state.ended, list(state.winners)) == (log.record["ended"], log.record["winners"])
    unit = 10 if state.rules.tenths(state.options) else 1
    assert list(state.totals) == [round(total * unit) for total in log.record["totals"]]
    public = table.fold("golden", None, everything)
    assert public is not None
    assert (public.ended, public.totals, public.rows) == (state.ended, state.totals, state.rows)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_record_of_a_stored_game_is_the_one_it_had(path: Path) -> None:
    log = _read(path)
    everything = [event for _, _, raw in log.commits for event in events.decode(bytes(raw))]
    found = record.record(everything)
    assert found == log.record
    assert json.loads(record.write(found)) == log.record


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_stored_game_is_as_the_rules_say(path: Path) -> None:
    log = _read(path)
    history = [Commit(time, actor, events.decode(bytes(raw))) for time, actor, raw in log.commits]
    assert audit_history(history) is None
    assert audit_record(record.write(log.record)) is None


@pytest.mark.parametrize("game", list(GAMES))
def test_there_is_a_log_for_every_way_a_game_can_end_and_every_outcome_of_a_set(game: str) -> None:
    module = of_game(game)
    logs = [path for path in LOGS if path.parent.name == game]
    assert {path.stem for path in logs} == {log.__name__ for log in module.LOGS}
    records = [_read(path).record for path in logs]
    assert {found["ended"] for found in records} == module.ENDS
    assert {one["outcome"] for found in records for one in found["sets"]} == module.OUTCOMES
