"""People whose program is Spanish or French find to their first move in their own language and read no English."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from string import Formatter

import pytest
from babel.messages.pofile import read_po

from domain import cards
from domain.decide import legal
from domain.games import GAMES
from domain.games.chinchon.moves import Discard
from service.text import LOCALE, Texts, language
from service.text import cards as shown_cards
from service.text.words import words
from tests.service.chat.conftest import Running
from tests.service.chat.test_plain_words import RANKS, SUITS
from tests.service.chat.walking import Walk

_FEWEST = 5  # letters of its own that an English sentence has by which it is known


class Abroad(Walk):
    """Two people whose programs speak another language; they press what is written there."""

    def __init__(self, running: Running, game: str, code: str) -> None:
        super().__init__(running, game)
        self.texts: Texts = language(code)
        self.ann, self.bob = (running.world.person(name, language_code=code) for name in ("Ana", "Bruno"))
        self.group = running.world.group("Los viernes", [self.ann, self.bob], with_bot=False)

    def label(self, english: str) -> str:
        return self.texts.gettext(english)

    async def to_the_cards(self) -> None:
        self.group.add_bot()
        await self.press(self.ann, self.group, self.label(words(self.game).name))
        await self.press(self.bob, self.group, self.label("Join"))
        for _ in range(GAMES[self.game].seats[0] - 2):
            await self.press(self.ann, self.group, self.label("Add computer player"))
        await self.press(self.ann, self.group, self.label("Start"))
        await self.running.until(lambda: self.ann.find(self.group, self.label("My hand")), "the cards")


@functools.cache
def english(code: str) -> tuple[re.Pattern[str], ...]:
    """Every sentence that is said in another way in the language, as it would stand there in English."""
    with (LOCALE / code / "LC_MESSAGES" / "tabletalk.po").open("rb") as file:
        catalogue = read_po(file)
    found = {
        line
        for message in catalogue
        if isinstance(message.id, str) and message.id and message.id != message.string
        for line in message.id.splitlines()
        if line not in str(message.string).splitlines() and len(re.findall(r"[a-z]", literal(line))) >= _FEWEST
    }
    return tuple(re.compile(pattern(line)) for line in sorted(found))


def literal(text: str) -> str:
    return "".join(part for part, _, _, _ in Formatter().parse(text))


def pattern(text: str) -> str:
    return "".join(re.escape(part) + ("" if name is None else ".+") for part, name, _, _ in Formatter().parse(text))


def seen(walk: Abroad) -> Iterator[str]:
    """Every line that the two of them were shown, on buttons and in alerts too."""
    for person in (walk.ann, walk.bob):
        for place in (walk.group, person.private):
            for message in person.sees(place):
                yield from message.text.splitlines()
                yield from (button.text for row in message.keyboard for button in row)
        for answer in person.answers():
            yield from answer.text.splitlines()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("code", ["es", "fr"])
async def test_from_adding_the_bot_to_the_first_move_without_a_word_of_english(
    code: str, game: str, running: Running
) -> None:
    walk = Abroad(running, game, code)
    await walk.to_the_cards()
    mover = await walk.asked()
    await walk.press(mover, walk.group, walk.label("My hand"))
    await walk.press(mover, walk.group, walk.label("Play"))
    await walk.move(mover, walk.group)
    mover = await walk.asked()
    mover.follow(walk.group, walk.label("Play in private"))
    await walk.move(mover, mover.private)

    lines = set(seen(walk)) - {words(game).name}
    assert len(lines) > 10
    assert any(sentence.fullmatch("Add computer player") for sentence in english(code)), "English would be known"
    assert {line for line in lines for sentence in english(code) if sentence.fullmatch(line.strip())} == set()


async def test_moves_in_the_readers_words_are_played(running: Running) -> None:
    """`/draw mazo`, `/discard dama de picas`: whoever reads Spanish writes it."""
    walk = Abroad(running, "chinchon", "es")
    await walk.to_the_cards()
    mover = await walk.asked()
    mover.say(walk.group, "/draw mazo")
    await running.until(lambda: walk.ann.find(walk.group, f"{mover.name} robó del mazo"), "the card is drawn")
    state = await walk.state()
    [seat] = state.decisions[0].seats
    card = next(move.card for move in legal(state, seat) if isinstance(move, Discard))
    mover.say(walk.group, f"/discard {RANKS['es'][card % 13]} de {SUITS['es'][card // 13]}")
    gone = f"{mover.name} descartó {shown_cards.card(walk.texts, cards.name(card))}"
    await running.until(lambda: walk.ann.find(walk.group, gone), gone)


async def test_a_table_in_a_private_chat_is_in_the_language_of_whose_chat_it_is(running: Running) -> None:
    """The lobby is Spanish as the welcome above it is; who then chooses French reads French there."""
    ana = running.world.person("Ana", language_code="es")
    ana.start()
    ana.say(ana.private, "/chinchon")
    await running.until(lambda: ana.find(ana.private, "Unirme"), "a lobby in Spanish")
    ana.say(ana.private, "/language fr")
    await running.until(lambda: ana.find(ana.private, "S'asseoir"), "the lobby in French")
