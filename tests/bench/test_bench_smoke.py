"""Every bench runs, at sizes that measure nothing, so that none of them rots between two releases."""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from domain.games import GAMES
from service.sandbox.server import BotApiServer
from tests.bench import __main__ as command
from tests.bench import (
    bench_answers,
    bench_memory,
    bench_peer,
    bench_rebuild,
    bench_rules,
    bench_scale,
    bench_store,
    ours,
)
from tests.bench.bench_rules import moves_per_second
from tests.bench.peers import Player
from tests.bench.rows import Row

TINY: dict[str, Callable[[], list[Row]]] = {
    "store": lambda: bench_store.run(
        bench_store.Sizes(tables=(2, 4), moves=16, rounds=1, alone=3, commits=12, reads=2)
    ),
    "memory": lambda: bench_memory.run(bench_memory.Sizes(tables=4, played_on=2, further=3)),
    "scale": lambda: bench_scale.run(bench_scale.Sizes(few=4, many=8, a_round=3, moves=2, rounds=2)),
}


@pytest.mark.parametrize("name", TINY)
def test_a_bench_of_the_store_gives_a_figure_in_every_row(name: str) -> None:
    rows = TINY[name]()
    assert rows
    assert all(row.ours is not None and row.ours > 0 for row in rows)
    assert len({(row.what, row.peer) for row in rows}) == len(rows)


def test_the_peer_of_the_store_is_in_the_same_run_where_it_is_installed() -> None:
    installed = importlib.util.find_spec("eventsourcing") is not None
    rows = bench_peer.run(bench_peer.Sizes(tables=6, at_once=2, rounds=1))
    assert {row.ours is not None and row.ours > 0 for row in rows} == {True}
    assert {row.peer_figure is not None for row in rows} == {installed}


def test_presses_are_measured_beside_those_of_a_bare_bot() -> None:
    rows = bench_answers.run(bench_answers.Sizes(tables=3, presses=6.0, seconds=2.0, warm_up=0.2))
    assert all(row.ours is not None and row.ours > 0 and row.ratio is not None and row.ratio > 0 for row in rows)
    assert {row.peer for row in rows} == {"limit", bench_answers.PEER}


def test_a_press_without_an_answer_is_no_figure() -> None:
    class Deaf(bench_answers.Bench):
        def _heard(self, method: str, params: dict[str, Any]) -> Sequence[str]:
            return ()

    with BotApiServer() as server:
        bench = Deaf(server, bench_answers.Sizes(tables=0), random.Random(1))
        bench.pressed("1", "looks", 0.0)
        with pytest.raises(AssertionError, match="1 of 1 presses without an answer"):
            bench.found()


def test_a_rebuild_of_a_small_store_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_rebuild, "COMMITS", 100)
    monkeypatch.setattr(bench_rebuild, "_GAMES", 1)
    assert all(row.ours is not None and row.ours > 0 for row in bench_rebuild.rebuild_rows())


@pytest.mark.parametrize("game", list(GAMES))
@pytest.mark.parametrize("make", [ours.table, ours.table_whole, ours.rules_alone])
def test_the_rules_play_whole_deals(make: Callable[[str, Callable[[], float]], Player], game: str) -> None:
    player = make(game, random.Random(1).random)
    first = player.play(player.deal())
    assert first == 56 if game == "callbreak" else first > 1
    assert moves_per_second(player, 0.001) > 0


def test_every_game_has_its_rows_also_where_no_peer_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_rules, "_SECONDS", 0.001)
    monkeypatch.setattr(bench_rules, "_ROUNDS", 1)
    monkeypatch.setitem(sys.modules, "pyspiel", None)  # as where it is not installed
    monkeypatch.setitem(sys.modules, "rlcard", None)
    rows = bench_rules.run()
    assert all(row.ours is not None and row.ours > 0 for row in rows)
    assert {row.peer_figure for row in rows if "not installed" in row.peer} == {None}
    for game in GAMES:
        for way in ("", ", deals timed", ", rules alone"):
            assert f"random play: {game}{way}" in {row.what for row in rows}


def test_every_bench_has_something_to_run() -> None:
    for path in Path(command.__file__).parent.glob("bench_*.py"):
        assert callable(importlib.import_module(f"tests.bench.{path.stem}").run)


def test_an_unknown_bench_is_refused_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["storage"]) == 2
    assert "storage" in capsys.readouterr().err
