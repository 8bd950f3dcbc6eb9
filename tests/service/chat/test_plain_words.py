"""Moves in plain words: every card by its name in every language, slips of the pen, and what a group may be told."""

from __future__ import annotations

import asyncio
import random

import pytest

from domain import cards, events
from domain.games import GAMES
from domain.games.callbreak.events import CardPlayed
from domain.rejected import Rejected
from domain.table import Table
from service.chat.hands import moving, reading
from service.sandbox.waiting import PATIENCE
from service.text import spelled
from tests.domain.play import Sitting, started
from tests.service.chat.conftest import Running
from tests.service.chat.test_logbook import dealt
from tests.service.chat.test_talk import says

SUITS = {
    "en": ("spades", "hearts", "diamonds", "clubs"),
    "es": ("picas", "corazones", "diamantes", "tréboles"),
    "fr": ("pique", "cœur", "carreau", "trèfle"),
    "hi": ("हुकुम", "पान", "ईंट", "चिड़ी"),
}
RANKS = {
    "en": ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"),
    "es": ("dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "jota", "reina", "rey", "as"),
    "fr": ("deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "valet", "dame", "roi", "as"),
    "hi": ("दुग्गी", "तिग्गी", "चौका", "पंजा", "छक्का", "सत्ता", "अट्ठा", "नहला", "दहला", "गुलाम", "बेगम", "बादशाह", "इक्का"),
}
CARD = {"en": "{rank} of {suit}", "es": "{rank} de {suit}", "fr": "{rank} de {suit}", "hi": "{suit} का {rank}"}


def playing() -> Sitting:
    """A game in which cards are played: who is asked leads to a trick."""
    sitting = started("callbreak", redeal="", min_total_calls="0")
    sitting.moves("call 3", "call 3", "call 3", "call 3")
    return sitting


def read(state: Table, text: str, seat: int | None = None) -> str:
    return str(state.rules.notation(reading.read(state, seat, text)))


@pytest.mark.parametrize("language", CARD)
def test_every_card_has_its_name_in_every_language(language: str) -> None:
    state = playing().state
    for card in range(52):
        name = CARD[language].format(rank=RANKS[language][card % 13], suit=SUITS[language][card // 13])
        for text in (name, f"play {name}", name.upper(), f"  {name}! "):
            assert read(state, text) == f"play {cards.name(card)}", text


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("QS", "play QS"),
        ("q♠", "play QS"),
        ("♠️q", "play QS"),
        ("10h", "play TH"),
        ("10 de picas", "play TS"),
        ("la reina de picas", "play QS"),
        ("juego la reina de picas", "play QS"),
        ("je joue", None),
        ("joue l'as de trèfle", "play AC"),
        ("Joue l’as de trèfle.", "play AC"),
        ("dame d'atout", None),
        ("D♠", "play QS"),
        ("♥R", "play KH"),
        ("V♦", "play JD"),
        ("play the queen of spades", "play QS"),
        ("my queen of spades", "play QS"),
        ("reina", None),
        ("nice hand, everybody", None),
        ("de", None),
        ("la", None),
        ("" * 3, None),
        ("x" * 5000, None),
        ("reina de picas " * 20, None),
    ],
)
def test_what_people_write_means_one_card_or_none(text: str, move: str | None) -> None:
    state = playing().state
    if move is None:
        with pytest.raises(Rejected):
            reading.read(state, None, text)
    else:
        assert read(state, text) == move


@pytest.mark.parametrize(
    ("game", "text", "move"),
    [
        ("chinchon", "roba del mazo", "draw stock"),
        ("chinchon", "pioche dans le talon", "draw stock"),
        ("snitch", "defausse le roi de cœur", "discard KH"),
        ("snitch", "descarto el rey de corazones", "discard KH"),
        ("chitchat", "cambio 2 de picas, 3 de picas", "change 2S 3S"),
        ("chitchat", "parle deux de carreau", "talk 2D"),
    ],
)
def test_other_games_are_spoken_to_in_the_same_way(game: str, text: str, move: str) -> None:
    assert read(started(game).state, text) == move


def test_a_word_with_two_meanings_is_asked_back() -> None:
    with pytest.raises(Rejected) as caught:
        reading.read(started("chinchon").state, None, "pioche")
    assert caught.value.kind == "ambiguous"


def test_a_rank_alone_is_the_one_card_of_it_that_is_held_else_a_question() -> None:
    state = playing().state
    seat = next(iter(state.rules.to_act(state.set)[0].seats))
    held = [cards.name(card) for card in state.rules.observe(state.set, seat).hand]
    for rank, word in zip(cards.RANKS, RANKS["fr"], strict=True):
        if word == "as":
            assert read(state, word, seat) == "play AS", "the game's own notation comes first"
            continue
        found = [card for card in held if card[0] == rank]
        if len(found) == 1:
            assert read(state, word, seat) == f"play {found[0]}"
        else:
            with pytest.raises(Rejected) as caught:
                reading.read(state, seat, word)
            assert caught.value.kind == ("ambiguous" if found else "malformed")


def test_a_word_of_a_game_of_words_is_never_put_into_another_language() -> None:
    """`dame` is a word to say there, and `la carta` is none: nobody's word is guessed."""
    sitting = started("taichi", seats=2)
    sitting.moves("turn")
    state, seat = sitting.state, sitting.asked()
    assert read(state, "dame", seat) == "word dame"
    with pytest.raises(Rejected):
        reading.read(state, seat, "la carta")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("quen of spades", "play QS"),
        ("play quen of spads", "play QS"),
        ("reyna de picas", "play QS"),
        ("damme de pique", "play QS"),
        ("plya queen of spades", "play QS"),
        ("queen of spades", None),
        ("quen", None),
        ("nice hand, everybody", None),
        ("QX", None),
        ("x" * 5000, None),
    ],
)
def test_a_slip_of_the_pen_is_asked_about_and_never_played(text: str, meant: str | None) -> None:
    state = playing().state
    assert reading.suggestion(state, text) == meant
    if meant is not None:
        with pytest.raises(Rejected):
            reading.read(state, None, text)


