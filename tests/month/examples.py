"""Cards that a sentence names as an example, whatever is dealt: they tell nobody anything."""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterator
from functools import cache

from service.text import DOMAIN, LOCALE, language, languages
from service.text.chat import EXAMPLES, moves

_CARD = re.compile(r"(?<![A-Za-z0-9])(?:(?:10|[2-9TJQKARDV])[SHDC♠♥♦♣])|[♠♥♦♣]")
_FIELD = re.compile(r"\{[^{}]*\}|\n")
_QUOTED = re.compile(r"/[a-z_]+(?:,? (?:(?:[2-9TJQKA][SHDC])+|\d+)(?![A-Za-z0-9]))+|“[^”]*”|«[^»]*»|„[^“]*“")
_CLAUSE = re.compile(r"\([A-Z]{2,3}-\d+[a-z]?(?:, [A-Z]{2,3}-\d+[a-z]?)*\)")
_SHORTEST = 12  # characters: what is shorter might stand in any sentence


def without(text: str) -> str:
    """The text without what its sentences give as examples, what people wrote, and the rules' clauses it refers to."""
    if not _CARD.search(text):
        return text
    text = _CLAUSE.sub("", _QUOTED.sub("", text))
    for said in _said():
        if said in text:
            text = text.replace(said, " ")
    return text


@cache
def _said() -> tuple[str, ...]:
    """The parts of our sentences that name cards, in all languages, longest first."""
    parts = {part.strip("“”«»„ ") for sentence in _sentences() for part in _FIELD.split(sentence)}
    return tuple(sorted((part for part in parts if len(part) >= _SHORTEST and _CARD.search(part)), key=len)[::-1])


def _sentences() -> Iterator[str]:
    for code in languages():
        catalogue = gettext.translation(DOMAIN, LOCALE, [code], fallback=True)
        known = getattr(catalogue, "_catalog", {})
        yield from (text for pair in known.items() for text in pair if isinstance(text, str))
        yield moves(language(code))
    yield from EXAMPLES.values()
