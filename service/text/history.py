"""Events as lines of a history, by their tags: `Ann played Q♠`, `Bob took trick 3`; and the result of a set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from domain.events import (
    Joined,
    OptionsSet,
    Over,
    Paused,
    Proposed,
    ResultAwaited,
    RowWritten,
    SeedRevealed,
    SetUndone,
    StandInSet,
    Started,
)
from domain.game import Game, SetEnded
from domain.options import text_of
from domain.table import View
from eventstore.chain import fingerprint
from service.text import Texts, cards, sheet
from service.text import marked as _
from service.text.words import words

_SIMPLE: dict[str, str] = {
    "table.opened": _("The table was opened"),
    "table.unseated": _("{seat} left the table"),
    "table.deck_cut": _("{seat} cut the cards: {number}"),
    "table.dealt": _("{dealer} dealt"),
    "table.left": _("{seat} left the game"),
    "table.returned": _("{seat} is back"),
    "table.outage_noted": _("The clock stood still for a while"),
    "table.agreed": _("{seat} agreed"),
    "table.declined": _("{seat} declined"),
    "table.proposal_off": _("The proposal is off"),
    "table.seat_taken": _("{seat} took over a seat"),
    "table.admin_acted": _("An administrator decided:"),
    "table.resumed": _("The table goes on"),
    "table.vacation": _("{seat} is on vacation"),
    "table.vacation_ended": _("{seat} is back from vacation"),
    "table.kicked": _("{seat} had to go"),
    "table.set_undone": _("That set does not count any more: its scores are taken out"),
}
_SILENT = {"table.asked", "table.present"}  # what only the clockwork needs
_OUTCOMES = {"scored": "", "void_admin": _("The set does not count")}  # scored: its row says it
_PAUSED: dict[str, str] = {
    "agreement": _("The table is paused: everybody agreed"),
    "admin": _("The table is paused"),
    "clock": _("The table is paused until it can go on"),
}
_PROPOSED: dict[str, str] = {
    "end": _("Somebody proposes to end the game"),
    "pause": _("Somebody proposes a pause"),
    "stand_in_on": _("Somebody proposes that computer players stand in for whoever is absent"),
    "stand_in_off": _("Somebody proposes that nobody stands in for whoever is absent"),
    "kick": _("Somebody proposes that {seat} has to go"),
    "seat": _("Somebody asks for the seat of {seat}"),
}
ENDINGS: dict[str, str] = {  # what may happen in any game
    "target": _("the target was reached"),
    "max_sets": _("all sets are played"),
    "last_left": _("one player is left"),
    "vote": _("everybody agreed to stop"),
    "too_few_players": _("too few players are left"),
    "closed": _("it was closed"),
}


def tag(event: Any) -> str:
    """The tag that an event is stored under."""
    return tag_of(type(event))


def tag_of(kind: type) -> str:
    """The tag of a kind of event."""
    return str(kind.__struct_config__.tag)  # type: ignore[attr-defined]  # every event is a msgspec.Struct


def line(texts: Texts, rules: Game, event: Any, names: Sequence[str], tenths: bool = False) -> str | None:
    """One event in one line; None for what only the clockwork needs.

    `names` are those of the seats after the event (before it where somebody left the lobby); `tenths`: `View.tenths`.
    """
    said = _said(texts, rules, event, names, tenths)
    return None if said is None else said.replace("\n", "; ")


def lines(texts: Texts, rules: Game, event: Any, names: Sequence[str], tenths: bool = False) -> list[str]:
    """One event in words, a line for each seat where it tells of several."""
    said = _said(texts, rules, event, names, tenths)
    return said.split("\n") if said else []


def _said(texts: Texts, rules: Game, event: Any, names: Sequence[str], tenths: bool) -> str | None:
    kind = tag(event)
    if kind in _SILENT:
        return None
    special = _SPECIAL.get(kind)
    if special is not None:
        return special(texts, rules, event, names, tenths) or None
    template = _SIMPLE.get(kind) or words(rules.slug).events.get(kind)
    if template is None:
        return kind
    if callable(template):
        return template(texts, rules, event, names) or None
    said = texts.gettext(template).format_map(values(texts, rules, event, names))
    return texts.gettext("{what} (by the clock)").format(what=said) if getattr(event, "auto", False) else said


def result(
    texts: Texts, view: View, events: Iterable[Any], rules: Game, names: Sequence[str], head: bytes
) -> list[str]:
    """What a commit that ended a set or the game says: outcome, scores, totals, and the fingerprint of the chain.

    `view` is one right after the commit, `head` the commit's hash. Empty when the commit ended neither
    and nothing is to be announced.
    """
    known = words(rules.slug)
    wanted = _RESULTS | known.results | known.announced
    told = [event for event in events if tag(event) in wanted]
    ended = any(isinstance(event, SetEnded | SetUndone | RowWritten | Over) for event in told)
    if not ended and not any(tag(event) in known.announced for event in told):
        return []
    found = []
    rows = [event for event in told if isinstance(event, RowWritten)]
    for event in told:
        if isinstance(event, RowWritten) and not rules.sheet:
            continue  # who has won is said by the end of the game
        found += lines(texts, rules, event, names, view.tenths)
        if isinstance(event, RowWritten) and event == rows[-1]:
            found.append(total_line(texts, view.totals, names, view.tenths))
            if rows[0].kind == "score":
                found += settled(texts, rules, view.options, rows[0].values, view.totals, names)
    return [*found, fingerprint_line(texts, head)] if ended else found


def settled(
    texts: Texts,
    rules: Game,
    options: Any,
    row: Sequence[int | None],
    totals: Sequence[int],
    names: Sequence[str],
) -> list[str]:
    """What else follows from the row of a set, with the totals as they stand after it."""
    tell = words(rules.slug).settled
    said = "" if tell is None else tell(texts, options, row, totals, names)
    return [said] if said else []


def total_line(texts: Texts, totals: Sequence[int], names: Sequence[str], tenths: bool) -> str:
    """Everybody's total."""
    return texts.gettext("Total: {scores}").format(scores=scores(totals, names, tenths))


