"""Who is called when: by functions of the table, and by people in a group who see it."""

from __future__ import annotations

import asyncio
import itertools

import msgspec
import pytest

from domain.clock import Quiet, Stop
from domain.events import Decision
from domain.table import Table
from service.chat.bells.calls import GATHER, Bell, Notice, Person, bell
from service.sandbox.people import Group
from service.sandbox.people import Person as Actor
from service.sandbox.state import Message
from tests.domain.play import started
from tests.service.chat.conftest import Running
from tests.service.chat.test_views import four, move, state
from tests.service.chat.test_views import started as playing

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
START = 1_796_000_000_000  # a Monday in November 2026, 00:53 UTC
ABSENCE = 2 * MINUTE


def asking(seconds: int | None = 86_400, **changes: object) -> Table:
    """A game that asks seat 0 since START."""
    made = started(word="calls").state
    return msgspec.structs.replace(
        made, decisions=(Decision(7, "", made.decisions[0].seats, START, seconds),), **changes
    )


def seat_of(made: Table) -> int:
    return made.decisions[0].seats[0]


def person(*, private: bool = True, absent: int = START - HOUR, reminders: str = "both") -> Person:
    return Person(private, absent, ABSENCE, reminders)  # type: ignore[arg-type]


def rings(made: Table, who: Person, now: int, notice: Notice | None = None, quiet: Quiet | None = None) -> Bell | None:
    return bell(made, seat_of(made), who, notice or Notice(), quiet, now)


def test_who_is_not_here_is_called_at_once_in_private_and_a_little_later_in_a_group() -> None:
    assert rings(asking(), person(), START) == Bell(START, "call", 7)
    assert rings(asking(), person(private=False), START) == Bell(START + GATHER, "call", 7)


def test_who_is_here_is_called_once_he_has_been_silent_for_long_enough() -> None:
    """Not told it is my turn (lichess-org/lila#5283)."""
    found = rings(asking(), person(absent=START + MINUTE), START)
    assert found == Bell(START + MINUTE + 1, "call", 7)


def test_a_question_rings_once() -> None:
    called = Notice(decision=7, rank=1, called=START, private=True)
    found = rings(asking(), person(), START + MINUTE, called)
    assert found is not None
    assert found.ring == "half"
    assert rings(asking(None), person(), START + MINUTE, called) is None


