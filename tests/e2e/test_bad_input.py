from __future__ import annotations

import pytest

from domain.games import GAMES
from service.sandbox.state import Message
from service.sandbox.world import World
from tests.e2e.conftest import Bot
from tests.e2e.moving import answered
from tests.e2e.playing import four, hand, open_table, play_on, start, whose_turn

NO_TABLE = "There is no table here yet. Open one: /callbreak"
NO_SEAT = "You sit at no table. Open one, here or in a group with me: /callbreak"


def test_a_chat_without_a_table_and_a_stranger_are_told_what_to_do(bot_api: World, bot: Bot) -> None:
    ann, stranger = bot_api.person("Ann"), bot_api.person("Stranger")
    group = bot_api.group("Friday", [ann])
    ann.wait(lambda: ann.find(group, "Hello!"))
    for text in ("/play QS", "/call 3", "/hand", "/table", "/score", "/leave"):
        answered(ann, group, text, NO_TABLE)
    ann.say(group, "hello")
    ann.say(group, "/weather")
    ann.say(group, "/play@another_bot QS")
    answered(ann, group, "/help", " – open a table here")
    assert len(bot_api.calls("sendMessage", group)) == 8, "a greeting, six answers and the help: nothing to the others"
    stranger.start()
    stranger.wait(lambda: stranger.find(stranger.private, "Add me to a group"))
    answered(stranger, stranger.private, "/start nosuch-1", "You have no seat at that table")
    for text in ("QS", "hello", "x" * 10_000, "🂡🂮", "дама пик", "/play", "/hand"):
        answered(stranger, stranger.private, text, NO_SEAT)
    answered(stranger, stranger.private, "/weather", "I know no /weather. /help says what I can do.")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("/options colour=red", "no option “colour”"),
        ("/options max_sets=1000", "max_sets must be a number from 0 to 100"),
        ("/options max_sets", "name=value"),
        ("/options preset=casino", "no preset “casino”"),
        ("/options min_call=9 max_call=8", "min_call (9)"),
        ("/options target=0 max_sets=0", "set max_sets"),
        ("/options " + "x" * 4000, "name=value"),
        ("/cut 52", "from 0 to 51"),
        ("/cut " + "9" * 4000, "from 0 to 51"),
        ("/cut ♠", "from 0 to 51"),
        ("/play QS", "has not started"),
        ("/back", "has not started"),
    ],
)
def test_a_lobby_refuses(shared_bot: World, text: str, words: str) -> None:
    ann = shared_bot.person("Ann")
    group = shared_bot.group("Friday", [ann])
    ann.say(group, "/callbreak")
    ann.wait(lambda: ann.find(group, "Join"))
    answered(ann, group, text, words)


def test_a_move_that_is_wrong_is_refused_in_public_without_a_word_about_the_hand(bot_api: World, bot: Bot) -> None:
    people = four(bot_api)
    group = bot_api.group("Friday", people)
    for person in people[:2]:
        person.start()
    open_table(group, people, "max_sets=1 target=0 redeal=none min_total_calls=0")
    start(group, people)
    play_on(people, group, {}, most=4 + 1)
    turn = whose_turn(people, group)
    assert turn is not None
    person, seen = turn
    wrong = next(
        GAMES["callbreak"].card_name(card) for card in range(52) if GAMES["callbreak"].card_name(card) not in seen.cards
    )
    other = people[(people.index(person) + 1) % 4]
    answered(person, group, f"/play {wrong}", "That cannot be played now. My hand shows you what can.")
    answered(person, group, "/play queen of hats", "I cannot read “play queen of hats”.")
    answered(other, group, "/play QS", "It is not your turn")
    answered(person, group, "/play", "Write the move with it")
    answered(person, group, "/call 4", "The calls are over")
    person.start()
    answered(person, person.private, wrong, "You do not have")
    answered(person, person.private, "🂡", "is not a card")
    answered(person, person.private, "дама пик", "is not a card")
    answered(person, person.private, "x" * 10_000, "cannot read that as a move")
    assert hand(person, group) == seen


def test_stale_doubled_foreign_and_forged_buttons_get_a_toast_and_change_nothing(bot_api: World, bot: Bot) -> None:
    people = ann, bob, *_ = four(bot_api)
    outsider = bot_api.person("Outsider")
    group, elsewhere = bot_api.group("Friday", [*people, outsider]), bot_api.group("Other", [bob, outsider])
    ann.start()
    lobby = open_table(group, people)
    for button in ("Start", "Leave"):
        assert "no seat" in outsider.press(lobby, button).text
    assert "already have a seat" in bob.press(lobby, "Join").text
    assert "table is full" in outsider.press(lobby, "Join").text
    start(group, people)
    assert outsider.press(group, "My hand").text == "You have no seat at this table."
    name = next(b.value for row in ann.find(group, "My hand").keyboard for b in row if b.text == "My hand")[2:]  # type: ignore[union-attr]
    play_on(people, group, {}, most=4)
    turn = whose_turn(people, group)
    assert turn is not None
    table = ann.wait(lambda: ann.find(group, "My hand"))
    before = {person.id: hand(person, group) for person in people}
    for data in ("", "x", "🂡", "h:", f"m:{name}:1:call 4", "m:nosuch-1:1:call 4", f"m:{name}:999:play QS", "x" * 64):
        if data:
            assert ann.press_raw(table, data).text
    for person in (*people, outsider):
        for decision in range(3, 8):
            said = person.press_raw(table, f"m:{name}:{decision}:play X1").text
            assert "✓" not in said
    bob.say(elsewhere, "/callbreak")
    other = bob.wait(lambda: bob.find(elsewhere, "Join"))
    assert "another chat" in bob.press_raw(other, f"h:{name}").text
    assert "another chat" in bob.press_raw(other, f"m:{name}:5:play QS").text
    assert "no seat" in outsider.press_raw(table, f"t:{name}").text
    assert {person.id: hand(person, group) for person in people} == before


def test_one_button_pressed_twice_plays_once(bot_api: World, bot: Bot) -> None:
    """A button pressed several times acts several times (GreyWolfDev/Werewolf#496)."""
    people = four(bot_api)
    group = bot_api.group("Friday", people)
    for person in people:
        person.start()
    open_table(group, people, "max_sets=1 target=0 redeal=none min_total_calls=0")
    start(group, people)
    turn = whose_turn(people, group)
    assert turn is not None
    person = turn[0]

    def asked() -> Message | None:
        return next((one for one in person.sees(person.private) if "3" in one.buttons), None)

    message = person.wait(asked)
    with bot_api.changing():  # before the bot can take the buttons away
        taps = [person.tap(message, "3"), person.tap(message, "4"), person.tap(message, "3")]
    answers = [tap.answered().text for tap in taps]
    assert answers == ["✓ 3", *["That question has been answered already."] * 2]


def test_a_table_that_is_over_says_so(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    ann.say(group, "/callbreak")
    ann.wait(lambda: ann.find(group, "Join"))
    lobby = ann.find(group, "Join")
    assert lobby is not None
    data = {b.text: b.value for row in lobby.keyboard for b in row}
    assert "free again" in ann.press(lobby, "Leave").text
    ann.wait(lambda: ann.find(group, "The game is over"))
    for text in ("/play QS", "/call 3", "/cut 3", "/end"):
        answered(ann, group, text, "This game is over")
    answered(ann, group, "/leave", "You have no seat")
    assert ann.press_raw(lobby, data["Join"]).text == "This game is over."
    assert ann.press_raw(lobby, data["Start"]).text == "This game is over."
