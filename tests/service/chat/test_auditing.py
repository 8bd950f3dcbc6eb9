"""`/audit` in a chat: what everybody is told of a table, and what nobody is."""

from __future__ import annotations

from functools import partial

from service.chat.tables.pairs import pair
from service.sandbox.people import Group, Person
from tests.service.chat.conftest import Running
from tests.service.chat.test_admin import asked, playing
from tests.service.chat.test_lobby import tables


def pages(person: Person, group: Group) -> list[str]:
    found = [message.file for message in person.sees(group) if message.file is not None]
    return [file.data.decode() for file in found if file.name.endswith("-audit.html")]


async def test_everybody_in_the_group_may_have_a_table_audited(running: Running) -> None:
    """Suspicion, and no evidence (kestasjk/webDiplomacy#252)."""
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    group, name = await playing(running, ann, bob, cat)
    cat.say(group, "/audit")
    told = (await running.until(lambda: cat.find(group, f"🔎 {name}"))).text
    assert "✅ Nothing is wrong with this history." in told
    assert "Set 1 (from version" in told
    assert "seed not revealed yet" in told
    assert "Fingerprint: " in told
    (table,) = await tables(running, group)
    state = (await running.service.engine.held(table)).state
    assert state is not None
    assert state.seed is not None
    assert state.seed.hex() not in told


async def test_a_voided_set_is_told_with_who_and_why_in_the_message_and_on_the_page(running: Running) -> None:
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    group, name = await playing(running, ann, bob, cat, admins=(cat,))
    bob.say(group, "/void I do not like my cards")
    await running.until(lambda: bob.find(group, "Only the administrators of this group may do that."))
    cat.say(group, "/void <b>a card</b> was seen")
    question = await asked(running, cat, group, f"Have the set that is played at {name} not count?")
    await running.press(cat, question, "Yes")
    await running.until(lambda: ann.find(group, f"Cat has had the set at {name} not count. Why: <b>a card</b> was"))
    bob.say(group, "/audit 1")
    told = (await running.until(lambda: bob.find(group, f"🔎 {name}"))).text
    assert "Cat decided that the set does not count. Why: <b>a card</b> was seen" in told
    assert "Set 2" not in told
    bob.say(group, "/audit file")
    (page,) = await running.until(lambda: pages(bob, group))
    assert "Cat decided that the set does not count. Why: &lt;b&gt;a card&lt;/b&gt; was seen" in page
    assert "Set" in page


async def test_the_table_itself_shows_that_a_set_was_voided_and_the_next_is_dealt(running: Running) -> None:
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    group, _ = await playing(running, ann, bob, cat, admins=(cat,))
    (table,) = await tables(running, group)
    cat.say(group, "/void")
    await running.press(cat, await asked(running, cat, group, "not count?"), "Yes")
    await running.until(lambda: ann.find(group, "The set does not count"))
    state = (await running.service.engine.held(table)).state
    assert state is not None
    assert (state.sets, state.deals, state.phase) == (2, 2, "playing")


async def test_what_is_no_set_and_no_word_of_it_is_said_so(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group, name = await playing(running, ann, bob)
    for words, answer in (
        ("/audit 0", "There is no set 0 at this table"),
        ("/audit 9999", "There is no set 9999 at this table. It has 1 so far."),
        ("/audit ٣", "not “٣”"),
        (f"/audit {name} everything", "not “everything”"),
        ("/audit " + "9" * 300, "Write /audit, /audit 3"),
    ):
        bob.say(group, words)
        await running.until(partial(bob.find, group, answer), words)


async def test_a_stranger_has_no_table_audited(running: Running) -> None:
    ann, bob, eve = (running.world.person(name) for name in ("Ann", "Bob", "Eve"))
    group, name = await playing(running, ann, bob)
    (table,) = await tables(running, group)
    assert pair(table) == name
    eve.start()
    eve.say(eve.private, f"/audit {name}")
    await running.until(lambda: eve.find(eve.private, "No table here is called"))
    ann.say(group, "/audit")
    await running.until(lambda: ann.find(group, "🔎"))
    assert sum("🔎" in text for text in ann.texts(group)) == 1
