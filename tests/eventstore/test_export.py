"""The form of an export: what was written is read again, and whatever is not in that form is refused by its line."""

from __future__ import annotations

import io
import json

import pytest

from eventstore.chain import link
from eventstore.export import (
    FORMAT,
    LONGEST,
    BadExport,
    commit_line,
    end_line,
    header_line,
    is_export,
    read_header,
    read_tables,
)
from eventstore.record import NO_HEAD, Commit

HEADER = header_line("0011223344556677", 64)


def chained(table: str, *events: bytes) -> list[Commit]:
    commits: list[Commit] = []
    for version, data in enumerate(events, 1):
        command = f"tg:{version}"
        head = link(table, version, commits[-1].hash if commits else NO_HEAD, 5, "person:a", command, data)
        commits.append(
            Commit(table=table, version=version, time=5, actor="person:a", command=command, events=data, hash=head)
        )
    return commits


ONE = chained("home-1", b'[{"text":"a \\" \\u00e9"}]', '["é♠"]'.encode(), b"[ 1 ]")
TWO = chained("home-2", b"[]")
LINES = [commit_line(commit) for commit in (*ONE, *TWO)]
END = end_line(2, 4)


def read(data: bytes) -> list[tuple[str, list[Commit]]]:
    file = io.BytesIO(data)
    read_header(file)
    return list(read_tables(file))


def refused(*lines: bytes) -> BadExport:
    with pytest.raises(BadExport) as found:
        read(b"".join(lines))
    return found.value


def test_what_was_written_is_read_again_byte_for_byte() -> None:
    assert read(HEADER + b"".join(LINES) + END) == [("home-1", ONE), ("home-2", TWO)]
    assert read_header(io.BytesIO(HEADER)).partitions == 64


def test_any_json_reader_can_compute_the_hashes_again() -> None:
    previous = NO_HEAD
    for line in LINES[:3]:
        told = json.loads(line)
        previous = link(
            told["table"],
            told["version"],
            previous,
            told["time"],
            told["actor"],
            told["command"],
            told["events"].encode(),
        )
        assert previous.hex() == told["hash"]


def test_an_export_is_known_by_its_first_line() -> None:
    assert is_export(HEADER)
    assert is_export(b'{"format":"tabletalk-log/2"}\n')
    for other in (b"", b"{", b"[]\n", b'{"format":"tabletalk-record/1"}', b'{"format":1}', b"[" * 100_000, b"\xff\n"):
        assert not is_export(other)


def test_a_lost_end_of_line_at_the_end_is_no_fault() -> None:
    assert len(read((HEADER + b"".join(LINES) + END).removesuffix(b"\n"))) == 2


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b'{"format":"tabletalk-log/2","deployment":"00","partitions":64}\n', "unknown_format"),
        (b'{"format":"%s"}\n' % FORMAT.encode(), "not_a_header"),
        (HEADER.replace(b"64", b"0"), "not_a_header"),
        (HEADER.replace(b":64", b": 64"), "altered_line"),
        (HEADER.removesuffix(b"\n"), "altered_line"),
    ],
)
def test_another_header_is_refused(line: bytes, kind: str) -> None:
    assert refused(line).kind == kind


@pytest.mark.parametrize(
    "line",
    [
        LINES[1][:-20],
        b"\n",
        b"{}\n",
        b"\x00\xff\n",
        b"[" * 100_000 + b"\n",
        LINES[1].replace(b'"version":2', b'"version":"2"'),
        LINES[1].replace(b'"version":2', b'"version":2,"more":1'),
        LINES[1].replace(b'"version":2', b'"version":%d' % 10**30),
        LINES[1].replace(b'"hash":"', b'"hash":"x'),
    ],
)
def test_a_line_that_is_no_commits_is_named_with_the_commit_before_it(line: bytes) -> None:
    bad = refused(HEADER, LINES[0], line, LINES[2])
    assert (bad.kind, bad.line, bad.table, bad.version, bad.before) == ("not_a_commit", 3, "home-1", 1, True)


@pytest.mark.parametrize(
    "line",
    [
        LINES[1].replace(b":5,", b": 5,"),
        LINES[1].replace(b'"version":2', b'"version":9,"version":2'),
        LINES[1].replace("é".encode(), b"\\u00e9"),
        LINES[1].replace(ONE[1].hash.hex().encode(), ONE[1].hash.hex().upper().encode()),
        LINES[1].replace(b"\n", b"\r\n"),
    ],
)
def test_the_same_values_in_another_writing_are_an_altered_line(line: bytes) -> None:
    bad = refused(HEADER, LINES[0], line)
    assert (bad.kind, bad.line, bad.table, bad.version) == ("altered_line", 3, "home-1", 2)


def test_a_file_cut_anywhere_is_refused() -> None:
    whole = HEADER + b"".join(LINES) + END
    assert read(whole)
    assert read(whole[:-1])  # the last line's end is no part of what it says
    for end in range(len(HEADER) - 1, len(whole) - 1):
        refused(whole[:end])
    assert refused(HEADER, *LINES[:3]).kind == "cut_off"


def test_an_end_that_does_not_fit_is_refused() -> None:
    for end in (end_line(1, 4), end_line(2, 3), end_line(3, 5)):
        bad = refused(HEADER, *LINES, end)
        assert (bad.kind, bad.line, bad.table, bad.version, bad.before) == ("wrong_counts", 6, "home-2", 1, True)
    assert refused(HEADER, *LINES[:2], END).kind == "wrong_counts"
    assert refused(HEADER, *LINES, END.replace(b":2", b": 2")).kind == "altered_line"
    for more in (LINES[0], END, b"\n", b"x"):
        bad = refused(HEADER, *LINES, END, more)
        assert (bad.kind, bad.line) == ("after_the_end", 7)


def test_a_table_that_comes_twice_is_refused() -> None:
    bad = refused(HEADER, *LINES, LINES[0])
    assert (bad.kind, bad.line, bad.table, bad.version) == ("table_again", 6, "home-1", 1)


def test_an_export_without_a_commit_is_refused() -> None:
    assert refused(HEADER, end_line(0, 0)).kind == "empty"
    assert refused(HEADER).kind == "cut_off"


def test_a_line_without_end_is_not_read_whole() -> None:
    bad = refused(HEADER, LINES[0], b'{"table":"' + b"a" * LONGEST)
    assert (bad.kind, bad.line) == ("too_long", 3)
