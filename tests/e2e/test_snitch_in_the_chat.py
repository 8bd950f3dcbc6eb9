from __future__ import annotations

import asyncio
import itertools
import json
import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from domain import cards, record
from domain.game import Setup
from domain.games.snitch import SNITCH, moves, rules
from domain.games.snitch.options import Options
from domain.games.snitch.pack import RANK, WILD, joins, points
from domain.games.snitch.state import Set
from domain.shuffle import NO_MOVES, Given, Seeded, digest_of
from service import settings
from service.sandbox.people import Group, Person
from service.sandbox.state import Message, Sight
from service.sandbox.world import World
from service.text.games.snitch import WORDS
from service.wiring import open_service
from tests.e2e import moving
from tests.e2e.conftest import Bot
from tests.e2e.moving import Chooses, Mover, Sitting, answered, my_hand, refused, table_of, told_moves
from tests.e2e.playing import LETTERS, NEXT_MINUTE, finds

NAMES = ("Ann", "Bob", "Cleo", "Dan")
WITH_COMPUTERS = ("Ann", "Bikram", "Chandra", "Devi")
NEUTRAL = "That cannot be played now. My hand shows you what can."
NOT_YOURS = "It is not your turn."
STALE = "That question has been answered already."
CARD = re.compile(r"(10|[2-9JQKA])([♠♥♦♣])|(?:★|\bX)([1-4])\b|\b([2-9TJQKA][SHDC])\b")
EXAMPLE = re.compile(r"/[a-z]+(?: [0-7])?(?: (?:[2-9TJQKA][SHDC]|X[1-4]))+")  # of a move, and what people write
PAIR = re.compile(r"(?:(?<= · )|^)[a-z]+-[a-z]+$", re.MULTILINE)  # what people call the table
PROMISE = re.compile(r"SHA-256 [0-9a-f]{16}…")
UNTIL = re.compile(r"\buntil [^\n]{0,20}?\d\d:\d\d(?: UTC)?")  # one table was asked a minute, or midnight, later
CUTS = range(52)


# What is read of a chat


def named(text: str) -> list[str]:
    """The cards that a text names, jokers too, in notation and in their order."""
    found = []
    for rank, suit, joker, notation in CARD.findall(text):
        found.append(notation or (f"X{joker}" if joker else f"{'T' if rank == '10' else rank}{LETTERS[suit]}"))
    return found


def shown(*some: str) -> str:
    """Cards as chats show them."""
    return " ".join(f"★{card[1]}" if card[0] == "X" else moving.shown(card) for card in some)


def from_alert(said: str, names: Sequence[str] = NAMES) -> list[str]:
    """The moves that My hand tells of."""
    hand = named(said.partition("\n")[0])
    found: list[str] = []
    for kind, rest in told_moves(WORDS, said):
        one_by_one = rest.split(", ")
        match kind:
            case "discard" | "defend" | "press":
                found += [f"{kind} {card}" for card in named(rest) or dict.fromkeys(hand)]
            case "set":
                found += [f"set {' '.join(named(pair))}" for pair in one_by_one]
            case "take":
                found += [f"take {named(pair)[0]}" for pair in one_by_one]
            case "challenge":
                targets = [one.split(" → ")[1].split()[0] for one in one_by_one]
                found += [
                    f"challenge {names.index(target)} {named(one)[0]}"
                    for one, target in zip(one_by_one, targets, strict=True)
                ]
            case _:  # "You may give the set up", "You may stop"
                found.append("stop" if "stop" in rest else "yield")
    return found


# Decks: those of a lobby follow from its seed and from how people cut


def seed_of(bot: Bot, table: str) -> bytes:
    """The seed of a lobby, for whoever has the key of the service."""

    async def look() -> bytes:
        async with open_service(settings.load(bot.environment)) as service:
            state = (await service.engine.held(table)).state
            assert state is not None
            assert state.seed is not None
            return state.seed

    return asyncio.run(look())


class Cut(NamedTuple):
    """How Bob and Cleo cut, and the round that is dealt then."""

    bob: int
    cleo: int
    start: Set


