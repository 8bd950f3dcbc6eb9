"""A Valkey server of a test's own, on a port of loopback, which can be killed and started again."""

from __future__ import annotations

import signal
import socket
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

from eventstore.embedded import server_binary
from tests.patience import PATIENCE
from tests.ports import free_ports

free_port = ExitStack().enter_context(free_ports())  # they are ours until the test process ends


class Valkey:
    """A server that keeps its data in `folder`."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Returns when it answers."""
        options = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "dir": str(self._folder),
            "appendonly": "yes",
            "appendfsync": "always",
            "save": "",
        }
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        self._process = subprocess.Popen(
            [server_binary(), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        give_up = time.monotonic() + PATIENCE
        while not self._answers():
            assert self._process.poll() is None, "the store ended"
            assert time.monotonic() < give_up, "no answer from the store"
            time.sleep(0.01)

    def kill(self) -> None:
        """SIGKILL; harmless when it does not run."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False
