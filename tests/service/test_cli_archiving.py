"""Import, backup, restore, forget: what comes back is what was there, and nobody comes back who was forgotten."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import pytest
import structlog

from domain import options
from domain.commands import Act, AddComputer, Join, Leave, Move, Open, Start
from domain.decide import legal
from domain.games import GAMES
from domain.table import Table, observe
from eventstore.record import Commit
from service.chat.board.places import Places
from service.chat.board.shown import Record, Shown
from service.engine import Done, Refused
from service.settings import Settings
from service.wiring import Service, open_service
from tests.service.conftest import Say
from tests.service.programs import environment, run

T = TypeVar("T")
SHORT = {"max_sets": "1", "target": "0", "redeal": "", "min_total_calls": "0"}
KEY = "5a" * 32
ANN = 7_318_800_461  # so long that no random id and no time has it in it


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@asynccontextmanager
async def deployment(data: Path) -> AsyncIterator[Service]:
    async with open_service(Settings(tabletalk_data=str(data))) as service:
        yield service


def there(data: Path, work: Callable[[Service], Awaitable[T]]) -> T:
    """Does something in a deployment, and leaves it."""

    async def do() -> T:
        async with deployment(data) as service:
            return await work(service)

    return asyncio.run(do())


async def state_of(service: Service, name: str) -> Table:
    state = (await service.engine.held(name)).state
    assert state is not None
    return state


async def do(service: Service, name: str, actor: str, act: Act, command: str) -> Done | Refused:
    return await service.engine.submit(name, actor, act, command)


async def started(service: Service, name: str, people: list[str], given: dict[str, str]) -> None:
    acts: list[tuple[str, Act]] = [(people[0], Open("callbreak", options.read(GAMES["callbreak"], given), seated=True))]
    acts += [(person, Join()) for person in people[1:]]
    acts += [(people[0], AddComputer())] * (4 - len(people))
    for number, (actor, act) in enumerate([*acts, (people[0], Start())]):
        assert isinstance(await do(service, name, actor, act, f"start {number} {name}"), Done)


async def move(service: Service, name: str, command: str) -> Done | Refused:
    """Whoever is asked makes a legal move."""
    state = await state_of(service, name)
    [decision, *_] = state.decisions
    seat = decision.seats[0]
    owner = state.seats[seat].owner
    act = Move(legal(state, seat)[-1])
    return await service.engine.submit(name, owner, act, command, decision=decision.id, seat=seat)


async def filled(service: Service) -> dict[str, list[Commit]]:
    """Two homes: a game that is over, one in the middle of a set, a lobby; two people with names and chats."""
    places = Places(service.directory)
    ann, bob = await places.person(ANN, "Ann Smith"), await places.person(1002, "Bob")
    await places.started(ann, ANN)
    await places.set_focus(ann, "x-1")
    over, playing = await places.new_table(-500), await places.new_table(-500)
    alone = await places.new_table(ANN)  # in Ann's own chat
    await started(service, over, [ann, bob], SHORT)
    number = 0
    while (await state_of(service, over)).phase == "playing":
        assert isinstance(await move(service, over, f"m{(number := number + 1)} {over}"), Done)
    await started(service, playing, [bob], SHORT)
    for number in range(7):
        await move(service, playing, f"m{number} {playing}")
    with structlog.testing.capture_logs():  # which nobody has set up to go anywhere but to the test's own output
        assert isinstance(await do(service, playing, "person:stranger", Leave(), "refused"), Refused)
    await started(service, alone, [ann], SHORT)
    shown = Shown(service.directory)
    await shown.put(alone, "table", Record(ANN, 5, "mark"))
    await shown.put(over, ann, Record(ANN, 6, "mark"))
    await shown.want_again(over, ann, "1")
    await shown.put(over, "table", Record(-500, 7, "mark"))
    await shown.tell(alone, 3)
    await shown.begin(alone)
    return {name: await service.store.read(name) for name in await service.store.tables()}


async def histories(service: Service) -> dict[str, list[Commit]]:
    return {name: await service.store.read(name) for name in await service.store.tables()}


# Backup and restore


def test_a_restored_deployment_goes_on_where_the_backup_was_made(say: Say, data: Path, tmp_path: Path) -> None:
    before = there(data, filled)
    file, copy = str(tmp_path / "all.backup"), tmp_path / "copy"
    code, out, err = say("backup", file)
    assert (code, err) == (0, "")
    assert out.startswith("Backup: 3 tables, ")
    assert "The sealing key is in it" in out
    assert stat.S_IMODE(os.stat(file).st_mode) == 0o600
    code, out, err = say("restore", file, "--data", str(copy))
    assert (code, err) == (0, "")
    assert out.startswith("Restored: 3 tables, ")
    assert stat.S_IMODE((copy / "seal.key").stat().st_mode) == 0o600
    assert (copy / "seal.key").read_text() == (data / "seal.key").read_text()
    for command in (("store", "check"), ("audit", "--all")):
        code, out, err = say(*command, "--data", str(copy))
        assert (code, err, out[:3]) == (0, "", "ok:")

    async def hands(service: Service) -> object:
        playing = next(name for name, commits in before.items() if len(commits) == 7 + 5)
        state = await state_of(service, playing)
        return [observe(state, seat).set.hand for seat in (0,)], await service.directory.everything("names")

    async def go_on(service: Service) -> None:
        assert await histories(service) == before
        playing = next(name for name, commits in before.items() if len(commits) == 12)
        again = await do(service, playing, "person:any", Start(), f"m6 {playing}")
        assert isinstance(again, Done)
        assert again.again
        assert again.version == 12
        assert isinstance(await move(service, playing, "new"), Done)

    def hand(service: Service) -> Awaitable[object]:
        return hands(service)

    assert there(copy, hand) == there(data, hand)
    there(copy, go_on)


async def test_a_backup_made_while_moves_go_on_is_whole(data: Path, tmp_path: Path) -> None:
    file, copy = tmp_path / "all.backup", tmp_path / "copy"
    acknowledged: list[Commit] = []
    async with deployment(data) as service:
        people = [await service.directory.person(f"tg:{number}") for number in range(4)]
        names = [f"home{number}-1" for number in range(4)]
        for name in names:
            await started(service, name, people, SHORT | {"max_sets": "5"})
        stop = asyncio.Event()

        async def play(name: str) -> None:
            number = 0
            while not stop.is_set() and (await state_of(service, name)).phase == "playing":
                assert isinstance(await move(service, name, f"m{(number := number + 1)} {name}"), Done)

        players = [asyncio.create_task(play(name)) for name in names]
        for _ in range(20):
            await asyncio.sleep(0)
        for name in names:
            acknowledged += await service.store.read(name)
        done = await asyncio.to_thread(run, data, "backup", str(file))
        assert done.returncode == 0, done.stderr
        stop.set()
        await asyncio.gather(*players)
        after = await histories(service)
    done = await asyncio.to_thread(run, copy, "restore", str(file))
    assert done.returncode == 0, done.stderr
    async with deployment(copy) as service:
        restored = await histories(service)
    for commit in acknowledged:
        assert commit in restored[commit.table]
    for name, commits in restored.items():
        assert commits == after[name][: len(commits)]
    checked = await asyncio.to_thread(run, copy, "store", "check")
    assert (checked.returncode, checked.stderr) == (0, "")


def test_a_restore_that_was_killed_is_seen_and_goes_on(say: Say, data: Path, tmp_path: Path) -> None:
    before = there(data, filled)
    file, copy = str(tmp_path / "all.backup"), tmp_path / "copy"
    assert say("backup", file)[0] == 0
    killed = subprocess.run(
        [
            sys.executable,
            "-c",
            "import os, signal, sys\n"
            "from service.terminal import backups\n"
            "async def die(*_, **__):\n"
            "    os.kill(os.getpid(), signal.SIGKILL)\n"
            "backups._hash = die\n"
            "from service.cli import main\n"
            f"main(['restore', {file!r}])\n",
        ],
        env=environment(copy),
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    for command in (("tables",), ("store", "check"), ("backup", str(tmp_path / "x"))):
        code, _, err = say(*command, "--data", str(copy))
        assert code == 1
        assert "a restore into this store was not finished" in err
    there(tmp_path / "other", filled)
    assert say("backup", str(tmp_path / "other.backup"), "--data", str(tmp_path / "other"))[0] == 0
    (copy / "seal.key").rename(tmp_path / "key")
    assert say("restore", str(tmp_path / "other.backup"), "--data", str(copy))[0] == 1
    (copy / "seal.key").unlink(missing_ok=True)
    assert say("restore", file, "--data", str(copy))[0] == 0
    assert there(copy, histories) == before
    assert say("store", "check", "--data", str(copy))[0] == 0


def test_a_backup_is_put_back_into_an_empty_deployment_only(say: Say, data: Path, tmp_path: Path) -> None:
    before = there(data, filled)
    file = str(tmp_path / "all.backup")
    assert say("backup", file)[0] == 0
    code, _, err = say("restore", file)
    assert (code, "this store is not empty" in err) == (1, True)
    assert there(data, histories) == before
    other = tmp_path / "other"
    other.mkdir()
    (other / "seal.key").write_text(KEY)
    code, _, err = say("restore", file, "--data", str(other))
    assert (code, "another sealing key is here" in err) == (1, True)
    assert list(other.iterdir()) == [other / "seal.key"]


def test_a_key_from_the_environment_or_left_out_is_not_in_the_file(
    say: Say, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there(data, filled)
    file = tmp_path / "all.backup"
    key = (data / "seal.key").read_text().strip()
    code, out, _ = say("backup", str(file), "--without-key")
    assert (code, "keep seal.key elsewhere" in out) == (0, True)
    assert key.encode() not in gzip.decompress(file.read_bytes())
    monkeypatch.setenv("TABLETALK_KEY", key)
    code, out, _ = say("backup", str(file), "--force")
    assert (code, "TABLETALK_KEY is not in it" in out) == (0, True)
    assert key.encode() not in gzip.decompress(file.read_bytes())


def test_one_damaged_table_is_left_out_when_that_is_asked_for(say: Say, data: Path, tmp_path: Path) -> None:
    before = there(data, filled)
    broken = min(before)

    async def damage(service: Service) -> None:
        store = service.store
        key = store.key(store.partition_of(broken), "t", broken)
        await store.servers.ask_one("XDEL", key, "3-0")

    there(data, damage)
    file, copy = tmp_path / "all.backup", tmp_path / "copy"
    code, _, err = say("backup", str(file))
    assert (code, "for a table is damaged: " in err, file.exists()) == (1, True, False)
    code, out, err = say("backup", str(file), "--anyway")
    assert (code, out.startswith("Backup: 2 tables, ")) == (1, True)
    assert f"1 table is left out, for it is damaged: {broken}" in err
    assert say("restore", str(file), "--data", str(copy))[0] == 0
    assert there(copy, histories) == {name: commits for name, commits in before.items() if name != broken}
    assert say("store", "check", "--data", str(copy))[0] == 0


def test_a_key_that_is_not_the_stores_is_found_before_it_is_needed(say: Say, data: Path, tmp_path: Path) -> None:
    there(data, filled)
    file, copy, right = tmp_path / "all.backup", tmp_path / "copy", (data / "seal.key").read_text()
    assert say("backup", str(file), "--without-key")[0] == 0
    copy.mkdir()
    (copy / "seal.key").write_text(KEY)
    code, _, err = say("restore", str(file), "--data", str(copy))
    assert (code, "another sealing key is here" in err) == (1, True)
    (copy / "seal.key").write_text(right)
    assert say("restore", str(file), "--data", str(copy))[0] == 0
    (data / "seal.key").write_text(KEY)
    code, out, _ = say("store", "check")
    assert (code, "the sealing key here is another's" in out) == (1, True)
    code, _, err = say("backup", str(tmp_path / "other"))
    assert (code, "sealed with another key" in err) == (1, True)
    (data / "seal.key").unlink()
    code, out, _ = say("store", "check")
    assert (code, out.splitlines()[1][:31]) == (0, "The sealing key is not here (se")
    code, _, err = say("backup", str(tmp_path / "other"))
    assert (code, "sealing key is gone" in err) == (1, True)
    assert not (tmp_path / "other").exists()
    (data / "seal.key").write_text("no key")
    for command in (("store", "check"), ("backup", str(tmp_path / "other"))):
        code, _, err = say(*command)
        assert (code, "must be 64 hexadecimal digits" in err, "no key" in err) == (1, True, False)


def test_a_broken_backup_is_one_line_and_changes_nothing(say: Say, data: Path, tmp_path: Path) -> None:
    there(data, filled)
    file, bad, copy = tmp_path / "all.backup", tmp_path / "bad", tmp_path / "copy"
    assert say("backup", str(file))[0] == 0
    whole = file.read_bytes()
    lines = gzip.decompress(whole).splitlines(keepends=True)
    one = next(index for index, line in enumerate(lines) if b'"version":3,' in line)
    flipped = lines[one].replace(b'"time":1', b'"time":2', 1)
    cases = {
        "end is missing": [whole[: len(whole) // 2], gzip.compress(b"".join(lines[:-1]))],
        "was changed": [
            gzip.compress(b"".join([*lines[:one], flipped, *lines[one + 1 :]])),
            gzip.compress(b"".join([*lines[:one], *lines[one + 1 :]])),
            gzip.compress(b"".join(lines) + lines[-2]),
        ],
        "not a backup": [b"", b"{}", gzip.compress(b"{}\n"), gzip.compress(b"\x00" * 1000), b"".join(lines)],
        "does not know": [gzip.compress(b"".join([lines[0].replace(b"backup/1", b"backup/9"), *lines[1:]]))],
    }
    for words, contents in cases.items():
        for content in contents:
            bad.write_bytes(content)
            code, out, err = say("restore", str(bad), "--data", str(copy))
            assert (code, out, len(err.splitlines())) == (1, "", 1), content[:50]
            assert words in err
            assert not copy.exists()
    for path in (str(tmp_path / "none"), str(tmp_path), "\0"):
        code, _, err = say("restore", path, "--data", str(copy))
        assert (code, "cannot read" in err, len(err.splitlines())) == (1, True, 1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk to write to")
def test_a_full_disk_is_said(say: Say, data: Path) -> None:
    there(data, filled)
    code, out, err = say("backup", "/dev/full")
    assert (code, out) == (1, "")
    assert "cannot write /dev/full: No space left on device" in err


def test_a_backup_takes_no_other_files_place_unless_that_is_meant(say: Say, data: Path, tmp_path: Path) -> None:
    there(data, filled)
    file = tmp_path / "all.backup"
    file.write_bytes(b"the only backup of last year")
    code, out, err = say("backup", str(file))
    assert (code, out, len(err.splitlines())) == (1, "", 1)
    assert "--force" in err
    assert file.read_bytes() == b"the only backup of last year"
    assert list(tmp_path.glob(".*.new")) == []
    assert say("backup", str(file), "--force")[0] == 0
    assert say("restore", str(file), "--data", str(tmp_path / "copy"))[0] == 0


# Import


def test_an_export_is_imported_and_goes_on_with_its_key(say: Say, data: Path, tmp_path: Path) -> None:
    before = there(data, filled)
    file, copy = str(tmp_path / "all.jsonl"), tmp_path / "copy"
    assert say("export", "--all", "--to", file)[0] == 0
    copy.mkdir()
    (copy / "seal.key").write_text((data / "seal.key").read_text())
    code, out, err = say("import", file, "--data", str(copy))
    assert (code, err) == (0, "")
    assert out == f"Imported: 3 tables, {sum(map(len, before.values()))} commits of them new\n"
    assert there(copy, histories) == before
    assert say("store", "check", "--data", str(copy))[0] == 0
    code, out, _ = say("import", file, "--data", str(copy))
    assert (code, out) == (0, "Imported: 3 tables, 0 commits of them new\n")

    async def go_on(service: Service) -> None:
        home = next(iter(before)).rpartition("-")[0]
        for name in before:
            state = await state_of(service, name)
            if state.phase == "playing":
                assert isinstance(await move(service, name, f"new {name}"), Done)
        assert await service.directory.new_table(home) not in before

    there(copy, go_on)
    code, out, _ = say("import", file, "--data", str(copy))  # which stands behind what is here by now
    assert code == 0
    assert out.startswith("Imported: 3 tables, 0 commits of them new\n2 tables have gone on here")


def test_tables_in_play_of_another_key_are_refused_or_left_out(say: Say, data: Path, tmp_path: Path) -> None:
    before = there(data, filled)
    file, copy = str(tmp_path / "all.jsonl"), tmp_path / "copy"
    assert say("export", "--all", "--to", file)[0] == 0
    code, out, err = say("import", file, "--data", str(copy))
    assert (code, out) == (1, "")
    assert "is in play, and its seeds are sealed with another key" in err
    assert there(copy, histories) == {}
    code, out, err = say("import", file, "--finished", "--data", str(copy))
    assert (code, err) == (0, "")
    assert out.splitlines()[1] == "2 tables in play are left out: their seeds are sealed with another key"
    assert list(there(copy, histories).values()) == [max(before.values(), key=len)]


def test_half_a_file_or_another_history_is_refused_before_anything_is_written(
    say: Say, data: Path, tmp_path: Path
) -> None:
    there(data, filled)
    file, bad, copy = tmp_path / "all.jsonl", tmp_path / "bad.jsonl", tmp_path / "copy"
    copy.mkdir()
    (copy / "seal.key").write_text((data / "seal.key").read_text())
    assert say("export", "--all", "--to", str(file))[0] == 0
    lines = file.read_bytes().splitlines(keepends=True)
    tampered = lines[5].replace(b'"time":1', b'"time":2')
    for content, words in (
        (b"".join(lines[: len(lines) // 2]), "the file's end is missing"),
        (b"".join([*lines[:5], tampered, *lines[6:]]), "the hash does not match"),
        (b"".join([*lines[:2], *lines[3:]]), "the versions have a gap"),
        (b"", "not an export's"),
        (b"[]", "not an export's"),
    ):
        bad.write_bytes(content)
        code, out, err = say("import", str(bad), "--data", str(copy))
        assert (code, out, len(err.splitlines())) == (1, "", 1)
        assert words in err
    assert there(copy, histories) == {}
    # A table that has gone another way here.
    name = json.loads(lines[1])["table"]
    fork = tmp_path / "fork"
    there(fork, lambda service: started(service, name, ["person:eve"], SHORT))
    (fork / "seal.key").write_text((data / "seal.key").read_text())
    code, _, err = say("import", str(file), "--data", str(fork))
    assert code == 1


# Forget


async def everything(service: Service) -> bytes:
    """All that the store holds, in one piece, but the streams and the projections: they have opaque ids."""
    found: list[bytes] = []
    for client in service.store.servers.every():
        async for key in client.scan_iter(match="*"):
            if b"}:t:" in key or b"}:view:" in key or b"}:feed" in key:
                continue
            kind = await client.type(key)
            if kind == b"hash":
                found.append(key)
                for field, value in (await client.hgetall(key)).items():
                    found += [bytes(field), bytes(value)]  # type: ignore[arg-type]
    return b"\n".join(found)


@pytest.mark.parametrize("who", ["Ann Smith", f"{ANN}", f"tg:{ANN}", "person"])
def test_nothing_about_a_forgotten_person_is_left(say: Say, data: Path, tmp_path: Path, who: str) -> None:
    before = there(data, filled)
    actor = there(data, lambda service: service.directory.person(f"tg:{ANN}"))
    assert say("export", "--all", "--to", str(tmp_path / "before"))[0] == 0
    code, _, err = say("forget", actor if who == "person" else who)
    assert code == 1
    assert f"{actor} has a seat at " in err
    code, out, err = say("forget", actor if who == "person" else who, "--anyway")
    assert (code, err) == (0, "")
    assert out.startswith(f"{actor} is forgotten: ")
    left = there(data, everything)
    for trace in (b"Ann Smith", b"%d" % ANN, actor.encode(), actor.removeprefix("person:").encode()):
        assert trace not in left
    assert b"Bob" in left
    assert b"-500" in left
    assert there(data, histories) == before
    assert say("export", "--all", "--to", str(tmp_path / "after"))[0] == 0
    assert (tmp_path / "before").read_bytes() == (tmp_path / "after").read_bytes()
    assert say("store", "check")[0] == 0
    code, _, err = say("forget", "Ann Smith")
    assert (code, "nobody is known as" in err) == (1, True)

    async def comes_back(service: Service) -> str:
        return await Places(service.directory).person(ANN, "Ann Smith")

    assert there(data, comes_back) != actor


def test_a_name_that_two_people_have_is_not_guessed(say: Say, data: Path) -> None:
    async def two(service: Service) -> list[str]:
        places = Places(service.directory)
        return sorted([await places.person(1, "Sam"), await places.person(2, "sam")])

    actors = there(data, two)
    code, _, err = say("forget", "Sam")
    assert (code, err) == (1, f"tabletalk: several people are called “Sam”: {', '.join(actors)}\n")
    assert there(data, lambda service: service.directory.names(actors)) != {}
