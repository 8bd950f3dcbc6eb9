from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from service.sandbox.world import World
from tests.e2e.conftest import Bot, NewBot
from tests.e2e.stores import Valkey
from tests.patience import PROGRAM


def serve(environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from service.cli import main; main(['serve'])"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=PROGRAM,
        check=False,
    )


@pytest.mark.parametrize("token", ["", "123456:" + "x" * 35, "nonsense"])
def test_without_a_token_that_telegram_knows_one_line_says_so(bot_api: World, tmp_path: Path, token: str) -> None:
    environment = Bot(bot_api, tmp_path / "data", TELEGRAM_TOKEN=token).environment
    done = serve(environment)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "TELEGRAM_TOKEN" in done.stderr
    assert not token or token not in done.stderr


def test_a_store_that_is_down_at_the_start_is_waited_for(bot_api: World, new_bot: NewBot, tmp_path: Path) -> None:
    valkey = Valkey(tmp_path / "valkey")
    bot = new_bot(bot_api, REDIS_URL=valkey.url)
    bot.start(ready=False)
    bot.wait_for_log("store down, waiting")
    valkey.start()
    try:
        bot.wait_until_it_serves()
        ann = bot_api.person("Ann")
        ann.start()
        ann.wait(lambda: ann.find(ann.private, "Add me to a group"))
        assert bot.stop() == 0
    finally:
        valkey.kill()
    assert bot.log.count("store down") == 1


def test_a_bot_that_waits_for_its_store_can_be_stopped(bot_api: World, new_bot: NewBot, tmp_path: Path) -> None:
    bot = new_bot(bot_api, REDIS_URL=Valkey(tmp_path / "valkey").url)
    bot.start(ready=False)
    bot.wait_for_log("store down, waiting")
    assert bot.stop() == 0
    assert bot.log.count("stopped") == 1
