"""The rules of play a second time, as the rule text writes them down: slow, plain, and sharing nothing with ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

RANKS = "23456789TJQKA"


class Wish(NamedTuple):
    """The options that rules of play look at."""

    must_beat: bool = True
    must_trump: str = "always"


def power(card: str, led: str, trump: str) -> tuple[int, int]:
    """How high a card stands in a trick."""
    rank, suit = RANKS.index(card[0]), card[1]
    if suit == trump:
        return 2, rank
    if suit == led:
        return 1, rank
    return 0, 0


def legal(hand: Sequence[str], trick: Sequence[str], trump: str, wish: Wish) -> list[str]:
    """CB-31 to CB-36, by the text's own program."""
    if not trick:
        return list(hand)
    led = trick[0][1]
    top = max(power(card, led, trump) for card in trick)

    def beats(card: str) -> bool:
        return power(card, led, trump) > top

    fitting = [card for card in hand if card[1] == led]
    if not fitting:
        fitting = [card for card in hand if card[1] == trump]
        if wish.must_trump == "never":
            fitting = []
        if wish.must_trump == "if_beats":
            fitting = [card for card in fitting if beats(card)]
            if fitting and not wish.must_beat:
                fitting = [card for card in hand if card[1] == trump]
        if not fitting:
            return list(hand)
    if wish.must_beat and any(beats(card) for card in fitting):
        return [card for card in fitting if beats(card)]
    return fitting


def winner(trick: Sequence[tuple[int, str]], trump: str) -> int:
    """CB-37: the seat whose card stands highest."""
    led = trick[0][1][1]
    return max(trick, key=lambda played: power(played[1], led, trump))[0]


def score(call: int, won: int) -> int:
    """CB-40."""
    if won == call:
        return 10 * call
    return -10 * call if won < call else 10 * call + (won - call)
