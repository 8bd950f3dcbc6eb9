"""The command line in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.cli import main
from tests.service.logging_state import logging_restored

Say = Callable[..., tuple[int, str, str]]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Say]:
    monkeypatch.setenv("TABLETALK_DATA", str(tmp_path / "data"))
    for name in ("REDIS_URL", "TABLETALK_KEY", "TELEGRAM_TOKEN", "TELEGRAM_API_URL"):
        monkeypatch.delenv(name, raising=False)

    def command(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        out, err = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, out, err

    with logging_restored():
        yield command
