"""Snitch's moves and their notation: `discard 5H`, `set 5H 5C`, `take 9H`, `challenge 2 KH`, `defend KC`, `press KD`,
`yield`, `stop`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from domain import cards
from domain.games.snitch.pack import SIZE, in_order, joins
from domain.rejected import Rejected, malformed

if TYPE_CHECKING:
    from domain.games.snitch.view import Observation


class Discard(msgspec.Struct, frozen=True):
    """A card to the discard pile (SN-10)."""

    card: int


class LaySet(msgspec.Struct, frozen=True):
    """Two cards of the hand as a set (SN-11); in the order of `pack.in_order`."""

    first: int
    second: int


class TakeTop(msgspec.Struct, frozen=True):
    """A card of the hand and the top discard as a set (SN-13)."""

    card: int


class Challenge(msgspec.Struct, frozen=True):
    """A card at another seat's top set (SN-20)."""

    seat: int
    card: int


class Defend(msgspec.Struct, frozen=True):
    """A card for one's own challenged set (SN-20)."""

    card: int


class Press(msgspec.Struct, frozen=True):
    """The challenger's next card (SN-21)."""

    card: int


class Yield(msgspec.Struct, frozen=True):
    """The challenged seat gives its set up (SN-20)."""


class Stop(msgspec.Struct, frozen=True):
    """The challenger goes no further (SN-21)."""


Move = Discard | LaySet | TakeTop | Challenge | Defend | Press | Yield | Stop

MOST_SEATS = 8
YIELD = Yield()
STOP = Stop()
DISCARDS: tuple[Discard, ...] = tuple(map(Discard, range(SIZE)))
TAKES: tuple[TakeTop, ...] = tuple(map(TakeTop, range(SIZE)))
DEFENDS: tuple[Defend, ...] = tuple(map(Defend, range(SIZE)))
PRESSES: tuple[Press, ...] = tuple(map(Press, range(SIZE)))
CHALLENGES: tuple[tuple[Challenge, ...], ...] = tuple(
    tuple(Challenge(seat, card) for card in range(SIZE)) for seat in range(MOST_SEATS)
)
EXAMPLES: dict[str, str] = {
    "discard": "discard 5H",
    "set": "set 5H 5C",
    "take": "take 9H",
    "challenge": "challenge 2 KH",
    "defend": "defend KC",
    "press": "press KD",
    "yield": "yield",
    "stop": "stop",
}
FORMS: tuple[str, ...] = tuple(EXAMPLES.values())

_OF_A_CARD: dict[str, tuple[Move, ...]] = {"discard": DISCARDS, "take": TAKES, "defend": DEFENDS, "press": PRESSES}
_SEATS = {str(seat): seat for seat in range(MOST_SEATS)}


def lay_set(one: int, other: int) -> LaySet:
    """The move that lays two cards, in whatever order they are named."""
    return LaySet(*in_order(one, other))


def notation(move: Move) -> str:
    """The exact form: lower-case word, then its arguments, one space between each two."""
    name = cards.name
    match move:
        case Discard(card=card):
            return f"discard {name(card)}"
        case LaySet(first=first, second=second):
            return f"set {name(first)} {name(second)}"
        case TakeTop(card=card):
            return f"take {name(card)}"
        case Challenge(seat=seat, card=card):
            return f"challenge {seat} {name(card)}"
        case Defend(card=card):
            return f"defend {name(card)}"
        case Press(card=card):
            return f"press {name(card)}"
        case Yield():
            return "yield"
        case Stop():
            return "stop"


def read(text: str) -> Move:
    """The move of an exact notation, a set's cards in any order; Rejected `not_a_move`, `not_a_card` for all else."""
    match text.split(" "):
        case ["yield"]:
            return YIELD
        case ["stop"]:
            return STOP
        case ["set", one, other]:
            return lay_set(cards.card_of(one), cards.card_of(other))
        case ["challenge", seat, card] if seat in _SEATS:
            return CHALLENGES[_SEATS[seat]][cards.card_of(card)]
        case [word, card] if word in _OF_A_CARD:
            return _OF_A_CARD[word][cards.card_of(card)]
    raise malformed("not_a_move", text=text[:_LONGEST], forms=FORMS)


