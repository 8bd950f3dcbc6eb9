"""What deploy/README.md says to do with containers: services and commands that there are, a backup that comes back."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.test_deploy import DEPLOY, commands, compose

README = (DEPLOY / "README.md").read_text(encoding="utf-8")
LINES = [line.strip() for line in README.splitlines() if line.startswith("    podman compose")]
SCRIPT = re.compile(r"-c '([^']+)'")


def words(line: str) -> list[str]:
    """The words of a command after `podman compose -f deploy/compose.yaml`, without what it reads or writes."""
    found = shlex.split(re.sub(r" [<>] \S+$", "", line))
    assert found[:4] == ["podman", "compose", "-f", "deploy/compose.yaml"], line
    return found[4:]


def script(command: str) -> str:
    """The script that a container runs for `tabletalk backup` or `tabletalk restore`."""
    scripts = [part for line in LINES for part in SCRIPT.findall(line) if f"tabletalk {command}" in part]
    assert len(scripts) == 1
    return str(scripts[0])


@pytest.mark.parametrize("line", LINES)
def test_every_line_for_containers_names_services_and_commands_that_there_are(line: str) -> None:
    services = compose()["services"]
    what, *rest = words(line)
    assert what in ("up", "exec", "run")
    assert {word for word in rest if word in services} or what == "up", "a command runs in a service"
    for inner in re.findall(r"tabletalk ([a-z]+)", line.partition("compose.yaml ")[2]):
        assert inner in commands(), inner
    if "sh" in rest and what == "run":
        assert rest[rest.index("sh") - 1] == "--entrypoint", "the image starts tabletalk with whatever is given"
    if re.search(r"[<>] \S+$", line):
        assert "-T" in rest, "a terminal would change the bytes"


def test_before_a_restore_the_store_runs_alone() -> None:
    at = next(number for number, line in enumerate(LINES) if "tabletalk restore" in line)
    assert words(LINES[at - 1])[-1] == "store"
    assert words(LINES[at + 1]) == ["up", "-d"]


def test_what_the_backup_hands_out_the_restore_takes_in(tmp_path: Path) -> None:
    """The scripts of the page, word for word but for the place of their file, in shells of their own."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

    def shell(folder: str, text: str, given: bytes = b"") -> bytes:
        environment = {"PATH": path, "HOME": str(tmp_path), "TABLETALK_DATA": str(tmp_path / folder)}
        inside = text.replace("/tmp/b", str(tmp_path / f"{folder}.b"))
        done = subprocess.run(["sh", "-c", inside], input=given, capture_output=True, env=environment, timeout=60)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    shell("old", "tabletalk play callbreak --auto --games 1 --seed 07")
    first = shell("old", script("backup"))
    assert shell("old", script("backup"))[:2] == first[:2] == b"\x1f\x8b", "again, and nothing but the file"
    told = shell("new", script("restore"), first).decode()
    assert "ok: 1 table" in told
    assert shell("new", "tabletalk tables") == shell("old", "tabletalk tables")
