"""Fixtures: a Bot API server of our own with a fresh world a test, every call and object read twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from service.sandbox.server import BotApiServer
from service.sandbox.world import World

NewWorld = Callable[..., World]


@pytest.fixture(scope="session")
def bot_api_server() -> Iterator[BotApiServer]:
    """One server for all tests of a process; each test has worlds of its own, by token."""
    with BotApiServer() as server:
        yield server


@pytest.fixture
def new_world(bot_api_server: BotApiServer) -> Iterator[NewWorld]:
    """Makes worlds (`World`'s options); the test fails if one of them ends with a violation."""
    from tests import second_reader  # takes a second: only for tests that need it

    worlds: list[World] = []

    def make(**options: object) -> World:
        readers = {"check_call": second_reader.check_call, "check_object": second_reader.check_object}
        world = World(**{**readers, **options})  # type: ignore[arg-type]
        worlds.append(bot_api_server.add(world))
        return world

    yield make
    for world in worlds:
        bot_api_server.remove(world)
    for world in worlds:
        world.assert_clean()


@pytest.fixture
def bot_api(new_world: NewWorld) -> World:
    """A world with its bot, served at `bot_api.url` under `bot_api.token`."""
    return new_world()
