from __future__ import annotations

from domain.games import GAMES
from service.chat import talk
from service.chat.tables.lobby import ABANDONED_MS
from service.sandbox.people import Group, Person, Place
from service.sandbox.state import Message
from service.text import language
from service.text.chat import admin_commands, commands
from service.text.words import words
from tests.domain.sixth import registered
from tests.service.chat.conftest import Running

ONLY_THE_HOST = "Only whoever opened the lobby can close it"


async def says(
    running: Running, person: Person, group: Place, text: str, words: str, *, anonymous: bool = False
) -> None:
    """What somebody writes is answered with these words."""
    said = person.say(group, text, anonymous=anonymous)
    await running.until(
        lambda: [m for m in person.sees(group) if m.id > said.id and words in m.text], f"{words} to {text}"
    )


async def opened(running: Running, *people: Person) -> tuple[Group, Message]:
    """A lobby of the first, in which the second sits too."""
    group = running.world.group("Friday", people)
    people[0].say(group, "/callbreak")
    lobby = await running.until(lambda: people[0].find(group, "Join"))
    await running.press(people[1], group, "Join")
    return group, lobby


def test_every_command_on_the_menu_does_something() -> None:
    menu = [name for name, _ in [*commands(language()), *admin_commands(language())]]
    moves = {word for rules in GAMES.values() for word in rules.examples}
    assert sorted(menu) == sorted({*GAMES, *talk.COMMANDS, *moves} - {"start"})


async def test_a_lobby_is_closed_by_its_host_alone_until_nothing_has_happened_for_an_hour(running: Running) -> None:
    """A lobby that everybody left blocks the chat (jh0ker/mau_mau_bot#138)."""
    ann, bob, stranger = (running.world.person(name) for name in ("Ann", "Bob", "Stranger"))
    group, _ = await opened(running, ann, bob, stranger)
    await says(running, bob, group, "/end", ONLY_THE_HOST)
    await says(running, stranger, group, "/end", ONLY_THE_HOST)
    running.clock.ahead = ABANDONED_MS + 1000
    await says(running, stranger, group, "/end", "The table is closed")


async def test_a_lobby_that_its_host_has_left_is_closed_by_whoever_sits_there(running: Running) -> None:
    ann, bob, stranger = (running.world.person(name) for name in ("Ann", "Bob", "Stranger"))
    group, lobby = await opened(running, ann, bob, stranger)
    await running.press(ann, lobby, "Leave")
    await says(running, stranger, group, "/end", ONLY_THE_HOST)
    await says(running, bob, group, "/end", "The table is closed")
    await running.until(lambda: bob.find(group, "The game is over"))
    assert not bob.find(group, "Fingerprint"), "nothing was played"


async def test_an_anonymous_administrator_closes_any_table_once_asked_back(running: Running) -> None:
    """A slip of the hand must not end a game that has been going on for weeks."""
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group, lobby = await opened(running, ann, bob)
    for _ in range(2):
        await running.press(ann, lobby, "Add computer player")
    await running.press(ann, lobby, "Start")
    await says(running, ann, group, "/end", "for good, without a winner?", anonymous=True)
    question = await running.until(lambda: ann.find(group, "Yes"))
    assert not ann.find(group, "The game is over")
    await running.press(ann, question, "Yes")
    await running.until(lambda: ann.find(group, "The table is closed"))
    await running.until(lambda: ann.find(group, "The game is over: it was closed."))


async def test_who_leaves_is_called_what_his_seat_is_called(running: Running) -> None:
    """A player called `<test/>` breaks the message (Eleirbag89/TelegramBotPHP#92)."""
    ann, bob = running.world.person("\u202eA<b>nn\nx"), running.world.person("Bob")
    group, lobby = await opened(running, ann, bob)
    for _ in range(2):
        await running.press(ann, lobby, "Add computer player")
    await running.press(ann, lobby, "Start")
    await says(running, ann, group, "/leave", "A<b>nn x has left: the clock plays that seat.")