def test_calls_of_one_player_keep_their_distance() -> None:
    earlier = Notice(decision=6, rank=1, called=START - MINUTE, private=True)
    found = rings(asking(), person(), START, earlier)
    assert found == Bell(START - MINUTE + ABSENCE * 3 // 2, "call", 7)


def test_half_and_four_fifths_of_the_time_ring_and_what_is_missed_rings_once() -> None:
    """Reminders are lost, or several come at once (lichess-org/lichobile#1443)."""
    called = Notice(decision=7, rank=1, called=START, private=True)
    assert rings(asking(), person(), START + 11 * HOUR, called) == Bell(START + 12 * HOUR, "half", 7)
    late = START + round(19.2 * HOUR)
    assert rings(asking(), person(), late, called) == Bell(late, "late", 7)
    told = msgspec.structs.replace(called, rank=3)
    assert rings(asking(), person(), late + HOUR, told) is None


@pytest.mark.parametrize(("choice", "first"), [("half", "half"), ("late", "late"), ("none", None), ("both", "half")])
def test_everybody_chooses_his_reminders(choice: str, first: str | None) -> None:
    """The frequency of reminders is the player's choice (tobymao/18xx#7150)."""
    called = Notice(decision=7, rank=1, called=START, private=True)
    found = rings(asking(), person(reminders=choice), START + HOUR, called)
    assert (None if found is None else found.ring) == first


def test_a_group_is_told_of_one_reminder_a_question() -> None:
    reminded = Notice(decision=7, rank=2, called=START, reminded=True)
    assert rings(asking(), person(private=False), START + 23 * HOUR, reminded) is None


def test_a_private_call_that_did_not_arrive_is_made_in_the_group() -> None:
    called = Notice(decision=7, rank=1, private=True)
    found = rings(asking(None), person(private=False), START + MINUTE, called)
    assert found is not None
    assert found.ring == "call"


def test_nothing_rings_in_quiet_hours_but_at_their_end() -> None:
    """A step of eight hours is brutal because of sleep (online-go/online-go.com#1720)."""
    night = Quiet(22 * 60, 8 * 60, "UTC")
    found = rings(asking(), person(), START, quiet=night)
    assert found is not None
    assert found.ring == "call"
    assert 0 <= found.at - (START - START % (24 * HOUR) + 8 * HOUR) <= 1


def test_nothing_rings_in_a_pause_on_a_vacation_or_for_a_computer() -> None:
    assert rings(asking(paused="agreement"), person(), START) is None
    made = asking()
    seats = list(made.seats)
    seats[seat_of(made)] = msgspec.structs.replace(made.seats[seat_of(made)], vacation=Stop(START, START + 5 * HOUR))
    found = rings(msgspec.structs.replace(made, seats=tuple(seats)), person(), START + HOUR)
    assert found == Bell(START + 5 * HOUR, "call", 7)
    seats[seat_of(made)] = msgspec.structs.replace(made.seats[seat_of(made)], owner="computer:steady")
    assert rings(msgspec.structs.replace(made, seats=tuple(seats)), person(), START) is None


def test_nobody_is_called_for_a_question_that_is_over_in_seconds() -> None:
    assert rings(asking(30), person(), START) is None


def calling(who: Actor, group: Group) -> list[Message]:
    return [message for message in who.sees(group) if "it is your turn" in message.text]


async def later(running: Running, ms: int) -> None:
    """The bot finds itself later on the clock, and was alive all the time: no outage stops the clocks."""
    await running.stop()
    running.clock.ahead += ms
    await running.service.directory.put("alive", "serve", str(running.clock.now()))
    await running.start()


async def asked(running: Running, table: str, people: list[Actor]) -> Actor:
    now = await state(running, table)
    return people[now.decisions[0].seats[0]]


async def test_a_group_calls_whoever_has_no_private_chat_and_takes_the_call_away_when_he_has_moved(
    running: Running,
) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    await running.stop()
    await running.start(absent=0.0)
    table, _ = await playing(running, group, people)
    who = await asked(running, table, people)
    [call] = await running.until(lambda: calling(people[0], group) or None)
    assert call.text.startswith(who.name)
    assert [entity.user_id for entity in call.entities if entity.type == "text_mention"] == [who.id]
    await move(running, table, 1)
    await running.until(lambda: call.id not in [message.id for message in calling(people[0], group)])


async def test_turns_that_pass_on_within_seconds_call_nobody_but_the_last(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    await running.stop()
    await running.start(absent=0.0)
    with running.clock.standing():
        table, _ = await playing(running, group, people)
        for number in range(6):
            await move(running, table, number)
    who = await asked(running, table, people)
    await running.until(lambda: calling(people[0], group) or None)
    sent = [call for call in running.world.calls("sendMessage", group) if "it is your turn" in str(call.params)]
    assert len(sent) == 1
    assert str(who.id) in str(sent[0].params)


async def test_a_call_is_not_repeated_after_a_restart(running: Running) -> None:
    """108 restarts answered each message 108 times (nbramia/LifeOS#57)."""
    people = four(running)
    group = running.world.group("Friday", people)
    await running.stop()
    await running.start(absent=0.0)
    await playing(running, group, people)
    await running.until(lambda: calling(people[0], group) or None)
    for _ in range(2):
        await running.stop()
        await running.start(absent=0.0)
    await asyncio.sleep(GATHER / 1000 + 0.5)
    assert len(calling(people[0], group)) == 1


async def test_a_call_that_is_on_its_way_when_the_bot_stops_is_taken_away_all_the_same(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    await running.stop()
    await running.start(absent=0.0)
    table, _ = await playing(running, group, people)
    held_back = running.world.fault("delayed", method="sendMessage", chat=group)
    [call] = await running.until(lambda: calling(people[0], group) or None)
    stopping = asyncio.create_task(running.stop())
    await asyncio.sleep(0.2)
    running.world.release(held_back)
    await stopping
    await running.start()
    await move(running, table, 1)
    await running.until(lambda: call.id not in [message.id for message in calling(people[0], group)])


async def test_who_can_be_written_to_is_reminded_in_private_by_his_hand(running: Running) -> None:
    """Inline mode cannot open the hand when it is my turn (lamapgame/lamap-bot#7)."""
    people = four(running)
    group = running.world.group("Friday", people)
    for one in people:
        one.start()
    table, _ = await playing(running, group, people)
    who = await asked(running, table, people)
    await running.until(lambda: who.find(who.private, "♠"))
    await later(running, 13 * HOUR)
    reminded = await running.until(lambda: who.find(who.private, "Half of your time is gone"))
    assert reminded.keyboard
    assert not calling(people[0], group)
    others = itertools.chain.from_iterable(one.sees(one.private) for one in people if one is not who)
    assert not any("Half of your time" in message.text for message in others)
    await move(running, table, 1)
    await running.until(lambda: not who.find(who.private, "Half of your time is gone"))


async def test_who_falls_silent_after_he_was_asked_is_called_then(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    for one in people:
        one.start()
    await running.stop()
    with running.clock.standing():
        await running.start(absent=1.0)
        table, _ = await playing(running, group, people)
        who = await asked(running, table, people)
        first = await running.until(lambda: who.find(who.private, "♠"))
    again = await running.until(
        lambda: next((m for m in who.sees(who.private) if m.id > first.id and m.keyboard), None)
    )
    assert "Your turn" in again.text


async def test_a_group_is_reminded_once_of_somebody_who_cannot_be_written_to(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await playing(running, group, people)
    who = await asked(running, table, people)
    await later(running, 13 * HOUR)
    await running.until(lambda: people[0].find(group, "half of your time in Call Break is gone"))
    await later(running, 7 * HOUR)
    await asyncio.sleep(1.0)
    sent = [call for call in running.world.calls("sendMessage", group) if "half of your time" in str(call.params)]
    assert len(sent) == 1
    assert str(who.id) in str(sent[0].params)
    assert not any("running out" in str(call.params) for call in running.world.calls("sendMessage", group))
    await move(running, table, 1)
    await running.until(lambda: people[0].find(group, "half of your time") is None)


async def test_a_call_of_which_nobody_knows_whether_it_arrived_is_not_repeated(running: Running) -> None:
    """`TimedOut` can mean delivered: a blind retry doubles the message."""
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await playing(running, group, people)
    await running.stop()
    lost = running.world.fault("unanswered", method="sendMessage", chat=group)
    await running.start(absent=0.0)
    await running.until(lambda: calling(people[0], group) or None)
    assert lost.played == 1
    await move(running, table, 1)
    await asyncio.sleep(GATHER / 1000 + 1.0)
    told = calling(people[0], group)
    assert len({m.text.partition(":")[0] for m in told}) == len(told) <= 2
