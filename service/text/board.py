"""A scene as short plain lines: whose turn, the facts, the trick and who played it, calls and tricks taken.

Knows games only by the codes of their zones, facts and prompts, which the tables here put into words.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.scene import Scene, Zone
from domain.table import View
from service.text import Texts, cards
from service.text import marked as _

FACTS = {
    "trump": _("trump {suit}"),
    "trick_number": _("trick {value}"),
    "dealer": _("dealer {seat}"),
}
_SEAT_FACTS = {
    (): "",
    ("call",): _("called {call}"),
    ("won",): _("took {won}"),
    ("call", "won"): _("called {call}, took {won}"),
}
ZONES = {
    "trick": _("On the table"),
    "last_trick": _("Last trick"),
    "hand": _("Your hand"),
    "trump_card": _("Trump card"),
    "opened": _("{owner} showed"),
}
_PROMPTS = {  # what the one who looks is asked for, and what another seat is asked for
    "calls": (_("Your turn: call a number of tricks."), _("{seats} to call")),
    "play": (_("Your turn: play a card."), _("{seats} to play")),
}
PHASES = {"lobby": _("waiting for players"), "playing": _("playing"), "over": _("over")}


def lines(texts: Texts, view: View, scene: Scene | None, names: Sequence[str]) -> list[str]:
    """The table in short lines, without the reader's own hand; `scene` is that of `view.set` (None in the lobby)."""
    _ = texts.gettext
    if scene is None or view.phase == "lobby":
        return [_("At the table: {names}").format(names=", ".join(names) or _("nobody yet"))]
    found = [facts(texts, view, scene, names)]
    found += [line for zone in scene.zones if zone.name not in ("hand", "trick") and (line := row(texts, zone, names))]
    found += seats(texts, view, scene, names)
    found += [line for zone in scene.zones if zone.name == "trick" and (line := row(texts, zone, names))]
    return [*found, turn(texts, view, scene, names)]


def facts(texts: Texts, view: View, scene: Scene, names: Sequence[str]) -> str:
    """What belongs to the table in one line: `Set 2 · trump ♠ · trick 4 · dealer Ann`."""
    found = [texts.gettext("Set {number}").format(number=view.sets)]
    for fact in scene.facts:
        if fact.name in FACTS:
            seat = names[fact.value] if isinstance(fact.value, int) and fact.value < len(names) else ""
            word = FACTS[fact.name]
            found.append(texts.gettext(word).format(value=fact.value, suit=cards.suit(str(fact.value)), seat=seat))
    return " · ".join(found)


def seats(texts: Texts, view: View, scene: Scene, names: Sequence[str]) -> list[str]:
    """A line a seat: its name, a mark where it is to act, what it called and took."""
    found = []
    for index, name in enumerate(names):
        mark = "▸" if index in view.waiting else " "
        said = seat_facts(texts, scene, index)
        away = " " + texts.gettext("(away)") if view.away[index] else ""
        found.append(f"{mark} {name}{away}" + (f": {said}" if said else ""))
    return found


def seat_facts(texts: Texts, scene: Scene, seat: int) -> str:
    """What a seat called and took: `called 4, took 2`; empty when there is nothing to say."""
    known = {fact.name: fact.value for fact in scene.seats[seat]}
    template = _SEAT_FACTS.get(tuple(known))
    if template is None:
        return ", ".join(f"{name} {value}" for name, value in known.items())
    return texts.gettext(template).format(**known)


def row(texts: Texts, zone: Zone, names: Sequence[str]) -> str:
    """A zone in one line: `On the table: Ann 10♥  Bob K♥`, `Last trick: ... → Bob`; empty for an empty zone."""
    if not zone.cards:
        return ""
    word = ZONES.get(zone.name)
    owner = names[zone.owner] if zone.owner is not None else ""
    title = texts.gettext(word).format(owner=owner) if word else zone.name
    if zone.name in ("trick", "last_trick"):
        return f"{title}: {played(zone, names)}"
    return f"{title}: {cards.hand(zone)}"


def played(zone: Zone, names: Sequence[str]) -> str:
    """The cards of a trick with who played them, and who took it: `Ann 10♥  Bob K♥ → Bob`."""
    shown = "  ".join(
        f"{names[placed.by]} {cards.card(placed.card)}" if placed.by is not None else cards.card(placed.card)
        for placed in zone.cards
    )
    return shown if zone.owner is None else f"{shown} → {names[zone.owner]}"


def turn(texts: Texts, view: View, scene: Scene, names: Sequence[str]) -> str:
    """Whose turn it is, said to the one who looks."""
    if view.phase == "over":
        return texts.gettext("The game is over.")
    own, others = _PROMPTS.get(scene.prompt, (_("Your turn."), _("Waiting for {seats}")))
    if view.seat is not None and view.seat in view.waiting:
        return texts.gettext(own)
    return texts.gettext(others).format(seats=", ".join(names[seat] for seat in view.waiting))


def choices(texts: Texts, scene: Scene) -> str:
    """The legal moves of the one who looks, short: `1 to 13`, `A♠ 10♥`; empty when there are none."""
    shown = [cards.card(choice.value) if choice.kind == "card" else choice.value for choice in scene.choices]
    if len(shown) > 2 and all(choice.kind == "number" for choice in scene.choices):
        return texts.gettext("{low} to {high}").format(low=shown[0], high=shown[-1])
    return " ".join(shown)


def phase(texts: Texts, code: str) -> str:
    """A table's phase in words."""
    word = PHASES.get(code, "")
    return texts.gettext(word) or code
