from __future__ import annotations

import asyncio

from eventstore.store import StoreDown
from service.chat.board.rounds import Rounds
from tests.service.tables import FakeClock


class Looking:
    """Notes what was looked at; `answers` by table: when to look again, or a fault."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.answers: dict[str, list[int | Exception]] = {}

    async def look(self, name: str) -> int | None:
        self.seen.append(name)
        answers = self.answers.get(name)
        answer = answers.pop(0) if answers else None
        if isinstance(answer, Exception):
            raise answer
        return answer


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def going(clock: FakeClock, looking: Looking, gather: int = 0) -> tuple[Rounds, asyncio.Task[None]]:
    rounds = Rounds(clock, looking.look, gather)
    return rounds, asyncio.create_task(rounds.run())


async def test_a_table_that_was_touched_several_times_is_looked_at_once_after_a_moment() -> None:
    clock, looking = FakeClock(), Looking()
    rounds, task = await going(clock, looking, gather=500)
    for _ in range(5):
        rounds.touch("a")
    await settle()
    assert looking.seen == []
    clock.pass_time(500)
    await settle()
    assert looking.seen == ["a"]
    task.cancel()


async def test_a_table_is_looked_at_again_when_it_asked_for_it_and_not_before() -> None:
    clock, looking = FakeClock(), Looking()
    looking.answers["a"] = [clock.now() + 3_000]
    rounds, task = await going(clock, looking)
    rounds.touch("a")
    await settle()
    clock.pass_time(2_999)
    await settle()
    assert looking.seen == ["a"]
    clock.pass_time(1)
    await settle()
    assert looking.seen == ["a", "a"]
    task.cancel()


async def test_a_fault_at_one_table_stops_no_other_and_a_store_that_is_down_is_tried_again() -> None:
    clock, looking = FakeClock(), Looking()
    looking.answers = {"a": [ValueError("hand: QS")], "b": [StoreDown("gone")]}
    rounds, task = await going(clock, looking)
    for name in ("a", "b", "c"):
        rounds.touch(name)
    await settle()
    assert looking.seen == ["a", "b", "c"]
    clock.pass_time(1_000)
    await settle()
    assert looking.seen == ["a", "b", "c", "b"]
    task.cancel()
