"""Time that passes as soon as nobody has anything left to do: an event loop without waiting, and clocks that follow it.

Nothing in such a loop may wait for a thread or a socket: the Bot API server is called in the process (see `bot`).
"""

from __future__ import annotations

import asyncio
import selectors
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from tests.patience import PATIENCE

Value = TypeVar("Value")
BEGINS = 1_796_112_000.0  # s UTC: 2026-12-01 08:00


class _Selector(selectors.DefaultSelector):
    """Instead of waiting it lets the time of its loop pass."""

    pass_time: Callable[[float], None]

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(0)
        self.pass_time(0.0)  # some time passes always: who waits for the rest of a rounding must not wait for ever
        if found or timeout == 0:
            return found
        if timeout is None:  # only a thread can bring something now
            if found := super().select(PATIENCE):
                return found
            raise RuntimeError("nothing will ever happen here: everything waits for something that has no time")
        self.pass_time(timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """A loop whose time begins at nothing and passes at once."""

    def __init__(self) -> None:
        self.passed = 0.0
        selector = _Selector()
        selector.pass_time = self._pass
        super().__init__(selector)

    def time(self) -> float:
        """Seconds since the loop was made."""
        return self.passed

    def _pass(self, seconds: float) -> None:
        self.passed += max(seconds, 1e-6)


@contextmanager
def _clocks(loop: VirtualLoop) -> Iterator[None]:
    """The machine's clocks tell the loop's time to its own thread; others (the Bot API server of other tests) go on."""
    real = time.time, time.time_ns, time.monotonic, asyncio.to_thread
    now, now_ns, monotonic, apart = real
    thread = threading.get_ident()

    def ours() -> bool:
        return threading.get_ident() == thread

    async def at_once(work: Callable[..., Value], *arguments: Any, **named: Any) -> Value:
        """Instead of a thread, for which no time would pass."""
        return work(*arguments, **named) if ours() else await apart(work, *arguments, **named)

    time.time = lambda: BEGINS + loop.passed if ours() else now()
    time.time_ns = lambda: int((BEGINS + loop.passed) * 1000) * 1_000_000 if ours() else now_ns()
    time.monotonic = lambda: loop.passed if ours() else monotonic()
    asyncio.to_thread = at_once  # type: ignore[assignment]
    try:
        yield
    finally:
        time.time, time.time_ns, time.monotonic, asyncio.to_thread = real


def run(work: Callable[[], Coroutine[Any, Any, Value]]) -> Value:
    """What the coroutine gives, in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, VirtualLoop)
        with _clocks(loop):
            return runner.run(work())
