"""What happened lately: the same for whoever was there all the time and for whoever was just started."""

from __future__ import annotations

import random
from functools import partial

import pytest

from domain.events import Dealt
from domain.games import GAMES
from service.chat.api.tokens import MoveToken, read
from service.chat.board import lately
from service.chat.board.lately import Happened, Lately, known_to_all
from service.sandbox.people import Person
from service.sandbox.state import Message
from service.text import language
from tests.domain.play import Sitting, started
from tests.service.chat.conftest import Running
from tests.service.chat.test_nudge import said
from tests.service.chat.test_views import four, move, state
from tests.service.chat.test_views import started as playing

TEXTS = language()
NAMES = ["Ann", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal"]


def tail_of(sitting: Sitting) -> list[Happened]:
    rules = sitting.state.rules
    return [
        Happened(number, commit.actor, event)
        for number, commit in enumerate(sitting.commits, 1)
        for event in commit.events
        if known_to_all(rules, event)
    ]


def newest(who: Person, tables: list[str], after: int) -> Message | None:
    """The newest hand in somebody's private chat, if it came after a message, and once each of the tables has one hand
    there that offers moves: then nothing more happens to them."""
    found = [
        (message, token.table)
        for message in who.sees(who.private)
        for token in [read(button.value) for row in message.keyboard for button in row][:1]
        if isinstance(token, MoveToken)
    ]
    done = sorted(table for _, table in found) == sorted(tables) and found[-1][0].id > after
    return found[-1][0] if done else None


def played(game: str, moves: int) -> Sitting:
    sitting, rng = started(game=game, word=game) if game != "callbreak" else started(word="lately"), random.Random(game)
    for _ in range(moves):
        if sitting.state.phase == "playing":
            sitting.any_move(rng)
    return sitting


@pytest.mark.parametrize("game", GAMES)
def test_no_answer_that_is_still_hidden_is_told(game: str) -> None:
    """Log contains secret moves (boardgameio/boardgame.io#227)."""
    rules = GAMES[game]
    for one in tail_of(played(game, 120)):
        assert type(one.event) not in rules.secrets
        assert not hasattr(one.event, "sealed") or type(one.event) is Dealt


def test_moves_that_the_table_shows_anyway_are_not_told() -> None:
    calls = played("callbreak", 3)
    tenths = False
    told = lately.moves(TEXTS, calls.state.rules, tail_of(calls), NAMES[:4], tenths)
    assert len(told) == 3
    assert all("called" in line for line in told)
    tricks = played("callbreak", 20)
    assert lately.moves(TEXTS, tricks.state.rules, tail_of(tricks), NAMES[:4], tenths) == []


def test_since_he_looked_tells_what_others_did_and_no_more() -> None:
    calls = played("callbreak", 3)
    tail, rules = tail_of(calls), calls.state.rules
    last = tail[-1]
    everything = lately.since(TEXTS, rules, tail, NAMES[:4], False, "person:nobody", 0)
    assert len(everything) == 3
    assert lately.since(TEXTS, rules, tail, NAMES[:4], False, last.actor, 0) == []
    seen = tail[-2].version
    assert lately.since(TEXTS, rules, tail, NAMES[:4], False, "person:nobody", seen) == everything[-1:]


async def test_a_tail_that_was_followed_is_the_one_that_is_read_anew(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    table, _ = await playing(running, group, people)
    followed = Lately(running.service.engine)
    for number in range(50):
        await move(running, table, number)
        if number % 3 == 0:
            held = await running.service.engine.held(table)
            now = await state(running, table)
            assert await followed.of(now, held.version) == await Lately(running.service.engine).of(now, held.version)


async def test_a_hand_tells_what_happened_since_its_player_looked(running: Running) -> None:
    people = four(running)
    group = running.world.group("Friday", people)
    people[0].start()
    table, _ = await playing(running, group, people)
    ann = await running.service.directory.person(f"tg:{people[0].id}")
    others = 0
    while others == 0 or (now := await state(running, table)).seats[now.decisions[0].seats[0]].owner != ann:
        now = await state(running, table)
        others += now.seats[now.decisions[0].seats[0]].owner != ann
        await move(running, table, (await running.service.engine.held(table)).version)
    shown = await running.until(lambda: people[0].find(people[0].private, "Since you looked"))
    assert "called" in shown.text
    await said(running, people[0], people[0].private, "/hand", "Since you looked")
    again = await said(running, people[0], people[0].private, "/hand", "Call Break")
    await running.until(lambda: people[0].find(people[0].private, "Call Break"))
    assert "Since you looked" not in again.text


async def test_one_button_goes_through_all_tables_that_wait(running: Running) -> None:
    people = four(running)
    ann, groups = people[0], [running.world.group(title, people) for title in ("A", "B")]
    ann.start()
    tables = [(await playing(running, group, people))[0] for group in groups]
    actor = await running.service.directory.person(f"tg:{ann.id}")
    for table in tables:
        while (now := await state(running, table)).seats[now.decisions[0].seats[0]].owner != actor:
            await move(running, table, (await running.service.engine.held(table)).version)
    hand = await running.until(partial(newest, ann, tables, 0))
    for _ in range(2):
        assert "Here it is" in await running.press(ann, hand, "Next table ▸")
        hand = await running.until(partial(newest, ann, tables, hand.id))
    focus = await running.service.directory.get("focus", actor)
    assert focus in tables
