"""What finds a history that was tampered with: the command line is asked, of exports and of a store."""

from __future__ import annotations

import asyncio
import io
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from itertools import chain
from pathlib import Path

import msgspec

from eventstore.chain import fingerprint
from eventstore.embedded import Embedded
from eventstore.export import commit_line, end_line, header_line
from eventstore.ids import shortened
from eventstore.open import open_store
from eventstore.record import NO_HEAD, Commit, Draft
from eventstore.redis_store import RedisStore
from eventstore.store import Appended
from eventstore.wire import Command, Part
from service.cli import main
from service.clock import SystemClock
from tests.service.logging_state import logging_restored
from tests.service.tampering import KINDS, made_right, played


class Looked(msgspec.Struct, frozen=True):
    """What was said of a history that was tampered with; None: nothing is wrong.

    `place` and `version`: of the first commit that is not as it was (0: it is not there). `file`: audit of its export.
    `store`: audit of the table, `all`: its lines in audit of all tables, `check`: in store check. `head`: whether audit
    of the export with the fingerprint of the head that was goes through.
    """

    what: str
    remade: bool
    table: str
    place: int
    version: int
    file: str | None
    store: str | None
    all: tuple[str, ...]
    check: tuple[str, ...]
    head: bool


def looked_at(data: Path) -> list[Looked]:
    """Every kind, as it is and with all later hashes made right, in a store in `data` and in exports of it."""
    game = asyncio.run(played())
    cases = [(kind, remade) for kind in KINDS for remade in (False, True)]
    tables = [f"home{number}-1" for number in range(len(cases))]
    originals = [made_right(game, table) for table in tables]
    tampered = []
    for (kind, remade), original in zip(cases, originals, strict=True):
        commits = kind.change(original)
        tampered.append(made_right(commits, original[0].table) if remade else commits)
    embedded = Embedded(data)
    asyncio.run(embedded.up())
    try:
        asyncio.run(_fill(data, originals, tampered))
        _, checked, _ = said(data, "store", "check")
        _, audited, _ = said(data, "audit", "--all")
        found = []
        for (kind, remade), original, commits in zip(cases, originals, tampered, strict=True):
            table, file = original[0].table, data / "game.jsonl"
            written(file, commits)
            head = fingerprint(original[-1].hash)
            place = first_difference(original, commits)
            found.append(
                Looked(
                    what=kind.what,
                    remade=remade,
                    table=table,
                    place=place,
                    version=commits[place - 1].version if place <= len(commits) else 0,
                    file=_wrong(said(data, "audit", str(file))),
                    store=_wrong(said(data, "audit", table)),
                    all=_lines(audited, table),
                    check=_lines(checked, table),
                    head=said(data, "audit", str(file), "--head", head)[0] == 0,
                )
            )
        return found
    finally:
        asyncio.run(embedded.stop())


def _lines(text: str, table: str) -> tuple[str, ...]:
    return tuple(line for line in text.splitlines() if line.startswith(f"{table}: "))


def exports_looked_at(data: Path) -> list[tuple[str, str | None]]:
    """What can be done to an export alone, and what audit says of it."""
    commits = asyncio.run(played(sets=1))
    file = data / "game.jsonl"
    written(file, commits)
    lines = file.read_bytes().splitlines(keepends=True)
    spaced = json.dumps(json.loads(lines[20])).encode() + b"\n"
    found: list[tuple[str, str | None]] = []
    for what, changed_lines in (
        ("an export's line written in another way", [*lines[:20], spaced, *lines[21:]]),
        ("an export's end cut off, its last line left as it is", [*lines[:-6], lines[-1]]),
    ):
        file.write_bytes(b"".join(changed_lines))
        found.append((what, _wrong(said(data, "audit", str(file)))))
    return found


def first_difference(commits: Sequence[Commit], others: Sequence[Commit]) -> int:
    """The first version at which two histories differ; of the longer one where the other has ended."""
    pairs = zip(commits, others, strict=False)
    return next((n for n, (one, other) in enumerate(pairs, 1) if one != other), min(len(commits), len(others)) + 1)


def written(file: Path, *tables: Sequence[Commit]) -> str:
    """An export of the tables, and its path."""
    lines = [commit_line(commit) for commits in tables for commit in commits]
    end = end_line(len(tables), len(lines))
    file.write_bytes(header_line("0011223344556677", 64) + b"".join(lines) + end)
    return str(file)


