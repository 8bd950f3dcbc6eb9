"""The options of the rules, and the presets."""

from __future__ import annotations

import pytest

from domain import options
from domain.games.taichi import TAICHI
from domain.games.taichi.options import Options
from domain.rejected import Rejected


def test_the_defaults_are_those_of_the_rules() -> None:
    assert options.everything(Options()) == {
        "language": "en",
        "unchallenged": "letter",
        "duel": "live",
        "lenient": False,
        "objections": True,
        "word_seconds": 43200,
        "rescue_seconds": 43200,
        "ask_seconds": 43200,
        "ready_seconds": 7200,
        "answer_seconds": 600,
    }


def test_the_preset_source_is_all_defaults_and_live_is_quick() -> None:
    assert options.read(TAICHI, {}, "source") == Options()
    assert options.differing(options.read(TAICHI, {}, "live")) == {
        "word_seconds": 180,
        "rescue_seconds": 120,
        "ask_seconds": 60,
        "ready_seconds": 60,
        "answer_seconds": 60,
    }


@pytest.mark.parametrize(
    ("name", "value"),
    [("word_seconds", "29"), ("word_seconds", "172801"), ("answer_seconds", "43201"), ("language", "de")],
)
def test_values_out_of_bounds_are_refused(name: str, value: str) -> None:
    with pytest.raises(Rejected, match="bad_option"):
        options.read(TAICHI, {name: value})


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_ruleset_pins_the_dictionary_of_each_language(language: str) -> None:
    assert TAICHI.dictionary is not None
    assert TAICHI.dictionary(options.read(TAICHI, {"language": language})) == f"{language}-1"
