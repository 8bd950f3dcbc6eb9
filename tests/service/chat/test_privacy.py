from __future__ import annotations

from domain.table import seat_of
from service.sandbox.people import Person
from tests.service.chat.conftest import Running
from tests.service.chat.test_invite import invited


async def playing_apart(running: Running, ann: Person, *guests: Person) -> str:
    """A game of Chinchón that all of them play in private chats, opened by Ann; the table's id."""
    payload = await invited(running, ann)
    for guest in guests:
        guest.start(payload)
        await running.until(lambda one=guest: one.find(one.private, "Start"))  # type: ignore[misc]
    await running.press(guests[0], guests[0].private, "Start")
    for person in (ann, *guests):
        await running.until(lambda one=person: one.find(one.private, "loose points"))  # type: ignore[misc]
    return (await running.service.directory.tables(await running.service.directory.home(f"chat:{ann.id}")))[0]


async def forgotten(running: Running, person: Person) -> None:
    """The person is forgotten, and has said that he means it."""
    person.say(person.private, "/forget")
    question = await running.until(lambda: person.find(person.private, "Yes"))
    await running.press(person, question, "Yes")

    async def gone() -> bool:
        return f"tg:{person.id}" not in await running.service.directory.everything("people")

    await running.eventually(gone)


async def test_a_game_without_a_group_goes_on_for_the_others_when_its_host_is_forgotten(running: Running) -> None:
    """One person who asks to be forgotten takes nobody else's running game away; nothing of his chat is kept."""
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    table = await playing_apart(running, ann, bob, cat)
    await forgotten(running, ann)
    state = (await running.service.engine.held(table)).state
    assert state is not None
    assert state.phase == "playing"
    bobs = await running.service.directory.person(f"tg:{bob.id}")
    seat = seat_of(state, bobs)
    assert seat is not None
    bob.say(bob.private, "/score")
    await running.until(lambda: bob.find(bob.private, "No set has been scored yet"))
    bob.say(bob.private, "/end")
    await running.press(cat, await running.until(lambda: cat.find(cat.private, "Agree")), "Agree")
    for person in (bob, cat):
        await running.until(lambda one=person: one.find(one.private, "The game is over"))  # type: ignore[misc]
    for name in ("homes", "homes:back", "heirs", "shown", "private"):
        found = await running.service.directory.everything(name)
        assert str(ann.id) not in {part for entry in found.items() for part in entry}
        assert not any(f'"chat":{ann.id},' in value for value in found.values())


async def test_the_last_other_player_still_hears_how_it_ended_when_the_host_is_forgotten(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    await playing_apart(running, ann, bob)
    await forgotten(running, ann)
    bob.say(bob.private, "/end")
    await running.until(lambda: bob.find(bob.private, "Fingerprint"))


async def test_a_table_that_went_on_in_another_chat_is_found_there_after_a_restart(running: Running) -> None:
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    await playing_apart(running, ann, bob, cat)
    await forgotten(running, ann)
    await running.stop()
    await running.start()
    bob.say(bob.private, "/end")
    await running.press(cat, await running.until(lambda: cat.find(cat.private, "Agree")), "Agree")
    await running.until(lambda: cat.find(cat.private, "Fingerprint"))


async def test_what_was_chosen_for_a_private_chat_goes_with_whose_it_was(running: Running) -> None:
    ann = running.world.person("Ann")
    ann.start()
    directory = running.service.directory
    await directory.put("customs", await directory.home(f"chat:{ann.id}"), '{"language":"en"}')
    await forgotten(running, ann)

    async def gone() -> bool:
        return await directory.everything("customs") == {}

    await running.eventually(gone)