# What people type

_LONGEST = 80  # characters of a typed move
_VERBS: dict[str, str] = {
    **dict.fromkeys(("discard", "throw", "shed", "drop"), "discard"),
    **dict.fromkeys(("set", "lay", "pair", "meld"), "set"),
    **dict.fromkeys(("take", "pick", "pile"), "take"),
    **dict.fromkeys(("challenge", "attack", "steal", "snitch"), "challenge"),
    **dict.fromkeys(("defend", "defence", "defense"), "defend"),
    **dict.fromkeys(("press", "continue", "on", "go_on"), "press"),
    **dict.fromkeys(("yield", "give", "give_up", "concede"), "yield"),
    **dict.fromkeys(("stop", "end", "enough"), "stop"),
}
_FILLERS = {"the", "of", "with", "and", "at", "a", "against", "seat", "player", "up", "from", "away", "on", "&", "it"}
_SEAT = re.compile(r"(p?)(\d)", re.ASCII)
_JOKER = re.compile(r"(?:x|★|joker) ?([1-4])", re.ASCII)


def parse(text: str, observation: Observation) -> Move:
    """The move that a person means: `set king of spades K♥`, `take 9`, `challenge 2 KH`, `challenge KH`, `give up`.

    A card alone answers a challenge; in a turn it is discarded if nothing else can be done with it. Two cards are a
    set. Seats are numbers from 0, or P1, P2 ... Rejected: `not_a_move`, `not_a_card`, `joins_no_set` (malformed),
    `which_card`, `which_move` (ambiguous).
    """
    plain = " ".join(re.sub("[+,:;]", " ", text[: _LONGEST + 1]).split())
    if not plain or len(text) > _LONGEST:
        raise _not_read(plain)
    words = plain.split()
    verb = _VERBS.get(words[0].lower().replace("-", "_"))
    words = [word for word in words[verb is not None :] if word.lower() not in _FILLERS]
    if verb in ("yield", "stop"):
        if words:
            raise _not_read(plain)
        return YIELD if verb == "yield" else STOP
    if not words and verb != "take":
        raise _not_read(plain)
    hand = observation.hand or ()
    match verb:
        case "discard":
            return DISCARDS[_one(words, hand)]
        case "defend":
            return DEFENDS[_one(words, hand)]
        case "press":
            return PRESSES[_one(words, hand)]
        case "set":
            pairs = _pairs(words, hand)
            if not pairs:
                raise _not_read(plain)
            return _only(pairs)
        case "take":
            return _take(words, observation, plain)
        case "challenge":
            return _challenge(words, observation, plain)
        case _:
            return _bare(words, observation)


def _not_read(text: str) -> Rejected:
    return malformed("not_a_move", text=text[:_LONGEST], forms=FORMS)


def _bare(words: Sequence[str], seen: Observation) -> Move:
    """Cards without a word before them."""
    hand = seen.hand or ()
    pairs = _pairs(words, hand)
    if pairs:
        return _only(pairs)
    card = _one(words, hand)
    if seen.phase in ("defend", "press"):
        return (DEFENDS if seen.phase == "defend" else PRESSES)[card]
    able = [move for move in map(read, seen.legal) if card in _played(move)]
    return _only(able or [DISCARDS[card]])


def _played(move: Move) -> tuple[int, ...]:
    """The cards of the hand that a move plays."""
    match move:
        case LaySet(first=first, second=second):
            return first, second
        case Yield() | Stop():
            return ()
        case _:
            return (move.card,)


