"""Writes histories out, as the store holds them: whole to a file, or line by line to standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from eventstore import chain
from eventstore.chain import BrokenChain
from eventstore.export import commit_line, end_line, header_line
from eventstore.record import Commit
from service.terminal.bars import bar
from service.terminal.looking import Sight, Wrong
from service.text import Texts, faults, history_tools

Write = Callable[[bytes], object]
_BATCH = 64  # tables a round trip


@contextmanager
def destination(texts: Texts, path: str | None, *, private: bool = False) -> Iterator[Write]:
    """Where an export goes: standard output, or a file, which is there only when it is whole. Raises Wrong.

    `private`: nobody else may read the file.
    """
    if path is None:
        sys.stdout.flush()
        yield sys.stdout.buffer.write
        sys.stdout.buffer.flush()
        return
    try:
        target = Path(os.path.realpath(path))
        special = target.exists() and not target.is_file()
        draft = target if special else target.with_name(f".{target.name}.new")
        opener = _private if private and not special else None
        file = open(draft, "wb", opener=opener)  # noqa: SIM115 - closed below, where its faults are told
    except (OSError, ValueError) as error:  # a NUL in the path is a ValueError
        raise _cannot_write(texts, path, error) from None
    try:
        with file:
            yield file.write
            file.flush()
            if not special:
                os.fsync(file.fileno())
        if not special:
            draft.replace(target)
    except BaseException as error:
        if not special:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise _cannot_write(texts, path, error) from None
        raise


def _private(path: str, flags: int) -> int:
    with suppress(FileNotFoundError):
        os.unlink(path)  # left by one that was killed, with whatever mode it had
    return os.open(path, flags | os.O_EXCL, 0o600)


def _cannot_write(texts: Texts, path: str, error: OSError | ValueError) -> Wrong:
    said = error.strerror if isinstance(error, OSError) else None
    return Wrong(history_tools.cannot_write(texts, path, said or str(error)))


async def export(sight: Sight, name: str | None, write: Write, path: str | None) -> list[str]:
    """Writes the table, or (None) every table; gives a line for each that is damaged and so left out.

    Raises Wrong when there is nothing to write, or the one table is damaged.
    """
    texts, store = sight.screen.texts, sight.store
    if name is not None:
        commits = await sight.read(name)
        if not commits or store is None:
            raise Wrong(faults.no_such_table(texts, name))
        if (fault := damage(texts, name, commits)) is not None:
            raise Wrong(fault)
        write(header_line(store.deployment, store.partitions))
        for commit in commits:
            write(commit_line(commit))
        write(end_line(1, len(commits)))
        _say(sight, 1, len(commits), path)
        return []
    names = [] if store is None else await store.tables()
    if store is None or not names:
        raise Wrong(faults.no_tables(texts))
    left_out: list[str] = []
    tables = count = 0
    write(header_line(store.deployment, store.partitions))
    with bar(history_tools.progress(texts)) as advance:
        for start in range(0, len(names), _BATCH):
            for table, commits in (await store.read_many(names[start : start + _BATCH])).items():
                if (fault := damage(texts, table, commits)) is not None:
                    left_out.append(fault)
                    continue
                for commit in commits:
                    write(commit_line(commit))
                tables, count = tables + 1, count + len(commits)
            advance(min(start + _BATCH, len(names)), len(names))
    write(end_line(tables, count))
    _say(sight, tables, count, path)
    return left_out


def damage(texts: Texts, name: str, commits: list[Commit]) -> str | None:
    """What is wrong with a table's commits as a chain, or None."""
    try:
        chain.verify(commits)
        for commit in commits:
            commit.events.decode()
    except BrokenChain as broken:
        return history_tools.broken(texts, name, broken.version, _out_of_order(commits, broken.version))
    except UnicodeDecodeError:
        return history_tools.unknown_event(texts, name, 0)
    return None if commits else history_tools.trouble(texts, "no_commits", name, 0, 1)


def _out_of_order(commits: list[Commit], version: int) -> bool:
    """Whether the first fault, at this version, is one of numbers and not of a hash."""
    for place, commit in enumerate(commits, 1):
        if commit.version != place:
            return commit.version == version
    return False


def _say(sight: Sight, tables: int, commits: int, path: str | None) -> None:
    if path is not None:
        sight.screen.say(history_tools.exported(sight.screen.texts, tables, commits, path))
