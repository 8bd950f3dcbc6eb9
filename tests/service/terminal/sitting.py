"""A person at the terminal, in this process: what is typed comes from a pipe, what is shown goes into a string."""

from __future__ import annotations

import asyncio
import io
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from fakeredis import FakeServer
from fakeredis.aioredis import FakeRedis
from rich.console import Console

from domain import options, table
from domain.commands import Move
from domain.games import GAMES
from domain.table import Table
from eventstore.redis_store import RedisStore
from eventstore.servers import One
from service.directory import Directory
from service.engine import Done, Engine
from service.keeper import Keeper
from service.sealing import sealer
from service.settings import Settings
from service.terminal.lines import Lines
from service.terminal.play import Wish, person
from service.terminal.screen import Screen
from service.terminal.tables import Seeds, open_table, user, usual_seats
from service.text import language
from service.wiring import Service
from tests.patience import PROGRAM
from tests.service.tables import FakeClock

GAME = GAMES["callbreak"]
MASTER = b"\x00\xff"
SEEDED = ("--seed", "00ff")


class Desk:
    """A deployment on fakeredis, with the seeds of the master seed 00ff."""

    def __init__(self, store: RedisStore, server: FakeServer, clock: FakeClock, data: Path) -> None:
        self.server = server
        self.clock = clock
        self.seeds = Seeds()
        settings = Settings(tabletalk_data=str(data))
        engine = Engine(store, sealer(settings), clock, self.seeds)
        self.service = Service(settings, store, engine, Directory(store), clock)

    async def last_table(self) -> str:
        home = await self.service.directory.home(f"local:{user()}")
        return (await self.service.directory.tables(home))[-1]

    async def state(self) -> Table:
        held = await self.service.engine.fresh(await self.last_table())
        assert held.state is not None
        return held.state

    async def version(self) -> int:
        return (await self.service.engine.fresh(await self.last_table())).version


async def new_desk(data: Path) -> Desk:
    clock, server = FakeClock(), FakeServer()
    store = await RedisStore.open(One(FakeRedis(server=server, protocol=2)), now=clock.now)
    return Desk(store, server, clock, data)


class Typist:
    """Types into a pipe that a game reads, and keeps what it shows."""

    def __init__(self, desk: Desk, *, tty: bool = False, **wished: Any) -> None:
        self.shown = io.StringIO()
        self._reader, self._writer = os.pipe()
        game = wished.pop("game", GAME)
        given = {"options": options.read(game, {}), "seats": usual_seats(game), "seed": MASTER, **wished}
        self._wish = Wish(game=game, **given)
        self._screen = Screen(Console(file=self.shown, width=200, soft_wrap=True, highlight=False), language("en"))
        self._screen.tty = tty
        self._lines = Lines(self._reader)
        self.playing = asyncio.ensure_future(person(desk.service, desk.seeds, self._wish, self._screen, self._lines))

    def type(self, *lines: str) -> None:
        os.write(self._writer, "".join(f"{line}\n" for line in lines).encode())

    async def until(self, words: str) -> str:
        """What was shown since the last call, once `words` are among it."""
        deadline = asyncio.get_running_loop().time() + PROGRAM
        while words not in self.shown.getvalue():
            assert asyncio.get_running_loop().time() < deadline, f"no {words!r} in:\n{self.shown.getvalue()}"
            if self.playing.done():
                await self.playing
                raise AssertionError(f"it ended without {words!r}:\n{self.shown.getvalue()}")
            await asyncio.sleep(0.005)
        return self.take()

    def take(self) -> str:
        text = self.shown.getvalue()
        self.shown.seek(0)
        self.shown.truncate()
        return text

    async def end(self) -> str:
        """Ends the input, and gives the rest of what was shown."""
        self.close()
        await self.playing
        return self.take()

    def close(self) -> None:
        if self._writer >= 0:
            os.close(self._writer)
            self._writer = -1

    async def kill(self) -> None:
        self.close()
        self.playing.cancel()
        with suppress(asyncio.CancelledError):
            await self.playing


async def moves_of_a_set(data: Path, sets: int = 1) -> list[str]:
    """What a person in the first seat types to play so many sets under the master seed, always the first legal move."""
    desk = await new_desk(data)
    name, actor = "home-1", "person:me"
    desk.seeds.give(name, MASTER, 0)
    service = desk.service
    await open_table(service, name, actor, GAME, options.read(GAME, {}), seats=4, seated=True)
    keeper = Keeper(service.store, service.engine, service.directory, service.clock, "test")
    typed: list[str] = []
    while True:
        await keeper.touched(name)
        state = (await service.engine.held(name)).state
        assert state is not None
        if state.scored >= sets:
            return typed
        move = "call 3" if not state.set.calls[0] else table.observe(state, 0).set.legal[0]
        typed.append(move)
        done = await service.engine.submit(name, actor, Move(GAME.read(move)), f"typed:{len(typed)}")
        assert isinstance(done, Done)