def decks(seed: bytes, seats: int = 4) -> Iterator[Cut]:
    """The rounds that may be dealt from a seed."""
    chosen = Options()
    for bob, cleo in itertools.product(CUTS, repeat=2):
        digest = digest_of(digest_of(NO_MOVES, f"1 cut_deck {bob}"), f"2 cut_deck {cleo}")
        source = Seeded(seed, digest)
        dealer = rules.first_dealer(chosen, seats, source).seat
        yield Cut(bob, cleo, SNITCH.start(Setup(chosen, seats, dealer, 1), source))


Line = tuple[int, str]  # a seat, and its move


def after(state: Set, line: Line) -> Set:
    """The state after a move."""
    seat, move = line
    for event in rules.decide(state, seat, moves.read(move)):
        if type(event) in SNITCH.events:
            state = SNITCH.evolve(state, event, None)
    return state


def to_three_phases(start: Set, owner: int, most: int = 14) -> list[Line] | None:
    """The moves of people who want to see C1 D1 C2 D2 C3 D3 at a set of the `owner`; None if that takes too long."""
    state, lines = start, list[Line]()

    def plays(*some: str) -> None:
        nonlocal state
        for move in some:
            lines.append((state.awaits, move))
            state = after(state, lines[-1])

    for _ in range(most):
        me, hand = state.turn, state.hands[state.turn]  # type: ignore[index]
        if not state.stacks[owner]:
            pairs = [move for move in rules.legal(state, me) if isinstance(move, moves.LaySet)]
            if me == owner and not pairs:
                return None
            plain = moves.Discard(min(hand, key=lambda card: RANK[card] == WILD))
            plays(moves.notation(pairs[0] if me == owner else plain))
            continue
        top = state.stacks[owner][-1]
        held = [card for seat in (me, owner) for card in state.hands[seat]]  # type: ignore[index]
        if me != owner and all(joins(card, top) for card in held):
            plays(f"challenge {owner} {cards.name(hand[0])}")
            for word in ("defend", "press", "defend", "press", "defend"):
                plays(f"{word} {cards.name(state.hands[state.awaits][0])}")  # type: ignore[index]
            return lines
        plays(f"discard {cards.name(min(hand, key=lambda card: joins(card, top)))}")
    return None


def played(document: bytes) -> list[Set]:
    """The states of the only round of a record: after the deal, and after each move; every move was a person's."""
    told = record.read(document)
    [one] = told.sets
    number = {name: card for card, name in enumerate(cards.NAMES)}
    source = Given({"deal:1": tuple(number[name] for name in one.deck)})
    state = SNITCH.start(Setup(Options(), told.seats, one.dealer, 1), source)
    states = [state]
    for move in one.moves:
        assert isinstance(move, str)
        seat, notation = move.split(" ", 1)
        states.append(after(states[-1], (int(seat), notation)))
    return states


# Who may know what


def before_everybody(state: Set) -> set[int]:
    """The cards that lie where all can see them; at the end also what is buried."""
    tops = [stack if state.awaits < 0 else stack[-1:] for stack in state.stacks]
    return {*state.discards[-1:], *state.laid, *(card for stack in tops for laid in stack for card in laid)}


def before(state: Set, seat: int | None) -> set[str]:
    """The cards that a seat (None: whoever is in the group) has before it."""
    own = () if seat is None or state.hands is None else state.hands[seat]
    return {cards.name(card) for card in (*own, *before_everybody(state))}


class Watch:
    """Whether whatever was seen named only cards that lay before whoever saw it, or before everybody once."""

    BACK = 3  # moves that what is seen may be late

    def __init__(self, people: Sequence[Person], group: Group, states: Sequence[Set], moments: Sequence[int]) -> None:
        assert len(moments) == len(states) - 1, "the record holds other moves than were made"
        self.seats = {person.id: seat for seat, person in enumerate(people)}
        self.group, self.states, self.moments = group, states, moments

    def leaks(self, sights: Sequence[Sight]) -> list[str]:
        """What somebody could see of a card that did not lie before him."""
        found, made = [], 0
        for place, sight in enumerate(sights):
            while made < len(self.moments) and self.moments[made] <= place:
                made += 1
            if sight.user_id not in self.seats:
                continue
            alone = sight.chat_id != self.group.id or sight.kind in ("alert", "toast")
            seat = self.seats[sight.user_id] if alone else None
            states = self.states[max(0, made - self.BACK) : made + 1]
            cards_seen = set(named(EXAMPLE.sub("", sight.text))) if sight.kind != "url" else set()
            told = {cards.name(card) for state in self.states[: made + 1] for card in before_everybody(state)}
            if not any(cards_seen <= before(state, seat) | told for state in states):
                found.append(f"{sight} after {made} moves")
        return found


