"""The bot on a cluster whose masters die under it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.sandbox.world import World
from tests.e2e.conftest import NewBot
from tests.e2e.playing import four, open_table, play_on, start
from tests.eventstore.cluster_nodes import Nodes, cluster_nodes


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[asyncio.Runner, Nodes]]:
    with asyncio.Runner() as runner:
        running = cluster_nodes(tmp_path)
        yield runner, runner.run(running.__aenter__())
        runner.run(running.__aexit__(None, None, None))


def test_a_game_goes_on_when_a_master_dies(
    bot_api: World, new_bot: NewBot, cluster: tuple[asyncio.Runner, Nodes]
) -> None:
    runner, nodes = cluster
    bot = new_bot(bot_api, REDIS_URL=nodes.url, DURABILITY="replicated")
    bot.start()
    people = four(bot_api)
    groups = [bot_api.group(title, people) for title in ("Friday", "Sunday")]
    for group in groups:
        open_table(group, people)
        start(group, people)
        play_on(people, group, {}, most=3)
    nodes.kill(min(runner.run(nodes.masters())))
    bot.wait_for_log("store is back")
    for group in groups:
        assert play_on(people, group, {}, most=3) == 3
    assert "lost" not in bot.log
    assert "ok" in bot.tabletalk("audit", "--all")
