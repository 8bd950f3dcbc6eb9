"""Deployments with tables in every phase, all projections on them, and what the projections hold."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from domain import options
from domain.commands import Act, Close, Join, Leave, Move, Open, Propose, Return, Start
from domain.decide import legal
from eventstore.feed import Follower, view_keys
from eventstore.redis_store import RedisStore
from service.projections.registry import PROJECTIONS
from service.projections.rows import Look, Rows, from_store, through
from tests.service.tables import CALLBREAK, PEOPLE, World

SHORT = {"max_sets": "1", "target": "0", "redeal": "", "min_total_calls": "0"}
OPEN = Open("callbreak", options.read(CALLBREAK, {}), seated=True)
_IN_LOBBY: list[Act] = [Join(), Join(), Start()]
_ELSE: list[Act] = [Leave(), Return(), Propose("end"), Close()]


async def follow(store: RedisStore, look: Look) -> dict[str, Rows]:
    """All projections, up to date."""
    found = {name: Rows(store, spec, look) for name, spec in PROJECTIONS.items()}
    for rows in found.values():
        await Follower(store, rows).catch_up()
    return found


async def followed(world: World) -> dict[str, Rows]:
    """All projections as a bot keeps them, up to date."""
    return await follow(world.store, through(world.engine))


async def contents(store: RedisStore) -> dict[bytes, dict[bytes, bytes]]:
    """Every key that projections have, and what it holds."""
    found: dict[bytes, dict[bytes, bytes]] = {}
    for spec in PROJECTIONS.values():
        for keys in (await view_keys(store, Rows(store, spec, from_store(store)))).values():
            for key in keys:
                fields = iter(await store.servers.ask_one("HGETALL", key))
                found[key] = dict(zip(fields, fields, strict=True))
    return found


async def left_over(store: RedisStore) -> list[bytes]:
    """Keys of rebuilds."""
    every = store.servers.every()
    return [key for client in every async for key in client.scan_iter(match="*.new-*", count=1000)]


async def played(world: World, name: str, given: Mapping[str, str] = SHORT) -> None:
    """A table whose game is over, won by somebody."""
    await world.started(name, given)
    while (await world.state(name)).phase == "playing":
        await world.first_legal_move(name)


async def some_tables(world: World) -> None:
    """Tables in every phase, in several homes and partitions."""
    await played(world, "ann-1")
    await world.started("ann-2")
    await world.started("bob-1", people=2)
    await world.do("bob-1", PEOPLE[0], Leave())
    for person in PEOPLE[:2]:
        await world.do("bob-1", person, Propose("end"))
    await world.started("cat-1", SHORT)
    await world.do("dan-1", PEOPLE[3], OPEN)
    await world.do("dan-2", PEOPLE[3], OPEN)
    await world.do("dan-2", PEOPLE[3], Close())


async def at_random(world: World, chance: Random, acts: int) -> None:
    """People do what comes to their minds, at tables of several homes; much of it is refused."""
    names = [f"{home}-{number}" for home in ("ann", "bob", "cat") for number in (1, 2)]
    for _ in range(acts):
        name, person = chance.choice(names), chance.choice(PEOPLE)
        world.clock.pass_time(chance.randint(0, 10_000))
        state = (await world.engine.held(name)).state
        if state is None:
            await world.do(name, person, OPEN)
        elif state.phase == "playing" and state.decisions and chance.random() < 0.9:
            seat = chance.choice(state.decisions[0].seats)
            await world.do(name, state.seats[seat].owner, Move(chance.choice(legal(state, seat))))
        elif state.phase == "lobby" and chance.random() < 0.8:
            await world.do(name, person, chance.choice(_IN_LOBBY))
        else:
            await world.do(name, person, chance.choice(_ELSE))
