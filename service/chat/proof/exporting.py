"""`/export`: a table's record and its event log as files, for whoever plays there and for the group's administrators.

Both are public by their making: the record holds the sets whose seed is revealed and no other, and no event names a
hidden card (seeds and hidden answers stand there sealed). The log is what `tabletalk export` writes and `tabletalk
audit` checks.
"""

from __future__ import annotations

import asyncio
from html import escape
from typing import NamedTuple

import structlog

from domain import events, record
from domain.table import Table, seat_of
from eventstore.export import commit_line, end_line, header_line
from eventstore.record import Commit
from service.chat.api import outbox
from service.chat.api.incoming import Said
from service.chat.hall import Hall
from service.chat.tables import finding
from service.text import history

log = structlog.get_logger()

LARGEST = 20_000_000  # bytes of a file; Bot API, sendDocument: 50 MB
_FILES = 2


class Files(NamedTuple):
    """What is sent: the record as one JSON document, the event log as JSON lines, and how many sets the record has."""

    record: bytes
    log: bytes
    sets: int


async def export(hall: Hall, said: Said) -> None:
    """Sends both files into the chat where they were asked for, once for the update."""
    actor = None if said.user is None else await hall.actor(said.user)
    state = await finding.table(hall, said, actor)
    if state is None:
        return
    if not await _may(hall, said, state, actor):
        await hall.answer(said, hall.say("export_not_yours"))
        return
    if state.phase == "lobby":
        await hall.answer(said, hall.say("export_nothing"))
        return
    commits = await hall.engine.history(state.id)
    files = await asyncio.to_thread(written, commits, hall.engine.store.deployment, hall.engine.store.partitions)
    if max(len(files.record), len(files.log)) > LARGEST:
        await hall.answer(said, hall.say("export_too_long"))
        return
    if not await _send(hall, said, state, files, commits[-1].hash):
        await hall.answer(said, hall.say("export_later"))


def written(commits: list[Commit], deployment: str, partitions: int) -> Files:
    """The files of a table that was started, of all its commits in order."""
    document = record.record(event for commit in commits for event in events.decode(commit.events))
    lines = [header_line(deployment, partitions), *map(commit_line, commits), end_line(1, len(commits))]
    return Files(record.write(document), b"".join(lines), len(document["sets"]))


async def _may(hall: Hall, said: Said, state: Table, actor: str | None) -> bool:
    """Players may, and who administers the group; an anonymous administrator writes in its name."""
    if said.group or (actor is not None and seat_of(state, actor) is not None):
        return True
    return said.user is not None and not said.private and await hall.rights.admin(said.chat, said.user.id)


async def _send(hall: Hall, said: Said, state: Table, files: Files, head: bytes) -> bool:
    """Whether the files were sent, now or for this update before; False where the chat has no room for them."""
    if await hall.once.known(said.update, "did export") is None and not await hall.out.room_now(said.chat, _FILES):
        return False
    if not await hall.once.claim(said.update, "export"):
        return True
    name = await hall.pairs.of(state.id)
    record_says = hall.texts.ngettext(
        "The record: {number} finished set. Any program can check it.",
        "The record: {number} finished sets. Any program can check it.",
        files.sets,
    ).format(number=files.sets)
    log_says = f"{hall.say('export_log')}\n{history.fingerprint_line(hall.texts, head)}"
    try:
        await hall.out.send_file(said.chat, f"{name}.json", files.record, escape(record_says), said.thread)
        await hall.out.send_file(said.chat, f"{name}.jsonl", files.log, escape(log_says), said.thread)
    except (outbox.NotNow, outbox.Unknown, outbox.Gone, outbox.Moved, outbox.Unsendable) as fault:
        log.info("not exported", table=state.id, fault=type(fault).__name__)
        if isinstance(fault, outbox.NotNow):
            await hall.answer(said, hall.say("export_later"))
    return True
