"""Answers to commands for which a chat had no room at once: they wait, and share a message."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from service.chat import outbox
from service.chat.lengths import units
from service.chat.outbox import Outbox
from service.chat.post import Post

_MOST = 12  # that wait in a chat; older ones are dropped
_LONGEST = 4000  # UTF-16 units of a message that answers share; Bot API, sendMessage: 4,096


class Answers:
    """Posts by chat and topic, in order. `wake` is called with a chat in which something waits."""

    def __init__(self, out: Outbox, wake: Callable[[int], None]) -> None:
        self._out = out
        self._wake = wake
        self._waiting: dict[int, list[tuple[Post, int | None]]] = defaultdict(list)

    def add(self, chat: int, post: Post, thread: int | None) -> None:
        """Says it as soon as the chat has room; what waits already does not wait twice."""
        waiting = [one for one in self._waiting[chat] if one != (post, thread)]
        self._waiting[chat] = [*waiting, (post, thread)][-_MOST:]
        self._wake(chat)

    def waiting(self) -> list[tuple[int, Post, int | None]]:
        """Chat, post and topic of everything that waits, in order."""
        return [(chat, post, thread) for chat, posts in self._waiting.items() for post, thread in posts]

    def move(self, old: int, new: int) -> None:
        """The chat has another id."""
        for post, thread in self._waiting.pop(old, []):
            self.add(new, post, thread)

    async def send(self, chat: int) -> None:
        """One message for all that waits in a topic, and for as much of it as fits; two with buttons do not share one.

        Raises what `Outbox.send` raises.
        """
        await self._out.room(chat)
        waiting = self._waiting.pop(chat, [])
        if not waiting:
            return
        thread, html, rows = waiting[0][1], waiting[0][0].html, waiting[0][0].rows
        taken = 1
        for post, where in waiting[1:]:
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
