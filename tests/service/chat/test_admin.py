from __future__ import annotations

from functools import partial

from service.chat.tables.pairs import pair
from service.sandbox.people import Group, Person
from service.sandbox.state import ANONYMOUS, Message
from tests.service.chat.conftest import Running
from tests.service.chat.test_lobby import tables


async def playing(running: Running, *people: Person, admins: tuple[Person, ...] = ()) -> tuple[Group, str]:
    """A game of Chinchón of the first two (the first created the group), and the table's pair."""
    group = running.world.group("Friday", people, admins=admins)
    people[0].say(group, "/chinchon")
    lobby = await running.until(lambda: people[0].find(group, "Join"))
    await running.press(people[1], lobby, "Join")
    await running.press(people[0], lobby, "Start")
    await running.until(lambda: people[0].find(group, "My hand"))
    return group, pair((await tables(running, group))[0])


async def asked(running: Running, person: Person, group: Group, words: str) -> Message:
    """The question that an administrator is asked back."""
    return await running.until(lambda: found if (found := person.find(group, words)) and found.buttons else None, words)


async def test_an_administrator_pauses_and_resumes_asked_back_once_and_named_with_the_reason(running: Running) -> None:
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    group, name = await playing(running, ann, bob, cat, admins=(cat,))
    cat.say(group, "/pause public holiday")
    question = await asked(running, cat, group, f"Pause {name}?")
    assert "for somebody else" in await running.press(bob, question, "Yes")
    assert not ann.find(group, "has paused")
    await running.press(cat, question, "Yes")
    await running.until(lambda: ann.find(group, f"⏸ Cat has paused {name}. Why: public holiday"))
    (table,) = await tables(running, group)
    state = (await running.service.engine.held(table)).state
    assert state is not None
    assert state.paused is not None
    cat.say(group, "/resume")
    await running.press(cat, await asked(running, cat, group, f"Let {name} go on?"), "No, leave it")
    await running.until(lambda: ann.find(group, "Nothing has been changed."))
    cat.say(group, "/resume")
    await running.press(cat, await asked(running, cat, group, f"Let {name} go on?"), "Yes")
    await running.until(lambda: ann.find(group, f"▶ Cat lets {name} go on."))


async def test_without_the_right_pausing_is_a_proposal_and_closing_is_refused(running: Running) -> None:
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    group, _ = await playing(running, ann, bob, cat)
    bob.say(group, "/close")
    await running.until(lambda: bob.find(group, "Only the administrators of this group may do that."))
    bob.say(group, "/pause")
    vote = await running.until(lambda: ann.find(group, "Agree"))
    await running.press(ann, vote, "Agree")
    (table,) = await tables(running, group)
    state = (await running.service.engine.held(table)).state
    assert state is not None
    assert state.paused is not None


async def test_an_anonymous_administrator_has_the_rights_in_commands_and_any_administrator_confirms(
    running: Running,
) -> None:
    """The commands of anonymous administrators count (charslab/TranscriberBot#28, Syfaro/foxbot#88).

    Reports: TokenBrice/pharos-watch#272.
    """
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    group, name = await playing(running, ann, bob, cat, admins=(cat,))
    cat.say(group, "/close nobody plays", anonymous=True)
    question = await asked(running, cat, group, f"Close {name} for good")
    assert "for somebody else" in await running.press(bob, question, "Yes")
    await running.press(cat, question, "Yes")
    told = await running.until(lambda: ann.find(group, f"has closed {name}."))
    assert told.text == f"An administrator has closed {name}. Why: nobody plays"
    assert not any("Cat" in text for text in ann.texts(group) if "closed" in text), "he stays anonymous"


async def test_a_right_that_was_taken_away_in_between_is_gone_when_the_button_is_pressed(running: Running) -> None:
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    group, name = await playing(running, ann, bob, cat, admins=(cat,))
    cat.say(group, "/close")
    question = await asked(running, cat, group, f"Close {name} for good")
    with running.world.changing():
        running.world.chats[group.id].members[cat.id] = "member"
    await running.press(cat, question, "Yes")
    await running.until(lambda: ann.find(group, "Only the administrators of this group may do that."))
    assert not ann.find(group, f"has closed {name}")


