from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec
import pytest

from domain.game import Setup
from domain.games.taichi import TAICHI, deck, fit
from domain.games.taichi.options import Options
from domain.games.taichi.state import Set
from domain.shuffle import NO_MOVES, Seeded, digest_of
from domain.table import Table
from service import settings
from service.sandbox.people import Person, Place
from service.sandbox.state import Message
from service.sandbox.world import World
from service.text import cards, language
from service.text.games.taichi import WORDS
from service.wiring import open_service
from service.words import lexicon
from tests.e2e import moving
from tests.e2e.conftest import Bot
from tests.e2e.moving import answered, refused, table_of
from tests.e2e.playing import NEXT_MINUTE, finds, heard
from tests.patience import PATIENCE

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn")
NOT_YOURS = "It is not your turn."
APART = 3.1  # s between two tries of a word
NOT_SO_FAST = "One word every 3 seconds, please."
SECONDS = ("word_seconds", "rescue_seconds", "ask_seconds", "ready_seconds", "answer_seconds")
LIVE = " ".join(["preset=live", *(f"{name}=3600" for name in SECONDS)])  # no time runs out here
CUTS = range(52)
ENGLISH = lexicon("en")
OUR_OWN = str(WORDS).lower()


# Words


def words_for(cards: Sequence[int], said: Sequence[str] = ()) -> Iterator[str]:
    """Words of the dictionary that fit the cards, no two of them of one family, nor of that of a word that was said;
    none that the bot says itself."""
    used = {number for word in said for number in ENGLISH.rule(word).families}
    for letter in deck.LETTERS_OF[cards[0]]:
        for word in ENGLISH.common(letter):
            families = ENGLISH.rule(word).families
            if len(word) > 5 and word not in OUR_OWN and fit.fits(word, cards) and used.isdisjoint(families):
                used |= set(families)
                yield word


# A table


def look(bot: Bot, table: str) -> Table:
    """The table as whoever has the key of the service knows it."""

    async def found() -> Table:
        async with open_service(settings.load(bot.environment)) as service:
            state = (await service.engine.held(table)).state
            assert state is not None
            return state

    return asyncio.run(found())


class Cut(NamedTuple):
    """How Bob and Cleo cut, and what is dealt then."""

    bob: int
    cleo: int
    start: Set

    @property
    def pile(self) -> tuple[int, ...]:
        """The cards in the order in which they will be turned."""
        assert self.start.pile is not None
        return self.start.pile


def deals(seed: bytes, seats: int) -> Iterator[Cut]:
    """What may be dealt from a seed."""
    chosen = Options()
    for bob, cleo in itertools.product(CUTS, repeat=2):
        digest = digest_of(digest_of(NO_MOVES, f"1 cut_deck {bob}"), f"2 cut_deck {cleo}")
        source = Seeded(seed, digest)
        dealer = TAICHI.first_dealer(chosen, seats, source).seat
        yield Cut(bob, cleo, TAICHI.start(Setup(chosen, seats, dealer, 1), source))


def offered(person: Person) -> list[tuple[Message, str]]:
    """The buttons of moves that stand in somebody's private chat, the newest message first."""
    seen = reversed(person.sees(person.private))
    return [(message, value) for message in seen for _text, value in moving.move_buttons(message)]


