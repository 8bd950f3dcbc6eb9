"""What stands around a table in its message: until when, what happened lately, and the reader's own clock."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import msgspec

from domain.table import Table, View
from service.text import Texts, moments
from service.text.chat import say
from service.text.words import game_name

_SHORT = 600  # s of a question, below which a length of time says more than a moment
_UTC = "UTC"


class Around(msgspec.Struct, frozen=True):
    """`now` (ms UTC) and `zone` of those who read; `lately`: the last moves; `since`: what a player has not seen yet;
    `elsewhere`: he plays at other tables too; `reminder`: what a bell that rang for him says; `pair`: what the table
    is called (`red-fox`); `apart`: the players sit in private chats of their own; `asks`: who asks for a seat; `why`:
    the operator's reason for a pause."""

    now: int = 0
    zone: str = _UTC
    lately: tuple[str, ...] = ()
    since: tuple[str, ...] = ()
    elsewhere: bool = False
    reminder: str = ""
    pair: str = ""
    apart: bool = False
    asks: str = ""
    why: str = ""


NOTHING = Around()


def title(texts: Texts, view: View, around: Around = NOTHING) -> str:
    """The first line of a message about a table: the game, and what people call the table; HTML."""
    name = f"<b>{escape(game_name(texts, view.game))}</b>"
    return f"{name} · {around.pair}" if around.pair else name


def small(*lines: str) -> list[str]:
    """The lines that say something, in small print; HTML."""
    return [f"<i>{escape(line)}</i>" for line in lines if line]


def until(texts: Texts, view: View, around: Around) -> str:
    """Until when whoever is asked may answer, by the reader's clock; how long he has, where that is short.

    Never what is left: a message must not change with every look. Nothing without a clock.
    """
    spans = [one.seconds for one in view.asked if one.seconds and set(one.seats) & set(view.waiting)]
    if not spans:
        return ""
    if min(spans) >= _SHORT and view.due is not None and view.due > around.now > 0:
        return say(texts, "due", until=moment(texts, view.due, around))
    return say(texts, "time_to_move", span=moments.span(texts, min(spans) * 1000))


def moment(texts: Texts, ms: int, around: Around) -> str:
    """`until tomorrow 18:20`; a group that has not said where it lives reads that this is UTC."""
    said = moments.until(texts, ms, around.now, moments.zone_of(around.zone))
    return f"{said} UTC" if around.zone == _UTC else said


def marks(texts: Texts, view: View, names: Sequence[str], around: Around) -> list[str]:
    """Why nobody waits, where nobody does: the game is paused; who is on vacation, and until when."""
    code = "paused_for_now" if view.paused == "clock" else "paused"
    why = f" ({around.why})" if around.why else ""
    found = [say(texts, code) + why] if view.paused is not None else []
    zone = moments.zone_of(around.zone)
    resting = [
        f"{names[seat]} ({moments.until(texts, held.vacation.end, around.now, zone)})"
        for seat, held in enumerate(view.seats)
        if held.vacation is not None and held.vacation.start <= around.now < held.vacation.end
    ]
    return [*found, say(texts, "on_vacation", names=", ".join(resting))] if resting else found


def changes(state: Table, now: int, zone: str) -> int | None:
    """When a message may look different though nothing happens (ms UTC): a day begins, a vacation ends; None: never."""
    if state.phase != "playing":
        return None
    ends = [held.vacation.end for held in state.seats if held.vacation is not None and held.vacation.end > now]
    if ends or any(decision.seconds is not None for decision in state.decisions):
        ends.append(moments.midnight(now, moments.zone_of(zone)))
    return min(ends, default=None)
