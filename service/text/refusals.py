"""A sentence for every refusal: what is wrong, with its bounds or the legal cards, and the clause of the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from domain.games import GAMES
from domain.options import text_of
from service.text import Texts, cards, moments
from service.text import marked as _
from service.text.people import plain
from service.text.words import words

_LONGEST = 40  # characters of what somebody typed that a sentence repeats


class Refusal(Protocol):
    """What `Rejected` and `engine.Refused` have in common."""

    @property
    def code(self) -> str: ...

    @property
    def clause(self) -> str | None: ...

    @property
    def values(self) -> dict[str, Any]: ...


SENTENCES: dict[str, str] = {
    # Moves
    "not_your_turn": _("It is not your turn."),
    "not_held": _("You do not have {card}."),
    "not_a_move": _("I cannot read that as a move. Examples: {forms}."),
    "not_a_card": _("“{text}” is not a card that I can read. Write for example QS, 10♥ or queen of spades."),
    "which_card": _("Which one do you mean: {candidates}?"),
    # Tables and seats
    "no_such_table": _("There is no such table."),
    "table_over": _("This game is over."),
    "not_started": _("The game has not started yet."),
    "already_started": _("The game has already started."),
    "already_open": _("This table is already open."),
    "not_seated": _("You have no seat at this table."),
    "already_seated": _("You already have a seat."),
    "table_full": _("The table is full: {most} seats, all of them taken."),
    "no_such_seat": _("There is no such seat: this table has {seats}."),
    "need_2_players": _("This game needs exactly 2 players; there are {seats} now."),
    "need_4_players": _("This game needs exactly 4 players; there are {seats} now."),
    "need_more_players": _("This game needs {fewest} to {most} players; there are {seats} now."),
    "no_computer": _("There is no computer player to remove."),
    "no_such_level": _("There is no computer player of the level “{name}”. There are: {names}."),
    "dealer_is_drawn": _("In this game the first dealer is drawn, not named."),
    "cut_out_of_range": _("Cut the cards with a number {range}."),
    "already_cut": _("You have already cut the cards."),
    "already_left": _("You have already left."),
    "not_away": _("You are not away: the seat is yours to play."),
    "banned": _("You cannot open or join tables here any more. Where you sit already you may play on."),
    "banned_until": _("You cannot open or join tables here until {day}. Where you sit already you may play on."),
    "other_banned": _("That person may not take a seat here at the moment."),
    "maintenance": _("I am being looked after for a while. Your games are safe: they wait, and no clock runs."),
    "not_allowed": _("You may not do that here."),
    "plan_your_turn": _("It is your turn already: just make the move."),
    "no_plans_here": _("In this game moves cannot be planned."),
    "plan_gives_up": _("Giving up cannot be planned."),
    "no_such_plan": _("There is no such plan in this game."),
    "plan_too_long": _("That is enough for one plan: {most} moves at most."),
    "stale": _("That question has been answered already."),
    # Proposals
    "proposal_open": _("Another proposal is still open."),
    "no_proposal": _("There is no open proposal."),
    "no_such_proposal": _("There is no such proposal."),
    "not_asked": _("This proposal does not ask you."),
    "already_agreed": _("You have already agreed."),
    "you_are_away": _("You are away: come back to your seat first."),
    "nobody_to_agree": _("Nobody is there to agree."),
    "no_substitutes": _("At this table nobody may take over a seat."),
    "seat_not_free": _("That seat is not free."),
    "already_so": _("It is so already."),
    "not_yourself": _("You cannot propose that you have to go: you may simply leave."),
    "too_few_to_kick": _("At least {fewest} others must be there to agree that somebody has to go."),
    # Pauses, vacations, administrators
    "paused": _("The table is paused: nobody moves until it goes on."),
    "already_paused": _("The table is paused already."),
    "not_paused": _("The table is not paused."),
    "paused_by_admin": _("An administrator paused the table: only an administrator can let it go on."),
    "paused_by_service": _("The table goes on by itself as soon as it can."),
    "not_in_future": _("That moment is over: name one that is yet to come."),
    "no_vacation_left": _("That is too long: the days of vacation that you have left at this table are {days}."),
    "kicked": _("You had to leave this table: an administrator can give you your seat back."),
    "already_kicked": _("The player of that seat had to go already."),
    "no_person_there": _("A computer player sits there."),
    "not_a_person": _("Only a person can take that seat."),
    "not_proved": _("The cards on the table do not prove that, so no penalty may be written."),
    "no_penalties": _("There is nothing here that can be punished like that."),
    "bad_reason_hash": _("That reason cannot be kept."),
    # The clock
    "not_due": _("The time is not up yet."),
    "nothing_to_note": _("No clock was running."),
    # Games and options
    "no_such_game": _("There is no game “{name}”. There are: {names}."),
    "no_such_preset": _("There is no preset “{name}”. There are: {names}."),
    "no_such_option": _("There is no option “{name}”. There are: {names}."),
    "bad_option": _("The option {name} must be {bounds}."),
    "bad_options": _("These options cannot be used: {text}."),
    "no_end": _("Without a target the game needs a number of sets: set max_sets."),
    # Records
    "wrong_pack": _("The record's pack for {label} does not hold exactly the cards it should."),
}
_UNKNOWN = _("That is not possible here.")


def refusal(texts: Texts, refused: Refusal, names: Sequence[str] = ()) -> str:
    """One short sentence for a refusal (`Rejected`, `engine.Refused`), with the clause in brackets where there is one.

    It may tell of the hand of whoever asked: it is for him alone. `names` are the seats' names.
    """
    values: dict[str, Any] = msgspec.to_builtins(refused.values)
    sentence = texts.gettext(sentence_of(refused.code) or _UNKNOWN)
    try:
        said = sentence.format_map(filled(texts, values, names))
    except KeyError:  # the values of a refusal that another release remembered
        said = texts.gettext(_UNKNOWN)
    return f"{said} ({refused.clause})" if refused.clause else said


def sentence_of(code: str) -> str:
    """The sentence of a code, the table's or a game's; empty for a code that nobody knows."""
    games = (words(slug).refusals.get(code, "") for slug in GAMES)
    return SENTENCES.get(code) or next(filter(None, games), "")


def filled(texts: Texts, values: Mapping[str, Any], names: Sequence[str]) -> dict[str, str]:
    """The values of a refusal as they stand in its sentence."""
    found = {name: _WORDS.get(name, _as_it_is)(texts, value) for name, value in values.items()}
    if "low" in values and "high" in values:
        found["range"] = _range(texts, values["low"], values["high"])
    if isinstance(seat := values.get("seat"), int) and 0 <= seat < len(names):
        found["seat"] = names[seat]
    return found


def _as_it_is(_texts: Texts, value: Any) -> str:
    return plain(str(value), _LONGEST)


def _noted(texts: Texts, value: Any) -> str:
    """What a game calls a code."""
    notes = (words(slug).notes.get(str(value), "") for slug in GAMES)
    return texts.gettext(next(filter(None, notes), "")) or _as_it_is(texts, value)


def _list(_texts: Texts, value: Any) -> str:
    return ", ".join(plain(str(item), _LONGEST) for item in value)


def _codes(texts: Texts, value: Any) -> str:
    """Moves or cards in notation, to choose from."""
    return texts.gettext(" or ").join(cards.move(texts, str(item)) for item in value)


def _range(texts: Texts, low: int, high: int) -> str:
    return texts.gettext("from {low} to {high}").format(low=low, high=high)


def option_value(texts: Texts, value: Any) -> str:
    """An option's value as people read it: a flag is on or off, an empty list a dash. It may be typed so, too."""
    if isinstance(value, bool):
        return texts.gettext("on") if value else texts.gettext("off")
    return text_of(value) or "-"


