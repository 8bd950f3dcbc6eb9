"""What the proofs found, as tables of Markdown; written into docs/reliability.md between each proof's marks."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import msgspec

from eventstore.embedded import server_binary
from service.clock import SystemClock
from service.text.moments import stamp

DOCUMENT = Path(__file__).parents[2] / "docs" / "reliability.md"


class Row(msgspec.Struct, frozen=True):
    """One figure in words; `fault`: it is wrong, and fails the proof."""

    what: str
    figure: str
    fault: bool = False


def counted(what: str, number: float, *, fault: bool = False) -> Row:
    """A row of a number; a `fault` is one unless the number is 0."""
    return Row(what, f"{number:,.0f}", fault and number != 0)


def block(command: str, rows: Sequence[Row]) -> str:
    """A proof's part of the document: its command, when and where it ran, its figures."""
    day = stamp(SystemClock().now()).split()[0]
    lines = [f"| {row.what} | {row.figure} |" for row in rows]
    return "\n".join([f"`{command}`, {day}, {machine()}:", "", "| | |", "|---|--:|", *lines])


def machine() -> str:
    """The machine in general words, and the server's version."""
    version = subprocess.run([server_binary(), "--version"], capture_output=True, text=True, check=True).stdout
    server = re.search(r"(\S+) server v=(\S+)", version)
    assert server is not None, version
    return (
        f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, "
        f"Python {platform.python_version()}, {server[1]} {server[2]}"
    )


def between(name: str, document: str) -> str:
    """What stands between the marks of a proof. Raises ValueError when they are not there."""
    begin, end = _marks(name)
    if document.count(begin) != 1 or document.count(end) != 1:
        raise ValueError(f"no marks for {name}")
    return document.partition(begin)[2].partition(end)[0].strip("\n")


def write(name: str, text: str) -> None:
    """Puts the text between the marks of a proof in the document."""
    document = DOCUMENT.read_text("utf-8")
    begin, end = _marks(name)
    old = f"{begin}{document.partition(begin)[2].partition(end)[0]}{end}"
    between(name, document)
    DOCUMENT.write_text(document.replace(old, f"{begin}\n{text}\n{end}"), "utf-8")


def _marks(name: str) -> tuple[str, str]:
    return f"<!-- soak {name} -->", f"<!-- end of {name} -->"
