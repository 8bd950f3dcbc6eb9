from __future__ import annotations

import re

from service.sandbox.people import Person
from tests.service.chat.conftest import Running


async def invited(running: Running, ann: Person) -> str:
    """Ann opens a table in her private chat; the payload of the link that she sends to friends."""
    ann.start()
    await running.until(lambda: ann.find(ann.private, "I deal, referee"))
    ann.say(ann.private, "/chinchon")
    await running.until(lambda: ann.find(ann.private, "Join"))
    assert "below" in await running.press(ann, ann.private, "Invite friends")
    told = await running.until(lambda: ann.find(ann.private, "This link takes a seat"))
    link = re.search(r"https://t\.me/tabletalk_bot\?start=([\w-]+)", told.text)
    assert link is not None
    assert "Send the link" in told.buttons
    return link[1]


async def test_friends_join_by_a_link_and_all_play_in_their_private_chats(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    payload = await invited(running, ann)
    bob.start(payload)
    await running.until(lambda: bob.find(bob.private, "You have a seat. Welcome!"))
    lobby = await running.until(lambda: bob.find(bob.private, "Start"))
    assert "Ann" in lobby.text
    assert "Bob" in (await running.until(lambda: ann.find(ann.private, "2. Bob"))).text
    assert "The cards are dealt" in await running.press(bob, lobby, "Start")
    for person in (ann, bob):
        await running.until(lambda one=person: one.find(one.private, "loose points"))  # type: ignore[misc]
        await running.until(lambda one=person: one.find(one.private, "First dealer"))  # type: ignore[misc]
    bob.start(payload)
    await running.until(lambda: bob.find(bob.private, "Here is your hand"))


async def test_an_invitation_names_no_table_and_a_made_up_one_leads_nowhere(running: Running) -> None:
    ann, eve = running.world.person("Ann"), running.world.person("Eve")
    payload = await invited(running, ann)
    home = await running.service.directory.home(f"chat:{ann.id}")
    assert home not in payload
    assert len(payload) >= 24
    eve.start(payload[:-1] + ("A" if payload[-1] != "A" else "B"))
    await running.until(lambda: eve.find(eve.private, "This invitation leads nowhere"))
    eve.start(f"{home}-1")
    await running.until(lambda: eve.find(eve.private, "You have no seat at that table"))


async def test_who_comes_too_late_is_told_so(running: Running) -> None:
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    payload = await invited(running, ann)
    bob.start(payload)
    lobby = await running.until(lambda: bob.find(bob.private, "Start"))
    await running.press(bob, lobby, "Start")
    cat.start(payload)
    await running.until(lambda: cat.find(cat.private, "The game has already begun"))


async def test_who_leaves_the_lobby_sees_it_no_more(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    payload = await invited(running, ann)
    bob.start(payload)
    lobby = await running.until(lambda: bob.find(bob.private, "Start"))
    await running.press(bob, lobby, "Leave")
    await running.until(lambda: not bob.find(bob.private, "Start"))


async def test_the_end_of_a_game_is_told_to_every_one_of_them(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    payload = await invited(running, ann)
    bob.start(payload)
    lobby = await running.until(lambda: bob.find(bob.private, "Start"))
    await running.press(bob, lobby, "Start")
    await running.until(lambda: ann.find(ann.private, "loose points"))
    bob.say(bob.private, "/end")
    await running.press(ann, await running.until(lambda: ann.find(ann.private, "Agree")), "Agree")
    for person in (ann, bob):
        await running.until(lambda one=person: one.find(one.private, "The game is over"))  # type: ignore[misc]
        await running.until(lambda one=person: one.find(one.private, "Fingerprint"))  # type: ignore[misc]


async def test_a_group_has_no_invitations_not_even_by_a_button_that_somebody_made_up(running: Running) -> None:
    ann = running.world.person("Ann")
    group = running.world.group("Friday", [ann])
    ann.say(group, "/chinchon")
    lobby = await running.until(lambda: ann.find(group, "Join"))
    assert "Invite friends" not in lobby.buttons
    (join,) = [button.value for row in lobby.keyboard for button in row if button.text == "Join"]
    tap = ann.tap_raw(lobby, join.replace("j:", "i:"))
    answer = await running.until(lambda: tap.query.answer)
    assert answer.text == "This button does nothing any more."
    ann.say(group, "/invite")
    await running.until(lambda: ann.find(group, "In a group nobody needs an invitation"))
    assert await running.service.directory.everything("invited") == {}
