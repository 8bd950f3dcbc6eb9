"""Every game of the registry can be played in the terminal from the first screen to the end; so can a sixth one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain import options, table
from domain.audit import audit_record
from domain.games import GAMES
from domain.table import Table
from tests.domain.high_card import HIGH_CARD
from tests.domain.play import SHORT
from tests.domain.sixth import registered
from tests.service.terminal.sitting import Typist, new_desk


@pytest.fixture(autouse=True, scope="module")
def _sixth() -> Iterator[None]:
    with registered():
        yield


def _move(state: Table) -> str:
    """What the computer player would do in the person's place."""
    rules = state.rules
    notation: str = rules.notation(rules.player("steady", rules.observe(state.set, 0)))
    return notation


@pytest.mark.parametrize("game", [*GAMES, HIGH_CARD.slug])
async def test_a_game_can_be_played_to_its_end_and_its_record_is_right(game: str, tmp_path: Path) -> None:
    rules = GAMES[game]
    desk = await new_desk(tmp_path)
    wished: dict[str, Any] = {"options": options.read(rules, SHORT.get(game, {})), "record": tmp_path}
    typist = Typist(desk, game=rules, **wished)
    story, answered = await typist.until("SHA-256 of the seed: "), 0
    while not typist.playing.done():
        held = await desk.service.engine.fresh(await desk.last_table())  # both at once: computers move meanwhile
        state, version = held.state, held.version
        assert state is not None
        if version > answered and table.decision_of(state, 0) is not None:
            typist.type(_move(state))
            answered = version
        elif table.decision_of(state, 0) is None and rules.pace is not None:
            desk.clock.pass_time(2_000)  # a computer player thinks
        await asyncio.sleep(0.001)
    await typist.playing
    story += typist.take()
    typist.close()
    assert "The game is over" in story
    assert game == HIGH_CARD.slug or f"{game}." not in story, "an event without words"
    assert audit_record((tmp_path / f"{game}-1.json").read_bytes()) is None


async def test_after_a_draw_the_new_hand_is_shown_without_being_asked_for(tmp_path: Path) -> None:
    desk = await new_desk(tmp_path)
    typist = Typist(desk, game=GAMES["chinchon"], seats=2)
    await typist.until("You may draw from the stock")
    typist.type("draw stock")
    story = await typist.until("You may discard any card.")
    assert story.count("Your hand: ") == 1
    assert "you drew " in story
    assert "▸" not in story, "the table is as it was"
    await typist.end()
