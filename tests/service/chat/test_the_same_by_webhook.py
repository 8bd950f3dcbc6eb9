"""The scenarios of the chat once more, with updates that come by webhook."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from service.sandbox.world import World
from tests.service.chat.conftest import Running, serving
from tests.service.chat.test_talk import *  # noqa: F403 - its tests run here with the fixture below
from tests.service.chat.test_views import *  # noqa: F403


@pytest.fixture
async def running(bot_api: World) -> AsyncIterator[Running]:
    """A bot that is served by webhook, and by nothing else."""
    async with serving(bot_api, by_webhook=True) as made:
        yield made
    assert bot_api.calls("getUpdates") == []
    assert bot_api.hook is not None
    assert bot_api.hook.delivered
