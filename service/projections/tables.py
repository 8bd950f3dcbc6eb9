"""The tables of a home, and those at which somebody sits or sat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from eventstore.store import home
from service.projections.rows import Rows, Seen, Spec

Phase = Literal["lobby", "playing", "over", "parked"]


class Listed(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table in a list: its game, where it stands, whose the seats are, who is asked, when anything last happened.

    `parked`: it holds something that this release cannot read; the rest is as of before that. `last` is ms UTC.
    """

    game: str
    phase: Phase
    sets: int
    seats: tuple[str, ...]
    asked: tuple[int, ...] = ()
    last: int = 0


def _listed(seen: Seen) -> Listed:
    state = seen.state
    if state is None:
        return Listed("", "parked", 0, (), last=seen.last)
    phase: Phase = "parked" if seen.parked else msgspec.convert(state.phase, Phase)
    asked = sorted({seat for decision in state.decisions for seat in decision.seats}) if phase == "playing" else []
    owners = tuple(seat.owner for seat in state.seats)
    return Listed(state.rules.slug, phase, state.sets, owners, tuple(asked), seen.last)


def _by_home(name: str, seen: Seen) -> Mapping[str, bytes]:
    return {home(name): msgspec.json.encode(_listed(seen))}


def _by_player(name: str, seen: Seen) -> Mapping[str, bytes]:
    listed = _listed(seen)
    row = msgspec.json.encode(listed)
    return {owner: row for owner in listed.seats if owner.startswith("person:")}


TABLES_BY_HOME = Spec("tables_by_home", 1, _by_home)
TABLES_BY_PLAYER = Spec("tables_by_player", 1, _by_player)


async def tables_of_home(rows: Rows, of: str) -> dict[str, Listed]:
    """The home's tables, oldest first."""
    return _read(await rows.read(of, of))


async def tables_of_player(rows: Rows, actor: str) -> dict[str, Listed]:
    """The tables where somebody has a seat, whatever their home."""
    return _read(await rows.read(actor))


def _read(found: Mapping[str, bytes]) -> dict[str, Listed]:
    listed = {name: msgspec.json.decode(row, type=Listed) for name, row in found.items()}
    return dict(sorted(listed.items(), key=lambda one: (home(one[0]), int(one[0].rpartition("-")[2]))))
