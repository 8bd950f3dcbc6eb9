"""Times in words."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from service.text import language
from service.text.moments import left, moment, span, stamp, until

TEXTS = language("en")
BERLIN = ZoneInfo("Europe/Berlin")
NOW = 1_796_000_000_000  # Mon 30 Nov 2026, 01:53:20 in Berlin
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000


@pytest.mark.parametrize(
    ("ms", "words"),
    [
        (-5, "0 seconds"), (1_000, "1 second"), (90_000, "90 seconds"), (5 * MINUTE, "5 minutes"),
        (119 * MINUTE, "119 minutes"), (3 * HOUR, "3 hours"), (47 * HOUR, "47 hours"), (3 * DAY, "3 days"),
    ],
)  # fmt: skip
def test_a_span_is_rounded_to_what_matters(ms: int, words: str) -> None:
    assert span(TEXTS, ms) == words


def test_what_is_left_is_said_from_now_on() -> None:
    assert left(TEXTS, NOW + 5 * MINUTE, NOW) == "in 5 minutes"
    assert left(TEXTS, NOW, NOW) == "now"


@pytest.mark.parametrize(
    ("ms", "words"),
    [
        (HOUR, "02:53"), (DAY, "tomorrow 01:53"), (-2 * HOUR, "yesterday 23:53"), (3 * DAY, "Thu 01:53"),
        (-3 * DAY, "27 Nov 01:53"), (9 * DAY, "9 Dec 01:53"),
    ],
)  # fmt: skip
def test_a_moment_is_said_as_the_readers_calendar_has_it(ms: int, words: str) -> None:
    assert moment(TEXTS, NOW + ms, NOW, BERLIN) == words


def test_tomorrow_begins_at_the_readers_midnight() -> None:
    assert until(TEXTS, NOW + DAY, NOW, BERLIN) == "until tomorrow 01:53"
    assert until(TEXTS, NOW + DAY, NOW, ZoneInfo("America/New_York")) == "until tomorrow 19:53"


def test_a_stamp_is_complete() -> None:
    assert stamp(NOW, BERLIN) == "2026-11-30 01:53:20"