async def test_somebody_is_sent_away_and_his_seat_given_to_another_with_the_history_untouched(running: Running) -> None:
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    group, name = await playing(running, ann, bob, cat)
    (table,) = await tables(running, group)
    before = len(await running.service.engine.history(table))
    ann.say(group, "/kick")
    await running.until(lambda: ann.find(group, "Say whose seat"))
    ann.say(group, "/replace 2")
    await running.until(lambda: ann.find(group, "Answer a message of whoever is to take the seat"))
    hello = cat.say(group, "I would like to play")
    ann.say(group, "/replace Bob he is on holiday", reply_to=hello)
    await running.press(ann, await asked(running, ann, group, f"Give the seat of Bob at {name} to Cat"), "Yes")
    why = f"Ann has given the seat of Bob at {name} to Cat. Why: he is on holiday"
    await running.until(lambda: bob.find(group, why))
    state = (await running.service.engine.held(table)).state
    assert state is not None
    assert state.seats[1].owner == await running.service.directory.person(f"tg:{cat.id}")
    assert len(await running.service.engine.history(table)) > before
    assert state.set is not None, "the cards that were dealt are still in play"


async def test_who_is_sent_away_does_not_come_back_by_himself(running: Running) -> None:
    """Somebody is to be kept from joining, also until a date (GreyWolfDev/Werewolf#374)."""
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    group = running.world.group("Friday", [ann, bob, cat])
    ann.say(group, "/chinchon")
    lobby = await running.until(lambda: ann.find(group, "Join"))
    for person in (bob, cat):
        await running.press(person, lobby, "Join")
    await running.press(ann, lobby, "Start")
    await running.until(lambda: ann.find(group, "My hand"))
    ann.say(group, "/kick Bob")
    await running.press(ann, await asked(running, ann, group, "Send Bob away"), "Yes")
    await running.until(lambda: bob.find(group, "Ann has sent Bob away"))
    (table,) = await tables(running, group)
    state = (await running.service.engine.held(table)).state
    assert state is not None
    assert state.seats[1].left
    bob.say(group, "/back")
    await running.until(lambda: len(bob.texts(group)) and bob.find(group, "administrator"))
    state = (await running.service.engine.held(table)).state
    assert state is not None
    assert state.seats[1].left


