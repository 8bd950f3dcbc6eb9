"""What still waits to be said in chats when a process ends, kept for the one that goes on: sealed, and said once."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable, Iterable
from typing import Literal, assert_never

import msgspec
import structlog

from service.chat.api import tokens
from service.chat.api.post import Button, Fill, Link, Post, Press
from service.directory import Directory
from service.sealing import Sealer, WrongKey

log = structlog.get_logger()

_KEPT = "unsaid"
_LOOK_SECONDS = 2.0

Waiting = tuple[int, Post, int | None]
"""Chat, what to say, topic."""


class _Kept(msgspec.Struct, frozen=True, omit_defaults=True):
    html: str
    rows: tuple[tuple[tuple[Literal["press", "link", "fill"], str, str], ...], ...] = ()
    thread: int | None = None


class Unsaid:
    """Answers by chat, in the directory."""

    def __init__(self, directory: Directory, sealer: Sealer) -> None:
        self._directory = directory
        self._sealer = sealer

    async def keep(self, waiting: Iterable[Waiting]) -> None:
        """Keeps these, after what is kept of the same chat already."""
        chats: dict[int, list[_Kept]] = {}
        for chat, post, thread in waiting:
            rows = tuple(tuple(map(_written, row)) for row in post.rows)
            chats.setdefault(chat, []).append(_Kept(post.html, rows, thread))
        for chat, posts in chats.items():
            stored = await self._directory.get(_KEPT, str(chat))
            found = [*(() if stored is None else self._opened(chat, stored)), *posts]
            sealed = self._sealer.seal(msgspec.json.encode(found), _context(chat))
            await self._directory.put(_KEPT, str(chat), base64.b64encode(sealed).decode())

    async def run(
        self,
        ours: Callable[[int], Awaitable[bool]],
        say: Callable[[int, Post, int | None], None],
        patiently: Callable[[Callable[[], Awaitable[None]]], Awaitable[None]],
    ) -> None:
        """Has said in our chats what others keep for us, until cancelled: they may end after we began."""

        async def take() -> None:
            for waiting in await self.take(ours):
                say(*waiting)

        while True:
            await patiently(take)
            await asyncio.sleep(_LOOK_SECONDS)

    async def take(self, ours: Callable[[int], Awaitable[bool]]) -> list[Waiting]:
        """What is kept of our chats; nobody else gets it afterwards."""
        found: list[Waiting] = []
        for field, stored in (await self._directory.everything(_KEPT)).items():
            chat = int(field)
            if await ours(chat) and await self._directory.drop(_KEPT, field):
                for one in self._opened(chat, stored):
                    rows = tuple(
                        tuple(button for made in row if (button := _read(made)) is not None) for row in one.rows
                    )
                    found.append((chat, Post(one.html, rows), one.thread))
        return found

    def _opened(self, chat: int, stored: str) -> list[_Kept]:
        try:
            return msgspec.json.decode(self._sealer.open(base64.b64decode(stored), _context(chat)), type=list[_Kept])
        except (WrongKey, ValueError):
            log.warning("what was left to say cannot be opened")
            return []


def _context(chat: int) -> bytes:
    return f"unsaid {chat}".encode()


def _written(button: Button) -> tuple[Literal["press", "link", "fill"], str, str]:
    match button:
        case Press(text, token):
            return "press", text, tokens.write(token)
        case Link(text, url):
            return "link", text, url
        case Fill(text, query):
            return "fill", text, query
        case _:
            assert_never(button)


def _read(written: tuple[Literal["press", "link", "fill"], str, str]) -> Button | None:
    kind, text, value = written
    match kind:
        case "press":
            token = tokens.read(value)
            return None if token is None else Press(text, token)
        case "link":
            return Link(text, value)
        case "fill":
            return Fill(text, value)
        case _:
            assert_never(kind)
