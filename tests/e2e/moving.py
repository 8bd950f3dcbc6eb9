"""People who move in any game: each finds out in his own way what he may do, and does it in his own way."""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from domain import options, record
from domain.game import Brought, Setup
from domain.games import GAMES
from domain.shuffle import Given
from service.sandbox.people import NotPossible, Person, Place
from service.sandbox.state import Message, Sight
from service.sandbox.world import World
from service.text.words import Words
from tests.e2e.playing import CARD, LETTERS, NEXT_MINUTE, OVER, heard

NOTATION = re.compile(r"\b([2-9TJQKA][SHDC]|X[1-4])\b")
JOKER = re.compile(r"★([1-4])")
_LONGEST = 4000  # characters of a transcript in a failure
_PAUSE = 0.05  # s between two looks at My hand


class Turn(msgspec.Struct, frozen=True):
    """What somebody may do now: the moves in notation, in the order he sees them; `at`: where its buttons are."""

    moves: tuple[str, ...]
    at: Message | None = None

    @property
    def mark(self) -> tuple[str, ...]:
        """Differs from one question to the next; without buttons only from one move of a question to the next."""
        return self.moves if self.at is None else tuple(value for _text, value in move_buttons(self.at))


Looks = Callable[[Person, Place], Turn | None]
Makes = Callable[[Person, Place, Turn, str], None]
Chooses = Callable[[Sequence[str]], str]


class Mover:
    """Somebody at a table: how he finds out what he may do, how he does it, and what he chooses."""

    def __init__(self, person: Person, looks: Looks, makes: Makes, chooses: Chooses) -> None:
        self.person, self.looks, self.makes, self.chooses = person, looks, makes, chooses
        self.made: list[str] = []
        self._done: tuple[str, ...] = ()

    def turn(self, place: Place) -> Turn | None:
        """What he may do now, unless he has just done it and the chat does not know yet."""
        found = self.looks(self.person, place)
        return None if found is None or found.mark == self._done else found

    def move(self, place: Place, turn: Turn, move: str) -> None:
        """Makes a move; whoever looks at My hand sees that it is made before anybody else moves."""
        self._done = turn.mark
        self.made.append(move)
        self.makes(self.person, place, turn, move)
        if turn.at is None:
            heard(self.person.world)
            now = self.looks(self.person, place)
            again = now is not None and now.mark == turn.mark
            # The only thing that he may do can be asked of him once more.
            assert not again or len(turn.moves) == 1, f"{self.person} could not {move}"
            self._done = ()


# How somebody finds out what he may do


def by_private_chat(person: Person, place: Place) -> Turn | None:
    """The buttons of his own message."""
    for message in reversed(person.sees(person.private)):
        if found := move_buttons(message):
            return Turn(tuple(value.split(":", 3)[3] for _text, value in found), message)
    return None


def told_moves(known: Words, said: str) -> list[tuple[str, str]]:
    """The lines of My hand that list moves: the kind, and what follows its words."""
    found = []
    for line in said.splitlines():
        for kind, one in known.choices.items():
            begin = one.may.partition("{")[0]
            if line and (line == one.whole or line.startswith(begin)):
                found.append((kind, line.removeprefix(begin)))
                break
    return found


def by_my_hand(read: Callable[[str], Sequence[str]]) -> Looks:
    """The alert of My hand under the group's message; `read` gives the moves that it tells of."""

    def look(person: Person, place: Place) -> Turn | None:
        try:
            moves = tuple(read(my_hand(person, place)))
        except NotPossible:  # the table is over, or has moved further down
            return None
        return Turn(moves) if moves else None

    return look


def my_hand(person: Person, place: Place) -> str:
    """What My hand says."""
    return person.press(place, "My hand").text


# How somebody makes a move


def by_button(person: Person, place: Place, turn: Turn, move: str) -> None:
    """Presses it in the private chat."""
    assert turn.at is not None
    data = next(value for _text, value in move_buttons(turn.at) if value.endswith(f":{move}"))
    said = person.press_raw(turn.at, data).text  # the message may just be changing before his eyes
    assert said.startswith("✓"), said


