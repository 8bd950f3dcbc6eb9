"""Chit Chat's moves and their notation: `talk 2H`, `argue 3S`, `change 2D 3D`, `resign`."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

import msgspec

from domain import cards
from domain.games.chitchat.pack import CONVERSATION
from domain.rejected import Rejected, malformed

if TYPE_CHECKING:
    from domain.games.chitchat.view import Observation


class Talk(msgspec.Struct, frozen=True):
    """Small talk: a card off the topic (CC-21)."""

    card: int


class Argue(msgspec.Struct, frozen=True):
    """A card of the topic: the argument goes on (CC-25)."""

    card: int


class Change(msgspec.Struct, frozen=True):
    """A change of topic: two cards of another suit, in the order in which they are laid (CC-27)."""

    first: int
    second: int


class Resign(msgspec.Struct, frozen=True):
    """Gives the game up (CC-45)."""


Move = Talk | Argue | Change | Resign

TALKS: tuple[Talk, ...] = tuple(Talk(card) for card in range(52))
ARGUES: tuple[Argue, ...] = tuple(Argue(card) for card in range(52))
CHANGES: tuple[tuple[Change, ...], ...] = tuple(
    tuple(Change(first, second) for second in range(39)) for first in range(39)
)
RESIGN = Resign()

FORMS = ("talk 2H", "argue 3S", "change 2D 3D", "resign")

_LONGEST = 80  # characters of a typed move
_WORDS = re.compile(
    r"(?P<talk>(?:make )?small[ _-]?talk|talk|chat)\b|(?P<argue>continue(?: the)?(?: argument)?|argue)\b"
    r"|(?P<change>change(?: of)?(?: the)?(?: topic)?(?: to)?)\b|(?P<resign>resign|give up)$",
    re.IGNORECASE | re.ASCII,
)
_BETWEEN = re.compile(r"\s*(?:[,+/;&]|\band\b|\bthen\b)\s*|\s+", re.IGNORECASE | re.ASCII)
_TIGHT = re.compile(r"([A2-6][SHD♠♥♦]\ufe0f?)(?=[A2-6][SHD♠♥♦])", re.IGNORECASE)  # 2D3D
_ONE = re.compile(r"(?<!\d)1(?!\d)|\bone\b", re.IGNORECASE | re.ASCII)  # an ace is a one (CC-1)


_TALK = tuple(f"talk {name}" for name in cards.NAMES)
_ARGUE = tuple(f"argue {name}" for name in cards.NAMES)


def notation(move: Move) -> str:
    """The exact form: lower-case word, then the cards in the order laid."""
    match move:
        case Argue(card=card):
            return _ARGUE[card]
        case Talk(card=card):
            return _TALK[card]
        case Change(first=first, second=second):
            return f"change {cards.NAMES[first]} {cards.NAMES[second]}"
        case Resign():
            return "resign"


_EVERY: list[Move] = [
    *(TALKS[card] for card in CONVERSATION),
    *(ARGUES[card] for card in CONVERSATION),
    *(Change(*pair) for pair in itertools.product(CONVERSATION, repeat=2)),
    RESIGN,
]
_READ: dict[str, Move] = {notation(move): move for move in _EVERY}


def read(text: str) -> Move:
    """The move of an exact notation; Rejected `not_a_move` for anything else, kings and clubs too."""
    move = _READ.get(text)
    if move is None:
        raise malformed("not_a_move", text=text[:_LONGEST], forms=FORMS)
    return move


def parse(text: str, observation: Observation) -> Move:
    """The move that a person means: `talk 2h`, `continue 3 of spades`, `change 2D 3D`; a bare card is what it can only
    be, on the topic or off it; two bare cards change the topic. A rank alone will do where it leaves one legal move.

    Rejected: `not_a_move`, `not_a_card`, `not_a_conversation_card` (malformed), `which_card` (ambiguous).
    """
    plain = " ".join(text[: _LONGEST + 1].split())
    if not plain or len(text) > _LONGEST:
        raise malformed("not_a_move", text=plain[:_LONGEST], forms=FORMS)
    word = _WORDS.match(plain)
    kind = "" if word is None else word.lastgroup or ""
    argument = plain if word is None else plain[word.end() :].strip()
    if kind == "resign":
        return RESIGN
    if not argument:
        raise malformed("not_a_move", text=plain, forms=FORMS)
    argument = _ONE.sub("A", argument)
    if kind != "change":
        one = _card(argument, observation)
        if one:
            return _choose([_laid(kind, card, observation) for card in one], observation)
    if kind in ("", "change"):
        pairs = _pairs(argument, observation)
        if pairs:
            return _choose(pairs, observation)
    raise malformed("not_a_card", text=argument)


def _laid(kind: str, card: int, observation: Observation) -> Move:
    if kind == "":
        kind = "argue" if card // 13 == observation.topic else "talk"
    return TALKS[card] if kind == "talk" else ARGUES[card]


def _card(text: str, observation: Observation) -> list[int]:
    """The cards that the text may mean, several of them for a rank alone; none when it is no card.

    Rejected `not_a_conversation_card`.
    """
    try:
        found = [cards.read_card(text, cards.mask(observation.hand or ()))]
    except Rejected as refusal:
        found = [cards.card_of(name) for name in refusal.values.get("candidates", ())]
    strange = [card for card in found if card not in CONVERSATION]
    if strange:
        raise malformed("not_a_conversation_card", card=cards.NAMES[strange[0]])
    return found


def _pairs(text: str, observation: Observation) -> list[Move]:
    """The changes that the text may mean: two cards, however they are parted."""
    words = [word for word in _BETWEEN.split(_TIGHT.sub(r"\1 ", text)) if word]
    found: list[Move] = []
    for cut in range(1, len(words)):
        first, second = (_card(" ".join(part), observation) for part in (words[:cut], words[cut:]))
        found += [Change(*pair) for pair in itertools.product(first, second)]
    return list(dict.fromkeys(found))


def _choose(found: list[Move], observation: Observation) -> Move:
    """The only move that is meant, or the only legal one of several."""
    if len(found) == 1:
        return found[0]
    legal = [move for move in found if notation(move) in observation.legal]
    if len(legal) == 1:
        return legal[0]
    raise Rejected("which_card", kind="ambiguous", candidates=[notation(move) for move in legal or found][:12])
