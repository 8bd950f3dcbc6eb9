from __future__ import annotations

import re

from service.sandbox.people import Group, Person
from service.sandbox.world import World
from tests.e2e.conftest import Bot
from tests.e2e.playing import (
    NEXT_MINUTE,
    by_button,
    by_command,
    finds,
    four,
    open_table,
    play_on,
    start,
    wait_for_change,
    whose_turn,
)

MOVE = re.compile(r"(called \d+|played \S+)")
TABLE = re.compile(r"^([a-z0-9]+-\d+)\b", re.MULTILINE)
PLAIN = "max_sets=1 target=0 redeal=none min_total_calls=0"


def moves_in(bot: Bot) -> list[str]:
    """Every move that the store holds, as another process reads it."""
    [name] = set(TABLE.findall(bot.tabletalk("tables")))
    return MOVE.findall(bot.tabletalk("log", name))


def said_by(world: World, person: Person, group: Group) -> list[str]:
    """What the bot's messages in the group say now."""
    return [message.text for message in person.sees(group) if message.sender == world.bot.id]


def test_a_kill_in_the_middle_of_a_trick_loses_and_doubles_no_move_and_no_message(bot_api: World, bot: Bot) -> None:
    """A reboot loses all running games (jh0ker/mau_mau_bot#66, dnh-bot/dnh-werewolf-bot#116)."""
    people = ann, bob, *_ = four(bot_api)
    group = bot_api.group("Friday", people)
    ann.start()
    open_table(group, people, PLAIN)
    start(group, people)
    ways = {ann.id: (by_button, ann.private)}
    made = play_on(people, group, ways, most=4 + 6)
    private = len(bot_api.calls("sendMessage", ann.private))
    for when in ("before it is heard", "at once", "when it is done"):
        turn = whose_turn(people, group)
        assert turn is not None
        person, before = turn
        table = ann.wait(lambda: ann.find(group, "My hand"))
        if when == "before it is heard":
            bot.kill()
            by_command(person, group, before)
            look = bob.tap(table, "My hand")
        else:
            by_command(person, group, before)
            if when == "when it is done":
                wait_for_change(person, group, before)
            bot.kill()
            look = bob.tap(table, "My hand")
        bot.start()
        assert look.answered().text
        wait_for_change(person, group, before)
        made += 1
        assert len(moves_in(bot)) == made
        made += play_on(people, group, ways, most=2)
    assert len(moves_in(bot)) == made
    trick = rf"trick {1 + (made - 4) // 4}\b"
    ann.wait(lambda: re.search(trick, (ann.find(group, "My hand") or table).text), NEXT_MINUTE, what=trick)
    assert [message.id for message in ann.sees(group) if "trump" in message.text] == [table.id]
    assert len(bot_api.calls("sendMessage", ann.private)) == private, "the hand's message is the one from before"
    assert len(said_by(bot_api, ann, group)) == 3, "the greeting, the table, and one answer to /options"


def test_a_lobby_sent_when_the_bot_is_killed_is_posted_anew_and_the_orphan_emptied_at_its_first_press(
    bot_api: World, bot: Bot
) -> None:
    ann, bob = bot_api.person("Ann"), bot_api.person("Bob")
    group = bot_api.group("Friday", [ann, bob])
    ann.wait(lambda: ann.find(group, "Hello!"))
    fault = bot_api.fault("delayed", method="sendMessage", chat=group)
    ann.say(group, "/callbreak")
    orphan = ann.wait(lambda: ann.find(group, "Join"))
    bot.kill()
    bot_api.release(fault)
    bot.start()
    lobby = ann.wait(lambda: next((m for m in ann.sees(group) if "Join" in m.buttons and m.id != orphan.id), None))
    assert "You have a seat" in bob.press(orphan, "Join").text
    ann.wait(lambda: "2. Bob" in (ann.find(group, "Join") or orphan).text)
    ann.wait(lambda: [m.id for m in ann.sees(group) if "Join" in m.buttons] == [lobby.id])
    assert len(set(TABLE.findall(bot.tabletalk("tables")))) == 1


def test_a_result_sent_when_the_bot_is_killed_is_not_told_twice(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    open_table(group, [ann], PLAIN)
    for _ in range(3):
        ann.press(group, "Add computer player")
    start(group, [ann])
    play_on([ann], group, {}, most=13)
    fault = bot_api.fault("delayed", method="sendMessage", chat=group)
    turn = whose_turn([ann], group)
    assert turn is not None
    by_command(ann, ann.private, turn[1])
    finds(ann, group, "Fingerprint: ")
    bot.kill()
    bot_api.release(fault)
    bot.start()
    finds(ann, group, "Once more?")
    assert len([text for text in said_by(bot_api, ann, group) if "Fingerprint: " in text]) == 1
    assert len([text for text in said_by(bot_api, ann, group) if "Once more?" in text]) == 1


def test_a_second_bot_on_the_same_data_waits_for_the_first_and_takes_over_when_that_is_killed(
    bot_api: World, bot: Bot
) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    second = Bot(bot_api, bot.data)
    second.start(ready=False)
    try:
        second.wait_for_log("another tabletalk serve uses this data folder")
        lobby = open_table(group, [ann], PLAIN)
        bot.kill()
        ann.tap(lobby, "Add computer player")
        ann.wait(lambda: "2. Bikram" in (ann.find(group, "Join") or lobby).text)
    finally:
        assert second.stop() == 0
    assert said_by(bot_api, ann, group)[1:] == [
        lobby_text for lobby_text in ann.texts(group) if "Bikram" in lobby_text
    ] + ["The rules are changed."], "one table, shown once"
