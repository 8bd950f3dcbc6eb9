from __future__ import annotations

import asyncio
import base64

import msgspec

from domain import premoves
from domain.commands import Move
from domain.decide import legal
from domain.table import Table
from service.chat.api.tokens import PlanToken, write
from service.engine import Done
from service.sandbox.people import Group, Person
from service.sandbox.state import Message
from service.sealing import Sealer
from tests.service.chat.conftest import Running
from tests.service.chat.test_ephemeral import actors, asked, tight
from tests.service.chat.test_views import four, move, started, state


async def at_play(running: Running) -> tuple[list[Person], Group, str]:
    """Call Break after the calls and the first card."""
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    for number in range(4):
        await move(running, table, number)
    await move(running, table, 4)
    return people, group, table


async def after_next(running: Running, table: str, people: list[Person], places: int = 1) -> tuple[Person, int]:
    """Whoever is asked so many places after the one who is asked now, with his seat; he has pressed Start."""
    now = await state(running, table)
    seat = (now.decisions[0].seats[0] + places) % 4
    person = people[(await actors(running, people)).index(now.seats[seat].owner)]
    person.start()
    await running.until(lambda: person.find(person.private, "⏭ Plan my next move"))
    return person, seat


async def hand_of(running: Running, table: str, seat: int) -> list[str]:
    """The seat's cards as moves, in notation."""
    now = await state(running, table)
    return [f"play {now.rules.card_name(card)}" for card in now.rules.observe(now.set, seat).hand]


async def comes_of(running: Running, table: str, person: Person, seat: int, *wishes: str) -> None:
    """Whoever is asked before him moves; then his plan's first legal wish is played, or he is told that none is."""
    held = await hand_of(running, table, seat)
    await running.stop()  # so that what is legal can be looked at before the plan is played
    await move(running, table, 5)
    now = await state(running, table)
    made = premoves.move(now, seat, premoves.Plan("", now.sets, 0, wishes))
    await running.start()
    if made is None:
        await settled(running, person, "nothing that you had planned")
        assert await hand_of(running, table, seat) == held
    else:
        await until_moved(running, table, 7)
        assert set(held) - set(await hand_of(running, table, seat)) == {now.rules.notation(made)}


async def until_moved(running: Running, table: str, count: int) -> Table:
    """Waits until so many moves are made in the set."""

    async def made() -> bool:
        return bool((await state(running, table)).set.moves >= count)

    await running.eventually(made)
    return await state(running, table)


async def settled(running: Running, person: Person, words: str) -> Message:
    return await running.until(lambda: person.find(person.private, words), words)


async def test_a_plan_survives_a_restart_is_played_when_it_is_his_turn_and_nobody_else_hears_of_it(
    running: Running,
) -> None:
    people, _group, table = await at_play(running)
    person, seat = await after_next(running, table, people)
    cards = (await hand_of(running, table, seat))[:6]
    person.say(person.private, f"/plan {', '.join(cards)}")
    await settled(running, person, "Planned for your next turn")
    assert (await state(running, table)).set.moves == 5
    [sealed] = (await running.service.directory.everything("plans")).values()
    assert "play" not in sealed
    await tight(running, table, people)
    await comes_of(running, table, person, seat, *cards)
    await gone(running)
    await tight(running, table, people)


async def test_by_buttons_the_lowest_of_the_suit_is_planned(running: Running) -> None:
    people, _group, table = await at_play(running)
    person, seat = await after_next(running, table, people)
    await running.press(person, person.private, "⏭ Plan my next move")
    panel = await settled(running, person, "the lowest of the suit led")
    cards = await hand_of(running, table, seat)
    assert len(panel.buttons) == 5 + len(cards)
    assert "lowest" in await running.press(person, panel, "the lowest of the suit led")
    hand = await settled(running, person, "Planned for your next turn: the lowest of the suit led")
    assert "✖ Call the plan off" in hand.buttons
    await comes_of(running, table, person, seat, premoves.own("low"))
    await tight(running, table, people)


async def test_one_tap_calls_a_plan_off_and_nothing_is_played(running: Running) -> None:
    """A move is taken back after something was drawn or revealed.

    Reports: terraforming-mars/terraforming-mars#5569, SWU-Petranaki/SWUOnline#304.
    """
    people, _group, table = await at_play(running)
    person, seat = await after_next(running, table, people)
    cards = await hand_of(running, table, seat)
    person.say(person.private, f"/plan {', '.join(cards[:6])}")
    hand = await settled(running, person, "✖ Call the plan off")
    assert "off" in await running.press(person, hand, "✖ Call the plan off")
    await settled(running, person, "⏭ Plan my next move")
    await move(running, table, 5)
    await asyncio.sleep(0.5)
    assert (await state(running, table)).set.moves == 6
    assert await running.service.directory.everything("plans") == {}


