"""The judge of words: which word is a headword, why another is none, and which words are one family (TC-40, TC-41)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from domain.game import Ruling
from service.words import lists
from service.words.folding import fold


class Dictionary:
    """One dictionary, read from its file. It implements `domain.game.Lexicon`."""

    def __init__(self, read: lists.Lists) -> None:
        heads = read.heads.decode("ascii").split("\n")
        self.name = read.name
        self._heads = heads
        self._number = dict(zip(heads, range(len(heads)), strict=True))
        self._ends = lists.numbers(read.ends)
        self._members = lists.numbers(read.members)
        self._groups = read.groups
        self._forms = read.forms
        spelled = read.spelled.decode("utf-8").replace("\n", " ").split(" ")
        self._spelled = dict(zip(spelled[::2], spelled[1::2], strict=False))
        self._common = lists.numbers(read.common)
        self._by_initial: dict[str, tuple[str, ...]] = {}

    @classmethod
    def load(cls, path: Path) -> Dictionary:
        """The dictionary in a file; `lists.BadLists` where it is none."""
        return cls(lists.read(path))

    def __contains__(self, word: str) -> bool:
        """Whether a word, folded, is a headword."""
        return word in self._number

    def __len__(self) -> int:
        return len(self._heads)

    def rule(self, word: str) -> Ruling:
        """The verdict on whatever somebody wrote. A form's families are those of the word that it is a form of."""
        folded = fold(word)
        if folded is None:
            return Ruling(word=word, accepted=False, reason="not_letters")
        number = self._number.get(folded)
        if number is not None:
            return Ruling(
                word=folded, accepted=True, families=self._families(number), shown=self._spelled.get(folded, "")
            )
        return self._refused(folded)

    def common(self, initial: str) -> Sequence[str]:
        """Headwords that begin with a letter, the most frequent first; rude ones are left out, though playable."""
        found = self._by_initial.get(initial)
        if found is None:
            words = (self._heads[number] for number in self._common)
            found = tuple(word for word in words if word.startswith(initial))
            self._by_initial[initial] = found
        return found

    def _refused(self, word: str) -> Ruling:
        if len(word) < 2:
            return Ruling(word=word, accepted=False, reason="too_short")
        text = lists.line(self._forms, word)
        if text is None:
            return Ruling(word=word, accepted=False, reason="not_in_dictionary")
        reason, base = lists.entry(word, text)
        number = self._number.get(base)
        families = () if number is None else self._families(number)
        return Ruling(word=word, accepted=False, reason=reason, of=self._spelled.get(base, base), families=families)

    def _families(self, number: int) -> tuple[int, ...]:
        """The families of a headword, and one of its own: the same word again is of the same family."""
        start = self._ends[number - 1] if number else 0
        return (*self._members[start : self._ends[number]], self._groups + number)


def one_family(first: Ruling, second: Ruling) -> bool:
    """Whether two words are one family (TC-41); the same word is, whatever it is."""
    return first.word == second.word or not set(first.families).isdisjoint(second.families)
