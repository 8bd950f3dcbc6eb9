"""The real processes, served by webhook: a kill in the middle of a game loses and doubles nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from service.sandbox.world import World
from tests.e2e.conftest import NewBot
from tests.e2e.playing import finds, four, open_table, play_on, start
from tests.e2e.programs import Deployment
from tests.e2e.stores import free_port
from tests.patience import PATIENCE

SECRET = "not-for-anybody-else"
HEADER = "X-Telegram-Bot-Api-Secret-Token"


def by_webhook() -> dict[str, str]:
    port = free_port()
    url = f"http://127.0.0.1:{port}/telegram"
    return {"WEBHOOK_URL": url, "WEBHOOK_SECRET": SECRET, "PORT": str(port)}


def test_a_game_is_played_by_webhook_over_a_kill_and_a_restart(bot_api: World, new_bot: NewBot) -> None:
    environment = by_webhook()
    bot = new_bot(bot_api, **environment)
    bot.start()
    people = four(bot_api)
    group = bot_api.group("Friday", people)
    open_table(group, people)
    start(group, people)
    play_on(people, group, {}, most=9)
    bot.kill()
    people[0].say(group, "/score")
    bot.start()
    bot_api.wait_until(lambda: not bot_api.updates.waiting, what="what was said meanwhile")
    forged = {"update_id": 1, "message": {"text": "/end"}}
    for headers in ({}, {HEADER: SECRET[:-1]}):
        said = httpx.post(environment["WEBHOOK_URL"], json=forged, headers=headers, timeout=PATIENCE, trust_env=False)
        assert said.status_code == 403
    assert play_on(people, group, {}) > 0
    finds(people[0], group, "Winner: ")
    assert bot_api.calls("getUpdates") == []
    assert SECRET not in bot.log


@pytest.fixture
def deployment(tmp_path: Path, bot_api: World) -> Iterator[Deployment]:
    made = Deployment(tmp_path, bot_api)
    yield made
    made.end()


def test_what_comes_while_no_web_process_runs_comes_again_to_the_next(bot_api: World, deployment: Deployment) -> None:
    first = deployment.start("web", hooked=True)
    for program in (first, deployment.start("worker"), deployment.start("worker")):
        program.wait_until_ready()
    people = four(bot_api)
    group = bot_api.group("Friday", people)
    open_table(group, people)
    start(group, people)
    play_on(people, group, {}, most=6)
    first.kill()
    people[0].say(group, "/score")
    assert bot_api.updates.waiting
    deployment.start("web", hooked=True).wait_until_ready()
    bot_api.wait_until(lambda: not bot_api.updates.waiting, what="what was said meanwhile")
    assert play_on(people, group, {}, most=6) == 6
    assert bot_api.calls("getUpdates") == []
    assert "ok" in deployment.tabletalk("audit", "--all")
    assert "ok" in deployment.tabletalk("store", "check")
