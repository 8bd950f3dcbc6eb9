"""The commands on a real embedded store, as processes: play, leave, be killed, look, audit; what can be wrong there."""

from __future__ import annotations

import os
import signal
import socket
from pathlib import Path

from tests.patience import PROGRAM
from tests.service.programs import end, read_until, run, start
from tests.service.terminal.sitting import moves_of_a_set


def tables(data: Path) -> list[str]:
    done = run(data, "tables")
    assert (done.returncode, done.stderr) == (0, "")
    return [line.split()[0] for line in done.stdout.splitlines()[1:]]


def after(text: str, words: str) -> str:
    return text[text.rindex(words) :]


async def test_a_piped_game_is_killed_and_goes_on_exactly_where_it_was(tmp_path: Path) -> None:
    typed = await moves_of_a_set(tmp_path / "plan")
    data = tmp_path / "data"
    playing = start(data, "play", "callbreak", "--seed", "00ff")
    assert playing.stdin is not None
    playing.stdin.write("".join(f"{line}\n" for line in typed[:7]))
    playing.stdin.flush()
    told = read_until(playing, "trick 7 ·") + read_until(playing, "You may play")
    os.killpg(playing.pid, signal.SIGKILL)
    playing.communicate()

    # Another process looks while nobody plays; then the game goes on with the same question, and to the set's end.
    done = run(data, "play", "callbreak", typed="".join(f"{line}\n" for line in typed[7:]))
    assert (done.returncode, done.stderr) == (0, "")
    assert "You have a game in progress (set 1)." in done.stdout
    question = after(told, "\nSet 1 · ")
    assert question in done.stdout
    assert done.stdout.index(question) < done.stdout.index("Trick 7: ")
    assert "\nSet 1: You " in done.stdout
    assert "\x1b" not in done.stdout
    assert ">" not in done.stdout

    [name] = tables(data)
    audited = run(data, "audit", name)
    assert audited.returncode == 0
    assert "ok: callbreak · " in audited.stdout
    assert "chain verified: " in audited.stdout
    fingerprint = next(line for line in audited.stdout.splitlines() if line.startswith("Fingerprint: "))
    shown = run(data, "show", name)
    assert fingerprint in shown.stdout
    assert "Your hand" not in shown.stdout
    log = run(data, "log", name)
    assert "took trick 13" in log.stdout
    recorded = run(data, "record", name)
    (tmp_path / "game.json").write_text(recorded.stdout)
    assert run(data, "audit", str(tmp_path / "game.json")).stdout.startswith("ok: callbreak · ")

    # The same folder under another key: nobody plays on with it, everybody may look.
    for another, said in (("00" * 32, "the store was sealed with another key"), ("", "the sealing key is gone")):
        (data / "seal.key").unlink(missing_ok=True)
        refused = run(data, "play", "callbreak", TABLETALK_KEY=another)
        assert refused.returncode == 1
        assert refused.stderr.startswith(f"tabletalk: {said}")
        assert len(refused.stderr.splitlines()) == 1
    assert run(data, "show", name).stdout == shown.stdout


def test_the_same_seed_gives_the_same_games_byte_for_byte(tmp_path: Path) -> None:
    for preset in ("source", "app"):
        folders = [tmp_path / f"{preset}-{number}" for number in (1, 2)]
        for folder in folders:
            options = ("--option", "max_sets=2", "--preset", preset)
            done = run(tmp_path / "data", "play", "callbreak", "--auto", "--games", "2", "--seed", "00ff",
                       "--record", str(folder), *options)  # fmt: skip
            assert (done.returncode, done.stderr) == (0, "")
            assert len(done.stdout.splitlines()) == 2
        names = sorted(path.name for path in folders[0].iterdir())
        assert names == ["callbreak-1.json", "callbreak-2.json"]
        for name in names:
            one, other = ((folder / name).read_bytes() for folder in folders)
            assert one == other
        assert (folders[0] / names[0]).read_bytes() != (folders[0] / names[1]).read_bytes()


def test_others_may_look_while_somebody_plays(tmp_path: Path) -> None:
    playing = start(tmp_path, "play", "callbreak")
    read_until(playing, "You may call")
    [name] = tables(tmp_path)
    assert "to call" in run(tmp_path, "show", name).stdout
    end(playing, signal.SIGHUP)
    assert playing.returncode == 128 + signal.SIGHUP


def test_ctrl_c_leaves_quietly_and_keeps_the_game(tmp_path: Path) -> None:
    playing = start(tmp_path, "play", "callbreak")
    read_until(playing, "You may call")
    rest = end(playing, signal.SIGINT)
    assert playing.returncode == 130
    assert rest == "Your game is kept: start again to go on with it.\n"
    assert "You have a game in progress" in run(tmp_path, "play", "callbreak").stdout


def test_a_store_that_is_down_is_waited_for_by_a_game_and_said_by_a_question(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound but not listening: nobody answers there
        url = f"redis://:secret@127.0.0.1:{taken.getsockname()[1]}/0"
        asked = run(tmp_path, "tables", REDIS_URL=url)
        assert asked.returncode == 1
        assert asked.stderr.startswith("tabletalk: the store cannot be reached")
        assert len(asked.stderr.splitlines()) == 1
        playing = start(tmp_path, "play", "callbreak", REDIS_URL=url)
        said = read_until(playing, "Nothing is lost")
        rest = end(playing, signal.SIGTERM)
    assert rest == ""
    assert "secret" not in asked.stderr + said


def test_folders_that_cannot_be_used_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    done = run(tmp_path / "file" / "data", "play", "callbreak")
    assert done.returncode == 1
    assert done.stderr.startswith("tabletalk: cannot use the data folder")
    assert len(done.stderr.splitlines()) == 1


def test_a_reader_that_leaves_early_is_nobodys_error(tmp_path: Path) -> None:
    run(tmp_path, "play", "callbreak", "--auto", "--option", "max_sets=1", "--option", "target=0")
    [name] = tables(tmp_path)
    process = start(tmp_path, "log", name)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stdin is not None
    process.stdin.close()
    process.wait(timeout=PROGRAM)
    assert process.returncode in (0, 141)


def test_a_terminal_without_suit_symbols_shows_letters(tmp_path: Path) -> None:
    done = run(tmp_path, "play", "callbreak", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, "")
    assert "trump S - dealer" in done.stdout
    assert "?" not in done.stdout.partition("Also: ")[2]
