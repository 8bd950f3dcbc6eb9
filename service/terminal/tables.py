"""The tables of this computer's user: opened, found again, closed, written down."""

from __future__ import annotations

import asyncio
import getpass
import json
from collections.abc import Awaitable, Callable
from typing import TypeVar

from domain.commands import Act, AddComputer, Close, Open, Start
from domain.game import Game
from domain.table import Table, seat_of
from eventstore.store import StoreDown
from service.directory import opaque
from service.engine import Done, Refused, Unreadable
from service.keeper import RETRY_SECONDS
from service.sealing import derived_seed, new_seed, sealer
from service.terminal.screen import Screen
from service.text import terminal
from service.wiring import Service

OPERATOR = "operator"
_PLAYERS = 4  # at a table where the game leaves it open
_SEEDED = "seeded"  # the directory's hash of tables with a given seed

_LOOK_BACK = 3  # tables; some ids were taken just before the power went

Given = TypeVar("Given")


def user() -> str:
    """The name of this computer's user."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may run under a number that has no name
        return "player"


class Seeds:
    """Where the seeds of tables come from: drawn, or, for tables of `given`, derived from a master seed."""

    def __init__(self) -> None:
        self._given: dict[str, tuple[bytes, int]] = {}

    def give(self, table: str, master: bytes, game: int) -> None:
        """Seed number n of `table` is that of game number `game` (from 0) under `master`."""
        self._given[table] = (master, game)

    def __call__(self, table: str, number: int) -> bytes:
        """The seed (`engine.SeedSource`)."""
        if table not in self._given:
            return new_seed()
        master, game = self._given[table]
        return derived_seed(master, game, number)


async def remember_seed(service: Service, table: str, master: bytes, game: int) -> None:
    """Keeps the given seed, sealed, so that the game goes on with it after a restart."""
    told = json.dumps([master.hex(), game]).encode()
    await service.directory.put(_SEEDED, table, sealer(service.settings).seal(told, table.encode()).hex())


async def recall_seed(service: Service, seeds: Seeds, table: str, wished: bytes | None) -> int:
    """Gives the table the seed that `remember_seed` kept, if there is one. Raises WrongKey.

    The answer is the game's number where it is the `wished` master seed's, else 0.
    """
    kept = await service.directory.get(_SEEDED, table)
    if kept is None:
        return 0
    told, game = json.loads(sealer(service.settings).open(bytes.fromhex(kept), table.encode()))
    master = bytes.fromhex(told)
    seeds.give(table, master, int(game))
    return int(game) if wished == master else 0


def usual_seats(game: Game) -> int:
    """How many play where nobody has said it: four, or as near to four as the game allows."""
    fewest, most = game.seats
    return min(max(fewest, _PLAYERS), most)


async def open_table(
    service: Service, name: str, actor: str, game: Game, options: object, *, seats: int, seated: bool
) -> None:
    """Opens the table, lets computer players take the free seats and starts it; doing so again changes nothing."""
    await do(service, name, actor, Open(game.slug, options, seated), f"open:{name}")
    for number in range(seats - seated):
        await do(service, name, actor, AddComputer(), f"add:{number}:{name}")
    await do(service, name, actor, Start(), f"start:{name}")


async def do(service: Service, name: str, actor: str, act: Act, command: str) -> Done:
    """An act that the rules allow here. Raises AssertionError when they do not."""
    done = await service.engine.submit(name, actor, act, command)
    if isinstance(done, Refused):
        raise AssertionError(f"{type(act).__name__} was refused: {done.code}")
    return done


async def unfinished(service: Service, home: str, actor: str, game: Game) -> Table | None:
    """The user's game that is being played, as it stands, or None. It is the last: a new one closes it before."""
    for name in reversed((await service.directory.tables(home))[-_LOOK_BACK:]):
        try:
            state = (await service.engine.fresh(name)).state
        except Unreadable:
            continue  # `tabletalk audit` says what is wrong with it
        if state is None or state.rules.slug != game.slug or seat_of(state, actor) is None:
            continue
        if state.phase == "lobby":  # its opening was cut short
            await do(service, name, OPERATOR, Close(), f"close:{name}:{opaque()}")
        elif state.phase == "playing":
            return state
    return None


async def patient(screen: Screen, work: Callable[[], Awaitable[Given]]) -> Given:
    """What `work` gives; while the store is down it waits, says so once, and tries again."""
    said = False
    while True:
        try:
            given = await work()
        except StoreDown as down:
            if not said:
                screen.newline()
                screen.say(terminal.store_down(screen.texts, str(down)))
                said = True
            await asyncio.sleep(RETRY_SECONDS)
        else:
            if said:
                screen.say(terminal.store_back(screen.texts))
            return given
