"""The Procfile, started by a runner from PyPI (honcho)."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from service.sandbox.world import World
from tests.e2e.programs import ENDS_WITHIN, KEY
from tests.e2e.stores import Valkey, free_port
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
PLACES = (0, 100, 101)  # honcho: 100 a kind, 1 a process
# Left to itself honcho would kill after five seconds what has ten.
HONCHO = f"from honcho import command, manager; manager.KILL_WAIT = {ENDS_WITHIN}; command.main()"


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Valkey]:
    server = Valkey(tmp_path / "valkey")
    server.start()
    yield server
    server.kill()


def is_free(port: int) -> bool:
    with socket.socket() as trial:
        return trial.connect_ex(("127.0.0.1", port)) != 0


def ready(port: int) -> int:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/ready", timeout=PATIENCE, trust_env=False).status_code
    except httpx.TransportError:
        return 0


def test_a_runner_starts_the_procfile_with_two_workers_and_ends_it_within_ten_seconds(
    tmp_path: Path, bot_api: World, valkey: Valkey
) -> None:
    port = next(port for port in iter(free_port, None) if all(map(is_free, (port + place for place in PLACES))))
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
            [sys.executable, "-c", HONCHO, "start", *options],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
        )
    try:
        give_up = time.monotonic() + PATIENCE
        while [ready(port + place) for place in PLACES] != [200, 200, 200]:
            assert runner.poll() is None, log.read_text()
            assert time.monotonic() < give_up, log.read_text()
            time.sleep(0.05)
        ann = bot_api.person("Ann")
        ann.say(ann.private, "/help")
        ann.wait(lambda: len(ann.texts(ann.private)) > 1, what="an answer")
        begun = time.monotonic()
        runner.send_signal(signal.SIGTERM)
        runner.wait(PATIENCE)
        assert time.monotonic() - begun < ENDS_WITHIN
    finally:
        if runner.poll() is None:  # what it started ends with it only if it is asked to end
            runner.terminate()
            runner.wait(PATIENCE)
    said = log.read_text()
    assert "Traceback" not in said
    assert said.count('"event": "stopped"') == 3, said
    assert "SIGKILL" not in said
