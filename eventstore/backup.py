"""The file of a backup, `tabletalk-backup/1`: JSON lines in gzip, commits as an export has them, other keys, an end.

It holds what cannot be made again: commits, the ids and refusals of commands that are still remembered, and the hashes
of the directory. The end counts the lines and has their SHA-256: a file that was cut or changed is not put back.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from typing import Annotated, BinaryIO

import msgspec

from eventstore import export
from eventstore.record import Commit

FORMAT = "tabletalk-backup/1"
_NUMBER = msgspec.Meta(ge=0, le=(1 << 63) - 1)


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="header"):
    """The first line: the form, the deployment, its partitions, when it was made (ms UTC)."""

    format: str
    deployment: str
    partitions: Annotated[int, msgspec.Meta(ge=1, le=65_536)]
    time: Annotated[int, _NUMBER]


class Ids(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="ids"):
    """What is remembered of a table's commands of a day (days since 1970)."""

    table: str
    day: Annotated[int, _NUMBER]
    fields: tuple[tuple[bytes, bytes], ...]


class Named(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="hash"):
    """A hash of the directory."""

    name: str
    fields: tuple[tuple[bytes, bytes], ...]


class Key(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="key"):
    """The sealing key, 64 hexadecimal digits: without it tables in play could not go on."""

    key: str

    def __repr__(self) -> str:
        return "Key(...)"


class End(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="end"):
    """The last line: how many lines, tables and commits come before it, and the SHA-256 of those lines."""

    lines: int
    tables: int
    commits: int
    sha256: str


Line = Header | Ids | Named | Key | End
_encoder = msgspec.json.Encoder()
_lines = msgspec.json.Decoder(Line)


class BadBackup(Exception):
    """A file that is no whole backup: `code` says how."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Writer:
    """Writes a backup's lines into a binary file, compressed."""

    def __init__(self, file: BinaryIO, header: Header) -> None:
        self._file = gzip.GzipFile(fileobj=file, mode="wb", compresslevel=6, mtime=0)
        self._digest = hashlib.sha256()
        self._lines = self.tables = self.commits = 0
        self._table = ""
        self.write(header)

    def write(self, line: Line) -> None:
        """A line that is no commit."""
        self._write(_encoder.encode(line) + b"\n")

    def commit(self, commit: Commit) -> None:
        """The next commit; those of a table come together."""
        self.tables += commit.table != self._table
        self._table = commit.table
        self.commits += 1
        self._write(export.commit_line(commit))

    def _write(self, line: bytes) -> None:
        self._digest.update(line)
        self._lines += 1
        self._file.write(line)

    def end(self) -> str:
        """Writes the end; gives the SHA-256 of what stands before it."""
        digest = self._digest.hexdigest()
        self._file.write(_encoder.encode(End(self._lines, self.tables, self.commits, digest)) + b"\n")
        self._file.close()
        return digest


def read(file: BinaryIO) -> Iterator[Line | Commit]:
    """Every line of a backup, header first, end last. Raises BadBackup where it is none, or not whole."""
    digest, lines, tables, commits, table = hashlib.sha256(), 0, 0, 0, ""
    try:
        with gzip.GzipFile(fileobj=file, mode="rb") as inside:
            while line := inside.readline(export.LONGEST + 1):
                found = _decoded(line)
                if lines == 0 and not (isinstance(found, Header) and found.format == FORMAT):
                    raise BadBackup("unknown_format" if isinstance(found, Header) else "not_a_backup")
                if lines and (found is None or isinstance(found, Header)):
                    raise BadBackup("altered")
                if isinstance(found, End):
                    if found != End(lines, tables, commits, digest.hexdigest()) or inside.read(1):
                        raise BadBackup("altered")
                    yield found
                    return
                if isinstance(found, Commit):
                    tables, commits, table = tables + (found.table != table), commits + 1, found.table
                digest.update(line)
                lines += 1
                assert found is not None, "a line that is none was refused"
                yield found
    except EOFError:
        raise BadBackup("cut_off") from None
    except (gzip.BadGzipFile, zlib.error):
        raise BadBackup("altered" if lines else "not_a_backup") from None
    raise BadBackup("cut_off" if lines else "not_a_backup")


def _decoded(line: bytes) -> Line | Commit | None:
    commit = export.read_commit(line)
    if commit is not None:
        return commit
    try:
        return _lines.decode(line)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
