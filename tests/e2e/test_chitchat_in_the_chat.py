from __future__ import annotations

import itertools
import json
import random
from collections.abc import Sequence

from domain import cards
from domain.games.chitchat.state import Set
from service.sandbox.people import Group, Person, Place
from service.sandbox.state import Message, Sight
from service.sandbox.world import World
from service.text.games.chitchat import WORDS
from tests.e2e import moving
from tests.e2e.conftest import Bot
from tests.e2e.moving import (
    Knowledge,
    Mover,
    Sitting,
    answered,
    cards_in,
    my_hand,
    refused,
    shown,
    table_of,
    told_moves,
)
from tests.e2e.playing import finds

NEUTRAL = "That cannot be played now. My hand shows you what can."
NAMES = ("Ann", "Bob")
KINGS = ("KH", "KD", "KS")
COLUMN = 3  # of a picture
BEAT, THREAT = (WORDS.facts[name].partition("{")[0] for name in ("beat", "threat"))


def from_alert(said: str) -> list[str]:
    """The plays that My hand tells of; where it has no room for many changes of topic, those that the hand allows."""
    found: list[str] = []
    for kind, named in told_moves(WORDS, said):
        if kind == "change":
            found += [f"change {' '.join(cards_in(pair))}" for pair in named.split(", ")]
        elif kind != "resign":
            found += [f"{kind} {card}" for card in cards_in(named)]
    if not found and not any(prompt.others.partition("}")[2] in said for prompt in WORDS.prompts.values()):
        hand = cards_in(said.partition("\n")[0])
        found = [f"change {one} {other}" for one, other in itertools.combinations(hand, 2) if one[1] == other[1]]
    return found


def argues(moves: Sequence[str]) -> str:
    """Continues the argument with the highest card, else makes small talk, else changes the topic."""
    on_topic = [move for move in moves if move.startswith("argue")]
    return max(on_topic, key=lambda move: "A23456".index(move[6])) if on_topic else moves[0]


def gives_way(seed: int) -> moving.Chooses:
    """Never argues unless nothing else can be played: whoever argues against it makes points."""
    chance = random.Random(seed)

    def chooses(moves: Sequence[str]) -> str:
        talks = [move for move in moves if move.startswith("talk")]
        changes = [move for move in moves if move.startswith("change")]
        return chance.choice(talks or changes or moves)

    return chooses


def started(group: Group, people: list[Person]) -> str:
    """A game of these people, the first of whom opened it; gives the table's id."""
    first, *others = people
    first.say(group, "/chitchat")
    lobby = first.wait(lambda: first.find(group, "Join"), what="the lobby")
    for person in others:
        assert "You have a seat" in person.press(lobby, "Join").text
    assert "dealt" in first.press(group, "Start").text
    finds(first, group, "My hand")
    return table_of(first, group)


def shows(state: Set, seat: int) -> set[str]:
    """What a seat has before it: hand and king, and what lies or was opened for everybody."""
    assert state.hands is not None
    assert state.pets is not None
    line = [laid.card for laid in state.seq]
    found = [*state.hands[seat], state.pets[seat], *line, *state.discards, *state.points[0], *state.points[1]]
    found += [card for _seat, hand in state.opened for card in hand]
    return {cards.name(card) for card in (*found, *state.kings)}


def told(bot: Bot, table: str) -> bytes:
    """The record of a game."""
    return bot.tabletalk("record", table).encode()


def versions(person: Person, place: Place) -> list[Message]:
    """Every version of a table's message, while it was played, that stood in a chat."""
    with person.world.changed:
        posts = person.world.chats[place.id].posts.values()
        return [version for post in posts for version in post.versions if BEAT in version.text]


def drawn(message: Message) -> tuple[list[tuple[str, int, str]], bool]:
    """The picture of the conversation: each card, how far it lies above the first, and who laid it; and whether cards
    after the first are left out."""
    [block] = [entity for entity in message.entities if entity.type == "pre"]
    units = message.text.encode("utf-16-le")[2 * block.offset : 2 * (block.offset + block.length)]
    up, *rows, by, down = units.decode("utf-16-le").splitlines()
    assert (up, down) == ("↑ Bob", "↓ Ann")
    assert max(map(len, (up, *rows, by, down))) <= 32, "a telephone is no wider"
    left_out = any("…" in row for row in rows)
    found = []
    for at in range(0, max(map(len, rows)), COLUMN):
        for height, row in enumerate(rows):
            if named := cards_in(row[at : at + COLUMN]):
                found.append((named[0], -height, by[at : at + COLUMN].strip()))
    first = found[0][1]
    return [(card, height - first, who) for card, height, who in found], left_out


