"""The Procfile, started by a runner from PyPI (honcho)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from service.sandbox.world import World
from tests.e2e.programs import KEY, PATIENCE, free_port
from tests.e2e.stores import Valkey

ROOT = Path(__file__).parents[2]


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Valkey]:
    server = Valkey(tmp_path / "valkey")
    server.start()
    yield server
    server.kill()


def ready(port: int) -> int:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/ready", timeout=5.0, trust_env=False).status_code
    except httpx.TransportError:
        return 0


def test_a_runner_starts_the_procfile_with_two_workers_and_ends_it_within_ten_seconds(
    tmp_path: Path, bot_api: World, valkey: Valkey
) -> None:
    port = free_port()
    environment = {
        **os.environ,
        "TELEGRAM_TOKEN": bot_api.token,
        "TELEGRAM_API_URL": bot_api.url,
        "TABLETALK_DATA": str(tmp_path / "data"),
        "TABLETALK_KEY": KEY,
        "REDIS_URL": valkey.url,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    options = ["-f", str(ROOT / "Procfile"), "-d", str(ROOT), "-e", str(tmp_path / "none"), "-p", str(port)]
    options += ["-c", "web=1,worker=2"]
    log = tmp_path / "log"
    with log.open("wb") as out:
        runner = subprocess.Popen(
            [sys.executable, "-m", "honcho", "start", *options],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
        )
    try:
        give_up = time.monotonic() + PATIENCE
        while [ready(port), ready(port + 100), ready(port + 101)] != [200, 200, 200]:  # honcho: 100 a kind, 1 a process
            assert runner.poll() is None, log.read_text()
            assert time.monotonic() < give_up, log.read_text()
            time.sleep(0.05)
        ann = bot_api.person("Ann")
        ann.say(ann.private, "/help")
        ann.wait(lambda: len(ann.texts(ann.private)) > 1, what="an answer")
        begun = time.monotonic()
        runner.send_signal(signal.SIGTERM)
        runner.wait(PATIENCE)
        assert time.monotonic() - begun < 10
    finally:
        runner.kill()
        runner.wait()
    said = log.read_text()
    assert "Traceback" not in said
    assert said.count('"event": "stopped"') == 3, said
    assert "SIGKILL" not in said
