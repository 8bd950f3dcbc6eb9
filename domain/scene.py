"""What a picture, a keyboard or a text needs of one observation: zones, facts and choices as data, no prose.

Names are codes (`trick`, `hand`, `call`); whoever shows them finds the words.
"""

from __future__ import annotations

import msgspec

from domain.veiled import Veiled


class Placed(Veiled, frozen=True):
    """A card in a zone, in notation, and the seat that put it there (None: nobody in particular)."""

    card: str
    by: int | None = None
    playable: bool = False


class Zone(Veiled, frozen=True):
    """Cards that lie together: `trick`, `last_trick`, `hand`, `trump_card`, ... in the order to be shown.

    `groups` cuts the row where a reader wants a gap (a hand by suits): the index each group begins at.
    """

    name: str
    cards: tuple[Placed, ...]
    owner: int | None = None
    groups: tuple[int, ...] = ()


class Fact(msgspec.Struct, frozen=True):
    """A number or a code that belongs to the table or to a seat: ("call", 4), ("trump", "S")."""

    name: str
    value: int | str


class Choice(Veiled, frozen=True):
    """A legal move of the one who looks, in notation; shown as its `value`: a card, number or word (`kind`)."""

    move: str
    kind: str
    value: str


class Scene(Veiled, frozen=True):
    """Everything that one observer may see of a set."""

    zones: tuple[Zone, ...]
    facts: tuple[Fact, ...]
    seats: tuple[tuple[Fact, ...], ...]
    choices: tuple[Choice, ...] = ()
    prompt: str = ""  # what the asked seats are asked for, a code: `calls`, `play`
