"""Names as a chat shows them: written from right to left or not, each stays in its place in the line (UAX #9)."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from domain.table import Seat
from service.text import Texts, people

_ISOLATE, _END = "\u2068", "\u2069"  # first strong isolate, pop directional isolate
_MARK = "\u200e"  # left-to-right mark


def shown(texts: Texts, seats: tuple[Seat, ...], known: Mapping[str, str]) -> list[str]:
    """`people.names_of`, the names that are written from right to left shut off from the text around them."""
    return [_isolated(name) for name in people.names_of(texts, seats, known)]


def in_column(name: str) -> str:
    """The same name where it may be cut: an isolate that lost its end would take the rest of the line with it."""
    return name.replace(_ISOLATE, _MARK).replace(_END, "")


def _isolated(name: str) -> str:
    if any(unicodedata.bidirectional(character) in ("R", "AL") for character in name):
        return f"{_ISOLATE}{name}{_END}"
    return name
