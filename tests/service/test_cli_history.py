"""Histories outside the store, exported and audited; and what is broken inside it is found."""

from __future__ import annotations

import asyncio
import json
import signal
from pathlib import Path

import pytest

from domain.record import write
from eventstore.chain import fingerprint
from eventstore.export import end_line, header_line
from eventstore.open import open_store
from eventstore.record import Commit
from eventstore.wire import Reply
from tests.domain.edited_records import a_record
from tests.eventstore.drafts import Clock
from tests.patience import PROGRAM
from tests.service.conftest import Say
from tests.service.programs import read_until, run, start
from tests.service.tampered import written
from tests.service.tampering import TABLE, changed, later, made_right, played

OPTIONS = ("--option", "max_sets=1", "--option", "target=0")


@pytest.fixture(scope="module")
def game() -> list[Commit]:
    return asyncio.run(played(sets=1))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


def test_an_untouched_game_is_verified_and_its_fingerprint_said(say: Say, game: list[Commit], file: Path) -> None:
    code, out, err = say("audit", written(file, game))
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"ok: 1 table, {len(game)} commits verified",
        f"Fingerprint: {fingerprint(game[-1].hash)}",
        f"{TABLE} · callbreak/1 · {len(game)} commits",
        "Set 1 (from version 5): deal verified; 56 moves, every move judged",
    ]


def test_a_history_made_anew_has_the_heads_that_there_were_before_the_change(
    say: Say, game: list[Commit], file: Path
) -> None:
    """Another command id, say, which no rule knows of."""
    path = written(file, made_right(changed(game, 3, command="tg:0:0")))
    assert say("audit", path)[0] == 0
    assert say("audit", path, "--head", fingerprint(game[2].hash))[0] == 0
    code, _, err = say("audit", path, "--head", fingerprint(game[3].hash))
    assert (code, "no commit here has the fingerprint" in err) == (1, True)


def test_a_head_says_which_version_it_is(say: Say, game: list[Commit], file: Path) -> None:
    mark = fingerprint(game[10].hash)
    code, out, _ = say("audit", written(file, game), "--head", mark.upper())
    assert code == 0
    assert f"The fingerprint {mark} is that of {TABLE}, version 11 of {len(game)}" in out


@pytest.mark.parametrize("head", ["", "abc", "a" * 19, "a" * 21, "1" * 20, "é" * 20])
def test_a_head_that_is_no_fingerprint_is_a_wrong_command_line(say: Say, head: str) -> None:
    code, out, err = say("audit", "game.jsonl", "--head", head)
    assert (code, out, "--head must be a fingerprint" in err) == (2, "", True)


def test_an_altered_line_is_named(say: Say, game: list[Commit], file: Path) -> None:
    text = Path(written(file, game)).read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    lines[7] = json.dumps(json.loads(lines[7])) + "\n"
    file.write_text("".join(lines), encoding="utf-8")
    code, out, err = say("audit", str(file))
    assert (code, out) == (1, "")
    assert f"line 8 ({TABLE}: version 7): the line was altered" in err


def test_half_a_file_is_named(say: Say, game: list[Commit], file: Path) -> None:
    data = Path(written(file, game)).read_bytes()
    ends = [index for index, byte in enumerate(data) if byte == 10]
    file.write_bytes(data[: ends[9] + 40])
    code, out, err = say("audit", str(file))
    assert (code, out) == (1, "")
    assert f"line 11 (after {TABLE}: version 9): not a commit's line: it was changed or cut off" in err


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"format":"tabletalk-log/9"}\n', "does not know (it reads tabletalk-log/1)"),
        (b'{"format":"tabletalk-log/1"}\n', "the first line is not an export's"),
        (header_line("00", 64) + end_line(0, 0), "the file holds no commit"),
        (header_line("00", 64), "the file's end is missing"),
        (header_line("00", 64) + b"{}\n", "line 2: not a commit's line"),
        (header_line("00", 64) + b"\x00\xff\xfe" * 100, "line 2: not a commit's line"),
        (b'{"format":"other/1","data":[]}\n', "not a record"),
    ],
)
def test_a_broken_or_foreign_file_is_one_line(say: Say, file: Path, data: bytes, said: str) -> None:
    file.write_bytes(data)
    code, out, err = say("audit", str(file))
    assert (code, out, len(err.splitlines())) == (1, "", 1)
    assert said in err


@pytest.mark.parametrize(
    "data",
    [
        b"[]",
        b"",
        b"[1]",
        b"\x00",
        b'[{"type":"from.the_future"}]',
        b"[" * 100_000,
        b'[{"type":"table.left","seat":99}]',
        b'[{"type":"callbreak.called","seat":-7,"number":99999999999999999999}]',
    ],
)
@pytest.mark.parametrize("index", [0, 3, 20])
def test_events_that_nobody_could_have_caused_are_one_line(
    say: Say, game: list[Commit], file: Path, data: bytes, index: int
) -> None:
    code, out, err = say("audit", written(file, made_right(changed(game, index, events=data))))
    assert (code, out, len(err.splitlines())) == (1, "", 1)
    assert f"{file.name}: {TABLE}: version {index + 1}" in err or "can make nothing of it" in err


def test_the_first_fault_of_several_tables_is_named_and_others_are_counted(
    say: Say, game: list[Commit], file: Path
) -> None:
    other = made_right(game, "home-2")
    code, out, _ = say("audit", written(file, game, other))
    assert (code, out) == (0, f"ok: 2 tables, {2 * len(game)} commits verified\n")
    _, _, err = say("audit", written(file, game, later(other, 20)))
    assert ": home-2: version 21: the hash does not match" in err


