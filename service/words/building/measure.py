"""How right the English judge is, on words it was not tuned on: `python -m service.words.building.measure`.

Forms of the frequent words are made with the SPECIALIST lexicon's tables, regular endings where these say so, and each
should be refused; headwords among the frequent words should be accepted. The words are split in two by a hash: rules
and hand-made lists were tuned looking at half A, half B is the figure. A form that is a word of its own (*left*, *saw*)
counts as accepted all the same, so none of the figures can be 0.
"""

from __future__ import annotations

import argparse
import gzip
from collections import defaultdict
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from rich.console import Console
from rich.table import Table
from wordfreq import top_n_list, zipf_frequency

from service.words import Dictionary, lexicon
from service.words.building import inflection, wordnet

FREQUENT = 10_000
COMMON = 3.5
FORMS = {
    ("noun", 0): "plurals",
    ("verb", 0): "past forms",
    ("verb", 1): "past forms",
    ("verb", 2): "-ing forms",
    ("verb", 3): "third persons",
    ("adj", 0): "comparatives",
    ("adj", 1): "comparatives",
}


def half(word: str) -> str:
    """The half that a word is in."""
    return "AB"[sha256(word.encode()).digest()[0] % 2]


def forms_of(words: set[str]) -> dict[str, set[str]]:
    """What is made of the words, by kind of form."""
    spec = find_spec("lemminflect")
    assert spec is not None
    assert spec.origin is not None
    found: dict[str, set[str]] = defaultdict(set)
    with gzip.open(Path(spec.origin).parent / "resources" / "infl_lu.csv.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            word, pos, *columns = line.rstrip("\n").split(",")
            if word not in words:
                continue
            for index, column in enumerate(columns):
                kind = FORMS.get((pos, index))
                if kind is None:
                    continue
                given = [form for form in column.split("/") if form]
                for form in given or _regular(word, pos, index):
                    if form != word and form.isalpha() and form.isascii():
                        found[kind].add(form)
    return found


def _regular(word: str, pos: str, index: int) -> list[str]:
    """The form that an empty column of the table stands for."""
    if pos == "adj":
        return []
    if pos == "noun" or index == 3:
        return list(inflection.plurals(word))[:1]
    ending = "ing" if index == 2 else "ed"
    return [form for form in inflection.verb_forms(word) if form.endswith(ending)][:1]


def headwords(folder: Path) -> set[str]:
    """Common headwords by others' judgement: lemmas of WordNet and of the lexicon alike that are a form of no word."""
    entries = wordnet.read(folder)
    bases = inflection.bases()
    found = set()
    for word in top_n_list("en", 30_000):
        by_pos = bases.get(word, {})
        lemma = by_pos and all(word in lemmas for lemmas in by_pos.values())
        lower = word in entries and any(sense.spelling.islower() for sense in entries[word].senses)
        if lemma and lower and len(word) > 1 and zipf_frequency(word, "en") >= COMMON:
            found.add(word)
    return found


def share(words: set[str], accepted: bool, judge: Dictionary, which: str) -> tuple[int, list[str]]:
    """How many words of a half there are, and those of them that get the verdict."""
    mine = [word for word in sorted(words) if half(word) == which]
    return len(mine), [word for word in mine if (word in judge) is accepted]


def main() -> None:
    """Prints the figures; `--show A` also the words of that half."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--show", choices=["A", "B"])
    given = parser.parse_args()
    judge = lexicon("en")
    frequent = {word for word in top_n_list("en", 3 * FREQUENT) if word.isascii() and word.isalpha()}
    made = forms_of(set(sorted(frequent, key=lambda word: (-zipf_frequency(word, "en"), word))[:FREQUENT]))
    rows = [(f"{kind} accepted", made[kind], True) for kind in dict.fromkeys(FORMS.values())]
    rows.append((f"headwords of Zipf {COMMON} and more refused", headwords(given.wordnet), False))
    table = Table("wrong", "half A", "half B (held out)")
    console = Console()
    for title, words, accepted in rows:
        cells = []
        for which in "AB":
            size, wrong = share(words, accepted, judge, which)
            cells.append(f"{100 * len(wrong) / max(size, 1):.2f} % of {size}")
            if which == given.show:
                console.print(f"[bold]{title}[/bold]: {' '.join(wrong)}")
        table.add_row(title, *cells)
    console.print(table)


if __name__ == "__main__":
    main()
