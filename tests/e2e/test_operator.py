"""An operator at work beside the bot: two processes on one store, and a group that hears of everything."""

from __future__ import annotations

import json

from service.sandbox.world import World
from tests.e2e.conftest import Bot
from tests.e2e.playing import NEXT_MINUTE, by_command, finds, four, open_table, play_on, start
from tests.e2e.test_kill import TABLE

PLAIN = "max_sets=2 target=0 redeal=none min_total_calls=0"


def test_what_the_operator_does_the_group_sees_and_the_audit_tells(bot_api: World, bot: Bot) -> None:
    people = ann, bob, *_ = four(bot_api)
    group = bot_api.group("Friday", people)
    open_table(group, people, PLAIN)
    start(group, people)
    ways = {person.id: (by_command, group) for person in people}
    play_on(people, group, ways, most=5)
    [name] = set(TABLE.findall(bot.tabletalk("tables", "--player", str(ann.id))))

    assert "1 table is paused" in bot.tabletalk("maintenance", "on", "--reason", "a new disk")
    finds(ann, group, "It goes on by itself")
    bob.say(group, "/call 3")
    finds(bob, group, "I am being looked after for a while")
    assert "1 table goes on" in bot.tabletalk("maintenance", "off")
    ann.wait(lambda: not ann.find(group, "It goes on by itself"), NEXT_MINUTE, what="the table goes on")

    assert "does not count" in bot.tabletalk("void", name, "--yes", "--reason", "a card was seen")
    finds(ann, group, "Set 2")
    assert "1 chat with a running table" in bot.tabletalk("announce", "We move on Sunday")
    bot.tabletalk("ban", str(bob.id), "--until", "5 days")
    bob.say(group, "/chinchon")
    finds(bob, group, "You cannot open or join tables here until")
    play_on(people, group, ways, most=3)

    ann.say(group, "/audit")
    told = finds(ann, group, "🔎").text
    for said in ("Nothing is wrong with this history.", "The service paused the table", "Why: a card was seen"):
        assert said in told
    found = json.loads(bot.tabletalk("audit", name, "--json"))["tables"][0]
    assert (found["verdict"], [act["act"] for act in found["acts"]]) == ("right", ["pause", "resume", "void"])
    assert found["acts"][2]["why"] == "a card was seen"
    assert "ok: 1 table" in bot.tabletalk("audit", "--all")
    finds(ann, group, "📢 We move on Sunday")
