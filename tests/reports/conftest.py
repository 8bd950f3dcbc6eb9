"""The bot in the test's own event loop, as the tests of the chat have it."""

from tests.service.chat.conftest import running

__all__ = ["running"]
