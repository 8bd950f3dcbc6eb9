"""Projections built anew from a store of many tables: how many commits a second are read, verified, folded, written."""

from __future__ import annotations

import asyncio
import os
import secrets
import tempfile
import time
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

import msgspec

from domain import options
from domain.commands import Act, Join, Move, Open, Start
from domain.decide import legal
from domain.games.callbreak import CALLBREAK
from eventstore.append import Append, evalsha
from eventstore.chain import link
from eventstore.open import open_store
from eventstore.record import NO_HEAD, Draft
from eventstore.redis_store import RedisStore
from eventstore.wire import Command
from service.clock import SystemClock
from service.engine import Done, Engine
from service.projections.bulk import Source
from service.projections.rebuild import rebuild
from service.projections.registry import PROJECTIONS
from service.sealing import Sealer
from tests.bench.rows import Row

COMMITS = int(os.environ.get("BENCH_REBUILD_COMMITS", "1000000"))
PER_TABLE = 100  # on average
GOAL = 150_000  # commits/s
_GAMES = 8  # played for it; their commits are copied to other tables, with other people
_HOME = 5  # tables of the same people
_ROUNDS = 3
_BATCH = 2_000  # commits a round trip
_ONE_SET: Mapping[str, str] = {"max_sets": "1", "target": "0", "redeal": "", "min_total_calls": "0"}


class _Played(msgspec.Struct, frozen=True):
    """A commit as it can be copied: the people in it are numbered."""

    time: int
    actor: str
    command: str
    events: bytes
    names: bool  # whether its events name anybody


def run() -> list[Row]:
    """See `rebuild_rows`."""
    return rebuild_rows()


def rebuild_rows() -> list[Row]:
    """The rows, measured on an embedded server in a temporary folder; BENCH_REBUILD_COMMITS for a smaller store."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        return asyncio.run(_run(Path(folder)))


async def _run(data: Path) -> list[Row]:
    async with await open_store("", data, now=SystemClock().now) as store:
        games = await _games(store)
        many = COMMITS // PER_TABLE
        await _fill(store, games, many - len(games))
        source = Source(url="", data=str(data))
        await rebuild(store, list(PROJECTIONS), source)  # the live ones, with which the second run compares
        rates = []
        for _ in range(_ROUNDS):
            start = time.perf_counter()
            part, rebuilt = await rebuild(store, list(PROJECTIONS), source)
            rates.append(part.commits / (time.perf_counter() - start))
            if any(one.differed for one in rebuilt) or part.parked:
                raise AssertionError(f"rebuilt unlike the live ones: {rebuilt}, {part.parked[:3]}")
        rate = max(rates)
        what = f"rebuild of {part.commits:,} commits over {part.tables:,} tables, {len(rebuilt)} projections, best of 3"
        return [Row(what, rate, "commits/s", "goal", GOAL, rate / GOAL, f">= {GOAL:,} commits/s", rate >= GOAL)]


async def _games(store: RedisStore) -> list[list[_Played]]:
    """Real games, by turns of one set to its end and of the rest of twice `PER_TABLE`, so that it is the average."""
    engine = Engine(store, Sealer(bytes(32)), SystemClock())
    games: list[list[_Played]] = []
    for number in range(_GAMES):
        short = number % 2 == 0
        people = [f"person:{secrets.token_hex(8)}" for _ in range(4)]
        table = f"{secrets.token_hex(8)}-1"
        await _play(engine, table, people, short, 2 * PER_TABLE - (0 if short else len(games[-1])))
        games.append([])
        for commit in await store.read(table):
            names, events, actor = False, commit.events, commit.actor
            for place, person in enumerate(people):
                names = names or person.encode() in events
                events = events.replace(person.encode(), _nobody(place).encode())
                actor = actor.replace(person, _nobody(place))
            games[-1].append(_Played(commit.time, actor, commit.command.replace(table, "{}"), events, names))
    return games


def _nobody(place: int) -> str:
    return f"person:{place:016x}"


async def _play(engine: Engine, table: str, people: list[str], one_set: bool, most: int) -> None:
    given = _ONE_SET if one_set else {"redeal": ""}
    acts: list[tuple[str, Act]] = [(people[0], Open("callbreak", options.read(CALLBREAK, given)))]
    acts += [(person, Join()) for person in people[1:]]
    acts += [(people[0], Start())]
    for place, (actor, act) in enumerate(acts):
        assert isinstance(await engine.submit(table, actor, act, f"tg:7000000001:{place}:{table}"), Done)
    held = await engine.held(table)
    while held.version < most and held.state is not None and held.state.phase == "playing":
        decision = held.state.decisions[0]
        seat = decision.seats[0]
        command = f"tg:7000000001:{900_000_000 + held.version}:{table}"
        choice = Move(legal(held.state, seat)[-1])
        done = await engine.submit(table, held.state.seats[seat].owner, choice, command, decision=decision.id)
        assert isinstance(done, Done)
        held = await engine.held(table)


async def _fill(store: RedisStore, games: list[list[_Played]], tables: int) -> None:
    """Appends the games' commits to so many tables, by the append script."""
    commands = _commands(store, games, tables)
    while batch := list(islice(commands, _BATCH)):
        if set(await store.servers.ask(batch)) != {1}:
            raise AssertionError("an append failed")


def _commands(store: RedisStore, games: list[list[_Played]], tables: int) -> Iterator[Command]:
    now = SystemClock().now()
    owners: dict[str, str] = {}
    for number in range(tables):
        if number % _HOME == 0:
            home = secrets.token_hex(8)
            owners = {_nobody(place): f"person:{secrets.token_hex(8)}" for place in range(4)}
        table = f"{home}-{number % _HOME + 1}"
        prefix = store.key(store.partition_of(table), "")
        head = NO_HEAD
        for version, commit in enumerate(games[number % len(games)], 1):
            actor, events = owners.get(commit.actor, commit.actor), commit.events
            if commit.names:
                for nobody, person in owners.items():
                    events = events.replace(nobody.encode(), person.encode())
            command = commit.command.format(table)
            hash = link(table, version, head, commit.time, actor, command, events)
            draft = Draft(
                table=table,
                version=version,
                previous=head,
                time=commit.time,
                actor=actor,
                command=command,
                events=events,
            )
            yield evalsha(Append(prefix, now, draft, hash, None))
            head = hash
