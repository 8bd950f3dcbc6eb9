"""What a picture, a keyboard or a text needs of one observation: zones, facts and choices as data, no prose.

Names are codes (`trick`, `hand`, `call`); whoever shows them finds the words.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from domain.veiled import Veiled


class Placed(Veiled, frozen=True):
    """A card in a zone, in notation, and the seat that put it there (None: nobody in particular).

    `step`: the seat towards which it lies one step off the card before it (None: in line with that one).
    """

    card: str
    by: int | None = None
    playable: bool = False
    step: int | None = None


class Zone(Veiled, frozen=True):
    """Cards that lie together: `trick`, `last_trick`, `hand`, `trump_card`, ... in the order to be shown.

    `groups` cuts the row where a reader wants a gap (a hand by suits): the index each group begins at. `shape`: a plain
    row; a trick, of which one wants to know who played what; or a line, to be drawn with its steps. `private`: only the
    one who looks sees it.
    """

    name: str
    cards: tuple[Placed, ...]
    owner: int | None = None
    groups: tuple[int, ...] = ()
    shape: Literal["row", "trick", "line"] = "row"
    private: bool = False


class Fact(msgspec.Struct, frozen=True):
    """A number, a card or a code that belongs to the table or to a seat: ("call", 4), ("trump", "S"), ("top", "5H").

    `private`: only the one who looks knows it (the loose points of his hand).
    """

    name: str
    value: int | str
    private: bool = False


class Choice(Veiled, frozen=True):
    """A legal move of the one who looks, in notation.

    `kind` is a code that says what it does (`card`, `number`, `discard`, ...), `value` what it does it with: cards in
    notation, a number, or nothing. `note`: what would come of it, a number or a code. Choices of a kind stand together.
    """

    move: str
    kind: str
    value: str = ""
    note: str = ""


class Scene(Veiled, frozen=True):
    """Everything that one observer may see of a set."""

    zones: tuple[Zone, ...]
    facts: tuple[Fact, ...]
    seats: tuple[tuple[Fact, ...], ...]
    choices: tuple[Choice, ...] = ()
    prompt: str = ""  # what the asked seats are asked for, a code: `calls`, `play`
