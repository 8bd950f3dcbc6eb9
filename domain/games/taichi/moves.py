"""Tai Chi Chuan's moves and their notation: `turn`, `word satellite`, `stop`, `challenge`, `ready`, ..."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Literal

import msgspec

from domain.rejected import malformed

if TYPE_CHECKING:
    from domain.games.taichi.view import Observation

Plain = Literal[
    "turn", "no_word", "stop", "challenge", "decline", "ready", "open", "pass", "object", "agree", "disagree"
]


class Do(msgspec.Struct, frozen=True):
    """A move that is one word of its own: `turn`, `stop`, ..."""

    what: Plain


class Word(msgspec.Struct, frozen=True):
    """A word that is said, folded to a-z. `tenths` of a second that it took: only in records of duels by one's own
    clock (TC-35)."""

    word: str
    tenths: int | None = None


Move = Do | Word

TURN, NO_WORD, STOP = Do("turn"), Do("no_word"), Do("stop")
CHALLENGE, DECLINE, READY, OPEN, PASS = Do("challenge"), Do("decline"), Do("ready"), Do("open"), Do("pass")
OBJECT, AGREE, DISAGREE = Do("object"), Do("agree"), Do("disagree")

LONGEST = 40  # letters of a word
FORMS = ("turn", "word satellite", "stop", "pass")
_PLAIN: dict[str, Do] = {
    move.what: move for move in (TURN, NO_WORD, STOP, CHALLENGE, DECLINE, READY, OPEN, PASS, OBJECT, AGREE, DISAGREE)
}
_SAID = re.compile(rf"word ([a-z]{{1,{LONGEST}}})(?: (0|[1-9]\d{{0,4}})\.(\d))?", re.ASCII)
_SPELLED = re.compile(rf"word\s+(?P<word>\S.{{0,{2 * LONGEST}}})", re.IGNORECASE | re.ASCII)
_ALSO = {
    "noword": NO_WORD,
    "no-word": NO_WORD,
    "turn over": TURN,
    "turn a card": TURN,
    "bet": CHALLENGE,
    "i am ready": READY,
    "open the card": OPEN,
    "i object": OBJECT,
}
_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "ß": "ss", "ø": "o", "ł": "l", "đ": "d"})


def notation(move: Move) -> str:
    """The exact form: lower-case words; the seconds of a timed word with one decimal."""
    if isinstance(move, Do):
        return move.what
    if move.tenths is None:
        return f"word {move.word}"
    return f"word {move.word} {move.tenths // 10}.{move.tenths % 10}"


def read(text: str) -> Move:
    """The move of an exact notation; Rejected `not_a_move` for anything else."""
    plain = _PLAIN.get(text)
    if plain is not None:
        return plain
    said = _SAID.fullmatch(text[: 2 * LONGEST])
    if said is None:
        raise malformed("not_a_move", text=text[:80], forms=FORMS)
    word, whole, part = said.groups()
    return Word(word, None if whole is None else int(whole) * 10 + int(part))


def fold(text: str) -> str | None:
    """The word in the letters a to z, its case and accents ignored (TC-40); None where it holds anything else."""
    apart = unicodedata.normalize("NFKD", text.strip().lower().translate(_LIGATURES))
    plain = "".join(character for character in apart if not unicodedata.combining(character))
    return plain if plain.isascii() and plain.isalpha() and len(plain) <= LONGEST else None


def parse(text: str, observation: Observation) -> Move:
    """The move that a person means: `word Café`, or the word alone where one is wanted; `no word`, `stop`.

    A bare word that is also a move (`stop`) is the move where that is legal. Rejected `not_a_move`, `not_letters`.
    """
    plain = " ".join(text[:200].split())
    said = _SPELLED.fullmatch(plain)
    if said is not None:
        return _word(said["word"])
    key = plain.lower()
    move = _PLAIN.get(key.replace(" ", "_")) or _ALSO.get(key)
    wanted = observation.may_say
    if move is not None and (not wanted or _is_meant(move, key, observation)):
        return move
    if wanted and plain and " " not in plain:
        return _word(plain)
    word = ("word satellite",) if wanted or not observation.legal else ()
    raise malformed("not_a_move", text=plain[:80], forms=(*word, *observation.legal))


def _is_meant(move: Do, key: str, observation: Observation) -> bool:
    """Whether a move is meant where a word is wanted: it can be made, or its text cannot be a word."""
    return notation(move) in observation.legal or (move == OBJECT and observation.may_object) or not key.isalpha()


def _word(text: str) -> Word:
    folded = fold(text)
    if folded is None:
        raise malformed("not_letters", word=text[:LONGEST])
    return Word(folded)
