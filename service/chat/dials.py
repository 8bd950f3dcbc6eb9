"""The two choices of a lobby that people change most, each by one button: the time for a move, and a preset."""

from __future__ import annotations

from typing import Any

import msgspec

from domain import options
from domain.game import Game

CLOCKS = (0, 600, 3_600, 28_800, 86_400, 259_200)  # s: none, 10 min, 1 h, 8 h, 24 h, 3 days
_CLOCK = "turn_seconds"  # the option of a game whose moves have one time each


def clock(chosen: Any) -> int | None:
    """The time for a move in seconds (0: none); None in a game that has several clocks of its own."""
    found: int | None = getattr(chosen, _CLOCK, None)
    return found


def clocks(game: Game) -> list[int]:
    """The times for a move that the button goes through, within the game's bounds; none: the game has no such."""
    allowed = options.offered(game).get(_CLOCK)
    if allowed is None:
        return []
    return [found for found in CLOCKS if found in allowed.also or (found and allowed.low <= found <= allowed.high)]


def next_clock(game: Game, chosen: Any) -> int | None:
    """The time for a move that a press of the button gives; None where there is no button."""
    offered, now = clocks(game), clock(chosen)
    if len(offered) < 2 or now is None:
        return None
    return next((found for found in offered if found > now), offered[0])


def with_clock(chosen: Any, seconds: int) -> Any:
    """The options with this time for a move."""
    return msgspec.structs.replace(chosen, **{_CLOCK: seconds})


def preset(game: Game, chosen: Any) -> str | None:
    """The preset that the options are, the clock aside; None for options of one's own."""
    return next((name for name in game.presets if with_preset(game, chosen, name) == chosen), None)


def next_preset(game: Game, chosen: Any) -> str | None:
    """The preset that a press of the button gives; None where there is no button."""
    names = list(game.presets)
    if len(names) < 2:
        return None
    now = preset(game, chosen)
    return names[(names.index(now) + 1) % len(names)] if now in names else names[0]


def with_preset(game: Game, chosen: Any, name: str) -> Any:
    """The options of a preset, with the clock as it stands unless the preset has one of its own."""
    found = options.read(game, {}, name)
    seconds = clock(chosen)
    return found if seconds is None or _CLOCK in game.presets[name] else with_clock(found, seconds)
