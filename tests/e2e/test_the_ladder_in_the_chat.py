"""Hidden hands on every rung at once: private buttons, the alert, ephemeral messages and the input line."""

from __future__ import annotations

from service.sandbox.people import Person, Place
from service.sandbox.state import Sight
from service.sandbox.world import World
from tests.e2e.conftest import Bot
from tests.e2e.playing import Hand, Way, by_button, by_command, four, open_table, play_on, pressed, start
from tests.e2e.test_a_game_in_the_chat import PLAIN, Watch

MOVES = 4 + 12
SHOWN = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def label(found: Hand) -> str:
    """What the move is called on buttons and in lists."""
    if found.moves == ("call",):
        return "3"
    card = found.moves[0]
    return f"{'10' if card[0] == 'T' else card[0]}{SHOWN[card[1]]}"


def by_inline(person: Person, place: Place, found: Hand) -> None:
    """Types the bot's name in the group's input line and takes the move from the list."""
    typed = person.type(place)
    titles = [result.title for result in typed.answered().results]
    assert titles[0] != ""
    person.choose(place, typed, label(found))


def by_whisper(person: Person, place: Place, found: Hand) -> None:
    """Presses Play and then the move in the message that appears; where an alert comes instead (the group's budget of
    messages is used up), goes on by the input line."""
    if person.press(place, "Play").text:
        by_inline(person, place, found)
        return
    pressed(person, place, label(found), lambda message: message.receiver == person.id)


def test_nobody_sees_anothers_hand_on_any_rung(bot_api: World, bot: Bot) -> None:
    """Sometimes no cards appear when one types the bot's name (jh0ker/mau_mau_bot#34, jh0ker/mau_mau_bot#15)."""
    people = ann, bob, cleo, dan = four(bot_api)
    group = bot_api.group("Friday", people)
    ann.start()
    open_table(group, people, PLAIN)
    start(group, people)
    watch = Watch(bot_api, people, group)
    ways: dict[int, tuple[Way, Place]] = {
        ann.id: (by_button, ann.private),
        bob.id: (by_inline, group),
        cleo.id: (by_whisper, group),
        dan.id: (by_command, group),
    }
    assert play_on(people, group, ways, most=MOVES, before=watch.before) == MOVES
    assert any(one.kind == "inline" and one.user_id == bob.id for one in bot_api.sights)
    assert bot_api.calls("editEphemeralMessageText", group), "a hand was shown in the group to its owner alone"
    assert watch.leaks() == []
    card = next(iter(watch.held[ann.id] - set(watch.played)))
    for kind in ("message", "inline", "alert", "data"):
        seen = Sight(bob.id, group.id, kind, f"You hold {card[:1].replace('T', '10')}{SHOWN[card[1]]}")
        bot_api.sights.append(seen)
        assert watch.leaks() == [f"{seen} names {card}"], "the watch is awake"
        bot_api.sights.pop()