async def test_a_group_that_calls_for_its_table_again_and_again_gets_it_once(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group, first = await opened(running, ann, bob)
    held_back = running.world.fault("delayed", method="sendMessage", chat=group)
    for _ in range(20):
        ann.say(group, "/callbreak")
    await running.until(lambda: held_back.played and not running.world.updates.waiting, "all of it to be heard")
    running.world.release(held_back)
    await running.until(lambda: (found := ann.find(group, "Join")) and found.id > first.id)
    await running.until(lambda: len([m for m in ann.sees(group) if "Join" in m.buttons]) == 1)
    assert len(running.world.calls("sendMessage", group)) <= 5, "the greeting, the lobby, and a few times the lobby"


async def test_rules_are_those_of_the_game_that_is_named_or_played_here(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = running.world.group("Friday", [ann, bob])
    await says(running, ann, group, "/rules", "Which game? /rules callbreak, ")
    for slug in GAMES:
        first = language().gettext(words(slug).how_to_play[0])
        await says(running, bob, group, f"/rules {slug}", first)
        await says(running, ann, ann.private, f"/rules {words(slug).name.upper()}", first)
    ann.say(group, "/callbreak")
    await running.until(lambda: ann.find(group, "Join"))
    before = len(bob.sees(group))
    bob.say(group, "/rules")
    await running.until(lambda: any("Spades are trumps" in one.text for one in bob.sees(group)[before:]))
    await says(running, bob, group, "/rules whist", "Which game? ")


async def test_an_unknown_game_has_no_rules_that_anybody_wrote_down(running: Running) -> None:
    with registered():
        ann = running.world.person("Ann")
        await says(
            running, ann, ann.private, "/rules high_card", "Nobody has written down yet how High Card is played."
        )


async def test_help_says_how_to_move_in_every_game(running: Running) -> None:
    ann = running.world.person("Ann")
    ann.say(ann.private, "/help")
    told = await running.until(lambda: ann.find(ann.private, "open a table here"))
    for rules in GAMES.values():
        assert all(f"/{example}" in told.text for example in rules.examples.values())


async def test_a_reply_to_the_tables_message_is_a_move_if_it_can_be_one(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group, lobby = await opened(running, ann, bob)
    for _ in range(2):
        await running.press(ann, lobby, "Add computer player")
    await running.press(ann, lobby, "Start")
    table = await running.until(lambda: ann.find(group, "▸ Ann") or ann.find(group, "▸ Bob"))
    person = ann if "▸ Ann" in table.text else bob
    before = len(person.sees(group))
    person.say(group, "nice hand, everybody", reply_to=table)
    person.say(group, "3")  # which we do not even see
    person.say(group, "3", reply_to=table)
    await running.until(lambda: person.find(group, f"{person.name}: called 3"))
    assert len(person.sees(group)) == before + 3, "nobody was told that talk is no move"


async def test_the_lobby_of_tai_chi_chuan_has_a_switch_with_a_sentence_on_what_it_does(running: Running) -> None:
    ann = running.world.person("Ann")
    group = running.world.group("Friday", [ann])
    ann.say(group, "/taichi")
    await running.until(lambda: ann.find(group, "takes one card, of the commonest letter"))
    assert "all cards of the commonest symbol" in await running.press(ann, group, "⇄ unchallenged=symbol")
    lobby = await running.until(lambda: ann.find(group, "⇄ unchallenged=letter"))
    assert "all cards of the commonest symbol" in lobby.text


async def test_a_word_that_is_refused_is_answered_with_the_reason_though_somebody_may_object(running: Running) -> None:
    """A word is refused, and nobody says why (lexica/lexica#207)."""
    ann, bob, cat = (running.world.person(name) for name in ("Ann", "Bob", "Cat"))
    group = running.world.group("Friday", [ann, bob, cat])
    ann.say(group, "/taichi")
    lobby = await running.until(lambda: ann.find(group, "Join"))
    for person in (bob, cat):
        await running.press(person, lobby, "Join")
    await running.press(ann, lobby, "Start")
    table = await running.until(
        lambda: next(filter(None, (ann.find(group, f"▸ {name}") for name in ["Ann", "Bob", "Cat"])), None)
    )
    person = next(person for person in (ann, bob, cat) if f"▸ {person.name}" in table.text)
    person.say(group, "/turn")
    await running.until(lambda: (shown := person.find(group, "My hand")) and "Open: " in shown.text)
    letter = (person.find(group, "My hand") or table).text.partition("Open: ")[2][0].lower()
    await says(running, person, group, f"/w {letter}xqzw", f"{letter}xqzw".upper())
