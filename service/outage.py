"""A store that is down, said once until it is back, however many of us notice."""

from __future__ import annotations

from collections.abc import Callable

import structlog

log = structlog.get_logger()


class Outage:
    """Shared by all who wait for one store."""

    def __init__(self) -> None:
        self._said = False
        self.ended: Callable[[], None] = lambda: None  # called each time the store is back

    def say(self, fault: str) -> None:
        """The store did not answer just now."""
        if not self._said:
            log.warning("store down, waiting", fault=fault)
            self._said = True

    def over(self) -> None:
        """The store has answered just now."""
        if self._said:
            log.info("store is back")
            self._said = False
            self.ended()