# People


def opened(group: Group, people: Sequence[Person], options: str = "") -> str:
    """A lobby with these people, the first of whom opened it; gives the table's id."""
    first = people[0]
    first.say(group, "/snitch")
    lobby = first.wait(lambda: first.find(group, "Join"), what="the lobby")
    for person in people[1:]:
        assert "You have a seat" in person.press(lobby, "Join").text
    if options:
        answered(first, group, f"/options {options}", "The rules are changed.")
    return table_of(first, group)


def dealt(group: Group, people: Sequence[Person], cut: Cut | None = None) -> None:
    """The cards are cut so, and dealt."""
    for person, number in () if cut is None else ((people[1], cut.bob), (people[2], cut.cleo)):
        answered(person, group, f"/cut {number}", f"You cut the cards: {number}.")
    assert "dealt" in people[0].press(group, "Start").text
    finds(people[0], group, "My hand")


def quickly(seed: int, script: Sequence[str] = ()) -> Chooses:
    """Plays the script, then what takes most cards out of the hands: sets, challenges and answers, at times none."""
    chance, ahead = random.Random(seed), list(script)

    def chooses(offered: Sequence[str]) -> str:
        if ahead:
            assert ahead[0] in offered, (ahead[0], offered)
            return ahead.pop(0)
        for words, often in (("set", 1.0), ("defend", 0.8), ("press", 0.8), ("challenge", 0.6), ("take", 0.7)):
            able = [move for move in offered if move.split()[0] == words]
            if able and chance.random() < often:
                return chance.choice(able)
        return next((move for move in offered if move in ("yield", "stop")), offered[0])

    return chooses


def told(bot: Bot, table: str) -> bytes:
    """The record of a game."""
    return bot.tabletalk("record", table).encode()


def test_four_people_play_a_round_with_a_challenge_of_three_phases_and_nobody_sees_what_is_not_his(
    bot_api: World, bot: Bot
) -> None:
    people = ann, bob, cleo, dan = [bot_api.person(name) for name in NAMES]
    group = bot_api.group("Friday", people)
    ann.start()
    table = opened(group, people, "rounds=1")
    cut, script = next(
        (cut, lines)
        for cut in decks(seed_of(bot, table))
        for owner in range(4)
        if (lines := to_three_phases(cut.start, owner)) is not None
    )
    dealt(group, people, cut)
    dan.follow(group, "Play in private")

    def plan(seat: int) -> Chooses:
        return quickly(seat, [move for mover, move in script if mover == seat])

    buttons, commands = (moving.by_private_chat, moving.by_button), (moving.by_my_hand(from_alert), moving.by_command)
    sitting = Sitting(
        bot_api,
        group,
        [
            Mover(ann, *buttons, plan(0)),
            Mover(bob, *commands, plan(1)),
            Mover(cleo, *commands, plan(2)),
            Mover(dan, moving.by_private_chat, moving.in_turn(moving.by_button, moving.by_command), plan(3)),
        ],
    )
    assert sitting.play(most=len(script)) == len(script)
    state = cut.start
    for line in script:
        state = after(state, line)
    [stolen] = [stack[-1] for stack in state.stacks if stack and len(stack[-1]) == 8]
    row = shown(*map(cards.name, stolen))
    finds(ann, ann.private, row)
    finds(bob, group, row)

    sitting.play()
    for person, place in ((bob, group), (cleo, group), (ann, ann.private), (dan, dan.private)):
        finds(person, place, "all rounds are played")
    document = json.loads(told(bot, table))
    words = {move.split()[1] for move in document["sets"][0]["moves"]}
    assert {"discard", "set", "take", "challenge", "defend", "press", "yield"} <= words
    by_command = {move.split()[0] for mover in sitting.movers[1:3] for move in mover.made}
    assert {"discard", "set", "challenge"} <= by_command

    states = played(told(bot, table))
    assert states[0] == cut.start
    end = states[-1]
    assert end.counts == (0, 0, 0, 0)
    scores = [points(itertools.chain(*stack)) for stack in end.stacks]
    assert document["sets"][0]["scores"] == document["totals"] == scores
    winners = [NAMES[seat] for seat, score in enumerate(scores) if score == max(scores)]
    result = finds(ann, group, "Once more? /snitch").text
    assert f"Winner: {', '.join(winners)}" in result
    assert any(line.split()[-4:] == list(map(str, scores)) for line in result.splitlines())
    assert "ok" in bot.tabletalk("audit", table)

    watch = Watch(people, group, states, sitting.moments)
    assert watch.leaks(bot_api.sights) == []
    assert not named(bot.log)
    hidden = next(name for name in sorted(before(states[0], 1) - before(states[0], 2)))
    for kind, who, where in (("edit", 1, group.id), ("button", 2, cleo.id), ("alert", 2, group.id)):  # it is awake
        sight = Sight(people[who].id, where, kind, f"Set 1\n{shown(hidden)}")
        assert len(watch.leaks([*bot_api.sights[: sitting.moments[0] - 1], sight])) == 1