def lies(state: Set) -> list[tuple[str, int, str]]:
    """The same of a state, Ann (seat 0) looking: a step of hers is down, one of Bob's up."""
    height, found = 0, []
    for laid in state.seq:
        height += {None: 0, 0: -1, 1: 1}[laid.step]
        found.append((cards.name(laid.card), height, "·" if laid.by is None else "AB"[laid.by]))
    return found


def fits(message: Message, state: Set) -> bool:
    """Whether a table's message tells of this state: picture, topic card, value to beat, threat, points."""
    picture, left_out = drawn(message)
    wanted = lies(state)
    if left_out:
        tail = len(picture) - 1
        same = picture[0] == wanted[0] and [one[::2] for one in picture[1:]] == [one[::2] for one in wanted[-tail:]]
    else:
        same = picture == wanted
    line = [cards.name(laid.card) for laid in state.seq]
    topic = line[0][1]
    current = next(card for card in reversed(line) if card[1] == topic)
    beat = "A23456".index(line[-1][0]) + 1 if line[-1][1] == topic else 0
    steps = [laid.step for laid in state.seq if laid.step is not None]
    last = state.seq[-1]
    threat = last.step is not None and last.by == last.step and steps[-2:] == [last.step] * 2
    values = {"current": shown(current), "beat": beat, "pile": state.piled}
    words = [WORDS.facts[name].format(value=value, card=value) for name, value in values.items()]
    words += [WORDS.facts["threat"].format(seat=NAMES[last.step])] if threat and last.step is not None else []
    lines = []
    for seat, name in enumerate(NAMES):
        facts = {"cards": state.counts[seat], "points": len(state.points[seat])}
        said = ", ".join(WORDS.seat_facts[fact].format(value=value) for fact, value in facts.items())
        lines.append(f"{name}: {said}")
    told = message.text.splitlines()
    head = next(line for line in told if BEAT in line).split(" · ")
    return (
        same
        and threat == (THREAT in message.text)
        and all(word in head for word in words)
        and all(any(line.endswith(wanted) for line in told) for wanted in lines)
    )


def test_two_people_play_to_the_end_and_nobody_learns_of_the_others_hand_or_king(bot_api: World, bot: Bot) -> None:
    people = ann, bob = [bot_api.person(name) for name in NAMES]
    group = bot_api.group("Friday", people)
    ann.start()
    table = started(group, people)
    kings = [next(card for card in cards_in(my_hand(person, group)) if card in KINGS) for person in people]
    assert kings[0] != kings[1]
    finds(ann, ann.private, shown(kings[0]))
    sitting = Sitting(
        bot_api,
        group,
        [
            Mover(ann, moving.by_private_chat, moving.by_button, argues),
            Mover(bob, moving.by_my_hand(from_alert), moving.by_command, gives_way(1)),
        ],
    )
    assert sitting.play() > 4
    result = finds(ann, group, "Fingerprint: ").text
    finds(ann, ann.private, "Once more? /chitchat")
    finds(bob, group, "Once more? /chitchat")

    [states] = moving.played_again(told(bot, table))
    document = json.loads(told(bot, table))
    assert document["ended"] in ("points", "lag")
    [winner] = document["winners"]
    assert f"Winner: {NAMES[winner]}" in result
    end = states[-1]
    assert end.hands is not None
    lines = [line for line in result.splitlines() if "pet topic" in line]
    for seat, part in enumerate(lines):
        king, *hand = cards_in(part)
        assert king == kings[seat]
        assert sorted(hand) == sorted(map(cards.name, end.hands[seat]))
    assert "Set aside: " in result
    assert all(shown(king) in result for king in KINGS)
    before = [text for text in ann.texts(group) if text != result and "Once more?" not in text]
    assert not any(shown(king) in text for king in KINGS for text in before)

    seen = versions(ann, ann.private)
    assert len(seen) > 2
    for message in (*seen, *versions(bob, group)):
        assert any(fits(message, state) for state in states), message.text
    assert "ok" in bot.tabletalk("audit", table)

    known = Knowledge(people, [states], sitting.moments, shows)
    assert known.leaks(bot_api.sights) == []
    assert not cards_in(bot.log)
    for card in (
        kings[1],
        next(name for name in map(cards.name, states[0].hands[1]) if name not in shows(states[0], 0)),
    ):
        sights = [*bot_api.sights[: sitting.moments[0] - 1], Sight(ann.id, ann.id, "edit", f"Set 1\n{shown(card)}")]
        assert known.leaks(sights) == [f"{sights[-1]} names {card}"], "the watch is awake"


