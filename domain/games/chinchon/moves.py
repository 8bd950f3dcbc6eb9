"""Chinchón's moves and their notation: `draw stock`, `draw pile`, `discard 5H`, `cut 5H`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from domain import cards
from domain.rejected import Rejected, malformed

if TYPE_CHECKING:
    from domain.games.chinchon.view import Observation


class DrawStock(msgspec.Struct, frozen=True):
    """The top card of the stock (CH-21)."""


class DrawPile(msgspec.Struct, frozen=True):
    """The top card of the discard pile (CH-21)."""


class Discard(msgspec.Struct, frozen=True):
    """A card to the pile, which ends the turn (CH-22)."""

    card: int


class Cut(msgspec.Struct, frozen=True):
    """The round is closed; `card` is the eighth card, the seven kept are opened (CH-24)."""

    card: int


Move = DrawStock | DrawPile | Discard | Cut

DRAW_STOCK = DrawStock()
DRAW_PILE = DrawPile()
DISCARDS: tuple[Discard, ...] = tuple(Discard(card) for card in range(54))
CUTS: tuple[Cut, ...] = tuple(Cut(card) for card in range(54))
EXAMPLES: dict[str, str] = {"draw": "draw stock", "discard": "discard 5H", "cut": "cut 5H"}
FORMS: tuple[str, ...] = ("draw stock", "draw pile", "discard 5H", "cut 5H")

_LONGEST = 80  # characters of a typed move
_STOCK = {"stock", "pot", "deck", "unseen"}
_PILE = {"pile", "shack", "discard pile", "discards", "top"}
_DRAWS = {"draw", "take", "pick"}
_DISCARDS = {"discard", "shed", "throw", "drop"}
_CUTS = {"cut", "close", "knock"}
_OF = {"from", "the", "of", "with"}
_JOKER = re.compile(r"(?:x|★|joker ?)([12])", re.ASCII)
_JOKERS = {"X1": 52, "X2": 53}


def notation(move: Move) -> str:
    """The exact form: lower-case word, one space, argument."""
    match move:
        case DrawStock():
            return "draw stock"
        case DrawPile():
            return "draw pile"
        case Discard(card=card):
            return f"discard {cards.name(card)}"
        case Cut(card=card):
            return f"cut {cards.name(card)}"


def read(text: str) -> Move:
    """The move of an exact notation; Rejected `not_a_move` or `not_a_card` for anything else."""
    if text == "draw stock":
        return DRAW_STOCK
    if text == "draw pile":
        return DRAW_PILE
    word, _, argument = text.partition(" ")
    if word in ("discard", "cut"):
        card = cards.card_of(argument)
        if card < len(DISCARDS):
            return DISCARDS[card] if word == "discard" else CUTS[card]
    raise malformed("not_a_move", text=text[:_LONGEST], forms=FORMS)


def parse(text: str, observation: Observation) -> Move:
    """The move that a person means: `draw`, `stock`, `pile`, `discard queen of spades`, `cut 5♥`; a bare card is shed.

    Rejected: `not_a_move`, `not_a_card` (malformed), `which_draw` (ambiguous: `draw` alone, with both piles open),
    `which_card` (ambiguous: a rank alone, held more than once).
    """
    plain = " ".join(text[: _LONGEST + 1].split())
    refusal = malformed("not_a_move", text=plain[:_LONGEST], forms=FORMS)
    if not plain or len(text) > _LONGEST:
        raise refusal
    words = [word for word in plain.split() if word.lower() not in _OF]
    if not words:
        raise refusal
    first, rest = words[0].lower(), " ".join(words[1:])
    if first in _DRAWS:
        return _draw(rest.lower(), observation, refusal)
    if " ".join(words).lower() in _STOCK | _PILE:
        return _draw(" ".join(words).lower(), observation, refusal)
    if first in _DISCARDS:
        return Discard(_card(rest, observation))
    if first in _CUTS:
        return Cut(_card(rest, observation))
    return Discard(_card(" ".join(words), observation))


def _draw(where: str, observation: Observation, refusal: Rejected) -> Move:
    if where in _STOCK:
        return DRAW_STOCK
    if where in _PILE:
        return DRAW_PILE
    if where:
        raise refusal
    if observation.pile:
        raise Rejected("which_draw", kind="ambiguous", candidates=["draw stock", "draw pile"])
    return DRAW_STOCK


def _card(text: str, observation: Observation) -> int:
    plain = text.strip().lower()
    joker = _JOKER.fullmatch(plain)
    if joker is not None:
        return _JOKERS[f"X{joker[1]}"]
    held = observation.hand or ()
    if plain == "joker":
        jokers = [card for card in held if card >= 52]
        if len(jokers) > 1:
            raise Rejected("which_card", kind="ambiguous", candidates=[cards.name(card) for card in jokers])
        return jokers[0] if jokers else _JOKERS["X1"]
    return cards.read_card(text, cards.mask(held))
