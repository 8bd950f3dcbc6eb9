"""What of a bot's work one process does, and how it works together with the others: all of it, unless it is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from service.chat.api.windows import Windows

if TYPE_CHECKING:
    from service.chat.reception import Reception


class Source(Protocol):
    """Where updates come from."""

    async def run(self, stop: asyncio.Event) -> None:
        """Has updates handled until `stop`. Raises InvalidToken."""
        ...


@dataclass(frozen=True, slots=True)
class Part:
    """A process's part: the tables of its `partitions` (None: of all) are its own to show and to keep going; `holds`
    says whether one is. `elsewhere` tells the process whose table it is to look at it; `windows` hold what all of them
    have sent lately."""

    source: Callable[[Reception], Source]
    partitions: frozenset[int] | None = None
    holds: Callable[[str], bool] = lambda _table: True
    elsewhere: Callable[[str], None] = lambda _table: None
    windows: Windows | None = None
