"""Tai Chi Chuan in the terminal against an honest clock: it turns, says "no word" and closes windows for the person."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from domain import events, options, table
from domain.audit import audit_record
from domain.games import GAMES
from domain.games.taichi.events import Declined, NoWord
from domain.table import Table
from service.engine import shipped
from tests.service.terminal.sitting import Desk, Typist, new_desk

RULES = GAMES["taichi"]


async def _until(
    desk: Desk, reached: Callable[[Table], bool], speaking: Callable[[Table], bool] = lambda _: False
) -> Table:
    """The table once it is so; whenever nothing happens any more five seconds pass, unless the person is `speaking`."""
    version = quiet = looks = 0
    while looks < 10_000:
        state, now = await desk.state(), await desk.version()
        if reached(state):
            return state
        spoken = not speaking(state)
        version, quiet = now, quiet + 1 if now == version and spoken else 0
        looks += spoken
        if quiet == 3:
            desk.clock.pass_time(5_000)
            quiet = 0
        await asyncio.sleep(0.001)
    raise AssertionError("the clock does not get there")


async def test_whoever_sits_there_and_says_nothing_is_played_by_the_clock_to_the_end(tmp_path: Path) -> None:
    desk = await new_desk(tmp_path)
    wished = {"options": options.read(RULES, {}, "live"), "seats": 3, "record": tmp_path}
    typist = Typist(desk, game=RULES, **wished)
    await typist.until("You may turn a card.")
    await _until(desk, lambda state: table.away(state, 0))
    await _until(desk, lambda state: state.phase == "over")
    await typist.playing
    story = typist.take()
    typist.close()
    held = await desk.service.engine.fresh(await desk.last_table())
    commits = await desk.service.engine.history(await desk.last_table())
    assert held.state is not None
    assert held.state.ended == "played_out"
    assert "You found no word: now the others may (by the clock)" in story
    assert "You fell silent: no turn until coming back" in story
    happened = [event for commit in commits for event in events.decode(commit.events)]
    assert any(isinstance(event, NoWord) and event.auto and event.seat == 0 for event in happened)
    assert audit_record((tmp_path / "taichi-1.json").read_bytes(), shipped) is None


async def test_windows_close_for_whoever_turns_his_cards_and_says_no_word(tmp_path: Path) -> None:
    desk = await new_desk(tmp_path)
    typist = Typist(desk, game=RULES, options=options.read(RULES, {}, "live"), seats=3)
    await typist.until("You may turn a card.")
    answered = 0

    def passed(state: Table) -> bool:
        nonlocal answered
        asked = table.decision_of(state, 0)
        if asked is not None and asked.id > answered and state.set.phase == "card":
            typist.type("turn")
            answered = asked.id
        return "You did not challenge (by the clock)" in typist.shown.getvalue()

    def speaking(state: Table) -> bool:
        """Whether what was typed is still on its way: another thread reads it, which may be slow."""
        asked = table.decision_of(state, 0)
        return asked is not None and asked.id == answered

    await _until(desk, passed, speaking)
    commits = await desk.service.engine.history(await desk.last_table())
    happened = [event for commit in commits for event in events.decode(commit.events)]
    assert Declined(0, auto=True) in happened
    await typist.end()
