"""When a decision is due: stops of the clock, quiet hours, nights with 23 and 25 hours."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain import clock
from domain.clock import Quiet, Stop, deadline

HOUR = 3_600_000
MADRID = "Europe/Madrid"


def at(text: str, zone: str = "UTC") -> int:
    """Milliseconds UTC of a local time, `2026-01-31 22:00`."""
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def test_without_a_budget_nothing_is_ever_due() -> None:
    assert deadline(5, None) is None
    assert deadline(5, None, [Stop(1, 9)], Quiet(0, 60, "UTC")) is None


def test_a_budget_is_in_seconds_and_times_are_in_milliseconds() -> None:
    assert deadline(1000, 30) == 31_000


def test_a_budget_of_nothing_is_used_up_at_once_at_any_hour() -> None:
    assert deadline(1000, 0) == 1000
    assert deadline(1000, 0, [Stop(0, 5000)]) == 1000
    night = at("2026-03-10 02:00")
    assert deadline(night, 0, quiet=Quiet(0, 480, "UTC")) == night


def test_the_clock_stands_still_in_a_stop() -> None:
    assert deadline(0, 10, [Stop(4_000, 7_000)]) == 13_000


def test_a_stop_that_had_begun_before_counts_from_the_start() -> None:
    assert deadline(5_000, 10, [Stop(0, 7_000)]) == 17_000


def test_stops_before_the_start_and_after_the_deadline_do_not_matter() -> None:
    assert deadline(5_000, 10, [Stop(0, 5_000), Stop(15_000, 99_000), Stop(200_000, 300_000)]) == 15_000


def test_overlapping_touching_and_equal_stops_count_once() -> None:
    stops = [Stop(3_000, 6_000), Stop(2_000, 5_000), Stop(6_000, 8_000), Stop(2_000, 5_000), Stop(4_000, 4_500)]
    assert deadline(0, 10, stops) == 16_000
    assert deadline(0, 10, reversed(stops)) == 16_000


def test_an_empty_or_turned_round_stop_is_none() -> None:
    assert deadline(0, 10, [Stop(4_000, 4_000), Stop(7_000, 6_000)]) == 10_000


def test_a_deadline_at_the_very_start_of_a_stop_is_due_then() -> None:
    assert deadline(0, 10, [Stop(10_000, 99_000)]) == 10_000
    assert deadline(0, 10, [Stop(9_999, 99_999)]) == 100_000


def test_the_clock_stands_still_in_quiet_hours() -> None:
    quiet = Quiet(13 * 60, 15 * 60, "UTC")
    assert deadline(at("2026-03-10 12:00"), 2 * 3600, quiet=quiet) == at("2026-03-10 16:00")
    assert deadline(at("2026-03-10 14:00"), 3600, quiet=quiet) == at("2026-03-10 16:00")
    assert deadline(at("2026-03-10 15:00"), 3600, quiet=quiet) == at("2026-03-10 16:00")


def test_quiet_hours_go_over_midnight() -> None:
    quiet = Quiet(23 * 60, 8 * 60, "UTC")
    assert deadline(at("2026-03-10 22:00"), 2 * 3600, quiet=quiet) == at("2026-03-11 09:00")
    assert deadline(at("2026-03-10 02:00"), 3600, quiet=quiet) == at("2026-03-10 09:00")
    assert deadline(at("2026-03-10 23:00"), 1, quiet=quiet) == at("2026-03-11 08:00") + 1000


def test_a_day_of_time_takes_longer_with_quiet_nights() -> None:
    quiet = Quiet(23 * 60, 8 * 60, "UTC")
    assert deadline(at("2026-03-10 12:00"), 86_400, quiet=quiet) == at("2026-03-11 21:00")


def test_quiet_hours_and_stops_together_count_once() -> None:
    quiet = Quiet(13 * 60, 15 * 60, "UTC")
    outage = Stop(at("2026-03-10 14:30"), at("2026-03-10 15:30"))
    assert deadline(at("2026-03-10 12:30"), 3600, [outage], quiet) == at("2026-03-10 16:00")


def test_quiet_hours_that_begin_when_they_end_are_none() -> None:
    assert deadline(0, 3600, quiet=Quiet(60, 60, "UTC")) == HOUR


def test_quiet_hours_are_those_of_the_zone() -> None:
    quiet = Quiet(0, 8 * 60, MADRID)
    assert deadline(at("2026-01-10 23:30", MADRID), 3600, quiet=quiet) == at("2026-01-11 08:30", MADRID)
    assert deadline(at("2026-07-10 23:30", MADRID), 3600, quiet=quiet) == at("2026-07-11 08:30", MADRID)


@pytest.mark.parametrize(
    ("evening", "morning", "hours"),
    [("2026-03-28", "2026-03-29", 8), ("2026-10-24", "2026-10-25", 10), ("2026-05-02", "2026-05-03", 9)],
)
def test_a_quiet_night_ends_at_its_hour_when_the_clocks_change(evening: str, morning: str, hours: int) -> None:
    """In Madrid the night to 29 March has an hour less, the one to 25 October an hour more."""
    quiet = Quiet(23 * 60, 8 * 60, MADRID)
    start = at(f"{evening} 22:30", MADRID)
    due = deadline(start, 3600, quiet=quiet)
    assert due == at(f"{morning} 08:30", MADRID)
    assert due == start + (hours + 1) * HOUR


def test_quiet_hours_that_begin_in_an_hour_that_does_not_exist_are_kept() -> None:
    """In Madrid 2:30 of 29 March is read as an hour later."""
    quiet = Quiet(2 * 60 + 30, 6 * 60, MADRID)
    start = at("2026-03-29 01:30", MADRID)
    assert deadline(start, 3600, quiet=quiet) == at("2026-03-29 03:30", MADRID)
    assert deadline(start, 2 * 3600, quiet=quiet) == at("2026-03-29 07:00", MADRID)


@pytest.mark.parametrize(
    "quiet",
    [
        Quiet(0, 1440, "UTC"),
        Quiet(0, 2880, "UTC"),
        Quiet(-60, 2000, "UTC"),
        Quiet(1440, 60, "UTC"),
        Quiet(60, -60, "UTC"),
        Quiet(60, 480, "Nowhere/Here"),
        Quiet(60, 480, "Europe"),
        Quiet(60, 480, "../UTC"),
        Quiet(60, 480, ""),
    ],
)
def test_quiet_hours_that_leave_no_time_or_are_none_do_not_stop_the_clock(quiet: Quiet) -> None:
    assert deadline(0, 3600, quiet=quiet) == HOUR


def test_quiet_hours_may_end_at_midnight_and_leave_one_minute_a_day() -> None:
    assert deadline(at("2026-03-10 22:00"), 7200, quiet=Quiet(1380, 1440, "UTC")) == at("2026-03-11 01:00")
    one_minute = Quiet(0, 1439, "UTC")
    assert deadline(at("2026-03-10 12:00"), 120, quiet=one_minute) == at("2026-03-12 00:00")


@settings(max_examples=100, deadline=None)
@given(
    start=st.integers(0, 2 * 10**12),
    seconds=st.integers(0, 86_400),
    hours=st.tuples(st.integers(-3000, 3000), st.integers(-3000, 3000))
    | st.tuples(st.just(0), st.integers(1380, 1500)),
    zone=st.sampled_from([MADRID, "UTC", "Asia/Kathmandu", "Nowhere/Here", "Europe"]),
)
def test_there_is_always_a_deadline(start: int, seconds: int, hours: tuple[int, int], zone: str) -> None:
    due = deadline(start, seconds, quiet=Quiet(*hours, zone))
    assert due is not None
    assert due >= start + seconds * 1000


_STOPS = st.lists(st.builds(Stop, st.integers(0, 200_000), st.integers(0, 200_000)), max_size=6)


@settings(max_examples=200, deadline=None)
@given(start=st.integers(0, 100_000), seconds=st.integers(1, 100), stops=_STOPS)
def test_exactly_the_budget_runs_outside_the_stops(start: int, seconds: int, stops: list[Stop]) -> None:
    due = deadline(start, seconds, stops)
    assert due is not None
    ran = sum(1 for time in range(start, due, 50) if not any(stop.start <= time < stop.end for stop in stops))
    assert abs(ran * 50 - seconds * 1000) <= 50 * (len(stops) + 2)
    assert not any(stop.start < due < stop.end for stop in stops)


@settings(max_examples=50, deadline=None)
@given(
    start=st.integers(0, 2 * 10**12),
    seconds=st.integers(1, 259_200),
    quiet=st.builds(
        Quiet, st.integers(0, 1439), st.integers(0, 1439), st.sampled_from([MADRID, "UTC", "Asia/Kathmandu"])
    ),
    stops=_STOPS,
)
def test_a_deadline_is_never_before_its_budget_nor_in_the_quiet(
    start: int, seconds: int, quiet: Quiet, stops: list[Stop]
) -> None:
    due = deadline(start, seconds, stops, quiet)
    assert due is not None
    assert due >= start + seconds * 1000
    local = datetime.fromtimestamp((due - 1) / 1000, ZoneInfo(quiet.zone))
    minute = local.hour * 60 + local.minute
    changed = local.utcoffset() != datetime.fromtimestamp(due / 1000 - 86_400, ZoneInfo(quiet.zone)).utcoffset()
    if quiet.start != quiet.end and not changed:
        length, into = (quiet.end - quiet.start) % 1440, (minute - quiet.start) % 1440
        assert into >= length


# Parts of a budget, for reminders


def test_half_of_a_budget_is_used_up_when_half_of_the_time_has_run_that_counts() -> None:
    assert clock.at(0, 10, part=0.5) == 5_000
    assert clock.at(0, 10, [Stop(4_000, 7_000)], part=0.5) == 8_000
    assert clock.at(0, 10, [Stop(4_000, 7_000)], part=0.8) == 11_000
    assert clock.at(0, None, part=0.5) is None
    assert clock.at(7, 0, part=0.8) == 7


def test_a_reminder_does_not_fall_into_quiet_hours() -> None:
    night = Quiet(22 * 60, 8 * 60, "UTC")
    start = at("2026-03-10 20:00")
    assert clock.at(start, 4 * 3600, quiet=night, part=0.5) == at("2026-03-10 22:00")
    assert clock.at(start, 4 * 3600, quiet=night, part=0.8) == at("2026-03-11 08:00") + 72 * 60_000


@given(
    start=st.integers(0, 10**12),
    seconds=st.integers(1, 10**6),
    parts=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    stops=st.lists(st.tuples(st.integers(0, 10**12), st.integers(0, 10**9)), max_size=4),
)
def test_a_smaller_part_is_never_used_up_later_and_the_whole_is_the_deadline(
    start: int, seconds: int, parts: tuple[float, float], stops: list[tuple[int, int]]
) -> None:
    held = [Stop(begin, begin + length) for begin, length in stops]
    low, high = (clock.at(start, seconds, held, None, part) for part in sorted(parts))
    assert low is not None
    assert high is not None
    due = deadline(start, seconds, held)
    assert due is not None
    assert start <= low <= high <= due
    assert clock.at(start, seconds, held, None, 1) == due
