from __future__ import annotations

import asyncio
import itertools
from functools import partial

from domain import options
from domain.commands import AddComputer, Join, Move, SetOptions, Start
from domain.decide import legal
from domain.games import GAMES
from domain.table import Table
from service.engine import Done, Refused
from service.sandbox.people import Group, Person
from service.sandbox.state import Message
from tests.service.chat.conftest import Running, loop_standing, skip

PLAIN = options.read(GAMES["callbreak"], {"max_sets": "1", "target": "0", "redeal": "", "min_total_calls": "0"})


async def lobby(running: Running, people: list[Person], group: Group) -> tuple[str, Message]:
    """A lobby with all the people in it: the table's id, and its message."""
    await running.until(lambda: people[0].find(group, "Hello!"))
    people[0].say(group, "/callbreak")
    message = await running.until(lambda: people[0].find(group, "Join"))
    for person in people[1:]:
        assert "seat" in await running.press(person, group, "Join")
    await running.until(lambda: f"{len(people)}. {people[-1].name}" in (people[0].find(group, "Join") or message).text)
    table = next(b.value for row in message.keyboard for b in row).partition(":")[2]
    host = (await state(running, table)).host
    assert isinstance(await running.service.engine.submit(table, host, SetOptions(PLAIN), f"options:{table}"), Done)
    return table, message


async def state(running: Running, table: str) -> Table:
    found = (await running.service.engine.held(table)).state
    assert found is not None
    return found


async def move(running: Running, table: str, number: int) -> None:
    """Whoever is asked makes his first legal move, past the chat."""
    now = await state(running, table)
    [seat] = now.decisions[0].seats
    done = await running.service.engine.submit(table, now.seats[seat].owner, Move(legal(now, seat)[-1]), f"m{number}")
    assert isinstance(done, Done)


async def started(running: Running, group: Group, people: list[Person]) -> tuple[str, Message]:
    table, _ = await lobby(running, people, group)
    await running.press(people[0], group, "Start")
    return table, await running.until(lambda: people[0].find(group, "My hand"))


def four(running: Running) -> list[Person]:
    return [running.world.person(name) for name in ("Ann", "Bob", "Cleo", "Dan")]


async def test_ten_moves_in_a_moment_are_one_edit(running: Running) -> None:
    """Twenty edits of a message, and then minutes of silence (python-telegram-bot/python-telegram-bot#939)."""
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    before = len(running.world.calls("editMessageText", group))
    with loop_standing():
        for number in range(10):
            await move(running, table, number)
    await running.until(lambda: people[0].find(group, "trick 2"))
    assert len(running.world.calls("editMessageText", group)) == before + 1


async def test_a_chat_that_must_wait_holds_no_other(running: Running) -> None:
    sides = [four(running), four(running)]
    groups = [running.world.group(title, people) for title, people in zip(("A", "B"), sides, strict=True)]
    tables = [await started(running, group, people) for group, people in zip(groups, sides, strict=True)]
    fault = running.world.fault("too_many", method="editMessageText", chat=groups[0], retry_after=600)
    for (table, _), letter in zip(tables, "ab", strict=True):
        for number in range(4):
            await move(running, table, number + (100 if letter == "b" else 0))
    await running.until(lambda: sides[1][0].find(groups[1], "trick 1"))
    assert sides[0][0].find(groups[0], "trick 1") is None
    await running.until(lambda: fault.played == 1)
    skip(600)
    await running.until(lambda: sides[0][0].find(groups[0], "trick 1"))
    refused = [call for call in running.world.calls("editMessageText", groups[0]) if not call.ok]
    assert len(refused) == 1


