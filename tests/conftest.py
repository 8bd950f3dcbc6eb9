"""Fixtures that every test may use."""

import service.chat  # noqa: F401 - it says how the client counts seconds, which must not depend on a test's order

pytest_plugins = ["tests.bot_api"]
