"""Every command of a game is carried out once, however often it is asked, of whom, before or after a restart."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from domain import options
from domain.commands import Act, AddComputer, CutDeck, Join, Leave, Move, Open, Start
from domain.decide import legal
from domain.games.callbreak.moves import Call
from service.engine import Done, Engine, Outcome, Refused
from tests.service.tables import CALLBREAK, PEOPLE, World, new_world, steady_seeds

TABLE = "home-1"
ONE_SET = {"max_sets": "1", "target": "0"}


class Asked(msgspec.Struct, frozen=True):
    """A command as it was asked, and its first answer."""

    actor: str
    act: Act
    command: str
    decision: int | None
    seat: int | None
    outcome: Outcome

    async def of(self, engine: Engine) -> Outcome:
        return await engine.submit(TABLE, self.actor, self.act, self.command, decision=self.decision, seat=self.seat)


async def recorded(world: World, *, twice: bool) -> list[Asked]:
    """Every command of a game with refusals among them; `twice`: each is asked of two processes at the same moment."""
    found: list[Asked] = []
    engines = [world.engine, world.another_engine()] if twice else [world.engine]

    async def ask(actor: str, act: Act, decision: int | None = None, seat: int | None = None) -> None:
        world.clock.pass_time(60_000)
        command = f"tg:1:{len(found)}:{TABLE}"
        answers = await asyncio.gather(
            *(engine.submit(TABLE, actor, act, command, decision=decision, seat=seat) for engine in engines)
        )
        first = msgspec.structs.replace(answers[0], again=False) if isinstance(answers[0], Done) else answers[0]
        found.append(Asked(actor, act, command, decision, seat, first))

    ann, bob, *_ = PEOPLE
    await ask(ann, Open("callbreak", options.read(CALLBREAK, ONE_SET)))
    for act in (Join(), Leave(), Join(), Join()):  # the last is refused
        await ask(bob, act)
    for _ in range(2):
        await ask(ann, AddComputer())
    await ask(bob, CutDeck(17))
    await ask(bob, Start())  # refused: the host's
    await ask(ann, Start())
    while (state := await world.state(TABLE)).phase == "playing":
        decision = state.decisions[0]
        seat = decision.seats[0]
        moves = legal(state, seat)
        other = state.seats[(seat + 1) % 4].owner
        if not other.startswith("computer:"):
            await ask(other, Move(Call(3)))  # refused: not his turn
        move = moves[2] if state.set.called < 4 else moves[0]  # calls of one each would be dealt again for ever
        await ask(state.seats[seat].owner, Move(move), decision.id, seat)
    return found


def again(outcome: Outcome) -> Outcome:
    return msgspec.structs.replace(outcome, again=True) if isinstance(outcome, Done) else outcome


@pytest.mark.parametrize("twice", [False, True])
async def test_all_commands_of_a_game_once_more_after_a_restart_give_the_first_answers_and_the_same_log(
    twice: bool,
) -> None:
    world = await new_world()
    commands = await recorded(world, twice=twice)
    log = await world.store.read(TABLE)
    done = [one for one in commands if isinstance(one.outcome, Done)]
    refused = [one for one in commands if isinstance(one.outcome, Refused)]
    assert [one.command for one in done] == [commit.command for commit in log]
    assert len(done) > 50
    assert len(refused) > 10

    engine = world.another_engine()
    assert [await one.of(engine) for one in commands] == [again(one.outcome) for one in commands]
    assert await world.store.read(TABLE) == log
    shuffled = commands[::-1]
    assert [await one.of(engine) for one in shuffled] == [again(one.outcome) for one in shuffled]
    assert await world.store.read(TABLE) == log


async def test_each_command_asked_twice_in_a_row_is_carried_out_once() -> None:
    """The same seeds deal the same cards, so that what one deployment heard can be asked of another."""
    heard = await recorded(await new_world(steady_seeds), twice=False)
    world = await new_world(steady_seeds)
    for one in heard:
        world.clock.pass_time(60_000)
        first = await one.of(world.engine)
        log = await world.store.read(TABLE)
        assert await one.of(world.engine) == again(first)
        assert await world.store.read(TABLE) == log
    assert len(log) == sum(isinstance(one.outcome, Done) for one in heard)
