"""The Bot API server: worlds behind their tokens over HTTP on loopback, in a thread of its own."""

from __future__ import annotations

import asyncio
import email.parser
import email.policy
import json
import re
import socket
import threading
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from service.sandbox import hooks, methods
from service.sandbox.refusals import CONFLICT, Refused, bad_request
from service.sandbox.state import Upload
from service.sandbox.waiting import until
from service.sandbox.world import World

LONGEST_POLL_S = 50
IDLE_S = 75  # that a connection stays open: as on Telegram's side the client lets go first, else a call meets its end
_END_S = 10  # that answers may take at the end
MOST_UPDATES = 100
_delivering: set[asyncio.Task[None]] = set()  # held, lest they be collected
_TOKEN = re.compile(r"\d+:[A-Za-z0-9_-]{30,}")


def application(worlds: Mapping[str, World]) -> Starlette:
    """The ASGI application; `worlds` by token, looked up at each call.

    404 for a malformed token and other paths, 401 for a token of no world (Bot API, "Authorizing your bot").
    """

    async def call(request: Request) -> Response:
        token, method = request.path_params["token"], request.path_params["method"]
        try:
            if not _TOKEN.fullmatch(token):
                raise Refused(404, "Not Found")
            if token not in worlds:
                raise Refused(401, "Unauthorized")
            return await _answer(worlds[token], method, request)
        except Refused as refused:
            return JSONResponse(refused.answer(), refused.code)

    async def nothing(request: Request, error: Exception) -> Response:
        return JSONResponse(Refused(404, "Not Found").answer(), 404)

    async def file(request: Request) -> Response:
        world = worlds.get(request.path_params["token"])
        known = {} if world is None else {file.path: file for file in world.files.values()}
        found = known.get(request.path_params["path"])
        return await nothing(request, LookupError()) if found is None else Response(found.data, media_type=found.mime)

    return Starlette(
        routes=[
            Route("/bot{token}/{method}", call, methods=["GET", "POST"]),
            Route("/file/bot{token}/{path:path}", file),
        ],
        exception_handlers={404: nothing},
    )


async def _answer(world: World, method: str, request: Request) -> Response:
    signature = methods.signature_of(world, method)
    outcome = methods.carry_out(world, signature, await _raw_parameters(request))
    fault = outcome.fault
    answer: dict[str, Any] | None = outcome.answer
    if answer is None:
        try:
            answer = await _get_updates(world, outcome.params, request)
        except Refused as refused:
            answer = refused.answer()
        with world.changing():
            methods.record(world, signature, outcome.params, answer, fault)
    if world.hook is not None and not world.hook.served:
        world.hook.served = True  # here: two answers may come before the task begins
        task = asyncio.create_task(hooks.deliver(world, world.hook))
        _delivering.add(task)
        task.add_done_callback(_delivering.discard)
    if fault is not None and fault.trouble in {"unanswered", "lost"}:
        return await _hang_up(request)
    if fault is not None and fault.trouble == "delayed":
        await until(world, lambda: fault.released or world.closed, fault.seconds)
    return JSONResponse(answer, int(answer.get("error_code", 200)))


async def _get_updates(world: World, params: Mapping[str, Any], request: Request) -> dict[str, Any]:
    """Bot API, getUpdates: a later call ends an earlier one that still waits, with 409; so does a webhook."""
    with world.changing():
        hooks.no_webhook(world)
        world.poll += 1
        ticket = world.poll
        allowed = params.get("allowed_updates")
        if isinstance(allowed, list):
            world.updates.allow(str(kind) for kind in allowed)
        world.updates.confirm(params.get("offset", 0), world.clock())
    gone = asyncio.ensure_future(_disconnected(request, world))
    try:
        seconds = min(max(params.get("timeout", 0), 0), LONGEST_POLL_S)
        ends = lambda: bool(world.poll != ticket or world.hook or world.updates.waiting or world.closed or gone.done())  # noqa: E731
        await until(world, ends, seconds)
    finally:
        gone.cancel()
    with world.changed:
        if world.poll != ticket:
            return Refused(409, CONFLICT).answer()
        if world.hook is not None:
            return Refused(409, hooks.ACTIVE).answer()
        limit = params.get("limit", MOST_UPDATES)
        waiting = world.updates.first(limit if 1 <= limit <= MOST_UPDATES else MOST_UPDATES)
        return {"ok": True, "result": [update.object() for update in waiting]}


async def _disconnected(request: Request, world: World) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
    with world.changing():
        return


async def _hang_up(request: Request) -> Response:
    """Closes the connection without an answer."""
    transport = request.scope.get("state", {}).get("transport")
    if transport is None:  # no server below: the client of the ASGI application gets the exception
        raise ConnectionAbortedError
    transport.abort()
    await asyncio.sleep(0)
    return Response(status_code=500)


async def _raw_parameters(request: Request) -> dict[str, Any]:
    """The call's parameters from query and body: JSON, form-encoded or multipart."""
    raw: dict[str, Any] = dict(request.query_params)
    body, kind = await request.body(), request.headers.get("content-type", "")
    try:
        if kind.startswith("application/json") and body:
            raw |= json.loads(body)
        elif kind.startswith("application/x-www-form-urlencoded"):
            raw |= parse_qsl(body.decode(), keep_blank_values=True)
        elif kind.startswith("multipart/form-data"):
            raw |= _multipart(kind, body)
    except (ValueError, TypeError):
        raise bad_request("can't parse the request's parameters") from None
    return raw


def _multipart(kind: str, body: bytes) -> dict[str, str | Upload]:
    head = f"Content-Type: {kind}\r\n\r\n".encode()
    message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + body)
    fields: dict[str, str | Upload] = {}
    for part in message.iter_parts():
        payload, file_name = part.get_payload(decode=True), part.get_filename()
        if isinstance(payload, bytes):
            name = str(part.get_param("name", header="content-disposition"))
            fields[name] = (
                payload.decode() if file_name is None else Upload(file_name, part.get_content_type(), payload)
            )
    return fields


class _Protocol(H11Protocol):
    """uvicorn's HTTP/1.1 that lets the application close a connection without answering."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.app_state = {**self.app_state, "transport": transport}


class BotApiServer:
    """Serves any number of worlds on one port of 127.0.0.1, from a background thread; a context manager."""

    def __init__(self, port: int = 0) -> None:
        self.worlds: dict[str, World] = {}
        self._socket = socket.socket(proto=socket.IPPROTO_TCP)  # else asyncio leaves Nagle on: 40 ms a call
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind(("127.0.0.1", port))
        self._socket.listen(128)
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        config = uvicorn.Config(
            application(self.worlds),
            http=_Protocol,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            timeout_keep_alive=IDLE_S,
            timeout_graceful_shutdown=_END_S,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._server.serve(sockets=[self._socket])), name="bot-api", daemon=True
        )

    def add(self, world: World) -> World:
        """Serves the world under its token from now on, and tells it the server's address."""
        world.url, world.closed = self.url, False
        self.worlds[world.token] = world
        return world

    def remove(self, world: World) -> None:
        """Serves the world no longer; its polls end."""
        del self.worlds[world.token]
        world.close()

    def start(self) -> None:
        """Starts serving; calls made before are not lost, the port is open already."""
        self._thread.start()

    def stop(self) -> None:
        """Ends polls, closes every connection, waits for the thread."""
        for world in self.worlds.values():
            world.close()
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()

    def __enter__(self) -> BotApiServer:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()
