"""Answers to commands for which a chat had no room at once: they wait, and share a message."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

from service.chat.api import outbox
from service.chat.api.lengths import units
from service.chat.api.outbox import Outbox
from service.chat.api.post import Post

_MOST_EACH = 3  # that wait in a chat for one person: his older ones are dropped, never another's
_MOST_OURS = 12  # that wait there for nobody in particular
_MOST = 300  # that wait there altogether
_LONGEST = 4000  # UTF-16 units of a message that answers share; Bot API, sendMessage: 4,096


class _Waiting(NamedTuple):
    post: Post
    thread: int | None
    whose: int  # the Telegram user who asked for it, 0 for nobody in particular


class Answers:
    """Posts by chat and topic, in order. `wake` is called with a chat in which something waits."""

    def __init__(self, out: Outbox, wake: Callable[[int], None]) -> None:
        self._out = out
        self._wake = wake
        self._waiting: dict[int, list[_Waiting]] = defaultdict(list)

    def add(self, chat: int, post: Post, thread: int | None, whose: int = 0) -> None:
        """Says it as soon as the chat has room; what waits already does not wait twice, and nobody (`whose`: a user)
        pushes out what others wait for."""
        if all((one.post, one.thread) != (post, thread) for one in self._waiting[chat]):
            self._waiting[chat].append(_Waiting(post, thread, whose))
        theirs = [one for one in self._waiting[chat] if one.whose == whose]
        if len(theirs) > (_MOST_EACH if whose else _MOST_OURS):
            self._waiting[chat].remove(theirs[0])
        self._waiting[chat] = self._waiting[chat][-_MOST:]
        self._wake(chat)

    def waiting(self) -> list[tuple[int, Post, int | None]]:
        """Chat, post and topic of everything that waits, in order."""
        return [(chat, one.post, one.thread) for chat, posts in self._waiting.items() for one in posts]

    def move(self, old: int, new: int) -> None:
        """The chat has another id."""
        for one in self._waiting.pop(old, []):
            self.add(new, *one)

    async def send(self, chat: int) -> None:
        """One message for all that waits in a topic, and for as much of it as fits; two with buttons do not share one.

        Raises what `Outbox.send` raises.
        """
        await self._out.room(chat)
        waiting = self._waiting.pop(chat, [])
        if not waiting:
            return
        thread, html, rows = waiting[0].thread, waiting[0].post.html, waiting[0].post.rows
        taken = 1
        for post, where, _ in waiting[1:]:
            more = f"{html}\n\n{post.html}"
            if where != thread or units(more) > _LONGEST or (rows and post.rows):
                break
            html, rows, taken = more, rows or post.rows, taken + 1
        try:
            await self._out.send(chat, Post(html, rows), thread)
        except (outbox.NotNow, outbox.Moved):  # certainly not delivered
            taken = 0
            raise
        finally:
            if rest := [*waiting[taken:], *self._waiting.pop(chat, [])]:
                self._waiting[chat] = rest
                self._wake(chat)
