"""Derives a deck of Tai Chi Chuan from a dictionary: `python -m service.words.building.deck en`.

The method is that of the English deck (TC-2). Of the headwords that people know (Zipf frequency 2.5 and more, those
that computer players may say) the share that contains each letter is counted. The fourteen commonest letters stand on
the 39 single cards: two of each, and the other eleven cards by share (Sainte-Laguë, as seats by votes). The twelve rare
ones stand on six double cards: W with X, as in the source; the commonest with the rarest; the others in pairs down the
list. Then the cards are spread over three symbols, fifteen each, the copies of a letter as evenly as they go, so that
the mean shares of their cards (of a double card the commoner letter's) lie as close together as can be. `--play 1000`
plays that many turns: how many cards until no word fits, whatever the families (TC-22, TC-41).
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from random import Random

from rich.console import Console
from rich.progress import track
from rich.table import Table

from service.words import DATA, LANGUAGES, lists

LETTERS = "abcdefghijklmnopqrstuvwxyz"
SYMBOLS = ("parasol", "yin yang", "lotus")
SINGLE_LETTERS, SINGLES, FEWEST = 14, 39, 2
EACH = 13
"""Single cards of each symbol; two double ones beside them."""
Shares = Mapping[str, float]
Piles = tuple[tuple[str, ...], ...]


def shares(words: Sequence[str]) -> Shares:
    """Which part of the words contains each letter."""
    found = Counter(letter for word in words for letter in set(word))
    return {letter: found[letter] / len(words) for letter in LETTERS}


def order(found: Shares) -> str:
    """The letters, the commonest first."""
    return "".join(sorted(LETTERS, key=lambda letter: (-found[letter], letter)))


def copies(found: Shares) -> dict[str, int]:
    """How many single cards each of the commonest letters gets."""
    given = dict.fromkeys(order(found)[:SINGLE_LETTERS], FEWEST)
    while sum(given.values()) < SINGLES:
        given[max(given, key=lambda letter: found[letter] / (2 * given[letter] + 1))] += 1
    return given


def doubles(found: Shares) -> list[str]:
    """The double cards: pairs of rare letters."""
    left = [letter for letter in order(found)[SINGLE_LETTERS:] if letter not in "wx"]
    pairs = ["wx", left[0] + left[-1], *(left[at] + left[at + 1] for at in range(1, len(left) - 1, 2))]
    return sorted("".join(sorted(pair)) for pair in pairs)


def weight(card: str, found: Shares) -> float:
    """A card's share: of a double card that of its commoner letter."""
    return max(found[letter] for letter in card)


def spread(found: Shares) -> Piles:
    """The cards of each symbol: the spread whose mean shares differ least."""
    given = copies(found)
    even = [letter for letter, number in given.items() for _ in range(number // len(SYMBOLS))]
    extra = [letter for letter, number in given.items() for _ in range(number % len(SYMBOLS))]
    pairings = [(paired, _sums(paired, found)) for paired in _pairings(doubles(found))]
    best: tuple[float, Piles] | None = None
    for singles in _dealt(extra, EACH - len(even)):
        first, second, third = _sums(singles, found)
        for paired, (more, most, last) in pairings:
            sums = first + more, second + most, third + last
            apart = round(max(sums) - min(sums), 9)
            if best is None or apart <= best[0]:
                piles = tuple((*even, *single, *pair) for single, pair in zip(singles, paired, strict=True))
                best = min(best, (apart, piles)) if best else (apart, piles)
    assert best is not None
    return best[1]


def _sums(piles: Piles, found: Shares) -> tuple[float, ...]:
    return tuple(sum(weight(card, found) for card in pile) for pile in piles)


def _dealt(cards: Sequence[str], each: int) -> Iterable[Piles]:
    """The ways to give every symbol as many of the cards, none of them a letter twice."""
    kinds = [(letter, cards.count(letter)) for letter in dict.fromkeys(cards)]
    choices = [list(combinations(range(len(SYMBOLS)), number)) for _, number in kinds]
    for chosen in product(*choices):
        piles = [
            tuple(letter for (letter, _), symbols in zip(kinds, chosen, strict=True) if symbol in symbols)
            for symbol in range(len(SYMBOLS))
        ]
        if all(len(pile) == each for pile in piles):
            yield tuple(piles)


def _pairings(pairs: Sequence[str]) -> Iterable[Piles]:
    """The ways to give every symbol two of the double cards."""
    for first in combinations(pairs, 2):
        rest = [pair for pair in pairs if pair not in first]
        for second in combinations(rest, 2):
            yield first, second, tuple(pair for pair in rest if pair not in second)


def fits(word: str, cards: Sequence[str]) -> bool:
    """Whether a word may be said for the cards, the first turned first (TC-21 to TC-24)."""
    return any(
        word[0] == letters[0] and all(word.count(letter) >= number for letter, number in Counter(letters).items())
        for letters in product(*cards)
    )


def turns(words: Sequence[str], deck: Sequence[str], number: int) -> list[int]:
    """For how many cards of a shuffled deck some word is left, in each of some turns."""
    chance = Random(number)
    found = []
    for _ in track(range(number), "turns"):
        cards = chance.sample(deck, len(deck))
        left = [word for word in words if word[0] in cards[0]]
        for size in range(1, len(cards) + 1):
            left = [word for word in left if set(cards[size - 1]) & set(word) and fits(word, cards[:size])]
            if not left:
                found.append(size - 1)
                break
    return found


def main() -> None:
    """Prints the shares, the copies, and the deck."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", choices=sorted(LANGUAGES))
    parser.add_argument("--play", type=int, default=0)
    given = parser.parse_args()
    known = lists.read(DATA / f"{LANGUAGES[given.language]}.words")
    heads = known.heads.decode("ascii").split("\n")
    words = [heads[number] for number in lists.numbers(known.common)]
    found = shares(words)
    console = Console()
    console.print(f"{len(words)} words; share of them that contains a letter, %:")
    console.print(" ".join(f"{letter}{100 * found[letter]:.1f}" for letter in order(found)))
    console.print(" ".join(f"{number}{letter.upper()}" for letter, number in copies(found).items()))
    table = Table("symbol", "cards", "mean share, %")
    piles = spread(found)
    for symbol, pile in zip(SYMBOLS, piles, strict=True):
        cards = sorted(pile, key=lambda card: (len(card), -weight(card, found)))
        mean = 100 * sum(weight(card, found) for card in pile) / len(pile)
        table.add_row(symbol, " ".join("/".join(card.upper()) for card in cards), f"{mean:.2f}")
    console.print(table)
    if given.play:
        frequent = words[: len(words) * 2 // 5]
        for title, vocabulary in (("frequent two fifths", frequent), ("all of these", words), ("all headwords", heads)):
            lengths = turns(vocabulary, [card for pile in piles for card in pile], given.play)
            reached = [100 * sum(length >= size for length in lengths) / len(lengths) for size in range(3, 9)]
            mean = sum(lengths) / len(lengths)
            shown = " / ".join(f"{part:.0f}" for part in reached)
            console.print(f"{title} ({len(vocabulary)}): mean {mean:.2f}; 3 / 4 / 5 / 6 / 7 / 8 cards: {shown} %")


if __name__ == "__main__":
    main()
