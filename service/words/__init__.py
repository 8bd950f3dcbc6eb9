"""Words: the dictionaries of Tai Chi Chuan. They are built once (`service.words.building`) and shipped as data."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from service.words.dictionary import Dictionary, one_family
from service.words.folding import fold

__all__ = ["LANGUAGES", "Dictionary", "fold", "lexicon", "one_family"]

LANGUAGES = {"en": "en-1", "fr": "fr-1"}
"""The dictionary of each language: its name and version. A list is never changed under its name."""

DATA = Path(__file__).parent / "data"


@cache
def lexicon(language: str) -> Dictionary:
    """The dictionary of a language (`en`), read once; KeyError for a language that has none."""
    return Dictionary.load(DATA / f"{LANGUAGES[language]}.words")
