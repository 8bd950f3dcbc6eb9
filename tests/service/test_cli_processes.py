"""The commands that run for good, as processes: what they say when they cannot start."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.service import programs

TOKEN = "1234567:" + "x" * 35


@pytest.mark.parametrize("command", ["web", "worker"])
def test_programs_that_share_a_store_want_one_that_they_all_reach(tmp_path: Path, command: str) -> None:
    done = programs.run(tmp_path, command, TELEGRAM_TOKEN=TOKEN)
    assert done.returncode == 1
    assert "REDIS_URL" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["serve", "web", "worker"])
def test_nothing_is_served_without_a_token(tmp_path: Path, command: str) -> None:
    done = programs.run(tmp_path, command, REDIS_URL="redis://127.0.0.1:1")
    assert done.returncode == 1
    assert "TELEGRAM_TOKEN" in done.stderr


@pytest.mark.parametrize("port", ["http", "0", "65536", "-1"])
def test_a_port_that_is_none_is_refused_and_not_repeated(tmp_path: Path, port: str) -> None:
    done = programs.run(tmp_path, "serve", TELEGRAM_TOKEN=TOKEN, PORT=port)
    assert done.returncode == 1
    assert "PORT: must be a number" in done.stderr
