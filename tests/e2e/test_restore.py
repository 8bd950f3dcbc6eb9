"""A backup made beside a running bot, put back elsewhere after the machine was lost: the group plays on."""

from __future__ import annotations

from service.sandbox.world import World
from tests.e2e.conftest import Bot, NewBot
from tests.e2e.playing import by_button, four, hand, open_table, play_on, start
from tests.e2e.test_kill import PLAIN, moves_in


def test_a_group_plays_on_from_a_backup_with_the_same_hands_and_messages(
    bot_api: World, bot: Bot, new_bot: NewBot
) -> None:
    people = ann, *_ = four(bot_api)
    group = bot_api.group("Friday", people)
    ann.start()
    open_table(group, people, PLAIN)
    start(group, people)
    ways = {ann.id: (by_button, ann.private)}
    play_on(people, group, ways, most=6)
    table = ann.wait(lambda: ann.find(group, "My hand"))
    hands = [hand(person, group) for person in people]
    file = str(bot.data.parent / "all.backup")
    assert bot.tabletalk("backup", file).startswith("Backup: 1 table, ")
    before = moves_in(bot)
    bot.kill()
    other = new_bot(bot_api)
    assert other.tabletalk("restore", file).startswith("Restored: 1 table, ")
    other.start()
    assert moves_in(other) == before
    assert [hand(person, group) for person in people] == hands
    play_on(people, group, ways, most=3)
    assert len(moves_in(other)) == len(before) + 3
    assert [one.id for one in ann.sees(group) if "My hand" in one.buttons] == [table.id], "no second message"
    assert other.tabletalk("store", "check").startswith("ok:")
    assert other.tabletalk("audit", "--all").startswith("ok:")