# A challenge


class Challenge(NamedTuple):
    """A challenge in a round's second turn: who defends, who challenges, who looks on, and what is played for it."""

    defender: int
    challenger: int
    laid: str
    played: str
    open: Set  # the state while the defender is asked

    @property
    def others(self) -> list[int]:
        return [seat for seat in range(self.open.seats) if seat not in (self.defender, self.challenger)]

    def joining(self, held: bool, joins_it: bool = True) -> list[str]:
        """The cards that the defender holds, or does not, and that join the set, or do not."""
        assert self.open.hands is not None
        hand, top = self.open.hands[self.defender], self.open.stacks[self.defender][-1]
        return [cards.name(card) for card in range(56) if (card in hand, joins(card, top)) == (held, joins_it)]


def challenges(start: Set) -> Iterator[Challenge]:
    """The challenges to which a round may come: the first player lays a set, the second one challenges it."""
    first = start.turn
    for laid in rules.legal(start, first):
        if isinstance(laid, moves.LaySet):
            state = after(start, (first, moves.notation(laid)))
            for move in rules.legal(state, state.turn):
                if isinstance(move, moves.Challenge):
                    line = (state.turn, moves.notation(move))
                    yield Challenge(first, state.turn, moves.notation(laid), line[1], after(state, line))


class Side:
    """A table of four people, with a challenge in the second turn."""

    def __init__(self, world: World, bot: Bot, fits: Callable[[Set, Challenge], bool]) -> None:
        self.world = world
        self.people = [world.person(name) for name in NAMES]
        self.group = world.group("Friday", self.people)
        for person in self.people:
            person.start()
        self.table = opened(self.group, self.people)
        cut, self.challenge = next(
            (cut, one)
            for cut in decks(seed_of(bot, self.table))
            for one in challenges(cut.start)
            if fits(cut.start, one)
        )
        dealt(self.group, self.people, cut)
        self.defender, self.challenger = (self.people[seat] for seat in self.challenge[:2])
        self.others = [self.people[seat] for seat in self.challenge.others]
        self.seen_from = 0

    def lay(self) -> None:
        """The set is laid, and everybody sees it."""
        self.defender.say(self.group, f"/{self.challenge.laid}")
        self.all_see(self.people, f"Top set of {self.defender.name}")
        asked_for(self.challenger, "challenge")

    def open(self) -> None:
        """It is challenged, and everybody sees that."""
        self.seen_from = len(self.world.sights)
        self.challenger.say(self.group, f"/{self.challenge.played}")
        self.all_see((*self.others, self.challenger), f"{self.defender.name} is challenged")
        asked_for(self.defender, "yield")

    def all_see(self, people: Sequence[Person], words: str) -> None:
        """Waits until each of these reads this wherever he can."""
        for person in people:
            for place in (self.group, person.private):
                finds(person, place, words)

    def seen(self) -> list[tuple[str, int, str, str]]:
        """What those who do not defend saw since the challenge, whatever the cards are: who, where, how, and what."""
        found = []
        for person in (*self.others, self.challenger):
            for sight in self.world.sights[self.seen_from :]:
                if sight.user_id == person.id:
                    text = PROMISE.sub("PROMISE", CARD.sub("#", sight.text)).replace(self.table, "TABLE")
                    text = UNTIL.sub("UNTIL", PAIR.sub("PAIR", text))
                    found.append((person.name, sight.chat_id == self.group.id, sight.kind, text))
        return sorted(found)