class Sitting:
    """People at a table, by their seats from the first to move; all have a private chat with the bot."""

    def __init__(self, world: World, bot: Bot, seats: int, options: str, fits: Callable[[Cut], bool]) -> None:
        self.world, self.bot = world, bot
        everybody = [world.person(name) for name in NAMES[:seats]]
        self.group = group = world.group("Friday", everybody)
        for person in everybody:
            person.start()
        host = everybody[0]
        host.say(group, "/taichi")
        lobby = host.wait(lambda: host.find(group, "Join"), what="the lobby")
        for person in everybody[1:]:
            assert "You have a seat" in person.press(lobby, "Join").text
        if options:
            answered(host, group, f"/options {options}", "The rules are changed.")
        self.table = table_of(host, group)
        seed = look(bot, self.table).seed
        assert seed is not None
        self.cut = next(cut for cut in deals(seed, seats) if fits(cut))
        for person, number in ((everybody[1], self.cut.bob), (everybody[2], self.cut.cleo)):
            answered(person, group, f"/cut {number}", f"You cut the cards: {number}.")
        assert "dealt" in host.press(group, "Start").text
        finds(host, group, "My hand")
        first = self.cut.start.turn
        self.people = [*everybody[first:], *everybody[:first]]
        self.seats = {person.id: seat for seat, person in enumerate(everybody)}
        self._spoke: dict[int, float] = {}  # when his last word was heard, at the latest

    def state(self) -> Set:
        """The game as it is."""
        found: Set = look(self.bot, self.table).set
        return found

    def until(self, holds: Callable[[Set], bool], what: str) -> Set:
        """The game once this is so."""
        give_up = time.monotonic() + PATIENCE
        while not holds(state := self.state()):
            assert time.monotonic() < give_up, f"{what}\n{self.world.transcript(self.group)[-4000:]}"
            time.sleep(0.05)
        return state

    def offer(self, person: Person, move: str) -> tuple[Message, str]:
        """Where a move is offered to somebody in private, and the data of its button."""

        def found() -> tuple[Message, str] | None:
            return next((offer for offer in offered(person) if offer[1].endswith(f":{move}")), None)

        return person.wait(found, what=f"{move} for {person}")

    def press(self, person: Person, move: str) -> None:
        """Makes a move by its button."""
        message, data = self.offer(person, move)
        assert person.press_raw(message, data).text.startswith("✓"), move

    def at_once(self, moves: Sequence[tuple[Person, str]]) -> list[str]:
        """People press their buttons at the same moment; what each is told."""
        offers = [(person, *self.offer(person, move)) for person, move in moves]
        with self.world.changing():
            taps = [person.tap_raw(message, data) for person, message, data in offers]
        return [tap.answered().text for tap in taps]

    def breathe(self, *people: Person) -> None:
        """Waits until these may try a word again."""
        now = time.monotonic()
        time.sleep(max(0.0, max(self._spoke.get(person.id, 0.0) for person in people) + APART - now))

    def spoken(self, *people: Person) -> None:
        """The bot has heard what these have tried, and counts the time from then at the latest."""
        heard(self.world)
        for person in people:
            self._spoke[person.id] = time.monotonic()

    def says(self, person: Person, text: str, reply_to: Message | None = None) -> None:
        """Tries a word in the group, when it is time."""
        self.breathe(person)
        person.say(self.group, text, reply_to=reply_to)
        self.spoken(person)

    def answered(self, person: Person, place: Place, text: str, words: str) -> None:
        """Tries a word, when it is time, and is answered so."""
        self.breathe(person)
        answered(person, place, text, words)
        self.spoken(person)

    def stopped(self) -> tuple[Set, list[Person]]:
        """The first player turns a card, says a word and stops: the others are asked."""
        first, *others = self.people
        self.press(first, "turn")
        self.says(first, f"/w {next(words_for(self.cut.pile[:1]))}")
        self.press(first, "stop")
        return self.until(lambda state: state.phase == "ask", "the others are asked"), others


def test_five_people_answer_a_window_at_once_and_none_of_them_is_too_late(bot_api: World, bot: Bot) -> None:
    sitting = Sitting(bot_api, bot, 6, LIVE, lambda cut: True)
    _state, others = sitting.stopped()
    first = sitting.people[0]
    chosen = ["challenge", "decline", "challenge", "decline", "challenge"]
    early = [sitting.offer(person, move) for person, move in zip(others, chosen, strict=True)]
    said = sitting.at_once(list(zip(others, chosen, strict=True)))
    assert [text[0] for text in said] == ["✓"] * 5, said
    state = sitting.until(lambda state: state.phase == "ready", "who challenges is known")
    bold = [person for person, move in zip(others, chosen, strict=True) if move == "challenge"]
    assert {seat for seat, _card in state.bets} == {sitting.seats[person.id] for person in bold}
    for person, (message, data) in zip(others, early, strict=True):
        refused(person, message, data, "That question has been answered already.")

    said = sitting.at_once([(person, "ready") for person in (first, *bold)])
    assert [text[0] for text in said] == ["✓"] * 4, said
    state = sitting.until(lambda state: state.phase == "duel", "the card is turned")
    assert state.open == sitting.cut.pile[:2]

    for person in (first, *bold):
        sitting.offer(person, "pass")
    with bot_api.changing():
        for person in (first, *bold):
            person.say(sitting.group, "/pass")
    state = sitting.until(lambda state: state.phase == "card", "the turn is over")
    assert state.turns == 1
    won = [card for card in sitting.cut.pile[:2] if card in state.stacks[sitting.cut.start.turn]]
    assert won
    assert [len(state.stacks[sitting.seats[person.id]]) for person in others] == [0, 1, 0, 1, 0]