def fingerprint_line(texts: Texts, head: bytes) -> str:
    """The fingerprint of a chain's head, which `audit` prints too."""
    return texts.gettext("Fingerprint: {fingerprint}").format(fingerprint=fingerprint(head))


def scores(values: Sequence[int | None], names: Sequence[str], tenths: bool) -> str:
    """A score a seat: `Ann 40 · Bob -30`."""
    return " · ".join(f"{name} {sheet.points(value, tenths)}" for name, value in zip(names, values, strict=True))


def values(texts: Texts, rules: Game, event: Any, names: Sequence[str]) -> dict[str, Any]:
    """The fields of an event as they stand in a sentence: seats by name, cards as people read them."""
    found: dict[str, Any] = {}
    for field in event.__struct_fields__:
        value = getattr(event, field)
        if field in ("seat", "dealer") and isinstance(value, int):
            found[field] = _name(names, value)
        elif field == "card":
            found[field] = cards.card(texts, rules.card_name(value))
        elif field == "cards":
            found[field] = cards.row(texts, map(rules.card_name, value))
        else:
            found[field] = value
    return found


def _name(names: Sequence[str], seat: int) -> str:
    return names[seat] if 0 <= seat < len(names) else f"#{seat}"


def _joined(texts: Texts, _rules: Game, event: Joined, names: Sequence[str], _tenths: bool) -> str:
    return texts.gettext("{seat} sat down").format(seat=names[-1] if names else event.owner)


def _started(texts: Texts, rules: Game, event: Started, names: Sequence[str], _tenths: bool) -> str:
    return "\n".join(started(texts, rules, event, names))


def started(texts: Texts, rules: Game, event: Started, names: Sequence[str], *, short: bool = False) -> list[str]:
    """Who deals first, and the cards that were drawn for it where any were; `short`: of many the one that decided."""
    first = texts.gettext("The game begins. First dealer: {dealer}").format(dealer=_name(names, event.dealer))
    if not event.draws:
        return [first]
    drawn = [
        f"{_name(names, at % len(names))} {cards.card(texts, rules.card_name(card))}"
        for at, card in enumerate(event.draws)
    ]
    if short and len(drawn) > len(names):
        drawn = ["…", drawn[-1]]
    return [first, texts.gettext("Drawn for it: {cards}").format(cards=", ".join(drawn))]


