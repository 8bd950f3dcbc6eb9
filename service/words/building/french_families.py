"""Which French headwords are one family (TC-41): by the suffixes that derive one from another, and by hand.

A suffix is a line of `fr_suffixes.txt`: what the derived word ends in, and the endings of the word it may come from
(`ation er`: *formation* from *former*, a verb). Two words are one family if one comes from the other, by one step or
several, or both from a third. So *port* and *portion* are none, though their beginnings are alike: there is no such
suffix between them. Prefixes are left out, for the words of a turn begin with the same letter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import takewhile

from service.words import fold
from service.words.building import hand

SHORTEST = 3
"""Letters that a word keeps before its suffix, at least."""
SHORT = 4
"""Letters of the shortest word that others may come from."""
STEPS = 3
"""How far derivation is followed back: *nationalisation*, *nationaliser*, *national*, *nation*."""
INFINITIVES = ("er", "ir", "re", "oir")
DOUBLED = frozenset("nltrs")
"""Letters that are doubled before a suffix: *maison*, *maisonnette*."""
CHANGED = {
    "": {"qu": "c", "gu": "g", "ch": "c", "v": "f", "s": "x"},
    "e": {"c": "qu"},
    "er": {"ge": "g", "c": "qu", "g": "gu"},
}
"""By the ending of a base, how a stem is written before a suffix, and before that ending: *longueur*, *long*;
*bancaire*, *banque*; *mangeable*, *manger*."""


@dataclass(frozen=True, slots=True)
class Suffix:
    """The ending of a derived word, and those of the words it may come from; only those marked `verb` make verbs."""

    ending: str
    bases: tuple[str, ...]
    verb: bool


@dataclass(frozen=True, slots=True)
class Heads:
    """The headwords, folded: those that are verbs, and those that are something else; *tendre* is both."""

    verbs: Collection[str]
    others: Collection[str]

    def base(self, word: str, ending: str) -> bool:
        """Whether a word with that ending may be what another comes from: a mere infinitive is a verb, a mere vowel or
        nothing is none."""
        if len(word) < SHORT:
            return False
        if ending in INFINITIVES:
            return word in self.verbs
        return word in self.others or (ending.endswith(INFINITIVES) and word in self.verbs)


def suffixes() -> list[Suffix]:
    """The list of suffixes; there `-` is an empty ending, and `~` stands before those that make verbs."""
    return [
        Suffix(ending.removeprefix("~"), tuple("" if base == "-" else base for base in bases), ending.startswith("~"))
        for ending, *bases in hand.lines("fr_suffixes")
    ]


def origins(word: str, heads: Heads, known: list[Suffix]) -> set[str]:
    """The headwords that a word may be derived from in one step."""
    found: set[str] = set()
    is_verb = word in heads.verbs
    for suffix in known:
        stem = word.removesuffix(suffix.ending)
        if stem != word and suffix.verb <= is_verb:
            for ending in suffix.bases:
                if _kept(stem, suffix.ending, ending) >= SHORTEST:
                    found.update(base for base in _bases(stem, ending) if heads.base(base, ending))
    found.discard(word)
    return found


def _kept(stem: str, suffix: str, ending: str) -> int:
    """How many letters a base and what is derived from it have in common; of long endings their beginning counts."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(suffix, ending, strict=False))
    return len(stem) + (0 if ending in INFINITIVES else sum(1 for _ in alike))


def _bases(stem: str, ending: str) -> Iterator[str]:
    """The ways in which a base may be written."""
    yield stem + ending
    if not ending and len(stem) > SHORTEST and stem[-1] == stem[-2] and stem[-1] in DOUBLED:
        yield stem[:-1]
    for before, plain in CHANGED.get(ending, {}).items():
        if stem.endswith(before) and len(stem) > SHORTEST:
            yield stem.removesuffix(before) + plain + ending


def _root(word: str, heads: Heads) -> str:
    """A word without the ending of an infinitive or a last `e`."""
    ending = next((ending for ending in INFINITIVES if word in heads.verbs and word.endswith(ending)), "e")
    return word.removesuffix(ending)


def families(heads: Heads) -> list[set[str]]:
    """Groups of headwords, folded: each word with all that are derived from it. A word may be in several.

    What is left of a short word without its ending (*mode*, *gêner*) may begin anything: there, only one step counts.
    """
    known = suffixes()
    apart = {frozenset(map(fold, line)) for line in hand.lines("fr_apart")}
    words = {*heads.verbs, *heads.others}
    steps = {
        word: {origin for origin in origins(word, heads, known) if frozenset((word, origin)) not in apart}
        for word in words
    }
    found: dict[str, set[str]] = defaultdict(set)
    for word in words:
        found[word].add(word)
        reached = steps[word]
        for origin in reached:
            found[origin].add(word)
        for _ in range(1, STEPS):
            reached = {origin for step in reached for origin in steps[step] if len(_root(origin, heads)) > SHORTEST}
            for origin in reached:
                found[origin].add(word)
    return [*found.values(), *({fold(word) or word for word in line} for line in hand.lines("fr_families"))]
