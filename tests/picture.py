"""`python -m tests.picture` draws docs/play.svg: how `tabletalk play callbreak` begins, as a terminal shows it."""

from __future__ import annotations

import os
import pathlib
import pty
import re
import select
import subprocess
import sys
import tempfile
import time

from rich.console import Console
from rich.text import Text

WIDTH, HEIGHT = 80, 36
FOLDER = pathlib.Path(__file__).parent.parent
PICTURE = FOLDER / "docs" / "play.svg"
SEED = "0a"
TYPED = ("3", "5d")
_QUIET = 1.0  # s without output after which it waits for us


def played() -> str:
    """What a terminal receives while somebody types TYPED, escape sequences included."""
    with tempfile.TemporaryDirectory() as data:
        ours, theirs = pty.openpty()
        environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(WIDTH), "LINES": str(HEIGHT)}
        command = [sys.executable, "-c", "from service.cli import main; main()", "play", "callbreak", "--seed", SEED]
        process = subprocess.Popen(
            [*command, "--data", data], stdin=theirs, stdout=theirs, stderr=theirs, env=environment, cwd=FOLDER
        )
        os.close(theirs)
        received = [_until_quiet(ours)]
        for line in TYPED:
            os.write(ours, f"{line}\n".encode())
            received.append(_until_quiet(ours))
        process.terminate()
        process.wait()
        os.close(ours)
    return "".join(received)


def _until_quiet(terminal: int) -> str:
    found = b""
    end = time.monotonic() + 15
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], _QUIET if found else 10)
        if not ready:
            break
        found += os.read(terminal, 65536)
    return found.decode(errors="replace").replace("\r", "")


def draw(ansi: str) -> str:
    """The picture of it."""
    console = Console(record=True, width=WIDTH, file=open(os.devnull, "w"), force_terminal=True)  # noqa: SIM115
    console.print(Text.from_ansi("$ make play\n" + ansi))
    svg = console.export_svg(title="make play", unique_id="play")
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)  # fonts from a foreign server


if __name__ == "__main__":
    PICTURE.write_text(draw(played()))
