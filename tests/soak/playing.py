"""Tables of Call Break that play themselves: two people and two computer players, whoever's process plays them."""

from __future__ import annotations

import itertools

import msgspec

from domain import options
from domain.commands import Act, AddComputer, Join, Move, Open, Start
from domain.games import GAMES
from domain.table import Table
from eventstore.store import EventStore
from service.clock import SystemClock
from service.engine import Done, Engine, Refused
from service.sealing import Sealer

_GAME = GAMES["callbreak"]
_OPTIONS = options.read(_GAME, {"max_sets": "100", "target": "0"})
_PEOPLE, _SEATS = 2, 4


class Asked(msgspec.Struct, frozen=True):
    """What somebody asks of a table: the arguments of `Engine.submit`."""

    actor: str
    act: Act
    command: str
    decision: int | None = None
    seat: int | None = None


def new_engine(store: EventStore) -> Engine:
    """An engine that holds nothing yet; all of them have the same key."""
    return Engine(store, Sealer(bytes(range(32))), SystemClock())


def new_tables(count: int) -> list[str]:
    """Ids of tables, each of another home."""
    return [f"home{number}-1" for number in range(count)]


class Players:
    """Decides for everybody at every table. `name` makes people's command ids unlike those of other processes."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._numbers = itertools.count(1)

    def next(self, table: str, state: Table | None) -> Asked | None:
        """What is asked next; None when the game is over.

        A computer player's command has the same id whoever asks it, as with the service; people's never come twice.
        """
        people = [f"person:{table}.{number}" for number in range(_PEOPLE)]
        command = f"{self._name}:{next(self._numbers)}:{table}"
        if state is None:
            return Asked(people[0], Open("callbreak", _OPTIONS), command)
        if state.phase == "lobby":
            match len(state.seats):
                case seated if seated < _PEOPLE:
                    return Asked(people[seated], Join(), command)
                case seated if seated < _SEATS:
                    return Asked(people[0], AddComputer(), command)
                case _:
                    return Asked(people[0], Start(), command)
        if state.phase == "over":
            return None
        decision = state.decisions[0]
        seat = decision.seats[0]
        owner = state.seats[seat].owner
        if owner.startswith("computer:"):
            command = f"computer:{table}:{decision.id}:{seat}"
        move = _GAME.player("steady", _GAME.observe(state.set, seat))
        return Asked(owner, Move(move), command, decision.id, seat)


async def submit(engine: Engine, table: str, asked: Asked) -> Done | Refused:
    """Carries it out. Raises StoreDown, after which the same may be asked again."""
    return await engine.submit(table, asked.actor, asked.act, asked.command, decision=asked.decision, seat=asked.seat)


async def play(engine: Engine, players: Players, table: str, commits: int) -> None:
    """Plays the table until it has so many commits."""
    while (held := await engine.held(table)).version < commits:
        asked = players.next(table, held.state)
        assert asked is not None
        done = await submit(engine, table, asked)
        assert isinstance(done, Done), done
