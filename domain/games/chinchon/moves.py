"""Chinchón's moves and their notation: `draw stock`, `draw pile`, `discard 5H`, `cut 5H`, `meld 4H5H6H 7S7D7C`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from domain import cards
from domain.games.chinchon.events import Groups
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


class Meld(msgspec.Struct, frozen=True):
    """All the melds of a hand, as its owner shows them; none for a hand without any (CH-62)."""

    groups: Groups


class Lay(msgspec.Struct, frozen=True):
    """A card to the meld that is being laid out, before all of them are shown."""

    card: int


class LayNext(msgspec.Struct, frozen=True):
    """On to the next meld."""


class LayBack(msgspec.Struct, frozen=True):
    """What was laid out, back into the hand."""


Move = DrawStock | DrawPile | Discard | Cut | Meld | Lay | LayNext | LayBack

DRAW_STOCK = DrawStock()
DRAW_PILE = DrawPile()
DISCARDS: tuple[Discard, ...] = tuple(Discard(card) for card in range(54))
CUTS: tuple[Cut, ...] = tuple(Cut(card) for card in range(54))
LAYS: tuple[Lay, ...] = tuple(Lay(card) for card in range(54))
LAY_NEXT = LayNext()
LAY_BACK = LayBack()
NO_MELD = Meld(())
EXAMPLES: dict[str, str] = {
    "draw": "draw stock",
    "discard": "discard 5H",
    "cut": "cut 5H",
    "meld": "meld 4H5H6H 7S7D7C",
    "lay": "lay 5H",
}
FORMS: tuple[str, ...] = ("draw stock", "draw pile", "discard 5H", "cut 5H")
MELD_FORMS: tuple[str, ...] = ("meld 4H5H6H 7S7D7C", "meld none")

_LONGEST = 80  # characters of a typed move
_MOST = 14  # cards in the melds that somebody shows: twice his hand
_STOCK = {"stock", "pot", "deck", "unseen"}
_PILE = {"pile", "shack", "discard pile", "discards", "top"}
_DRAWS = {"draw", "take", "pick"}
_DISCARDS = {"discard", "shed", "throw", "drop"}
_CUTS = {"cut", "close", "knock"}
_OF = {"from", "the", "of", "with"}
_MELDS = {"meld", "melds", "show", "declare"}
_CARDS = re.compile(r"(?:(?:10|[a2-9tjqk])[shdc♠♤♥♡♦♢♣♧]|[x★][12])", re.IGNORECASE | re.ASCII)
_BETWEEN = re.compile(r"[,;|/+]")
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
        case Meld(groups=groups):
            return f"meld {grouped(groups)}"
        case Lay(card=card):
            return f"lay {cards.name(card)}"
        case LayNext():
            return "lay next"
        case LayBack():
            return "lay back"


def grouped(groups: Groups) -> str:
    """Groups of cards in notation, `4H5H6H 7S7D7C`; `none` for no group."""
    return " ".join("".join(map(cards.name, group)) for group in groups) or "none"


def read(text: str) -> Move:
    """The move of an exact notation; Rejected `not_a_move` or `not_a_card` for anything else."""
    if (plain := _PLAIN.get(text)) is not None:
        return plain
    word, _, argument = text.partition(" ")
    if word in _OF_A_CARD:
        card = cards.card_of(argument)
        if card < len(DISCARDS):
            return _OF_A_CARD[word][card]
    if word == "meld" and len(text) <= _LONGEST:
        groups = tuple(tuple(part[at : at + 2] for at in range(0, len(part), 2)) for part in argument.split(" "))
        if all(groups) and sum(map(len, groups)) <= _MOST:
            found = tuple(tuple(map(cards.card_of, group)) for group in groups)
            if all(card < len(DISCARDS) for group in found for card in group):
                return Meld(found)
    raise malformed("not_a_move", text=text[:_LONGEST], forms=FORMS)


_PLAIN: dict[str, Move] = {
    "draw stock": DRAW_STOCK,
    "draw pile": DRAW_PILE,
    "meld none": NO_MELD,
    "lay next": LAY_NEXT,
    "lay back": LAY_BACK,
}
_OF_A_CARD: dict[str, tuple[Move, ...]] = {"discard": DISCARDS, "cut": CUTS, "lay": LAYS}


def parse(text: str, observation: Observation) -> Move:
    """The move that a person means: `draw`, `stock`, `pile`, `discard queen of spades`, `cut 5♥`; a bare card is shed.

    Melds are cards written together, or with a comma between them: `meld 4♥5♥6♥ 7♠7♦7♣`, `meld 4♥ 5♥ 6♥, 7♠ 7♦ 7♣`.

    Rejected: `not_a_move`, `not_a_card`, `not_melds` (malformed), `which_draw` (ambiguous: `draw` alone, with both
    piles open), `which_card` (ambiguous: a rank alone, held more than once), `which_melds` (ambiguous: more single
    cards than a meld has).
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
    if first in _MELDS:
        return _meld(plain.partition(" ")[2], observation)
    if first == "lay":
        return _PLAIN.get(f"lay {rest.lower()}") or Lay(_card(rest, observation))
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


def _meld(text: str, observation: Observation) -> Move:
    """The melds that somebody shows."""
    if text.lower() == "none":
        return NO_MELD
    parts = [part.replace(" ", "") for part in _BETWEEN.split(text)]
    if len(parts) == 1:
        alone = text.split()
        single = [part for part in alone if _CARDS.fullmatch(part)]
        parts = ["".join(alone)] if len(single) == len(alone) else alone
        if len(single) == len(alone) > observation.options.meld_max:
            raise Rejected("which_melds", kind="ambiguous", candidates=[MELD_FORMS[0]])
    groups = []
    for part in filter(None, parts):
        names = _CARDS.findall(part)
        if "".join(names) != part:
            raise malformed("not_melds", text=text[:_LONGEST], forms=MELD_FORMS)
        groups.append(tuple(_card(name, observation) for name in names))
    if not groups or sum(map(len, groups)) > _MOST:
        raise malformed("not_melds", text=text[:_LONGEST], forms=MELD_FORMS)
    return Meld(tuple(groups))


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
