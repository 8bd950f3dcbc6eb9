"""What a backup, a restore, an import or a forgetting must survive: long lists, kills, wrong keys, forged names."""

from __future__ import annotations

import asyncio
import gzip
import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from domain import options
from domain.commands import Join, Open
from eventstore.chain import link
from eventstore.export import commit_line, end_line, header_line
from eventstore.open import open_store
from eventstore.record import NO_HEAD, Commit
from eventstore.redis_store import RedisStore
from eventstore.store import Appended
from service.chat.board.places import Places
from service.directory import HASHES, Directory
from service.engine import Done
from service.terminal.backups import _FIELDS
from tests.e2e.stores import Valkey
from tests.eventstore.drafts import DAY, Clock, append, draft
from tests.patience import PROGRAM
from tests.service.conftest import Say
from tests.service.programs import environment, run
from tests.service.tables import CALLBREAK, PEOPLE, new_world, steady_seeds

ANN = 7_318_800_461  # so long that no random id has it in it
DIES = """
import os, signal
from eventstore.redis_store import RedisStore
append, left = RedisStore.append, [{left}]
async def dying(self, draft):
    left[0] -= 1
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    return await append(self, draft)
RedisStore.append = dying
from service.cli import main
main(['restore', {file!r}])
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def file(tmp_path: Path) -> str:
    return str(tmp_path / "file")


@asynccontextmanager
async def opened(data: Path, clock: Clock | None = None) -> AsyncIterator[RedisStore]:
    async with await open_store("", data, now=clock or Clock()) as store:
        yield store


async def fill(data: Path, tables: int = 3, commits: int = 4) -> None:
    async with opened(data) as store:
        for number in range(tables):
            await append(store, f"home{number}-1", commits=commits)


def lines_of(backup: str) -> list[bytes]:
    """The lines but the first and the last, which have a time and a digest."""
    return gzip.decompress(Path(backup).read_bytes()).splitlines()[1:-1]


def digest_of(backup: str) -> str:
    last = gzip.decompress(Path(backup).read_bytes()).splitlines()[-1]
    return str(json.loads(last)["sha256"])


async def lobby(seats: int = 1) -> list[Commit]:
    """A table that waits for players, sealed with a key that nobody else has."""
    world = await new_world(steady_seeds)
    await world.do("home-1", PEOPLE[0], Open("callbreak", options.read(CALLBREAK, {})))
    for person in PEOPLE[1:seats]:
        assert isinstance(await world.do("home-1", person, Join()), Done)
    return await world.store.read("home-1")


def named(commits: list[Commit], table: str) -> list[Commit]:
    found: list[Commit] = []
    for one in commits:
        head = link(
            table,
            one.version,
            found[-1].hash if found else NO_HEAD,
            one.time,
            one.actor,
            one.command,
            one.events,
        )
        found.append(msgspec.structs.replace(one, table=table, hash=head))
    return found


def written(file: str, commits: list[Commit]) -> str:
    lines = [commit_line(commit) for commit in commits]
    Path(file).write_bytes(header_line("00", 64) + b"".join(lines) + end_line(1, len(lines)))
    return file


# Backup and restore


async def test_a_directory_of_any_size_comes_back(data: Path, file: str, tmp_path: Path) -> None:
    many = {f"home-{number} person:{number}": "x" * 100 for number in range(2 * _FIELDS + 1)}
    await fill(data)
    async with opened(data) as store:
        await store.servers.ask_one("HSET", "tt:dir:shown", *(part for pair in many.items() for part in pair))
        await store.servers.ask_one("HSET", "tt:dir:names", b"person:odd", b"\xff\x00 no text")
    assert (await asyncio.to_thread(run, data, "backup", file)).returncode == 0
    assert max(map(len, lines_of(file))) < 400 * _FIELDS
    done = await asyncio.to_thread(run, tmp_path / "copy", "restore", file)
    assert (done.returncode, done.stderr) == (0, "")
    async with opened(tmp_path / "copy") as store:
        assert await Directory(store).everything("shown") == many
        assert await store.servers.ask_one("HGET", "tt:dir:names", "person:odd") == b"\xff\x00 no text"


def test_a_backup_of_what_was_restored_is_the_same(say: Say, data: Path, file: str, tmp_path: Path) -> None:
    asyncio.run(fill(data))
    assert say("backup", file)[0] == 0
    assert say("restore", file, "--data", str(tmp_path / "copy"))[0] == 0
    assert say("backup", f"{file}.2", "--data", str(tmp_path / "copy"))[0] == 0
    ids = b'"kind":"ids"'  # which are remembered as of today, too
    for lines in zip(
        *([line for line in lines_of(one) if ids not in line] for one in (file, f"{file}.2")), strict=True
    ):
        assert lines[0] == lines[1]
    assert say("export", "--all", "--data", str(tmp_path / "copy")) == say("export", "--all")


@pytest.mark.parametrize("left", [1, 2, 7, 12])
def test_a_restore_killed_at_any_commit_goes_on(say: Say, data: Path, file: str, tmp_path: Path, left: int) -> None:
    asyncio.run(fill(data))
    copy = tmp_path / "copy"
    assert say("backup", file)[0] == 0
    program = [sys.executable, "-c", DIES.format(left=left, file=file)]
    killed = subprocess.run(program, env=environment(copy), check=False, timeout=PROGRAM)
    assert killed.returncode == -signal.SIGKILL
    code, out, err = say("export", "--all", "--data", str(copy))
    assert (code, out, "a restore into this store was not finished" in err) == (1, "", True)
    assert say("restore", file, "--data", str(copy))[0] == 0
    assert say("export", "--all", "--data", str(copy)) == say("export", "--all")
    code, out, err = say("restore", file, "--data", str(copy))
    assert (code, out, "this store is not empty" in err) == (1, "", True)


async def test_an_id_that_was_used_again_after_it_was_forgotten_is_no_hindrance(
    data: Path, file: str, tmp_path: Path
) -> None:
    clock, copy = Clock(), tmp_path / "copy"
    async with opened(data, clock) as store:
        [first, second] = await append(store, commits=2)
        day = str(clock.time // DAY)
        await store.servers.ask_one("DEL", store.key(store.partition_of("home-1"), "cmd", day, "home-1"))
        clock.time += 10 * DAY
        again = await store.append(draft("home-1", 3, second.hash, command=first.command))
        assert isinstance(again, Appended)
    assert (await asyncio.to_thread(run, data, "backup", file)).returncode == 0
    for _ in ("new", "gone on with"):
        done = await asyncio.to_thread(run, copy, "restore", file)
        assert (done.returncode, done.stderr) == (0, "")
        async with opened(copy, clock) as store:
            assert await store.read("home-1") == [first, second, again.commit]
            assert await store.commit_of("home-1", first.command) == 3
            await store.servers.ask_one("HSET", "tt:meta", "restoring", digest_of(file))


def test_a_refused_restore_leaves_no_key_behind(say: Say, data: Path, file: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    assert run(data, "play", "callbreak", "--auto", "--option", "max_sets=1").returncode == 0
    assert say("backup", file)[0] == 0
    asyncio.run(fill(copy))
    code, out, err = say("restore", file, "--data", str(copy))
    assert (code, out, "not empty" in err) == (1, "", True)
    assert not (copy / "seal.key").exists()


@pytest.mark.parametrize("key", ["nonsense", "12" * 31, "12" * 32])
def test_another_or_a_broken_key_is_said_and_not_shown(
    say: Say, data: Path, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    assert run(data, "play", "callbreak", "--auto", "--option", "max_sets=1").returncode == 0
    assert say("backup", file)[0] == 0
    monkeypatch.setenv("TABLETALK_KEY", key)
    code, out, err = say("restore", file, "--data", str(tmp_path / "copy"))
    assert (code, out, len(err.splitlines())) == (1, "", 1)
    assert "sealing key" in err
    assert key not in err
    assert not (tmp_path / "copy").exists()


def test_a_backup_without_the_key_says_so_when_it_is_restored(say: Say, data: Path, file: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    assert run(data, "play", "callbreak", "--auto", "--option", "max_sets=1").returncode == 0
    assert say("backup", file, "--without-key")[0] == 0
    assert b'"kind":"key"' not in b"".join(lines_of(file))
    code, out, _ = say("restore", file, "--data", str(copy))
    assert (code, str(copy / "seal.key") in out) == (0, True)
    assert "the sealing key is gone" in run(copy, "play", "callbreak", "--auto").stderr
    (data / "seal.key").rename(copy / "seal.key")
    assert run(copy, "play", "callbreak", "--auto", "--option", "max_sets=1").returncode == 0


def test_a_file_flipped_or_cut_anywhere_is_refused(say: Say, data: Path, file: str, tmp_path: Path) -> None:
    asyncio.run(fill(data, 1, 2))
    assert say("backup", file)[0] == 0
    plain = gzip.decompress(Path(file).read_bytes())
    for place in range(0, len(plain), 61):
        Path(file).write_bytes(gzip.compress(plain[:place] + bytes([plain[place] ^ 1]) + plain[place + 1 :]))
        code, out, err = say("restore", file, "--data", str(tmp_path / "copy"))
        assert (code, out, len(err.splitlines())) == (1, "", 1)
        Path(file).write_bytes(gzip.compress(plain[:place]))
        assert say("restore", file, "--data", str(tmp_path / "copy"))[0] == 1
    assert not (tmp_path / "copy").exists()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Valkey]:
    valkey = Valkey(tmp_path / "valkey")
    valkey.start()
    yield valkey
    valkey.kill()


def test_a_backup_moves_a_deployment_to_a_server_and_back(
    say: Say, data: Path, file: str, tmp_path: Path, server: Valkey
) -> None:
    asyncio.run(fill(data))
    assert say("backup", file)[0] == 0
    there = tmp_path / "there"
    assert run(there, "restore", file, REDIS_URL=server.url).returncode == 0
    assert run(there, "store", "check", REDIS_URL=server.url).stdout.startswith("ok:")
    assert run(there, "backup", f"{file}.2", REDIS_URL=server.url).returncode == 0
    assert say("restore", f"{file}.2", "--data", str(tmp_path / "back"))[0] == 0
    assert say("export", "--all", "--data", str(tmp_path / "back")) == say("export", "--all")


# Import


@pytest.mark.parametrize(
    "name",
    [
        "home",
        "-1",
        "home-",
        "home-0",
        "home-01",
        "home-+1",
        "home-1 ",
        "ho me-1",
        "home-12345678",
        "home-" + "9" * 5000,
        "home-１",
        "{x}-1",
        "a:b-1",
        "h\nx-1",
        "x" * 65 + "-1",
    ],
)
def test_a_name_that_no_table_can_have_is_refused(say: Say, file: str, name: str) -> None:
    path = written(file, named(asyncio.run(lobby()), name))
    code, out, err = say("import", path)
    assert (code, out, len(err.splitlines())) == (1, "", 1)
    assert "is no table's id" in err
    assert say("tables")[1] == "No tables yet.\n"


def test_what_is_here_already_needs_no_key(say: Say, data: Path, file: str) -> None:
    """A backup without its key was restored, say: an older export of the same tables brings nothing."""
    commits = asyncio.run(lobby(3))

    async def put() -> None:
        async with opened(data) as store:
            previous = NO_HEAD
            for one in commits:
                answer = await store.append(
                    draft("home-1", one.version, previous, command=one.command, events=one.events, actor=one.actor)
                )
                assert isinstance(answer, Appended)
                previous = answer.commit.hash
            made.extend(await store.read("home-1"))

    made: list[Commit] = []
    asyncio.run(put())
    code, out, _ = say("import", written(file, made))
    assert (code, out) == (0, "Imported: 1 table, 0 commits of them new\n")
    code, out, _ = say("import", written(file, made[:-1]))
    assert code == 0
    assert out.endswith("1 table has gone on here: the file holds nothing new of it\n")


def test_a_pipe_is_refused_because_it_is_read_twice(data: Path, file: str) -> None:
    typed = Path(written(file, asyncio.run(lobby()))).read_text()
    done = run(data, "import", "/dev/stdin", typed=typed)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "tabletalk: cannot read /dev/stdin: it is read twice, so that it must be a file\n"


# Forget


async def test_a_hash_of_the_directory_says_what_it_has_fields_for() -> None:
    """So that `forget` knows them all: an entry about somebody in another one would stay."""
    directory = (await new_world()).directory
    for change in (directory.put, directory.first):
        with pytest.raises(AssertionError, match="say in HASHES"):
            await change("moods", "person:ann", "cheerful")
    for name in HASHES:
        await directory.put(name, "x", "y")


@pytest.mark.parametrize("again", ["person", str(ANN)])
def test_forgetting_that_was_killed_half_way_is_done_again(say: Say, data: Path, again: str) -> None:
    program = f"""
