"""Two `tabletalk serve`, each with a data folder of its own as on two machines, on one store."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.sandbox.world import World
from tests.e2e.conftest import Bot, NewBot
from tests.e2e.playing import four, open_table, play_on, start
from tests.e2e.stores import Valkey

KEY = "5a" * 32


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Valkey]:
    server = Valkey(tmp_path / "valkey")
    server.start()
    yield server
    server.kill()


def two(world: World, new_bot: NewBot, valkey: Valkey) -> tuple[Bot, Bot]:
    """One that serves, and one that stands by."""
    first, second = (new_bot(world, REDIS_URL=valkey.url, TABLETALK_KEY=KEY) for _ in range(2))
    first.start()
    second.start(ready=False)
    second.wait_for_log("standing by")
    return first, second


def test_whoever_stands_by_goes_on_at_once_when_the_other_stops(
    bot_api: World, new_bot: NewBot, valkey: Valkey
) -> None:
    first, second = two(bot_api, new_bot, valkey)
    people = four(bot_api)
    group = bot_api.group("Friday", people)
    open_table(group, people)
    start(group, people)
    play_on(people, group, {}, most=3)
    assert first.stop() == 0
    second.wait_until_it_serves()
    play_on(people, group, {}, most=3)
    assert "taken over" not in second.log


def test_a_process_that_was_stopped_for_too_long_finds_itself_fenced_and_stands_by(
    bot_api: World, new_bot: NewBot, valkey: Valkey
) -> None:
    first, second = two(bot_api, new_bot, valkey)
    people = four(bot_api)
    group = bot_api.group("Friday", people)
    open_table(group, people)
    start(group, people)
    assert first.process is not None
    first.process.send_signal(signal.SIGSTOP)  # a machine that hangs; its lease runs out
    second.wait_until_it_serves()
    play_on(people, group, {}, most=2)
    first.process.send_signal(signal.SIGCONT)
    first.wait_for_log("another process has taken over this store; standing by")
    play_on(people, group, {}, most=2)
    assert second.stop() == 0
    first.wait_until_it_serves()
    play_on(people, group, {}, most=2)
    assert "ok" in first.tabletalk("audit", "--all")