def _options(texts: Texts, _rules: Game, event: OptionsSet, _names: Sequence[str], _tenths: bool) -> str:
    given = ", ".join(f"{name}={text_of(_listed(value))}" for name, value in event.options.items())
    return texts.gettext("Options: {options}").format(options=given or texts.gettext("the usual ones"))


def _listed(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _expired(texts: Texts, _rules: Game, event: Any, names: Sequence[str], _tenths: bool) -> str:
    seats = ", ".join(_name(names, seat) for seat in event.seats)
    return texts.gettext("Time was up for {seats}").format(seats=seats) if event.counts else ""


def _proposed(texts: Texts, _rules: Game, event: Proposed, names: Sequence[str], _tenths: bool) -> str:
    seat = "" if event.seat is None else _name(names, event.seat)
    return texts.gettext(_PROPOSED[event.what]).format(seat=seat)


def _paused(texts: Texts, _rules: Game, event: Paused, _names: Sequence[str], _tenths: bool) -> str:
    return texts.gettext(_PAUSED[event.by])


def _stand_in(texts: Texts, _rules: Game, event: StandInSet, _names: Sequence[str], _tenths: bool) -> str:
    if event.on:
        return texts.gettext("From now on a computer player stands in for whoever is absent")
    return texts.gettext("From now on nobody stands in for whoever is absent")


def _set_ended(texts: Texts, rules: Game, event: SetEnded, _names: Sequence[str], _tenths: bool) -> str:
    return texts.gettext({**_OUTCOMES, **words(rules.slug).outcomes}.get(event.outcome, event.outcome))


def _row(texts: Texts, rules: Game, event: RowWritten, names: Sequence[str], tenths: bool) -> str:
    if event.kind != "score":
        what = texts.gettext(sheet.note(rules.slug, event.kind))
        held = [(value, name) for value, name in zip(event.values, names, strict=True) if value is not None]
        return f"{what}: {scores([value for value, _name in held], [name for _value, name in held], tenths)}"
    written = scores(event.values, names, tenths)
    return texts.gettext("Set {number}: {scores}").format(number=event.set + 1, scores=written)


def _revealed(texts: Texts, _rules: Game, event: SeedRevealed, _names: Sequence[str], _tenths: bool) -> str:
    return texts.gettext("Seed revealed: {seed}").format(seed=event.seed.hex())


def ending(texts: Texts, game: str, code: str) -> str:
    """Why a game is over."""
    return texts.gettext(words(game).endings.get(code) or ENDINGS.get(code, code))


def _over(texts: Texts, rules: Game, event: Over, names: Sequence[str], _tenths: bool) -> str:
    why = ending(texts, rules.slug, event.ended)
    if not event.winners:
        return texts.gettext("The game is over without a winner: {why}").format(why=why)
    winners = ", ".join(_name(names, seat) for seat in event.winners)
    return texts.gettext("The game is over, {why}. Winner: {winners}").format(why=why, winners=winners)


def _awaited(texts: Texts, _rules: Game, event: ResultAwaited, names: Sequence[str], _tenths: bool) -> str:
    winners = ", ".join(_name(names, seat) for seat in event.winners)
    return texts.gettext("{winners} has won, unless somebody objects").format(winners=winners or "-")


_SPECIAL: dict[str, Callable[[Texts, Game, Any, Sequence[str], bool], str]] = {
    "table.joined": _joined,
    "table.started": _started,
    "table.options_set": _options,
    "table.expired": _expired,
    "table.proposed": _proposed,
    "table.paused": _paused,
    "table.stand_in_set": _stand_in,
    "table.set_ended": _set_ended,
    "table.row_written": _row,
    "table.result_awaited": _awaited,
    "table.seed_revealed": _revealed,
    "table.over": _over,
}
_RESULTS = frozenset({"table.set_ended", "table.set_undone", "table.row_written", "table.result_awaited", "table.over"})
WORDED = frozenset({*_SIMPLE, *_SPECIAL, *_SILENT})
"""The table's tags that have words, or need none."""
