"""A history outside the store, `tabletalk-log/1`: JSON lines, a header, a line a commit, table after table, an end.

Events are the stored bytes as a JSON string, so that whoever reads a file can compute every hash again. A line has one
form only, the one written here: a field twice, or a space more, and two readers might not see the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, BinaryIO, Literal, TypeVar

import msgspec

from eventstore.record import Commit

FORMAT = "tabletalk-log/1"
LONGEST = 16 << 20  # bytes a line; a commit has some hundred
_FAMILY = "tabletalk-log/"
_LARGEST = (1 << 63) - 1  # what every reader's integers hold

Kind = Literal[
    "unknown_format",
    "not_a_header",
    "not_a_commit",
    "too_long",
    "altered_line",
    "table_again",
    "empty",
    "cut_off",
    "wrong_counts",
    "after_the_end",
]
T = TypeVar("T")


class BadExport(Exception):
    """A file that is no whole export: `kind` says how, `line` (from 1) where.

    `table` and `version` are those of the line, or, when it cannot be read, of the last one before it (`before`).
    """

    def __init__(self, kind: Kind, line: int, table: str = "", version: int = 0, *, before: bool = False) -> None:
        super().__init__(f"line {line}: {kind}")
        self.kind = kind
        self.line = line
        self.table = table
        self.version = version
        self.before = before


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: the form, the deployment's random id, its number of partitions."""

    format: str
    deployment: str
    partitions: Annotated[int, msgspec.Meta(ge=1)]


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    table: str
    version: Annotated[int, msgspec.Meta(ge=1, le=_LARGEST)]
    time: Annotated[int, msgspec.Meta(ge=-_LARGEST, le=_LARGEST)]
    actor: str
    command: str
    events: str
    hash: str


class _Counts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tables: Annotated[int, msgspec.Meta(ge=0, le=_LARGEST)]
    commits: Annotated[int, msgspec.Meta(ge=0, le=_LARGEST)]


class _End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    end: _Counts


class _Format(msgspec.Struct, frozen=True):
    format: str


_encoder = msgspec.json.Encoder()
_headers = msgspec.json.Decoder(Header)
_lines = msgspec.json.Decoder(_Line)
_ends = msgspec.json.Decoder(_End)
_formats = msgspec.json.Decoder(_Format)


def header_line(deployment: str, partitions: int) -> bytes:
    """The first line of an export, with its end."""
    return _encoder.encode(Header(FORMAT, deployment, partitions)) + b"\n"


def commit_line(commit: Commit) -> bytes:
    """A commit's line, with its end. Raises UnicodeDecodeError for events that are no text, which JSON always is."""
    line = _Line(
        commit.table,
        commit.version,
        commit.time,
        commit.actor,
        commit.command,
        commit.events.decode(),
        commit.hash.hex(),
    )
    return _encoder.encode(line) + b"\n"


def end_line(tables: int, commits: int) -> bytes:
    """The last line, with its end: a file without it was cut off."""
    return _encoder.encode(_End(_Counts(tables, commits))) + b"\n"


def is_export(first: bytes) -> bool:
    """Whether a file that begins with this line is an export, of whatever version of the form."""
    found = _decoded(_formats, first)
    return found is not None and found.format.startswith(_FAMILY)


def read_header(file: BinaryIO) -> Header:
    """The file's first line. Raises BadExport."""
    line = file.readline(LONGEST + 1)
    named = _decoded(_formats, line)
    if named is not None and named.format != FORMAT:
        raise BadExport("unknown_format", 1)
    header = _decoded(_headers, line)
    if header is None:
        raise BadExport("not_a_header", 1)
    if header_line(header.deployment, header.partitions) != line:
        raise BadExport("altered_line", 1)
    return header


def read_tables(file: BinaryIO) -> Iterator[tuple[str, list[Commit]]]:
    """Each table of a file whose header was read, with its commits as they stand there: chains are not verified.

    Holds one table at a time. Raises BadExport at the first line that is not as an export has it.
    """
    seen: set[str] = set()
    commits: list[Commit] = []
    for number, commit in _commits(file):
        if commits and commit.table != commits[-1].table:
            yield commits[-1].table, commits
            commits = []
        if not commits:
            if commit.table in seen:
                raise BadExport("table_again", number, commit.table, commit.version)
            seen.add(commit.table)
        commits.append(commit)
    yield commits[-1].table, commits


def _commits(file: BinaryIO) -> Iterator[tuple[int, Commit]]:
    """The commits with the numbers of their lines, up to an end that counts them rightly."""
    number, last, tables, commits = 1, ("", 0), 0, 0
    while line := file.readline(LONGEST + 1):
        number += 1
        if len(line) > LONGEST:
            raise BadExport("too_long", number, *last, before=True)
        commit = read_commit(line)
        if commit is None:
            end = _decoded(_ends, line)
            if end is None:
                raise BadExport("not_a_commit", number, *last, before=True)
            _check_end(file, line, end.end, _Counts(tables, commits), number, last)
            return
        tables, commits = tables + (commit.table != last[0]), commits + 1
        last = commit.table, commit.version
        # An end of line that the last one lost on its way is no loss.
        if commit_line(commit) != line and commit_line(commit) != line + b"\n":
            raise BadExport("altered_line", number, *last)
        yield number, commit

    raise BadExport("cut_off", number + 1, *last, before=True)


def _check_end(file: BinaryIO, line: bytes, said: _Counts, found: _Counts, number: int, last: tuple[str, int]) -> None:
    if end_line(said.tables, said.commits) not in (line, line + b"\n"):
        raise BadExport("altered_line", number, *last, before=True)
    if said != found:
        raise BadExport("wrong_counts", number, *last, before=True)
    if not found.commits:
        raise BadExport("empty", number)
    if file.read(1):
        raise BadExport("after_the_end", number + 1, *last, before=True)


def read_commit(line: bytes) -> Commit | None:
    """The commit of a line; None for any other line."""
    found = _decoded(_lines, line)
    if found is None:
        return None
    try:
        hash = bytes.fromhex(found.hash)
    except ValueError:
        return None
    return Commit(
        table=found.table,
        version=found.version,
        time=found.time,
        actor=found.actor,
        command=found.command,
        events=found.events.encode(),
        hash=hash,
    )


def _decoded(decoder: msgspec.json.Decoder[T], line: bytes) -> T | None:
    try:
        return decoder.decode(line)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
