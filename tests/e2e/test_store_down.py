from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.sandbox.world import World
from tests.e2e.conftest import AS_IT_IS, NewBot
from tests.e2e.playing import KEPT, by_command, four, open_table, play_on, start, wait_for_change, whose_turn
from tests.e2e.stores import Valkey


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Valkey]:
    server = Valkey(tmp_path / "valkey")
    yield server
    server.kill()


def test_a_store_that_goes_down_is_waited_for_and_what_was_said_meanwhile_is_carried_out(
    bot_api: World, new_bot: NewBot, valkey: Valkey
) -> None:
    valkey.start()
    bot = new_bot(bot_api, REDIS_URL=valkey.url)
    bot.program = AS_IT_IS
    bot.start()
    people = four(bot_api)
    group = bot_api.group("Friday", people)
    open_table(group, people)
    start(group, people)
    play_on(people, group, {}, most=6)
    turn = whose_turn(people, group)
    assert turn is not None
    person, before = turn
    valkey.kill()
    by_command(person, group, before)
    others = [other for other in people if other is not person]
    assert others[0].press(group, "My hand").text == KEPT
    valkey.start()
    wait_for_change(person, group, before)
    play_on(people, group, {}, most=3)
    assert bot.log.count("store down") == 1
    assert bot.log.count("store is back") == 1
