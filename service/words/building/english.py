"""Builds the English dictionary, `en-1`: `python -m service.words.building.english --wordnet FOLDER`.

FOLDER is WordNet 3.0's `dict`, as Debian's `wordnet-base` has it in /usr/share/wordnet. Also wanted: lemminflect (its
tables), snowballstemmer and wordfreq (which words are common). A word is judged by TC-40: a headword is a word with an
entry of its own; everything else that is known is stored with the reason why it is refused.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rich.progress import track
from wordfreq import zipf_frequency

from service.words import DATA, LANGUAGES, lists
from service.words.building import english_families, hand, inflection, wordnet
from service.words.building.wordnet import Entry

PLURAL, VERB_FORM, COMPARATIVE = "plural", "verb_form", "comparative"
KIND = {"noun": PLURAL, "verb": VERB_FORM, "adj": COMPARATIVE, "adv": COMPARATIVE}
THINGS = frozenset(
    f"noun.{kind}"
    for kind in (
        *("Tops", "animal", "artifact", "body", "communication", "event", "feeling", "food", "group", "location"),
        *("object", "person", "plant", "possession", "shape", "substance", "time"),
    )
)
"""Kinds of nouns that name a thing and not only the doing of it (*building*, but not *swimming*)."""
RARE = 1.5
"""Zipf frequency under which a word that only the SPECIALIST lexicon knows is left out."""
OUTGROWN = 1.0
"""How much more frequent (Zipf) than its verb a participle is that has outgrown it (*unarmed*)."""
SPOKEN = 2.5
"""Zipf frequency from which a headword may be said by a computer player."""
ROMAN = re.compile(r"m{0,3}(cm|cd|d?c{0,3})(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})")
NOTHING = Entry()

Relations = Mapping[str, frozenset[tuple[str, str]]]
"""Form -> (what it is of a word, that word), for every word that it is a form of."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What the judge looks at."""

    entries: Mapping[str, Entry]
    bases: inflection.Bases
    relations: Relations
    own: frozenset[str]
    refused: Mapping[str, tuple[str, str]]

    @classmethod
    def read(cls, folder: Path) -> Sources:
        """Reads WordNet, the lexicon and the hand-made lists."""
        entries = wordnet.read(folder)
        bases = inflection.bases()
        own = frozenset().union(*(hand.words(f"en_{name}") for name in ("function", "plural", "own", "recent")))
        refused = {line[0]: (line[1], line[2] if len(line) > 2 else "") for line in hand.lines("en_refused")}
        for name in hand.words("en_names"):
            if not any(sense.spelling.islower() for sense in entries.get(name, NOTHING).senses):
                refused.setdefault(name, ("proper_noun", ""))
        return cls(entries, bases, relations(entries, bases, wordnet.exceptions(folder)), own, refused)

    def entry(self, word: str) -> Entry:
        """WordNet's entry, an empty one where there is none."""
        return self.entries.get(word, NOTHING)

    def lemma(self, word: str, pos: str) -> bool:
        """Whether both WordNet and the lexicon have the word as a lemma of that part of speech."""
        return word in self.bases.get(word, {}).get(pos, ()) and self.entry(word).has(pos)


def relations(
    entries: Mapping[str, Entry], bases: inflection.Bases, exceptions: Mapping[str, Mapping[str, set[str]]]
) -> Relations:
    """Every form of every word: by the lexicon, by WordNet's irregular forms, and by the regular endings for the nouns
    and verbs of WordNet that the lexicon does not know as such."""
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for form, by_pos in bases.items():
        for pos, lemmas in by_pos.items():
            for lemma in lemmas - {form}:
                if pos in KIND:
                    found[form].add((KIND[pos], lemma))
    for pos, forms in exceptions.items():
        for form, lemmas in forms.items():
            if form not in bases.get(form, {}).get(pos, ()):
                found[form] |= {(KIND[pos], lemma) for lemma in lemmas if lemma in entries}
    regular = {"noun": (PLURAL, inflection.plurals), "verb": (VERB_FORM, inflection.verb_forms)}
    for word, entry in entries.items():
        for pos, (kind, forms_of) in regular.items():
            if entry.has(pos) and word not in bases.get(word, {}).get(pos, ()) and not found.get(word):
                for form in forms_of(word):
                    if form != word and form not in bases.get(form, {}).get(pos, ()):
                        found[form].add((kind, word))
    for word in hand.words("en_recent"):
        if word not in bases:
            for form in inflection.plurals(word):
                found[form].add((PLURAL, word))
            for form in inflection.verb_forms(word):
                found[form].add((VERB_FORM, word))
    return {form: frozenset(of) for form, of in found.items()}


def headword(word: str, sources: Sources) -> bool:
    """Whether a word has an entry of its own (TC-40)."""
    if word in sources.refused or len(word) < 2:
        return False
    if word in sources.own:
        return True
    entry = sources.entry(word)
    if not any(sense.spelling.islower() for sense in entry.senses):
        lexical = any(word in lemmas for lemmas in sources.bases.get(word, {}).values())
        if entry.senses or not lexical or frequency(word) < RARE:
            return False
    if len(word) == 2 or not set(word) & set("aeiouy") or numeral(word, entry):
        return False
    kinds = {kind for kind, _ in sources.relations.get(word, ())}
    return not kinds or has_life_of_its_own(word, kinds, sources)


