"""Real tables for the benches: four people (or one and three computers) who play Call Break through the engine."""

from __future__ import annotations

import asyncio
import gc
import itertools
import random
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from domain import options
from domain.commands import Act, AddComputer, Command, Join, Move, Open, Start
from domain.decide import legal
from domain.games.callbreak import CALLBREAK
from domain.table import Table
from eventstore.record import NO_HEAD, Draft
from eventstore.redis_store import RedisStore
from service.clock import SystemClock
from service.directory import opaque
from service.engine import Done, Engine
from service.sealing import Sealer

# A move's usual bytes: for drafts that no rules stand behind.
EVENTS = (
    b'[{"type":"callbreak.card_played","seat":2,"card":37},'
    b'{"type":"table.asked","open":[[18,"17",[3],1796017127403,86400,null]]}]'
)
T = TypeVar("T")
KEY = Sealer(bytes(32))
_OPTIONS = {"redeal": "", "min_total_calls": "0"}  # every deal is played
_SEATS = 4
_START = 1_796_017_127_403  # ms UTC
_dice = random.Random(1)
_updates = itertools.count(900_000_000)


def new_tables(count: int) -> list[str]:
    """Ids of tables that nobody has opened yet, each of another home."""
    return [f"{opaque()}-1" for _ in range(count)]


def update(table: str) -> str:
    """The command id that the chat gives the next message."""
    return f"tg:7000000001:{next(_updates)}:{table}"


def new_engine(store: RedisStore) -> Engine:
    """An engine that holds no table yet."""
    return Engine(store, KEY, SystemClock())


def unseal(commitment: bytes, sealed: bytes) -> bytes:
    """The seed of a commitment (`domain.table.Unseal`)."""
    return KEY.open(sealed, commitment)


async def start(engine: Engine, table: str, people: int = _SEATS) -> None:
    """Opens the table and fills its seats: five commits, the last of which deals."""
    owners = [f"person:{opaque()}" for _ in range(people)]
    acts: list[tuple[str, Act]] = [(owners[0], Open("callbreak", options.read(CALLBREAK, _OPTIONS)))]
    acts += [(owner, Join()) for owner in owners[1:]]
    acts += [(owners[0], AddComputer()) for _ in range(_SEATS - people)]
    acts += [(owners[0], Start())]
    for actor, act in acts:
        assert isinstance(await engine.submit(table, actor, act, update(table)), Done)


def chosen(state: Table) -> Command:
    """What the seat that is asked may say: one of its legal moves, whichever."""
    decision = state.decisions[0]
    seat = decision.seats[0]
    choices = legal(state, seat)
    choice = Move(choices[int(_dice.random() * len(choices))])
    owner = state.seats[seat]
    command = f"computer:{state.id}:{decision.id}:{seat}" if owner.computer else update(state.id)
    return Command(state.id, owner.owner, _START, command, choice, decision.id, seat)


async def move(engine: Engine, table: str) -> None:
    """The seat that is asked makes a move."""
    state = (await engine.held(table)).state
    assert state is not None
    asked = chosen(state)
    done = await engine.submit(table, asked.actor, asked.act, asked.id, decision=asked.decision, seat=asked.seat)
    assert isinstance(done, Done), done


async def play_to(engine: Engine, table: str, version: int) -> None:
    """Plays on until the table has so many commits; a game without a limit of sets goes on for ever."""
    while (await engine.held(table)).version < version:
        await move(engine, table)


def draft(table: str, version: int = 1, previous: bytes = NO_HEAD, time: int = _START) -> Draft:
    """A move of the usual size at any version."""
    return Draft(
        table=table,
        version=version,
        previous=previous,
        time=time,
        actor="person:4x7kq2m9ab",
        command=update(table),
        events=EVENTS,
    )


async def each(things: Iterable[T], at_once: int, work: Callable[[T], Awaitable[object]]) -> None:
    """Does the work for each of the things, so many at a time."""
    remaining = iter(things)

    async def worker() -> None:
        for thing in remaining:
            await work(thing)

    await asyncio.gather(*(worker() for _ in range(at_once)))


@contextmanager
def settled() -> Iterator[None]:
    """What earlier rounds left behind is nobody's cost: in here the collector does not walk it again."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def batches(things: Sequence[T], size: int) -> list[Sequence[T]]:
    """The things in portions of `size`."""
    return [things[begin : begin + size] for begin in range(0, len(things), size)]
