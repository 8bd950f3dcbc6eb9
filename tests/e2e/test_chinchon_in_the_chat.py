from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Sequence

from domain import cards
from domain.games.chinchon.state import Set
from service.sandbox.people import Group, Person
from service.sandbox.state import Sight
from service.sandbox.world import World
from service.text.games.chinchon import WORDS
from tests.e2e import moving
from tests.e2e.conftest import Bot
from tests.e2e.moving import (
    Chooses,
    Knowledge,
    Mover,
    Sitting,
    Turn,
    answered,
    cards_in,
    my_hand,
    refused,
    shown,
    table_of,
    told_moves,
)
from tests.e2e.playing import NEXT_MINUTE, finds, heard

SOON = "target=40 cut_rule=threshold cut_max=20 no_cut_first_lap=true"  # twenty loose points allow a cut
NEUTRAL = "That cannot be played now. My hand shows you what can."
SPOKEN = {"draw stock": "stock", "draw pile": "the pile"}


def from_alert(said: str) -> list[str]:
    """The moves that My hand tells of."""
    hand = said.partition("\n")[0]
    found: list[str] = []
    for kind, named in told_moves(WORDS, said):
        if kind in ("discard", "cut"):
            found += [f"{kind} {card}" for card in cards_in(named) or cards_in(hand)]
        else:
            found.append(kind.replace("_", " "))
    return found


def spoken(move: str) -> str:
    """A move as people write it."""
    return SPOKEN.get(move) or move.removeprefix("discard ").lower()


def ends_soon(seed: int) -> Chooses:
    """Cuts as soon as it can; draws by chance; discards the dearest loose card, which stands last in the hand."""
    chance = random.Random(seed)

    def chooses(moves: Sequence[str]) -> str:
        if "draw stock" in moves:
            return chance.choice(["draw stock", "draw stock", moves[-1]])
        return moves[-1]

    return chooses


def opened(group: Group, people: list[Person], options: str = SOON) -> None:
    """A lobby with these people, the first of whom opened it."""
    first = people[0]
    first.say(group, "/chinchon")
    lobby = first.wait(lambda: first.find(group, "Join"), what="the lobby")
    for person in people[1:]:
        assert "You have a seat" in person.press(lobby, "Join").text
    answered(first, group, f"/options {options}", "The rules are changed.")


def started(group: Group, people: list[Person]) -> None:
    """The cards are dealt."""
    assert "dealt" in people[0].press(group, "Start").text
    finds(people[0], group, "My hand")


def shows(state: Set, seat: int) -> set[str]:
    """What a seat has before it: its hand, and what lies or was opened for everybody."""
    assert state.hands is not None
    own = cards.cards(state.hands[seat])
    closing = () if state.closing < 0 else (state.closing,)
    hands = () if state.opened is None else tuple(card for _seat, hand in state.opened.hands for card in hand)
    return {cards.name(card) for card in (*own, *state.pile, *closing, *hands)}


def never_cuts(moves: Sequence[str]) -> str:
    """Breaks its melds: what stands first in the hand goes."""
    return moves[0]


def in_turn(people: list[Person], group: Group) -> tuple[Person, Person]:
    """Of two people the one who is to draw, and the other."""
    first, second = people
    return (first, second) if from_alert(my_hand(first, group)) else (second, first)


def turn_to(person: Person, group: Group, word: str) -> Turn:
    """What somebody may do, once his private chat asks him to `draw` or to `discard`."""

    def found() -> Turn | None:
        turn = moving.by_private_chat(person, group)
        return turn if turn is not None and turn.moves[0].startswith(word) else None

    return person.wait(found, what=f"{word} for {person}")


def results(person: Person, group: Group, sets: int) -> list[str]:
    """The results of all sets, once they are there."""

    def found() -> list[str] | None:
        texts = [text for text in person.texts(group) if "Fingerprint: " in text]
        return texts if len(texts) >= sets else None

    return person.wait(found, NEXT_MINUTE, f"{sets} results")


def told(bot: Bot, table: str) -> bytes:
    """The record of a game."""
    return bot.tabletalk("record", table).encode()