def by_text(spelled: Callable[[str], str]) -> Makes:
    """Writes it in the private chat, as `spelled` says it."""

    def make(person: Person, place: Place, turn: Turn, move: str) -> None:
        person.say(person.private, spelled(move))

    return make


def by_command(person: Person, place: Place, turn: Turn, move: str) -> None:
    """Writes it as a command where the table is."""
    person.say(place, f"/{move}")


def in_turn(*ways: Makes) -> Makes:
    """One way after the other."""
    made = 0

    def make(person: Person, place: Place, turn: Turn, move: str) -> None:
        nonlocal made
        made += 1
        ways[made % len(ways)](person, place, turn, move)

    return make


# A game


class Sitting:
    """A table with the people at it, who move until the game is over; `moments` says for each move how many sights of
    the world there were before it."""

    def __init__(self, world: World, place: Place, movers: Sequence[Mover]) -> None:
        self.world, self.place, self.movers = world, place, movers
        self.moments: list[int] = []

    def play(self, most: int = 10_000) -> int:
        """Plays until the game is over or so many moves are made; gives how many."""
        made = 0
        while made < most and (found := self.next_turn()) is not None:
            mover, turn = found
            self.moments.append(len(self.world.sights))
            mover.move(self.place, turn, mover.chooses(turn.moves))
            made += 1
        return made

    def next_turn(self) -> tuple[Mover, Turn] | None:
        """Who is to move, and what he may do; None when the game is over."""
        give_up = time.monotonic() + NEXT_MINUTE
        while time.monotonic() < give_up:
            for mover in self.movers:
                if (turn := mover.turn(self.place)) is not None:
                    return mover, turn
            if self.is_over():
                return None
            time.sleep(_PAUSE)
        raise AssertionError(f"nobody may move\n{self.world.transcript(self.place)[-_LONGEST:]}")

    def is_over(self) -> bool:
        """Whether the table's message says that the game is over."""
        return any(OVER in text for text in self.movers[0].person.texts(self.place))


# What is seen


def move_buttons(message: Message) -> list[tuple[str, str]]:
    """The buttons of a message that make a move: what each says, and its data."""
    found = [button for row in message.keyboard for button in row]
    return [(button.text, button.value) for button in found if button.value.startswith("m:")]


def table_of(person: Person, place: Place) -> str:
    """The id of the newest table in a chat, from its buttons."""
    for message in reversed(person.sees(place)):
        for row in message.keyboard:
            for button in row:
                if found := re.fullmatch(r"[a-z]:([a-z0-9]+-[0-9]+)", button.value):
                    return found[1]
    raise AssertionError(f"{person} sees no table")


def cards_in(text: str) -> list[str]:
    """The cards that a text names, in notation, however it writes them."""
    shown = [f"{'T' if rank == '10' else rank}{LETTERS[suit]}" for rank, suit in CARD.findall(text)]
    return [*shown, *(f"X{number}" for number in JOKER.findall(text)), *NOTATION.findall(text)]


def answered(person: Person, place: Place, text: str, words: str) -> None:
    """What somebody writes is answered there with these words."""
    before = max((message.id for message in person.sees(place)), default=0)
    person.say(place, text)
    person.wait(
        lambda: any(words in m.text for m in person.sees(place) if m.id > before and m.sender != person.id),
        timeout=NEXT_MINUTE,  # a group that has heard much in a minute hears the rest in the next one
        what=f"{words!r} after {text[:40]!r}",
    )


def refused(person: Person, message: Message, data: str, words: str) -> None:
    """Such a button under a message is answered with a short toast that holds these words."""
    said = person.press_raw(message, data)
    assert words in said.text
    assert len(said.text) < 100
    assert not said.show_alert


def shown(card: str) -> str:
    """A card as chats show it."""
    symbol = next(symbol for symbol, letter in LETTERS.items() if letter == card[1])
    return f"{'10' if card[0] == 'T' else card[0]}{symbol}"


