"""A scene as short plain lines: whose turn, the facts, the cards on the table and who played them, what each seat has.

Knows games only by the words of their codes (`service.text.words`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.cells import cell_len

from domain.games import GAMES
from domain.scene import Choice, Fact, Placed, Scene, Zone
from domain.table import View
from service.text import Texts, cards
from service.text import marked as _
from service.text.words import FEW, Kind, Prompt, Words, words

# What any game may have.
FACTS = {"dealer": _("dealer {seat}")}
ZONES = {"hand": _("Your hand")}
_ANY_PROMPT = Prompt(_("Your turn."), _("Waiting for {seats}"))
_ANY_KIND = Kind(may=_("You may: {choices}"))
PHASES = {"lobby": _("waiting for players"), "playing": _("playing"), "over": _("over")}

WIDTH = 30  # columns of a drawn line of cards; a telephone shows some more
_UP, _DOWN, _LEFT_OUT = "↑", "↓", "…"


class Picture(tuple[str, ...]):
    """Lines that belong under one another: they want a font of one width."""


def lines(texts: Texts, view: View, scene: Scene | None, names: Sequence[str]) -> list[str | Picture]:
    """The table in short lines, without the reader's own hand; `scene` is that of `view.set` (None in the lobby)."""
    _ = texts.gettext
    if scene is None or view.phase == "lobby":
        return [_("At the table: {names}").format(names=", ".join(names) or _("nobody yet"))]
    above, below = zones(scene)
    found: list[str | Picture] = [facts(texts, view, scene, names)]
    found += [line for zone in above if (line := row(texts, view, zone, names))]
    found += seats(texts, view, scene, names)
    for zone in below:
        found += _zone(texts, view, zone, names)
    return [*found, turn(texts, view, scene, names)]


def zones(scene: Scene) -> tuple[list[Zone], list[Zone]]:
    """The zones that everybody sees: what stands above the seats, and what is being played, which stands below them."""
    shown = [zone for zone in scene.zones if not zone.private]
    played = [zone for zone in shown if zone.shape == "line" or (zone.shape == "trick" and zone.owner is None)]
    return [zone for zone in shown if zone not in played], played


def on_the_table(texts: Texts, view: View, scene: Scene, names: Sequence[str]) -> list[str]:
    """The cards that everybody may look at now, as lines for a font of one width; no trick that is taken."""
    above, below = zones(scene)
    found = [row(texts, view, zone, names) for zone in above if zone.shape == "row"]
    for zone in below:
        for line in _zone(texts, view, zone, names):
            found += line if isinstance(line, Picture) else [line]
    return [line for line in found if line]


def opened(texts: Texts, view: View, scene: Scene, names: Sequence[str]) -> list[str]:
    """What lies open at the end of a set that was hidden before: rows that belong to somebody."""
    found = [zone for zone in zones(scene)[0] if zone.shape == "row" and zone.owner is not None]
    return [line for zone in found if (line := row(texts, view, zone, names))]


def _zone(texts: Texts, view: View, zone: Zone, names: Sequence[str]) -> list[str | Picture]:
    if zone.shape == "line" and zone.cards:
        return [picture(texts, view, zone, names)]
    line = row(texts, view, zone, names)
    return [line] if line else []


def facts(texts: Texts, view: View, scene: Scene, names: Sequence[str]) -> str:
    """What belongs to the table, for everybody, in one line: `Set 2 · trump ♠ · trick 4 · dealer Ann`."""
    known = words(view.game)
    # A game without a score sheet is one set: nobody needs its number.
    found = [texts.gettext("Set {number}").format(number=view.sets)] if GAMES[view.game].sheet else []
    for fact in scene.facts:
        if fact.private:
            continue
        template = known.facts.get(fact.name) or FACTS.get(fact.name) or ("" if known.facts else _plain(fact))
        if template:
            found.append(_fact(texts, known, template, fact, names))
    return " · ".join(found)


def _plain(fact: Fact) -> str:
    """A fact in a game that has no words."""
    return f"{fact.name} {{value}}"


def _fact(texts: Texts, known: Words, template: str, fact: Fact, names: Sequence[str]) -> str:
    value = fact.value
    note = texts.gettext(known.notes.get(str(value), ""))
    seat = names[value] if isinstance(value, int) and 0 <= value < len(names) else ""
    return texts.gettext(template).format(
        value=value, suit=cards.suit(str(value)), card=cards.card(texts, str(value)), seat=seat, note=note
    )


