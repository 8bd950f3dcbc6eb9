from __future__ import annotations

import re
from collections.abc import Sequence

from service.sandbox.people import Group, Person
from service.sandbox.world import World
from tests.e2e.conftest import Bot
from tests.e2e.playing import (
    CARD,
    LETTERS,
    NEXT_MINUTE,
    Hand,
    by_button,
    by_command,
    finds,
    four,
    hand,
    open_table,
    play_on,
    start,
)

PLAIN = "max_sets=1 target=0 redeal=none min_total_calls=0"  # every deal is played
NOTATION = re.compile(r"\b([2-9TJQKA][SHDC])\b")


class Watch:
    """Notes what each person held from the start, and after how many sights of the world each card was played."""

    def __init__(self, world: World, people: Sequence[Person], group: Group) -> None:
        self.world = world
        self.held = {person.id: set(hand(person, group).cards) for person in people}
        self.played: dict[str, int] = {}

    def before(self, person: Person, found: Hand) -> None:
        if found.moves != ("call",):
            self.played[found.moves[0]] = len(self.world.sights)

    def leaks(self) -> list[str]:
        """Texts, buttons, alerts and button data that named a card of another's hand before it was played."""
        found = []
        for place, sight in enumerate(self.world.sights):
            if sight.user_id not in self.held or sight.text.startswith(("/", "Call: ", "call ", "play ")):
                continue  # what people write themselves
            named = {f"{'T' if rank == '10' else rank}{LETTERS[suit]}" for rank, suit in CARD.findall(sight.text)}
            named |= set(NOTATION.findall(sight.text.replace("/play QS", ""))) if sight.kind != "url" else set()
            for owner, cards in self.held.items():
                if owner != sight.user_id:
                    found += [f"{sight} names {card}" for card in named & cards if self.played.get(card, 10**9) > place]
        return found


def test_four_people_play_a_whole_set_each_in_his_own_way_and_nobody_sees_anothers_hand(
    bot_api: World, bot: Bot
) -> None:
    people = ann, bob, *_ = four(bot_api)
    group = bot_api.group("Friday", people)
    ann.start()
    open_table(group, people, PLAIN)
    start(group, people)
    bob.follow(group, "Play in private")
    watch = Watch(bot_api, people, group)
    assert sorted(map(len, watch.held.values())) == [13, 13, 13, 13]
    assert len(set.union(*watch.held.values())) == 52
    ways = {ann.id: (by_button, ann.private), bob.id: (by_command, bob.private)}
    assert play_on(people, group, ways, before=watch.before) == 4 + 52
    for person, place in ((ann, group), (ann, ann.private), (bob, bob.private)):
        finds(person, place, "Winner: ")
    finds(ann, group, "Fingerprint: ")
    assert watch.leaks() == []
    assert not CARD.search(bot.log)
    assert not NOTATION.search(bot.log)


def test_computer_players_fill_the_table_and_a_set_follows_the_next(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    open_table(group, [ann], "max_sets=2 target=0 redeal=none min_total_calls=0")
    for _ in range(3):
        ann.press(group, "Add computer player")
    start(group, [ann])
    assert play_on([ann], group, {}) == 2 * 14
    finds(ann, group, "Once more?")

    def told() -> list[str] | None:
        found = [text for text in ann.texts(group) if "Fingerprint: " in text]
        return found if len(found) == 2 else None

    results = ann.wait(told, NEXT_MINUTE, "two results")
    assert ["Set 1" in results[0], "Set 2" in results[1]] == [True, True]
    assert "Winner" in results[1]
    seen = ann.texts(group)
    [table] = [text for text in seen if "Once more?" in text]
    assert seen.index(table) > seen.index(results[0]), "the table moved below the first result"


def test_two_groups_play_at_once(bot_api: World, bot: Bot) -> None:
    sides = []
    for title in ("Friday", "Sunday"):
        people = four(bot_api)
        group = bot_api.group(title, people)
        open_table(group, people, PLAIN)
        start(group, people)
        sides.append((people, group))
    made = [0, 0]
    while sum(made) < 2 * (4 + 52):
        for index, (people, group) in enumerate(sides):
            made[index] += play_on(people, group, {}, most=3)
    assert made == [56, 56]
    for people, group in sides:
        finds(people[0], group, "Winner: ")


def test_a_proposal_to_end_the_game_is_put_to_everybody(bot_api: World, bot: Bot) -> None:
    people = ann, bob, cleo, dan = four(bot_api)
    group = bot_api.group("Friday", people)
    open_table(group, people)
    start(group, people)
    ann.say(group, "/end")
    finds(bob, group, "Agree")
    assert "decline" in bob.press(group, "Decline").text
    bob.wait(lambda: not any("Agree" in message.buttons for message in bob.sees(group)), NEXT_MINUTE)
    ann.say(group, "/end")
    for person in (bob, cleo, dan):
        finds(person, group, "Agree")
        assert "agree" in person.press(group, "Agree").text
    finds(ann, group, "everybody agreed to stop")


def test_whoever_leaves_may_come_back(bot_api: World, bot: Bot) -> None:
    people = ann, bob, *_ = four(bot_api)
    group = bot_api.group("Friday", people)
    open_table(group, people)
    start(group, people)
    bob.say(group, "/leave")
    finds(bob, group, "Bob has left")
    finds(bob, group, "Bob (away)")
    bob.say(group, "/back")
    finds(bob, group, "Bob is back")
    bob.wait(lambda: not bob.find(group, "Bob (away)"), NEXT_MINUTE)
    assert ann.texts(group)
