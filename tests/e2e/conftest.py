"""The real `tabletalk serve` as a process, against the Bot API server of our own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.sandbox.server import BotApiServer
from service.sandbox.world import World
from tests import second_reader

PATIENCE = 20.0  # s; a process starts within one or two


class Bot:
    """A bot that runs, or does not: `start`, `kill` (SIGKILL), `stop` (SIGTERM). Its log gathers over restarts."""

    def __init__(self, world: World, data: Path, **environment: str) -> None:
        self.data = data
        self.log_file = data.parent / f"{data.name}.log"
        self.environment = {
            **{name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ},
            "TELEGRAM_TOKEN": world.token,
            "TELEGRAM_API_URL": world.url,
            "TABLETALK_DATA": str(data),
            **environment,
        }
        self.process: subprocess.Popen[bytes] | None = None
        self._served = 0

    def start(self, *, ready: bool = True) -> None:
        """Returns when the bot serves (or, unless it is to be `ready`, at once)."""
        self._served = self._serving()
        with self.log_file.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", "from service.cli import main; main(['serve'])"],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        if ready:
            self.wait_until_it_serves()

    def wait_until_it_serves(self) -> None:
        """Returns when it says so: it takes updates from now on."""
        assert self.process is not None
        give_up = time.monotonic() + PATIENCE
        while self._serving() <= self._served:
            assert self.process.poll() is None, self.log
            assert time.monotonic() < give_up, self.log
            time.sleep(0.01)

    def _serving(self) -> int:
        return self.log.count('"event": "serving"') if self.log_file.exists() else 0

    def wait_for_log(self, words: str) -> None:
        """Returns when the log holds these words."""
        give_up = time.monotonic() + PATIENCE
        while words not in self.log:
            assert time.monotonic() < give_up, self.log
            time.sleep(0.01)

    def kill(self) -> None:
        """SIGKILL: no time for anything."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process = None

    def stop(self) -> int:
        """SIGTERM, and the exit code."""
        assert self.process is not None
        self.process.terminate()
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.process.kill()  # harmless once it has ended
            self.process.wait()
            self.process = None

    def tabletalk(self, *arguments: str) -> str:
        """What another `tabletalk` command prints, on the same data."""
        done = subprocess.run(
            [sys.executable, "-c", f"from service.cli import main; main({list(arguments)!r})"],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    @property
    def log(self) -> str:
        """Everything that was logged."""
        return self.log_file.read_text(encoding="utf-8")


NewBot = Callable[..., Bot]


@pytest.fixture
def new_bot(tmp_path: Path) -> Iterator[NewBot]:
    """Makes bots (world, environment as keywords); they are stopped at the end, and none may log a traceback."""
    bots: list[Bot] = []

    def make(world: World, **environment: str) -> Bot:
        bots.append(Bot(world, tmp_path / f"data{len(bots)}", **environment))
        return bots[-1]

    yield make
    for bot in bots:
        if bot.process is not None:
            assert bot.stop() == 0, bot.log
        if bot.log_file.exists():
            assert "Traceback" not in bot.log, bot.log


@pytest.fixture
def bot(bot_api: World, new_bot: NewBot) -> Bot:
    """A bot that runs in the world `bot_api`."""
    made = new_bot(bot_api)
    made.start()
    return made


@pytest.fixture(scope="module")
def shared_bot(bot_api_server: BotApiServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The world of a bot that all tests of a module share, each with people and groups of its own."""
    world = bot_api_server.add(World(check_call=second_reader.check_call, check_object=second_reader.check_object))
    bot = Bot(world, tmp_path_factory.mktemp("shared") / "data")
    bot.start()
    yield world
    assert bot.stop() == 0
    assert "Traceback" not in bot.log, bot.log
    bot_api_server.remove(world)
    world.assert_clean()
