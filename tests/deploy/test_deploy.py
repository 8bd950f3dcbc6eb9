"""What lies in `deploy/` names only commands and settings that there are, and a server takes what is said to it."""

from __future__ import annotations

import configparser
import re
import shlex
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml
from cyclopts import App
from redis import Redis
from redis.exceptions import RedisError

from eventstore.check_server import server_troubles
from eventstore.embedded import server_binary
from service.cli import app
from service.settings import Settings, load

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))
SETTINGS = {name.upper() for name in Settings.__struct_fields__}
OTHERS = {"PYTHONUNBUFFERED", "PATH"}  # what is set beside our own settings
PATIENCE = 20.0  # s


def commands(group: App = app) -> set[str]:
    return {name for name in group if not name.startswith("-")}


def unit(path: Path) -> configparser.RawConfigParser:
    found = configparser.RawConfigParser(strict=False)
    found.optionxform = str  # type: ignore[assignment, method-assign]
    found.read_string(path.read_text(encoding="utf-8"))
    return found


def compose() -> dict[str, Any]:
    found = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def directives() -> list[tuple[str, str]]:
    """Name and value of each line of valkey.conf that is one."""
    lines = (DEPLOY / "valkey.conf").read_text(encoding="utf-8").splitlines()
    return [(words[0], " ".join(words[1:])) for line in lines if (words := shlex.split(line, comments=True))]


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_starts_a_command_that_there_is_and_sets_what_there_is(path: Path) -> None:
    service = unit(path)["Service"]
    program, command = service["ExecStart"].split()
    assert program == "/opt/tabletalk/.venv/bin/tabletalk"
    assert command in commands()
    given = dict(re.findall(r"^Environment=(\w+)=(.*)$", path.read_text(encoding="utf-8"), re.MULTILINE))
    assert given.keys() <= SETTINGS | OTHERS
    load({name: value.replace("%i", "1") for name, value in given.items()})
    assert int(service["TimeoutStopSec"]) > 10, "the programs may take ten seconds to end"


def test_there_is_a_unit_for_each_program_that_runs_for_good() -> None:
    assert {unit(path)["Service"]["ExecStart"].split()[1] for path in UNITS} == {"serve", "web", "worker"}


@pytest.mark.parametrize("path", [ROOT / "Procfile", DEPLOY / "Procfile.one"], ids=lambda path: path.name)
def test_every_line_of_a_procfile_starts_a_command_that_there_is(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    for line in lines:
        name, program, command = line.split()
        assert re.fullmatch(r"\w+:", name)
        assert program == ".venv/bin/tabletalk"
        assert command in commands()
    assert {line.split()[2] for line in lines} in ({"web", "worker"}, {"serve"}), "never both ways at once"


def test_the_compose_file_starts_commands_that_there_are_with_settings_that_there_are() -> None:
    services = compose()["services"]
    ours = {name: one for name, one in services.items() if name != "store"}
    assert {tuple(one["command"]) for one in ours.values()} == {("web",), ("worker",)}
    for one in ours.values():
        assert one["environment"].keys() <= SETTINGS
        load({name: str(value) for name, value in one["environment"].items()})
        assert one["depends_on"] == {"store": {"condition": "service_healthy"}}
        assert one["stop_grace_period"] == "15s", "the programs may take ten seconds to end"
        assert f":{one['environment']['PORT']}/health" in one["healthcheck"]["test"][-1]
        assert (DEPLOY / one["build"]["context"]).resolve() == ROOT
        assert (ROOT / one["build"]["dockerfile"]).is_file()
        assert urlsplit_host(one["environment"]["REDIS_URL"]) in services


def urlsplit_host(url: str) -> str:
    return url.removeprefix("redis://").partition(":")[0]


def test_the_compose_files_store_has_our_configuration_and_a_volume_that_lasts() -> None:
    found = compose()
    store = found["services"]["store"]
    volumes = dict(volume.split(":")[:2] for volume in store["volumes"])
    assert (DEPLOY / "valkey.conf").is_file()
    assert volumes["./valkey.conf"] == store["command"][1]
    for name in volumes:
        assert name.startswith("./") or name in found["volumes"]
    options = dict(zip(store["command"][2::2], store["command"][3::2], strict=True))
    assert dict(directives())["dir"] == volumes["store"]
    assert "ports" not in store, "nothing of it is published"
    assert {name.removeprefix("--") for name in options} <= {name for name, _ in directives()}


def test_the_container_is_built_in_stages_from_what_there_is_and_runs_as_nobody() -> None:
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    assert len([line for line in lines if line[0] == "FROM"]) == 2
    for line in lines:
        if line[0] == "COPY" and not line[1].startswith("--from"):
            assert all((ROOT / name).exists() for name in line[1:-1]), line
    last = max(number for number, line in enumerate(lines) if line[0] == "FROM")
    [user] = [line[1] for line in lines[last:] if line[0] == "USER"]
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", user)
    assert ["STOPSIGNAL", "SIGTERM"] in lines
    assert "--require-hashes" in text
    given = dict(part.split("=", 1) for line in lines if line[0] == "ENV" for part in line[1:])
    assert given.keys() <= SETTINGS | OTHERS
    assert ["VOLUME", given["TABLETALK_DATA"]] in lines
    [(command,)] = [yaml.safe_load(" ".join(line[1:])) for line in lines if line[0] == "CMD"]
    assert command in commands()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Redis]:
    """A server that was started with our configuration; only its port and folder are the test's."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    ours = {"port": str(port), "dir": str(tmp_path)}
    text = (DEPLOY / "valkey.conf").read_text(encoding="utf-8")
    for name, value in ours.items():  # in the file: a folder that is not there ends the server where it is named
        text, count = re.subn(rf"^{name} .*$", f"{name} {value}", text, flags=re.MULTILINE)
        assert count == 1
    (tmp_path / "valkey.conf").write_text(text, encoding="utf-8")
    process = subprocess.Popen([server_binary(), str(tmp_path / "valkey.conf")], stdout=subprocess.DEVNULL)
    client = Redis(port=port, decode_responses=True)
    give_up = time.monotonic() + PATIENCE
    try:
        while True:
            with suppress(RedisError):  # not up yet
                client.ping()
                break
            assert process.poll() is None
            assert time.monotonic() < give_up
            time.sleep(0.02)
        yield client
    finally:
        client.close()
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)


def test_a_server_takes_every_line_of_our_configuration_and_store_check_finds_no_fault(server: Redis) -> None:
    given = [(name, value) for name, value in directives() if name not in ("port", "dir")]
    assert len(given) == len(dict(given)), "each once"
    effective = {str(name): str(value) for name, value in server.config_get().items()}
    bytes_of = {"64mb": str(64 << 20)}
    assert {name: effective[name] for name, _ in given} == {name: bytes_of.get(value, value) for name, value in given}
    facts = {name: str(value) for name, value in server.info().items()}
    assert server_troubles(facts, effective) == []


def test_every_line_of_our_configuration_is_explained() -> None:
    for block in (DEPLOY / "valkey.conf").read_text(encoding="utf-8").strip().split("\n\n"):
        lines = block.splitlines()
        assert lines[0].startswith("# "), block
        assert len([line for line in lines if not line.startswith("#")]) <= 2, block


def test_the_readme_of_the_deployment_names_every_file_and_every_setting() -> None:
    text = (DEPLOY / "README.md").read_text(encoding="utf-8")
    files = [path.name for path in DEPLOY.iterdir() if path.name != "README.md"]
    assert [name for name in files if name not in text] == []
    assert [name for name in SETTINGS if name not in text] == []
