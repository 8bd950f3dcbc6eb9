"""What people wait for: the answer to a pressed button, the results of a query typed after the bot's name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.sandbox.state import Answer, Asked, Query, Results
from service.sandbox.waiting import PATIENCE

if TYPE_CHECKING:
    from service.sandbox.world import World


class Tap:
    """A pressed button whose answer may still be on its way."""

    def __init__(self, world: World, query: Query) -> None:
        self._world, self.query = world, query

    def answered(self, timeout: float = PATIENCE) -> Answer:
        """Waits for the bot's answerCallbackQuery; TimeoutError after `timeout` seconds."""
        what = f"an answer to the press of {self.query.data!r}"
        return self._world.wait_until(lambda: self.query.answer, timeout, what)


class Typed:
    """A query in the input line whose results may still be on their way."""

    def __init__(self, world: World, asked: Asked) -> None:
        self._world, self.asked = world, asked

    def answered(self, timeout: float = PATIENCE) -> Results:
        """Waits for the bot's answerInlineQuery (a cached one is there at once); TimeoutError after `timeout` s."""
        what = f"results for {self.asked.query!r}"
        return self._world.wait_until(lambda: self.asked.answer, timeout, what)