def test_four_people_play_to_the_end_each_in_his_own_way_and_nobody_learns_of_anothers_hand(
    bot_api: World, bot: Bot
) -> None:
    people = ann, bob, cleo, dan = [bot_api.person(name) for name in ("Ann", "Bob", "Cleo", "Dan")]
    group = bot_api.group("Friday", people)
    ann.start()
    opened(group, people)
    promised = re.search(r"SHA-256 ([0-9a-f]{16})…", finds(ann, group, "Join").text)
    assert promised is not None
    answered(bob, group, "/cut 17", "You cut the cards: 17.")
    finds(ann, group, "2. Bob ✂")
    started(group, people)
    for person in (bob, dan):
        person.follow(group, "Play in private")
    table = table_of(ann, group)
    mixed = moving.in_turn(moving.by_button, moving.by_command, moving.by_text(spoken))
    sitting = Sitting(
        bot_api,
        group,
        [
            Mover(ann, moving.by_private_chat, moving.by_button, ends_soon(1)),
            Mover(bob, moving.by_private_chat, moving.by_text(spoken), ends_soon(2)),
            Mover(cleo, moving.by_my_hand(from_alert), moving.by_command, ends_soon(3)),
            Mover(dan, moving.by_private_chat, mixed, ends_soon(4)),
        ],
    )
    assert sitting.play() > 2 * 4
    result = finds(ann, group, "The game is over, ").text
    for person, place in ((cleo, group), (ann, ann.private), (bob, bob.private), (dan, dan.private)):
        finds(person, place, "Winner: ")

    document = json.loads(told(bot, table))
    names = [people[seat].name for seat in document["winners"]]
    assert f"Winner: {', '.join(names)}" in result
    for person, place in ((ann, group), (dan, dan.private)):
        sheet = finds(person, place, "Once more? /chinchon").text.splitlines()
        at = next(at for at, line in enumerate(sheet) if line.split() == ["Ann", "Bob", "Cleo", "Dan"])
        shown = [line.split()[1:] for line in sheet[at + 1 : -1]]
        scored = [one["scores"] for one in document["sets"] if one["scores"] is not None]  # a dead round has no row
        assert shown[:-2] == [list(map(str, scores)) for scores in scored]
        assert shown[-1] == list(map(str, document["totals"]))
    seen = results(ann, group, len(document["sets"]))
    for number, (one, text) in enumerate(zip(document["sets"], seen, strict=True), 1):
        assert ("nobody scores" if one["scores"] is None else f"\nSet {number}: ") in text
    seeds = [re.findall(r"\b[0-9a-f]{64}\b", text) for text in seen]
    assert hashlib.sha256(bytes.fromhex(seeds[0][0])).hexdigest().startswith(promised[1])
    assert len({seed for [seed] in seeds}) == len(document["sets"])
    mark = re.search(r"Fingerprint: (\w+)", seen[-1])
    assert mark is not None
    assert "ok" in bot.tabletalk("audit", table, "--head", mark[1])

    sets = moving.played_again(told(bot, table))
    known = Knowledge(people, sets, sitting.moments, shows)
    assert known.leaks(bot_api.sights) == []
    assert not cards_in(bot.log)
    card = cards.name(cards.cards(sets[0][0].hands[0])[0])
    for kind in ("edit", "button", "alert"):  # the watch is awake
        sights = [*bot_api.sights[: sitting.moments[0] - 1], Sight(bob.id, group.id, kind, f"Set 1\n{card}")]
        assert known.leaks(sights) == [f"{sights[-1]} names {card}"]


def test_two_people_play_and_a_cut_by_command_ends_the_round(bot_api: World, bot: Bot) -> None:
    people = ann, bob = [bot_api.person(name) for name in ("Ann", "Bob")]
    group = bot_api.group("Friday", people)
    ann.start()
    opened(group, people)
    started(group, people)
    table = table_of(ann, group)
    sitting = Sitting(
        bot_api,
        group,
        [
            Mover(ann, moving.by_private_chat, moving.by_button, never_cuts),
            Mover(bob, moving.by_my_hand(from_alert), moving.by_command, ends_soon(5)),
        ],
    )
    sitting.play()
    finds(ann, ann.private, "Once more? /chinchon")
    closing = [move.removeprefix("cut ") for move in sitting.movers[1].made if move.startswith("cut ")]
    sets = moving.played_again(told(bot, table))
    seen = results(ann, group, len(sets))
    assert len(closing) == len(seen) > 0
    for card, text in zip(closing, seen, strict=True):
        assert text.startswith(f"Bob cut with {shown(card)}\n")
        assert "Ann: " in text
        assert "Bob: " in text
    assert Knowledge(people, sets, sitting.moments, shows).leaks(bot_api.sights) == []
    assert not cards_in(bot.log)
    assert "ok" in bot.tabletalk("audit", table)


