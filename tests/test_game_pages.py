"""Every game has a page that says how it is played, with an example, every move, every option and every preset."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain import options
from domain.games import GAMES
from service.text import languages
from service.text.words import words

PAGES = Path(__file__).parents[1] / "docs" / "games"
TELEGRAM = 4096  # characters of a message; Bot API, sendMessage

every_game = pytest.mark.parametrize("game", list(GAMES))


def page(game: str) -> str:
    return " ".join((PAGES / f"{game}.md").read_text(encoding="utf-8").split())


@every_game
def test_page_and_chat_both_give_an_example(game: str) -> None:
    paragraphs = words(game).how_to_play
    assert len(paragraphs) >= 3
    assert any(text.startswith("Example: ") for text in paragraphs)
    assert "xample" in page(game)


@every_game
def test_what_the_chat_says_fits_into_a_message(game: str) -> None:
    assert len("\n\n".join(words(game).how_to_play)) < TELEGRAM - 200


@every_game
def test_the_page_names_every_move_option_and_preset(game: str) -> None:
    rules, text = GAMES[game], page(game)
    assert [move for move in rules.examples.values() if f"`{move}`" not in text] == []
    assert [name for name in options.offered(rules) if f"`{name}`" not in text] == []
    assert [name for name in rules.presets if f"`{name}`" not in text] == []


def test_there_is_no_page_without_a_game() -> None:
    """`<slug>.md`, and `<slug>.<language>.md` where the page is there in another language too."""
    assert {path.name.partition(".")[0] for path in PAGES.glob("*.md")} == set(GAMES)
    assert {path.name.split(".")[1] for path in PAGES.glob("*.*.md")} <= set(languages())
