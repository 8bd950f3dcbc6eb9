"""Writes the records of finished games into a folder."""

from __future__ import annotations

import asyncio
from pathlib import Path

from domain import events, record
from service.terminal.screen import Screen
from service.terminal.tables import patient
from service.text import terminal
from service.wiring import Service


class BadFolder(Exception):
    """Records cannot be written there; the text says why."""


def prepare(folder: Path) -> None:
    """Makes the folder. Raises BadFolder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFolder(f"{folder}: {error.strerror or error}") from None


async def write_record(
    service: Service, screen: Screen, folder: Path | None, name: str, number: int, *, quiet: bool = False
) -> None:
    """Writes the record of table `name` as `<game>-<number>.json` into the folder (None: nowhere). Raises BadFolder."""
    if folder is None:
        return
    commits = await patient(screen, lambda: service.engine.history(name))
    document = record.record(event for commit in commits for event in events.decode(commit.events))
    path = folder / f"{document['game']}-{number}.json"
    await asyncio.to_thread(_write, path, record.write(document))
    if not quiet:
        screen.say(terminal.recorded(screen.texts, str(path)))


def _write(path: Path, data: bytes) -> None:
    draft = path.with_name(f".{path.name}.new")
    try:
        draft.write_bytes(data)
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise BadFolder(f"{path}: {error.strerror or error}") from None
