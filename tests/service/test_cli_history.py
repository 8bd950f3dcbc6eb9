"""Histories outside the store: exported, audited, tampered with; and what is broken inside it is found."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from domain import events
from domain.commands import Move
from domain.decide import legal
from domain.events import SeedRevealed
from domain.record import write
from eventstore.chain import fingerprint, link
from eventstore.export import commit_line, header_line
from eventstore.open import open_store
from eventstore.record import NO_HEAD, Commit
from eventstore.wire import Reply
from tests.domain.edited_records import a_record
from tests.eventstore.drafts import Clock
from tests.service.conftest import Say
from tests.service.programs import read_until, run, start
from tests.service.tables import new_world, steady_seeds

TABLE = "home-1"
SHORT = {"max_sets": "1", "target": "0"}
OPTIONS = ("--option", "max_sets=1", "--option", "target=0")
Change = Callable[[list[Commit]], list[Commit]]


async def play() -> list[Commit]:
    """A game of one set, a minute a move."""
    world = await new_world(steady_seeds)
    state = await world.started(TABLE, SHORT)
    while state.phase == "playing":
        world.clock.pass_time(60_000)
        seat = state.decisions[0].seats[0]
        moves = legal(state, seat)
        # Calls of three: of one each, and the cards would be dealt again for ever.
        move = moves[2] if state.set.called < 4 else moves[0]
        await world.do(TABLE, state.seats[seat].owner, Move(move))
        state = await world.state(TABLE)
    return await world.store.read(TABLE)


@pytest.fixture(scope="module")
def game() -> list[Commit]:
    return asyncio.run(play())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


def written(file: Path, *tables: list[Commit]) -> str:
    lines = [commit_line(commit) for commits in tables for commit in commits]
    file.write_bytes(header_line("0011223344556677", 64) + b"".join(lines))
    return str(file)


def made_right(commits: list[Commit]) -> list[Commit]:
    """The commits with versions and hashes as if they had been like this from the start."""
    found: list[Commit] = []
    for version, one in enumerate(commits, 1):
        previous = found[-1].hash if found else NO_HEAD
        head = link(one.table, version, previous, one.time, one.actor, one.command, one.events)
        found.append(msgspec.structs.replace(one, version=version, hash=head))
    return found


def at(commits: list[Commit], kind: bytes, which: int = 0) -> int:
    """The index of a commit that holds an event of this kind."""
    return [index for index, commit in enumerate(commits) if kind in commit.events][which]


def changed(commits: list[Commit], index: int, **values: object) -> list[Commit]:
    return [*commits[:index], msgspec.structs.replace(commits[index], **values), *commits[index + 1 :]]


def flipped(commits: list[Commit]) -> list[Commit]:
    index = at(commits, b'"seat":1', -10)
    return changed(commits, index, events=commits[index].events.replace(b'"seat":1', b'"seat":3', 1))


def removed(commits: list[Commit]) -> list[Commit]:
    return commits[:20] + commits[21:]


def swapped(commits: list[Commit]) -> list[Commit]:
    return [*commits[:20], commits[21], commits[20], *commits[22:]]


def later(commits: list[Commit]) -> list[Commit]:
    return changed(commits, 20, time=commits[20].time + 1)


def other_actor(commits: list[Commit]) -> list[Commit]:
    return changed(commits, 20, actor="person:eve")


def other_seed(commits: list[Commit]) -> list[Commit]:
    index = at(commits, b"seed_revealed")
    told = events.decode(commits[index].events)
    told = tuple(
        msgspec.structs.replace(one, seed=b"\x77" * 32) if isinstance(one, SeedRevealed) else one for one in told
    )
    return changed(commits, index, events=events.encode(told))


def repeated(commits: list[Commit]) -> list[Commit]:
    return [*commits[:21], commits[20], *commits[21:]]


KINDS = [flipped, removed, swapped, later, other_actor, other_seed, repeated]


def first_difference(commits: list[Commit], others: list[Commit]) -> int:
    return next(place for place, (one, other) in enumerate(zip(commits, others, strict=False), 1) if one != other)


def test_an_untouched_game_is_verified_and_its_fingerprint_said(say: Say, game: list[Commit], file: Path) -> None:
    code, out, err = say("audit", written(file, game))
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"ok: 1 table, {len(game)} commits verified",
        f"Fingerprint: {fingerprint(game[-1].hash)}",
    ]


@pytest.mark.parametrize("tamper", KINDS)
def test_what_was_tampered_with_is_found_at_its_version(
    say: Say, game: list[Commit], file: Path, tamper: Change
) -> None:
    edited = tamper(game)
    place = first_difference(game, edited)
    code, out, err = say("audit", written(file, edited))
    assert (code, out, len(err.splitlines())) == (1, "", 1)
    assert f": {TABLE}: version {edited[place - 1].version}: " in err
    assert "hash does not match" in err or "gap" in err


@pytest.mark.parametrize("tamper", KINDS)
def test_it_is_found_by_the_rules_when_all_later_hashes_are_made_right_again(
    say: Say, game: list[Commit], file: Path, tamper: Change
) -> None:
    edited = made_right(tamper(game))
    code, out, err = say("audit", written(file, edited))
    assert (code, out, len(err.splitlines())) == (1, "", 1)
    assert f"{file.name}: {TABLE}: version " in err
    assert "hash" not in err


def test_a_cut_tail_is_found_by_the_head_alone(say: Say, game: list[Commit], file: Path) -> None:
    path = written(file, game[:-5])
    assert say("audit", path)[0] == 0
    code, out, err = say("audit", path, "--head", fingerprint(game[-1].hash))
    assert (code, out) == (1, "")
    assert "no commit here has the fingerprint" in err


def test_a_history_made_anew_is_found_by_the_head_alone(say: Say, game: list[Commit], file: Path) -> None:
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
        (header_line("00", 64), "the file holds no commit"),
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
    other = made_right([msgspec.structs.replace(commit, table="home-2") for commit in game])
    code, out, _ = say("audit", written(file, game, other))
    assert (code, out) == (0, f"ok: 2 tables, {2 * len(game)} commits verified\n")
    _, _, err = say("audit", written(file, game, later(other)))
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
    names = sorted({json.loads(line)["table"] for line in lines[1:]})
    assert len(names) == 3
    assert not list(tmp_path.glob(".*.new"))
    for name in names:
        one = run(data, "export", name)
        assert (one.returncode, one.stderr) == (0, "")
        assert one.stdout == lines[0] + "".join(line for line in lines[1:] if json.loads(line)["table"] == name)
    assert run(data, "audit", str(file)).stdout == f"ok: 3 tables, {len(lines) - 1} commits verified\n"
    assert run(data, "audit", "--all").stdout == f"ok: 3 tables, {len(lines) - 1} commits verified\n"
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
    playing.communicate(timeout=30)


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