# What was played, and who may know what of it


def played_again(document: bytes) -> list[list[Any]]:
    """The states of each set of a record: after the deal, and after each move; every move was a person's."""
    told = record.read(document)
    rules = GAMES[told.game]
    chosen = options.stored(rules.options, told.options)
    dealt = Setup(chosen, told.seats, told.first_dealer.seat, 1)
    card_of = {rules.card_name(card): card for pack in rules.packs(dealt).values() for card in pack}
    kinds = {label.partition(":")[0] for label in rules.packs(dealt)} - {"deal"}
    found = []
    for one in told.sets:
        packs = {"deal": one.deck, **{name: pack for name, pack in one.extra.items() if name in kinds}}
        packs |= {f"reshuffle:{number}": stock for number, stock in enumerate(one.reshuffles, 1)}
        source = Given(
            {label if ":" in label else f"{label}:1": _numbers(card_of, pack) for label, pack in packs.items()}
        )
        state = rules.start(Setup(chosen, told.seats, one.dealer, 1), source)
        for event in rules.opening(state):
            state = rules.evolve(state, event, source)
        states = [state]
        for line in one.moves:
            assert isinstance(line, str)
            seat, move = line.split(" ", 1)
            for event in rules.decide(state, int(seat), rules.read(move), Brought(source=source, told=True)):
                if type(event) in rules.events:
                    state = rules.evolve(state, event, source)
            states.append(state)
        found.append(states)
    return found


def _numbers(card_of: Mapping[str, int], pack: Iterable[str]) -> tuple[int, ...]:
    return tuple(card_of[name] for name in pack)


Shows = Callable[[Any, int], Iterable[str]]
_SET = re.compile(r"^Set ([0-9]+)\b", re.MULTILINE)
_EXAMPLE = re.compile(r"/[a-z]+(?: [2-9TJQKA][SHDC])+")  # of a move, and what people write themselves


class Knowledge:
    """From which sight on each person may know a card, set by set: `shows` gives what a seat has before it in a state.

    Whatever somebody has once seen he may be shown again in that set.
    """

    def __init__(self, people: Sequence[Person], sets: Sequence[Sequence[Any]], moments: Sequence[int], shows: Shows):
        self.seats = {person.id: seat for seat, person in enumerate(people)}
        self._since: dict[tuple[int, int, str], int] = {}
        self._begins: list[int] = []
        ahead = iter(moments)
        moment = 0
        for number, states in enumerate(sets, 1):
            self._begins.append(moment)
            for at, state in enumerate(states):
                moment = next(ahead) if at else moment
                for user, seat in self.seats.items():
                    for card in shows(state, seat):
                        self._since.setdefault((number, user, card), moment)
        assert next(ahead, None) is None, "the record holds fewer moves than were made"

    def leaks(self, sights: Sequence[Sight]) -> list[str]:
        """What somebody could see of a card that he could not know yet."""
        found = []
        shown: dict[tuple[int, int], list[int]] = defaultdict(lambda: [1])  # the sets that a chat's last message names
        for place, sight in enumerate(sights):
            if sight.user_id not in self.seats or "Drawn for it: " in sight.text:
                continue  # for the first dealer cards are drawn face up, from another shuffle
            if sight.kind in ("message", "edit"):
                heads = _SET.findall(sight.text)
                shown[sight.user_id, sight.chat_id] = [int(head) for head in heads] or [self._set_at(place)]
            about = shown[sight.user_id, sight.chat_id]
            if sight.kind in ("alert", "toast"):  # of now, or of what was pressed just before the next deal
                about = [self._set_at(place), self._set_at(place) - 1]
            named = cards_in(_EXAMPLE.sub("", sight.text)) if sight.kind != "url" else ()
            found += [
                f"{sight} names {card}"
                for card in named
                if all(self._since.get((number, sight.user_id, card), len(sights)) > place for number in about)
            ]
        return found

    def _set_at(self, place: int) -> int:
        return max(number for number, begin in enumerate(self._begins, 1) if begin <= place)
