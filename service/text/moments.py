"""Times in the reader's words: `in 5 minutes`, `until tomorrow 18:20`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_skeleton, get_day_names

from service.text import Texts

_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def span(texts: Texts, ms: int) -> str:
    """A length of time, rounded to what matters: `5 minutes`, `3 hours`, `2 days`."""
    seconds = max(0, round(ms / 1000))
    if seconds < 2 * _MINUTE:
        return texts.ngettext("{n} second", "{n} seconds", seconds).format(n=seconds)
    if seconds < 2 * _HOUR:
        n = round(seconds / _MINUTE)
        return texts.ngettext("{n} minute", "{n} minutes", n).format(n=n)
    if seconds < 2 * _DAY:
        n = round(seconds / _HOUR)
        return texts.ngettext("{n} hour", "{n} hours", n).format(n=n)
    n = round(seconds / _DAY)
    return texts.ngettext("{n} day", "{n} days", n).format(n=n)


def left(texts: Texts, ms: int, now: int) -> str:
    """How long until `ms`: `in 5 minutes`; `now` once it is past. Both in ms UTC."""
    if ms <= now:
        return texts.gettext("now")
    return texts.gettext("in {span}").format(span=span(texts, ms - now))


def until(texts: Texts, ms: int, now: int, zone: tzinfo | None = None) -> str:
    """The moment as the reader's clock shows it (None: this machine's zone): `until tomorrow 18:20`."""
    return texts.gettext("until {moment}").format(moment=moment(texts, ms, now, zone))


def moment(texts: Texts, ms: int, now: int, zone: tzinfo | None = None) -> str:
    """The moment `ms` seen from `now`: `18:20`, `tomorrow 18:20`, `Fri 18:20`, `5 Dec 18:20`, `2027-11-30 18:20`."""
    there, here = _local(ms, zone), _local(now, zone)
    clock = f"{there:%H:%M}"
    days = (there.date() - here.date()) // timedelta(days=1)
    if days == 0:
        return clock
    if days == 1:
        return texts.gettext("tomorrow {clock}").format(clock=clock)
    if days == -1:
        return texts.gettext("yesterday {clock}").format(clock=clock)
    if 1 < days < 7:
        weekday = get_day_names("abbreviated", locale=_locale(texts))[there.weekday()]
        return f"{weekday} {clock}"
    return f"{_day(texts, there, here)} {clock}"


def day(texts: Texts, ms: int, now: int, zone: tzinfo | None = None) -> str:
    """The day of a moment, far from now or near: `5 Dec`, in another year `2027-12-05`."""
    return _day(texts, _local(ms, zone), _local(now, zone))


def date(texts: Texts, ms: int, zone: tzinfo | None = UTC) -> str:
    """The day of a moment in full: `5 December 2026`."""
    there = _local(ms, zone)
    if texts.language.partition("_")[0] == "en":
        return f"{there.day} {there:%B} {there.year}"
    return str(format_date(there.date(), "long", locale=_locale(texts)))


def _day(texts: Texts, there: datetime, here: datetime) -> str:
    if there.year != here.year:
        return f"{there:%Y-%m-%d}"
    if texts.language.partition("_")[0] == "en":
        return f"{there.day} {there:%b}"  # the day first: as most who read English here write it
    return format_skeleton("MMMd", there.date(), locale=_locale(texts))


def midnight(now: int, zone: tzinfo | None = None) -> int:
    """The next local midnight, ms UTC: then `tomorrow` is another day."""
    here = _local(now, zone)
    after = (here.replace(tzinfo=None) + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    return int((after.replace(tzinfo=zone) if zone is not None else after).timestamp() * 1000)


def zone_of(name: str) -> ZoneInfo:
    """The time zone of this name (`Asia/Kathmandu`); UTC where nobody knows it."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # OSError: the name of a folder of zones
        return ZoneInfo("UTC")


def _locale(texts: Texts) -> Locale:
    try:
        return Locale.parse(texts.language)
    except (UnknownLocaleError, ValueError):
        return Locale("en")


def stamp(ms: int, zone: tzinfo | None = None) -> str:
    """The moment in full, `2026-11-30 18:20:05`."""
    return f"{_local(ms, zone):%Y-%m-%d %H:%M:%S}"


def _local(ms: int, zone: tzinfo | None) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC).astimezone(zone)
