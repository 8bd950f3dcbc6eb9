"""`tabletalk web` and `tabletalk worker` as processes on one store, against the Bot API server of our own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx

from service.sandbox.world import World
from tests.e2e.stores import Valkey, free_port
from tests.patience import PATIENCE, PROGRAM

__all__ = ["ENDS_WITHIN", "KEY", "PATIENCE", "Deployment", "Program"]

KEY = "5a" * 32
ENDS_WITHIN = 10.0  # s after SIGTERM


class Program:
    """`tabletalk <command>`, with a port and a log of its own."""

    def __init__(
        self, command: str, number: int, folder: Path, world: World, valkey: Valkey, *, hooked: bool = False
    ) -> None:
        """`hooked`: Telegram posts updates to it."""
        self.command = command
        self.port = free_port()
        self.log_file = folder / f"{command}{number}.log"
        self.environment = {
            **{name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ},
            "TELEGRAM_TOKEN": world.token,
            "TELEGRAM_API_URL": world.url,
            "TABLETALK_DATA": str(folder / f"{command}{number}"),
            "TABLETALK_KEY": KEY,
            "REDIS_URL": valkey.url,
            "PORT": str(self.port),
        }
        if hooked:
            url, secret = f"http://127.0.0.1:{self.port}/hook", "sixteen-or-more-of-them"
            self.environment |= {"WEBHOOK_URL": url, "WEBHOOK_SECRET": secret}
        with self.log_file.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", f"from service.cli import main; main([{command!r}])"],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def get(self, path: str) -> tuple[int, str]:
        """Status and body; 0 when nobody answers."""
        try:
            answer = httpx.get(f"http://127.0.0.1:{self.port}{path}", timeout=PATIENCE, trust_env=False)
        except httpx.TransportError:
            return 0, ""
        return answer.status_code, answer.text

    def wait_until_ready(self, words: str = "ready") -> None:
        """Returns when `/ready` says these words; of one that stands by, why it is not."""
        give_up = time.monotonic() + PATIENCE
        while words not in (found := self.get("/ready"))[1]:
            assert self.process.poll() is None, self.log
            assert time.monotonic() < give_up, (found, self.log)
            time.sleep(0.02)
        assert (found[0] == 200) is (words == "ready"), found

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self, within: float = ENDS_WITHIN) -> float:
        """SIGTERM; gives how many seconds the end took."""
        begun = time.monotonic()
        self.process.terminate()
        try:
            assert self.process.wait(within) == 0, self.log
        finally:
            self.process.kill()
            self.process.wait()
        return time.monotonic() - begun

    @property
    def log(self) -> str:
        return self.log_file.read_text(encoding="utf-8")


class Deployment:
    """A store, and programs that come and go."""

    def __init__(self, folder: Path, world: World) -> None:
        self._folder = folder
        self.world = world
        self.valkey = Valkey(folder / "valkey")
        self.valkey.start()
        self.programs: list[Program] = []

    def start(self, command: str, *, hooked: bool = False) -> Program:
        number = len(self.programs)
        self.programs.append(Program(command, number, self._folder, self.world, self.valkey, hooked=hooked))
        return self.programs[-1]

    def tabletalk(self, *arguments: str) -> str:
        """What another command prints, on the same store."""
        done = subprocess.run(
            [sys.executable, "-c", f"from service.cli import main; main({list(arguments)!r})"],
            env=self.programs[0].environment,
            capture_output=True,
            text=True,
            timeout=PROGRAM,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def end(self) -> None:
        """Stops what runs; none may have logged a traceback."""
        try:
            for program in self.programs:
                if program.process.poll() is None:
                    program.stop(PATIENCE)
                assert "Traceback" not in program.log, program.log
        finally:
            for program in self.programs:
                program.kill()
            self.valkey.kill()
