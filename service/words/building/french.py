"""Builds the French dictionary, `fr-1`: `python -m service.words.building.french --hunspell FOLDER`.

FOLDER holds `fr.dic` and `fr.aff` of Dicollecte's dictionary with all variants of spelling, as Debian's
`hunspell-fr-comprehensive` has them in /usr/share/hunspell. Also wanted: wordfreq (which words are common). A word is
judged by TC-40: headwords are the dictionary's stems, which are tagged (noun, verb, name ...), and the forms in the
hand-made lists; the other forms that its rules make are refused, with the reason. Accents do not count: a word is a
headword if one of its spellings is.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rich.progress import track
from wordfreq import zipf_frequency

from service.words import DATA, LANGUAGES, fold, lists
from service.words.building import french_families, hand, hunspell
from service.words.building.hunspell import Form, Rules, Stem

PLURAL, VERB_FORM, FEMININE = "plural", "verb_form", "feminine"
PROPER, ABBREVIATION, NUMERAL = "proper_noun", "abbreviation", "numeral"
SPOKEN = 2.5
"""Zipf frequency from which a headword may be said by a computer player."""
HOMOGRAPH = 1.0
"""What the frequency of a headword is lowered by where much of it may be another word's form (*est*, *porte*)."""
NAMESAKE = 2.0
"""The same, where it may be a name (*canada*, an apple)."""
UNITS = frozenset({"||", "--"})
"""Flags of stems that are symbols of units, cut-off words and other things that are not words."""
MEASURES = frozenset({"Um", "Ui"})
"""Flags of units of measure (*mètre*, *hertz*); their multiples are made by rules for prefixes (*kilomètre*)."""
MULTIPLES = ("nano", "micro", "milli", "centi", "déci", "déca", "hecto", "kilo", "méga", "giga", "téra")
MOODS = frozenset(f"po:{mood}" for mood in ("ipre", "spre", "iimp", "simp", "ipsi", "ifut", "cond", "impe"))
VERBAL = MOODS | {"po:ppre", "po:ppas"}
NAMES = frozenset({"po:npr", "po:prn", "po:patr"})
PARTS = ("po:pfx", "po:sfx", "po:loc", "po:titr", "po:err")
"""Tags of prefixes, suffixes, parts of phrases (*a priori*), titles: alone they make no headword."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a spelling: a headword, or a form (reason, the word it is a form of; "" where there is none)."""

    spelling: str
    headword: bool = False
    reason: str = ""
    base: str = ""
    verb: bool = False


@dataclass(frozen=True, slots=True)
class Own:
    """The hand-made lists: forms that are headwords, words that the dictionary lacks, and words that are refused."""

    forms: frozenset[str]
    words: frozenset[str]
    refused: Mapping[str, tuple[str, str]]

    @classmethod
    def read(cls) -> Own:
        """Reads the lists."""
        forms = frozenset().union(*(hand.words(f"fr_{name}") for name in ("participles", "plural", "own")))
        words = frozenset(hand.words("fr_function") | hand.words("fr_recent"))
        refused = {line[0]: (line[1], line[2] if len(line) > 2 else "") for line in hand.lines("fr_refused")}
        return cls(forms, words, refused)


def known(stem: Stem, rules: Rules, own: Own) -> Iterable[Known]:
    """What a stem says of itself and of its forms; nothing where it is no word in the letters a to z."""
    word = stem.word
    if fold(word) is None:
        return
    if word in own.refused:
        reason, base = own.refused[word]
        yield Known(word, reason=reason, base=base)
    elif reason := _no_headword(stem):
        for form in hunspell.forms(stem, rules):
            if fold(form.word):
                yield Known(form.word, reason=reason)
    elif word in own.words or not _part(stem):
        if hunspell.NEEDS_AFFIX not in stem.flags or _verb(stem):
            yield Known(word, headword=True, verb=_verb(stem))
        for form in hunspell.forms(stem, rules):
            yield _form(form, stem, own)
        if MEASURES.intersection(stem.flags):
            for unit in (word, *(multiple + word for multiple in MULTIPLES)):
                yield Known(unit, headword=True)
                yield Known(unit + "s", reason=PLURAL, base=unit)


def _no_headword(stem: Stem) -> str:
    """Why a stem is no headword: a name, an abbreviation, a number in Roman letters; "" where it may be one."""
    word = stem.word
    if "po:nbro" in stem.tags or (word[:-1].isupper() and stem.tags & {"is:pl", "is:sg"} and "po:adj" in stem.tags):
        return NUMERAL
    if UNITS.intersection(stem.flags) or "po:err" in stem.tags:
        return ABBREVIATION
    if stem.tags & NAMES or word.istitle():
        return PROPER
    vowels = set(fold(word) or "") & set("aeiouy")
    if word != word.lower() or (not vowels and "po:interj" not in stem.tags):
        return ABBREVIATION
    return ""


def _verb(stem: Stem) -> bool:
    return any(tag.startswith("po:v") for tag in stem.tags)


