from __future__ import annotations

from domain.table import Table, decision_of, seat_of
from service.sandbox.people import Group, Person
from service.sandbox.state import Message
from tests.service.chat.conftest import Running
from tests.service.chat.test_lobby import tables


async def state(running: Running, name: str) -> Table:
    """The table as it stands."""
    found = (await running.service.engine.held(name)).state
    assert found is not None
    return found


async def asked(running: Running, name: str, person: Person) -> bool:
    """Whether the table waits for somebody."""
    found = await state(running, name)
    seat = seat_of(found, await running.service.directory.person(f"tg:{person.id}"))
    return seat is not None and decision_of(found, seat) is not None


async def against_a_computer(running: Running, ann: Person, place: Group | None, game: str) -> str:
    """A game of Ann's against computer players, in a group or her private chat, that waits for her; the table's id."""
    where = ann.private if place is None else place
    before = len(ann.sees(where))
    ann.say(where, f"/{game}")
    lobby = await running.until(
        lambda: found if (found := ann.find(where, "Join")) in ann.sees(where)[before:] else None
    )
    for _ in range(3 if game == "callbreak" else 1):
        await running.press(ann, lobby, "Add computer player")
    await running.press(ann, lobby, "Start")
    home = await running.service.directory.home(f"chat:{where.id}")
    name = (await running.service.directory.tables(home))[-1]

    async def waits() -> bool:
        return await asked(running, name, ann)

    await running.eventually(waits)
    return name


async def hand_of(running: Running, ann: Person, name: str) -> Message:
    """The message in Ann's private chat that shows her hand at the table."""
    pair = (await running.service.directory.get("pairs", name)) or "no pair"
    return await running.until(
        lambda: next((one for one in ann.sees(ann.private) if pair in one.text and "loose points" in one.text), None)
    )


async def version(running: Running, name: str) -> int:
    return (await running.service.engine.held(name)).version


async def test_in_private_a_reply_to_a_hand_is_a_move_at_that_table_whatever_was_meant_before(running: Running) -> None:
    """A reply to table B's message was played at table A, the one that had been chosen last.

    Reports: lamapgame/lamap-bot#63.
    """
    ann = running.world.person("Ann")
    ann.start()
    first = await against_a_computer(running, ann, None, "chinchon")
    second = await against_a_computer(running, ann, None, "chinchon")
    actor = await running.service.directory.person(f"tg:{ann.id}")
    for focus, meant in ((first, second), (second, first)):
        await running.service.directory.put("focus", actor, focus)
        other, before = await version(running, focus), await version(running, meant)
        ann.say(ann.private, "draw stock", reply_to=await hand_of(running, ann, meant))

        async def moved(meant: str = meant, before: int = before) -> bool:
            return await version(running, meant) > before

        await running.eventually(moved)
        assert await version(running, focus) == other


async def test_in_private_a_command_in_reply_to_a_hand_means_that_table(running: Running) -> None:
    ann = running.world.person("Ann")
    ann.start()
    first = await against_a_computer(running, ann, None, "chinchon")
    second = await against_a_computer(running, ann, None, "chinchon")
    actor = await running.service.directory.person(f"tg:{ann.id}")
    await running.service.directory.put("focus", actor, first)
    ann.say(ann.private, "/leave", reply_to=await hand_of(running, ann, second))

    async def left() -> bool:
        return (await state(running, second)).seats[0].left

    await running.eventually(left)
    assert not (await state(running, first)).seats[0].left


async def test_in_a_group_a_reply_to_a_tables_message_is_read_at_that_table(running: Running) -> None:
    """A newer table of another game, where the same person sits, must not swallow the answer."""
    ann = running.world.person("Ann")
    group = running.world.group("Friday", [ann])
    older = await against_a_computer(running, ann, group, "callbreak")
    await against_a_computer(running, ann, group, "chinchon")
    assert len(await tables(running, group)) == 2
    pair = await running.service.directory.get("pairs", older)
    shown = await running.until(
        lambda: next((one for one in ann.sees(group) if f"{pair}" in one.text and "My hand" in one.buttons), None)
    )
    ann.say(group, "3", reply_to=shown)
    await running.until(lambda: ann.find(group, "Ann: called 3"))


async def test_in_a_group_a_reply_to_another_message_of_ours_is_a_move_where_it_can_be_one(running: Running) -> None:
    ann = running.world.person("Ann")
    group = running.world.group("Friday", [ann])
    await against_a_computer(running, ann, group, "callbreak")
    await against_a_computer(running, ann, group, "chinchon")
    ann.say(group, "/standings")
    told = await running.until(lambda: ann.find(group, "No game has been won here yet"))
    ann.say(group, "3", reply_to=told)
    await running.until(lambda: ann.find(group, "Ann: called 3"))
