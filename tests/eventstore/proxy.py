"""A proxy before a server's unix socket that loses what it is told to lose."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path


class Proxy:
    """Forwards bytes both ways; `lose_answers` and `lose_questions` count what is still to go wrong."""

    def __init__(self, server: str) -> None:
        self._server = server
        self.lose_answers = 0  # commands that reach the server, whose answer is cut off with the connection
        self.lose_questions = 0  # commands that are cut off before they reach the server
        self.lost = 0
        self._losing = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        to_server, to_client = await asyncio.open_unix_connection(self._server)
        forward = asyncio.create_task(self._answers(to_server, writer))
        try:
            while question := await reader.read(1 << 20):
                if self.lose_questions and b"EVALSHA" in question:
                    self.lose_questions -= 1
                    self.lost += 1
                    break
                self._losing = bool(self.lose_answers) and b"EVALSHA" in question
                to_client.write(question)
        finally:
            forward.cancel()
            to_client.close()
            writer.close()
            self._tasks.discard(task)

    async def _answers(self, server: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        while answer := await server.read(1 << 20):
            if self._losing:
                self.lose_answers -= 1
                self.lost += 1
                break
            client.write(answer)
        client.close()

    async def end(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def proxy(server: str, socket: Path) -> AsyncIterator[Proxy]:
    """A proxy that listens at `socket`."""
    between = Proxy(server)
    listening = await asyncio.start_unix_server(between.serve, socket)
    try:
        yield between
    finally:
        listening.close()
        await between.end()
