"""Lines that somebody types, or pipes, without ever blocking the event loop."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import threading

_LONGEST = 20_000  # bytes of a line; what is beyond is dropped
_AHEAD = 100  # lines read before they are wanted
_ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|O.|.)?")


class Lines:
    """The lines of standard input, and None at its end.

    A thread of its own reads them, since a terminal, a pipe, a file and /dev/null have no other way in common. It is a
    daemon and holds no lock: a read that never returns does not keep the program from ending.
    """

    def __init__(self, descriptor: int | None = None) -> None:
        self._descriptor = descriptor if descriptor is not None else None if sys.stdin is None else sys.stdin.fileno()
        self._ready: asyncio.Queue[str | None] = asyncio.Queue()
        self._room = threading.Semaphore(_AHEAD)
        self._getting: asyncio.Task[str | None] | None = None
        self._ended = self._descriptor is None
        if self._descriptor is not None:
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._read, args=(loop, self._descriptor), name="typed lines", daemon=True).start()

    async def next(self, news: asyncio.Event | None = None) -> str | None:
        """The next line, None at the end of input. Raises News when `news` is set first; no line is lost then."""
        if self._ended:
            return None
        if self._getting is None:
            self._getting = asyncio.ensure_future(self._ready.get())
        waiting = {self._getting} if news is None else {self._getting, asyncio.ensure_future(news.wait())}
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting - {self._getting}:
                task.cancel()
        if not self._getting.done():
            raise News
        line = self._getting.result()
        self._getting = None
        self._room.release()
        self._ended = line is None
        return line

    def close(self) -> None:
        """Stops waiting."""
        if self._getting is not None:
            self._getting.cancel()
            self._getting = None
        self._ended = True
        self._room.release()  # whoever waits for room need not any more

    def _read(self, loop: asyncio.AbstractEventLoop, descriptor: int) -> None:
        rest = b""
        while True:
            try:
                chunk = os.read(descriptor, 65536)
            except OSError:  # a terminal that was closed
                chunk = b""
            *whole, rest = (rest + chunk).split(b"\n") if chunk else (rest, b"") if rest else (b"",)
            rest = rest[:_LONGEST]
            typed: list[str | None] = [_clean(line[:_LONGEST]) for line in whole]
            for line in typed if chunk else [*typed, None]:
                self._room.acquire()
                try:
                    loop.call_soon_threadsafe(self._ready.put_nowait, line)
                except RuntimeError:  # the loop is closed: nobody wants more
                    return
                if self._ended:
                    return
            if not chunk:
                return


class News(Exception):
    """Something happened before a line came."""


def _clean(line: bytes) -> str:
    """The line as text, without the escape sequences of arrow keys."""
    return _ESCAPES.sub("", line.decode(errors="replace")).rstrip("\r")
