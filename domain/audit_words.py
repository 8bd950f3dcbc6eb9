"""What a record says of words: the dictionary that its sets were played with, and what players decided against it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from domain.finding import wrong
from domain.game import Decided, Game, Lexicon
from domain.record import PlayedSet

Lexicons = Callable[[str], Lexicon]
"""The dictionary of a name (`en-1`); LookupError for one that is not there."""


def lexicon_of(name: str, lexicons: Lexicons) -> Lexicon | None:
    """The dictionary of a name, or None."""
    try:
        return lexicons(name)
    except LookupError:
        return None


def lexicon(rules: Game, options: Any, number: int, played: PlayedSet, lexicons: Lexicons | None) -> Lexicon | None:
    """The dictionary that a set names, if words are to be judged and it is there; Wrong `wrong_extra` where a set of a
    game of words names none of the table's language."""
    if rules.dictionary is None:
        return None
    name = rules.dictionary(options)
    named = as_named(rules, options, played)
    if not named:
        raise wrong("wrong_extra", number, 0, rules.clauses["extra.words"], name="words", expected=name)
    return None if lexicons is None else lexicon_of(named["words"], lexicons)


def as_named(rules: Game, options: Any, played: PlayedSet) -> dict[str, str]:
    """The dictionary of a set, which may be of another version than ours: {} where it is of another language."""
    if rules.dictionary is None:
        return {}
    language = rules.dictionary(options).partition("-")[0]
    named = played.extra.get("words")
    if not isinstance(named, str):
        return {}
    before, _, version = named.partition("-")
    right = before == language and version.isascii() and version.isdigit() and len(version) < 5
    return {"words": named} if right else {}


def decided(rules: Game, number: int, played: PlayedSet) -> tuple[Decided, ...]:
    """What players decided about words before the set, or in it before a word counted; Wrong `wrong_extra`."""
    told = played.extra.get("overruled")
    if told is None or rules.dictionary is None:
        return ()
    try:
        return msgspec.convert(told, tuple[Decided, ...])
    except msgspec.ValidationError:
        clause = rules.clauses["extra.overruled"]
        raise wrong("wrong_extra", number, 0, clause, name="overruled", expected=[["mice", "", True]]) from None
