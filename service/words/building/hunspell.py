"""A dictionary of Hunspell, read: its stems with their tags, and the forms that its affix rules make of them.

What is read of the format (hunspell(5)): flags of two characters, suffix rules, tags behind a word.
Prefixes are left out: in French they are the elided articles and pronouns (`l'`, `d'`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

NEEDS_AFFIX = "()"


@dataclass(frozen=True, slots=True)
class Stem:
    """A line of the `.dic` file: `cheval/X.() po:nom is:mas`."""

    word: str
    flags: tuple[str, ...]
    tags: frozenset[str]


@dataclass(frozen=True, slots=True)
class Form:
    """A word that a stem and a rule make, with the tags of the rule (none: the stem as it stands)."""

    word: str
    tags: frozenset[str]


@dataclass(frozen=True, slots=True)
class Rule:
    """A line of the `.aff` file: `SFX X. al aux al is:pl` takes `al` off a word that ends so and puts `aux` on."""

    strip: str
    add: str
    condition: re.Pattern[str]
    tags: frozenset[str]


Rules = Mapping[str, tuple[Rule, ...]]


def stems(lines: Iterable[str]) -> Iterator[Stem]:
    """The stems of a `.dic` file, whose first line (their number) is left out."""
    for line in lines:
        word, *tags = line.split() or [""]
        if tags or "/" in word:
            name, _, flags = word.partition("/")
            pairs = tuple(flags[start : start + 2] for start in range(0, len(flags), 2))
            yield Stem(name, pairs, frozenset(tags))


def rules(lines: Iterable[str]) -> Rules:
    """The suffix rules of an `.aff` file, by flag."""
    found: dict[str, list[Rule]] = {}
    for line in lines:
        match line.split():
            case ["SFX", flag, strip, add, condition, *tags]:
                ending = add.partition("/")[0]
                rule = Rule(_plain(strip), _plain(ending), re.compile(f"(?:{condition})$"), frozenset(tags))
                found.setdefault(flag, []).append(rule)
            case _:
                continue
    return {flag: tuple(of_flag) for flag, of_flag in found.items()}


def forms(stem: Stem, by_flag: Rules) -> Iterator[Form]:
    """All forms of a stem; the stem itself, without tags, unless only its forms are words."""
    word = stem.word
    if NEEDS_AFFIX not in stem.flags:
        yield Form(word, frozenset())
    for flag in stem.flags:
        for rule in by_flag.get(flag, ()):
            if word.endswith(rule.strip) and rule.condition.search(word):
                yield Form(word[: len(word) - len(rule.strip)] + rule.add, rule.tags)


def _plain(part: str) -> str:
    return "" if part == "0" else part