def _take(words: Sequence[str], seen: Observation, plain: str) -> Move:
    """`take 9H`; `take` alone, or with the card that lies on the pile, where only one card of the hand goes with it."""
    hand, top = seen.hand or (), seen.discards[-1:]
    meant = _meant(words, hand) if words else top
    if any(card in hand for card in meant) or meant != top:
        return TAKES[_one(words, hand)]
    able = [move for move in map(read, seen.legal) if isinstance(move, TakeTop)]
    if not able:
        raise _not_read(plain)
    return _only(able)


def _challenge(words: Sequence[str], seen: Observation, plain: str) -> Move:
    """`challenge 2 KH`, `challenge KH 2`; the seat alone or the card alone where that can only mean one move."""
    hand = seen.hand or ()
    for seat_word, card_words in ((words[0], words[1:]), (words[-1], words[:-1])):
        seat = _seat(seat_word)
        if seat is not None and card_words and (meant := _try(card_words, hand)):
            return CHALLENGES[seat][_one(card_words, hand) if len(meant) > 1 else meant[0]]
    tops = {seat: stack[-1] for seat, stack in enumerate(seen.stacks) if stack and seat != seen.seat}
    named = _try(words, hand)
    found = [CHALLENGES[seat][card] for card in named for seat, top in tops.items() if joins(card, top)]
    seat = _seat(words[0]) if len(words) == 1 else None
    if seat in tops:
        found += [CHALLENGES[seat][card] for card in dict.fromkeys(hand) if joins(card, tops[seat])]
    if found:
        return _only(list(dict.fromkeys(found)))
    if named:
        raise malformed("joins_no_set", card=cards.name(named[0]))
    raise _not_read(plain)


def _seat(word: str) -> int | None:
    """The seat of `2` or of `P3`, which are the same one."""
    found = _SEAT.fullmatch(word.lower())
    if found is None:
        return None
    seat = int(found[2]) - bool(found[1])
    return seat if 0 <= seat < MOST_SEATS else None


def _meant(words: Sequence[str], hand: Sequence[int]) -> tuple[int, ...]:
    """The cards that some words may mean: one that is named in full, else those of a rank in the hand, each once.

    Jokers are as good as each other, so `joker` is the first one held. Rejected `not_a_card`.
    """
    text = " ".join(words)
    joker = _JOKER.fullmatch(text.lower())
    if joker is not None:
        return (51 + int(joker[1]),)
    if text.lower() == "joker":
        return tuple(card for card in hand if card >= 52)[:1] or (52,)
    try:
        return (cards.read_card(text, cards.mask(hand)),)
    except Rejected as refusal:
        if refusal.kind != "ambiguous":
            raise
        return tuple(map(cards.card_of, refusal.values["candidates"]))


def _try(words: Sequence[str], hand: Sequence[int]) -> tuple[int, ...]:
    """What `_meant` gives; nothing where it refuses."""
    try:
        return _meant(words, hand)
    except Rejected:
        return ()


def _one(words: Sequence[str], hand: Sequence[int]) -> int:
    """The one card that some words mean; Rejected `not_a_card`, `which_card`."""
    meant = _meant(words, hand)
    if len(meant) > 1:
        raise Rejected("which_card", kind="ambiguous", candidates=[cards.name(card) for card in meant])
    return meant[0]


def _pairs(words: Sequence[str], hand: Sequence[int]) -> list[LaySet]:
    """The sets that some words may mean, cut in two wherever both parts are cards; of cards named by rank alone those
    that the hand has."""
    found: dict[LaySet, None] = {}
    for at in range(1, len(words)):
        ones, others = _try(words[:at], hand), _try(words[at:], hand)
        vague = len(ones) > 1 or len(others) > 1
        for one in ones:
            for other in others:
                if not vague or one != other or hand.count(one) > 1:
                    found[lay_set(one, other)] = None
    return list(found)


def _only(moves: Iterable[Move]) -> Move:
    """The only one of some moves; Rejected `which_move`."""
    found = list(moves)
    if len(found) > 1:
        raise Rejected("which_move", kind="ambiguous", candidates=[notation(move) for move in found])
    return found[0]
