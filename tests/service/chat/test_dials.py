from __future__ import annotations

import pytest

from domain import options
from domain.games import GAMES
from service.chat.tables import dials
from service.text import language
from service.text.words import preset_name, words


@pytest.mark.parametrize("slug", GAMES)
def test_every_preset_has_words_and_those_of_no_other(slug: str) -> None:
    """Buttons read `one_round` and `source`, which say nothing to whoever plays."""
    assert set(words(slug).presets) == set(GAMES[slug].presets)
    said = [preset_name(language(), slug, name) for name in GAMES[slug].presets]
    assert len(set(said)) == len(said)


def test_a_preset_without_words_is_called_by_its_name_as_people_write_it() -> None:
    assert preset_name(language(), "chinchon", "two_packs_each") == "two packs each"


def test_a_preset_keeps_what_no_preset_is_about_and_is_known_again_all_the_same() -> None:
    """The several clocks of a game are set by one button, and nothing else changes with them."""
    rules = GAMES["taichi"]
    now = options.read(rules, {"unchallenged": "symbol"})
    assert dials.preset(rules, now) == "source"
    assert dials.next_preset(rules, now) == "live"
    live = dials.with_preset(rules, now, "live")
    assert live.unchallenged == "symbol"
    assert dials.short(live)
    assert dials.preset(rules, live) == "live"
    assert dials.with_preset(rules, live, "source") == now


def test_a_preset_replaces_what_it_is_about_and_keeps_the_clock() -> None:
    rules = GAMES["chinchon"]
    now = options.read(rules, {"turn_seconds": "3600", "cut_max": "3"})
    assert dials.preset(rules, now) is None
    spanish = dials.with_preset(rules, now, "spanish")
    assert (spanish.cut_max, spanish.deck, spanish.turn_seconds) == (5, "40", 3600)
