"""Cards as small integers and hands as bit masks, with their notation both ways.

A card is `suit * 13 + rank`: suits S H D C = 0..3, ranks 2..A = 0..12; the jokers X1..X4 are 52..55. A hand is the mask
with bit `card` set, so a suit of a hand is thirteen adjacent bits and the higher bit is the higher card.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from domain.rejected import Rejected, malformed

RANKS = "23456789TJQKA"
SUITS = "SHDC"
PACK: tuple[int, ...] = tuple(range(52))
NAMES: tuple[str, ...] = (*(rank + suit for suit in SUITS for rank in RANKS), "X1", "X2", "X3", "X4")
BIT: tuple[int, ...] = tuple(1 << card for card in range(56))
SUIT_MASK: tuple[int, ...] = tuple(0x1FFF << (13 * suit) for suit in range(4))
RANK_MASK: dict[str, int] = {
    rank: sum(1 << (13 * suit + index) for suit in range(4)) for index, rank in enumerate(RANKS)
}

_BY_NAME = {name: card for card, name in enumerate(NAMES)}
_RANK_WORDS = {
    "ace": "A", "king": "K", "queen": "Q", "jack": "J", "knave": "J", "ten": "T", "nine": "9", "eight": "8",
    "seven": "7", "six": "6", "five": "5", "four": "4", "three": "3", "two": "2", "deuce": "2", "10": "T",
}  # fmt: skip
_SUIT_WORDS = {
    "spades": "S", "spade": "S", "hearts": "H", "heart": "H", "diamonds": "D", "diamond": "D", "clubs": "C",
    "club": "C", "♠": "S", "♤": "S", "♥": "H", "♡": "H", "♦": "D", "♢": "D", "♣": "C", "♧": "C",
}  # fmt: skip
_LONGEST_CARD = 40  # characters; "queen of diamonds" has 17


def suit(card: int) -> int:
    """The suit's index in SUITS."""
    return card // 13


def rank(card: int) -> int:
    """The rank's index in RANKS, 0 for a two, 12 for an ace."""
    return card % 13


def mask(cards: Iterable[int]) -> int:
    """The hand that holds `cards`."""
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


def cards(hand: int) -> tuple[int, ...]:
    """The cards of a hand, ascending: spades first, in each suit from the two to the ace."""
    found = []
    while hand:
        low = hand & -hand
        found.append(low.bit_length() - 1)
        hand ^= low
    return tuple(found)


def name(card: int) -> str:
    """The notation of a card, `QS`."""
    return NAMES[card]


def names(hand: int) -> list[str]:
    """The notation of every card of a hand, in the order of `cards`."""
    return [NAMES[card] for card in cards(hand)]


def card_of(notation: str) -> int:
    """The card of an exact notation (`QS`, `TH`); Rejected `not_a_card` for anything else."""
    try:
        return _BY_NAME[notation]
    except (KeyError, TypeError):
        raise malformed("not_a_card", text=str(notation)[:_LONGEST_CARD]) from None


def read_card(text: str, held: int) -> int:
    """The card that a person means by `text`: forgiving in case, spaces, `10`, suit symbols and English words.

    A rank alone ("queen") means the one card of that rank in `held`; with several it is ambiguous. Rejected
    `not_a_card` (malformed) or `which_card` (ambiguous, with `candidates`). A card named in full need not be held.
    """
    if len(text) > _LONGEST_CARD:
        raise malformed("not_a_card", text=text[:_LONGEST_CARD])
    plain = unicodedata.normalize("NFKC", text).replace("\ufe0f", "").replace("\ufe0e", "").strip().lower()
    found = _read_rank_and_suit(plain)
    if found is None:
        raise malformed("not_a_card", text=text)
    rank_name, suit_name = found
    if suit_name is not None:
        return _BY_NAME[rank_name + suit_name]
    candidates = cards(held & RANK_MASK[rank_name])
    if len(candidates) == 1:
        return candidates[0]
    if not candidates:
        raise malformed("not_a_card", text=text)
    raise Rejected("which_card", kind="ambiguous", candidates=[NAMES[card] for card in candidates])


def _read_rank_and_suit(plain: str) -> tuple[str, str | None] | None:
    words = [word for word in re.split(r"[\s\-_]+", plain) if word and word != "of"]
    if len(words) == 1:
        words = _split_word(words[0])
    if not 1 <= len(words) <= 2:
        return None
    ranks = [_rank_name(word) for word in words]
    suits = [_suit_name(word) for word in words]
    if len(words) == 1:
        return (ranks[0], None) if ranks[0] else None
    if ranks[0] and suits[1]:
        return ranks[0], suits[1]
    if suits[0] and ranks[1]:  # "♠Q"
        return ranks[1], suits[0]
    return None


def _split_word(word: str) -> list[str]:
    """`qs`, `10h`, `q♠`, `♠q` in two words; anything else as it is."""
    if _rank_name(word):
        return [word]
    if _rank_name(word[:-1]) and _suit_name(word[-1]):
        return [word[:-1], word[-1]]
    if _suit_name(word[0]) and _rank_name(word[1:]):
        return [word[0], word[1:]]
    return [word]


def _rank_name(word: str) -> str | None:
    if len(word) == 1 and word.upper() in RANKS and word.isascii():
        return word.upper()
    return _RANK_WORDS.get(word)


def _suit_name(word: str) -> str | None:
    if len(word) == 1 and word.upper() in SUITS and word.isascii():
        return word.upper()
    return _SUIT_WORDS.get(word)