def own(texts: Texts, view: View, scene: Scene, names: Sequence[str]) -> list[str]:
    """What only the one who looks knows, beside his hand: a line of facts, a line for each zone."""
    known = words(view.game)
    facts = [(known.facts.get(fact.name) or _plain(fact), fact) for fact in scene.facts if fact.private]
    found = [_fact(texts, known, template, fact, names) for template, fact in facts]
    private = [zone for zone in scene.zones if zone.private and zone.name != "hand"]
    return [line for line in (" · ".join(found), *(row(texts, view, zone, names) for zone in private)) if line]


def seats(texts: Texts, view: View, scene: Scene, names: Sequence[str]) -> list[str]:
    """A line a seat: its name, a mark where it is to act, what it called and took."""
    found = []
    for index, name in enumerate(names):
        mark = "▸" if index in view.waiting else " "
        said = seat_facts(texts, view, scene, index, names)
        away = " " + texts.gettext("(away)") if view.away[index] else ""
        found.append(f"{mark} {name}{away}" + (f": {said}" if said else ""))
    return found


def seat_facts(texts: Texts, view: View, scene: Scene, seat: int, names: Sequence[str]) -> str:
    """What there is to say of a seat: `called 4, took 2`; empty when there is nothing."""
    known = words(view.game)
    templates = [(known.seat_facts.get(fact.name) or _plain(fact), fact) for fact in scene.seats[seat]]
    return ", ".join(_fact(texts, known, template, fact, names) for template, fact in templates)


def row(texts: Texts, view: View, zone: Zone, names: Sequence[str]) -> str:
    """A zone in one line: `On the table: Ann 10♥  Bob K♥`, `Last trick: ... → Bob`; empty for an empty zone."""
    if not zone.cards:
        return ""
    known = words(view.game).zones
    own = known.get(f"own_{zone.name}", "") if zone.private else ""
    template = own or known.get(zone.name) or ZONES.get(zone.name)
    owner = names[zone.owner] if zone.owner is not None else ""
    title = texts.gettext(template).format(owner=owner) if template else zone.name
    return f"{title}: {played(texts, zone, names) if zone.shape == 'trick' else cards.hand(texts, zone)}"


def played(texts: Texts, zone: Zone, names: Sequence[str]) -> str:
    """The cards of a trick with who played them, and who took it: `Ann 10♥  Bob K♥ → Bob`."""
    shown = "  ".join(
        f"{names[placed.by]} {cards.card(texts, placed.card)}"
        if placed.by is not None
        else cards.card(texts, placed.card)
        for placed in zone.cards
    )
    return shown if zone.owner is None else f"{shown} → {names[zone.owner]}"


def picture(texts: Texts, view: View, zone: Zone, names: Sequence[str]) -> Picture:
    """A line of cards with its steps: down towards the one who looks (seat 0 for a spectator), up towards the other.

    Under each card stands who laid it. Of a long line the first card and the last ones are drawn.
    """
    below = view.seat or 0
    level, levels = 0, []
    for placed in zone.cards:
        level += 0 if placed.step is None else -1 if placed.step == below else 1
        levels.append(level)
    drawn = list(zip(zone.cards, levels, strict=True))
    marks = _marks(names)
    column = max(cell_len(text) for text in (*(cards.card(texts, placed.card) for placed in zone.cards), *marks)) + 1
    most = WIDTH // column
    cut = len(drawn) > most
    if cut:
        drawn = [drawn[0], *drawn[-(most - 2) :]]
    gap = _LEFT_OUT.ljust(column) if cut else ""
    found = [f"{_UP} {names[seat]}" for seat in range(len(names)) if seat != below]
    heights = [height for _placed, height in drawn]
    for height in range(max(heights), min(heights) - 1, -1):
        cells = [cards.card(texts, placed.card) if high == height else "" for placed, high in drawn]
        found.append(_cells(cells, column, gap if drawn[0][1] == height else " " * len(gap)))
    found.append(_cells([_laid(placed, marks) for placed, _height in drawn], column, " " * len(gap)))
    return Picture([*found, f"{_DOWN} {names[below]}"])


