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
from tests.patience import PROGRAM

README = (DEPLOY / "README.md").read_text(encoding="utf-8")
LINE = re.compile(r"^ {4,}(podman compose .*)$", re.MULTILINE)
LINES = LINE.findall(README)
OURS = {name for name, one in compose()["services"].items() if "build" in one}
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
    assert what in ("build", "up", "exec", "run")
    assert {word for word in rest if word in services} or what == "up", "a command runs in a service"
    for inner in re.findall(r"tabletalk ([a-z]+)", line.partition("compose.yaml ")[2]):
        assert inner in commands(), inner
    if "sh" in rest and what == "run":
        assert rest[rest.index("sh") - 1] == "--entrypoint", "the image starts tabletalk with whatever is given"
    if re.search(r"[<>] \S+$", line):
        assert "-T" in rest, "a terminal would change the bytes"


@pytest.mark.parametrize("line", [line for line in LINES if words(line)[0] in ("build", "up")])
def test_an_image_is_built_once_and_not_by_every_container_that_starts(line: str) -> None:
    """podman-compose builds for each container, side by side, unless one service is named."""
    what, *rest = words(line)
    assert "--build" not in rest
    if what == "build":
        assert len(rest) == 1
        assert rest[0] in OURS


def test_an_upgrade_starts_every_program_anew_in_the_new_image_and_leaves_the_store_alone() -> None:
    """podman-compose leaves a container whose image alone is another; with `--force-recreate` it takes the store too,
    unless `--no-deps` is said."""
    section = README.partition("\n## Upgrade\n")[2].partition("\n## ")[0]
    lines = [words(line) for line in LINE.findall(section)]
    assert lines[0][0] == "build"
    assert all(line[:-1] == ["up", "-d", "--no-deps", "--force-recreate"] for line in lines[1:])
    assert sorted(line[-1] for line in lines[1:]) == sorted(OURS)


def test_a_backup_that_is_handed_out_can_be_read_by_nobody_else() -> None:
    [at] = [number for number, line in enumerate(README.splitlines()) if "tabletalk backup --force" in line]
    assert README.splitlines()[at - 1].strip() == "umask 077"


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
        done = subprocess.run(["sh", "-c", inside], input=given, capture_output=True, env=environment, timeout=PROGRAM)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    shell("old", "tabletalk play callbreak --auto --games 1 --seed 07")
    first = shell("old", script("backup"))
    assert shell("old", script("backup"))[:2] == first[:2] == b"\x1f\x8b", "again, and nothing but the file"
    told = shell("new", script("restore"), first).decode()
    assert "ok: 1 table" in told
    assert shell("new", "tabletalk tables") == shell("old", "tabletalk tables")
