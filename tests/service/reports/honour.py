"""Games of honour with planted offences, on an engine."""

from __future__ import annotations

from domain.commands import Move
from domain.games.callbreak.moves import CALLS, PLAYS, Accuse
from domain.games.callbreak.offences import proved
from domain.games.callbreak.view import lawful, observe
from domain.table import Table
from eventstore.record import Commit
from tests.service.tables import PEOPLE, World, new_world, steady_seeds

TABLE = "home-1"
CHEAT = 1  # the seat that plays against the rules wherever it can


async def honest_or_not(world: World, *, cheats: bool) -> Table:
    """One move of whoever is asked: the seat CHEAT plays against the rules where it can, if it `cheats`."""
    state = await world.state(TABLE)
    asked = state.rules.to_act(state.set)[0]
    seat = asked.seats[0]
    seen = observe(state.set, seat)
    if asked.key.startswith("confirm") or seen.phase == "result":
        await world.do(TABLE, state.seats[seat].owner, Move(state.rules.read("confirm")))
    elif seen.phase != "play":
        await world.do(TABLE, state.seats[seat].owner, Move(CALLS[3]))
    else:
        allowed = lawful(seen)
        held = seen.hand or ()
        wrong = [card for card in held if not allowed >> card & 1]
        right = [card for card in held if allowed >> card & 1]
        card = wrong[0] if wrong and cheats and seat == CHEAT else right[0]
        await world.do(TABLE, state.seats[seat].owner, Move(PLAYS[card]))
    return await world.state(TABLE)


async def until_offence(sets: int = 2) -> World:
    """A table of honour in which the seat CHEAT has played against the rules in the first set, nobody accused."""
    world = await new_world(steady_seeds)
    options = {"enforcement": "honour", "max_sets": str(sets), "target": "0", "hidden_call_test": "off"}
    await world.started(TABLE, options)
    state = await world.state(TABLE)
    while state.sets == 1 or state.set.called < 1:
        state = await honest_or_not(world, cheats=state.sets == 1)
    return world


async def finished(world: World) -> list[Commit]:
    """The game to its end, by the rules."""
    state = await world.state(TABLE)
    while state.phase == "playing":
        state = await honest_or_not(world, cheats=False)
    return await world.engine.history(TABLE)


async def accused() -> World:
    """As `until_offence`, but in the second set CHEAT is accused as soon as the offence is proved."""
    world = await until_offence()
    state = await world.state(TABLE)
    while not _proved(state) and state.sets == 2:
        state = await honest_or_not(world, cheats=True)
    assert state.sets == 2, "the deal gives the occasion"
    trick = _proved(state)[0]
    await world.do(TABLE, PEOPLE[0], Move(Accuse(CHEAT, trick)))
    return world


def _proved(state: Table) -> list[int]:
    return [found.offence.trick for found in proved(state.set) if found.seat == CHEAT]
