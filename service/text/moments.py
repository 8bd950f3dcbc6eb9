"""Times in the reader's words: `in 5 minutes`, `until tomorrow 18:20`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

from service.text import Texts
from service.text import marked as _

_WEEKDAYS = (_("Mon"), _("Tue"), _("Wed"), _("Thu"), _("Fri"), _("Sat"), _("Sun"))
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
    """The moment `ms` seen from `now`: `18:20`, `tomorrow 18:20`, `Fri 18:20`, `2026-11-30 18:20`."""
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
        weekday = _WEEKDAYS[there.weekday()]
        return f"{texts.gettext(weekday)} {clock}"
    return f"{there:%Y-%m-%d} {clock}"


def stamp(ms: int, zone: tzinfo | None = None) -> str:
    """The moment in full, `2026-11-30 18:20:05`."""
    return f"{_local(ms, zone):%Y-%m-%d %H:%M:%S}"


def _local(ms: int, zone: tzinfo | None) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC).astimezone(zone)
