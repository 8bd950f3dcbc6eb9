"""What the people at a table are called: names made safe to show, computer players' names, equal names told apart."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

from domain.table import Seat, View
from service.text import Texts

LONGEST = 20  # characters of a name
COMPUTER = "🤖"
COMPUTERS = ("Asha", "Bikram", "Chandra", "Devi", "Esha", "Farid", "Gita", "Hari")
_JOINERS = "\u200c\u200d"  # invisible, but some scripts and many emoji are spelled with them
_MOST_MARKS = 2  # combining marks in a row; more only climb over other lines


def plain(text: str, longest: int = LONGEST) -> str:
    """Somebody's text made safe to show: one line, no control characters, no overrides of direction, cut short."""
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text[: 20 * longest]):
        kind = unicodedata.category(character)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if marks > _MOST_MARKS or (kind[0] == "C" and character not in _JOINERS and not character.isspace()):
            continue
        kept.append(" " if kind[0] == "Z" or character.isspace() else character)
    words = " ".join("".join(kept).split())
    return words if len(words) <= longest else words[: longest - 1].rstrip() + "…"


def with_seats(text: str, example: str, names: Sequence[str]) -> str:
    """A typed move with a player's name as the number of his seat, where `example` (of this kind of move) has one.

    `challenge Bob KH` is `challenge 1 KH`; a name of several words counts by its first one. Anything else stays.
    """
    words, kind = text.split(), example.split()
    if len(words) < 2 or len(kind) < 2 or not kind[1].isdecimal():
        return text
    wanted = words[1].casefold()
    found = [seat for seat, name in enumerate(names) if wanted == name.strip("\u2068\u2069").split(" ")[0].casefold()]
    return " ".join([words[0], str(found[0]), *words[2:]]) if len(found) == 1 else text


def seat_names(texts: Texts, view: View, known: Mapping[str, str]) -> list[str]:
    """A name for each seat, no two alike: `known` maps actors to names; the unknown are `Player 2`."""
    return names_of(texts, view.seats, known)


def names_of(texts: Texts, seats: tuple[Seat, ...], known: Mapping[str, str]) -> list[str]:
    """As `seat_names`, of seats without a view."""
    found: list[str] = []
    for index, seat in enumerate(seats):
        if seat.computer:
            name = f"{COMPUTERS[index % len(COMPUTERS)]} {COMPUTER}"
        else:
            # A robot in a person's name would say that nobody sits there.
            name = plain(known.get(seat.owner, "").replace(COMPUTER, ""))
            if not name.strip(_JOINERS + " "):
                name = texts.gettext("Player {number}").format(number=index + 1)
        found.append(_told_apart(name, found))
    return found


def _told_apart(name: str, taken: list[str]) -> str:
    lower = {other.casefold() for other in taken}
    number, candidate = 1, name
    while candidate.casefold() in lower:
        number += 1
        end = f" {number}"
        candidate = name[: LONGEST - len(end)].rstrip() + end
    return candidate
