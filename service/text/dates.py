"""The moment that somebody means by `5 December`, `2026-12-05` or `5 days`, in the languages of the product."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cache

from babel import Locale
from babel.dates import get_day_names, get_month_names

LANGUAGES = ("en", "es", "fr", "hi", "ne")
"""In which days and months are understood, whatever language somebody reads."""

_UNITS = {
    "day": ("d", "day", "days", "dia", "dias", "j", "jour", "jours", "दिन"),
    "week": ("w", "week", "weeks", "semana", "semanas", "semaine", "semaines", "हप्ता", "हफ़्ता", "सप्ताह"),
}
_TOMORROW = ("tomorrow", "manana", "demain", "कल", "भोलि")
_SMALL_WORDS = (
    *("until", "till", "to", "for", "the", "of", "hasta", "el", "de", "del", "durante", "jusqu", "au", "le"),
    *("तक", "सम्म", "के", "लिए", "का", "लागि"),
)
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_WORD = re.compile(r"\d+|(?:[^\W\d_]|[\u0900-\u0963])+")  # with the vowel signs of Devanagari
_MOST_DAYS = 366
_LONGEST = 60  # characters


def until(text: str, now: int, zone: tzinfo) -> int | None:
    """The end, ms UTC, of the last day that is meant (a day alone lasts until its midnight); None: not understood.

    A span (`5 days`) counts from now. A day and a month without a year are the next ones. What is over already, or
    lies more than a year ahead, is not understood.
    """
    if len(text) > _LONGEST:
        return None
    here = datetime.fromtimestamp(now / 1000, UTC).astimezone(zone)
    spelt = _plain(text)
    if (found := _ISO.search(spelt)) is not None:
        day = _date(int(found[1]), int(found[2]), int(found[3]))
        return None if day is None else _end(day, now, zone)
    words = [word for word in _WORD.findall(spelt) if word not in _SMALL_WORDS]
    if (days := _span(words)) is not None:
        return None if not 0 < days <= _MOST_DAYS else now + days * 86_400_000
    if len(words) == 1 and words[0] in map(_plain, _TOMORROW):
        return _end(here.date() + timedelta(days=1), now, zone)
    if len(words) == 1 and (weekday := _names("days").get(words[0])) is not None:
        return _end(here.date() + timedelta(days=(weekday - here.weekday() - 1) % 7 + 1), now, zone)
    return _named(words, here.date(), now, zone)


def _span(words: list[str]) -> int | None:
    """The days of `5 days`, `2 weeks`, `5d`."""
    if len(words) != 2 or not words[0].isdecimal():
        return None
    if words[1] in map(_plain, _UNITS["day"]):
        return int(words[0])
    return 7 * int(words[0]) if words[1] in map(_plain, _UNITS["week"]) else None


def _named(words: list[str], today: date, now: int, zone: tzinfo) -> int | None:
    """`5 december`, `december 5`, `5 december 2026`; an ordinal's ending (`5th`) does not count."""
    words = [word for word in words if word not in ("st", "nd", "rd", "th", "er")]
    numbers = [int(word) for word in words if word.isdecimal()]
    months = [month for word in words if (month := _names("months").get(word)) is not None]
    if len(months) != 1 or len(words) != len(numbers) + 1 or len(numbers) not in (1, 2):
        return None
    years = [numbers[1]] if len(numbers) == 2 else [today.year, today.year + 1]
    for year in years:
        day = _date(year, months[0], numbers[0])
        if day is not None and day >= today:
            return _end(day, now, zone)
    return None


def _end(day: date, now: int, zone: tzinfo) -> int | None:
    """The midnight at the end of the day, ms UTC."""
    today = datetime.fromtimestamp(now / 1000, UTC).astimezone(zone).date()
    if not 0 <= (day - today).days <= _MOST_DAYS:
        return None
    after = day + timedelta(days=1)
    return int(datetime(after.year, after.month, after.day, tzinfo=zone).timestamp() * 1000)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except (ValueError, OverflowError):
        return None


@cache
def _names(what: str) -> dict[str, int]:
    """Months from 1, weekdays from 0, by their names and short names in all languages."""
    return {_plain(name): number for number, name in _every(what)}


def _every(what: str) -> Iterator[tuple[int, str]]:
    for code in LANGUAGES:
        for width in ("wide", "abbreviated"):
            for context in ("format", "stand-alone"):
                names = (
                    get_month_names(width, context, Locale(code))
                    if what == "months"
                    else get_day_names(width, context, Locale(code))
                )
                yield from ((number, name.rstrip(".")) for number, name in names.items())


def _plain(text: str) -> str:
    """Folded, Latin letters without accents."""
    found = unicodedata.normalize("NFD", text.casefold().strip())
    return "".join(letter for letter in found if not "\u0300" <= letter <= "\u036f")