def test_computer_players_sit_with_a_person(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    opened(group, [ann])
    for _ in range(2):
        ann.press(group, "Add computer player")
    finds(ann, group, "Remove computer player")
    started(group, [ann])
    table = table_of(ann, group)
    sitting = Sitting(bot_api, group, [Mover(ann, moving.by_my_hand(from_alert), moving.by_command, ends_soon(6))])
    assert sitting.play() >= 2
    finds(ann, group, "Once more? /chinchon")
    document = json.loads(told(bot, table))
    assert document["seats"] == 3
    assert document["ended"] in ("target", "chinchon")
    assert "ok" in bot.tabletalk("audit", table)


def test_cut_is_of_the_deck_in_the_lobby_and_a_move_in_the_game(shared_bot: World) -> None:
    people = [shared_bot.person(name) for name in ("Ann", "Bob")]
    group = shared_bot.group("Friday", people)
    opened(group, people, "cut_rule=two_melds")
    bob = people[1]
    answered(bob, group, "/cut 5H", "from 0 to 51")
    answered(bob, group, "/cut 17", "You cut the cards: 17.")
    answered(bob, group, "/cut 18", "You have already cut the cards.")
    started(group, people)
    drawer, other = in_turn(people, group)
    answered(other, group, "/cut 5H", "It is not your turn.")
    answered(drawer, group, "/cut 5H", "Draw a card first")
    answered(drawer, group, "/discard 5H", "Draw a card first")
    answered(drawer, group, "/cut 17", "“17” is not a card that I can read.")


def test_a_refused_cut_is_told_to_its_player_alone(shared_bot: World) -> None:
    people = [shared_bot.person(name) for name in ("Ann", "Bob")]
    group = shared_bot.group("Friday", people)
    for person in people:
        person.start()
    opened(group, people, "cut_rule=two_melds")
    started(group, people)
    cutter, other = in_turn(people, group)
    cutter.say(group, "/draw stock")
    offered = turn_to(cutter, group, "discard").moves
    card = next(move for move in offered if move.replace("discard", "cut") not in offered).removeprefix("discard ")
    before = my_hand(cutter, group)
    answered(cutter, group, f"/cut {card}", NEUTRAL)
    why = f"Without {shown(card)} your cards do not allow a cut. (CH-40)"
    finds(cutter, cutter.private, why)
    foreign = next(name for name in map(cards.name, range(52)) if f"discard {name}" not in offered)
    answered(cutter, group, f"/discard {foreign}", NEUTRAL)
    finds(cutter, cutter.private, f"You do not have {shown(foreign)}. (CH-22)")
    seen = [sight for sight in shared_bot.sights if sight.user_id == other.id or sight.chat_id == group.id]
    assert not [sight for sight in seen if "do not" in sight.text]
    assert my_hand(cutter, group) == before


def test_an_early_cut_is_refused_alike_whether_the_card_is_held_or_not(shared_bot: World) -> None:
    people = [shared_bot.person(name) for name in ("Ann", "Bob")]
    group = shared_bot.group("Friday", people)
    opened(group, people, "no_cut_first_lap=true")
    started(group, people)
    drawer, _other = in_turn(people, group)
    drawer.say(group, "/draw stock")
    heard(shared_bot)
    assert "draw stock" not in from_alert(my_hand(drawer, group))
    held = cards_in(my_hand(drawer, group).partition("\n")[0])
    foreign = next(name for name in map(cards.name, range(52)) if name not in held)
    for card in (held[0], foreign):
        answered(drawer, group, f"/cut {card}", "Nobody may cut before everybody has had a turn. (CH-24)")


def test_stale_doubled_foreign_and_forged_buttons_get_a_short_toast_and_change_nothing(shared_bot: World) -> None:
    people = [shared_bot.person(name) for name in ("Ann", "Bob")]
    outsider = shared_bot.person("Outsider")
    group = shared_bot.group("Friday", [*people, outsider])
    for person in people:
        person.start()
    opened(group, people)
    started(group, people)
    drawer, other = in_turn(people, group)

    draws = turn_to(drawer, group, "draw").at
    assert draws is not None
    with shared_bot.changing():  # before the bot can take the button away
        taps = [drawer.tap(draws, "From the stock") for _ in range(2)]
    assert [tap.answered().text for tap in taps] == [
        "✓ From the stock",
        "You have drawn already: discard a card. (CH-21)",
    ]
    discards = turn_to(drawer, group, "discard").at
    assert discards is not None
    before = [my_hand(person, group) for person in people]
    table = finds(other, group, "My hand")
    held = [value for _text, value in moving.move_buttons(discards)]
    question = held[0].rpartition(":")[0]
    foreign = next(name for name in map(cards.name, range(52)) if f"{question}:discard {name}" not in held)
    for _text, value in moving.move_buttons(draws):
        refused(drawer, discards, value, "You have drawn already")
        refused(other, finds(other, other.private, "Chinchón"), value, "It is not your turn.")
    refused(other, table, held[0], "It is not your turn.")
    refused(outsider, table, held[0], "You have no seat at this table.")
    refused(drawer, discards, f"{question}:discard {foreign}", f"You do not have {shown(foreign)}.")
    refused(drawer, discards, f"{question}:discard X1", "You do not have")
    refused(drawer, discards, f"{question}:play QS", "I cannot read that as a move.")
    refused(drawer, discards, f"{question}9:discard {foreign}", "That question has been answered already.")
    assert [my_hand(person, group) for person in people] == before

    assert drawer.press_raw(discards, held[0]).text == f"✓ {moving.move_buttons(discards)[0][0]}"
    after = [my_hand(person, group) for person in people]
    for data in held:
        refused(drawer, discards, data, "That question has been answered already.")
    assert [my_hand(person, group) for person in people] == after