def bounds(texts: Texts, allowed: Any) -> str:
    """What an option may be, in words: `on or off`, `0 or a number from 50 to 2000`, ... (`Bounds`, or its fields)."""
    _ = texts.gettext
    found: dict[str, Any] = msgspec.to_builtins(allowed)
    match found["kind"]:
        case "flag":
            return _("on or off")
        case "integer":
            number = _("a number {range}").format(range=_range(texts, found["low"], found["high"]))
            return _(" or ").join([*(str(value) for value in found["also"]), number])
        case "one_of":
            return _("one of {values}").format(values=", ".join(found["values"]))
        case _:
            return _("a list, by commas, of {values} (or none)").format(values=", ".join(found["values"]))


_WORDS: dict[str, Callable[[Texts, Any], str]] = {
    "card": lambda texts, value: cards.card(texts, str(value)),
    "top": lambda texts, value: cards.card(texts, str(value)),
    "led": lambda _texts, value: cards.suit(str(value)),
    "cards": lambda texts, value: cards.row(texts, value),
    "candidates": _codes,
    "word": lambda texts, value: _as_it_is(texts, str(value).upper()),
    "of": lambda texts, value: _as_it_is(texts, str(value).upper()),
    "why": _noted,
    "forms": _list,
    "names": _list,
    "values": _list,
    "bounds": bounds,
    "day": lambda texts, value: moments.date(texts, int(value) - 1),
}
