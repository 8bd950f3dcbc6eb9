"""Computer players of Tai Chi Chuan: one who knows no word, and one who is handed a dictionary."""

from __future__ import annotations

from domain.game import Lexicon
from domain.games.taichi import fit
from domain.games.taichi.deck import LETTERS_OF, by_symbol
from domain.games.taichi.guess import unseen
from domain.games.taichi.moves import CHALLENGE, DECLINE, DISAGREE, NO_WORD, OPEN, PASS, READY, STOP, TURN, Move, Word
from domain.games.taichi.view import Observation

_KNOWN = 3000  # words, of all letters: what a person thinks of (level `steady`)
_INITIALS = 20  # letters that words begin with, more or less
_SURE = 0.75  # how likely there must be a word for the next card to go on, with one open card; a little more each
_NEXT = 0.5  # how many cards more of the symbol he wins the next one gives, on average


def player(level: str, seen: Observation) -> Move:
    """The move of a computer player who knows no word: he turns, finds none, passes and never bets."""
    assert level == "steady"
    for move in (TURN, NO_WORD, PASS, DECLINE, READY, DISAGREE):
        if move.what in seen.legal:
            return move
    raise AssertionError("a computer player moves when it is asked")


def speaker(level: str, seen: Observation, lexicon: Lexicon) -> Move:
    """The move of the computer player (level `steady`) with the vocabulary of an everyday person."""
    assert level == "steady"
    mind = _Mind(seen, lexicon)
    legal = seen.legal
    if OPEN.what in legal:
        return OPEN
    if seen.may_say:
        word = mind.word()
        if word is not None:
            return Word(word)
    elif STOP.what in legal:
        return TURN if mind.goes_on() else STOP
    elif CHALLENGE.what in legal:
        return CHALLENGE if mind.challenges() else DECLINE
    return player(level, seen)


class _Mind:
    """What he makes of the cards he sees, with the words he knows."""

    def __init__(self, seen: Observation, lexicon: Lexicon) -> None:
        self.seen, self.lexicon = seen, lexicon
        self.cards = seen.open if seen.card is None else (*seen.open, seen.card)

    def _known(self, cards: tuple[int, ...]) -> list[str]:
        """The words he knows that fit the cards."""
        share = _KNOWN // _INITIALS
        return [
            word
            for letter in LETTERS_OF[cards[0]]
            for word in self.lexicon.common(letter)[:share]
            if fit.fits(word, cards)
        ]

    def word(self) -> str | None:
        """A valid word, or None: in a duel that has been decided he looks for none."""
        if self.seen.answers:
            return None
        families = {id for _, word in self.seen.words for id in self.lexicon.rule(word).families}
        said = {word for _, word in self.seen.words}
        decided = {one.word: one.counts for one in self.seen.ruled if not one.of}
        for word in self._known(self.cards):
            ruling = self.lexicon.rule(word)
            if word in said or not decided.get(word, ruling.accepted):
                continue
            if families.isdisjoint(ruling.families):
                return word
        return None

    def _chance(self) -> float:
        """How likely the next card leaves a word that he knows."""
        rest = unseen(self.seen)
        if not rest:
            return 0.0
        words = [word for word in self._known(self.cards) if word not in {said for _, said in self.seen.words}]
        good = sum(any(fit.fits(word, (*self.cards, card)) for word in words) for card in set(rest))
        return good / len(set(rest))

    def goes_on(self) -> bool:
        """Whether he turns another card: what he wins by stopping against what one more card may bring."""
        if self.seen.piled == 0 and (self.seen.deck == 2 or not self.seen.discards):
            return False
        return self._chance() >= min(0.95, _SURE + 0.05 * len(self.cards))

    def challenges(self) -> bool:
        """Whether he bets that he is quicker: what he may win, as likely as he finds a word first, against his card."""
        most = len(by_symbol(self.seen.open)[0]) + _NEXT
        wins = self._chance() / (2 + len(self.seen.bets))
        return wins * most > 1 - wins


def pace(seen: Observation) -> tuple[int, int]:
    """The least and the most milliseconds that a computer player takes: he thinks where others look for a word too, the
    longer the more cards there are (TC-28, TC-35)."""
    if seen.phase not in ("rescue", "duel") or seen.answers or not seen.may_say:
        return 0, 0
    cards = len(seen.open) + seen.hidden
    least = 4000 + 1000 * min(cards, 6)
    return least, min(25_000, least + 3000 * cards)