import os, signal
from service.directory import Directory
drop, left = Directory.drop, [3]
async def dying(self, name, field):
    left[0] -= 1
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    return await drop(self, name, field)
Directory.drop = dying
from service.cli import main
main(['forget', '{ANN}'])
"""

    async def ann() -> str:
        async with opened(data) as store:
            places = Places(Directory(store))
            actor = await places.person(ANN, "Ann Smith")
            await places.started(actor, ANN)
            await places.close(ANN)
            await places.new_table(ANN)
            return actor

    async def left() -> bytes:
        async with opened(data) as store:
            keys: list[bytes] = [key async for key in store.servers.every()[0].scan_iter(match="tt:dir:*")]
            return repr([await store.servers.ask_one("HGETALL", key) for key in sorted(keys)]).encode()

    actor = asyncio.run(ann())
    killed = subprocess.run([sys.executable, "-c", program], env=environment(data), check=False, timeout=PROGRAM)
    assert killed.returncode == -signal.SIGKILL
    code, out, err = say("forget", actor if again == "person" else again)
    assert (code, err) == (0, "")
    assert out.startswith(f"{actor} is forgotten")
    found = asyncio.run(left())
    for trace in (b"Ann", b"%d" % ANN, actor.removeprefix("person:").encode()):
        assert trace not in found
    code, out, err = say("forget", str(ANN))
    assert (code, out, "nobody is known as" in err) == (1, "", True)
