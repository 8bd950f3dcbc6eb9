"""Which English words are one family (TC-41): of one stem, linked in WordNet, made of another by an ending, or listed.

A family here is a group of which any two words are kin; a word stands in several. *Sign* and *signal*, *organ* and
*organize* share a stem and are no kin: what the list `en_apart` keeps apart is split, whatever joined it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations

from snowballstemmer import stemmer

from service.words.building import hand
from service.words.building.wordnet import Entry

Links = Mapping[str, set[str]]
Progress = Callable[[list[frozenset[str]]], Iterable[frozenset[str]]]

PREFIX = 4
"""How many first letters two relatives of one word share to be kin."""
ENDINGS = (
    *((ending, 3, "") for ending in ("ness", "less", "ful", "like", "hood", "ship", "wise", "ward", "wards", "some")),
    *((ending, 4, "") for ending in ("ment", "dom", "ist", "ism", "able", "ible")),
    *((ending, 5, "") for ending in ("ian", "ette", "ling", "ster", "let", "ty")),
    *((ending, 4, "adj") for ending in ("ish", "y")),
    ("y", 6, "noun"),
    ("ery", 5, "noun"),
    ("ess", 4, "person"),
    ("er", 4, "unlisted"),
)
"""Endings that make kin of a word; how many letters that word has at least (one fewer where its last one is doubled);
which part of speech WordNet has for what is made (any; `unlisted`: none; `person`: a noun for one)."""
VOWELS = frozenset("aeiou")
SPELLINGS = (("isation", "ization"), ("our", "or"), ("ogue", "og"), ("yse", "yze"), ("ae", "e"), ("oe", "e"))


def families(heads: set[str], entries: Mapping[str, Entry], progress: Progress) -> list[frozenset[str]]:
    """The families of a dictionary's headwords, as groups."""
    linked = links(heads, entries)
    groups = {group for group in _groups(heads, entries, linked) if len(group) > 1}
    apart = _apart()
    found: set[frozenset[str]] = set()
    for group in progress(sorted(groups, key=sorted)):
        found |= {part for part in _split(group, apart, linked) if len(part) > 1}
    return sorted(_widest(found), key=sorted)


def links(heads: set[str], entries: Mapping[str, Entry]) -> Links:
    """WordNet's links of derivation between headwords, both ways."""
    found: dict[str, set[str]] = defaultdict(set)
    for word in heads & entries.keys():
        for other in ((entries[word].derived | entries[word].pertains) & heads) - {word}:
            found[word].add(other)
            found[other].add(word)
    return found


def _groups(heads: set[str], entries: Mapping[str, Entry], linked: Links) -> Iterator[frozenset[str]]:
    yield from _stems(heads)
    for word, others in linked.items():
        by_prefix: dict[str, set[str]] = defaultdict(set)
        for other in others:
            by_prefix[other[: min(PREFIX, len(word))]].add(other)
            yield frozenset((word, other))
        own = word[:PREFIX]
        for prefix, kin in by_prefix.items():
            yield frozenset(kin | {word} if prefix == own else kin)
    yield from _endings(heads, entries)
    for line in hand.lines("en_families"):
        yield frozenset(line) & heads


def _stems(heads: set[str]) -> Iterator[frozenset[str]]:
    """Words of one stem, British spellings taken for American ones."""
    porter = stemmer("english")
    by_stem: dict[str, set[str]] = defaultdict(set)
    for word in heads:
        by_stem[porter.stemWord(word)].add(word)
        if (plain := _american(word, heads)) != word:
            by_stem[porter.stemWord(plain)].add(word)
    yield from map(frozenset, by_stem.values())


def _american(word: str, heads: set[str]) -> str:
    if len(word) < 5:
        return word
    for british, american in SPELLINGS:
        if british in word and (changed := word.replace(british, american)) in heads:
            return changed
    if word.endswith("ise") and word[:-3] + "ize" in heads:
        return word[:-3] + "ize"
    if word.endswith("tre") and word[:-2] + "er" in heads:
        return word[:-2] + "er"
    return word


