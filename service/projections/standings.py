"""Who has won how many games in a home: a row a finished table, summed when it is read."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from eventstore.store import home
from service.projections.rows import Rows, Seen, Spec


class Finished(msgspec.Struct, frozen=True):
    """A game that was played to its end: its seats' owners and totals (in tenths of a point), and the winning seats."""

    game: str
    seats: tuple[str, ...]
    totals: tuple[int, ...]
    winners: tuple[int, ...]


class Standing(msgspec.Struct, frozen=True):
    """Somebody's games of one kind in a home: finished, won (alone or with others), all their points in tenths."""

    game: str
    actor: str
    games: int
    won: int
    points: int


def _rows(name: str, seen: Seen) -> Mapping[str, bytes]:
    state = seen.state
    if state is None or seen.parked or state.phase != "over" or not state.winners:
        return {}  # a game without a winner (closed, abandoned) counts for nobody
    owners = tuple(seat.owner for seat in state.seats)
    unit = 1 if state.rules.tenths(state.options) else 10
    totals = tuple(total * unit for total in state.totals)
    return {home(name): msgspec.json.encode(Finished(state.rules.slug, owners, totals, state.winners))}


STANDINGS = Spec("standings", 1, _rows)


async def standings_of(rows: Rows, of: str) -> list[Standing]:
    """The home's standings: by game, then most won, then fewest games, then name of the actor."""
    sums: dict[tuple[str, str], list[int]] = {}
    for row in (await rows.read(of, of)).values():
        finished = msgspec.json.decode(row, type=Finished)
        for seat, owner in enumerate(finished.seats):
            total = sums.setdefault((finished.game, owner), [0, 0, 0])
            total[0] += 1
            total[1] += seat in finished.winners
            total[2] += finished.totals[seat]
    found = [Standing(game, actor, *total) for (game, actor), total in sums.items()]
    return sorted(found, key=lambda one: (one.game, -one.won, one.games, one.actor))
