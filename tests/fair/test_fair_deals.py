"""docs/fair-deals.md holds, and is enough: a checker written from it alone, in JavaScript, deals the same cards."""

from __future__ import annotations

import json
import re
import subprocess
import typing
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest

from domain.events import EVERY_EVENT
from domain.games import GAMES
from domain.games.taichi import deck
from service.text.history import tag_of
from tests.fair import page
from tests.fair.dealing import expected, many, write
from tests.fair.forged import FORGERIES
from tests.fair.programs import node
from tests.fair.shapes import shapes

CHECKER = Path(__file__).with_name("checker.mjs")
TEXT = page.PAGE.read_text("utf-8")
DEALS = 1000


def checked(file: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([node(), str(CHECKER), str(file)], capture_output=True, text=True, timeout=240, check=False)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_checker_written_from_the_page_alone_agrees_on_a_thousand_deals(game: str, tmp_path: Path) -> None:
    """A proof of the shuffle is wanted (ethereum-oasis-op/baseline-blips#26)."""
    tables = many(game, DEALS)
    done = checked(write(tmp_path / "tables.jsonl", tables))
    assert (done.returncode, done.stderr) == (0, "")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    ours = [said for table in tables for said in expected(table)]
    assert told == ours
    assert sum("hands" in said for said in told) >= DEALS
    labels = {said["label"] for said in told if "label" in said}
    assert {"dealer", "deal:1", "deal:2"} <= labels  # redeals and void sets among them
    reshuffles = any(GAMES[game].shuffles)
    assert any(label.startswith("reshuffle:") for label in labels) == reshuffles
    assert any(b"table.deck_cut" in commit.events for table in tables for commit in table)


@pytest.mark.parametrize("name", sorted(page.blocks()))
def test_every_vector_and_table_of_the_page_is_what_the_code_says(name: str) -> None:
    assert page.between(name, TEXT) == page.blocks()[name]


def test_the_verifying_page_has_the_same_form_of_every_event() -> None:
    assert page.shapes_in_verify() == page.in_verify()
    assert len(shapes()) == len(EVERY_EVENT)


def test_the_checker_deals_the_pages_export_again_and_finds_its_fingerprint(tmp_path: Path) -> None:
    file = tmp_path / "page.jsonl"
    file.write_text(page.between("export", TEXT).removeprefix("```\n").removesuffix("```"), "utf-8")
    done = checked(file)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert f"Its last fingerprint is `{found['fingerprint']}`" in TEXT


@pytest.mark.parametrize("changed", ["hash", "number", "seed", "line"])
def test_the_checker_refuses_what_was_changed(changed: str, tmp_path: Path) -> None:
    """What agrees with everything would agree with our code too."""
    told = page.export()[0]
    forged = {
        "hash": re.sub(r'"hash":"(.)', lambda found: f'"hash":"{"1" if found[1] == "0" else "0"}', told, count=1),
        "number": told.replace('\\"number\\":17', '\\"number\\":18'),
        "seed": re.sub(r'(seed\\":\\")(..)', r"\1zz", told),
        "line": told.replace('"version":2,', '"version": 2,'),
    }[changed]
    assert forged != told
    file = tmp_path / "forged.jsonl"
    file.write_text(forged, "utf-8")
    assert checked(file).returncode == 1


def test_the_packs_of_letters_are_those_of_the_page() -> None:
    rows = [line.split() for line in page.between("packs", TEXT).splitlines()]
    assert {language: tuple(map(int, cards)) for language, *cards in rows} == deck.PACKS


def test_the_page_knows_every_game() -> None:
    """The engine was live, and the page to verify with “ships later” (ItachiDevv/ClawVille#144)."""
    packs = TEXT.split("## 6.")[1].split("## 7.")[0]
    assert [game for game in GAMES if f"| `{game}` |" not in packs] == []


def _imagined(kind: Any, flag: bool) -> Any:
    """A value of a field's type: what it is does not matter, but the form of it."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is Literal:
        return parts[0]
    if origin is tuple:
        return tuple(_imagined(part, flag) for part in (parts[:1] * 2 if parts[-1] is Ellipsis else parts))
    if origin is not None:  # a union with None
        return _imagined(parts[0], flag)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _imagined_event(kind, flag)
    values: dict[Any, Any] = {bool: flag, int: 1, str: "word", bytes: b"bytes"}
    return values[kind]


def _imagined_event(kind: type, flag: bool) -> Any:
    return kind(**{name: _imagined(hint, flag) for name, hint in typing.get_type_hints(kind).items()})


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_event_that_is_a_public_move_has_its_line_in_the_page(game: str) -> None:
    """A digest that leaves out one kind of move deals other cards: the page may not forget any."""
    rules = GAMES[game]
    moves = {
        tag_of(kind)
        for kind in rules.events
        for flag in (False, True)
        if rules.public_move(_imagined_event(kind, flag)) is not None
    }
    assert moves
    told = set(re.findall(r"^\| `([a-z_.]+)` \|", TEXT.split("## 4.")[1].split("## 5.")[0], re.MULTILINE))
    assert moves == {tag for tag in told if tag.startswith(f"{game}.")}


def test_half_of_the_forgeries_at_least_have_all_their_hashes_made_right() -> None:
    """Issue: 20 kinds of tampering, half of them with all hashes made right again."""
    remade = [one for one in FORGERIES if one.remade]
    assert len(FORGERIES) >= 20
    assert 2 * len(remade) >= len(FORGERIES)
    assert any(not one.betrayed for one in remade)
