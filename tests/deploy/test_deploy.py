"""What lies in `deploy/` names only commands and settings that there are, and a server takes what is said to it."""

from __future__ import annotations

import configparser
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
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
from tests.patience import PATIENCE
from tests.ports import FreePort

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))
ANALYZE = shutil.which("systemd-analyze")
SETTINGS = {name.upper() for name in Settings.__struct_fields__}
OTHERS = {"PYTHONUNBUFFERED", "PATH"}  # what is set beside our own settings


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


@pytest.mark.skipif(ANALYZE is None, reason="no systemd here")
@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_systemd_takes_every_line_of_a_unit_and_finds_it_confined(path: Path, tmp_path: Path) -> None:
    assert ANALYZE is not None
    name = path.name.replace("@.", "@1.")
    text = re.sub(
        r"^ExecStart=\S+", f"ExecStart={sys.executable}", path.read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    (tmp_path / name).write_text(text, encoding="utf-8")
    looks = [["verify", "--man=no"], ["security", "--offline=true", "--no-pager", "--threshold=20"]]
    for look in looks:  # 20: an exposure of 2.0 of 10
        command = [ANALYZE, *look, str(tmp_path / name)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert (done.returncode, done.stderr) == (0, ""), done.stdout[-200:]


def test_the_units_are_confined_alike() -> None:
    confined = [path.read_text(encoding="utf-8").split("\n\n")[2] for path in UNITS]
    assert set(confined) == {confined[0]}
    assert "NoNewPrivileges=yes" in confined[0]


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
        assert one["deploy"]["mode"] == "replicated", "podman-compose starts a single one otherwise"
        assert one["env_file"] == (DEPLOY / ".gitignore").read_text(encoding="utf-8").splitlines()[1:], "secrets"
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
    assert store["working_dir"] == volumes["store"], "the image gives the server's user that folder, and no other"
    assert "ports" not in store, "nothing of it is published"
    assert {name.removeprefix("--") for name in options} <= {name for name, _ in directives()}


def test_a_container_of_the_compose_file_leaves_no_volume_without_a_name() -> None:
    """Each new container would get another one, with nothing in it, for every VOLUME that nothing else lies over."""
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    for one in compose()["services"].values():
        if "build" in one:
            assert one["read_only"]
            folders = re.findall(r"^VOLUME (\S+)$", text, re.MULTILINE)
            assert set(folders) <= set(one["tmpfs"])
            data = Path(one["environment"]["TABLETALK_DATA"])
            assert str(data.parent) == "/tmp", "docker gives the place of a volume to root alone"


@pytest.mark.parametrize("service", ["web", "worker"])
@pytest.mark.parametrize(("answer", "healthy"), [(200, True), (503, False), (None, False)])
def test_the_compose_files_look_at_the_health_says_what_the_program_answers(
    service: str, answer: int | None, healthy: bool, free_port: FreePort
) -> None:
    kind, *looks = compose()["services"][service]["healthcheck"]["test"]
    assert kind == "CMD"
    assert not any(" " in word for word in looks), "podman takes what docker compose gives it apart at spaces"
    port = free_port()
    looks = [sys.executable if word == "python" else word.replace(":8080/", f":{port}/") for word in looks]
    with answering(port, answer):
        done = subprocess.run(looks, capture_output=True, env={"no_proxy": "*"}, timeout=PATIENCE, check=False)
    assert (done.returncode == 0) is healthy, done.stderr.decode()


@contextmanager
def answering(port: int, status: int | None) -> Iterator[None]:
    """Something that answers every GET of /health on this port with a status; nothing for None."""

    class Health(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if status is not None and self.path == "/health" else 404)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Says nothing."""

    if status is None:
        yield
        return
    with ThreadingHTTPServer(("127.0.0.1", port), Health) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()


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
    built = [line for line in lines[:last] if "install" in line or "uninstall" in line]
    assert "uninstall" in built[-1], "what only installs stays behind"
    assert any("compileall" in line for line in lines[last:]), "nothing can be compiled where nothing can be written"
    given = dict(part.split("=", 1) for line in lines if line[0] == "ENV" for part in line[1:])
    assert given.keys() <= SETTINGS | OTHERS
    assert ["VOLUME", given["TABLETALK_DATA"]] in lines
    [(command,)] = [yaml.safe_load(" ".join(line[1:])) for line in lines if line[0] == "CMD"]
    assert command in commands()


@pytest.fixture
def server(tmp_path: Path, free_port: FreePort) -> Iterator[Redis]:
    """A server that was started with our configuration; only its port and folder are the test's."""
    port = free_port()
    ours = {"port": str(port), "dir": str(tmp_path)}
    text = (DEPLOY / "valkey.conf").read_text(encoding="utf-8")
    for name, value in ours.items():  # in the file: a folder that is not there ends the server where it is named
        text, count = re.subn(rf"^{name} .*$", f"{name} {value}", text, flags=re.MULTILINE)
        assert count == 1
    (tmp_path / "valkey.conf").write_text(text, encoding="utf-8")
    process = subprocess.Popen([server_binary(), str(tmp_path / "valkey.conf")], stdout=subprocess.DEVNULL)
    client = Redis("127.0.0.1", port, decode_responses=True)
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