def _laid(placed: Placed, marks: Sequence[str]) -> str:
    return "·" if placed.by is None else marks[placed.by]


def _marks(names: Sequence[str]) -> list[str]:
    """A letter for each seat, or its number where two names begin alike."""
    letters = [next((character for character in name if character.isalnum()), "") for name in names]
    if "" in letters or len({letter.casefold() for letter in letters}) < len(letters):
        return [str(seat + 1) for seat in range(len(names))]
    return letters


def _cells(cells: Sequence[str], column: int, gap: str) -> str:
    """Cells of a line, `gap` after the first one."""
    first, *others = (cell + " " * (column - cell_len(cell)) for cell in cells)
    return f"{first}{gap}{''.join(others)}".rstrip()


def turn(texts: Texts, view: View, scene: Scene, names: Sequence[str]) -> str:
    """Whose turn it is, said to the one who looks."""
    if view.phase == "over":
        return texts.gettext("The game is over.")
    prompt = prompt_of(view, scene)
    if view.seat is not None and view.seat in view.waiting:
        return texts.gettext(prompt.own)
    return texts.gettext(prompt.others).format(seats=", ".join(names[seat] for seat in view.waiting))


def prompt_of(view: View, scene: Scene) -> Prompt:
    """The words of the scene's question."""
    return words(view.game).prompts.get(scene.prompt, _ANY_PROMPT)


# Choices


def kinds(scene: Scene) -> Iterator[tuple[str, list[Choice]]]:
    """The choices, those of a kind together."""
    for kind, found in groupby(scene.choices, lambda choice: choice.kind):
        yield kind, list(found)


def button(texts: Texts, game: str, choice: Choice, names: Sequence[str] = ()) -> str:
    """What stands on the button of a choice."""
    known = words(game)
    return _choice(texts, known, known.choices.get(choice.kind, Kind()).button, choice, names)


def may(texts: Texts, view: View, scene: Scene, names: Sequence[str] = ()) -> list[str]:
    """The legal moves of the one who looks, a line a kind: `You may call 1 to 13`, `You may play: A♠ 10♥`."""
    known = words(view.game)
    held = [placed.card for zone in scene.zones if zone.name == "hand" for placed in zone.cards]
    found = []
    for code, choices in kinds(scene):
        kind = known.choices.get(code, _ANY_KIND)
        if kind.whole and len(held) > 1 and sorted(choice.value for choice in choices) == sorted(set(held)):
            found.append(texts.gettext(kind.whole))
            continue
        if kind.many and len(choices) > FEW:
            occurring = dict.fromkeys(card for choice in choices for card in choice.value.split())
            found.append(texts.gettext(kind.many).format(cards=cards.row(texts, occurring)))
            continue
        found.append(texts.gettext(kind.may).format(choices=listed(texts, known, kind, choices, names)))
    return found


def usual(texts: Texts, view: View) -> set[str]:
    """The lines of `may` that list nothing, for every card of the hand will do."""
    return {texts.gettext(kind.whole) for kind in words(view.game).choices.values() if kind.whole}


def listed(texts: Texts, known: Words, kind: Kind, choices: Sequence[Choice], names: Sequence[str] = ()) -> str:
    """Some choices of a kind, short: `1 to 13`, `A♠ 10♥`."""
    shown = [_choice(texts, known, kind.each, choice, names) for choice in choices]
    if len(shown) > 2 and all(choice.kind == "number" for choice in choices):
        return texts.gettext("{low} to {high}").format(low=shown[0], high=shown[-1])
    return (", " if any(" " in word for word in shown) else " ").join(shown)


def _choice(texts: Texts, known: Words, template: str, choice: Choice, names: Sequence[str]) -> str:
    shown = cards.row(texts, choice.value.split())
    note = texts.gettext(known.notes.get(choice.note, choice.note))
    seat = names[int(choice.note)] if choice.note.isdecimal() and int(choice.note) < len(names) else note
    said = texts.gettext(template).format(cards=shown, value=choice.value, note=note, seat=seat).strip()
    return said or cards.move(texts, choice.move)


def phase(texts: Texts, code: str) -> str:
    """A table's phase in words."""
    word = PHASES.get(code, "")
    return texts.gettext(word) or code