def said(data: Path, *arguments: str) -> tuple[int, str, str]:
    """What the command line says, in this process: code, output, errors."""
    out, err = io.StringIO(), io.StringIO()
    with _settings(TABLETALK_DATA=str(data)), logging_restored(), redirect_stdout(out), redirect_stderr(err):
        code = _code(arguments)
    return code, out.getvalue(), err.getvalue()


def _code(arguments: Sequence[str]) -> int:
    try:
        main(list(arguments))
    except SystemExit as ended:
        return int(ended.code or 0)
    raise AssertionError("it did not end")


@contextmanager
def _settings(**ours: str) -> Iterator[None]:
    before = dict(os.environ)
    for name in ("REDIS_URL", "TABLETALK_KEY", "DURABILITY"):
        os.environ.pop(name, None)
    os.environ.update(ours)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _wrong(answer: tuple[int, str, str]) -> str | None:
    code, _, err = answer
    return None if code == 0 else err.strip()


async def _fill(data: Path, originals: list[list[Commit]], tampered: list[list[Commit]]) -> None:
    """Appends the games that there were, and then has the streams as somebody left them who can write to the server."""
    async with await open_store("", data, now=SystemClock().now) as store:
        await asyncio.gather(*(_append(store, commits) for commits in originals))
        tables = [commits[0].table for commits in originals]
        await asyncio.gather(*(_overwrite(store, *one) for one in zip(tables, tampered, strict=True)))


async def _append(store: RedisStore, commits: list[Commit]) -> None:
    for before, one in zip([None, *commits], commits, strict=False):
        previous = before.hash if before else NO_HEAD
        fields = {name: getattr(one, name) for name in ("table", "version", "time", "actor", "command", "events")}
        assert isinstance(await store.append(Draft(previous=previous, **fields)), Appended)


async def _overwrite(store: RedisStore, table: str, commits: list[Commit]) -> None:
    """A stream's ids can only rise: where the versions do not, each commit stands where its place is."""
    stream = store.key(store.partition_of(table), "t", table)
    versions = [one.version for one in commits]
    ids = versions if all(map(int.__lt__, versions, versions[1:])) else range(1, len(versions) + 1)
    await store.servers.ask_one("DEL", stream)
    commands: list[Command] = []
    for id, one in zip(ids, commits, strict=True):
        fields: dict[str, Part] = {
            "h": one.hash,
            "e": one.events,
            "t": one.time,
            "a": one.actor,
            "c": shortened(one.command, table),
        }
        commands.append(("XADD", stream, f"{id}-0", *chain.from_iterable(fields.items())))
    replies = await store.servers.ask(commands)
    assert all(isinstance(reply, bytes) for reply in replies), replies


# What the sentences mean, the first that fits.
_MEANINGS = (
    ("hash does not match", "the chain"),
    ("have a gap or are out of order", "the chain"),
    ("expected version", "the chain"),
    ("the commit is missing", "the chain"),
    ("the seed that was revealed is not the one that was promised", "the promise"),
    ("no pointer in the feed", "the feed"),
    ("the feed points to", "the feed"),
    ("command's id", "the command ids"),
    ("the line was altered", "the form of a line"),
    ("the file's end counts other", "the count at its end"),
    (": version ", "the rules"),
)


def means(sentence: str | None) -> str:
    """What it was that found it, in a word."""
    if sentence is None:
        return "nothing"
    return next(meaning for words, meaning in _MEANINGS if words in sentence)


def table(found: Sequence[Looked], exports: Sequence[tuple[str, str | None]]) -> str:
    """What finds what, as a table of Markdown."""
    lines = [
        "| what was done | found by `audit` | by `store check` | hashes made right: by `audit` | by `store check` |",
        "|---|---|---|---|---|",
    ]
    for plain, remade in zip(found[::2], found[1::2], strict=True):
        cells = [plain.what]
        for one in (plain, remade):
            cells += [means(one.file) if one.file else "**`--head` alone**", _checked(one)]
        lines.append(f"| {' | '.join(cells)} |")
    for what, sentence in exports:
        lines.append(f"| {what} | {means(sentence)} | | {means(sentence)} | |")
    return "\n".join(lines)


def _checked(one: Looked) -> str:
    return ", ".join(dict.fromkeys(map(means, one.check))) or "–"
