"""People who know nothing find from adding the bot to their first move, in every game, by what they see alone."""

from __future__ import annotations

import pytest

from domain.games import GAMES
from service.text.words import words
from tests.service.chat import walking
from tests.service.chat.conftest import Running
from tests.service.chat.walking import Walk

MOST_STEPS = 13  # until both have moved; seats for more than two are filled up one by one


@pytest.mark.parametrize("game", GAMES)
async def test_from_adding_the_bot_to_the_first_move_by_buttons_alone(game: str, running: Running) -> None:
    """With privacy mode on, plain text never comes, and nobody says so.

    Who joined by an inline button gets no keyboard.
    Reports: Prism-Shadow/penguin-harness#499, archestra-ai/archestra#6562, d-Rickyy-b/Python-BlackJackBot#81.
    """
    walk = Walk(running, game)
    await walking.first_moves(walk)
    assert len(walk.steps) <= MOST_STEPS, walk.steps
    assert walk.steps[0] == f"Ann: [{words(game).name}]", "the greeting asks which game it shall be"
    for person in (walk.ann, walk.bob):
        refused = [
            answer.text for answer in person.answers() if "not" in answer.text.lower() and "✓" not in answer.text
        ]
        assert not refused, "nobody was refused anything on the way"


async def test_who_writes_finds_the_words_in_the_table_message(running: Running) -> None:
    walk = Walk(running, "callbreak")
    await walk.to_the_cards()
    mover = await walk.asked()
    before = await walk.state()
    await walk.write(mover, walk.group, "/call 4")
    await running.until(lambda: walk.ann.find(walk.group, f"{mover.name}: called 4"))
    assert await walk.state() != before


async def test_who_starts_too_early_is_told_what_is_missing(running: Running) -> None:
    walk = Walk(running, "callbreak")
    walk.group.add_bot()
    await walk.press(walk.ann, walk.group, "Call Break")
    assert "exactly 4 players" in await walk.press(walk.ann, walk.group, "Start")
    lobby = walk.bob.find(walk.group, "Start")
    assert lobby is not None
    assert "3 more to go" in lobby.text


async def test_who_asks_the_bot_alone_is_shown_a_way_too(running: Running) -> None:
    walk = Walk(running, "callbreak")
    walk.ann.start()
    told = await running.until(lambda: walk.ann.find(walk.ann.private, "/callbreak"))
    assert "Add me to a group" in told.text
    await walk.write(walk.ann, walk.ann.private, "/callbreak")
    for _ in range(3):
        await walk.press(walk.ann, walk.ann.private, "Add computer player")
    await walk.press(walk.ann, walk.ann.private, "Start")
    await walk.move(walk.ann, walk.ann.private)
