"""Days that people name."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text import language, moments
from service.text.dates import until

KATHMANDU = ZoneInfo("Asia/Kathmandu")
NOW = int(datetime(2026, 11, 30, 12, tzinfo=UTC).timestamp() * 1000)  # Monday, 17:45 there
DAY = 86_400_000


def shown(text: str) -> str | None:
    found = until(text, NOW, KATHMANDU)
    return None if found is None else f"{datetime.fromtimestamp(found / 1000, KATHMANDU):%Y-%m-%d %H:%M}"


@pytest.mark.parametrize(
    "text",
    [
        "until 5 December", "5 december", "December 5th", "2026-12-05", "until Saturday", "hasta el 5 de diciembre",
        "jusqu'au 5 décembre", "5 dec", "sábado", "samedi",
    ],
)  # fmt: skip
def test_a_day_lasts_until_its_midnight_in_the_groups_zone(text: str) -> None:
    assert shown(text) == "2026-12-06 00:00"


@pytest.mark.parametrize(
    ("text", "days"), [("5 days", 5), ("1 day", 1), ("2 weeks", 14), ("3 días", 3), ("4 jours", 4)]
)
def test_a_span_counts_from_now(text: str, days: int) -> None:
    assert until(text, NOW, KATHMANDU) == NOW + days * DAY


def test_a_day_without_a_year_is_the_next_one() -> None:
    assert shown("29 November") == "2027-11-30 00:00"
    assert shown("30 November") == "2026-12-01 00:00"
    assert shown("31 दिसंबर") == "2027-01-01 00:00"


@pytest.mark.parametrize(
    "text",
    ["", "5", "soon", "30 February", "2025-01-01", "9999-12-31", "0 days", "400 days", "5 december 2031", "x" * 5000],
)
def test_what_is_no_day_within_a_year_is_not_understood(text: str) -> None:
    assert until(text, NOW, KATHMANDU) is None


@given(st.text(max_size=80))
def test_whatever_somebody_writes_is_a_later_moment_or_nothing(text: str) -> None:
    found = until(text, NOW, KATHMANDU)
    assert found is None or NOW < found <= NOW + 367 * DAY


def test_midnight_is_the_next_local_one() -> None:
    assert moments.midnight(NOW, KATHMANDU) == NOW + (6 * 60 + 15) * 60_000
    assert moments.day(language("fr"), NOW + 5 * DAY, NOW, KATHMANDU) == "5 déc."