def several_words(number: int, cards: int) -> Callable[[Cut], bool]:
    """Deals in which there are so many words for the first cards, and one more for the first of them."""

    def fits(cut: Cut) -> bool:
        said = list(itertools.islice(words_for(cut.pile[:1]), 1))
        return len(list(itertools.islice(words_for(cut.pile[:cards], said), number))) == number

    return fits


def fought(sitting: Sitting, challengers: int) -> tuple[list[Person], list[Person], list[str]]:
    """A duel with the first player's next neighbours: who takes part, he first, who does not, and words to say."""
    _state, others = sitting.stopped()
    bold, shy = others[:challengers], others[challengers:]
    sitting.at_once([*((person, "challenge") for person in bold), *((person, "decline") for person in shy)])
    sitting.at_once([(person, "ready") for person in (sitting.people[0], *bold)])
    state = sitting.until(lambda state: state.phase == "duel", "the duel")
    words = itertools.islice(words_for(sitting.cut.pile[:2], [said.word for said in state.words]), 4)
    return [sitting.people[0], *bold], shy, list(words)


def swapped(world: World) -> None:
    """The last two updates come the other way round."""
    one, other = world.updates.waiting[-2:]
    world.updates.waiting[-2:] = [
        msgspec.structs.replace(one, kind=other.kind, body=other.body),
        msgspec.structs.replace(other, kind=one.kind, body=one.body),
    ]