@pytest.mark.parametrize("game", [game for game in GAMES if not GAMES[game].word_of])
def test_a_suggestion_is_the_same_whatever_somebody_holds(game: str) -> None:
    """A group reads it: it is made without anybody's hand."""
    rng = random.Random(game)
    texts = ["quen", "kng of hearts", "discrad king of harts", "reyna", "sett 5 5", "chalenge 2 knig"]
    for number in range(10):
        one, other = started(game, f"one {number}").state, started(game, f"other {number}").state
        text = rng.choice(texts)
        assert reading.suggestion(one, text) == reading.suggestion(other, text)


def test_no_foreign_word_means_two_things() -> None:
    said = [word for words in spelled._CARDS.values() for word in words.split()]
    assert len(said) == len(set(said))
    folded = [spelled._folded(word) for word in said]
    assert len(folded) == len(set(folded))


def test_what_a_group_reads_of_a_foreign_word_is_the_same_for_every_hand() -> None:
    """The law of public refusals holds for other languages too: a bare rank is not read with the hand."""
    state = playing().state
    refused = Rejected("must_follow")
    shown = moving.public(state, "reina", refused)
    assert shown is not None
    assert shown.code == "not_a_card"
    assert moving.public(state, "reina de picas", refused) is None


async def asked_to(running: Running, name: str, phase: str) -> tuple[Table, int]:
    """The table once a person is asked in this phase, and his seat."""
    async with asyncio.timeout(PATIENCE):
        while True:
            state = (await running.service.engine.fresh(name)).state
            assert state is not None
            seat = state.rules.to_act(state.set)[0].seats[0]
            if state.rules.observe(state.set, None).phase == phase and seat < 2:
                return state, seat
            await asyncio.sleep(0.01)


async def changed(running: Running, name: str, state: Table) -> None:
    """Waits until the table is another one."""

    async def another() -> bool:
        return (await running.service.engine.fresh(name)).state != state

    await running.eventually(another)


async def test_a_card_is_played_by_its_spanish_name_in_a_group_and_a_slip_is_asked_back(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = await dealt(running, ann, bob)
    hand = next(b for m in ann.sees(group) for row in m.keyboard for b in row if b.text == "My hand")
    name = hand.value.split(":")[1]
    for _ in range(2):
        state, seat = await asked_to(running, name, "calls")
        (ann, bob)[seat].say(group, "/call 3")
        await changed(running, name, state)
    state, seat = await asked_to(running, name, "play")
    person = (ann, bob)[seat]
    await says(running, person, group, "/play quen of spades", "Did you mean Q♠? Then write: /play QS")
    assert (await running.service.engine.fresh(name)).state == state, "a question is no move"
    card = state.rules.legal(state.set, seat)[0].card
    person.say(group, "/play " + CARD["es"].format(rank=RANKS["es"][card % 13], suit=SUITS["es"][card // 13]))
    await changed(running, name, state)
    commits = await running.service.engine.history(name)
    played = [event for commit in commits for event in events.decode(commit.events) if isinstance(event, CardPlayed)]
    assert CardPlayed(seat, card) in played