def test_a_person_plays_the_computer_in_a_private_chat_and_resigns(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    home = ann.private
    ann.start()
    ann.say(home, "/chitchat")
    finds(ann, home, "Cut the cards")  # a hint names the other buttons too
    ann.press(home, "Add computer player")
    finds(ann, home, "Remove computer player")
    table = table_of(ann, home)
    ann.press(home, "Start")
    finds(ann, home, "topic card")
    sitting = Sitting(bot_api, home, [Mover(ann, moving.by_private_chat, moving.by_button, gives_way(2))])
    sitting.play(most=8)
    if sitting.next_turn() is not None:
        ann.say(home, "resign")
        finds(ann, home, "The game is over, one player gave up. Winner: ")
    finds(ann, home, "Once more? /chitchat")
    document = json.loads(told(bot, table))
    assert document["winners"] != []
    assert "ok" in bot.tabletalk("audit", table)


def test_resigning_and_leaving_end_the_game(shared_bot: World) -> None:
    for way in ("/resign", "/leave"):
        people = [shared_bot.person(name) for name in NAMES]
        group = shared_bot.group("Friday", people)
        started(group, people)
        mover, other = people if from_alert(my_hand(people[0], group)) else people[::-1]
        loser, winner = (mover, other) if way == "/resign" else (other, mover)
        loser.say(group, way)
        text = finds(winner, group, "one player gave up").text
        assert f"Winner: {winner.name}" in text
        assert all(shown(king) in text for king in KINGS)


def test_what_is_refused_in_the_group_tells_nothing_of_a_hand(shared_bot: World) -> None:
    people = [shared_bot.person(name) for name in NAMES]
    group = shared_bot.group("Friday", people)
    for person in people:
        person.start()
    started(group, people)
    mover, other = people if from_alert(my_hand(people[0], group)) else people[::-1]
    said = my_hand(mover, group)
    held = cards_in(said.splitlines()[0])
    turned = cards_in(finds(mover, group, BEAT).text)[0]
    foreign = [f"{rank}{suit}" for suit in "HDS" for rank in "A23456" if f"{rank}{suit}" not in held]
    on_topic = next(card for card in foreign if card[1] == turned[1])
    answered(other, group, f"/argue {on_topic}", "It is not your turn.")
    answered(mover, group, f"/argue {on_topic}", NEUTRAL)
    finds(mover, mover.private, f"You do not have {shown(on_topic)}. (CC-20)")
    answered(mover, group, "/talk 7H", "is no card of the conversation")
    answered(mover, group, "/change 2D 3H", "two cards of one suit")
    for card in (on_topic, *(name for name in held if name[1] == turned[1])):  # the same, held or not
        answered(mover, group, f"/talk {card}", f"{shown(card)} is on the topic")
    answered(mover, group, "/talk", "Write the move with it: /talk 2H")
    assert my_hand(mover, group) == said
    seen = [sight for sight in shared_bot.sights if sight.user_id == other.id or sight.chat_id == group.id]
    assert not [sight for sight in seen if "do not have" in sight.text]


def test_stale_doubled_foreign_and_forged_buttons_get_a_short_toast_and_change_nothing(shared_bot: World) -> None:
    people = [shared_bot.person(name) for name in NAMES]
    group = shared_bot.group("Friday", people)
    for person in people:
        person.start()
    started(group, people)
    mover, other = people if from_alert(my_hand(people[0], group)) else people[::-1]

    turn = mover.wait(lambda: moving.by_private_chat(mover, group))
    assert turn.at is not None
    offered = [value for _text, value in moving.move_buttons(turn.at)]
    assert not any(value.endswith(":resign") for value in offered), "a slip of the finger gives no game up"
    question = offered[0].rpartition(":")[0]
    before = [my_hand(person, group) for person in people]
    table = finds(other, group, "My hand")
    held = cards_in(before[people.index(mover)].splitlines()[0])
    topic = cards_in(table.text)[0][1]
    foreign = next(f"{rank}{topic}" for rank in "A23456" if f"{rank}{topic}" not in held)
    refused(other, table, offered[0], "It is not your turn.")
    refused(other, table, f"{question}:resign", "It is not your turn.")
    refused(mover, turn.at, f"{question}:argue {foreign}", f"You do not have {shown(foreign)}.")
    refused(mover, turn.at, f"{question}:argue KH", "I cannot read that as a move.")
    refused(mover, turn.at, f"{question}:discard 2H", "I cannot read that as a move.")
    refused(mover, turn.at, f"{question}9:resign", "That question has been answered already.")
    assert [my_hand(person, group) for person in people] == before

    taps = [mover.tap_raw(turn.at, offered[0]) for _ in range(2)]
    assert [tap.answered().text[:8] for tap in taps] == [f"✓ {moving.move_buttons(turn.at)[0][0]}"[:8], "That que"]
    after = [my_hand(person, group) for person in people]
    for data in offered:
        refused(mover, turn.at, data, "That question has been answered already.")
    assert [my_hand(person, group) for person in people] == after
