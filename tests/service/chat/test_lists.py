from __future__ import annotations

from domain.commands import SetOptions
from service.chat.board.lists import link_to
from service.chat.tables.pairs import pair
from service.engine import Done
from tests.service.chat.conftest import Running
from tests.service.chat.test_talk import says
from tests.service.chat.test_views import PLAIN, four, lobby, move, started, state


def test_a_message_has_a_link_in_supergroups_only_and_in_its_topic() -> None:
    assert link_to(-1002000000001, 5, None) == "https://t.me/c/2000000001/5"
    assert link_to(-1002000000001, 5, 3) == "https://t.me/c/2000000001/3/5"
    assert link_to(-1002000000001, None, 3) is None
    assert link_to(-4000000001, 5, None) is None
    assert link_to(5000000001, 5, None) is None


async def test_my_tables_lead_to_their_messages_by_the_names_that_people_say(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = running.world.group("Friday", [ann, bob], supergroup=True)
    ann.say(group, "/chinchon")
    lobby = await running.until(lambda: ann.find(group, "Join"))
    await running.press(bob, lobby, "Join")
    (table,) = await running.service.directory.tables(await running.service.directory.home(f"chat:{group.id}"))
    ann.say(ann.private, "/mytables")
    told = await running.until(lambda: ann.find(ann.private, f"{pair(table)} · Chinchón · Bob"))
    number = str(group.id).removeprefix("-100")
    assert [entity.url for entity in told.entities if entity.url] == [f"https://t.me/c/{number}/{lobby.id}"]


async def test_standings_name_who_has_won_here(running: Running) -> None:
    """Statistics in the chat were so wanted that somebody scraped them (GreyWolfDev/Werewolf#196)."""
    people = four(running)
    group = running.world.group("Friday", people)
    await says(running, people[0], group, "/standings", "No game has been won here yet.")
    table, _ = await lobby(running, people, group)
    host = (await state(running, table)).host
    assert isinstance(await running.service.engine.submit(table, host, SetOptions(PLAIN), "options"), Done)
    await running.press(people[0], group, "Start")
    number = 0
    while (await state(running, table)).phase == "playing":
        await move(running, table, number := number + 1)
    over = await state(running, table)
    names = await running.service.directory.names([seat.owner for seat in over.seats])
    winner = names[over.seats[over.winners[0]].owner]
    await running.until(lambda: people[0].find(group, "Winner"))
    await says(running, people[0], group, "/standings", f"{winner}: 1 won, 1 played")
    other = running.world.group("Elsewhere", people)
    await says(running, people[0], other, "/standings", "No game has been won here yet.")


async def test_the_tables_of_a_person_are_told_to_nobody_else(running: Running) -> None:
    people = four(running)
    ann = people[0]
    group = running.world.group("Friday", people)
    await started(running, group, people)
    await says(running, ann, group, "/mytables", "write /mytables in our private chat")
    ann.start()
    ann.say(ann.private, "/mytables")
    told = await running.until(lambda: ann.find(ann.private, "Call Break · Bob, Cleo, Dan · set 1"))
    assert "turn" in told.text or "others to move" in told.text
    stranger = running.world.person("Stranger")
    stranger.start()
    stranger.say(stranger.private, "/mytables")
    await running.until(lambda: stranger.find(stranger.private, "You sit at no table that goes on."))