async def test_a_message_that_was_deleted_is_posted_anew(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    table, message = await started(running, group, people)
    await running.bot.delete_message(group.id, message.id)
    await move(running, table, 1)
    anew = await running.until(lambda: people[0].find(group, "My hand"))
    assert anew.id != message.id


async def test_a_message_that_is_right_already_is_left_alone(running: Running) -> None:
    """`message is not modified` is taken for a fault, and the keyboard goes (cherrytea-dev/la_searcher_bot#917)."""
    people = four(running)
    group = running.world.group("Friday", people)
    table, message = await started(running, group, people)
    await running.stop()
    await running.service.directory.put("shown", f"{table} table", f'{{"chat":{group.id},"message":{message.id}}}')
    await running.start()
    edits = running.world.calls("editMessageText", group)
    await running.until(lambda: len(running.world.calls("editMessageText", group)) > len(edits))
    assert "not modified" in str(running.world.calls("editMessageText", group)[-1].answer)
    await move(running, table, 1)
    await running.until(lambda: "called" in (people[0].find(group, "My hand") or message).text)
    assert len([m for m in people[0].sees(group) if "My hand" in m.buttons]) == 1


async def test_a_lobby_whose_delivery_is_unknown_is_taken_up_at_its_first_press(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = running.world.group("Friday", [ann, bob])
    await running.until(lambda: ann.find(group, "Hello!"))
    fault = running.world.fault("unanswered", method="sendMessage", chat=group)
    ann.say(group, "/callbreak")
    message = await running.until(lambda: ann.find(group, "Join"))
    assert "seat" in await running.press(bob, message, "Join")
    await running.until(lambda: "2. Bob" in (ann.find(group, "Join") or message).text)
    assert fault.played == 1
    assert [m.id for m in ann.sees(group) if "Join" in m.buttons] == [message.id]


def tables(person: Person, group: Group) -> list[Message]:
    """The messages of a group that show its table."""
    return [message for message in person.sees(group) if "My hand" in message.buttons]


async def test_a_message_that_is_being_replaced_is_not_taken_up_again_by_a_press(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    table, old = await started(running, group, people)
    running.world.fault("unanswered", method="sendMessage", chat=group)
    people[1].say(group, "/table")
    await running.until(lambda: len(tables(people[0], group)) == 2)
    await asyncio.sleep(0.2)  # by now the bot knows that it does not know
    assert await running.press(people[2], old, "My hand")
    await running.until(lambda: old.id not in [one.id for one in tables(people[0], group)])
    await running.press(people[2], tables(people[0], group)[-1], "My hand")
    await move(running, table, 1)
    await running.until(lambda: any("called" in one.text for one in tables(people[0], group)))
    while len(found := tables(people[0], group)) != 1:  # the first press may have come before it counted as lost
        assert found, "no message shows the table"
        await running.press(people[2], found[0], "My hand")
    assert "called" in found[0].text


async def test_whoever_blocks_the_bot_is_not_written_to_and_his_hand_goes_nowhere_else(running: Running) -> None:
    people = ann, *_ = four(running)
    group = running.world.group("Friday", people)
    ann.start()
    table, _ = await started(running, group, people)
    await running.until(lambda: ann.find(ann.private, "♠"))
    running.world.fault("forbidden", method="editMessageText", chat=ann.private)
    for number in range(4):
        await move(running, table, number)
    directory = running.service.directory
    actor = await directory.person(f"tg:{ann.id}")

    async def blocked() -> bool:
        return await directory.get("private", actor) is None

    await running.eventually(blocked)
    calls = len(running.world.calls("editMessageText", ann.private))
    await move(running, table, 5)
    await running.until(lambda: ann.find(group, "trick 1"))
    assert len(running.world.calls("editMessageText", ann.private)) == calls
    assert "You may play" in await running.press(
        people[(await state(running, table)).decisions[0].seats[0]], group, "My hand"
    )


async def test_a_group_that_threw_the_bot_out_is_left_alone_until_it_is_back(running: Running) -> None:
    """The bot is thrown out of a chat, fails there, and the update comes again.

    Reports: eternnoir/pyTelegramBotAPI#2204, bostrot/telegram-support-bot#71.
    """
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    await running.until(lambda: running.world.calls("pinChatMessage", group), "the last of what is done at the start")
    group.remove_bot()
    await running.until(lambda: not running.world.updates.waiting)
    calls = len(running.world.calls(None, group))
    await running.eventually(paused := partial(_paused, running, table))
    assert len(running.world.calls(None, group)) == calls
    group.add_bot()
    await running.eventually(partial(_goes_on, running, table))
    assert not await paused()
    for number in range(4):
        await move(running, table, number)
    await running.until(lambda: people[0].find(group, "trick 1"))


async def _paused(running: Running, table: str) -> bool:
    return (await state(running, table)).paused is not None


async def closed_to_us(running: Running, group: Group) -> bool:
    """Whether it is noted that we may not write to a group."""
    return await running.service.directory.get("closed", str(group.id)) is not None


async def _goes_on(running: Running, table: str) -> bool:
    return not await _paused(running, table)


async def test_a_fast_game_stays_within_a_groups_budget(running: Running) -> None:
    """Edits count in the twenty a minute of a group too (tdlib/td#2592, tdlib/td#3034)."""
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await started(running, group, people)
    for number in range(56):
        await move(running, table, number)
    await running.until(lambda: people[0].find(group, "Once more?"))
    sent = running.world.calls("sendMessage", group) + running.world.calls("editMessageText", group)
    assert len(sent) <= 18


async def test_answers_that_must_wait_share_a_message(running: Running) -> None:
    ann = running.world.person("Ann")
    group = running.world.group("Friday", [ann])
    await running.until(lambda: ann.find(group, "Hello!"))
    for number in range(25):
        ann.say(group, f"/call {number}")
    await running.until(lambda: not running.world.updates.waiting, "all updates handled")
    assert len(running.world.calls("sendMessage", group)) <= 18


async def test_computer_players_and_people_join_and_leave(running: Running) -> None:
    ann = running.world.person("Ann")
    group = running.world.group("Friday", [ann])
    table, _ = await lobby(running, [ann], group)
    engine = running.service.engine
    host = (await state(running, table)).host
    for number in range(3):
        await engine.submit(table, host, AddComputer(), f"a{number}")
    await running.until(lambda: ann.find(group, "All seats are taken"))
    assert "Remove computer player" in (ann.find(group, "Start") or Message).buttons  # type: ignore[operator]
    assert isinstance(await engine.submit(table, "person:x", Join(), "j"), Refused)
    assert isinstance(await engine.submit(table, host, Start(), "s"), Done)
    await running.until(lambda: ann.find(group, "My hand"))


async def test_whoever_is_asked_after_a_silence_gets_a_new_message_and_the_old_one_is_emptied(running: Running) -> None:
    """Inline mode cannot open the hand when it is my turn (lamapgame/lamap-bot#7)."""
    people = ann, *_ = four(running)
    group = running.world.group("Friday", people)
    await running.stop()
    await running.start(absent=0.0)
    ann.start()
    table, _ = await started(running, group, people)
    actor = await running.service.directory.person(f"tg:{ann.id}")
    numbers, seen = itertools.count(), []
    for _ in range(2):
        while (now := await state(running, table)).seats[now.decisions[0].seats[0]].owner != actor:
            await move(running, table, next(numbers))
        asked = await running.until(
            lambda: next((m for m in ann.sees(ann.private) if m.keyboard and m.id not in seen), None)
        )
        seen.append(asked.id)
        await move(running, table, next(numbers))
    assert seen[1] > seen[0]
    await running.until(lambda: any("out of date" in m.text for m in ann.sees(ann.private) if m.id == seen[0]))


async def test_a_group_in_which_we_may_write_again_is_brought_up_to_date_at_the_next_word_there(
    running: Running,
) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    table, message = await started(running, group, people)
    rights = "Bad Request: not enough rights to send text messages to the chat"
    running.world.fault("forbidden", method="editMessageText", chat=group, description=rights)
    await move(running, table, 1)
    await running.eventually(partial(closed_to_us, running, group))
    await move(running, table, 2)
    assert await running.press(people[0], group, "My hand")
    await running.until(lambda: "called" in (people[0].find(group, "My hand") or message).text)


async def test_an_edit_that_a_crash_prevented_is_made_at_the_next_start(running: Running) -> None:
    """A move after a restart is not shown, and both wait for the other (freeboardgames/FreeBoardGames.org#551)."""
    people = four(running)
    group = running.world.group("Friday", people)
    table, message = await started(running, group, people)
    await running.stop()
    for number in range(4):
        await move(running, table, number)
    await running.start()
    shown = await running.until(lambda: people[0].find(group, "trick 1"))
    assert shown.id == message.id


async def test_a_message_that_was_replaced_says_so_also_after_a_crash(running: Running) -> None:
    """Two messages that both look like the table: whoever presses the older one is lost."""
    people = four(running)
    group = running.world.group("Friday", people)
    _, message = await started(running, group, people)
    fault = running.world.fault("too_many", method="editMessageText", chat=group, retry_after=600)
    people[1].say(group, "/table")
    await running.until(lambda: fault.played == 1)
    assert people[0].find(group, "My hand") != message
    await running.stop()
    await running.start()
    await running.until(lambda: [one.id for one in people[0].sees(group) if "out of date" in one.text] == [message.id])
    assert len([one for one in people[0].sees(group) if "My hand" in one.buttons]) == 1