def _endings(heads: set[str], entries: Mapping[str, Entry]) -> Iterator[frozenset[str]]:
    """A word and what endings make of it."""
    made: dict[str, set[str]] = defaultdict(set)
    for word in heads:
        for ending, least, pos in ENDINGS:
            if (
                word.endswith(ending)
                and _is(word, pos, entries)
                and not (ending == "ship" and _is_vessel(word, entries))
            ):
                stem = word[: -len(ending)]
                bases = (base for base in _bases(stem, ending) if len(base) >= least - (stem == base + base[-1:]))
                for base in heads.intersection(bases):
                    made[base].add(word)
    for base, words in made.items():
        yield frozenset(words | {base})


def _bases(stem: str, ending: str) -> Iterator[str]:
    yield stem
    if stem.endswith("i") and ending != "ty":
        yield stem[:-1] + "y"
    if ending[0] in VOWELS or ending == "y":
        yield stem + "e"
        if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in VOWELS:
            yield stem[:-1]


def _is(word: str, pos: str, entries: Mapping[str, Entry]) -> bool:
    if pos == "unlisted":
        return word not in entries
    if pos == "person":
        return word in entries and any(sense.kind == "noun.person" for sense in entries[word].senses)
    return not pos or (word in entries and entries[word].has(pos))


def _is_vessel(word: str, entries: Mapping[str, Entry]) -> bool:
    """A warship is no kin of war: it is a ship."""
    return word in entries and all(sense.kind == "noun.artifact" for sense in entries[word].senses)


def _apart() -> dict[str, list[list[frozenset[str]]]]:
    """Word -> the lines of `en_apart` that it stands in, each as its sides."""
    found: dict[str, list[list[frozenset[str]]]] = defaultdict(list)
    for line in hand.lines("en_apart"):
        sides = [frozenset(side.split()) for side in " ".join(line).split("|")]
        for word in frozenset().union(*sides):
            found[word].append(sides)
    return found


def _split(
    group: frozenset[str], apart: Mapping[str, list[list[frozenset[str]]]], linked: Links
) -> Iterator[frozenset[str]]:
    """The group, or its parts where it joins two sides of a line that are no kin."""
    for word in sorted(group):
        for sides in apart.get(word, ()):
            present = [side & group for side in sides if side & group]
            if len(present) > 1:
                for mine in present:
                    rest = frozenset().union(*present) - mine
                    part = frozenset(
                        other
                        for other in group
                        if other in mine or (other not in rest and _nearer(other, mine, rest, linked))
                    )
                    yield from _split(part, apart, linked)
                return
    yield group


def _nearer(word: str, mine: Iterable[str], others: Iterable[str], linked: Links) -> bool:
    """Whether a word is at least as near to one side as to the other: by links, then by its first letters."""
    return _distance(word, mine, linked) <= _distance(word, others, linked)


def _distance(word: str, side: Iterable[str], linked: Links) -> tuple[int, int]:
    near = linked.get(word, set())
    steps = min(1 if other in near else 2 if near & linked.get(other, set()) else 3 for other in side)
    return steps, -max(_common_letters(word, other) for other in side)


def _common_letters(first: str, second: str) -> int:
    return next(
        (i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )


def _widest(groups: set[frozenset[str]]) -> set[frozenset[str]]:
    """The groups that are not wholly in another one."""
    holding: dict[str, set[frozenset[str]]] = defaultdict(set)
    for group in groups:
        for word in group:
            holding[word].add(group)
    return {group for group in groups if not any(group < other for other in holding[min(group)])}


def kin(groups: Iterable[frozenset[str]]) -> set[tuple[str, str]]:
    """Every pair of words that are one family, each in order; for measuring."""
    return {pair for group in groups for pair in combinations(sorted(group), 2)}
