"""Call Break's moves and their notation: `call 4`, `play QS`; `accuse 2 5`, `vote guilty`, `confirm`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, assert_never

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


class Accuse(msgspec.Struct, frozen=True):
    """An accusation that what a seat played to a trick (from 1) was against the rules (CB-55)."""

    seat: int
    trick: int


class Vote(msgspec.Struct, frozen=True):
    """A vote on whether the dealer hid a call (CB-56)."""

    guilty: bool


class Confirm(msgspec.Struct, frozen=True):
    """Whoever confirms the result has nothing to object to it (CB-55)."""


Move = Call | PlayCard | Accuse | Vote | Confirm

CALLS: tuple[Call, ...] = tuple(Call(number) for number in range(14))
PLAYS: tuple[PlayCard, ...] = tuple(PlayCard(card) for card in range(52))
VOTES: tuple[Vote, ...] = (Vote(True), Vote(False))
CONFIRM = Confirm()

_LONGEST = 80  # characters of a typed move
_BARE_CALL = re.compile(r"\d{1,3}", re.ASCII)
_ACCUSE = re.compile(r"accuse (0|[1-9]\d?) ([1-9]\d?)", re.ASCII)
_OTHERS: dict[str, Move] = {"vote guilty": VOTES[0], "vote innocent": VOTES[1], "confirm": CONFIRM}
_VOTES = {"guilty": VOTES[0], "innocent": VOTES[1]}
_FORMS = ("call 4", "play QS")


def notation(move: Move) -> str:
    """The exact form: lower-case word, one space, argument."""
    match move:
        case Call(number=number):
            return f"call {number}"
        case PlayCard(card=card):
            return f"play {cards.name(card)}"
        case Accuse(seat=seat, trick=trick):
            return f"accuse {seat} {trick}"
        case Vote(guilty=guilty):
            return "vote guilty" if guilty else "vote innocent"
        case Confirm():
            return "confirm"
        case _:
            assert_never(move)


def read(text: str) -> Move:
    """The move of an exact notation; Rejected `not_a_move` for anything else."""
    word, _, argument = text.partition(" ")
    if word == "call" and argument.isascii() and argument.isdigit() and argument == str(int(argument[:3])):
        return Call(int(argument))
    if word == "play":
        card = cards.card_of(argument)
        if card < 52:
            return PlayCard(card)
    if text in _OTHERS:
        return _OTHERS[text]
    if (accusation := _ACCUSE.fullmatch(text)) is not None:
        return Accuse(int(accusation[1]), int(accusation[2]))
    raise malformed("not_a_move", text=text[:_LONGEST], forms=_FORMS)


def parse(text: str, observation: Observation) -> Move:
    """The move that a person means: `call 4`, `4`, `play QS`, `q♠`, `queen of spades`; a lone rank if one card has it.

    `accuse 2 5` names the seat (from 0) and the trick (from 1). Rejected: `not_a_move`, `not_a_number`, `not_a_card`,
    `not_an_accusation` (malformed), `which_card` (ambiguous).
    """
    plain = " ".join(text[: _LONGEST + 1].split())
    if not plain or len(text) > _LONGEST:
        raise malformed("not_a_move", text=plain[:_LONGEST], forms=_FORMS)
    word, _, argument = plain.partition(" ")
    word = word.lower()
    if word in ("call", "bid"):
        return _call(argument)
    if word in ("play", "card"):
        return _play(argument, observation)
    if word == "accuse":
        found = _ACCUSE.fullmatch(f"accuse {argument}")
        if found is None:
            raise malformed("not_an_accusation", text=argument[:_LONGEST])
        return Accuse(int(found[1]), int(found[2]))
    if plain.lower() in _OTHERS:
        return _OTHERS[plain.lower()]
    if word in _VOTES and observation.phase == "vote":
        return _VOTES[word]
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