async def test_a_plan_that_was_played_just_before_a_kill_is_not_played_again(running: Running) -> None:
    people, _group, table = await at_play(running)
    person, seat = await after_next(running, table, people)
    cards = await hand_of(running, table, seat)
    person.say(person.private, f"/plan {', '.join(cards[:6])}")
    await settled(running, person, "Planned for your next turn")
    await running.stop()
    [(field, sealed)] = (await running.service.directory.everything("plans")).items()
    made = opened(sealed, field)
    await move(running, table, 5)
    now = await state(running, table)
    engine, actor = running.service.engine, now.seats[seat].owner
    played = await engine.submit(table, actor, Move(legal(now, seat)[0]), f"plan:{made.id}")
    assert isinstance(played, Done)
    number = 6
    while (now := await state(running, table)).decisions[0].seats[0] != seat:
        await move(running, table, number)
        number += 1
    version = (await engine.held(table)).version
    await running.start()
    await gone(running)
    assert (await engine.fresh(table)).version == version
    assert not any("nothing that you had planned" in text for text in person.texts(person.private))


def opened(sealed: str, field: str) -> premoves.Plan:
    """What a plan in the directory says, under the key of the tests."""
    secret = Sealer(bytes(range(32))).open(base64.b64decode(sealed), f"plan {field}".encode())
    return msgspec.json.decode(secret, type=premoves.Plan)


async def gone(running: Running) -> None:
    """Waits until no plan is kept any more."""

    async def none() -> bool:
        return await running.service.directory.everything("plans") == {}

    await running.eventually(none)


async def test_a_plan_of_a_set_that_is_over_is_dropped_without_a_word(running: Running) -> None:
    people, _group, table = await at_play(running)
    person, seat = await after_next(running, table, people)
    field = f"{table} {(await state(running, table)).seats[seat].owner}"
    old = msgspec.json.encode(premoves.Plan("old", 0, 0, ("play QS",)))
    sealed = Sealer(bytes(range(32))).seal(old, f"plan {field}".encode())
    await running.service.directory.put("plans", field, base64.b64encode(sealed).decode())
    await move(running, table, 5)
    await gone(running)
    assert (await state(running, table)).set.moves == 6
    assert not any("nothing that you had planned" in text for text in person.texts(person.private))


async def test_what_is_planned_when_it_is_his_turn_is_refused(running: Running) -> None:
    people, _group, table = await at_play(running)
    player = await asked(running, table, people)
    player.start()
    await running.until(lambda: next((m for m in player.sees(player.private) if m.keyboard), None))
    player.say(player.private, "/plan QS")
    await settled(running, player, "your turn already")
    assert await running.service.directory.everything("plans") == {}


async def test_a_plan_in_the_group_is_sent_to_the_private_chat(running: Running) -> None:
    people, group, _table = await at_play(running)
    people[0].say(group, "/plan QS")
    await running.until(lambda: people[0].find(group, "private chat."))
    assert await running.service.directory.everything("plans") == {}


async def test_forged_stale_and_foreign_buttons_of_plans_do_nothing(running: Running) -> None:
    people, group, table = await at_play(running)
    person, _seat = await after_next(running, table, people)
    [hand] = [m for m in person.sees(person.private) if "⏭ Plan my next move" in m.buttons]
    public = next(m for m in person.sees(group) if "My hand" in m.buttons)
    now = await state(running, table)

    async def answer(message: Message, token: PlanToken) -> str:
        return (await asyncio.to_thread(person.press_raw, message, write(token))).text

    assert "nothing any more" in await answer(hand, PlanToken(table, now.sets + 1, "+play QS"))
    assert "nothing any more" in await answer(public, PlanToken(table, now.sets, "+play QS"))
    assert "no such plan" in await answer(hand, PlanToken(table, now.sets, "if high"))
    assert "cannot read" in await answer(hand, PlanToken(table, now.sets, "+jump up"))
    assert await running.service.directory.everything("plans") == {}


async def test_a_plan_that_was_sealed_for_another_seat_is_not_opened(running: Running) -> None:
    """A copied field of the directory is nobody's plan."""
    people, _group, table = await at_play(running)
    person, seat = await after_next(running, table, people)
    cards = await hand_of(running, table, seat)
    person.say(person.private, f"/plan {cards[0]}")
    await settled(running, person, "Planned for your next turn")
    [(field, sealed)] = (await running.service.directory.everything("plans")).items()
    now = await state(running, table)
    other = now.seats[(seat + 1) % 4].owner
    await running.service.directory.put("plans", f"{table} {other}", sealed)
    guest = people[(await actors(running, people)).index(other)]
    guest.start()
    await running.until(lambda: guest.find(guest.private, "⏭ Plan my next move"))
    assert not any("Planned" in text for text in guest.texts(guest.private))
    assert field.endswith(now.seats[seat].owner)
    await tight(running, table, people)


async def test_while_the_bot_runs_a_plan_is_played_within_a_moment(running: Running) -> None:
    people, _group, table = await at_play(running)
    person, seat = await after_next(running, table, people)
    held = await hand_of(running, table, seat)
    person.say(person.private, f"/plan {', '.join(held[:6])}")
    person.say(person.private, "/plan low")
    await settled(running, person, "the lowest of the suit led") if len(held) < 6 else await settled(
        running, person, "enough for one plan"
    )
    await move(running, table, 5)
    await gone(running)
    played = set(held) - set(await hand_of(running, table, seat))
    assert played <= set(held[:6])
    if not played:
        await settled(running, person, "nothing that you had planned")
