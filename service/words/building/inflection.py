"""Which words are forms of which: the SPECIALIST lexicon, as the package lemminflect holds it, and regular endings.

The table is read as a file: importing lemminflect would want numpy, and its guesses for unknown words are not used.
"""

from __future__ import annotations

import gzip
from collections import defaultdict
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

Bases = dict[str, dict[str, set[str]]]
"""Form -> part of speech -> the words that it is a form of (itself among them, where it is a lemma)."""

VOWELS = frozenset("aeiou")


def bases() -> Bases:
    """Every form that the lexicon knows, in the letters a to z and in lower case, with its lemmas."""
    spec = find_spec("lemminflect")
    if spec is None or spec.origin is None:
        raise SystemExit("lemminflect is not installed: pip install lemminflect==0.2.3")
    found: Bases = defaultdict(lambda: defaultdict(set))
    with gzip.open(Path(spec.origin).parent / "resources" / "lemma_lu.csv.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            form, pos, lemmas = line.strip().split(",")
            if _plain(form):
                found[form][pos] |= {lemma for lemma in lemmas.split("/") if _plain(lemma)}
    return {form: dict(by_pos) for form, by_pos in found.items()}


def plurals(noun: str) -> Iterator[str]:
    """The regular plural of a noun."""
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        yield noun + "es"
    elif noun.endswith("y") and noun[-2:-1] not in VOWELS:
        yield noun[:-1] + "ies"
    else:
        yield noun + "s"
    if noun.endswith("o") and noun[-2:-1] not in VOWELS:
        yield noun + "es"
    if noun.endswith("man") and len(noun) > 4:
        yield noun[:-3] + "men"


def verb_forms(verb: str) -> Iterator[str]:
    """The regular forms of a verb; a last consonant both doubled and not, where it may be either."""
    yield from plurals(verb)
    stems = [verb[:-1] if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) else verb]
    if len(verb) > 2 and verb[-1] not in "aeiouwxyhjq" and verb[-2] in VOWELS and verb[-3] not in VOWELS:
        stems.append(verb + verb[-1])
    for stem in stems:
        yield stem + "ing"
        yield (stem[:-1] + "ied") if stem.endswith("y") and stem[-2:-1] not in VOWELS else stem + "ed"
    if verb.endswith("ee"):
        yield verb + "d"


def _plain(word: str) -> bool:
    return word.isascii() and word.isalpha() and word.islower()
