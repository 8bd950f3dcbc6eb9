"""Ports of loopback for programs that will bind them later: none is given twice at a time, to whatever test process."""

from __future__ import annotations

import fcntl
import os
import random
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

FreePort = Callable[[], int]

_PORTS = range(10_000, 15_900)  # below those that systems give out by themselves, to calls or for port 0
_given: set[int] = set()


@contextmanager
def free_ports() -> Iterator[FreePort]:
    """Gives ports that are free and nobody else's until the end."""
    chance, ours = random.SystemRandom(), list[int]()

    def free_port() -> int:
        while not _take(port := chance.choice(_PORTS)):
            continue
        ours.append(port)
        return port

    try:
        yield free_port
    finally:
        for port in ours:
            _leave(port)


@pytest.fixture
def free_port() -> Iterator[FreePort]:
    """Gives ports that are a test's own."""
    with free_ports() as given:
        yield given


def _take(port: int) -> bool:
    if port in _given:
        return False
    try:
        fcntl.lockf(_book(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)  # a byte for each port
    except OSError:
        return False
    _given.add(port)
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(("127.0.0.1", port))
        except OSError:
            _leave(port)
            return False
    return True


def _leave(port: int) -> None:
    fcntl.lockf(_book(), fcntl.LOCK_UN, 1, port)
    _given.discard(port)


@cache
def _book() -> int:
    """The file in which all processes lock their ports; it stays open, or they would be locked no more."""
    return os.open(Path(tempfile.gettempdir()) / f"tabletalk-ports-{os.getuid()}", os.O_CREAT | os.O_RDWR, 0o600)
