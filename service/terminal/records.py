"""Writes the records of finished games into a folder."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile

from domain import events, record
from service.terminal.screen import Screen
from service.terminal.tables import patient
from service.text import people, terminal
from service.wiring import Service


class BadFolder(Exception):
    """Records cannot be written there; the text says why."""


def prepare(folder: Path) -> None:
    """Makes the folder and tries to write there: not only after a long game. Raises BadFolder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except (OSError, ValueError) as error:  # a NUL in the path is a ValueError
        raise _bad(folder, error) from None


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
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise _bad(path, error) from None


def _bad(path: Path, error: OSError | ValueError) -> BadFolder:
    said = error.strerror if isinstance(error, OSError) else None
    return BadFolder(f"{people.plain(str(path), 120)}: {said or error}")
