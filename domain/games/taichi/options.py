"""Tai Chi Chuan's options: names, defaults, bounds, presets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

Language = Literal["en", "fr"]
Window = Annotated[int, msgspec.Meta(ge=30, le=172800)]


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """All options of ruleset `taichi/1`; the defaults are the rule paper's."""

    language: Language = "en"  # TC-2, TC-40
    unchallenged: Literal["letter", "symbol"] = "letter"  # TC-31, TC-32
    duel: Literal["live", "own_clock"] = "live"  # TC-35
    lenient: bool = False  # TC-42
    objections: bool = True  # TC-43
    word_seconds: Window = 43200  # TC-27
    rescue_seconds: Window = 43200  # TC-28
    ask_seconds: Window = 43200  # TC-30
    ready_seconds: Window = 7200  # TC-35
    answer_seconds: Annotated[int, msgspec.Meta(ge=30, le=43200)] = 600  # TC-35, live


PRESETS: dict[str, dict[str, str]] = {
    "source": {},
    "live": {
        "word_seconds": "180",
        "rescue_seconds": "120",
        "ask_seconds": "60",
        "ready_seconds": "60",
        "answer_seconds": "60",
    },
}

DICTIONARIES: dict[str, str] = {"en": "en-1", "fr": "fr-1"}
"""The dictionary that this ruleset plays with, by language: its name and version (TC-40)."""


def dictionary(options: Options) -> str:
    """The dictionary of the table's language."""
    return DICTIONARIES[options.language]


def implied(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Nothing: no option follows from another."""
    return {}


def check(options: Options) -> None:
    """Refuses nothing: any values within their bounds go together."""