async def test_settings_are_set_by_buttons_and_in_words_by_administrators_alone(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = running.world.group("Friday", [ann, bob])
    bob.say(group, "/settings")
    await running.until(lambda: bob.find(group, "Only the administrators"))
    ann.say(group, "/settings zone=europe/madrid quiet=22:00-08:00")
    shown = await running.until(lambda: ann.find(group, "Time zone: Europe/Madrid"))
    assert "Quiet hours: 22:00-08:00" in shown.text
    assert "Only the administrators" in await running.press(bob, shown, "Do not pin the table")
    assert await running.press(ann, shown, "Do not pin the table") == "Set."
    await running.until(lambda: ann.find(group, "Pin the table: no"))
    ann.say(group, "/settings quiet=25:00-08:00")
    await running.until(lambda: ann.find(group, "I cannot use “quiet=25:00-08:00”"))
    ann.say(group, "/settings zone=Atlantis/Capital")
    await running.until(lambda: ann.find(group, "I cannot use “zone=Atlantis/Capital”"))
    ann.say(group, "/settings")
    again = await running.until(
        lambda: found if (found := ann.find(group, "Time zone: Europe/Madrid")) and found.id != shown.id else None
    )
    assert "22:00-08:00" in again.text


async def test_a_group_and_a_person_each_choose_a_language(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = running.world.group("Friday", [ann, bob])
    bob.say(group, "/language fr")
    await running.until(lambda: bob.find(group, "Only the administrators"))
    bob.say(bob.private, "/language klingon")
    await running.until(lambda: bob.find(bob.private, "I do not speak that yet. There are: English"))
    ann.say(group, "/language fr")
    await running.until(lambda: ann.find(group, "Français"))
    customs = running.service.directory.get("customs", await running.service.directory.home(f"chat:{group.id}"))
    assert '"fr"' in (await customs or "")
    bob.start()
    bob.say(bob.private, "/language")
    asked_for = await running.until(lambda: bob.find(bob.private, "Which language shall I speak"))
    await running.press(bob, asked_for, "English")
    habits = await running.service.directory.get("habits", await running.service.directory.person(f"tg:{bob.id}"))
    assert '"en"' in (habits or "")


async def test_who_presses_in_the_name_of_the_group_is_asked_to_do_it_as_himself(running: Running) -> None:
    """1087968824 is @GroupAnonymousBot: no person, and no administrator either (dgongut/docker-controller-bot#25)."""
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    group, name = await playing(running, ann, bob, cat, admins=(cat,))
    cat.say(group, "/close", anonymous=True)
    question = await asked(running, cat, group, f"Close {name} for good")
    with running.world.changing():
        running.world.chats[group.id].members[ANONYMOUS.id] = "administrator"
    nobody = Person(running.world, ANONYMOUS.id)
    for shown, button in ((question, "Yes"), (await running.until(lambda: ann.find(group, "My hand")), "My hand")):
        assert "do it as yourself" in await running.press(nobody, shown, button)
    assert not ann.find(group, "has closed")
    people = await running.service.directory.everything("people")
    assert f"tg:{ANONYMOUS.id}" not in people


async def test_a_stand_in_is_chosen_in_the_lobby_or_agreed_on(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = running.world.group("Friday", [ann, bob])
    bob.say(group, "/chinchon")
    lobby = await running.until(lambda: bob.find(group, "Join"))
    told = await running.press(bob, lobby, "Whoever is away: the clock plays")
    assert told == "A computer player takes the seat of whoever is away, until he is back."
    lobby = await running.until(lambda: bob.find(group, "Whoever is away: a computer player plays"))
    await running.press(ann, lobby, "Join")
    await running.press(bob, lobby, "Start")
    await running.until(lambda: ann.find(group, "My hand"))
    (table,) = await tables(running, group)

    async def stands_in(wanted: bool) -> bool:
        state = (await running.service.engine.held(table)).state
        return state is not None and state.stand_in == wanted

    await running.eventually(partial(stands_in, True))
    bob.say(group, "/standin perhaps")
    await running.until(lambda: bob.find(group, "Write /standin on or /standin off."))
    bob.say(group, "/standin off")
    await running.press(ann, await running.until(lambda: ann.find(group, "Agree")), "Agree")
    await running.eventually(partial(stands_in, False))
    ann.say(group, "/standin on")  # she created the group
    await running.press(ann, await asked(running, ann, group, "Let a computer player take the seat"), "Yes")
    await running.eventually(partial(stands_in, True))


async def test_a_newcomer_asks_for_a_seat_that_is_free(running: Running) -> None:
    ann, bob, cat, dan, eve = (running.world.person(name) for name in ("Ann", "Bob", "Cat", "Dan", "Eve"))
    group = running.world.group("Friday", [ann, bob, cat, dan, eve])
    ann.say(group, "/callbreak")
    lobby = await running.until(lambda: ann.find(group, "Join"))
    ann.say(group, "/options substitute=yes")
    await running.until(lambda: ann.find(group, "The rules are changed."))
    for person in (bob, cat, dan):
        await running.press(person, lobby, "Join")
    await running.press(ann, lobby, "Start")
    await running.until(lambda: ann.find(group, "My hand"))
    eve.say(group, "/replace 2")
    await running.until(lambda: eve.find(group, "That seat is not free."))
    bob.say(group, "/leave")
    await running.until(lambda: eve.find(group, "Bob has left"))
    eve.say(group, "/replace 2")
    vote = await running.until(lambda: ann.find(group, "Agree"))
    assert "Eve asks to take over the seat of Bob (seat 2). Agreed so far: nobody" in vote.text
    for person in (ann, cat, dan):
        await running.press(person, vote, "Agree")
    (table,) = await tables(running, group)
    state = (await running.service.engine.held(table)).state
    assert state is not None
    assert state.seats[1].owner == await running.service.directory.person(f"tg:{eve.id}")


async def test_who_opened_a_lobby_closes_it_by_close_too(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = running.world.group("Friday", [ann, bob])
    bob.say(group, "/chinchon")
    await running.until(lambda: bob.find(group, "Join"))
    bob.say(group, "/close")
    await running.until(lambda: bob.find(group, "The table is closed."))


async def test_a_newcomer_takes_a_free_seat_by_vote_in_a_game_that_has_no_rule_of_its_own_for_it(
    running: Running,
) -> None:
    ann, bob, cat, eve = (running.world.person(name) for name in ("Ann", "Bob", "Cat", "Eve"))
    group = running.world.group("Friday", [ann, bob, cat, eve])
    ann.say(group, "/chinchon")
    lobby = await running.until(lambda: ann.find(group, "Join"))
    for person in (bob, cat):
        await running.press(person, lobby, "Join")
    await running.press(ann, lobby, "Start")
    await running.until(lambda: ann.find(group, "My hand"))
    bob.say(group, "/leave")
    await running.until(lambda: eve.find(group, "Bob has left"))
    eve.say(group, "/replace 2")
    vote = await running.until(lambda: ann.find(group, "Agree"))
    for person in (ann, cat):
        await running.press(person, vote, "Agree")
    (table,) = await tables(running, group)
    state = (await running.service.engine.held(table)).state
    assert state is not None
    assert state.seats[1].owner == await running.service.directory.person(f"tg:{eve.id}")
