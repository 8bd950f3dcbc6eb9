"""Typed lines: whole, in order, from whatever standard input is."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator

import pytest

from service.terminal.lines import Lines, News


class Input:
    """A pipe that `lines` reads."""

    def __init__(self) -> None:
        reader, self._writer = os.pipe()
        self.lines = Lines(reader)
        self._open = True

    def write(self, data: bytes) -> None:
        os.write(self._writer, data)

    def end(self) -> None:
        if self._open:
            os.close(self._writer)
            self._open = False


@pytest.fixture
async def typed() -> AsyncIterator[Input]:
    found = Input()
    yield found
    found.end()  # the reader stays open: the thread may be reading, and others would get the descriptor's number


async def test_lines_come_in_order_and_then_the_end(typed: Input) -> None:
    typed.write(b"call 3\r\n\nQS")
    typed.end()
    assert [await typed.lines.next() for _ in range(5)] == ["call 3", "", "QS", None, None]


async def test_a_line_may_come_in_pieces(typed: Input) -> None:
    next_one = asyncio.ensure_future(typed.lines.next())
    for piece in (b"ca", "ll ♠".encode()[:-1], "♠".encode()[-1:], b"\n"):
        typed.write(piece)
        await asyncio.sleep(0)
    assert await next_one == "call ♠"


async def test_what_is_no_text_and_arrow_keys_do_no_harm(typed: Input) -> None:
    typed.write(b"\xff\xfe\x00\n\x1b[A\x1b[1;5CQS\x1bOA\n")
    assert await typed.lines.next() == "\ufffd\ufffd\x00"
    assert await typed.lines.next() == "QS"


async def test_a_line_without_an_end_is_cut(typed: Input) -> None:
    next_one = asyncio.ensure_future(typed.lines.next())
    await asyncio.to_thread(typed.write, b"x" * 60_000)
    await asyncio.to_thread(typed.write, b"y" * 60_000 + b"\nQS\n")
    line = await next_one
    assert line is not None
    assert set(line) == {"x"}
    assert len(line) == 20_000
    assert await typed.lines.next() == "QS"


async def test_news_interrupts_without_losing_a_line(typed: Input) -> None:
    news = asyncio.Event()
    news.set()
    with pytest.raises(News):
        await typed.lines.next(news)
    news.clear()
    typed.write(b"QS\n")
    assert await typed.lines.next(news) == "QS"


async def test_more_lines_than_anybody_wants_wait_in_the_pipe(typed: Input) -> None:
    typed.write(b"".join(b"%d\n" % number for number in range(1000)))
    typed.end()
    assert [await typed.lines.next() for _ in range(1000)] == [str(number) for number in range(1000)]
    assert await typed.lines.next() is None


async def test_whoever_closed_gets_no_more_lines(typed: Input) -> None:
    typed.lines.close()
    typed.write(b"QS\n")
    assert await typed.lines.next() is None
