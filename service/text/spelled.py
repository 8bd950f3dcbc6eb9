"""Moves as people spell them, in any of our languages and with slips of the pen, put into the words that games read.

What somebody may mean never depends on what he holds: the text alone is looked at. What stands there in exact notation
means that, whoever wrote it; of other letters for cards those of the reader's own language come first.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable
from typing import Any, Literal

from domain.game import Game
from domain.rejected import Rejected, malformed
from service.text import cards

_LONGEST = 80  # characters of a typed move
_SURE = 0.75  # how alike two words are of which one may be a slip of the other (difflib's ratio)
_SHORTEST_SLIP = 3  # letters: shorter words are too much like each other

# What our languages call ranks and suits; no word stands for two things. (English ones are read by the games.)
_CARDS = {
    "ace": "as ases इक्का एक्का",
    "king": "rey reyes roi rois बादशाह",
    "queen": "reina reinas dama damas dame dames बेगम रानी मिस्सी",
    "jack": "jota jotas sota sotas valet valets गुलाम",
    "10": "diez dix दहला",
    "9": "nueve neuf नहला",
    "8": "ocho huit अट्ठा",
    "7": "siete sept सत्ता",
    "6": "seis six छक्का",
    "5": "cinco cinq पंजा पञ्जा",
    "4": "cuatro quatre चौका",
    "3": "tres trois तिग्गी तिया",
    "2": "dos deux दुग्गी दुवा",
    "spades": "picas pica espadas espada pique piques हुकुम हुकम सुरथ",
    "hearts": "corazones corazon coeur coeurs पान",
    "diamonds": "diamantes diamante carreau carreaux ईंट इँटा",
    "clubs": "treboles trebol trefle trefles चिड़ी चिड़िया",
    "joker": "comodin comodines जोकर",
}
# Words that a move begins with.
_BEGINNINGS = {
    "play": "jugar juego juega jouer joue खेलें खेलो खेल्ने",
    "call": "cantar canto pedir pido annoncer annonce बोली कल",
    "discard": "descartar descarto descarta tirar tiro defausser defausse jeter jette",
    "draw": "robar robo roba tomar tomo piocher pioche",
    "cut": "cortar corto corta couper coupe",
    "challenge": "desafiar desafio reto defier defie",
    "defend": "defender defiendo defendre",
    "take": "prendre prends coger cojo",
    "talk": "hablar hablo parler parle",
    "argue": "discutir discuto argumenter",
    "change": "cambiar cambio changer",
    "resign": "rendirse abandonner",
    "yield": "ceder cedo",
    "stop": "parar paro arreter",
}
# Words that may follow.
_PLACES = {"stock": "mazo monton pioche talon", "pile": "pila descarte descartes defausse"}
_OF = "of de del du des का की के को"
_LEFT_OUT = "the my a la le les el los las un une una mi mon ma en dans avec con मेरा मेरी"
_AND = {"and": "y et और"}
_ENGLISH = (
    *("ace", "king", "queen", "jack", "ten", "nine", "eight", "seven", "six", "five", "four", "three", "two"),
    *("spades", "spade", "hearts", "heart", "diamonds", "diamond", "clubs", "club", "joker", "stock", "pile"),
)
_SUITS = "♠♥♦♣♤♡♢♧"
# The letters of court cards as packs have them, by reader; beside a suit's symbol everybody's are read.
_OWN = {code: {letter.lower(): rank for rank, letter in known.items()} for code, known in cards.LETTERS.items()}
_COURT = {letter: rank for known in _OWN.values() for letter, rank in known.items()}
_BESIDE = re.compile(
    rf"(?<![^\W_])[{''.join(_COURT)}](?=[{_SUITS}])|(?<=[{_SUITS}])[{''.join(_COURT)}](?![\w{_SUITS}])", re.IGNORECASE
)
_OWN_SUITS = {"fr": {"p": "S", "c": "H", "k": "D", "t": "C"}}  # pique, cœur, carreau (k: c is taken), trèfle
_OWN_WORDS = {"fr": {"as": "ace"}, "es": {"as": "ace"}}  # that would be a card in English letters
_CLUBS_ELSEWHERE = re.compile(r"(?:(?:10|[a2-9])c)+")
_NOTATION = re.compile(r"(?:[A2-9TJQK][SHDC])+")
_ONE = re.compile(rf"(10|[a2-9{''.join(_COURT)}])(\w|[{_SUITS}])")

Lettered = Literal["own", "clubs", "rank"]
"""A reader's own letters for cards: such as mean nothing in English; a suit's that is clubs there; a rank alone, which
may be a suit there."""


def _folded(word: str) -> str:
    """The word without case and accents."""
    apart = unicodedata.normalize("NFKD", word.casefold().replace("œ", "oe"))
    return "".join(character for character in apart if not unicodedata.combining(character))


def _by_word(meanings: dict[str, str]) -> dict[str, str]:
    return {_folded(word): meaning for meaning, said in meanings.items() for word in said.split()}


_MEANING = {
    **_by_word(_CARDS),
    **_by_word(_AND),
    **_by_word({"of": _OF, "": _LEFT_OUT}),
}
_FIRST = {**_MEANING, **_by_word(_BEGINNINGS)}
_LATER = {**_MEANING, **_by_word(_PLACES)}


def move(rules: Game, text: str, seen: Any, reader: str = "en", blind: Any = None) -> Any:
    """The move that the text means to whoever sees `seen`: in the game's own notation, or else as languages spell it;
    with letters for cards as they are in the language `reader` (`DP`, to a French one the queen of spades).

    Raises Rejected malformed or ambiguous: `10c` is asked back where it may be a heart (cœur) and a club. Which
    language counts is decided by what one sees who holds nothing (`blind`; without it `seen`), and so is the same for
    every hand. A word of a game of words is never put into another language.
    """
    lettered = None if rules.word_of is not None else _in_notation(text, reader)
    if lettered is None:
        return _move(rules, text, seen)
    said, kind = lettered
    blind = seen if blind is None else blind
    if kind == "own":
        return _own(rules, text, said, seen)
    plain, own = _tried(rules, text, blind), _tried(rules, said, blind)
    if isinstance(plain, Rejected) and plain.kind == "malformed":
        return _own(rules, text, said, seen)
    if kind == "rank" or own == plain or (isinstance(own, Rejected) and own.kind == "malformed"):
        return _move(rules, text, seen)
    for found in (plain, own):
        if isinstance(found, Rejected):
            raise found
    raise Rejected("which_card", kind="ambiguous", candidates=[rules.notation(plain), rules.notation(own)])


def _own(rules: Game, text: str, said: str, seen: Any) -> Any:
    """The move that a text put into notation (`said`) means; what is refused is the text as it was written."""
    try:
        return _move(rules, said, seen)
    except Rejected as refused:
        if refused.kind != "malformed":
            raise
    plain = _tried(rules, text, seen)
    raise plain if isinstance(plain, Rejected) else malformed("not_a_card", text=text)


def _tried(rules: Game, text: str, seen: Any) -> Any:
    """The move, or the Rejected."""
    try:
        return _move(rules, text, seen)
    except Rejected as refused:
        return refused


def _move(rules: Game, text: str, seen: Any) -> Any:
    """The move as every reader's language spells it."""
    try:
        return rules.parse(text, seen)
    except Rejected as first:
        said = english(text) if first.kind == "malformed" else None
        if said is None:
            raise
        try:
            found = rules.parse(said, seen)
        except Rejected as second:
            raise (first if second.kind == "malformed" else second) from None
        if rules.word_of is not None and rules.open_ended(found):
            raise
        return found