def has_life_of_its_own(word: str, kinds: Iterable[str], sources: Sources) -> bool:
    """Whether a form is more than a form: *saw*, *building*, *tired*, *physics*; not *swimming*, *hands*, *crowned*."""
    kinds = set(kinds)
    entry = sources.entry(word)
    nouns = sources.bases.get(word, {}).get("noun", set())
    if sources.lemma(word, "verb"):
        return True
    if sources.lemma(word, "noun"):
        if PLURAL in kinds and (not word.endswith("s") or (nouns == {word} and VERB_FORM not in kinds)):
            return True
        if PLURAL not in kinds and (VERB_FORM not in kinds or not word.endswith("ing")):
            return True
        if (
            PLURAL not in kinds
            and sum(sense.count for sense in entry.senses if sense.kind in THINGS and sense.spelling.islower()) >= 2
        ):
            return True
    if sources.lemma(word, "adj"):
        if VERB_FORM not in kinds:
            return True
        if word.endswith("ing"):
            return entry.count("adj") >= 3 or sources.entry(word + "ly").has("adv")
        return entry.count("adj") >= 8 or frequency(word) >= OUTGROWN + max(map(frequency, _verbs(word, sources)))
    return sources.lemma(word, "adv") and PLURAL not in kinds


def _verbs(word: str, sources: Sources) -> list[str]:
    return [base for kind, base in sources.relations[word] if kind == VERB_FORM]


def numeral(word: str, entry: Entry) -> bool:
    """Whether a word is only a number in Roman letters."""
    counted = all(sense.kind == "noun.quantity" or sense.pos == "adj" for sense in entry.senses)
    return counted and bool(ROMAN.fullmatch(word))


def candidates(sources: Sources) -> list[str]:
    """Every word that might be a headword, in order."""
    return sorted({*sources.entries, *sources.bases, *sources.own})


def refusals(heads: set[str], sources: Sources) -> dict[str, tuple[str, str]]:
    """Why each known word that is no headword is refused: the reason, and the word it is a form of."""
    found = {word: reason for word, reason in _names(sources) if word not in heads}
    for word in sorted(heads):
        if sources.entry(word).has("noun"):
            found |= {form: (PLURAL, word) for form in inflection.plurals(word) if form not in heads}
    for form, of in sources.relations.items():
        known = {(kind, base) for kind, base in of if base in heads}
        if form in heads or not known:
            continue
        kinds = {kind for kind, _ in known}
        reason = "plural_or_verb_form" if {PLURAL, VERB_FORM} <= kinds else min(kinds, key=_order)
        found[form] = reason, _likeliest({base for kind, base in known if reason in (kind, "plural_or_verb_form")})
    found |= sources.refused
    return {form: reason for form, reason in found.items() if len(form) > 1}


def _order(kind: str) -> int:
    return (VERB_FORM, PLURAL, COMPARATIVE).index(kind)


def _likeliest(bases: Iterable[str]) -> str:
    return min(bases, key=lambda base: (-frequency(base), base))


def _names(sources: Sources) -> Iterator[tuple[str, tuple[str, str]]]:
    """Proper nouns, abbreviations and numerals of WordNet."""
    for word, entry in sources.entries.items():
        if numeral(word, entry):
            yield word, ("numeral", "")
        elif not set(word) & set("aeiouy") or all(sense.spelling.isupper() for sense in entry.senses):
            yield word, ("abbreviation", "")
        elif not any(sense.spelling.islower() for sense in entry.senses):
            yield word, ("proper_noun", "")


@cache
def frequency(word: str) -> float:
    """The Zipf frequency of a word."""
    return float(zipf_frequency(word, "en"))


def spoken(heads: Iterable[str]) -> list[str]:
    """The headwords that a computer player may say, the most frequent first."""
    silent = hand.words("en_unsaid")
    found = [word for word in heads if word not in silent and len(word) > 2 and frequency(word) >= SPOKEN]
    return sorted(found, key=lambda word: (-frequency(word), word))


def main() -> None:
    """Builds the dictionary and writes it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--to", type=Path, default=DATA)
    given = parser.parse_args()
    sources = Sources.read(given.wordnet)
    words = candidates(sources)
    heads = {word for word in track(words, "headwords") if headword(word, sources)}
    families = english_families.families(heads, sources.entries, lambda done: track(done, "families"))
    forms = refusals(heads, sources)
    name = LANGUAGES["en"]
    path = given.to / f"{name}.words"
    lists.write(path, name, heads, families, forms, spoken(heads))
    print(f"{path}: {len(heads)} headwords, {len(forms)} refused forms, {path.stat().st_size} bytes")  # noqa: T201


if __name__ == "__main__":
    main()
