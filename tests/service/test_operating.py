"""Who may not take a seat, asked at the engine: whatever way he came."""

from __future__ import annotations

import pytest

from domain import options
from domain.commands import Act, Answer, Join, Leave, Open, Propose, Replace
from domain.games import GAMES
from service.engine import Done, Refused
from service.operating import LISTENS_MS, Operation
from tests.service.tables import PEOPLE, World, new_world

OPEN = Open("callbreak", options.read(GAMES["callbreak"], {}))
DAY = 86_400_000


async def guarded() -> tuple[World, Operation, str]:
    """A deployment with a door, and somebody who is banned for a day."""
    world = await new_world()
    known = Operation(world.directory, "deployment", world.clock)
    world.engine.door = known.door
    bob = await world.directory.person("tg:7")
    await known.ban("tg:7", world.clock.now() + DAY, "")
    return world, known, bob


@pytest.mark.parametrize("act", [OPEN, Join(), Propose("seat", 0)])
async def test_every_way_to_a_seat_is_closed_until_the_ban_ends(act: Act) -> None:
    world, _, bob = await guarded()
    await world.do("home-1", PEOPLE[0], OPEN)
    name = "home-2" if isinstance(act, Open) else "home-1"
    refused = await world.engine.submit(name, bob, act, "first")
    assert isinstance(refused, Refused)
    assert refused.code == "banned_until"
    assert (await world.engine.fresh("home-2")).state is None
    world.clock.pass_time(DAY)
    outcome = await world.engine.submit(name, bob, act, "first")
    assert not isinstance(outcome, Refused) or outcome.code != "banned_until"


async def test_whoever_gives_a_seat_to_somebody_banned_is_told_that_it_is_he() -> None:
    world, _, bob = await guarded()
    await world.started("home-1")
    refused = await world.engine.submit("home-1", PEOPLE[0], Replace(1, bob), "give", admin=True)
    assert isinstance(refused, Refused)
    assert refused.code == "other_banned"


async def test_what_was_carried_out_before_the_ban_has_the_same_answer_afterwards() -> None:
    world, known, bob = await guarded()
    await known.unban("tg:7")
    await world.do("home-1", PEOPLE[0], OPEN)
    done = await world.engine.submit("home-1", bob, Join(), "tg:1:5:home-1")
    assert isinstance(done, Done)
    await known.ban("tg:7", None, "")
    again = await world.engine.submit("home-1", bob, Join(), "tg:1:5:home-1")
    assert isinstance(again, Done)
    assert (again.version, again.again) == (done.version, True)
    assert isinstance(await world.engine.submit("home-1", bob, Leave(), "away"), Done), "he may always leave"


async def test_while_the_deployment_rests_nobody_takes_a_seat_and_every_other_act_is_judged_as_ever() -> None:
    world, known, _ = await guarded()
    await world.do("home-1", PEOPLE[0], OPEN)
    first = await known.begin_rest("a new disk")
    world.clock.pass_time(LISTENS_MS)
    assert await known.begin_rest("again") == first
    refused = await world.engine.submit("home-1", PEOPLE[1], Join(), "join")
    assert isinstance(refused, Refused)
    assert refused.code == "maintenance"
    other = await world.engine.submit("home-1", PEOPLE[0], Answer(True), "answer")
    assert isinstance(other, Refused)
    assert other.code != "maintenance"
    assert await known.end_rest()
    assert not await known.end_rest()
    world.clock.pass_time(LISTENS_MS)
    assert isinstance(await world.engine.submit("home-1", PEOPLE[1], Join(), "join again"), Done)