def _part(stem: Stem) -> bool:
    """Whether a stem is only a part of words or phrases."""
    return all(tag.startswith(PARTS) for tag in stem.tags if tag.startswith("po:"))


def _form(form: Form, stem: Stem, own: Own) -> Known:
    word, base = form.word, stem.word
    if word in own.refused:
        return Known(word, reason=own.refused[word][0], base=own.refused[word][1])
    if word == base:
        return Known(word, headword=True, verb=_verb(stem))
    if word in own.forms:
        return Known(word, headword=True)
    if form.tags & VERBAL:
        return Known(word, reason=VERB_FORM, base=base)
    if "is:pl" in form.tags or (not form.tags and word == base + "s"):
        return Known(word, reason=PLURAL, base=base)
    if "is:fem" in form.tags:
        return Known(word, reason=FEMININE, base=base)
    return Known(word, headword=True)


def gather(stems: Iterable[Stem], rules: Rules, own: Own) -> dict[str, list[Known]]:
    """All that is known, by the folded word."""
    found: dict[str, set[Known]] = defaultdict(set)
    for stem in stems:
        for one in known(stem, rules, own):
            found[fold(one.spelling) or ""].add(one)
    for word in own.words:
        found[fold(word) or ""].add(Known(word, headword=True))
    for word, (reason, base) in own.refused.items():
        found[fold(word) or ""].add(Known(word, reason=reason, base=base))
    return {
        word: sorted(of_word, key=lambda one: (one.spelling, one.reason, one.base))
        for word, of_word in found.items()
        if len(word) > 1
    }


@cache
def frequency(spelling: str) -> float:
    """The Zipf frequency of a word as it is written."""
    return float(zipf_frequency(spelling, "fr"))


def spellings(gathered: Mapping[str, Sequence[Known]]) -> dict[str, str]:
    """How each headword is written; the most frequent spelling where it is several words (*pêche*, *péché*)."""
    return {
        word: min((one.spelling for one in of_word if one.headword), key=lambda text: (-frequency(text), text))
        for word, of_word in gathered.items()
        if any(one.headword for one in of_word)
    }


def kinds(gathered: Mapping[str, Sequence[Known]]) -> french_families.Heads:
    """Which headwords are verbs, and which are something else."""
    heads = [(word, one) for word, of_word in gathered.items() for one in of_word if one.headword]
    return french_families.Heads(
        verbs={word for word, one in heads if one.verb}, others={word for word, one in heads if not one.verb}
    )


def refusals(gathered: Mapping[str, Sequence[Known]]) -> dict[str, tuple[str, str]]:
    """Why each known word that is no headword is refused: the reason, and the word it is a form of, folded."""
    return {word: _refusal(of_word) for word, of_word in gathered.items() if not any(one.headword for one in of_word)}


def _refusal(of_word: Sequence[Known]) -> tuple[str, str]:
    reasons = {one.reason for one in of_word}
    order = (PLURAL, VERB_FORM, FEMININE, PROPER, NUMERAL, ABBREVIATION)
    first = min(reasons, key=order.index)
    bases = {one.base for one in of_word if one.reason == first}
    if VERB_FORM in reasons and first == PLURAL:
        first = "plural_or_verb_form"
    base = min(bases, key=lambda text: (-frequency(text), text))
    return first, fold(base) or ""


def spoken(written: Mapping[str, str], gathered: Mapping[str, Sequence[Known]]) -> list[str]:
    """The headwords, folded, that a computer player may say, the most frequent first."""
    silent = {fold(word) for word in hand.words("fr_unsaid")}
    weight = {}
    for word, spelling in written.items():
        others = {one.reason for one in gathered[word] if one.spelling.lower() == spelling and not one.headword}
        weight[word] = frequency(spelling) - (NAMESAKE if PROPER in others else HOMOGRAPH if others else 0)
    found = [word for word in written if word not in silent and len(word) > 2 and weight[word] >= SPOKEN]
    return sorted(found, key=lambda word: (-weight[word], word))


def read(folder: Path) -> tuple[list[Stem], Rules]:
    """Dicollecte's stems and rules."""
    stems = list(hunspell.stems((folder / "fr.dic").read_text("utf-8").splitlines()))
    return stems, hunspell.rules((folder / "fr.aff").read_text("utf-8").splitlines())


def main() -> None:
    """Builds the dictionary and writes it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hunspell", type=Path, default=Path("/usr/share/hunspell"))
    parser.add_argument("--to", type=Path, default=DATA)
    given = parser.parse_args()
    stems, rules = read(given.hunspell)
    gathered = gather(track(stems, "words"), rules, Own.read())
    written = spellings(gathered)
    families = french_families.families(kinds(gathered))
    forms = refusals(gathered)
    name = LANGUAGES["fr"]
    path = given.to / f"{name}.words"
    lists.write(path, name, written, families, forms, spoken(written, gathered), written)
    print(f"{path}: {len(written)} headwords, {len(forms)} refused forms, {path.stat().st_size} bytes")  # noqa: T201


if __name__ == "__main__":
    main()
