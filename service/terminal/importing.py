"""Brings histories from an export into a deployment: all of it is verified before any of it is written."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

import msgspec

from domain import events, table
from domain.table import Table
from eventstore import export
from eventstore.export import BadExport
from eventstore.record import NO_HEAD, Commit, Draft
from eventstore.redis_store import RedisStore
from eventstore.store import Appended, Conflict
from service.sealing import WrongKey
from service.terminal.audits import judged
from service.terminal.bars import Advance, bar
from service.terminal.exports import damage
from service.terminal.looking import Wrong
from service.terminal.screen import Screen
from service.text import Texts, archiving, history_tools
from service.text.people import plain
from service.wiring import Service

_BATCH = 64  # tables at a time
_TABLE = re.compile(r"[A-Za-z0-9_.-]{1,64}-[1-9][0-9]{0,6}")  # of a home; by number its next tables are named


class Plan(msgspec.Struct, frozen=True):
    """What is to be done with a file's tables: by name, how many commits are here already, and the file's last hash.

    `left` are those in play that are left out because their seeds are sealed with another key; `ahead` is the number
    of those that have more commits here than in the file.
    """

    known: dict[str, tuple[int, bytes]]
    left: tuple[str, ...]
    ahead: int


@contextmanager
def reading(texts: Texts, path: str) -> Iterator[BinaryIO]:
    """The file, open to be read. Raises Wrong when it cannot be."""
    try:
        file = open(path, "rb")  # noqa: SIM115 - closed below, where no other fault is taken for one of opening it
    except (OSError, ValueError) as error:  # a NUL in the path is a ValueError
        said = error.strerror if isinstance(error, OSError) else None
        raise Wrong(archiving.cannot_read(texts, plain(path, 120), said or str(error))) from None
    with file:
        if not file.seekable():
            raise Wrong(archiving.cannot_read(texts, plain(path, 120), archiving.read_twice(texts)))
        yield file


async def import_file(service: Service, screen: Screen, path: str, file: BinaryIO, finished: bool) -> None:
    """Imports an export; `finished`: without tables in play whose key we have not. Raises Wrong, StoreDown."""
    texts = screen.texts
    size = os.fstat(file.fileno()).st_size
    try:
        with bar(archiving.verifying(texts)) as advance:
            plan = await _plan(service, texts, file, size, path, finished, advance)
        file.seek(0)
        with bar(archiving.importing(texts)) as advance:
            new = await _write(service, texts, file, size, plan, advance)
    except BadExport as bad:
        said = history_tools.bad_line(
            texts, bad.kind, bad.line, bad.table, bad.version, before=bad.before, known=export.FORMAT
        )
        raise Wrong(history_tools.in_file(texts, path, said)) from None
    screen.say(archiving.imported(texts, len(plan.known), new))
    if plan.ahead:
        screen.say(archiving.further_here(texts, plan.ahead))
    if plan.left:
        screen.say(archiving.left_in_play(texts, len(plan.left)))


async def _plan(
    service: Service, texts: Texts, file: BinaryIO, size: int, path: str, finished: bool, advance: Advance
) -> Plan:
    """Verifies every table of the file and compares it with the store's. Raises Wrong, BadExport."""
    known: dict[str, tuple[int, bytes]] = {}
    left: list[str] = []
    ahead = 0
    export.read_header(file)
    for name, commits in export.read_tables(file):
        fault = damage(texts, name, commits) or _bad_name(texts, name) or judged(texts, name, commits)
        fault = fault or _twice(texts, name, commits)
        if fault is not None:
            raise Wrong(history_tools.in_file(texts, path, fault))
        ours = await service.store.read(name)
        common = min(len(ours), len(commits))
        if [one.hash for one in ours[:common]] != [one.hash for one in commits[:common]]:
            raise Wrong(archiving.another_history(texts, name))
        ahead += len(ours) > len(commits)
        if common < len(commits) and not _can_go_on(service, name, commits):
            if not finished:
                raise Wrong(archiving.sealed_elsewhere(texts, name))
            left.append(name)
        else:
            known[name] = common, commits[-1].hash
        advance(file.tell(), size)
    return Plan(known, tuple(left), ahead)


def _bad_name(texts: Texts, name: str) -> str | None:
    return None if _TABLE.fullmatch(name) else archiving.no_table_id(texts, name)


def _twice(texts: Texts, name: str, commits: Sequence[Commit]) -> str | None:
    """An id that two commits have: no command is carried out twice."""
    seen: set[str] = set()
    for commit in commits:
        if commit.command in seen:
            return history_tools.fault_at(texts, name, commit.version, archiving.id_twice(texts))
        seen.add(commit.command)
    return None


def _can_go_on(service: Service, name: str, commits: Sequence[Commit]) -> bool:
    """Whether the game is over, or its seeds can be opened here."""
    public: Table | None = None
    for commit in commits:
        public = table.fold(name, public, events.decode(commit.events))
    if public is not None and public.phase == "over":
        return True
    try:
        state: Table | None = None
        for commit in commits:
            state = table.fold(name, state, events.decode(commit.events), service.engine.unseal)
    except (WrongKey, ValueError):
        return False
    return True


async def _write(service: Service, texts: Texts, file: BinaryIO, size: int, plan: Plan, advance: Advance) -> int:
    """Appends what is missing; gives how many commits that were. Raises Wrong when it is not the file of before."""
    export.read_header(file)
    new = 0
    for batch in _batches(texts, file, plan):
        for name, _, _ in batch:
            await service.directory.beyond(name)
        await asyncio.gather(*(append(service.store, texts, commits, after) for _, commits, after in batch))
        new += sum(len(commits) - after for _, commits, after in batch)
        advance(file.tell(), size)
    return new


def _batches(texts: Texts, file: BinaryIO, plan: Plan) -> Iterator[list[tuple[str, list[Commit], int]]]:
    batch: list[tuple[str, list[Commit], int]] = []
    for name, commits in export.read_tables(file):
        after, head = plan.known.get(name, (0, b""))
        if name not in plan.left and (commits[-1].hash != head or damage(texts, name, commits) is not None):
            raise Wrong(archiving.changed_meanwhile(texts, name))
        if name in plan.known:
            batch.append((name, commits, after))
        if len(batch) >= _BATCH:
            yield batch
            batch = []
    yield batch


async def append(store: RedisStore, texts: Texts, commits: Sequence[Commit], after: int) -> None:
    """Appends a table's commits from version `after` on, as they are; those that are in already are no fault.

    Raises Wrong when the table has another history by now.
    """
    previous = commits[after - 1].hash if after else NO_HEAD
    for commit in commits[after:]:
        match await store.append(draft_of(commit, previous)):
            case Appended():
                pass
            case Conflict(tail=tail) if tail and tail[0].hash == commit.hash:
                pass  # in since longer than ids are remembered
            case _:
                raise Wrong(archiving.went_on_here(texts, commit.table))
        previous = commit.hash


def draft_of(commit: Commit, previous: bytes) -> Draft:
    """What gives the commit again, bit for bit, when it is appended after the hash `previous`."""
    return Draft(
        table=commit.table,
        version=commit.version,
        previous=previous,
        time=commit.time,
        actor=commit.actor,
        command=commit.command,
        events=commit.events,
    )
