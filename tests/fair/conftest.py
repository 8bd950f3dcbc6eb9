"""A browser and a finished game, for all tests of a file."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from eventstore.record import Commit
from tests.fair.browser import Browser
from tests.fair.programs import chromium
from tests.fair.verifying import PAGE
from tests.service.tampering import played


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(chromium(), tmp_path_factory.mktemp("profile")) as browser:
        browser.opens(PAGE)
        yield browser


@pytest.fixture(scope="module")
def game() -> list[Commit]:
    return asyncio.run(played())
