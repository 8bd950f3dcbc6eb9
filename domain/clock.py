"""When a decision is due: one pure function of its start, its budget, the stops of the clock and the quiet hours.

Times are integer milliseconds UTC, budgets seconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta  # arithmetic with dates only; nothing here asks for the time
from zoneinfo import ZoneInfo

import msgspec

_DAY = 86_400_000
_MINUTES = 1440  # of a day


class Stop(msgspec.Struct, frozen=True, array_like=True):
    """An interval in which no clock ran: an outage of the service or a pause of the table. `end` is exclusive."""

    start: int
    end: int


class Quiet(msgspec.Struct, frozen=True, array_like=True):
    """Hours of the day in which clocks stand still: minutes after local midnight, `end` may be on the next day."""

    start: int
    end: int
    zone: str


def deadline(start: int, seconds: int | None, stops: Iterable[Stop] = (), quiet: Quiet | None = None) -> int | None:
    """When a budget of `seconds` that began at `start` is used up; None for no clock.

    Stops and quiet hours may overlap and touch; time inside any of them does not count. A budget of nothing is used up
    at once, at any hour. Quiet hours that leave no time of the day, or that are no hours of a day, or in a zone that
    nobody knows, are none.
    """
    return at(start, seconds, stops, quiet, 1)


def at(
    start: int, seconds: int | None, stops: Iterable[Stop] = (), quiet: Quiet | None = None, part: float = 1
) -> int | None:
    """When this `part` (0 to 1) of a budget is used up, as `deadline` counts: half of it, four fifths; None: no clock.

    A part that is used up just when a stop begins was used up before it.
    """
    if seconds is None:
        return None
    left = round(seconds * 1000 * part)
    if left == 0:
        return start
    now = start
    quiet = None if quiet is None or not _leaves_time(quiet) else quiet
    fixed = sorted((stop.start, stop.end) for stop in stops if stop.end > start)
    while True:
        held = _held_until(now, fixed, quiet)
        if held > now:
            now = held
            continue
        nearest = _next_stop(now, fixed, quiet)
        if nearest is None or now + left <= nearest:
            return now + left
        left -= nearest - now
        now = nearest


def _held_until(at: int, fixed: list[tuple[int, int]], quiet: Quiet | None) -> int:
    end = at
    for start, stop in fixed:
        if start <= at < stop:
            end = max(end, stop)
    if quiet is not None:
        for start, stop in _quiet_near(at, quiet):
            if start <= at < stop:
                end = max(end, stop)
    return end


def _next_stop(at: int, fixed: list[tuple[int, int]], quiet: Quiet | None) -> int | None:
    starts = [start for start, stop in fixed if start > at and stop > start]
    if quiet is not None:
        starts += [start for start, stop in _quiet_near(at, quiet) if start > at]
    return min(starts, default=None)


def _leaves_time(quiet: Quiet) -> bool:
    """Whether these are hours of a day and not the whole of it, in which a clock would stand still for ever."""
    if not (0 <= quiet.start < _MINUTES and 0 <= quiet.end <= _MINUTES) or quiet.start == quiet.end % _MINUTES:
        return False
    try:
        ZoneInfo(quiet.zone)
    except (KeyError, ValueError, OSError):  # OSError: the name of a folder of zones
        return False
    return True


def _quiet_near(at: int, quiet: Quiet) -> list[tuple[int, int]]:
    """The quiet intervals of the day before `at`, its day and the next one, in UTC."""
    zone = ZoneInfo(quiet.zone)
    today = date(1970, 1, 1) + timedelta(days=at // _DAY)
    found = []
    for offset in (-2, -1, 0, 1, 2):
        midnight = datetime.combine(today + timedelta(days=offset), datetime.min.time(), tzinfo=zone)
        start = midnight + timedelta(minutes=quiet.start)  # wall-clock arithmetic: a night may have 23 or 25 hours
        end = midnight + timedelta(days=quiet.end < quiet.start, minutes=quiet.end)
        found.append((int(start.timestamp() * 1000), int(end.timestamp() * 1000)))
    return found
