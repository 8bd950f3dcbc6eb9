"""A person plays at the terminal: moves, questions, mistakes, leaving and coming back, a second terminal, no store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from domain import options
from domain.audit import audit_record
from service.terminal.tables import user
from service.text import cards, language
from tests.patience import PATIENCE
from tests.service.tables import DAY, done_for_now
from tests.service.terminal.sitting import GAME, Desk, Typist, moves_of_a_set, new_desk

Sit = Callable[..., Typist]


@pytest.fixture
async def desk(tmp_path: Path) -> Desk:
    return await new_desk(tmp_path)


@pytest.fixture
async def sit(desk: Desk) -> AsyncIterator[Sit]:
    typists: list[Typist] = []

    def start(**wished: Any) -> Typist:
        typists.append(Typist(desk, **wished))
        return typists[-1]

    yield start
    for typist in typists:
        if not typist.playing.done():
            await typist.kill()
        typist.close()


async def test_the_first_screen_teaches_and_asks(sit: Sit) -> None:
    ann = sit()
    screen = await ann.until("You may call 1 to 13\n")
    assert "type a number" in screen
    assert "QS, 10h, queen of spades" in screen
    assert "▸ You" in screen
    assert "SHA-256 of the seed: " in screen
    assert "Your call>" not in screen, "no prompt where nobody types"


async def test_a_whole_set_can_be_played_and_is_told(sit: Sit, desk: Desk, tmp_path: Path) -> None:
    typed = await moves_of_a_set(tmp_path)
    ann = sit()
    ann.type(*typed)
    story = await ann.until("Fingerprint: ")
    assert story.count("Trick ") == 13
    for number in range(1, 14):
        assert f"Trick {number}: " in story
    assert "\nSet 1: You " in story
    assert "\nTotal: You " in story
    assert f"tabletalk audit {await desk.last_table()}" in story
    assert "Your game is kept" in await ann.end()


async def test_end_of_input_keeps_the_game(sit: Sit, desk: Desk) -> None:
    ann = sit()
    ann.type("call 3")
    assert "Your game is kept: start again to go on with it." in await ann.end()
    assert (await desk.state()).set.calls[0] == 3


async def test_a_game_that_was_left_goes_on_exactly_where_it_was(sit: Sit, desk: Desk, tmp_path: Path) -> None:
    typed = await moves_of_a_set(tmp_path)
    ann = sit()
    ann.type(*typed[:5])
    await ann.until("trick 5 · ")
    before = await desk.state()
    await ann.kill()
    again = sit(seed=None)
    screen = await again.until("You may play")
    assert "You have a game in progress (set 1)" in screen
    assert "Trick " not in screen, "what was told before is not told again"
    after = await desk.state()
    assert (after.set, after.seed, after.rows) == (before.set, before.seed, before.rows)
    again.type(*typed[5:])
    assert "\nSet 1: You " in await again.until("Fingerprint: ")


async def test_a_new_game_closes_the_old_one(sit: Sit, desk: Desk) -> None:
    ann = sit()
    ann.type("call 3", "quit")
    await ann.end()
    old = await desk.last_table()
    again = sit(new=True)
    screen = await again.until("You may call")
    assert "That game is closed" in screen
    assert await desk.last_table() != old
    closed = (await desk.service.engine.fresh(old)).state
    assert closed is not None
    assert closed.ended == "closed"


@pytest.mark.parametrize(("answer", "goes_on"), [("", True), ("y", True), ("No", False), ("n", False)])
async def test_on_a_terminal_one_is_asked_whether_to_go_on(sit: Sit, desk: Desk, answer: str, goes_on: bool) -> None:
    await sit().end()
    old = await desk.last_table()
    again = sit(tty=True)
    await again.until("Go on with it? [Y/n] ")
    again.type(answer)
    assert "Your call> " in await again.until("Your call> ")
    assert (await desk.last_table() == old) is goes_on


@pytest.mark.parametrize("answer", [None, "quit", " Exit", "q"])
async def test_whoever_does_not_say_whether_to_go_on_changes_nothing(sit: Sit, desk: Desk, answer: str | None) -> None:
    await sit().end()
    before = (await desk.last_table(), await desk.version())
    again = sit(tty=True)
    if answer is not None:
        again.type(answer)
    screen = await again.end()
    assert "Your call" not in screen.rpartition("Go on with it?")[2]
    assert (await desk.last_table(), await desk.version()) == before


async def test_options_given_with_a_game_in_progress_are_said_to_wait(sit: Sit) -> None:
    await sit().end()
    again = sit(chosen=True, options=options.read(GAME, {"target": "100"}))
    assert "It keeps its own options and seed" in await again.until("You may call")


async def test_no_clock_runs_while_nobody_is_there(sit: Sit, desk: Desk) -> None:
    await sit().end()
    desk.clock.pass_time(10 * DAY)
    again = sit()
    screen = await again.until("You may call")
    assert "(by the clock)" not in screen
    assert (await desk.state()).set.calls[0] == 0


async def test_the_clock_plays_for_whoever_sits_there_and_does_not_move(sit: Sit, desk: Desk) -> None:
    ann = sit(options=options.read(GAME, {"turn_seconds": "30"}))
    await ann.until("You may call")
    before = await desk.version()
    async with asyncio.timeout(PATIENCE):
        while "(by the clock)" not in ann.shown.getvalue():
            desk.clock.pass_time(5_000)  # not in one leap: that would be a computer that slept, and no clock runs then
            await done_for_now()
    assert "Time was up for You" in ann.take()
    assert await desk.version() > before


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("A" * 10_000, "I cannot read that as a move."),
        ("😀", "“😀” is not a card that I can read."),
        ("А♠", "“А♠” is not a card that I can read."),  # a Cyrillic А
        ("call", "A call needs a number"),
        ("call many", "A call needs a number"),
        ("call 0", "A call is a number from 1 to 13. (CB-21)"),
        ("call 14", "A call is a number from 1 to 13. (CB-21)"),
        ("999", "A call is a number from 1 to 13. (CB-21)"),
        ("play QS", "The calls come first"),
        ("accuse 2 5", "lets nobody cheat"),
        ("\u202e{cards}", "is not a card that I can read."),
    ],
)
async def test_a_mistake_is_answered_in_a_sentence_and_changes_nothing(
    sit: Sit, desk: Desk, line: str, answer: str
) -> None:
    ann = sit()
    await ann.until("You may call")
    before = await desk.version()
    ann.type(line)
    said = await ann.until(answer)
    assert len(said) < 200
    assert "\u202e" not in said
    assert await desk.version() == before


async def test_a_card_that_is_not_held_or_not_legal_is_refused(sit: Sit, desk: Desk, tmp_path: Path) -> None:
    typed = await moves_of_a_set(tmp_path)
    ann = sit()
    ann.type(typed[0])
    await ann.until("You may play")
    state = await desk.state()
    seen = state.rules.observe(state.set, 0)
    others = [card for card in range(52) if card not in (seen.hand or ())]
    before = await desk.version()
    ann.type(f"play {state.rules.card_name(others[0])}")
    assert "You do not have " in await ann.until("(CB-30)")
    assert await desk.version() == before


async def test_questions_are_answered_and_change_nothing(sit: Sit, desk: Desk) -> None:
    ann = sit()
    await ann.until("You may call")
    before = await desk.version()
    for question, answer in {
        "help": "call four tricks",
        "?": "call four tricks",
        "HAND": "Your hand:",
        "table": "▸ You",
        "score": "No set is finished yet.",
        "log": " dealt",
        "log all": "The table was opened",
        "options": "target=300  (0 or a number from 50 to 2000)",
    }.items():
        ann.type(question)
        assert answer in await ann.until(answer), question
    ann.type("", "   ")
    ann.type("quit")
    await ann.until("Your game is kept")
    assert await desk.version() == before


async def test_two_terminals_of_one_person_see_each_others_moves(sit: Sit, desk: Desk) -> None:
    left = sit()
    await left.until("You may call")
    right = sit()
    await right.until("You may call")
    right.type("call 3")
    await right.until("You may play")
    assert "You called 3" in await left.until("You may play")
    left.type("call 4", "call 4")
    assert "The calls are over" in await left.until("(CB-20)")
    assert (await desk.state()).set.calls[0] == 3


async def test_a_store_that_goes_down_is_waited_for_and_said_once(
    sit: Sit, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("service.terminal.tables", "service.keeper"):
        monkeypatch.setattr(f"{module}.RETRY_SECONDS", 0.01)
    ann = sit()
    await ann.until("You may call")
    desk.server.connected = False
    ann.type("call 3")
    waiting = await ann.until("Nothing is lost")
    assert waiting.startswith("Waiting: the store ")
    assert "Traceback" not in waiting
    desk.server.connected = True
    back = await ann.until("You may play")
    assert back.startswith("The store is back.\n")
    assert "Waiting" not in back
    assert (await desk.state()).set.calls[0] == 3


async def test_no_line_names_a_card_that_the_person_may_not_know(sit: Sit, desk: Desk) -> None:
    ann = sit(options=options.read(GAME, {"redeal": ""}))
    await ann.until("You may call")
    ann.type("call 3", "log all", "table", "hand", "score")
    shown = await ann.end()
    state = await desk.state()
    seen = state.rules.observe(state.set, 0)
    known = {*(seen.hand or ()), *seen.trick, *(card for trick in seen.tricks for card in trick.cards)}
    hidden = {cards.card(language(), state.rules.card_name(card)) for card in set(range(52)) - known}
    assert len(hidden) > 30
    assert [card for card in hidden if card in shown] == []


async def test_finished_games_are_recorded_and_the_next_one_begins(sit: Sit, desk: Desk, tmp_path: Path) -> None:
    typed = await moves_of_a_set(tmp_path)
    one_set = options.read(GAME, {"max_sets": "1", "target": "0"})
    folder = tmp_path / "records"
    folder.mkdir()
    ann = sit(options=one_set, games=2, record=folder)
    ann.type(*typed)
    assert "You may call" in await ann.until("Record: ")
    assert audit_record((folder / "callbreak-1.json").read_bytes()) is None
    await ann.end()
    assert [path.name for path in folder.iterdir()] == ["callbreak-1.json"]


async def test_the_person_is_called_by_the_name_of_the_account(sit: Sit, desk: Desk) -> None:
    await sit().until("You may call")
    state = await desk.state()
    names = await desk.service.directory.names([state.seats[0].owner])
    assert names == {state.seats[0].owner: user()[:20]}
