"""Call Break's moves and their notation: `call 4`, `play QS`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from domain import cards
from domain.rejected import malformed

if TYPE_CHECKING:
    from domain.games.callbreak.view import Observation


class Call(msgspec.Struct, frozen=True):
    """A call of `number` tricks (CB-20)."""

    number: int


class PlayCard(msgspec.Struct, frozen=True):
    """A card to the trick (CB-30)."""

    card: int


Move = Call | PlayCard

CALLS: tuple[Call, ...] = tuple(Call(number) for number in range(14))
PLAYS: tuple[PlayCard, ...] = tuple(PlayCard(card) for card in range(52))

_LONGEST = 80  # characters of a typed move
_BARE_CALL = re.compile(r"\d{1,3}", re.ASCII)


def notation(move: Move) -> str:
    """The exact form: lower-case word, one space, argument."""
    match move:
        case Call(number=number):
            return f"call {number}"
        case PlayCard(card=card):
            return f"play {cards.name(card)}"


def read(text: str) -> Move:
    """The move of an exact notation; Rejected `not_a_move` for anything else."""
    word, _, argument = text.partition(" ")
    if word == "call" and argument.isascii() and argument.isdigit() and argument == str(int(argument[:3])):
        return Call(int(argument))
    if word == "play":
        card = cards.card_of(argument)
        if card < 52:
            return PlayCard(card)
    raise malformed("not_a_move", text=text[:_LONGEST], forms=("call 4", "play QS"))


def parse(text: str, observation: Observation) -> Move:
    """The move that a person means: `call 4`, `4`, `play QS`, `q♠`, `queen of spades`; a lone rank if one card has it.

    Rejected: `not_a_move`, `not_a_number`, `not_a_card` (malformed), `which_card` (ambiguous).
    """
    plain = " ".join(text[: _LONGEST + 1].split())
    if not plain or len(text) > _LONGEST:
        raise malformed("not_a_move", text=plain[:_LONGEST], forms=("call 4", "play QS"))
    word, _, argument = plain.partition(" ")
    word = word.lower()
    if word in ("call", "bid"):
        return _call(argument)
    if word in ("play", "card"):
        return _play(argument, observation)
    if observation.phase == "calls" and _BARE_CALL.fullmatch(plain):
        return _call(plain)
    return _play(plain, observation)


def _call(argument: str) -> Call:
    if not _BARE_CALL.fullmatch(argument.strip()):
        raise malformed("not_a_number", text=argument[:_LONGEST])
    return Call(int(argument))


def _play(argument: str, observation: Observation) -> PlayCard:
    card = cards.read_card(argument, cards.mask(observation.hand or ()))
    if card >= 52:
        raise malformed("not_a_card", text=argument[:_LONGEST])
    return PlayCard(card)
