"""A table of honour over the local Bot API server: a false accusation, a revoke, a true one, a void set, the audit."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable

from service.sandbox.people import Group, Person
from service.sandbox.state import Message
from service.sandbox.world import World
from tests.domain.callbreak import referee
from tests.e2e.conftest import Bot
from tests.e2e.playing import CARD, LETTERS, NEXT_MINUTE, finds, open_table, start

HONOUR = (
    "enforcement=honour max_sets=4 target=0 tie=shared redeal=none min_total_calls=0 false_accusation=minus10 "
    "hidden_call_test=off"
)
RULES = {"must_beat": True, "must_trump": "always"}
ASK = "⚖ Somebody cheated"
_EARLY = 7  # tricks, so that what is wrong can be proved in the set


def notation(text: str) -> list[str]:
    return [f"{'T' if rank == '10' else rank}{LETTERS[suit]}" for rank, suit in CARD.findall(text)]


def fact(text: str, name: str) -> int:
    """A number of the line of facts: `Set 2 · trump ♠ · trick 4`."""
    found = re.search(rf"\b{name} (\d+)", text)
    return int(found[1]) if found else 0


class Players:
    """Two people who play in their private chats; computer players have the other seats."""

    def __init__(self, people: list[Person]) -> None:
        self.people = people
        self.cheat: Person | None = None  # who plays wrong as soon as he can
        self.cheated: tuple[int, int] | None = None  # the set and the trick in which he did
        self._done: set[tuple[int, str]] = set()

    def go_on(self, until: Callable[[], object]) -> None:
        """Moves of both until something is so; none is made after that."""
        give_up = time.monotonic() + NEXT_MINUTE
        while not until():
            if sum([self._move(person, until) for person in self.people]):
                give_up = time.monotonic() + NEXT_MINUTE
            assert time.monotonic() < give_up, "nobody moves any more"
            time.sleep(0.02)

    def _move(self, person: Person, until: Callable[[], object]) -> bool:
        for message in person.sees(person.private):
            labels = [one for one in message.buttons if one.isdecimal() or notation(one) or one.startswith("Confirm")]
            if not labels or (message.id, message.text) in self._done:
                continue
            if until():  # since it was looked the last time, and a move might end it
                return False
            self._done.add((message.id, message.text))
            button = message.button(self._choice(person, message, labels))
            assert button is not None
            return "✓" in person.press_raw(message, button.value).text  # it may just be changing before his eyes
        return False

    def _choice(self, person: Person, message: Message, labels: list[str]) -> str:
        if not notation(labels[0]):
            return labels[0]  # call 1, or confirm
        held = {notation(label)[0]: label for label in labels}
        lies = re.search(r"On the table: (.*)", message.text)
        trick = notation(lies[1]) if lies else []
        wrong = [card for card in held if trick and card[1] != trick[0][1]]
        if person is self.cheat and 0 < len(wrong) < len(held) and fact(message.text, "trick") < _EARLY:
            self.cheat, self.cheated = None, (fact(message.text, "Set"), fact(message.text, "trick"))
            return held[wrong[0]]
        allowed = referee.may_play(list(held), trick, "S", RULES)
        return held[max(allowed, key=lambda card: referee.RANKS.index(card[0]))]


def positive(person: Person, group: Group) -> str:
    """Of Ann and Bob one who has a set with a positive score."""
    text = "\n".join(results(person, group))
    found = re.search(r"Set \d+: (?:Ann -?\d+ · )?(Ann|Bob) [1-9]", text)
    return found[1] if found else ""


def results(person: Person, group: Group) -> list[str]:
    return [text for text in person.texts(group) if "Fingerprint: " in text]


def test_honour_from_a_false_accusation_to_the_audit(bot_api: World, bot: Bot) -> None:
    ann, bob = people = [bot_api.person(name) for name in ("Ann", "Bob")]
    group = bot_api.group("Friday", people)
    ann.start()
    open_table(group, people, HONOUR)
    for _ in range(2):
        ann.press(group, "Add computer player")
    start(group, people)
    table = next(one.value for row in finds(ann, group, "My hand").keyboard for one in row).partition(":")[2]
    for person in people:
        person.follow(group, "Play in private")
    players = Players(people)

    # A false accusation: nothing proves it, and at the end of the set it costs Bob ten points.
    players.go_on(lambda: ann.find(ann.private, "trick 3 "))
    bob.say(group, "/accuse Ann 2")
    finds(ann, group, "Bob says that Ann played wrong to trick 2")
    bob.say(group, "/accuse Bob 2")
    finds(bob, group, "You cannot accuse here: not yourself")
    players.go_on(lambda: results(ann, group))
    first = results(ann, group)[0]
    assert "What Bob said is not true: Ann played trick 2 by the rules" in first
    assert "penalty: Bob -10" in first

    # Whoever of them has a set to lose revokes; nobody says a word.
    players.go_on(lambda: positive(ann, group))
    name = positive(ann, group)
    cheat, honest = (ann, bob) if name == "Ann" else (bob, ann)
    players.cheat = cheat
    players.go_on(lambda: players.cheated is not None)
    assert players.cheated is not None
    number, trick = players.cheated
    heard = [message.text for person in people for place in (group, person.private) for message in person.sees(place)]
    assert not any("followed suit" in text for text in heard)

    # The other says so, by the buttons of his private chat, when the trick is over; everybody reads it.
    players.go_on(lambda: honest.find(honest.private, f"trick {trick + 1} "))
    assert honest.press(finds(honest, honest.private, f"trick {trick + 1} "), ASK).text == ""
    panel = finds(honest, honest.private, f"trick {trick}: who")
    assert honest.press(panel, name).text == "Said: everybody reads it."
    finds(ann, group, f"{honest.name} says that {name} played wrong to trick {trick}")
    players.go_on(lambda: ann.find(group, "The set is void: somebody cheated"))
    void = finds(ann, group, "The set is void: somebody cheated").text
    assert f"{name} played" in void
    assert "could have followed suit" in void
    assert re.search(rf"penalty: {name} -\d+", void)

    # The row is negated on the score sheet, and whoever audits the game finds all of it, and nothing wrong.
    ann.say(group, "/end")
    finds(bob, group, "Agree")
    assert "agree" in bob.press(group, "Agree").text
    sheet = finds(ann, group, "* penalty").text
    assert re.search(r"-\d+\*", sheet)
    document = json.loads(bot.tabletalk("record", table))
    played, columns = referee.judged(document)
    assert columns == document["rows"]
    assert document["sets"][number - 1]["outcome"] == "void_cheating"
    assert played[number - 1].convicted == [
        entry for entry in document["sets"][number - 1]["moves"] if isinstance(entry, dict)
    ]
    assert "negated" in [kind for _, _, kind in document["rows"][people.index(cheat)]]
    assert "ok" in bot.tabletalk("audit", table)