@pytest.mark.parametrize(
    "command", [["export"], ["export", "home-1", "--all"], ["audit", "home-1", "--all"], ["audit"]]
)
def test_a_table_or_all_but_not_both(say: Say, command: list[str]) -> None:
    code, out, err = say(*command)
    assert (code, out, "or --all" in err) == (2, "", True)


def test_where_there_is_no_store_nothing_is_made(say: Say, tmp_path: Path) -> None:
    for command in (["export", "home-1"], ["export", "--all", "--to", str(tmp_path / "x")], ["store", "check"]):
        code, out, err = say(*command)
        assert (code, out, len(err.splitlines())) == (1, "", 1)
    assert say("audit", "--all") == (0, "No tables yet.\n", "")
    assert list(tmp_path.iterdir()) == []


def test_a_record_has_no_head(say: Say, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(write(a_record()))
    code, out, err = say("audit", str(path), "--head", "a" * 20)
    assert (code, out, "a record has no fingerprints" in err) == (1, "", True)


def test_a_destination_without_a_path_is_a_wrong_command_line(say: Say) -> None:
    code, out, err = say("export", "x", "--to", "")
    assert (code, out, "--to needs the path of a file" in err) == (2, "", True)


def test_histories_are_exported_and_checked_while_somebody_plays(tmp_path: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "all.jsonl"
    assert run(data, "play", "callbreak", "--auto", "--games", "2", *OPTIONS).returncode == 0
    playing = start(data, "play", "callbreak")
    read_until(playing, "You may call")
    (data / "seal.key").rename(tmp_path / "key")  # none of this needs it

    done = run(data, "export", "--all", "--to", str(file))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Exported: 3 tables, ")
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    names = sorted({json.loads(line)["table"] for line in lines[1:-1]})
    assert len(names) == 3
    assert not list(tmp_path.glob(".*.new"))
    for name in names:
        one = run(data, "export", name)
        assert (one.returncode, one.stderr) == (0, "")
        own = [line for line in lines[1:-1] if json.loads(line)["table"] == name]
        assert one.stdout == lines[0] + "".join(own) + end_line(1, len(own)).decode()
    assert run(data, "audit", str(file)).stdout == f"ok: 3 tables, {len(lines) - 2} commits verified\n"
    assert run(data, "audit", "--all").stdout == f"ok: 3 tables, {len(lines) - 2} commits verified\n"
    shown = run(data, "show", names[0]).stdout.splitlines()[-1].removeprefix("Fingerprint: ")
    for where in (str(file), names[0], "--all"):
        assert (
            f"The fingerprint {shown} is that of {names[0]}, version "
            in run(data, "audit", where, "--head", shown).stdout
        )
    checked = run(data, "store", "check")
    assert (checked.returncode, checked.stderr) == (0, "")
    assert checked.stdout.startswith("ok: settings, chains, feeds and command ids of 3 tables")

    playing.send_signal(signal.SIGHUP)
    playing.communicate(timeout=PROGRAM)


async def test_what_is_broken_in_the_store_is_named_and_left_out(tmp_path: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "all.jsonl"
    assert run(data, "play", "callbreak", "--auto", "--games", "2", *OPTIONS).returncode == 0
    async with await open_store("", data, now=Clock()) as store:
        whole, broken = await store.tables()
        stream = store.key(store.partition_of(broken), "t", broken)
        entries: list[Reply] = await store.servers.ask_one("XRANGE", stream, "-", "+")
        entries[6][1][3] = entries[6][1][3].replace(b'"seat":', b'"seat":1', 1) + b" "
        await store.servers.ask_one("DEL", stream)
        for id, fields in entries:
            await store.servers.ask_one("XADD", stream, id, *fields)
        await store.servers.ask_one("DEL", store.key(store.partition_of(whole), "feed"))

        audited = await asyncio.to_thread(run, data, "audit", "--all")
        assert audited.returncode == 1
        assert audited.stdout.startswith(f"{broken}: version 7: the hash does not match")
        assert audited.stderr == "tabletalk: 1 of 2 tables with a fault\n"

        checked = await asyncio.to_thread(run, data, "store", "check")
        assert checked.returncode == 1
        assert (
            f"{broken}: version 7: the commit is not what was stored: its hash does not match. To do: "
            in checked.stdout
        )
        assert f"{whole}: version 1: no pointer in the feed" in checked.stdout
        assert checked.stderr == "tabletalk: the store has 3 faults\n"

        one = await asyncio.to_thread(run, data, "export", broken, "--to", str(tmp_path / "one"))
        assert (one.returncode, one.stdout) == (1, "")
        assert f"{broken}: version 7: the hash does not match" in one.stderr
        assert not (tmp_path / "one").exists()

        done = await asyncio.to_thread(run, data, "export", "--all", "--to", str(file))
        assert done.returncode == 1
        assert "1 table is left out" in done.stderr
        assert (await asyncio.to_thread(run, data, "audit", str(file))).stdout.startswith("ok: 1 table, ")


@pytest.mark.parametrize("path", ["file/x", ".", "nul\0"])
def test_a_file_that_cannot_be_written_is_one_line(say: Say, tmp_path: Path, path: str) -> None:
    (tmp_path / "file").write_text("in the way")
    code, out, err = say("export", "home-1", "--to", str(tmp_path / path))
    assert (code, out, len(err.splitlines())) == (1, "", 1)
    assert "cannot write" in err