def assert_alike(sides: Sequence[Side], *, messages_in_the_group: bool = False) -> None:
    """What is seen at one table is what is seen at the other, as soon as all of it is there."""

    def seen() -> list[list[tuple[str, int, str, str]]]:
        found = [side.seen() for side in sides]
        if not messages_in_the_group:
            return found
        return [[one for one in every if one[1] and one[2] in ("message", "edit")] for every in found]

    def alike() -> bool:
        one, other = seen()
        return one == other

    with suppress(TimeoutError):
        sides[0].world.wait_until(alike)
    one, other = seen()
    assert one == other


def asked_for(person: Person, word: str) -> Message:
    """The message with a button for such a move, once his private chat has it."""

    def offered() -> Message | None:
        turn = moving.by_private_chat(person, person.private)
        return turn.at if turn is not None and any(move.startswith(word) for move in turn.moves) else None

    return person.wait(offered, what=f"{word} for {person}")


def test_nobody_learns_whether_the_defender_holds_a_card_that_joins(bot_api: World, bot: Bot) -> None:
    def fits(able: bool) -> Callable[[Set, Challenge], bool]:
        return lambda start, one: (
            start.dealer == 3 and bool(one.joining(held=True)) == able and one.joining(held=True, joins_it=False) != []
        )

    able, unable = sides = [Side(bot_api, bot, fits(is_able)) for is_able in (True, False)]
    for side in sides:
        side.lay()
    for side in sides:
        side.open()
    time.sleep(2.5)  # an end that only hands like this one bring about would have come by now
    for side in sides:
        for person in (*side.others, side.challenger):
            assert f"{side.defender.name} to defend the set or to give it up" in my_hand(person, side.group)
        assert "give the set up" in my_hand(side.defender, side.group)
    assert_alike(sides)
    assert {move.split()[0] for move in from_alert(my_hand(able.defender, able.group))} == {"defend", "yield"}
    assert from_alert(my_hand(unable.defender, unable.group)) == ["yield"]

    for side in sides:
        one, group = side.challenge, side.group
        [held, *_], [other, *_] = (one.joining(held, joins_it=False) for held in (True, False))
        for card in (held, other):
            answered(side.defender, group, f"/defend {card}", f"{shown(card)} does not join that set: ")
        missing = one.joining(held=False)[0]
        answered(side.defender, group, f"/defend {missing}", NEUTRAL)
        finds(side.defender, side.defender.private, f"You do not have {shown(missing)}. (SN-10)")
        answered(side.others[0], group, f"/defend {missing}", NOT_YOURS)
    assert_alike(sides)

    for side in sides:
        side.defender.say(side.group, "/yield")
        finds(side.others[0], side.group, f"Top set of {side.challenger.name}")
    assert_alike(sides, messages_in_the_group=True)
    last = finds(able.others[0], able.group, "My hand").text
    assert not any(word in last for word in ("is challenged", f"Top set of {able.defender.name}"))