def english(text: str) -> str | None:
    """The text with its Spanish, French, Hindi and Nepali words in English (`reina de picas`: `queen of spades`; `D♠`:
    `Q♠`) and without articles; None where there is nothing to put into other words."""
    if len(text) > _LONGEST:
        return None
    words = _words(text)
    found: list[str] = []
    for word in words:
        known = _FIRST if not found else _LATER
        found.append(known.get(_folded(word), _BESIDE.sub(lambda letter: _COURT[letter[0].lower()], word)))
    said = " ".join(word for word in found if word)
    return said if said and said.casefold() != " ".join(text.split()).casefold() else None


def slip(text: str, beginnings: Iterable[str]) -> str | None:
    """The text with the words put right that look like slips of the pen (`quen of spads`), in English; None where none
    does. `beginnings` are the words a move of the game can begin with. It is a question to ask, never a move."""
    if len(text) > _LONGEST:
        return None
    first = {*_ENGLISH, *_FIRST, *beginnings} - {""}
    later = {*_ENGLISH, *_LATER} - {""}
    words: list[str] = []
    changed = False
    for word in _words(text):
        plain = _folded(word)
        known = later if words else first
        if plain in known or len(plain) < _SHORTEST_SLIP or not plain.isalpha():
            words.append(word)
            continue
        near = difflib.get_close_matches(plain, known, 1, _SURE)
        changed = changed or bool(near)
        words.append(near[0] if near else word)
    if not changed:
        return None
    put_right = " ".join(words)
    return english(put_right) or put_right


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", text).replace("\ufe0f", "").replace("\ufe0e", "").replace("’", "'")
    for elided in ("l'", "L'", "d'", "D'"):
        plain = plain.replace(f" {elided}", f" {elided[0]}e ")
        plain = f"{elided[0]}e {plain[2:]}" if plain.startswith(elided) else plain
    return [part for word in plain.replace(",", " , ").rstrip(".!?। ").split() for part in _apart(word)]


def _apart(word: str) -> tuple[str, ...]:
    """`हुकुमको` as `हुकुम को`: Nepali writes what means `of` at the end of the word."""
    stem = word.removesuffix("को")
    return (stem, "को") if stem != word and _folded(stem) in _MEANING else (word,)


def _in_notation(text: str, reader: str) -> tuple[str, Lettered] | None:
    """The text with the cards that it names by letters of the reader's language in notation (`DC`: `QH`), and what they
    are; None where it names none so."""
    if len(text) > _LONGEST:
        return None
    words = _words(text)
    found = [_lettered(word, reader) for word in words]
    kinds = {pair[1] for pair in found if pair is not None}
    if not kinds:
        return None
    said = " ".join(word if pair is None else pair[0] for word, pair in zip(words, found, strict=True))
    return said, "own" if "own" in kinds else "rank" if "rank" in kinds else "clubs"


def _lettered(word: str, reader: str) -> tuple[str, Lettered] | None:
    """A word of such letters in notation, and what it is. (With nothing but symbols for suits it is everybody's.)"""
    court, suits = _OWN.get(reader, {}), _OWN_SUITS.get(reader, {})
    plain = word.casefold()
    if _NOTATION.fullmatch(word):
        return None
    if plain in _OWN_WORDS.get(reader, {}):
        return _OWN_WORDS[reader][plain], "own"
    if plain in court:
        return court[plain], "rank"
    pairs = _ONE.findall(plain)
    if not pairs or "".join(rank + suit for rank, suit in pairs) != plain:
        return None
    written = {suit for _rank, suit in pairs} - {*_SUITS}
    if not written or not written <= suits.keys():
        return None
    names = (court.get(rank, "T" if rank == "10" else rank.upper()) + suits.get(suit, suit) for rank, suit in pairs)
    return "".join(names), "own" if _CLUBS_ELSEWHERE.fullmatch(plain) is None else "clubs"
