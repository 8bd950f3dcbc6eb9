"""Every game of the registry can be played in a group by buttons, from its command to its end; so can a sixth one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from functools import partial

import pytest

from domain import table
from domain.games import GAMES
from domain.table import Table
from service.chat.api.tokens import MoveToken, read
from service.sandbox.people import Group, Person
from service.sandbox.state import Button, Message
from service.sandbox.world import World
from tests.domain.high_card import HIGH_CARD
from tests.domain.play import SHORT
from tests.domain.sixth import registered
from tests.service.chat.conftest import Roomy, Running, serving

_MOST_MOVES = 50


@pytest.fixture(autouse=True, scope="module")
def _sixth() -> Iterator[None]:
    with registered():
        yield


@pytest.fixture
async def running(bot_api: World) -> AsyncIterator[Running]:
    """A bot that has room for two people who press at once whatever they can."""
    async with serving(bot_api, windows=Roomy()) as made:
        yield made


async def _seated(running: Running, game: str, ann: Person, bob: Person, group: Group) -> str:
    """A table of two people, and computer players where the game wants more; gives its id."""
    ann.say(group, f"/{game}")
    lobby = await running.until(lambda: ann.find(group, "Join"), "the lobby")
    assert "seat" in await running.press(bob, group, "Join")
    for _ in range(GAMES[game].seats[0] - 2):
        await running.press(ann, group, "Add computer player")
    few = " ".join(f"{name}={value}" for name, value in SHORT.get(game, {}).items())
    if few:
        ann.say(group, f"/options {few}")
        await running.until(lambda: ann.find(group, "The rules are changed"), "the options")
    await running.press(ann, group, "Start")
    return next(button.value for row in lobby.keyboard for button in row).partition(":")[2]


async def _state(running: Running, name: str) -> Table:
    state = (await running.service.engine.fresh(name)).state
    assert state is not None
    return state


def _button(person: Person, decision: int, notation: str) -> tuple[Message, Button] | None:
    """The button in somebody's private chat that makes this move."""
    for message in reversed(person.sees(person.private)):
        for row in message.keyboard:
            for button in row:
                token = read(button.value)
                if isinstance(token, MoveToken) and (token.decision, token.move) == (decision, notation):
                    return message, button
    return None


@pytest.mark.parametrize("game", [*GAMES, HIGH_CARD.slug])
async def test_two_people_play_a_whole_game_by_buttons(game: str, running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = running.world.group("Friday", [ann, bob])
    ann.start()
    bob.start()
    name = await _seated(running, game, ann, bob, group)
    rules, moves = GAMES[game], 0
    while (state := await _state(running, name)).phase == "playing":
        if moves == _MOST_MOVES:  # a long game ends by agreement
            ann.say(group, "/end")
            await running.until(lambda: bob.find(group, "Agree"), "the proposal")
            assert "agree" in await running.press(bob, group, "Agree")
            break
        seat = next((seat for seat in (0, 1) if table.decision_of(state, seat) is not None), None)
        if seat is None:
            await asyncio.sleep(0.01)  # a computer player is to move
            continue
        moves += 1
        person, decision = (ann, bob)[seat], table.decision_of(state, seat)
        assert decision is not None
        notation = rules.notation(rules.player("steady", rules.observe(state.set, seat)))
        offered = partial(_button, person, decision.id, notation)
        found = await running.until(offered, f"a button for {notation}")
        assert "✓" in await running.press(person, found[0], found[1].__eq__)
    over = await running.until(lambda: ann.find(group, "Once more?"), "the end")
    assert over.text.endswith(f"/{game}")
    assert "The game is over" in over.text
    await running.until(lambda: ann.find(group, "Fingerprint: "), "the result")
