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
from tests.bot_api import NewWorld
from tests.patience import PATIENCE, PROGRAM

AS_IT_IS = "from service.cli import main"
UNHURRIED = "from tests.e2e.unhurried import main"
_HERE = Path(__file__).parent
_LONGEST = 600  # s that a test may take: most of it is waiting, where the machine has much to do
_LIFETIME = int(PATIENCE * 1000)  # ms in which a press may be answered: a bot that was killed starts in between


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests here are given more time than others."""
    for item in items:
        if item.path.is_relative_to(_HERE) and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(_LONGEST))


@pytest.fixture
def bot_api(new_world: NewWorld) -> World:
    """As everywhere, in which Telegram waits for the answer to a press as long as a test does."""
    return new_world(query_lifetime_ms=_LIFETIME)


class Bot:
    """A bot that runs, or does not: `start`, `kill` (SIGKILL), `stop` (SIGTERM). Its log gathers over restarts."""

    def __init__(self, world: World, data: Path, **environment: str) -> None:
        self.program = UNHURRIED
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
                [sys.executable, "-c", f"{self.program}; main(['serve'])"],
                cwd=_HERE.parents[1],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        if ready:
            self.wait_until_it_serves()

    def wait_until_it_serves(self) -> None:
        """Returns when it says so, once more than before: it takes updates from now on."""
        assert self.process is not None
        give_up = time.monotonic() + PATIENCE
        while (serving := self._serving()) <= self._served:
            assert self.process.poll() is None, self.log
            assert time.monotonic() < give_up, self.log
            time.sleep(0.01)
        self._served = serving

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

    def end(self) -> None:
        """Kills it, if it runs."""
        if self.process is not None:
            self.kill()

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
            timeout=PROGRAM,
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
    try:
        for bot in bots:
            if bot.process is not None:
                assert bot.stop() == 0, bot.log
            if bot.log_file.exists():
                assert "Traceback" not in bot.log, bot.log
    finally:
        for bot in bots:
            bot.end()


@pytest.fixture
def bot(bot_api: World, new_bot: NewBot) -> Bot:
    """A bot that runs in the world `bot_api`."""
    made = new_bot(bot_api)
    made.start()
    return made


@pytest.fixture(scope="module")
def shared_bot(bot_api_server: BotApiServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The world of a bot that all tests of a module share, each with people and groups of its own."""
    made = World(
        query_lifetime_ms=_LIFETIME, check_call=second_reader.check_call, check_object=second_reader.check_object
    )
    world = bot_api_server.add(made)
    bot = Bot(world, tmp_path_factory.mktemp("shared") / "data")
    try:
        bot.start()
        yield world
        assert bot.stop() == 0
    finally:
        bot.end()
        bot_api_server.remove(world)
    assert "Traceback" not in bot.log, bot.log
    world.assert_clean()
