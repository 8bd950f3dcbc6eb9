"""Reads a table's commits as events, those of games too that this release does not know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from domain import audit_form, audit_history, events
from domain.audit_deals import audit_deals
from domain.events import Opened, Over, UnknownEvent
from domain.finding import Finding
from domain.game import Game
from domain.games import GAMES
from domain.rejected import Rejected
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


def is_foreign(commits: Sequence[Commit]) -> bool:
    """Whether a table was opened with rules that this release has not: a game, or a version of its ruleset."""
    opened = opened_with(commits)
    return opened is not None and known_rules(opened) is None


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


def form_fault(commits: Sequence[Commit]) -> Fault | None:
    """What two readers might see in two ways in commits whose chain holds, or None: stored bytes that are not in their
    one form, a time that not every reader can hold, or a command that was carried out twice.

    What cannot be read at all is nothing that this finds.
    """
    opened = opened_with(commits)
    known = opened is not None and known_rules(opened) is not None
    seen: set[str] = set()
    for commit in commits:
        if abs(commit.time) > audit_form.LARGEST:
            return Fault("form", "time_out_of_bounds", commit.version)
        if commit.command in seen:
            return Fault("form", "command_again", commit.version)
        seen.add(commit.command)
        try:
            right = _is_stored_form(commit.events, known)
        except (UnknownEvent, RecursionError):
            continue
        if not right:
            return Fault("form", "not_as_stored", commit.version)
    return None


def _is_stored_form(data: bytes, known: bool) -> bool:
    if known:
        return audit_form.is_stored_form(data, events.decode(data))
    read = foreign_events(data)  # of a game that we have not, only how JSON is written can be told
    raws = _raw.decode(data)
    return audit_form.is_compact(data) and all(
        isinstance(event, Foreign) or events.encode([event]) == b"[" + bytes(raw) + b"]"
        for event, raw in zip(read, raws, strict=True)
    )


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
    """What the rules say against a history whose chain holds, or None; where this release does not know the ruleset,
    what the promises of its deals say, and the deals themselves where it knows the game."""
    opened = opened_with(commits)
    if opened is not None and known_rules(opened) is None:
        return _foreign_fault(opened, commits)
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
    return None if found is None else _by_the_rules(found)


def dealt_again(commits: Sequence[Commit]) -> int:
    """How many of the first sets of a table with a foreign ruleset could be dealt again: none of a foreign game."""
    opened = opened_with(commits)
    return 0 if opened is None else _deals(opened, commits)[0]


def _by_the_rules(found: Finding) -> Fault:
    values: dict[str, Any] = msgspec.to_builtins(found.values)
    return Fault("rules", found.code, found.version, found.set, found.move, found.clause, values)


def _foreign_fault(opened: Opened, commits: Sequence[Commit]) -> Fault | None:
    game, _, number = opened.ruleset.partition("/")
    if game != opened.game or not number:
        values = {"name": opened.game, "text": opened.ruleset}
        return Fault("rules", "ruleset_of_another_game", commits[0].version, values=values)
    told: list[audit_history.Commit] = []
    over = False
    for commit in commits:
        try:
            read = foreign_events(commit.events)
        except UnknownEvent:
            return Fault("unreadable", "unknown_event", commit.version)
        for event in read:
            if over:
                return Fault("rules", "table_over", commit.version)
            if isinstance(event, Foreign) and event.tag.partition(".")[0] != opened.game:
                return Fault("unreadable", "unknown_event", commit.version)
            over = type(event) is Over
        told.append(audit_history.Commit(commit.time, commit.actor, read))
    found = audit_history.seed_that_does_not_fit(told)
    return _deals(opened, commits)[1] if found is None else _by_the_rules(found)


def _deals(opened: Opened, commits: Sequence[Commit]) -> tuple[int, Fault | None]:
    """How many sets were dealt again by the game's own packs, and the first card that cannot be from its seed."""
    rules = GAMES.get(opened.game)
    told: list[audit_history.Commit] = []
    if rules is None:
        return 0, None
    for commit in commits:
        try:
            read = events.decode(commit.events)
        except (UnknownEvent, RecursionError):
            break  # an event that only the other version has: nothing after it can be dealt again
        if not audit_form.is_stored_form(commit.events, read):
            break  # a field that only the other version has
        told.append(audit_history.Commit(commit.time, commit.actor, read))
    try:
        sets, found = audit_deals(told)
    except Rejected:
        return 0, None  # options that only the other version has
    except SENSELESS as fault:
        return 0, Fault("senseless", type(fault).__name__)
    return sets, None if found is None else _by_the_rules(found)
