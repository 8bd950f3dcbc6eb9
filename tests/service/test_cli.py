"""The command line: what a user may get wrong is one clear line and an exit code, before anything is opened."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from domain.record import write
from service.cli import app
from tests.domain.edited_records import a_record
from tests.service.conftest import Say


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["play"], "GAME"),
        (["play", "chess"], "There is no game “chess”. There are: callbreak, "),
        (["play", "callbreak", "--colour"], "--colour"),
        (["play", "callbreak", "--option", "colour=red"], "There is no option “colour”. There are: trump_mode"),
        (["play", "callbreak", "--option", "target"], "--option must be name=value"),
        (["play", "callbreak", "--option", "target=49"], "must be 0 or a number from 50 to 2000"),
        (["play", "callbreak", "--option", "target=" + "9" * 10_000], "must be 0 or a number from 50 to 2000"),
        (["play", "callbreak", "--option", "fixed_trump=♠"], "must be one of S, H, D, C"),
        (["play", "callbreak", "--preset", "fun"], "There is no preset “fun”. There are: source, app."),
        (["play", "callbreak", "--seed", "abc"], "even number of hexadecimal digits"),
        (["play", "callbreak", "--seed", "zz"], "even number of hexadecimal digits"),
        (["play", "callbreak", "--seed", "٠٠"], "even number of hexadecimal digits"),
        (["play", "callbreak", "--seed", ""], "even number of hexadecimal digits"),
        (["play", "callbreak", "--seed", "00" * 5000], "even number of hexadecimal digits"),
        (["play", "callbreak", "--games", "0"], "--games must be a number from 1 to "),
        (["play", "callbreak", "--games", "many"], "--games must be a number from 1 to "),
        (["play", "callbreak", "--seats", "3"], "Call Break has 4 seats, no more and no fewer"),
        (["play", "callbreak", "--seats", "four"], "Call Break has 4 seats, no more and no fewer"),
        (["play", "callbreak", "--games", "1.5"], "--games must be a number from 1 to "),
        (["play", "callbreak", "--games", "1" * 5000], "--games must be a number from 1 to "),
        (["play", "callbreak", "again", "and again"], "too many words: again and again"),
        (["play", "callbreak", "--record", ""], "--record needs the path of a folder"),
        (["play", "callbreak", "--data", ""], "--data needs the path of a folder"),
        (["tables", "--data", ""], "--data needs the path of a folder"),
        (["play", "callbreak", "--option", "enforcement=lax"], "strict"),
        (["play", "callbreak", "--option", "target=0"], "set max_sets"),
        (["dance"], "dance"),
        (["show"], "TABLE"),
        (["audit"], "WHAT"),
    ],
)
def test_a_wrong_command_line_is_one_line_and_exit_code_2(say: Say, arguments: list[str], words: str) -> None:
    code, out, err = say(*arguments)
    assert code == 2
    assert out == ""
    assert words in err
    assert err.startswith("tabletalk: ")
    assert len(err.splitlines()) == 1
    assert len(err) < 500


@pytest.mark.parametrize(
    ("option", "clause"),
    [("min_call=14", ""), ("enforcement=lax", ""), ("target=0", "(CB-45)"), ("max_call=1", "(CB-22)")],
)
def test_options_that_cannot_be_played_are_refused_before_a_store_is_opened(
    say: Say, tmp_path: Path, option: str, clause: str
) -> None:
    code, _, err = say("play", "callbreak", "--option", option)
    assert code == 2
    assert clause in err
    assert len(err.splitlines()) == 1
    assert not (tmp_path / "data").exists()


def test_records_that_could_not_be_written_are_refused_before_the_game(say: Say, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    code, _, err = say("play", "callbreak", "--auto", "--record", str(tmp_path / "file"))
    assert (code, err.startswith("tabletalk: cannot write records: ")) == (1, True)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder where not even root may write")
def test_a_folder_for_records_is_tried_before_the_game_and_not_after_it(say: Say, tmp_path: Path) -> None:
    code, out, err = say("play", "callbreak", "--auto", "--record", "/proc/self")
    assert (code, out, err.startswith("tabletalk: cannot write records: /proc/self: ")) == (1, "", True)
    assert not (tmp_path / "data").exists()


def test_the_folder_where_one_stands_may_be_named(say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert say("tables", "--data", ".") == (0, "No tables yet.\n", "")


@pytest.mark.parametrize("option", ["--data", "--record"])
def test_a_path_cannot_write_on_the_terminal(say: Say, tmp_path: Path, option: str) -> None:
    (tmp_path / "file").write_text("in the way")
    code, out, err = say("play", "callbreak", option, f"{tmp_path}/file/\x1b[2Jred\nline")
    assert (code, out, len(err.splitlines())) == (1, "", 1)
    assert "\x1b" not in err


def test_help_names_every_command(say: Say) -> None:
    code, out, _ = say("--help")
    assert code == 0
    for command in app:
        assert command in out


def test_help_of_play_says_what_each_option_is_for(say: Say) -> None:
    code, out, _ = say("play", "--help")
    assert code == 0
    for word in ("--auto", "--games", "--seed", "--option", "--preset", "--seats", "--record", "--new", "--data"):
        assert word in out


def test_the_version_is_that_of_the_package(say: Say) -> None:
    code, out, _ = say("--version")
    assert code == 0
    assert out.strip()[0].isdigit()


def test_reading_makes_nothing_where_there_is_nothing(say: Say, tmp_path: Path) -> None:
    assert say("tables") == (0, "No tables yet.\n", "")
    code, _, err = say("show", "home-1")
    assert (code, "there is no table “home-1”" in err) == (1, True)
    for command in ("log", "record", "audit"):
        code, out, err = say(command, "home-1")
        assert (code, out, len(err.splitlines())) == (1, "", 1)
    assert not (tmp_path / "data").exists()


def test_a_data_folder_that_is_a_file_is_said(say: Say, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    code, _, err = say("tables")
    assert (code, "is not a folder" in err) == (1, True)


def test_a_setting_that_cannot_be_used_is_named(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TELEGRAM_API_URL", "ftp://example.org")
    code, _, err = say("tables")
    assert (code, err) == (1, "tabletalk: TELEGRAM_API_URL: must begin with http:// or https://\n")


@pytest.mark.parametrize("url", ["redis://:geheim@[::1", "redis://:geheim@host:99999", "geheim", "http://geheim"])
def test_a_url_that_is_none_is_one_line_without_the_password(
    say: Say, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("REDIS_URL", url)
    code, out, err = say("tables")
    assert (code, out, len(err.splitlines())) == (1, "", 1)
    assert "redis://host:6379/0" in err
    assert "geheim" not in err


# Records


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_bytes(write(a_record()))
    return path


def test_a_right_record_is_said_to_be_right(say: Say, record: Path) -> None:
    code, out, err = say("audit", str(record))
    assert (code, err) == (0, "")
    outcomes = [one["outcome"] for one in json.loads(record.read_text())["sets"]]
    sets = outcomes.count("scored")
    assert out.startswith(f"ok: callbreak · {sets} sets and {len(outcomes) - sets} deals without scores · ")


def test_an_edited_record_is_refused_with_set_move_and_clause(say: Say, record: Path) -> None:
    document = json.loads(record.read_text())
    scored = next(number for number, one in enumerate(document["sets"], 1) if one["scores"])
    document["sets"][scored - 1]["scores"][2] += 1
    record.write_text(json.dumps(document))
    code, out, err = say("audit", str(record))
    assert (code, out) == (1, "")
    assert f"set {scored}, move {len(document['sets'][scored - 1]['moves'])}: the scores should be" in err
    assert "(CB-40)" in err


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"\x00\xff\xfe", b"[" * 100_000, b"{}", b'{"format": 1}', "🂡".encode() * 1000, b"null"],
    ids=["empty", "cut", "binary", "deep", "nothing", "number", "emoji", "null"],
)
def test_a_broken_record_is_one_line(say: Say, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "broken.json").write_bytes(data)
    code, out, err = say("audit", str(tmp_path / "broken.json"))
    assert (code, out) == (1, "")
    assert "this is not a record" in err
    assert len(err.splitlines()) == 1
    assert len(err) < 500


def test_a_file_that_is_not_there_and_a_folder_are_said(say: Say, tmp_path: Path) -> None:
    code, _, err = say("audit", str(tmp_path / "none.json"))
    assert (code, "No such file" in err) == (1, True)
    code, _, err = say("audit", str(tmp_path))
    assert (code, "directory" in err) == (1, True)


@pytest.mark.parametrize(
    "name", ["a" * 5000, "a" * 300 + ".json", "a/" * 3000, "nul\0", "nul\0.json", "\udcff", "\udcff/x"]
)
def test_what_cannot_be_the_name_of_a_file_or_a_table_is_one_line(say: Say, name: str) -> None:
    code, out, err = say("audit", name)
    assert (code, out, len(err.splitlines())) == (1, "", 1)
    assert len(err) < 500
