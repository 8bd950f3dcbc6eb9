"""How people play over chat in tests: open a table, find out whose turn it is, make moves in the ways there are."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence

import msgspec

from service.sandbox.people import Group, NotPossible, Person, Place
from service.sandbox.state import Message
from service.sandbox.taps import Tap
from service.sandbox.world import World
from service.text import language
from service.text.chat import say
from tests.patience import PATIENCE

LETTERS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
KEPT = say(language(), "kept")
CARD = re.compile(r"(10|[2-9JQKA])([♠♥♦♣])")
NEXT_MINUTE = 60.0 + PATIENCE  # s; Telegram allows a group twenty calls a minute, and the next may have to wait
OVER = "The game is over"


class Hand(msgspec.Struct, frozen=True):
    """What My hand says: the cards, and what may be done now (`call`, or cards in notation; nothing: not his turn)."""

    cards: tuple[str, ...]
    moves: tuple[str, ...]
    over: bool = False


def four(world: World) -> list[Person]:
    return [world.person(name) for name in ("Ann", "Bob", "Cleo", "Dan")]


def open_table(group: Group, people: Sequence[Person], options: str = "max_sets=1 target=0") -> Message:
    """The first person opens a table, the others join; gives the lobby's message."""
    first = people[0]
    first.say(group, "/callbreak")
    lobby = first.wait(lambda: first.find(group, "Join"), what="the lobby")
    for person in people[1:]:
        does(person, lobby, "Join", "You have a seat")
    first.say(group, f"/options {options}")
    finds(first, group, "The rules are changed.")
    first.wait(lambda: (now := first.find(group, "Join")) and "max_sets" in now.text, NEXT_MINUTE, "the options")
    return lobby


def start(group: Group, people: Sequence[Person]) -> None:
    """The host starts the game; the group sees the table."""
    does(people[0], group, "Start", "dealt")
    finds(people[0], group, "My hand")


def does(person: Person, where: Message | Place, button: str, words: str) -> None:
    """Presses a button and is told so; where much is to be done, that it will be done."""
    said = person.press(where, button).text
    assert words in said or said == KEPT, said


def heard(world: World) -> None:
    """Returns when the bot has done whatever people have said and pressed so far."""
    with world.changed:
        last = max((update.id for update in world.updates.waiting), default=0)
    world.wait_until(lambda: all(update.id > last for update in world.updates.waiting), what="all that was said")


def finds(person: Person, place: Place, words: str) -> Message:
    """The message that holds these words, or has this button, once it is there."""
    return person.wait(lambda: person.find(place, words), NEXT_MINUTE, what=f"{words!r} for {person}")


def hand(person: Person, group: Group) -> Hand:
    """Presses My hand under the group's message as soon as it is there, again when told to wait; a table that is over
    has no such button."""

    def pressed() -> Tap | bool:
        try:
            return person.tap(group, "My hand")
        except NotPossible:
            return person.find(group, OVER) is not None

    said = KEPT
    while said == KEPT:
        found = person.wait(pressed, NEXT_MINUTE, what=f"My hand for {person}")
        said = found.answered().text if isinstance(found, Tap) else OVER
    if "over" in said:
        return Hand((), (), over=True)
    cards, _, rest = said.partition("\n")
    if "You may call" in rest:
        return Hand(_notation(cards), ("call",))
    if "You may play any card" in rest:
        return Hand(_notation(cards), _notation(cards))
    return Hand(_notation(cards), _notation(rest.partition("You may play:")[2]))


def whose_turn(people: Sequence[Person], group: Group) -> tuple[Person, Hand] | None:
    """Who is to act, as My hand tells everybody (a computer player may have to move first); None: the game is over."""
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up:
        for person in people:
            found = hand(person, group)
            if found.moves:
                return person, found
            if found.over:
                return None
    raise AssertionError("it is nobody's turn")


def by_command(person: Person, place: Place, found: Hand) -> None:
    """Writes the move as a command (in private without the slash)."""
    slash = "" if place.id == person.id else "/"
    move = "call 3" if found.moves == ("call",) else f"play {found.moves[0]}"
    person.say(place, f"{slash}{move}")


def by_button(person: Person, place: Place, found: Hand) -> None:
    """Presses the move in the private chat, once it is offered there."""
    if found.moves == ("call",):
        label = "3"
    else:
        card = found.moves[0]
        suit = next(symbol for symbol, letter in LETTERS.items() if letter == card[1])
        label = f"{'10' if card[0] == 'T' else card[0]}{suit}"

    pressed(person, place, label)


def pressed(person: Person, place: Place, label: str, fits: Callable[[Message], bool] = lambda message: True) -> None:
    """Presses a move as soon as a message that `fits` offers it."""

    def offered() -> tuple[Message, Tap] | None:
        found = (one for one in person.sees(place) if label in one.buttons and one not in tried and fits(one))
        message = next(found, None)
        return None if message is None else (message, person.tap(message, label))

    tried: list[Message] = []
    while True:  # what is offered may still be the last trick's, and is refused then
        message, tap = person.wait(offered, NEXT_MINUTE, what=f"{label} for {person}")
        if "✓" in (said := tap.answered().text) or said == KEPT:
            return
        tried.append(message)


Way = Callable[[Person, Place, Hand], None]


def play_on(
    people: Sequence[Person],
    group: Group,
    ways: Mapping[int, tuple[Way, Place]],
    *,
    most: int = 10_000,
    before: Callable[[Person, Hand], None] = lambda person, found: None,
) -> int:
    """People make moves (each in his way; by command in the group where there is none) until the game is over or
    `most` are made; `before` is called before each. Gives how many."""
    made = 0
    while made < most and (turn := whose_turn(people, group)) is not None:
        person, found = turn
        way, place = ways.get(person.id, (by_command, group))
        before(person, found)
        way(person, place, found)
        wait_for_change(person, group, found)
        made += 1
    return made


def wait_for_change(person: Person, group: Group, before: Hand) -> None:
    """Until the move is made: My hand says something else."""
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up:
        if hand(person, group) != before:
            return
    raise AssertionError(f"{person} still has {before}")


def _notation(text: str) -> tuple[str, ...]:
    return tuple(f"{'T' if rank == '10' else rank}{LETTERS[suit]}" for rank, suit in CARD.findall(text))
