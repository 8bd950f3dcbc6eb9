"""Whatever somebody types is folded to a-z, or is no word."""

from __future__ import annotations

import pytest

from service.words import fold


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("word", "word"),
        ("  Word ", "word"),
        ("Été", "ete"),
        ("e\u0301te\u0301", "ete"),
        ("cœur", "coeur"),
        ("ÆON", "aeon"),
        ("ÇA", "ca"),
        ("straße", "strasse"),
        ("ﬁne", "fine"),
    ],
)
def test_capitals_accents_and_ligatures_are_folded(text: str, word: str) -> None:
    assert fold(text) == word


@pytest.mark.parametrize(
    "text", ["", "  ", "two words", "it's", "co-op", "a1", "½", "слово", "言葉", "wo\u200brd", "x\n y"]
)
def test_what_is_no_word_is_none(text: str) -> None:
    assert fold(text) is None
