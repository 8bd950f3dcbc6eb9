"""The two choices of a lobby that people change most, each by one button: the time for a move, and a preset."""

from __future__ import annotations

from typing import Any

import msgspec

from domain import options
from domain.game import Game

CLOCKS = (0, 600, 3_600, 28_800, 86_400, 259_200)  # s: none, 10 min, 1 h, 8 h, 24 h, 3 days
_AT_ONE_SITTING = 3_600  # s for a move; below, nobody goes away in between
_CLOCK = "turn_seconds"  # the option of a game whose moves have one time each


def clock(chosen: Any) -> int | None:
    """The time for a move in seconds (0: none); None in a game that has several clocks of its own."""
    found: int | None = getattr(chosen, _CLOCK, None)
    return found


def short(chosen: Any) -> bool:
    """Whether a game is played at one sitting: the time for a move, or where there are several clocks the longest of
    them, is less than an hour."""
    spans = [clock(chosen)] if clock(chosen) is not None else [getattr(chosen, name) for name in _windows(chosen)]
    running = [seconds for seconds in spans if seconds]
    return bool(running) and max(running) < _AT_ONE_SITTING


def _windows(chosen: Any) -> list[str]:
    return [name for name in chosen.__struct_fields__ if name.endswith("_seconds")]


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
    """The preset that the options are, but for those that no preset is about; None for options of one's own."""
    return next((name for name in game.presets if with_preset(game, chosen, name) == chosen), None)


def next_preset(game: Game, chosen: Any) -> str | None:
    """The preset that a press of the button gives; None where there is no button."""
    names = list(game.presets)
    if len(names) < 2:
        return None
    now = preset(game, chosen)
    return names[(names.index(now) + 1) % len(names)] if now in names else names[0]


def with_preset(game: Game, chosen: Any, name: str) -> Any:
    """The options of a preset; those that no preset of the game is about (often the clock) stay as they are."""
    about = {option for given in game.presets.values() for option in given}
    found = options.read(game, {}, name)
    kept = {option: getattr(chosen, option) for option in found.__struct_fields__ if option not in about}
    return msgspec.structs.replace(found, **kept)
