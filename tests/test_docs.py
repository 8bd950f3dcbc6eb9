"""The README names every command, every option of them and every setting: whoever adds one has to say so there."""

from __future__ import annotations

import html
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from cyclopts import App

from service.chat import talk
from service.cli import app
from service.settings import Settings
from tests import picture
from tests.service import programs

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def every_command(group: App, before: str = "") -> Iterator[tuple[str, Callable[..., object]]]:
    """The commands with their names, those of groups among them."""
    for name in group:
        if not name.startswith("-"):
            found = group[name]
            if found.default_command is not None:
                yield before + name, found.default_command
            yield from every_command(found, f"{before}{name} ")


def test_the_readme_names_every_command() -> None:
    commands = dict(every_command(app))
    assert {"play", "store check"} <= set(commands)
    assert [name for name in commands if f"tabletalk {name}" not in README] == []


def test_the_readme_names_every_option_of_every_command() -> None:
    options = {
        f"--{parameter.name.replace('_', '-')}"
        for command in dict(every_command(app)).values()
        for parameter in inspect.signature(command).parameters.values()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }
    assert {"--auto", "--data", "--head", "--to"} <= options
    assert sorted(option for option in options if option not in README) == []


def test_the_readme_names_every_command_of_the_chat() -> None:
    assert [name for name in talk.COMMANDS if f"`/{name}" not in README and name != "start"] == []


def test_the_readme_names_every_setting() -> None:
    assert [name.upper() for name in Settings.__struct_fields__ if name.upper() not in README] == []


def test_the_readmes_picture_shows_what_play_prints(tmp_path: Path) -> None:
    assert "docs/play.svg" in README
    drawn = re.sub(r"<[^>]*>", "", picture.PICTURE.read_text(encoding="utf-8"))
    shown = re.sub(r"\s+", "", html.unescape(drawn))
    done = programs.run(tmp_path, "play", "callbreak", "--seed", picture.SEED, typed="\n".join(picture.TYPED) + "\n")
    lines = [re.sub(r"\s+", "", line) for line in done.stdout.splitlines()[:-1]]  # the last one says good-bye
    assert len(lines) > 20
    assert [line for line in lines if line.strip("─") not in shown] == []


def test_the_readmes_commands_are_targets_of_the_makefile() -> None:
    makefile = (Path(__file__).parents[1] / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`?make (\w+)", README):
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE), target
