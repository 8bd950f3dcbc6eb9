"""docs/adding-a-game.md is true: what it names is there, and it names all that a game needs."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from domain.game import Game
from domain.games import GAMES

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`([^`]+)`", GUIDE)
PATHS = [name for name in NAMED if "/" in name and re.fullmatch(r"[\w/<>.-]+", name) and not name.startswith("/")]


def test_the_steps_are_numbered() -> None:
    numbers = [int(number) for number in re.findall(r"^(\d+)\. ", GUIDE, flags=re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) > 10


def test_every_field_of_the_record_is_named() -> None:
    assert [field.name for field in dataclasses.fields(Game) if field.name not in NAMED] == []


@pytest.mark.parametrize("game", list(GAMES))
def test_every_path_is_there_for_every_game(game: str) -> None:
    paths = [path.replace("<slug>", game) for path in PATHS if path != "<slug>/1"]
    assert f"domain/games/{game}/" in paths
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("game", list(GAMES))
def test_the_files_of_a_package_are_called_the_same_in_every_game(game: str) -> None:
    files = {name for name in NAMED if re.fullmatch(r"\w+\.py", name)}
    assert {"options.py", "rules.py", "__init__.py"} <= files
    assert files <= {path.name for path in (ROOT / "domain" / "games" / game).iterdir()}


def test_a_game_is_one_line_in_the_registry() -> None:
    registry = (ROOT / "domain" / "games" / "__init__.py").read_text(encoding="utf-8")
    for game in GAMES:
        assert (
            len(re.findall(rf"^from domain\.games\.{game} import {game.upper()}$", registry, flags=re.MULTILINE)) == 1
        )


def test_nothing_outside_its_own_files_knows_a_game() -> None:
    """No module of the program names a game, beside its package, its words and the registry."""
    found = []
    for path in sorted(
        [*(ROOT / "domain").rglob("*.py"), *(ROOT / "service").rglob("*.py"), *(ROOT / "eventstore").rglob("*.py")]
    ):
        place = path.relative_to(ROOT).as_posix()
        own = any(place.startswith((f"domain/games/{game}/", f"service/text/games/{game}.py")) for game in GAMES)
        if own or place == "domain/games/__init__.py":
            continue
        code = re.sub(r'""".*?"""|#.*', "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        found += [f"{place}: {game}" for game in GAMES if re.search(rf"\b{game}\b", code, flags=re.IGNORECASE)]
    assert found == []
