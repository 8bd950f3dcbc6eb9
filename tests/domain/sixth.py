"""Registers the example of docs/adding-a-game.md beside the games there are, for as long as a test wants it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from domain import events
from domain.games import GAMES
from tests.domain.high_card import HIGH_CARD


@contextmanager
def registered() -> Iterator[None]:
    """GAMES with one record more; what was read from the registry at the start of the program is read again."""
    before = events._every_game
    GAMES[HIGH_CARD.slug] = HIGH_CARD
    events._every_game = events.decoder(GAMES.values())
    try:
        yield
    finally:
        del GAMES[HIGH_CARD.slug]
        events._every_game = before
