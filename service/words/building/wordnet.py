"""WordNet 3.0, read from its database files (Debian's `wordnet-base`): the one-word entries, and what links them.

The formats are those of wndb(5WN) and cntlist(5WN).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

POS = {"noun": "noun", "verb": "verb", "adj": "adj", "adv": "adv"}
SS_TYPE = {"1": "noun", "2": "verb", "3": "adj", "4": "adv", "5": "adj"}
DERIVED = "+"
PERTAINS = "\\"  # of an adjective: pertains to; of an adverb: derived from
PARTICIPLE = "<"
INSTANCE = "@i"  # an instance, not a kind: a name
LEXNAMES = [
    "adj.all",
    "adj.pert",
    "adv.all",
    "noun.Tops",
    "noun.act",
    "noun.animal",
    "noun.artifact",
    "noun.attribute",
    "noun.body",
    "noun.cognition",
    "noun.communication",
    "noun.event",
    "noun.feeling",
    "noun.food",
    "noun.group",
    "noun.location",
    "noun.motive",
    "noun.object",
    "noun.person",
    "noun.phenomenon",
    "noun.plant",
    "noun.possession",
    "noun.process",
    "noun.quantity",
    "noun.relation",
    "noun.shape",
    "noun.state",
    "noun.substance",
    "noun.time",
    "verb.body",
    "verb.change",
    "verb.cognition",
    "verb.communication",
    "verb.competition",
    "verb.consumption",
    "verb.contact",
    "verb.creation",
    "verb.emotion",
    "verb.motion",
    "verb.perception",
    "verb.possession",
    "verb.social",
    "verb.stative",
    "verb.weather",
    "adj.ppl",
]


@dataclass(frozen=True, slots=True)
class Sense:
    """One sense of a word: how it is spelled there, its part of speech and its kind (`noun.artifact`), how often it
    was counted in WordNet's corpus, and whether it is an instance (a name)."""

    spelling: str
    pos: str
    kind: str
    count: int
    instance: bool
    gloss: str


@dataclass(slots=True)
class Entry:
    """A one-word entry: its senses, and the words (lower case) that it is linked to, by kind of link."""

    senses: list[Sense] = field(default_factory=list)
    derived: set[str] = field(default_factory=set)
    pertains: set[str] = field(default_factory=set)
    participle_of: set[str] = field(default_factory=set)

    def has(self, pos: str) -> bool:
        """Whether there is a sense of that part of speech that is spelled in lower case."""
        return any(sense.pos == pos and sense.spelling.islower() for sense in self.senses)

    def count(self, pos: str) -> int:
        """How often the senses of a part of speech were counted."""
        return sum(sense.count for sense in self.senses if sense.pos == pos)


def read(folder: Path) -> dict[str, Entry]:
    """The entries that are one word in the letters a to z, by their lower-case form."""
    counts = _counts(folder / "cntlist.rev")
    words: dict[tuple[str, int], list[str]] = {}
    rows = []
    for pos in POS:
        for row in _rows(folder / f"data.{pos}", pos):
            rows.append(row)
            words[pos, row.offset] = row.words
    entries: dict[str, Entry] = defaultdict(Entry)
    for row in rows:
        for index, (word, lex_id) in enumerate(zip(row.words, row.lex_ids, strict=True)):
            plain = word.lower()
            if not (plain.isascii() and plain.isalpha()):
                continue
            entry = entries[plain]
            count = counts.get((plain, row.pos, row.lex_filenum, lex_id), 0)
            instance = any(symbol == INSTANCE for symbol, *_ in row.pointers)
            entry.senses.append(Sense(word, row.pos, LEXNAMES[row.lex_filenum], count, instance, row.gloss))
            for symbol, pos, offset, source, target in row.pointers:
                if source != index + 1 or symbol not in (DERIVED, PERTAINS, PARTICIPLE):
                    continue
                other = words[pos, offset][target - 1].lower()
                links = {DERIVED: entry.derived, PERTAINS: entry.pertains, PARTICIPLE: entry.participle_of}
                links[symbol].add(other)
    return dict(entries)


def exceptions(folder: Path) -> dict[str, dict[str, set[str]]]:
    """Irregular forms: part of speech -> form -> bases."""
    found: dict[str, dict[str, set[str]]] = {}
    for pos in POS:
        forms: dict[str, set[str]] = defaultdict(set)
        for line in (folder / f"{pos}.exc").read_text("ascii").splitlines():
            form, *bases = line.split()
            if form.isalpha():
                forms[form] |= {base for base in bases if base.isalpha() and base != form}
        found[pos] = {form: bases for form, bases in forms.items() if bases}
    return found


@dataclass(slots=True)
class _Row:
    pos: str
    offset: int
    lex_filenum: int
    words: list[str]
    lex_ids: list[int]
    pointers: list[tuple[str, str, int, int, int]]
    gloss: str


_LETTER = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}


def _rows(path: Path, pos: str) -> Iterator[_Row]:
    with path.open(encoding="ascii", errors="replace") as lines:
        for line in lines:
            if line.startswith("  "):  # the licence
                continue
            data, _, gloss = line.partition(" | ")
            fields = data.split()
            size = int(fields[3], 16)
            words = [fields[4 + 2 * i].partition("(")[0] for i in range(size)]
            lex_ids = [int(fields[5 + 2 * i], 16) for i in range(size)]
            at = 4 + 2 * size
            pointers = []
            for i in range(int(fields[at])):
                symbol, offset, letter, ends = fields[at + 1 + 4 * i : at + 5 + 4 * i]
                source, target = bytes.fromhex(ends)
                pointers.append((symbol, _LETTER[letter], int(offset), source, target))
            yield _Row(pos, int(fields[0]), int(fields[1]), words, lex_ids, pointers, gloss.strip())


def _counts(path: Path) -> dict[tuple[str, str, int, int], int]:
    found: dict[tuple[str, str, int, int], int] = {}
    for line in path.read_text("ascii").splitlines():
        key, _, count = line.split()
        lemma, _, sense = key.partition("%")
        ss_type, lex_filenum, lex_id, *_ = sense.split(":")
        found[lemma, SS_TYPE[ss_type], int(lex_filenum), int(lex_id)] = int(count)
    return found
