"""Reads a table's commits as events, those of games too that this release does not know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from domain import audit_history, events
from domain.events import Opened, UnknownEvent
from domain.game import Game
from domain.games import GAMES
from eventstore import chain
from eventstore.chain import BrokenChain
from eventstore.record import Commit
from service.engine import shipped
from service.reports.account import Fault


class Foreign(msgspec.Struct, frozen=True):
    """An event of a game that this release does not know: its tag and fields, as they are stored."""

    tag: str
    fields: dict[str, Any]


class Told(NamedTuple):
    """A commit with its events."""

    version: int
    time: int
    actor: str
    events: tuple[Any, ...]


SENSELESS = (ValueError, LookupError, TypeError, AttributeError, AssertionError, OverflowError, RecursionError)
"""What asking the rules may raise about a file that holds anything which the events' types allow."""
_table_events = events.decoder(())
_raw = msgspec.json.Decoder(tuple[msgspec.Raw, ...])


def known_rules(opened: Opened) -> Game | None:
    """The rules that a table was opened with, if this release has just these."""
    rules = GAMES.get(opened.game)
    return rules if rules is not None and rules.ruleset == opened.ruleset else None


def opened_with(commits: Sequence[Commit]) -> Opened | None:
    """The first event of a table, as far as it is one that opens a table."""
    try:
        first = next(iter(foreign_events(commits[0].events)), None) if commits else None
    except UnknownEvent:
        return None
    return first if isinstance(first, Opened) else None


def foreign_events(data: bytes) -> tuple[Any, ...]:
    """The events of stored bytes: the table's own as such, all others as Foreign. Raises UnknownEvent."""
    try:
        raws = _raw.decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise UnknownEvent(str(error)) from None
    return tuple(_event(raw) for raw in raws)


def _event(raw: msgspec.Raw) -> Any:
    try:
        fields = msgspec.json.decode(raw)
        tag = fields.pop("type")
        assert isinstance(tag, str)
    except (msgspec.DecodeError, RecursionError, LookupError, AttributeError, TypeError, AssertionError) as error:
        raise UnknownEvent(type(error).__name__) from None
    if not tag.startswith("table."):
        return Foreign(tag, fields)
    (event,) = events.decode(b"[" + bytes(raw) + b"]", _table_events)
    return event


def chain_fault(commits: Sequence[Commit]) -> Fault | None:
    """What is wrong with some commits as a chain."""
    try:
        chain.verify(commits)
        for commit in commits:
            commit.events.decode()
    except BrokenChain as broken:
        gap = next((commit.version for place, commit in enumerate(commits, 1) if commit.version != place), None)
        return Fault("chain", "gap" if gap == broken.version else "hash", broken.version)
    except UnicodeDecodeError:
        return Fault("unreadable", "unknown_event")
    return None if commits else Fault("chain", "no_commits")


def rules_fault(commits: Sequence[Commit]) -> Fault | None:
    """What the rules say against a history whose chain holds, or None; also None where this release does not know the
    ruleset: then only the promises of its deals are judged (`account_of`)."""
    opened = opened_with(commits)
    if opened is not None and known_rules(opened) is None:
        return None
    told: list[audit_history.Commit] = []
    for commit in commits:
        try:
            told.append(audit_history.Commit(commit.time, commit.actor, events.decode(commit.events)))
        except (UnknownEvent, RecursionError):
            return Fault("unreadable", "unknown_event", commit.version)
    try:
        found = audit_history.audit_history(told, shipped)
    except SENSELESS as fault:
        return Fault("senseless", type(fault).__name__)
    if found is None:
        return None
    return Fault(
        "rules", found.code, found.version, found.set, found.move, found.clause, msgspec.to_builtins(found.values)
    )
