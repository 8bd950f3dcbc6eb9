"""What was done at a table by right of office, or by the service itself: read from the commits that tell it."""

from __future__ import annotations

from typing import Any

from domain.events import AdminActed, Asked, Over, Paused, Resumed
from service.reports.account import Act
from service.reports.reading import Foreign, Told

_BY_OFFICE = ("operator", "chat")


def act_of(commit: Told, number: int) -> Act | None:
    """The act that a commit is, in the set `number` (0: before the first); None for what the players did."""
    said = _said(commit)
    pause = next((event for event in commit.events if isinstance(event, Paused | Resumed)), None)
    reason = what = ""
    if said is not None:
        act, reason, what = said.act, said.reason, said.what
    elif commit.actor in _BY_OFFICE and any(type(event) is Over for event in commit.events):
        act = "close"
    elif commit.actor == "clock" and isinstance(pause, Paused):
        act, reason = "pause", pause.why
    elif commit.actor == "clock" and isinstance(pause, Resumed):
        act = "resume"
    else:
        return None
    effects = tuple(_tag(event) for event in commit.events if type(event) not in (AdminActed, Asked))
    return Act(commit.version, commit.time, number, commit.actor, act, reason, effects, what=what)


def punishes(commit: Told) -> bool:
    """Whether somebody had a penalty written: it may be about the set before."""
    said = _said(commit)
    return said is not None and said.act == "penalty"


def _said(commit: Told) -> AdminActed | None:
    return next((event for event in commit.events if type(event) is AdminActed), None)


def _tag(event: Any) -> str:
    return event.tag if isinstance(event, Foreign) else str(event.__struct_config__.tag)