def test_in_a_duel_the_first_message_wins_though_it_is_heard_after_another(
    bot_api: World, bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two answer right at the same time, and it is chance who is counted.

    Reports: Brainicism/KMQ_Discord#184, Brainicism/KMQ_Discord#329.
    """
    sitting = Sitting(bot_api, bot, 4, LIVE, several_words(4, 2))
    group = sitting.group
    outsider = bot_api.person("Olga")
    group.add(outsider)
    (first, quick, slow), [shy], words = fought(sitting, 2)
    before = sitting.state()
    answered(outsider, group, f"/w {words[0]}", "You have no seat at this table.")
    answered(shy, group, f"/w {words[0]}", NOT_YOURS)
    answered(slow, slow.private, words[0], "Answer in the table's own chat: the quickest message there wins.")
    sitting.breathe(quick)
    wrong = quick.say(group, f"/w {words[0]}q")
    quick.edit(wrong, f"/w {words[0]}")
    with bot_api.changing():
        slow.say(group, f"/w {words[0]}")
        bot_api.updates.waiting[-1].body["forward_origin"] = {
            "type": "hidden_user",
            "date": wrong.date,
            "sender_user_name": "Somebody",
        }
    sitting.spoken(quick, slow)
    assert sitting.state().answers == ()

    table = finds(first, group, "My hand")
    sitting.breathe(first, quick)
    with bot_api.changing(), monkeypatch.context() as patch:
        now = bot_api.clock()
        patch.setattr(bot_api, "clock", lambda: now)  # both in the same second
        earlier = quick.say(group, f"/word {words[1].upper()}")
        later = first.say(group, words[2], reply_to=table)
        swapped(bot_api)
    assert (earlier.id < later.id, earlier.date) == (True, later.date)
    state = sitting.until(lambda state: len(state.answers) == 2, "both answers")
    assert [answer.seat for answer in state.answers] == [sitting.seats[first.id], sitting.seats[quick.id]]
    sitting.says(slow, f"/w {words[3]}")

    state = sitting.until(lambda state: state.phase == "card", "the end of the duel")
    won, rest, *_ = deck.by_symbol(sitting.cut.pile[:2])
    stacks = {person.id: state.stacks[sitting.seats[person.id]] for person in sitting.people}
    held = {person.id: before.stacks[sitting.seats[person.id]] for person in sitting.people}
    bets = dict(before.bets)
    assert stacks[quick.id] == (bets[sitting.seats[quick.id]], *won)
    assert stacks[first.id] == (*held[first.id], *rest)
    assert stacks[slow.id] == ()
    assert bets[sitting.seats[slow.id]] in state.discards
    log = bot.tabletalk("log", sitting.table)
    assert [log.rindex(word.upper()) for word in words[1:]] == sorted(log.rindex(word.upper()) for word in words[1:])
    assert "ok" in bot.tabletalk("audit", sitting.table)


def test_by_ones_own_clock_nobody_sees_the_card_or_an_answer_before_all_are_done(bot_api: World, bot: Bot) -> None:
    def fits(cut: Cut) -> bool:
        first, second = (deck.LETTERS_OF[card] for card in cut.pile[:2])
        return first != second and several_words(3, 2)(cut)

    sitting = Sitting(bot_api, bot, 4, f"{LIVE} duel=own_clock objections=false", fits)
    group = sitting.group
    _state, [one, two, *shy] = sitting.stopped()
    first = sitting.people[0]
    sitting.at_once([(one, "challenge"), (two, "challenge"), (shy[0], "decline")])
    begun = len(bot_api.sights)
    sitting.at_once([(person, "ready") for person in (first, one, two)])
    state = sitting.until(lambda state: state.phase == "duel", "the duel")
    card = cards.card(language(), deck.name(sitting.cut.pile[1]))
    said = [said.word for said in state.words]
    words = list(itertools.islice(words_for(sitting.cut.pile[:2], said), 3))
    unfit = next(word for word in words_for(sitting.cut.pile[:1], said) if not fit.fits(word, sitting.cut.pile[:2]))

    sitting.answered(one, one.private, f"word {words[0]}", "Open the card first.")
    for person in (one, first):
        sitting.press(person, "open")
        finds(person, person.private, f"The next card: {card}")
    sitting.breathe(first, one)
    first.say(first.private, words[0])
    sitting.answered(one, one.private, unfit, f"{unfit.upper()} does not fit the card that you opened.")
    answered(one, group, "/w satellite", "Answer in our private chat: nobody may see it before all have answered.")
    finds(first, first.private, f"you answered: {words[0].upper()}")
    sitting.breathe(one)
    one.say(one.private, f"/word {words[1]}")
    finds(one, one.private, f"you answered: {words[1].upper()}")
    sitting.spoken(one)
    sitting.answered(one, one.private, f"word {words[2]}", "You have answered already.")
    for seen in bot_api.sights[begun:]:
        own = {first.id: words[:1], one.id: [*words, unfit]}.get(seen.user_id, [])
        hidden = [word for word in (*words, unfit) if word not in own or seen.chat_id == group.id]
        if seen.user_id == bot_api.bot.id:
            continue
        assert not [word for word in hidden if word in seen.text.lower()], seen
        assert card not in seen.text or (seen.user_id in (first.id, one.id) and seen.chat_id != group.id), seen
    assert sitting.state().phase == "duel"

    sitting.press(two, "open")
    finds(two, two.private, f"The next card: {card}")
    sitting.press(two, "pass")
    state = sitting.until(lambda state: state.phase == "card", "the end of the duel")
    won, *_ = deck.by_symbol(sitting.cut.pile[:2])
    assert state.stacks[sitting.seats[first.id]][1:] == won, "the first has opened it later, and answered earlier"
    assert len(state.stacks[sitting.seats[one.id]]) == len(state.stacks[sitting.seats[two.id]]) == 0
    log = bot.tabletalk("log", sitting.table)
    assert all(f"{word.upper()}, after " in log for word in words[:2])
    assert "ok" in bot.tabletalk("audit", sitting.table)
    assert not [word for word in (*words, unfit) if word in bot.log]


class Tries(NamedTuple):
    """Words for the first two cards: one for the first alone, and for both some that count and some that do not."""

    first: str
    good: list[str]
    relative: str  # of the first good one's family
    unfit: str
    plural: str
    unknown: str


def tries(pile: Sequence[int]) -> Tries | None:
    """Such words for what will be turned, if there are any."""
    cards = pile[:2]
    if not set(deck.LETTERS_OF[cards[0]]).isdisjoint(deck.LETTERS_OF[cards[1]]):
        return None  # a word would lack none of the letters, but one of them twice
    first = next(words_for(cards[:1]), None)
    unfit = next((word for word in words_for(cards[:1]) if not fit.fits(word, cards) and word != first), None)
    plurals = (f"{word}s" for word in words_for(cards) if ENGLISH.rule(f"{word}s").reason == "plural")
    plural = next(plurals, None)
    if first is None or unfit is None or plural is None:
        return None
    for good in words_for(cards, [first]):
        families = set(ENGLISH.rule(good).families)
        for other in ENGLISH.common(good[0]):
            if other != good and fit.fits(other, cards) and not families.isdisjoint(ENGLISH.rule(other).families):
                more = list(itertools.islice(words_for(cards, [first, good]), 1))
                unknown = f"{good}qqq"
                return Tries(first, [good, *more], other, unfit, plural, unknown) if more else None
    return None


def test_what_is_wrong_with_a_word_is_said_and_words_rescue_the_cards(bot_api: World, bot: Bot) -> None:
    sitting = Sitting(bot_api, bot, 4, f"{LIVE} objections=false", lambda cut: tries(cut.pile) is not None)
    group = sitting.group
    first, left, middle, right = sitting.people
    words = tries(sitting.cut.pile)
    assert words is not None
    sitting.answered(first, group, "/w satellite", "Turn a card first. (TC-20)")
    first.say(group, "/turn")
    sitting.until(lambda state: state.phase == "word", "a card")
    answered(first, group, "/turn", "Say a valid word first.")
    answered(first, group, "/word", "Write the move with it: /word satellite")
    answered(left, group, f"/w {words.first}", NOT_YOURS)
    first.say(group, words.first)  # the bot does not hear it
    answered(first, group, "/w 1234", "is not one word in letters")
    letters = deck.LETTERS_OF[sitting.cut.pile[0]]
    other = next(letter for letter in "eai" if letter not in letters)
    wrong = f"/w {other}{letters[0]}"
    sitting.answered(first, group, wrong, f"does not begin with {'/'.join(letters).upper()}")
    for _ in range(10):  # until two of them come soon enough
        first.say(group, wrong)
        sitting.spoken(first)
        if first.find(group, NOT_SO_FAST):
            break
    finds(first, group, NOT_SO_FAST)
    sitting.says(first, f"/word {words.first.upper()}")
    sitting.press(first, "turn")
    sitting.until(lambda state: state.phase == "word" and len(state.open) == 2, "a second card")
    sitting.press(first, "no_word")
    sitting.until(lambda state: state.phase == "rescue", "the others may rescue the cards")

    table = finds(first, group, "My hand")
    sitting.breathe(left, middle, right)
    before = len(bot_api.sights)
    with bot_api.changing():
        left.say(group, f"/w {words.unfit}")
        middle.say(group, words.unknown, reply_to=table)
        right.say(group, f"/word {words.plural}")
    sitting.spoken(left, middle, right)
    reasons = (
        f"{words.unfit.upper()} has no ",
        f"{words.unknown.upper()} is not in the dictionary.",
        f"{words.plural.upper()} is a plural, of ",
    )
    first.wait(  # a group that has heard much in this minute hears the rest in the next one
        lambda: all(any(why in sight.text for sight in bot_api.sights[before:]) for why in reasons),
        NEXT_MINUTE,
        str(reasons),
    )
    sitting.says(middle, words.good[0], table)
    sitting.until(lambda state: len(state.found) == 1, "a word")
    related = f"{words.relative.upper()} is of the same family as {words.good[0].upper()}"
    sitting.answered(left, group, f"/w {words.relative}", related)
    sitting.answered(right, group, f"/w {words.good[0]}", f"{middle.name} has said {words.good[0].upper()} already.")
    sitting.says(left, f"/w {words.good[1]}")
    sitting.press(right, "pass")
    state = sitting.until(lambda state: state.phase == "card", "the end of the turn")
    stacks = [state.stacks[sitting.seats[person.id]] for person in sitting.people]
    assert [len(stack) for stack in stacks] == [1, 2, 2, 1]
    assert [stack[-1] for stack in stacks[1:3]] == list(sitting.cut.pile[:2]), "in the order of the table"

    for person in (first, middle, right):
        person.say(group, "/leave")
    said = finds(left, group, "Once more? /taichi").text
    assert f"Winner: {left.name}" in said
    log = bot.tabletalk("log", sitting.table)
    places = [log.index(f": {word.upper()}\n") for word in (words.first, *words.good)]
    assert places == sorted(places)
    assert "ok" in bot.tabletalk("audit", sitting.table)


def test_a_person_plays_against_computer_players(bot_api: World, bot: Bot) -> None:
    ann = bot_api.person("Ann")
    ann.start()
    home = ann.private
    ann.say(home, "/taichi")
    finds(ann, home, "Cut the cards")
    for _ in range(3):
        ann.press(home, "Add computer player")
    answered(ann, home, f"/options {LIVE}", "The rules are changed.")
    table = table_of(ann, home)
    ann.press(home, "Start")
    finds(ann, home, "deck 1 of 2")
    give_up, spoke, others, made = time.monotonic() + 2 * PATIENCE, 0.0, set[int](), set[str]()
    while not made or not others & {1, 2, 3}:
        assert time.monotonic() < give_up, bot_api.transcript(home)[-4000:]
        time.sleep(0.1)
        state = look(bot, table).set
        words = [said.word for said in state.words]
        others |= {said.seat for said in state.words}
        offers = {value.rpartition(":")[2]: (message, value) for message, value in offered(ann)}
        word = next(words_for(state.open, words), None) if {"no_word", "pass"} & set(offers) else None
        if word is None:
            move = next(
                (move for move in ("stop", "turn", "decline", "ready", "no_word", "pass") if move in offers), None
            )
            if move is not None and ann.press_raw(*offers[move]).text.startswith("✓"):
                made.add(move)
        elif time.monotonic() - spoke > APART:
            ann.say(home, word)
            heard(bot_api)
            spoke = time.monotonic()
            made.add("word")
    assert "ok" in bot.tabletalk("audit", table)


def test_whoever_was_not_asked_may_object_to_a_verdict_and_the_others_decide(bot_api: World, bot: Bot) -> None:
    sitting = Sitting(bot_api, bot, 4, LIVE, lambda cut: tries(cut.pile) is not None)
    group = sitting.group
    first, objector, *others = sitting.people
    words = tries(sitting.cut.pile)
    assert words is not None
    sitting.breathe(objector)
    answered(objector, group, "/object", "There is no verdict to object to now.")
    sitting.press(first, "turn")
    sitting.says(first, f"/w {words.plural}")
    state = sitting.until(lambda state: state.spoken is not None, "a verdict")
    assert state.spoken is not None
    assert (state.spoken.word, state.spoken.reason) == (words.plural, "plural")
    sitting.breathe(objector)
    objector.say(group, "/object")
    sitting.until(lambda state: state.objection is not None, "an objection")
    answered(first, group, "/agree", NOT_YOURS)
    answered(objector, group, "/disagree", NOT_YOURS)
    others[0].say(group, "/agree")
    sitting.press(others[1], "agree")
    state = sitting.until(lambda state: state.phase == "choose", "the word counts")
    assert [said.word for said in state.words] == [words.plural]
    assert f"The players decided: {words.plural.upper()} counts" in bot.tabletalk("log", sitting.table)
    assert "ok" in bot.tabletalk("audit", sitting.table)
