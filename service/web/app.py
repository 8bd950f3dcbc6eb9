"""The HTTP server of a process: a few routes on PORT, in the process's own event loop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager

import structlog
import uvicorn
from starlette.applications import Starlette
from starlette.routing import BaseRoute

from service.settings import BadSetting, Settings

log = structlog.get_logger()

_BACKLOG = 128
_END_SECONDS = 3  # that requests in hand may take at the end


class _Server(uvicorn.Server):
    """uvicorn that leaves the signals to the program around it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def serving(settings: Settings, routes: Sequence[BaseRoute]) -> AsyncIterator[None]:
    """Answers these routes on PORT; without a PORT there is no server. Raises BadSetting when the port is taken.

    At the end no new connections are taken, and requests in hand are answered.
    """
    if not settings.port:
        yield
        return
    config = uvicorn.Config(
        Starlette(routes=routes),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_END_SECONDS,
    )
    server = _Server(config)
    with _listening(int(settings.port)) as listener:
        running = asyncio.ensure_future(server.serve(sockets=[listener]))
        log.info("answering", port=listener.getsockname()[1])
        try:
            yield
        finally:
            server.should_exit = True
            await asyncio.wait((running,), timeout=_END_SECONDS + 1)
            running.cancel()


def _listening(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("0.0.0.0", port))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise BadSetting("PORT", f"cannot be used: {error.strerror}") from None
    return listener