def test_late_doubled_foreign_and_forged_answers_to_a_challenge_do_nothing(bot_api: World, bot: Bot) -> None:
    side = Side(bot_api, bot, lambda start, one: len(one.joining(held=True)) == 1)
    [card], [missing, *_] = (side.challenge.joining(held) for held in (True, False))
    group, table = side.group, side.table
    defender, challenger, bystander = side.defender, side.challenger, side.others[0]
    side.lay()
    early = asked_for(challenger, "challenge")
    called = {value: text for text, value in moving.move_buttons(early)}
    attack = next(value for value in called if value.endswith(side.challenge.played))
    assert challenger.press_raw(early, attack).text == f"✓ {called[attack]}"
    refused(challenger, early, attack, STALE)
    answers = asked_for(defender, "defend")
    offered = [value for _text, value in moving.move_buttons(answers)]
    question = offered[0].rpartition(":")[0]
    assert offered == [f"{question}:defend {card}", f"{question}:yield"]
    before = [my_hand(person, group) for person in side.people]
    for person in (challenger, bystander):
        refused(person, finds(person, group, "My hand"), offered[0], NOT_YOURS)
        refused(person, finds(person, group, "My hand"), f"{question}:yield", NOT_YOURS)
    refused(defender, answers, f"{question}:defend {missing}", f"You do not have {shown(missing)}.")
    refused(defender, answers, f"{question}:stop", "Your set is challenged: defend it, or give it up.")
    refused(defender, answers, f"{question}:press {card}", "Your set is challenged: defend it, or give it up.")
    assert defender.press_raw(answers, f"{question}:play QS").text.startswith("I cannot read that as a move.")
    answered(bystander, group, "/yield", NOT_YOURS)
    answered(challenger, group, "/stop", NOT_YOURS)
    assert [my_hand(person, group) for person in side.people] == before

    taps = [defender.tap_raw(answers, offered[0]) for _ in range(2)]
    assert [tap.answered().text for tap in taps] == [f"✓ {moving.move_buttons(answers)[0][0]}", STALE]
    going_on = asked_for(challenger, "stop")
    refused(defender, answers, f"{question}:yield", STALE)
    answered(defender, group, "/yield", NOT_YOURS)
    label, stop = next(found for found in moving.move_buttons(going_on) if found[1].endswith(":stop"))
    refused(challenger, going_on, stop.replace("stop", "yield"), "Your challenge was answered: go on, or stop.")
    refused(bystander, finds(bystander, group, "My hand"), stop, NOT_YOURS)
    assert challenger.press_raw(going_on, stop).text == f"✓ {label}"
    refused(challenger, going_on, stop, STALE)
    row = shown(*side.challenge.laid.split()[1:], side.challenge.played.split()[2], card)
    finds(bystander, group, f"Top set of {defender.name}: {row}")
    assert f"{challenger.name} stopped" in bot.tabletalk("log", table)


def test_who_leaves_while_his_set_is_challenged_loses_it_first(bot_api: World, bot: Bot) -> None:
    side = Side(bot_api, bot, lambda start, one: bool(one.joining(held=True)))
    side.lay()
    side.open()
    side.defender.say(side.group, "/leave")
    row = shown(*side.challenge.laid.split()[1:], side.challenge.played.split()[2])
    upcoming = next(
        seat for seat in (*range(side.challenge.challenger + 1, 4), *range(4)) if seat in side.challenge.others
    )
    words = (
        f"Top set of {side.challenger.name}: {row}",
        f"{side.defender.name} (away): out",
        f"{NAMES[upcoming]} to play",
    )
    side.challenger.wait(
        lambda: any(all(one in text for one in words) for text in side.challenger.texts(side.group)),
        NEXT_MINUTE,
        str(words),
    )
    assert from_alert(my_hand(side.people[upcoming], side.group)) != []
    assert from_alert(my_hand(side.defender, side.group)) == []


def test_a_person_plays_a_round_against_computer_players(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    group = bot_api.group("Friday", [ann])
    table = opened(group, [ann])
    for _ in range(3):
        ann.press(group, "Add computer player")
    finds(ann, group, "Remove computer player")
    dealt(group, [ann])
    sitting = Sitting(
        bot_api,
        group,
        [Mover(ann, moving.by_my_hand(lambda said: from_alert(said, WITH_COMPUTERS)), moving.by_command, quickly(9))],
    )
    assert sitting.play() > 10
    finds(ann, group, "Once more? /snitch")
    document = json.loads(told(bot, table))
    assert document["seats"] == 4
    assert document["ended"] == "rounds"
    assert "ok" in bot.tabletalk("audit", table)
