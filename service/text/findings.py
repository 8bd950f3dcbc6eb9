"""What an audit found: where (set, move, commit), what is wrong in a sentence, and the clause of the rules."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from domain.games import GAMES
from service.text import Texts, refusals
from service.text import marked as _
from service.text.people import plain
from service.text.words import words

_LONGEST = 80  # characters of what a record says that a sentence repeats
_MOST = 60  # things of a list; a pack has 52


class Found(Protocol):
    """What `audit.Finding` has."""

    @property
    def code(self) -> str: ...

    @property
    def set(self) -> int | None: ...

    @property
    def move(self) -> int | None: ...

    @property
    def clause(self) -> str | None: ...

    @property
    def values(self) -> dict[str, Any]: ...

    @property
    def version(self) -> int | None: ...


SENTENCES: dict[str, str] = {
    # The document
    "not_a_record": _("this is not a record: {text}"),
    "unknown_format": _("unknown format “{text}”; this program reads {expected}"),
    "unknown_ruleset": _("unknown ruleset “{text}”; this program knows {expected}"),
    "option_missing": _("the option {name} is missing"),
    "wrong_seats": _("wrong number of seats: {seats} can play"),
    "wrong_first_dealer": _("the first dealer is not one that there can be"),
    # The deal
    "wrong_dealer": _("seat {found} dealt, but it was seat {expected}'s turn to deal"),
    "card_twice": _("{card} is in the pack more than once"),
    "cards_missing": _("the pack lacks {cards}"),
    "not_a_card": _("“{text}” is not a card"),
    # Moves
    "not_a_move": _("“{text}” is not a move"),
    "not_your_turn": _("“{text}”: it was another seat's turn"),
    "not_held": _("“{text}”: the seat did not hold {card}"),
    "wrong_auto_move": _("“{text}”: the clock would have made another move: {expected}"),
    "clock_goes_on": _("the clock had more to do for seat {seat}: this turn was its own"),
    "left_seat_moved": _("seat {seat} had left, so only the clock could move for it"),
    "move_after_end": _("the set was over before this move"),
    "moves_missing": _("the set is not over: moves are missing"),
    "event_missing": _("what follows from the moves is not told here: {expected}"),
    "unknown_event": _("an event that this program does not know: {names}"),
    "already_left": _("seat {seat} had left already"),
    "not_away": _("seat {seat} was not away"),
    "too_few_players": _("fewer than two players were left, which ends the game"),
    # Results
    "wrong_outcome": _("the outcome is not {found}, but {expected}"),
    "wrong_extra": _("{name} should be {expected}"),
    "wrong_scores": _("the scores should be {expected}, not {found}"),
    "wrong_rows": _("the score sheet is wrong; it should have {expected}"),
    "wrong_totals": _("the totals should be {expected}, not {found}"),
    "game_is_over": _("the game was over before this set: {ended}"),
    "game_goes_on": _("the game was not over yet, but the record says {found}"),
    "wrong_end": _("the game ended by {expected}, not by {found}"),
    "wrong_winners": _("the winners should be {expected}, not {found}"),
    # A table's history
    "seed_does_not_fit": _("the seed that was revealed is not the one that was promised before the deal"),
    "seed_not_revealed": _("the set or the game is over, but its seed is not revealed here, as it has to be"),
    "wrong_card": _("the cards that are named here are not those that follow from the seed and the moves before"),
    "ruleset_of_another_game": _("the game is {name}, but the ruleset {text} is not one of it"),
    "no_command_causes_this": _("no command causes these events"),
    "wrong_events": _("the rules say {expected}, the history says {found}"),
}


def finding(texts: Texts, found: Found) -> str:
    """One line: `set 3, move 17: “2 play QS”: the seat had to follow suit: 4♥ (CB-32)`."""
    values: dict[str, Any] = msgspec.to_builtins(found.values)
    template = sentence_of(found.code) or refusals.sentence_of(found.code) or found.code
    said_values = {**refusals.filled(texts, values, ()), **{name: _value(value) for name, value in values.items()}}
    for name in ("card", "top", "led", "cards", "names", "bounds", "values", "word", "of"):
        if name in values:
            said_values[name] = refusals.filled(texts, {name: values[name]}, ())[name]
    if found.code == "wrong_rows":
        said_values["expected"] = _cell(texts, values)
    if found.code == "wrong_seats":
        said_values["seats"] = _seats(texts, values)
    try:
        said = texts.gettext(template).format_map(said_values)
    except KeyError:
        said = found.code
    where = place(texts, found)
    line = f"{where}: {said}" if where else said
    return f"{line} ({found.clause})" if found.clause else line


def sentence_of(code: str) -> str:
    """The sentence of a finding's code, an audit's or a game's; empty for one that has none of its own."""
    games = (words(slug).findings.get(code, "") for slug in GAMES)
    return SENTENCES.get(code) or next(filter(None, games), "")


def place(texts: Texts, found: Found) -> str:
    """Where: `version 12, set 3, move 17`; empty when it is about the whole."""
    _ = texts.gettext
    parts = []
    if found.version is not None:
        parts.append(_("version {number}").format(number=found.version))
    if found.set is not None:
        parts.append(_("set {number}").format(number=found.set))
    if found.move is not None and found.set is not None:
        parts.append(_("move {number}").format(number=found.move) if found.move else _("deal"))
    return ", ".join(parts)


def _seats(texts: Texts, values: dict[str, Any]) -> str:
    fewest, most = values.get("fewest"), values.get("most")
    return str(most) if fewest == most else texts.gettext("{fewest} to {most}").format(fewest=fewest, most=most)


def _cell(texts: Texts, values: dict[str, Any]) -> str:
    """What the score sheet should have: how many columns, or which cell in the column of a seat."""
    _ = texts.gettext
    match values.get("expected"):
        case int() as columns:
            return texts.ngettext("{n} column", "{n} columns", columns).format(n=columns)
        case [int() as index, points, kind]:
            said = _("{points} ({kind}) for seat {seat} in set {number}")
            return said.format(points=_value(points), kind=kind, seat=values.get("seat"), number=index + 1)
        case _nothing:
            return _("no more rows for seat {seat}").format(seat=values.get("seat"))


def _value(value: Any) -> str:
    match value:
        case None:
            return "-"
        case list() | tuple():
            cut = ["…"] if len(value) > _MOST else []
            return "[" + ", ".join([_value(item) for item in value[:_MOST]] + cut) + "]"
        case str():
            return plain(value, _LONGEST)
        case _:
            return plain(str(value), _LONGEST)


def unjudged(texts: Texts, dictionary: str) -> str:
    """That the words of a record were taken as it tells them: the dictionary that it names is not there."""
    return texts.gettext("Its words were not judged: this program does not have the dictionary {name}.").format(
        name=dictionary
    )
